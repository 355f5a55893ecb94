// People and the price of ground: profiles that never enter some, slopes, stairs, weights that change, fields; over layers too.
#include <doctest/doctest.h>

#include <cmath>

#include "agents/catalogue.hpp"
#include "crowd/methods.hpp"
#include "environment/sketch.hpp"
#include "support/crowd_simulation.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using crowd::Activity;
using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::Level;
using environment::rectangle;

std::vector<double> row(const crowd::WorldPtr& world, const std::map<std::string, GroundWeight>& weights) {
  return ground::row_of(world->regions->kinds(), weights);
}

AgentSpec weighing(const crowd::WorldPtr& world, navmesh::Place from, navmesh::Place to,
                   const std::map<std::string, GroundWeight>& weights, const std::string& follow = "miran") {
  AgentSpec spec = walker(from, to);
  spec.methods[Level::route].name = "weighted";
  spec.methods[Level::follow].name = follow;
  spec.weights = row(world, weights);
  return spec;
}

/// 40 x 20 m with a strip of a type across; at its upper end 4 m of plain ground.
crowd::WorldPtr strip(const std::string& type, double top = 16) {
  environment::Sketch sketch("strip");
  sketch.walkable({rectangle({0, 0}, {40, 20}), {}});
  sketch.region(type, {rectangle({18, 0}, {22, top}), {}});
  return make_crowd_world(std::move(sketch).take());
}

/// Two floors, joined by stairs of 3 m length on the straight way, and by a ramp further off.
crowd::WorldPtr stairs_and_ramp() {
  std::vector<environment::Layer> layers(4);
  layers[0].id = "low", layers[1].id = "high", layers[2].id = "stairs", layers[3].id = "ramp";
  layers[1].elevation.z = 1;
  for (const std::size_t i : {2, 3}) {
    layers[i].elevation.ramp = true;
    layers[i].elevation.stairs = i == 2;
    layers[i].elevation.from = {10, 0}, layers[i].elevation.to = {13, 0};
    layers[i].elevation.z_from = 0, layers[i].elevation.z_to = 1;
  }
  environment::Sketch sketch("two floors", layers);
  sketch.walkable({rectangle({0, 0}, {10, 20}), {}}, 0);
  sketch.walkable({rectangle({13, 0}, {23, 20}), {}}, 1);
  sketch.walkable({rectangle({10, 2}, {13, 5}), {}}, 2);
  sketch.walkable({rectangle({10, 14}, {13, 17}), {}}, 3);
  sketch.connection({10, 2}, {10, 5}, 0, 2);
  sketch.connection({13, 2}, {13, 5}, 1, 2);
  sketch.connection({10, 14}, {10, 17}, 0, 3);
  sketch.connection({13, 14}, {13, 17}, 1, 3);
  return make_crowd_world(std::move(sketch).take());
}

/// Steps until somebody is gone; which layers it was on, and whether it is.
struct Walk {
  bool arrived = false;
  std::vector<bool> layers;
  double dear = 0;  ///< steps on the second kind of ground
  double highest = 0;
};
Walk walk(Crowd& crowd, AgentId id, int steps = 900) {
  Walk walk;
  walk.layers.resize(crowd.world().mesh->layers.size());
  ground::RegionMap::Scratch scratch;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    if (!crowd.holds(id)) return walk.arrived = true, walk;
    const crowd::Slot slot = crowd.slot_of(id);
    const navmesh::Place here{crowd.people().position[slot], crowd.people().layer[slot]};
    walk.layers[here.layer] = true;
    // Ways run along borders, a hair to either side.
    const auto is_dear = [&](double aside) {
      return crowd.world().regions->type_at({here.point + Vec2{aside, 0}, here.layer}, scratch) == 1;
    };
    walk.dear += is_dear(0) && is_dear(0.05) && is_dear(-0.05);
    walk.highest = std::max(walk.highest, here.point.y);
  }
  return walk;
}

