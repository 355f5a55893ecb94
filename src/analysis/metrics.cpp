#include "analysis/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "crowd/groups.hpp"
#include "text/fnv1a.hpp"

namespace throng::analysis {

namespace {

constexpr double counts_as_collision = 0.01;  // metres of overlap
constexpr double slow = 0.5;                  // metres a second
constexpr double mass_per_radius = 320;       // kilograms a metre
constexpr double progress_expected = 0.5;     // metres
constexpr double progress_window = 10;        // seconds
/// Times are sums of steps: a sample is due when it is nearer than this.
constexpr double time_rounding = 1e-9;
/// Metres within which borders of ground are looked for, and what is left to rounding of their distance, in metres and as a part.
constexpr double farthest_border = 8, rounding = 1e-9;

bool is_on_the_way(crowd::Activity activity) {
  return activity == crowd::Activity::walking || activity == crowd::Activity::planning;
}

}  // namespace

int crossing(const MeasuredLine& line, Vec2 p, Vec2 q) {
  const Vec2 along = line.to - line.from;
  const bool p_left = cross(along, p - line.from) >= 0;
  const bool q_left = cross(along, q - line.from) >= 0;
  if (p_left == q_left) return 0;
  const Vec2 way = q - p;
  const double a = cross(way, line.from - p);
  const double b = cross(way, line.to - p);
  if ((a > 0) == (b > 0) && a != 0 && b != 0) return 0;
  return p_left ? 1 : -1;
}

std::optional<double> evacuated(const std::vector<double>& arrivals, std::size_t people, double part) {
  const auto needed = std::size_t(std::ceil(part * double(people)));
  if (people == 0 || needed == 0 || arrivals.size() < needed) return std::nullopt;
  return arrivals[needed - 1];
}

std::int64_t LineResult::net() const {
  std::int64_t sum = 0;
  for (const Crossing& crossing : crossings) sum += crossing.direction;
  return sum;
}

double LineResult::flow() const {
  if (crossings.size() < 2) return 0;
  const double seconds = crossings.back().time - crossings.front().time;
  return seconds > 0 ? double(crossings.size() - 1) / seconds : 0;
}

double AreaResult::mean_density() const {
  double sum = 0;
  for (const DensitySample& sample : samples) sum += sample.density;
  return samples.empty() ? 0 : sum / double(samples.size());
}

double AreaResult::most() const {
  double most = 0;
  for (const DensitySample& sample : samples) most = std::max(most, sample.density);
  return most;
}

Metrics::Metrics(std::vector<MeasuredLine> lines, std::vector<MeasuredArea> areas) : areas_(std::move(areas)) {
  for (MeasuredLine& line : lines) lines_.push_back({std::move(line), {}});
  for (const MeasuredArea& area : areas_) area_results_.push_back({area.name, area.area.square_metres(), {}});
  next_sample_.assign(areas_.size(), 0);
}

void Metrics::begin(const crowd::Crowd& crowd) {
  time_ = crowd.time();
  steps_ = crowd.step_count();
  take_ground(crowd);
  for (const crowd::Slot slot : crowd.in_serial_order()) add(crowd, slot);
  groups_.begin(crowd);
  measure_areas(crowd);
}

void Metrics::observe(const crowd::Crowd& crowd, double dt) {
  time_ = crowd.time();
  steps_ = crowd.step_count();
  count_departures(crowd);
  count_collisions(crowd);
  groups_.observe(crowd, dt);
  lost_ = 0;
  if (regions_ != crowd.world().regions) {
    for (Trail& trail : trails_) trail.even = 0;
    regions_ = crowd.world().regions;
  }
  for (const crowd::Slot slot : crowd.in_serial_order()) {
    if (crowd.people().serial[slot] > agents_.size()) add(crowd, slot);
    follow(crowd, slot, dt);
  }
  if (uses_strategies_) strategies_ = crowd.strategy_counts();
  if (crowd.has_guidance()) read_signs(crowd);
  measure_areas(crowd);
  add_to_hash(crowd);
}

/// Kinds of one type are one.
void Metrics::take_ground(const crowd::Crowd& crowd) {
  const auto& regions = crowd.world().regions;
  if (!regions || regions->empty() || !ground_types_.empty()) return;
  for (const std::string& type : regions->types()) {
    const std::string name = type.empty() ? ground::plain_type : type;
    const auto known = std::find(ground_types_.begin(), ground_types_.end(), name);
    type_of_kind_.push_back(Index(known - ground_types_.begin()));
    if (known == ground_types_.end()) ground_types_.push_back(name);
  }
  even_row_.assign(regions->kinds().row_size(), 1.0);
  metres_.assign(type_of_kind_.size(), 0);
}

void Metrics::count_ground(const crowd::Crowd& crowd, const AgentRecord& agent, Trail& before, Vec2 now, Index layer,
                           double dt) {
  if (ground_types_.empty()) return;
  const std::span<GroundWalk> own =
      std::span(ground_).subspan((agent.serial - 1) * ground_types_.size(), ground_types_.size());
  const double way = length(now - before.position);
  // Mostly no border is near.
  if (way < before.even && layer == before.layer) {
    GroundWalk& walk = own[type_of_kind_[before.kind]];
    walk.metres += way, walk.seconds += dt;
    before.even -= way * (1 + rounding);
    return;
  }
  const ground::RegionMap& regions = *crowd.world().regions;
  before.kind = regions.type_at({now, layer}, scratch_);
  before.even = std::max(0.0, regions.to_border({now, layer}, farthest_border) - rounding);
  if (!(way > 0)) {
    own[type_of_kind_[before.kind]].seconds += dt;
    return;
  }
  std::fill(metres_.begin(), metres_.end(), 0.0);
  (void)regions.weighted_length({before.position, before.layer}, {now, layer}, 0, even_row_.data(), scratch_, metres_);
  double counted = 0;
  for (const double metres : metres_) counted += metres;
  for (std::size_t kind = 0; kind < metres_.size(); ++kind) {
    if (!(metres_[kind] > 0)) continue;
    const double part = metres_[kind] / counted;  // what rounding leaves out belongs to all
    own[type_of_kind_[kind]].metres += part * way;
    own[type_of_kind_[kind]].seconds += part * dt;
  }
}

void Metrics::read_signs(const crowd::Crowd& crowd) {
  unheeded_ = crowd.strategy_counts().unheeded;
  signs_.clear();
  const std::vector<crowd::Guidance> told = crowd.guidance();
  const std::vector<crowd::GuidanceCount> counts = crowd.guidance_counts();
  for (std::size_t i = 0; i < told.size(); ++i)
    if (told[i].sign) signs_.push_back({told[i].sign->at.point, counts[i]});
}

void Metrics::add(const crowd::Crowd& crowd, crowd::Slot slot) {
  const agents::People people = crowd.people();
  const std::uint64_t serial = people.serial[slot];
  agents_.resize(serial);
  trails_.resize(serial);
  ground_.resize(serial * ground_types_.size());
  AgentRecord& agent = agents_[serial - 1];
  agent.serial = serial;
  agent.population = crowd.population_of(slot);
  agent.profile = crowd.profile_of(slot);
  agent.radius = people.radius[slot];
  agent.appeared = time_;
  trails_[serial - 1] = {people.position[slot], people.layer[slot], 0, crowd.remaining(slot), time_};
}

void Metrics::follow(const crowd::Crowd& crowd, crowd::Slot slot, double dt) {
  const agents::People people = crowd.people();
  const std::uint64_t serial = people.serial[slot];
  AgentRecord& agent = agents_[serial - 1];
  Trail& trail = trails_[serial - 1];
  const Vec2 now = people.position[slot];
  agent.distance += length(now - trail.position);
  const double speed = length(people.velocity[slot]);
  const double energy = mass_per_radius * people.radius[slot] * speed * speed / 2;
  agent.energy += std::abs(energy - trail.kinetic_energy);
  ++agent.steps;
  const crowd::Activity activity = crowd.activity(slot);
  if (is_on_the_way(activity)) {
    agent.walked_for += dt;
    if (speed < slow) agent.slow_time += dt;
    if (const std::optional<crowd::Intent> intent = crowd.intent_of(slot)) {
      ++agent.stream_steps;
      agent.incentives += intent->by.incentive;
      agent.carried_steps += intent->by.incentive < 0.5;
    }
  }
  if (const std::optional<crowd::StrategyMarks> marks = crowd.strategy_marks_of(slot)) {
    agent.strategy = marks;
    uses_strategies_ = true;
  }
  count_thoughts(crowd, slot, agent);
  if (activity == crowd::Activity::arrived && !agent.arrived) {
    agent.arrived = true;
    agent.left = time_;
    arrival_times_.push_back(time_);
  }
  lost_ += activity == crowd::Activity::lost;
  if (now != trail.position) count_crossings(agent, trail, now, people.layer[slot], time_);
  count_ground(crowd, agent, trail, now, people.layer[slot], dt);
  watch_progress(crowd, slot);
  trail.position = now;
  trail.layer = people.layer[slot];
  trail.kinetic_energy = energy;
}

void Metrics::count_thoughts(const crowd::Crowd& crowd, crowd::Slot slot, AgentRecord& agent) {
  const std::optional<crowd::ThoughtsShown> thoughts = crowd.thoughts_of(slot);
  if (!thoughts) return;
  agent.thinks = true;
  agent.route_changes = thoughts->route_changes, agent.exit_changes = thoughts->exit_changes;
  agent.most_changes_a_minute = thoughts->most_changes_a_minute, agent.jam_time = thoughts->jam_time;
  if (const auto detours = crowd.detours_of(slot)) {
    agent.detours = true;
    agent.detours_local = detours->local, agent.detours_global = detours->global;
    agent.detours_back = detours->back, agent.detours_fruitless = detours->fruitless;
    agent.jams_remembered = detours->blocks, agent.committed_time = detours->committed_time;
  }
  if (const Index area = crowd.area_of(slot); area != navmesh::none) agent.exit = area;
  if (exit_names_.empty())
    for (const goals::Area& area : crowd.areas()) exit_names_.push_back(area.name());
}

void Metrics::watch_progress(const crowd::Crowd& crowd, crowd::Slot slot) {
  const std::uint64_t serial = crowd.people().serial[slot];
  Trail& trail = trails_[serial - 1];
  const double remaining = crowd.remaining(slot);
  // Who stands for the others of its group is no more stuck than who waits at a goal.
  const bool on_the_way =
      is_on_the_way(crowd.activity(slot)) && crowd.companionship_of(slot) != crowd::Companionship::stands;
  if (!on_the_way || remaining <= trail.mark - progress_expected) {
    trail.mark = remaining;
    trail.mark_time = time_;
  } else if (remaining > trail.mark + progress_expected && remaining < std::numeric_limits<double>::infinity()) {
    trail.mark = remaining;  // a new route: what counts is what is walked of it from now on
  }
  agents_[serial - 1].stuck = on_the_way && time_ - trail.mark_time >= progress_window - time_rounding;
}

void Metrics::count_crossings(AgentRecord& agent, const Trail& before, Vec2 now, Index layer, double time) {
  for (LineResult& result : lines_) {
    if (result.line.layer != before.layer && result.line.layer != layer) continue;
    const int direction = crossing(result.line, before.position, now);
    if (direction != 0) result.crossings.push_back({time, agent.serial, direction});
  }
}

void Metrics::count_departures(const crowd::Crowd& crowd) {
  for (const crowd::Departure& departure : crowd.departures()) {
    if (departure.serial > agents_.size()) continue;
    AgentRecord& agent = agents_[departure.serial - 1];
    agent.stuck = false;
    if (!departure.arrived) continue;
    agent.arrived = true;
    agent.left = departure.time;
    arrival_times_.push_back(departure.time);
  }
}

void Metrics::count_collisions(const crowd::Crowd& crowd) {
  for (const crowd::Contact& contact : crowd.contacts()) {
    max_overlap_ = std::max(max_overlap_, contact.overlap);
    if (contact.overlap <= counts_as_collision) continue;
    ++collision_steps_;
    const auto [pair, is_new] = touching_.try_emplace({contact.first, contact.second}, steps_);
    collisions_ += is_new;
    pair->second = steps_;
  }
  std::erase_if(touching_, [&](const auto& pair) { return pair.second != steps_; });
}

void Metrics::measure_areas(const crowd::Crowd& crowd) {
  const agents::People people = crowd.people();
  for (std::size_t i = 0; i < areas_.size(); ++i) {
    if (time_ + time_rounding < next_sample_[i]) continue;
    std::uint64_t inside = 0;
    for (const crowd::Slot slot : crowd.in_serial_order()) inside += areas_[i].area.contains(people.place(slot));
    area_results_[i].samples.push_back({time_, inside, double(inside) / areas_[i].area.square_metres()});
    next_sample_[i] += areas_[i].every;
  }
}

void Metrics::add_to_hash(const crowd::Crowd& crowd) {
  const agents::People people = crowd.people();
  for (const crowd::Slot slot : crowd.in_serial_order()) {
    geometry::Fnv1a one;
    one.add(steps_).add(people.serial[slot]).add(std::uint64_t{people.layer[slot]});
    one.add(people.position[slot].x).add(people.position[slot].y);
    hash_ += one.value();
  }
}

Summary Metrics::summary() const {
  Summary s;
  s.agents = agents_.size();
  s.steps = steps_;
  s.sim_time = time_;
  s.collisions = collisions_;
  s.collision_steps = collision_steps_;
  s.max_overlap = max_overlap_;
  s.lost = lost_;
  s.hash = hash_;
  AgentRecord all;  // of streams
  for (const AgentRecord& agent : agents_) {
    all.stream_steps += agent.stream_steps, all.carried_steps += agent.carried_steps;
    all.incentives += agent.incentives;
    s.stuck += agent.stuck;
    s.thinks = s.thinks || agent.thinks;
    s.route_changes += agent.route_changes, s.exit_changes += agent.exit_changes;
    s.most_changes_a_minute = std::max(s.most_changes_a_minute, agent.most_changes_a_minute);
    s.jam_time += agent.jam_time;
    s.detours = s.detours || agent.detours;
    s.detours_local += agent.detours_local, s.detours_global += agent.detours_global;
    s.detours_back += agent.detours_back, s.detours_fruitless += agent.detours_fruitless;
    s.jams_remembered += agent.jams_remembered, s.committed_time += agent.committed_time;
    if (!agent.arrived) continue;
    ++s.arrived;
    s.mean_travel_time += agent.left - agent.appeared;
    s.mean_distance += agent.distance;
    s.mean_speed += agent.walked_for > 0 ? agent.distance / agent.walked_for : 0;
    s.mean_slow_time += agent.slow_time;
    s.mean_energy += agent.steps > 0 ? agent.energy / double(agent.steps) : 0;
  }
  if (s.arrived > 0)
    for (double* mean : {&s.mean_travel_time, &s.mean_distance, &s.mean_speed, &s.mean_slow_time, &s.mean_energy})
      *mean /= double(s.arrived);
  s.strategies = strategies_;
  s.unheeded = unheeded_;
  s.signs = signs_;
  for (Index exit = 0; exit < exit_names_.size(); ++exit) {
    ExitSummary by_exit{.name = exit_names_[exit]};
    for (const AgentRecord& agent : agents_) {
      if (!agent.arrived || !agent.thinks || agent.exit != exit) continue;
      by_exit.first = by_exit.people == 0 ? agent.left : std::min(by_exit.first, agent.left);
      by_exit.last = std::max(by_exit.last, agent.left);
      by_exit.mean_waiting += agent.slow_time;
      ++by_exit.people;
    }
    if (by_exit.people == 0) continue;
    by_exit.mean_waiting /= double(by_exit.people);
    s.exits.push_back(std::move(by_exit));
  }
  s.mean_incentive = all.mean_incentive();
  s.stream_share = all.stream_share();
  std::map<std::pair<Index, std::size_t>, GroundWalk> ground;
  for (const AgentRecord& agent : agents_)
    for (std::size_t type = 0; type < ground_types_.size() && agent.serial != 0; ++type) {
      GroundWalk& all_of = ground[{agent.population, type}];
      const GroundWalk& own = ground_[(agent.serial - 1) * ground_types_.size() + type];
      all_of.metres += own.metres, all_of.seconds += own.seconds;
    }
  for (const auto& [key, walk] : ground)
    if (walk.seconds > 0) s.ground.push_back({key.first, ground_types_[key.second], walk});
  if (groups_.any()) s.groups = groups_.summaries();
  s.evacuated_50 = evacuated(arrival_times_, agents_.size(), 0.5);
  s.evacuated_95 = evacuated(arrival_times_, agents_.size(), 0.95);
  s.evacuated_100 = evacuated(arrival_times_, agents_.size(), 1);
  return s;
}

void Metrics::save(geometry::ArchiveWriter& out) const {
  out.put_list(lines_, [&](const LineResult& line) {
    out.put_list(line.crossings, [&](const Crossing& c) { out.put(c.time), out.put(c.serial), out.put(c.direction); });
  });
  out.put_list(area_results_, [&](const AreaResult& area) {
    out.put_list(area.samples, [&](const DensitySample& s) { out.put(s.time), out.put(s.people), out.put(s.density); });
  });
  out.put_list(next_sample_);
  out.put_list(agents_, [&](const AgentRecord& a) {
    out.put(a.serial), out.put(a.population), out.put(a.profile), out.put(a.radius), out.put(a.appeared),
        out.put(a.left);
    out.put(a.distance), out.put(a.walked_for), out.put(a.slow_time), out.put(a.energy), out.put(a.steps);
    out.put(std::uint8_t(a.arrived)), out.put(std::uint8_t(a.stuck));
    out.put(a.stream_steps), out.put(a.incentives), out.put(a.carried_steps);
    const crowd::StrategyMarks marks = a.strategy.value_or(crowd::StrategyMarks());
    out.put(std::uint8_t(a.strategy.has_value()));
    out.put(marks.conflicts), out.put(marks.routes), out.put(marks.refused), out.put(marks.strict);
    out.put(std::uint8_t(a.thinks)), out.put(a.route_changes), out.put(a.exit_changes),
        out.put(a.most_changes_a_minute), out.put(a.jam_time), out.put(a.exit);
    out.put(std::uint8_t(a.detours)), out.put(a.detours_local), out.put(a.detours_global), out.put(a.detours_back);
    out.put(a.detours_fruitless), out.put(a.jams_remembered), out.put(a.committed_time);
  });
  out.put_list(trails_, [&](const Trail& t) {
    out.put(t.position), out.put(t.layer), out.put(t.kinetic_energy), out.put(t.mark), out.put(t.mark_time);
  });
  out.put_list(arrival_times_);
  out.put_list(touching_,
               [&](const auto& pair) { out.put(pair.first.first), out.put(pair.first.second), out.put(pair.second); });
  out.put(collisions_), out.put(collision_steps_), out.put(lost_), out.put(max_overlap_), out.put(time_),
      out.put(steps_);
  out.put(hash_);
  out.put_list(ground_, [&](const GroundWalk& walk) { out.put(walk.metres), out.put(walk.seconds); });
  groups_.save(out);
}

/// Whether everybody in the crowd is known, and every record is of somebody: what follow() and tables of people look up.
bool Metrics::fits(const crowd::Crowd& crowd, std::size_t populations, std::size_t profiles) const {
  if (agents_.size() != trails_.size() || next_sample_.size() != areas_.size()) return false;
  if (time_ != crowd.time() || steps_ != crowd.step_count()) return false;
  for (const double next : next_sample_)
    if (!(next >= 0)) return false;
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    const AgentRecord& agent = agents_[i];
    if (agent.serial != 0 && agent.serial != i + 1) return false;
    if (agent.serial != 0 && (agent.population >= populations || agent.profile >= profiles)) return false;
    for (const double number :
         {agent.radius, agent.appeared, agent.left, agent.distance, agent.walked_for, agent.slow_time, agent.energy,
          agent.incentives, agent.jam_time, agent.committed_time, trails_[i].mark_time})
      if (!std::isfinite(number)) return false;
  }
  const auto everybody = crowd.in_serial_order();
  return std::all_of(everybody.begin(), everybody.end(), [&](crowd::Slot slot) {
    const std::uint64_t serial = crowd.people().serial[slot];
    return serial >= 1 && serial <= agents_.size() && agents_[serial - 1].serial == serial;
  });
}

