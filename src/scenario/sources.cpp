#include "scenario/sources.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/elementary.hpp"
#include "navmesh/visibility.hpp"

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

/// The gap before whoever is next; of a group, once for each of its members.
void Source::draw_next() {
  const PopulationSpec& population = people_.setup().scenario->populations[population_];
  geometry::RandomStream stream = stream_for(people_.seed(), population, Purpose::arrival, next_number_);
  next_time_ -=
      geometry::natural_log(1 - stream.unit()) / rate_.per_second * people_.company(population_).of(next_number_).size;
}

Result<std::size_t> Source::run(crowd::Crowd& crowd) {
  for (; next_time_ <= crowd.time() && next_time_ < rate_.until; draw_next())
    for (std::uint32_t left = people_.company(population_).of(next_number_).size; left > 0; --left) {
      queue_.push_back({next_number_++, next_time_});
      ++counts_.due;
    }
  std::size_t entered = 0;
  while (!queue_.empty()) {
    const Result<std::size_t> in = let_in(crowd, queue_.front().number);
    if (!in) return in.problems();
    if (*in == 0) break;
    for (std::size_t i = 0; i < *in && !queue_.empty(); ++i, queue_.pop_front(), ++entered)
      counts_.waited += crowd.time() - queue_.front().since;
  }
  counts_.entered += entered;
  counts_.longest_queue = std::max(counts_.longest_queue, queue_.size());
  return entered;
}

Result<std::size_t> Source::let_in(crowd::Crowd& crowd, std::uint32_t number) const {
  const Company::Place company = people_.company(population_).of(number);
  const std::vector<crowd::AgentSpec> members = place(crowd, company);
  if (members.empty()) return std::size_t{0};
  if (members.size() == 1) {
    if (const Result<crowd::AgentId> id = crowd.add(members.front()); !id) return id.problems();
    return std::size_t{1};
  }
  const auto ids = crowd.add_group(members, people_.group(population_, company.group));
  if (!ids) return ids.problems();
  return members.size();
}

/// The group with a free place for each, or nobody.
std::vector<crowd::AgentSpec> Source::place(const crowd::Crowd& crowd, const Company::Place& company) const {
  const auto step = std::uint32_t(crowd.step_count());
  const goals::Area& area = people_.setup().areas[people_.setup().populations[population_].start];
  std::vector<crowd::AgentSpec> members;
  const auto is_free = [&](const navmesh::Place& at, double radius) {
    if (!crowd.is_free(at, radius)) return false;
    return std::ranges::none_of(members, [&](const crowd::AgentSpec& other) {
      const double apart = radius + other.radius + placing_gap;
      return squared_length(other.place.point - at.point) < apart * apart;
    });
  };
  const double personal = company.size > 1 ? people_.personal_distance(population_, company.group) : 0;
  while (members.size() < company.size) {
    crowd::AgentSpec person = people_.draw(population_, company.first + std::uint32_t(members.size()));
    bool is_placed = false;
    for (std::size_t other = 0; other < std::max<std::size_t>(1, members.size()) && !is_placed; ++other)
      for (std::uint32_t attempt = 0; attempt < attempts_a_step && !is_placed; ++attempt) {
        navmesh::Place at;
        if (members.empty()) {
          at = people_.candidate(population_, person.number, step, attempt);
        } else {
          const crowd::AgentSpec& beside = members[other];
          const double touching = person.radius + beside.radius + placing_gap;
          at = people_.beside(population_, person.number, step, attempt + std::uint32_t(other) * attempts_a_step,
                              beside.place, touching, std::max(touching, personal + beside.radius));
          if (!area.contains(at) || !navmesh::visible(*people_.setup().world->mesh, beside.place, at, 0)) continue;
        }
        if (!is_free(at, person.radius)) continue;
        people_.put(person, at);
        is_placed = true;
      }
    if (!is_placed) return {};
    members.push_back(std::move(person));
  }
  return members;
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
  // Groups come that many at a time.
  const PopulationSpec& population = people_.setup().scenario->populations[population_];
  const double together = population.groups ? double(population.groups->largest()) : 1;
  const double most = expected + together * (10 * std::sqrt(expected) + 100);
  const double least_next = std::min(time - 2 * time_step, rate_.until);
  if (!(double(next_number_) <= most && double(counts_.due) <= most && next_time_ >= least_next)) return false;
  if (!std::isfinite(next_time_) || !(counts_.waited >= 0) || queue_.size() != counts_.waiting()) return false;
  return std::all_of(queue_.begin(), queue_.end(), [&](const Waiting& person) {
    return person.number < next_number_ && person.since >= rate_.from && person.since <= time;
  });
}

}  // namespace throng::scenario