TEST_CASE("ground in crowds: no wheelchair takes the stairs where there is a ramp, along routes and fields") {
  const crowd::WorldPtr world = stairs_and_ramp();
  for (const std::string follow : {"miran", "flow", "irm", "lookahead"}) {
    INFO(follow);
    Crowd crowd(world);
    const AgentId chair =
        *crowd.add(weighing(world, {{5, 3.5}, 0}, {{18, 3.5}, 1}, {{"stairs", GroundWeight::never()}}, follow));
    const AgentId walker = *crowd.add(weighing(world, {{5, 4.5}, 0}, {{18, 4.5}, 1}, {{"stairs", 1.1}}, follow));
    const Walk by_chair = walk(crowd, chair);
    CHECK(by_chair.arrived);
    CHECK_FALSE(by_chair.layers[2]);
    CHECK(by_chair.layers[3]);
    Crowd alone(world);
    const AgentId other = *alone.add(weighing(world, {{5, 4.5}, 0}, {{18, 4.5}, 1}, {{"stairs", 1.1}}, follow));
    CHECK(walk(alone, other).layers[2]);
    CHECK_FALSE(crowd.holds(walker));
  }
}

TEST_CASE("ground in crowds: who is put down where it never goes leaves the shortest way and arrives") {
  const crowd::WorldPtr world = strip("marsh");
  for (const std::string follow : {"miran", "flow"}) {
    INFO(follow);
    Crowd crowd(world);
    const AgentId id =
        *crowd.add(weighing(world, {{18.6, 8}, 0}, {{35, 8}, 0}, {{"marsh", GroundWeight::never()}}, follow));
    const Walk way = walk(crowd, id);
    CHECK(way.arrived);
    CHECK(way.dear <= 12);  // 0.6 m while setting off, not 3.4 m
    CHECK(way.highest > 15.5);
  }
}

TEST_CASE("ground in crowds: a goal beyond ground that is never entered is out of reach") {
  const crowd::WorldPtr world = strip("marsh", 20);
  for (const std::string follow : {"miran", "flow"}) {
    Crowd crowd(world);
    const AgentId id =
        *crowd.add(weighing(world, {{5, 8}, 0}, {{35, 8}, 0}, {{"marsh", GroundWeight::never()}}, follow));
    REQUIRE(crowd.step(0.1).ok());
    CHECK(crowd.activity(crowd.slot_of(id)) == Activity::lost);
    REQUIRE(crowd.set_weights(id, {{"marsh", 3.0}}).ok());
    CHECK(walk(crowd, id).arrived);
  }
}

TEST_CASE("ground in crowds: weights that change make those plan again whom it touches, and nobody else") {
  const crowd::WorldPtr world = strip("road");
  Crowd crowd(world);
  const std::map<std::string, GroundWeight> cheap{{"road", 1.1}};
  const AgentId touched = *crowd.add(weighing(world, {{2, 4}, 0}, {{38, 4}, 0}, cheap));
  const AgentId beside = *crowd.add(weighing(world, {{2, 8}, 0}, {{16, 8}, 0}, cheap));
  for (int i = 0; i < 10; ++i) REQUIRE(crowd.step(0.1).ok());
  const auto way = [&](AgentId id) { return crowd.remaining(crowd.slot_of(id)); };
  const double before = way(touched), other = way(beside);
  for (const AgentId id : {touched, beside}) REQUIRE(crowd.set_weights(id, {{"road", 20.0}}).ok());
  REQUIRE(crowd.step(0.1).ok());
  CHECK(way(touched) > before + 3);
  CHECK(way(beside) == doctest::Approx(other - 0.134).epsilon(0.02));
  // Cheap again: the straight way serves who goes round.
  for (const AgentId id : {touched, beside}) REQUIRE(crowd.set_weights(id, {{"road", 1.1}}).ok());
  REQUIRE(crowd.step(0.1).ok());
  CHECK(way(touched) < before);
  CHECK_FALSE(crowd.set_weights(touched, {{"road", 0.0}}).ok());
  CHECK_FALSE(crowd.set_weights(touched, {{"road", GroundWeight(1, 2, 1)}}).ok());
}

