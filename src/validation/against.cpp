#include "validation/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "crowd/crowd.hpp"
#include "geometry/elementary.hpp"
#include "geometry/random.hpp"
#include "navmesh/locate.hpp"

namespace throng::validation {
namespace {

using crowd::Crowd;

constexpr double time_step = 0.1;
constexpr double reached = 0.6;      // m: from the end of a track
constexpr double farthest_move = 2;  // m

/// One person's track.
struct Start {
  double time = 0;
  Vec2 from, to;
};

std::vector<Start> starts_of(const recording::Tracks& tracks) {
  std::map<std::uint64_t, Start> by_id;
  const std::uint64_t first = tracks.rows.empty() ? 0 : tracks.rows.front().frame;
  for (const recording::TrackRow& row : tracks.rows) {
    const auto [start, is_new] = by_id.try_emplace(row.id);
    if (is_new) start->second.time = double(row.frame - first) * tracks.frame_time, start->second.from = row.position;
    start->second.to = row.position;
  }
  std::vector<Start> starts;
  for (const auto& [id, start] : by_id) starts.push_back(start);
  std::ranges::stable_sort(starts, {}, &Start::time);
  return starts;
}

/// The nearest place found where a body is free: rings of places, a few centimetres apart.
std::optional<Vec2> free_place(const Crowd& crowd, Vec2 wanted, double radius) {
  constexpr double gap = 1e-3, apart = 0.03;
  if (crowd.is_free({wanted, 0}, radius + gap)) return wanted;
  for (double far = apart; far <= farthest_move; far += apart) {
    const int places = std::max(8, int(6.28 * far / apart));
    for (int i = 0; i < places; ++i) {
      const Vec2 place = wanted + geometry::unit_direction(double(i) / places) * far;
      if (crowd.is_free({place, 0}, radius + gap)) return place;
    }
  }
  return std::nullopt;
}

class Again {
 public:
  Again(const recording::Tracks& tracks, const crowd::WorldPtr& world, const AgainstOptions& options)
      : options_(options), world_(world), crowd_(world, {options.seed, 1}), waiting_(starts_of(tracks)) {
    result_.people = waiting_.size();
    length_ =
        tracks.rows.empty() ? 0 : double(tracks.rows.back().frame - tracks.rows.front().frame) * tracks.frame_time;
    result_.recorded_last = length_;
  }

  Result<Comparison> go(std::vector<Gauge*> gauges) {
    enter();
    see(gauges);
    while ((crowd_.size() > 0 || !waiting_.empty()) && crowd_.time() < options_.patience * length_ + 60) {
      if (const Result<std::size_t> stepped = crowd_.step(time_step); !stepped) return stepped.problems();
      result_.arrived += crowd_.departures().size();
      if (!crowd_.departures().empty()) result_.walked_last = crowd_.time();
      enter();
      see(gauges);
    }
    result_.never_started = waiting_.size();
    if (result_.moved > 0) result_.mean_moved /= double(result_.moved);
    return result_;
  }

 private:
  void enter() {
    std::erase_if(waiting_, [&](const Start& start) { return start.time <= crowd_.time() + 1e-9 && enter(start); });
  }
  bool enter(const Start& start) {
    const std::optional<Vec2> place = free_place(crowd_, start.from, options_.radius);
    if (!place) return false;
    crowd::AgentSpec spec;
    spec.place = {*place, 0};
    spec.heading = start.to - *place;
    if (!(squared_length(spec.heading) > 1e-12)) spec.heading = {1, 0};
    spec.radius = options_.radius;
    spec.number = std::uint32_t(crowd_.last_serial());
    geometry::RandomStream stream(options_.seed, {0, std::uint32_t(agents::Purpose::speed), spec.number, 0});
    spec.speed = std::clamp(stream.normal(1.55, 0.15), 1.37, 1.73);
    spec.methods[agents::Level::avoid].name = options_.method;
    auto itinerary = std::make_shared<goals::Itinerary>();
    itinerary->goals.push_back({{start.to, 0}, reached, {}, 0});
    spec.itinerary = itinerary;
    if (!crowd_.add(spec)) return false;
    const double moved = distance(*place, start.from);
    if (moved > 0) ++result_.moved;
    result_.most_moved = std::max(result_.most_moved, moved);
    result_.mean_moved += moved;
    return true;
  }
  void see(const std::vector<Gauge*>& gauges) const {
    Frame frame;
    frame.time = crowd_.time();
    const agents::People people = crowd_.people();
    for (const crowd::Slot slot : crowd_.in_serial_order()) {
      Walker walker;
      walker.serial = people.serial[slot];
      walker.position = people.position[slot], walker.velocity = people.velocity[slot];
      walker.radius = people.radius[slot];
      frame.people.push_back(walker);
    }
    for (Gauge* gauge : gauges) gauge->see(frame);
  }

