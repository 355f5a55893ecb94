#include "scenario/sources.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/elementary.hpp"

namespace throng::scenario {
namespace {

/// Places tried for the first in the queue in a step; the next step tries others.
constexpr std::uint32_t attempts_a_step = 10;

}  // namespace

Source::Source(const People& people, std::size_t population)
    : people_(people),
      population_(population),
      rate_(std::get<Rate>(people.setup().scenario->populations[population].who)),
      next_time_(rate_.from) {
  draw_next();
}

void Source::draw_next() {
  const PopulationSpec& population = people_.setup().scenario->populations[population_];
  geometry::RandomStream stream = stream_for(people_.seed(), population, Purpose::arrival, next_number_);
  next_time_ -= geometry::natural_log(1 - stream.unit()) / rate_.per_second;
}

Result<std::size_t> Source::run(crowd::Crowd& crowd) {
  for (; next_time_ <= crowd.time() && next_time_ < rate_.until; draw_next()) {
    queue_.push_back({next_number_++, next_time_});
    ++counts_.due;
  }
  std::size_t entered = 0;
  for (; !queue_.empty(); queue_.pop_front(), ++entered) {
    const Result<bool> in = let_in(crowd, queue_.front().number);
    if (!in) return in.problems();
    if (!*in) break;
    counts_.waited += crowd.time() - queue_.front().since;
  }
  counts_.entered += entered;
  counts_.longest_queue = std::max(counts_.longest_queue, queue_.size());
  return entered;
}

Result<bool> Source::let_in(crowd::Crowd& crowd, std::uint32_t number) const {
  crowd::AgentSpec person = people_.draw(population_, number);
  for (std::uint32_t attempt = 0; attempt < attempts_a_step; ++attempt) {
    const navmesh::Place place = people_.candidate(population_, number, std::uint32_t(crowd.step_count()), attempt);
    if (!crowd.is_free(place, person.radius)) continue;
    people_.put(person, place);
    if (const Result<crowd::AgentId> id = crowd.add(person); !id) return id.problems();
    return true;
  }
  return false;
}

void Source::save(geometry::ArchiveWriter& archive) const {
  archive.put_list(queue_, [&](const Waiting& person) { archive.put(person.number), archive.put(person.since); });
  archive.put(next_number_), archive.put(next_time_);
  archive.put(std::uint64_t(counts_.due)), archive.put(std::uint64_t(counts_.entered));
  archive.put(std::uint64_t(counts_.longest_queue)), archive.put(counts_.waited);
}

void Source::load(geometry::ArchiveReader& archive) {
  std::vector<Waiting> queue;
  archive.get_list(queue, 12, [&] {
    Waiting person;
    archive.get(person.number), archive.get(person.since);
    return person;
  });
  queue_.assign(queue.begin(), queue.end());
  archive.get(next_number_), archive.get(next_time_);
  counts_.due = archive.get<std::uint64_t>(), counts_.entered = archive.get<std::uint64_t>();
  counts_.longest_queue = archive.get<std::uint64_t>();
  archive.get(counts_.waited);
  if (std::isnan(next_time_) || counts_.entered > counts_.due) archive.fail();
}

bool Source::fits(double time, double time_step) const {
  // The number of arrivals is Poisson's: ten deviations more never come.
  const double expected = rate_.per_second * std::max(0.0, std::min(time, rate_.until) - rate_.from);
  const double most = expected + 10 * std::sqrt(expected) + 100;
  const double least_next = std::min(time - 2 * time_step, rate_.until);
  if (!(double(next_number_) <= most && double(counts_.due) <= most && next_time_ >= least_next)) return false;
  if (!std::isfinite(next_time_) || !(counts_.waited >= 0) || queue_.size() != counts_.waiting()) return false;
  return std::all_of(queue_.begin(), queue_.end(), [&](const Waiting& person) {
    return person.number < next_number_ && person.since >= rate_.from && person.since <= time;
  });
}

}  // namespace throng::scenario
