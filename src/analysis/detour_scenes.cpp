#include "analysis/detour_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "environment/sketch.hpp"
#include "geometry/random.hpp"
#include "routes/planner.hpp"

namespace throng::analysis {
namespace {

using environment::rectangle;
using environment::Sketch;

constexpr double apart = 0.5;
/// Corners of the discs that stand for people, and how much larger they are so that they hold the disc's neighbourhood.
constexpr int disc_corners = 24;

Problem no_scene(const std::string& why) { return {Severity::error, ProblemCode::value, "scene", why}; }

/// Points `apart` from low to high, both included, less those for which `leaves_out`.
template <class LeavesOut>
void stand(DetourScene& scene, Vec2 low, Vec2 high, const LeavesOut& leaves_out, double from = 0, double until = 1e9) {
  const int columns = int(std::floor((high.x - low.x) / apart + 1e-9)),
            rows = int(std::floor((high.y - low.y) / apart + 1e-9));
  for (int i = 0; i <= columns; ++i)
    for (int k = 0; k <= rows; ++k) {
      const Vec2 p = low + Vec2{i * apart, k * apart};
      if (!leaves_out(p)) scene.standing.push_back({p, from, until});
    }
}

void stand(DetourScene& scene, Vec2 low, Vec2 high, double from = 0, double until = 1e9) {
  stand(
      scene, low, high, [](Vec2) { return false; }, from, until);
}

/// A block of 8 x 8 less its corners.
void stand_in_block(DetourScene& scene, Vec2 low, double from, double until) {
  const Vec2 high = low + Vec2{7 * apart, 7 * apart};
  const auto is_corner = [&](Vec2 p) {
    return (std::abs(p.x - low.x) < 0.1 || std::abs(p.x - high.x) < 0.1) &&
           (std::abs(p.y - low.y) < 0.1 || std::abs(p.y - high.y) < 0.1);
  };
  stand(scene, low, high, is_corner, from, until);
}

environment::Environment hall(const std::string& name, Vec2 size, std::optional<std::pair<Vec2, Vec2>> block = {}) {
  Sketch sketch(name);
  sketch.walkable({rectangle({0, 0}, size), {}});
  if (block) sketch.obstacle({rectangle(block->first, block->second), {}});
  return std::move(sketch).take();
}

DetourScene busy_corner() {
  DetourScene scene{.name = "busy-corner", .drawn = hall("busy-corner", {20, 20}, {{{0, 0}, {10, 10}}})};
  stand(scene, {10, 10}, {14, 14}, [](Vec2 p) { return p.x < 10.1 && p.y < 10.1; });
  // Who touches the corner's walls stands off by a body.
  for (DetourScene::Standing& one : scene.standing) {
    if (one.place.x < 10.1) one.place.x = 10.25;
    if (one.place.y < 10.1) one.place.y = 10.25;
  }
  scene.walkers = {{{1.2, 12}, {12, 1.2}}};
  return scene;
}

DetourScene blocked_path() {
  DetourScene scene{.name = "blocked-path", .drawn = hall("blocked-path", {24, 17.5}, {{{4, 4}, {20, 13.5}}})};
  stand(scene, {10, 0.25}, {14, 3.75});
  scene.walkers = {{{1, 2}, {23, 2}}};
  return scene;
}

DetourScene many_corners() {
  Sketch sketch("many-corners");
  sketch.walkable({rectangle({0, 0}, {36, 20}), {}});
  for (const double x : {6.0, 30.0}) sketch.wall({{x, 0}, {x, 16}});
  sketch.wall({{18, 0}, {18, 8}}), sketch.wall({{18, 10}, {18, 16}});
  for (const double x : {12.0, 24.0}) sketch.wall({{x, 4}, {x, 20}});
  DetourScene scene{.name = "many-corners", .drawn = std::move(sketch).take()};
  stand(scene, {16, 7}, {20, 11}, [](Vec2 p) { return std::abs(p.x - 18) < 0.1; });
  scene.walkers = {{{3, 2}, {33, 2}}};
  scene.duration = 200;
  return scene;
}

/// The n-th set of places, among those that seeds give, between which a body fits.
Result<DetourScene> random_places(std::uint64_t seed) {
  for (std::uint64_t tries = 0; tries < 200; ++tries) {
    DetourScene scene{.name = "random", .drawn = hall("random", {26, 16})};
    scene.walkers = {{{2, 8}, {24, 8}}};
    geometry::RandomStream random(seed * 1000 + tries);
    while (scene.standing.size() < 60) {
      const double x = random.unit();
      const Vec2 p{4 + x * 18, 0.3 + random.unit() * 15.4};
      const bool is_free = std::ranges::none_of(scene.standing, [&](const DetourScene::Standing& other) {
        return squared_length(other.place - p) < 4 * detour_body * detour_body;
      });
      if (is_free) scene.standing.push_back({p});
    }
    if (shortest_way_round(scene, 0, 0)) return scene;
  }
  return no_scene("no body fits through");
}

DetourScene memory_of(const std::string& name) {
  DetourScene scene{.name = name, .drawn = hall(name, {30, 12}, {{{8, 4}, {22, 8}}})};
  scene.walkers = {{{1, 2}, {27.4, 2}}};
  const double until = name == "memory-reverse" ? 46 : 1e9;
  stand_in_block(scene, {12.25, 0.25}, 0, until);
  if (name == "memory-reverse") stand_in_block(scene, {12.25, 8.25}, 10, until);
  // A last block before the goal, with a way past it.
  if (name == "memory-extended") stand(scene, {23.5, 0.25}, {24.5, 3.25});
  return scene;
}

}  // namespace

const std::vector<std::string>& detour_scenes() {
  static const std::vector<std::string> names{"busy-corner",    "blocked-path", "many-corners",   "random",
                                              "memory-reverse", "memory",       "memory-extended"};
  return names;
}

Result<DetourScene> make_detour_scene(const std::string& name, std::uint64_t seed) {
  if (name == "busy-corner") return busy_corner();
  if (name == "blocked-path") return blocked_path();
  if (name == "many-corners") return many_corners();
  if (name == "random") return random_places(seed);
  if (name.starts_with("memory")) return memory_of(name);
  return no_scene("there is no scene '" + name + "'");
}

DetourScene corner_scene(bool reversed, bool own_clearance) {
  DetourScene scene{.name = reversed ? "corners-reversed" : "corners",
                    .drawn = hall("corners", {17, 17}, {{{0, 0}, {11, 11}}})};
  for (int way = 0; way < 2; ++way)
    for (int row = 0; row < (way == 0 ? 10 : 9); ++row) {
      const double off = 0.5 + 0.5 * row, off_there = reversed ? 5.5 - off : off;
      const Vec2 west{1.5, 11 + (way == 0 ? off : off_there)}, south{11 + (way == 0 ? off_there : off), 1.5};
      scene.walkers.push_back({way == 0 ? west : south, way == 0 ? south : west, own_clearance ? off : 0.5});
    }
  scene.duration = 120;
  return scene;
}

std::optional<double> shortest_way_round(const DetourScene& scene, std::size_t walker, double time) {
  environment::Environment drawn = scene.drawn;
  for (const DetourScene::Standing& one : scene.standing) {
    if (time < one.from || time >= one.until) continue;
    environment::Feature feature;
    feature.kind = environment::Kind::obstacle;
    feature.layer = 0;
    feature.polygons.push_back({environment::regular_polygon(one.place, detour_body, disc_corners), {}});
    drawn.features.push_back(std::move(feature));
  }
  Result<environment::CleanEnvironment> clean = environment::clean(drawn);
  if (!clean) return std::nullopt;
  const Result<crowd::WorldPtr> world = crowd::make_world(std::move(clean).value());
  if (!world) return std::nullopt;
  routes::Planner planner((*world)->graph);
  routes::Route route;
  const DetourScene::Walker& one = scene.walkers[walker];
  const routes::NoRoute verdict = planner.plan(
      {.from = {one.from, 0}, .to = {one.to, 0}, .radius = detour_body, .method = routes::RouteMethod::shortest},
      route);
  return verdict == routes::NoRoute::found ? std::optional(route.length) : std::nullopt;
}

}  // namespace throng::analysis