void Metrics::load(geometry::ArchiveReader& in, const crowd::Crowd& crowd, std::size_t populations,
                   std::size_t profiles) {
  const std::size_t lines = lines_.size();
  const std::size_t areas = area_results_.size();
  if (in.get<std::uint64_t>() != lines) in.fail();
  for (LineResult& line : lines_)
    in.get_list(line.crossings, 20, [&] {
      Crossing c;
      in.get(c.time), in.get(c.serial), in.get(c.direction);
      return c;
    });
  if (in.get<std::uint64_t>() != areas) in.fail();
  for (AreaResult& area : area_results_)
    in.get_list(area.samples, 24, [&] {
      DensitySample s;
      in.get(s.time), in.get(s.people), in.get(s.density);
      return s;
    });
  in.get_list(next_sample_);
  in.get_list(agents_, 190, [&] {
    AgentRecord a;
    in.get(a.serial), in.get(a.population), in.get(a.profile), in.get(a.radius), in.get(a.appeared), in.get(a.left);
    in.get(a.distance), in.get(a.walked_for), in.get(a.slow_time), in.get(a.energy), in.get(a.steps);
    a.arrived = in.get<std::uint8_t>() != 0, a.stuck = in.get<std::uint8_t>() != 0;
    in.get(a.stream_steps), in.get(a.incentives), in.get(a.carried_steps);
    const bool has_strategy = in.get<std::uint8_t>() != 0;
    crowd::StrategyMarks marks;
    in.get(marks.conflicts), in.get(marks.routes), in.get(marks.refused), in.get(marks.strict);
    if (has_strategy) a.strategy = marks, uses_strategies_ = true;
    a.thinks = in.get<std::uint8_t>() != 0;
    in.get(a.route_changes), in.get(a.exit_changes), in.get(a.most_changes_a_minute), in.get(a.jam_time),
        in.get(a.exit);
    a.detours = in.get<std::uint8_t>() != 0;
    in.get(a.detours_local), in.get(a.detours_global), in.get(a.detours_back), in.get(a.detours_fruitless);
    in.get(a.jams_remembered), in.get(a.committed_time);
    return a;
  });
  in.get_list(trails_, 44, [&] {
    Trail t;
    in.get(t.position), in.get(t.layer), in.get(t.kinetic_energy), in.get(t.mark), in.get(t.mark_time);
    return t;
  });
  in.get_list(arrival_times_);
  const auto count = in.get<std::uint64_t>();
  touching_.clear();
  for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
    const auto first = in.get<std::uint64_t>();
    const auto second = in.get<std::uint64_t>();
    touching_[{first, second}] = in.get<std::uint64_t>();
  }
  in.get(collisions_), in.get(collision_steps_), in.get(lost_), in.get(max_overlap_), in.get(time_), in.get(steps_);
  in.get(hash_);
  take_ground(crowd);
  in.get_list(ground_, 16, [&] {
    GroundWalk walk;
    in.get(walk.metres), in.get(walk.seconds);
    return walk;
  });
  if (ground_.size() != agents_.size() * ground_types_.size()) in.fail();
  for (const GroundWalk& walk : ground_)
    if (!std::isfinite(walk.metres) || !std::isfinite(walk.seconds)) in.fail();
  groups_.load(in);
  if (!in.failed() && !fits(crowd, populations, profiles)) in.fail();
}

}  // namespace throng::analysis