TEST_CASE("ground in crowds: nobody's bits hang on threads, nobody walks through a wall, snapshots go on") {
  environment::Sketch sketch("mixed");
  sketch.walkable({rectangle({0, 0}, {40, 30}), {}});
  sketch.obstacle({rectangle({10, 5}, {12, 20}), {}});
  sketch.obstacle({rectangle({25, 12}, {27, 28}), {}});
  sketch.region("grass", {rectangle({0, 0}, {20, 12}), {}});
  sketch.region("hill", {rectangle({20, 5}, {35, 20}), {}});
  sketch.region("lake", {rectangle({14, 14}, {22, 24}), {}});
  environment::Environment drawn = std::move(sketch).take();
  for (auto& feature : drawn.features)
    if (feature.type == "hill") feature.slope = {1, 0.5};
  const crowd::WorldPtr world = make_crowd_world(drawn);
  const auto make = [&](std::uint64_t seed, unsigned threads) -> std::unique_ptr<Simulation> {
    auto crowd = std::make_unique<Crowd>(world, crowd::CrowdOptions{.seed = seed, .threads = threads});
    for (int i = 0; i < 60; ++i) {
      const Vec2 from{1.0 + (i * 7 + double(seed % 5)) / 12.0, 1.0 + i % 10 * 0.8};
      const Vec2 to{38.0 - i % 7, 28.0 - i % 9};
      const std::map<std::string, GroundWeight> weights{
          {"grass", 1.0 + i % 5},
          {"hill", GroundWeight(2 + i % 3, 1, 1.2)},
          {"lake", i % 2 == 0 ? GroundWeight::never() : GroundWeight(10)}};
      const char* follow[] = {"miran", "flow", "irm"};
      AgentSpec spec = weighing(world, {from, 0}, {to, 0}, weights, follow[i % 3]);
      const char* avoid[] = {"moussaid", "karamouzas", "sampling"};
      const agents::MethodInfo* info = crowd::built_in_methods()->find(Level::avoid, avoid[i / 3 % 3]);
      REQUIRE(info != nullptr);
      spec.methods[Level::avoid] = {avoid[i / 3 % 3], agents::default_block(*info, false)};
      const agents::Parameter* ground = info->parameter("ground");
      REQUIRE(ground != nullptr);
      spec.methods[Level::avoid].parameters[std::size_t(ground - info->parameters.data())] = 0.5 * (i % 4);
      if (i % 3 == 0) spec.methods[Level::follow].parameters = {5, 1, double(i % 2)};  // by the centre and by the body
      (void)crowd->add(spec);
    }
    return std::make_unique<CrowdSimulation>(std::move(crowd), 0.1);
  };
  CHECK(complaints_of(check_determinism(make, {.steps = 60})) == "");
  CHECK(complaints_of(check_hard_walls(*make(1, 2), world->environment, 150)) == "");

  Crowd first(world);
  for (int i = 0; i < 12; ++i)
    REQUIRE(first
                .add(weighing(world, {{2.0 + i, 2}, 0}, {{35, 25}, 0},
                              {{"lake", GroundWeight::never()}, {"hill", GroundWeight(3, 1, 1)}},
                              i % 2 == 0 ? "miran" : "flow"))
                .ok());
  for (int i = 0; i < 40; ++i) REQUIRE(first.step(0.1).ok());
  geometry::ArchiveWriter out;
  first.save(out);
  Crowd second(world);
  geometry::ArchiveReader in(out.bytes());
  REQUIRE(second.load(in).ok());
  for (int i = 0; i < 60; ++i) {
    REQUIRE(first.step(0.1).ok());
    REQUIRE(second.step(0.1).ok());
  }
  const auto people = first.people(), others = second.people();
  for (const crowd::Slot slot : first.in_serial_order()) {
    const crowd::Slot same = second.in_serial_order()[std::size_t(
        std::find(first.in_serial_order().begin(), first.in_serial_order().end(), slot) -
        first.in_serial_order().begin())];
    CHECK(people.position[slot] == others.position[same]);
  }
}

}  // namespace
}  // namespace throng::test
