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

TEST_CASE("metres and seconds by ground add up to what was walked and how long, over layers too") {
  std::vector<environment::Layer> layers(3);
  layers[0].id = "low", layers[1].id = "high", layers[2].id = "stairs";
  layers[1].elevation.z = 1;
  layers[2].elevation.ramp = layers[2].elevation.stairs = true;
  layers[2].elevation.from = {20, 0}, layers[2].elevation.to = {23, 0};
  layers[2].elevation.z_from = 0, layers[2].elevation.z_to = 1;
  environment::Sketch sketch("two floors", layers);
  sketch.walkable({environment::rectangle({0, 0}, {20, 10}), {}}, 0);
  sketch.walkable({environment::rectangle({23, 0}, {43, 10}), {}}, 1);
  sketch.walkable({environment::rectangle({20, 2}, {23, 5}), {}}, 2);
  sketch.connection({20, 2}, {20, 5}, 0, 2);
  sketch.connection({23, 2}, {23, 5}, 1, 2);
  sketch.region("grass", {environment::rectangle({5, 0}, {12, 10}), {}}, 0);
  sketch.region("carpet", {environment::rectangle({30, 0}, {31, 10}), {}}, 1);
  Crowd crowd(make_crowd_world(std::move(sketch).take()));
  for (int i = 0; i < 12; ++i)
    REQUIRE(crowd.add(walker({{1.0 + i % 3, 1.0 + i / 3 * 0.8}, 0}, {{40.0 - i % 3, 2.0 + i / 3 * 0.8}, 1})).ok());
  Metrics metrics({}, {});
  metrics.begin(crowd);
  // The same, of everybody in each step: where it was and is, by the middle of the line.
  std::map<std::uint64_t, std::map<std::string, double>> metres;
  std::map<std::uint64_t, double> seconds;
  ground::RegionMap::Scratch scratch;
  std::map<std::uint64_t, navmesh::Place> before;
  const ground::RegionMap& regions = *crowd.world().regions;
  for (int step = 0; step < 500 && crowd.size() > 0; ++step) {
    for (const crowd::Slot slot : crowd.in_serial_order())
      before[crowd.people().serial[slot]] = crowd.people().place(slot);
    REQUIRE(crowd.step(0.1).ok());
    metrics.observe(crowd, 0.1);
    for (const crowd::Slot slot : crowd.in_serial_order()) {
      const std::uint64_t serial = crowd.people().serial[slot];
      const navmesh::Place was = before[serial], now = crowd.people().place(slot);
      const double way = distance(was.point, now.point);
      for (int part = 0; part < 50; ++part) {
        const Vec2 p = was.point + (now.point - was.point) * ((part + 0.5) / 50);
        const std::uint32_t layer = p.x < 20 ? 0 : p.x < 23 ? 2 : 1;
        const std::string& name = regions.types()[regions.type_at({p, layer}, scratch)];
        metres[serial][name.empty() ? "plain" : name] += way / 50;
      }
      seconds[serial] += 0.1;
    }
  }
  CHECK(crowd.size() == 0);
  double on_grass = 0, on_stairs = 0, on_carpet = 0;
  for (const analysis::AgentRecord& agent : metrics.agents()) {
    double all = 0, time = 0;
    for (std::size_t type = 0; type < metrics.ground_types().size(); ++type) {
      const analysis::GroundWalk walk = metrics.ground_of(agent.serial)[type];
      const std::string& name = metrics.ground_types()[type];
      all += walk.metres, time += walk.seconds;
      CHECK(std::abs(walk.metres - metres[agent.serial][name]) < 0.03);
      on_grass += name == "grass" ? walk.metres : 0, on_stairs += name == "stairs" ? walk.metres : 0;
      on_carpet += name == "carpet" ? walk.metres : 0;
    }
    CHECK(all == doctest::Approx(agent.distance).epsilon(1e-9));
    CHECK(time == doctest::Approx(seconds[agent.serial]).epsilon(1e-9));
  }
  CHECK(on_grass > 12 * 6.9);
  CHECK(on_stairs > 12 * 2.9);
  CHECK(on_carpet > 12 * 0.99);
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
