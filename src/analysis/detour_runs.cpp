// Scenes for detours, run step by step: who comes and goes, who walks by which method, and what came of them.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "agents/catalogue.hpp"
#include "analysis/detour_scenes.hpp"
#include "crowd/methods.hpp"
#include "geometry/random.hpp"
#include "navmesh/locate.hpp"

namespace throng::analysis {
namespace {

constexpr double time_step = 0.1;
/// Metres by which starts differ from run to run, on either side.
constexpr double jitter = 0.1;
/// Metres within which one has arrived.
constexpr double arrival = 0.5;
/// Metres: side of the city's areas, and the range of clearances.
constexpr double area_side = 40, least_clearance = 0.5, most_clearance = 2.5;

Problem no_room(const std::string& why) { return {Severity::error, ProblemCode::value, "scene", why}; }

crowd::AgentSpec standing_person(Vec2 p) {
  crowd::AgentSpec spec;
  spec.place = {p, 0};
  spec.radius = detour_body;
  return spec;
}

/// A method's numbers as they are by default or published, but for those that are named.
crowd::MethodChoice choice_of(agents::Level level, const std::string& name, bool as_published,
                              const std::vector<std::pair<std::string, double>>& numbers) {
  const agents::Catalogue catalogue = crowd::built_in_methods()->catalogue();
  const agents::MethodInfo* info = agents::find_method(catalogue[level], name);
  if (info == nullptr) return {name, {}};
  std::vector<double> block = agents::default_block(*info, as_published);
  for (const auto& [key, value] : numbers)
    if (const agents::Parameter* parameter = info->parameter(key))
      block[std::size_t(parameter - info->parameters.data())] = value;
  return {name, block};
}

/// Somebody who walks; `clearance` 0: that of the routes by default.
crowd::AgentSpec walking_person(const navmesh::Place& from, const navmesh::Place& to, double clearance,
                                const DetourMethod& method, bool goes_by_it) {
  crowd::AgentSpec spec;
  spec.place = from;
  spec.heading = to.point - from.point;
  spec.radius = detour_body, spec.speed = detour_speed;
  spec.methods[agents::Level::follow] = {"miran", {}};
  if (clearance > 0)
    spec.methods[agents::Level::route] = choice_of(agents::Level::route, "short", false, {{"clearance", clearance}});
  if (goes_by_it && !method.congestion.empty())
    spec.methods[agents::Level::congestion] =
        choice_of(agents::Level::congestion, method.congestion, method.as_published, method.numbers);
  if (!method.stream.empty())
    spec.methods[agents::Level::coordinate] =
        choice_of(agents::Level::coordinate, method.stream, method.as_published, {});
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->goals.push_back({to, arrival, {}, 0});
  spec.itinerary = std::move(itinerary);
  return spec;
}

/// A scene's crowd, and what is known of everybody who walks.
class SceneRun {
 public:
  SceneRun(const DetourScene& scene, const crowd::WorldPtr& world, const DetourMethod& method, std::uint64_t seed,
           const std::vector<bool>& chosen)
      : scene_(scene),
        method_(method),
        chosen_(chosen),
        crowd_(world, {.seed = seed, .threads = 1}),
        standing_(scene.standing.size()),
        walking_(scene.walkers.size()) {
    run_.walkers.resize(scene.walkers.size());
    geometry::RandomStream random(seed);
    for (const DetourScene::Walker& one : scene.walkers) {
      const double x = random.unit();
      starts_.push_back(one.from + Vec2{(2 * x - 1) * jitter, (2 * random.unit() - 1) * jitter});
    }
  }

  Result<DetourRun> whole() {
    come_and_stand(0);
    if (const Problems wrong = add_streams(); has_errors(wrong)) return wrong;
    double spent = 0;
    int steps = 0;
    for (bool any = true; any && crowd_.time() < scene_.duration;) {
      come_and_stand(crowd_.time() + time_step / 2);
      end_streams();
      if (const Problems wrong = set_out(); has_errors(wrong)) return wrong;
      const auto start = std::chrono::steady_clock::now();
      if (const auto stepped = crowd_.step(time_step); !stepped) return stepped.problems();
      spent += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      ++steps;
      any = look();
    }
    run_.ms_a_step = steps > 0 ? spent / steps : 0;
    return std::move(run_);
  }

