#include "analysis/metrics.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "environment/sketch.hpp"
#include "support/crowd_simulation.hpp"

namespace throng::test {
namespace {

using analysis::MeasuredArea;
using analysis::MeasuredLine;
using analysis::Metrics;
using analysis::Summary;
using crowd::AgentSpec;
using crowd::Crowd;

crowd::WorldPtr corridor() {
  environment::Sketch sketch("corridor");
  sketch.walkable({environment::rectangle({0, 0}, {40, 4}), {}});
  sketch.area("middle", environment::rectangle({15, 0}, {25, 4}));
  return make_crowd_world(std::move(sketch).take());
}

void run(Crowd& crowd, Metrics& metrics, double until) {
  while (crowd.time() < until - 1e-9) {
    REQUIRE(crowd.step(0.1).ok());
    metrics.observe(crowd, 0.1);
  }
}

TEST_CASE("a person alone: time, distance, speed, flow, density, evacuation") {
  Crowd crowd(corridor());
  const goals::Area middle = *goals::Area::named(crowd.world().environment, "middle");
  Metrics metrics({{"gate", {20, 0}, {20, 4}, 0}, {"back", {30, 4}, {30, 0}, 0}}, {{"middle", middle, 1.0}});
  AgentSpec spec = walker({{1, 2}, 0}, {{39, 2}, 0});
  spec.speed = 1;
  REQUIRE(crowd.add(spec).ok());
  metrics.begin(crowd);
  run(crowd, metrics, 60);
  const Summary summary = metrics.summary();
  CHECK(summary.agents == 1);
  CHECK(summary.arrived == 1);
  CHECK(summary.steps == 600);
  CHECK(summary.mean_travel_time == doctest::Approx(38).epsilon(0.03));
  CHECK(summary.mean_distance == doctest::Approx(37.5).epsilon(0.01));
  CHECK(summary.mean_speed == doctest::Approx(1).epsilon(0.02));
  CHECK(summary.mean_slow_time < 1.0);
  CHECK(summary.evacuated_100.value() == summary.evacuated_50.value());
  CHECK(summary.collisions == 0);
  CHECK(summary.stuck == 0);
  // From left to right of a line drawn upwards is the way east; the other line is drawn downwards.
  REQUIRE(metrics.lines()[0].crossings.size() == 1);
  CHECK(metrics.lines()[0].net() == 1);
  CHECK(metrics.lines()[0].crossings[0].time == doctest::Approx(19.5).epsilon(0.05));
  CHECK(metrics.lines()[1].net() == -1);
  double most = 0;
  for (const analysis::DensitySample& sample : metrics.areas()[0].samples) most = std::max(most, sample.density);
  CHECK(most == doctest::Approx(1.0 / 40));
  CHECK(metrics.areas()[0].samples.size() == 61);
}

TEST_CASE("overlapping bodies are one collision for as long as they overlap") {
  Crowd crowd(corridor());
  AgentSpec spec = walker({{5, 2}, 0}, {});
  spec.itinerary = nullptr;
  REQUIRE(crowd.add(spec).ok());
  spec.place.point = {5.2, 2};
  REQUIRE(crowd.add(spec).ok());
  Metrics metrics({}, {});
  metrics.begin(crowd);
  run(crowd, metrics, 5);
  const Summary summary = metrics.summary();
  CHECK(summary.collisions == 1);
  CHECK(summary.collision_steps > 1);
  CHECK(summary.collision_steps < 30);
  CHECK(summary.max_overlap == doctest::Approx(0.28));
}

TEST_CASE("somebody held up by a body that can be shoved along loses time, but is not stuck") {
  environment::Sketch sketch("corridor");
  sketch.walkable({environment::rectangle({0, 0}, {40, 0.6}), {}});
  Crowd crowd(make_crowd_world(std::move(sketch).take()));
  AgentSpec wall = walker({{20, 0.3}, 0}, {});
  wall.itinerary = nullptr;
  wall.radius = 0.29;
  REQUIRE(crowd.add(wall).ok());
  REQUIRE(crowd.add(walker({{17, 0.3}, 0}, {{39, 0.3}, 0})).ok());
  Metrics metrics({}, {});
  metrics.begin(crowd);
  run(crowd, metrics, 8);
  CHECK(metrics.summary().stuck == 0);
  run(crowd, metrics, 30);
  // Contact may shove the one who stands along, but slowly.
  CHECK(metrics.agents()[0].stuck == false);
  CHECK(metrics.agents()[1].slow_time > 15);
}

TEST_CASE("the hash tells runs apart") {
  const auto hash = [](double y) {
    Crowd crowd(corridor());
    REQUIRE(crowd.add(walker({{1, y}, 0}, {{39, 2}, 0})).ok());
    Metrics metrics({}, {});
    metrics.begin(crowd);
    run(crowd, metrics, 3);
    return metrics.summary().hash;
  };
  CHECK(hash(2) == hash(2));
  CHECK(hash(2) != hash(2.0000001));
}

}  // namespace
}  // namespace throng::test
