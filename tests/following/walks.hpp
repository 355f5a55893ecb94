// Walking alone to the end of a route, and what must not happen on the way.
#pragma once

#include "following/walker.hpp"

namespace throng::test {

/// What a walk must not show, and how it ended.
struct Walk {
  bool arrived = false;
  int steps = 0;
  int lost_steps = 0;
  double nearest = INFINITY;  ///< smallest clearance
  bool went_back = false;     ///< the reference did
  bool too_fast = false;
  bool past_attraction = false;
  double walked = 0;
};

inline Walk walk(Walker& walker) {
  Walk result;
  // A body that hugs corners all the way, at a tenth of its speed, would still be in time.
  const int most = 200 + int(10 * walker.route().length / (walker.speed * walker.time_step));
  for (; result.steps < most && !walker.arrived(); ++result.steps) {
    const double reference = walker.memory.reference;
    walker.ask();
    if (walker.needs_route()) {
      ++result.lost_steps;
      break;
    }
    result.went_back |= walker.memory.reference < reference;
    const double step = std::sqrt(squared_length(walker.velocity())) * walker.time_step;
    result.too_fast |= step > walker.speed * walker.time_step * (1 + 1e-12);
    result.past_attraction |= step > std::sqrt(squared_length(walker.attraction() - walker.position())) + 1e-9;
    walker.move();
    if (!walker.walkable()) break;
    result.nearest = std::min(result.nearest, walker.clearance());
  }
  result.arrived = walker.arrived();
  result.walked = walker.walked;
  return result;
}

struct Tally {
  int walks = 0, bad = 0;
  double walked = 0, planned = 0, time = 0;
};

/// Random pairs of a world: all who have a route arrive by it.
inline void check_arrivals(const std::string& name, const Ground& ground, std::uint64_t seed, int count, double radius,
                           double clearance, double time_step, Tally& tally, std::string_view method = "miran") {
  CAPTURE(name);
  CAPTURE(method);
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  routes::Planner planner(ground.graph);
  const auto tiles = std::make_shared<const routes::CorridorTiles>(ground.graph);
  routes::Route route;
  for (int i = 0; i < count; ++i) {
    const auto from = free_place(*ground.mesh, random, radius), to = free_place(*ground.mesh, random, radius);
    if (!from || !to) return;
    const auto found = planner.plan({.from = *from, .to = *to, .radius = radius, .clearance = clearance}, route);
    if (found != routes::NoRoute::found) continue;
    Walker walker(ground, route, radius, {}, {}, method);
    if (method == "flow") {
      const routes::FlowGoal goal{route.goal, 0};
      walker.field = std::make_shared<const routes::FlowField>(tiles, std::span(&goal, 1), radius);
    }
    walker.time_step = time_step;
    const Walk result = walk(walker);
    ++tally.walks;
    tally.walked += result.walked;
    tally.planned += route.length;
    tally.time += result.steps * time_step * walker.speed;
    const bool good = result.arrived && result.lost_steps == 0 && result.nearest >= radius - 1e-6 &&
                      !result.went_back && !result.too_fast && !result.past_attraction;
    if (good) continue;
    ++tally.bad;
    CAPTURE(i);
    CAPTURE(radius);
    CAPTURE(clearance);
    CAPTURE(route.length);
    CAPTURE(result.steps);
    CAPTURE(walker.memory.reference);
    CAPTURE(walker.position().x);
    CAPTURE(walker.position().y);
    CAPTURE(walker.clearance());
    CHECK(result.arrived);
    CHECK(result.lost_steps == 0);
    CHECK(result.nearest >= radius - 1e-6);
    CHECK_FALSE(result.went_back);
    CHECK_FALSE(result.too_fast);
    CHECK_FALSE(result.past_attraction);
  }
}

}  // namespace throng::test