 private:
  using Ids = std::vector<std::optional<crowd::AgentId>>;

  /// Adds who comes now and removes who goes.
  void come_and_stand(double time) {
    for (std::size_t i = 0; i < standing_.size(); ++i) {
      const DetourScene::Standing& one = scene_.standing[i];
      const bool is_wanted = time >= one.from && time < one.until;
      if (is_wanted && !standing_[i]) {
        const auto added = crowd_.add(standing_person(one.place));
        if (!added) continue;
        (void)crowd_.steer(*added, {});
        standing_[i] = *added;
      } else if (!is_wanted && standing_[i]) {
        (void)crowd_.remove(*standing_[i]);
        standing_[i].reset();
      }
    }
  }

  Problems add_streams() {
    for (const DetourScene::Stream& one : scene_.streams) {
      const auto added = crowd_.add(standing_person(one.from));
      if (!added) return added.problems();
      (void)crowd_.steer(*added, one.velocity);
      streams_.push_back({*added, one.until});
    }
    return {};
  }

  void end_streams() {
    for (const auto& [id, until] : streams_)
      if (crowd_.time() >= until && crowd_.holds(id)) (void)crowd_.remove(id);
  }

  Problems set_out() {
    for (std::size_t i = 0; i < walking_.size(); ++i) {
      const DetourScene::Walker& one = scene_.walkers[i];
      if (walking_[i] || crowd_.time() < one.begins) continue;
      crowd::AgentSpec spec =
          walking_person({starts_[i], 0}, {one.to, 0}, one.clearance, method_, chosen_.empty() || chosen_[i]);
      spec.number = std::uint32_t(i);
      const auto added = crowd_.add(spec);
      if (!added) return added.problems();
      walking_[i] = *added;
    }
    return {};
  }

  /// Whether anybody is on the way, or still to come.
  bool look() {
    bool any = false;
    for (std::size_t i = 0; i < walking_.size(); ++i) {
      DetourRun::One& one = run_.walkers[i];
      if (one.has_arrived) continue;
      any = true;
      if (!walking_[i]) continue;
      if (crowd_.holds(*walking_[i])) {
        look_at(crowd_.slot_of(*walking_[i]), starts_[i], one);
        continue;
      }
      one.has_arrived = true;
      one.time = crowd_.time() - scene_.walkers[i].begins;
    }
    return any;
  }

  void look_at(crowd::Slot slot, Vec2 start, DetourRun::One& one) {
    const Vec2 here = crowd_.people().position[slot];
    one.length += distance(here, one.path.empty() ? start : one.path.back());
    one.path.push_back(here);
    const std::uint32_t before = one.detours;
    if (const auto thoughts = crowd_.thoughts_of(slot)) one.detours = thoughts->route_changes;
    const auto detours = crowd_.detours_of(slot);
    if (detours) {
      one.detours = detours->local + detours->global, one.back = detours->back;
      one.fruitless = detours->fruitless, one.committed = detours->committed_time;
    }
    if (before > 0 || one.detours == 0) return;
    if (detours && detours->goal) one.first_goal = detours->goal->point;
    one.first_detour_ahead = nearest_standing(here);
  }

  [[nodiscard]] std::optional<double> nearest_standing(Vec2 here) const {
    std::optional<double> nearest;
    for (std::size_t i = 0; i < standing_.size(); ++i)
      if (standing_[i]) {
        const double off = distance(scene_.standing[i].place, here);
        nearest = std::min(off, nearest.value_or(off));
      }
    return nearest;
  }