  const AgainstOptions& options_;
  crowd::WorldPtr world_;
  Crowd crowd_;
  std::vector<Start> waiting_;
  double length_ = 0;
  Comparison result_;
};

/// A gauge of the recorded tracks and one of the people who walk again.
struct Pair {
  GaugePtr recorded, walked;
};

Result<Pair> pair_of(const std::string& measure, const Json& arguments,
                     const environment::CleanEnvironment& environment) {
  Pair pair;
  for (GaugePtr* gauge : {&pair.recorded, &pair.walked}) {
    Result<GaugePtr> made = gauge_of({"", measure, arguments});
    if (!made) return made.problems();
    *gauge = std::move(made).value();
    if (Problems wrong = (*gauge)->begin({&environment, nullptr, time_step}); has_errors(wrong)) return wrong;
  }
  return pair;
}

std::vector<double> times_of(const Gauge& gauge) {
  std::vector<double> times;
  for (const Vec2 point : gauge.curve()) times.push_back(point.x);
  return times;
}

ComparedLine compared(const std::string& name, const Pair& pair) {
  ComparedLine line{name, times_of(*pair.recorded), times_of(*pair.walked)};
  std::set<double> all(line.recorded.begin(), line.recorded.end());
  all.insert(line.walked.begin(), line.walked.end());
  const auto by = [](const std::vector<double>& times, double t) {
    return double(std::upper_bound(times.begin(), times.end(), t) - times.begin());
  };
  for (const double t : all)
    line.most_persons = std::max(line.most_persons, std::abs(by(line.recorded, t) - by(line.walked, t)));
  for (std::size_t i = 0; i < std::min(line.recorded.size(), line.walked.size()); ++i)
    line.most_seconds = std::max(line.most_seconds, std::abs(line.recorded[i] - line.walked[i]));
  const auto flow = [](const Gauge& gauge) { return std::isfinite(gauge.value()) ? gauge.value() : 0; };
  line.recorded_flow = flow(*pair.recorded), line.walked_flow = flow(*pair.walked);
  return line;
}

/// The mean of what a curve has at times at which anybody is there.
Vec2 means_of(const Gauge& gauge) {
  const std::vector<Vec2> samples = gauge.curve();
  Vec2 sum;
  for (const Vec2 sample : samples) sum = sum + sample / double(samples.size());
  return sum;
}

}  // namespace

Result<recording::Tracks> read_petrack(const std::string& text, const std::string& source, double rate, double unit) {
  if (rate <= 0 && unit <= 0) return recording::parse_petrack(text, source);
  // What is given holds, whatever comments say; lines keep their numbers.
  std::string given;
  std::istringstream in(text);

  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find_first_not_of(" \t\r");
    const bool is_comment = at != std::string::npos && line[at] == '#';
    if (is_comment && ((rate > 0 && line.find("framerate:") != std::string::npos) || unit > 0)) {
      const std::size_t own = line.find("framerate:");
      line = rate <= 0 && own != std::string::npos ? "# " + line.substr(own) : "#";
    }
    given += line + '\n';
  }
  if (rate > 0) given += fmt::format("# framerate: {}\n", rate);
  if (unit == 0.01) given = "# in cm\n" + given;
  return recording::parse_petrack(given, source);
}

Result<Comparison> walk_again(const recording::Tracks& tracks, const crowd::WorldPtr& world,
                              const AgainstOptions& options) {
  std::map<std::string, Pair> lines, areas;
  for (const NamedLine& line : options.lines) {
    const Json ends = Json::array({{line.from.x, line.from.y}, {line.to.x, line.to.y}});
    Result<Pair> pair = pair_of("flow", {{"line", ends}}, world->environment);
    if (!pair) return pair.problems();
    lines[line.name] = std::move(pair).value();
  }
  for (const environment::CleanArea& area : world->environment.layers.front().areas) {
    if (area.name.empty() || areas.contains(area.name)) continue;
    Result<Pair> pair = pair_of("classical", {{"area", area.name}}, world->environment);
    if (!pair) return pair.problems();
    areas[area.name] = std::move(pair).value();
  }
  std::vector<Gauge*> of_walked;
  for (auto* all : {&lines, &areas})
    for (auto& [name, pair] : *all) of_walked.push_back(pair.walked.get());
  for (const Frame& frame : frames_of(tracks))
    for (auto* all : {&lines, &areas})
      for (auto& [name, pair] : *all) pair.recorded->see(frame);
  Result<Comparison> result = Again(tracks, world, options).go(of_walked);
  if (!result) return result;
  for (auto* all : {&lines, &areas})
    for (auto& [name, pair] : *all) pair.recorded->end(), pair.walked->end();
  for (const auto& [name, pair] : lines) result->lines.push_back(compared(name, pair));
  for (const auto& [name, pair] : areas) {
    const Vec2 recorded = means_of(*pair.recorded), walked = means_of(*pair.walked);
    result->areas.push_back({name, recorded.x, walked.x, recorded.y, walked.y});
  }
  return result;
}

}  // namespace throng::validation
