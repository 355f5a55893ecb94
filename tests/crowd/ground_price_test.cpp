// Avoidance that minds the ground: who steps aside keeps to cheap ground, nobody is held in place, and off is off.
#include <doctest/doctest.h>

#include <cmath>

#include "agents/catalogue.hpp"
#include "crowd/methods.hpp"
#include "environment/sketch.hpp"
#include "support/crowd_simulation.hpp"

namespace throng::test {
namespace {

using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::Level;
using environment::rectangle;

/// A pavement of some width beside a road of weight 30, walls on its other side.
crowd::WorldPtr street(double pavement) {
  environment::Sketch sketch("street");
  sketch.walkable({rectangle({0, 0}, {40, 10}), {}});
  sketch.region("road", {rectangle({0, 0}, {40, 10 - pavement}), {}});
  return make_crowd_world(std::move(sketch).take());
}

struct Meeting {
  bool both_arrived = false;
  double on_road = 0;  ///< seconds, of both
};

/// Both walk towards each other `from_kerb` metres from the road, and a bit more or less.
Meeting meet(double pavement, double from_kerb, const std::string& avoid, double strength, std::uint64_t seed) {
  const crowd::WorldPtr world = street(pavement);
  Crowd crowd(world, {.seed = seed});
  const double along = 10 - pavement + from_kerb, shift = 0.02 * double(seed % 7) - 0.06;
  std::vector<AgentId> ids;
  for (const bool right : {false, true}) {
    AgentSpec spec = walker({{right ? 35.0 : 5.0, along + shift}, 0}, {{right ? 3.0 : 37.0, along}, 0});
    spec.methods[Level::route].name = "weighted";
    spec.methods[Level::follow].name = "miran";
    spec.methods[Level::avoid].name = avoid;
    const agents::MethodInfo* info = crowd::built_in_methods()->find(Level::avoid, avoid);
    REQUIRE(info != nullptr);
    spec.methods[Level::avoid].parameters = agents::default_block(*info, false);
    const agents::Parameter* ground = info->parameter("ground");
    REQUIRE(ground != nullptr);
    spec.methods[Level::avoid].parameters[std::size_t(ground - info->parameters.data())] = strength;
    spec.weights = ground::row_of(world->regions->kinds(), {{"road", 30.0}});
    spec.heading = {right ? -1.0 : 1.0, 0};
    spec.speed = 1.2 + 0.02 * double(seed % 5);
    const Result<AgentId> added = crowd.add(spec);
    REQUIRE_MESSAGE(added.ok(), (added.ok() ? std::string() : added.problems()[0].message));
    ids.push_back(*added);
  }
  Meeting meeting;
  ground::RegionMap::Scratch scratch;
  for (int i = 0; i < 600 && crowd.size() > 0; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    for (const crowd::Slot slot : crowd.in_serial_order())
      meeting.on_road += 0.1 * double(world->regions->type_at({crowd.people().position[slot], 0}, scratch) == 1);
  }
  meeting.both_arrived = crowd.size() == 0;
  return meeting;
}

TEST_CASE("ground in avoidance: two who meet on a pavement of two metres pass without stepping down") {
  // In the middle there is room on both sides, and nobody has a reason to step down. Whoever walks near the kerb has, unless the ground counts.
  for (const std::string avoid : {"moussaid", "karamouzas", "sampling"}) {
    int wet_without = 0;
    for (const double from_kerb : {1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.25}) {
      int dry = 0, dry_without = 0, arrived = 0;
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Meeting minded = meet(2, from_kerb, avoid, 1, seed), without = meet(2, from_kerb, avoid, 0, seed);
        dry += minded.on_road == 0;
        dry_without += without.on_road == 0;
        arrived += minded.both_arrived && without.both_arrived;
      }
      MESSAGE(avoid << " " << from_kerb << " m from the kerb: " << dry << " of 20 stay on the pavement, without ground "
                    << dry_without);
      CHECK(arrived == 20);
      CHECK(dry == 20);
      wet_without += 20 - dry_without;
    }
    CHECK(wet_without >= 14);
  }
}

TEST_CASE("ground in avoidance: where there is no room for two, somebody steps down and both arrive") {
  for (const std::string avoid : {"moussaid", "karamouzas", "sampling"}) {
    INFO(avoid);
    const Meeting meeting = meet(0.8, 0.4, avoid, 1, 3);
    CHECK(meeting.both_arrived);
    CHECK(meeting.on_road > 0);
  }
}

}  // namespace
}  // namespace throng::test