  const DetourScene& scene_;
  const DetourMethod& method_;
  const std::vector<bool>& chosen_;
  crowd::Crowd crowd_;
  Ids standing_, walking_;
  std::vector<std::pair<crowd::AgentId, double>> streams_;
  std::vector<Vec2> starts_;
  DetourRun run_;
};

/// Places of a town where a body fits, by the corner that they are near to.
class CornerAreas {
 public:
  explicit CornerAreas(const navmesh::Mesh& mesh, std::uint64_t seed) : mesh_(mesh), random_(seed) {
    low_ = {INFINITY, INFINITY}, high_ = {-INFINITY, -INFINITY};
    for (const navmesh::Node& node : mesh.all_nodes()) {
      low_ = {std::min(low_.x, node.point.x), std::min(low_.y, node.point.y)};
      high_ = {std::max(high_.x, node.point.x), std::max(high_.y, node.point.y)};
    }
  }
  /// False where none of its squares, from the corners inwards, is free by a quarter.
  bool find() {
    for (std::size_t corner = 0; corner < 4; ++corner)
      if (!find_one(corner)) return false;
    return true;
  }
  std::optional<navmesh::Place> place_in(std::size_t corner) {
    for (int tries = 0; tries < 200; ++tries) {
      const double x = random_.unit();
      const navmesh::Place place{areas_[corner] + Vec2{x, random_.unit()} * area_side, 0};
      const navmesh::Located at = navmesh::locate(mesh_, place);
      if (at && at.clearance >= most_clearance) return place;
    }
    return std::nullopt;
  }
  geometry::RandomStream& random() { return random_; }

 private:
  bool find_one(std::size_t corner) {
    const Vec2 room = high_ - low_ - Vec2{area_side, area_side};
    for (int step = 0; step <= 20; ++step) {
      const double part = step / 40.0;  // up to the middle
      const Vec2 at{corner % 2 == 0 ? part : 1 - part, corner / 2 == 0 ? part : 1 - part};
      areas_[corner] = low_ + Vec2{at.x * room.x, at.y * room.y};
      int free = 0;
      for (int i = 0; i < 100; ++i) {
        const navmesh::Located there =
            navmesh::locate(mesh_, {areas_[corner] + Vec2{i % 10 + 0.5, i / 10 + 0.5} * (area_side / 10), 0});
        free += there && there.clearance >= most_clearance ? 1 : 0;
      }
      if (free >= 25) return true;
    }
    return false;
  }

  const navmesh::Mesh& mesh_;
  geometry::RandomStream random_;
  Vec2 low_, high_;
  std::array<Vec2, 4> areas_{};
};

}  // namespace

Result<DetourRun> run_detour_scene(const DetourScene& scene, const crowd::WorldPtr& world, const DetourMethod& method,
                                   std::uint64_t seed, const std::vector<bool>& chosen) {
  return SceneRun(scene, world, method, seed, chosen).whole();
}

Result<CityFigures> run_city(const crowd::WorldPtr& world, const CityRun& run, const DetourMethod& method,
                             std::uint64_t seed) {
  CornerAreas areas(*world->mesh, seed);
  if (!areas.find()) return no_room("no room for areas of 40 x 40 m near the corners");
  crowd::Crowd crowd(world, {.seed = seed, .threads = 1});
  CityFigures figures;
  const auto steps = [](double seconds) { return int(std::floor(seconds / time_step + 0.5)); };
  double due = 0, spent = 0;
  std::uint32_t number = 0;
  for (int step = 0; step < steps(run.filling + run.measured); ++step) {
    for (due += run.people_a_second * time_step; due >= 1; due -= 1) {
      const auto from = std::size_t(areas.random().unit() * 4), other = std::size_t(areas.random().unit() * 3);
      const auto start = areas.place_in(from), goal = areas.place_in((from + 1 + other) % 4);
      const double x = areas.random().unit();
      if (!start || !goal || !crowd.is_free(*start, detour_body)) continue;
      crowd::AgentSpec spec =
          walking_person(*start, *goal, least_clearance + x * (most_clearance - least_clearance), method, true);
      spec.number = number++;
      (void)crowd.add(spec);
    }
    const auto begin = std::chrono::steady_clock::now();
    if (const auto stepped = crowd.step(time_step); !stepped) return stepped.problems();
    if (step < steps(run.filling)) continue;
    spent += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    for (std::size_t s = 0; s < figures.stage_ms.size(); ++s)
      figures.stage_ms[s] += 1000 * crowd.seconds_of(crowd::Stage(s)) / steps(run.measured);
  }
  figures.people = crowd.size();
  figures.ms_a_step = spent / steps(run.measured);
  for (const crowd::Slot slot : crowd.in_serial_order())
    if (const auto shown = crowd.detours_of(slot)) {
      figures.detours += shown->local + shown->global;
      figures.fruitless += shown->fruitless;
    }
  return figures;
}

}  // namespace throng::analysis
