// Strategies and guidance in a crowd: off means off, the same bits for any number of threads, nobody through a wall, snapshots, signs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "crowd/crowd.hpp"
#include "routes/chain_sides.hpp"
#include "steering/velocity_decisions.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"
#include "support/simulation_harness.hpp"

using namespace throng;
using namespace throng::crowd;
using namespace throng::test;

namespace {

environment::Ring box(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

/// A hall with pillars of a metre; the first two are named.
environment::Environment hall_with_pillars() {
  environment::Environment plan;
  plan.layers.push_back({"ground", {}});
  plan.features.push_back({.kind = environment::Kind::walkable, .polygons = {{box(0, 0, 24, 12), {}}}});
  const Vec2 at[] = {{8, 6}, {16, 6}, {12, 3}, {12, 9}};
  const char* names[] = {"west", "east", "", ""};
  for (int i = 0; i < 4; ++i)
    plan.features.push_back({.kind = environment::Kind::obstacle,
                             .polygons = {{box(at[i].x - 0.5, at[i].y - 0.5, at[i].x + 0.5, at[i].y + 0.5), {}}},
                             .name = names[i]});
  return plan;
}

WorldPtr make_hall() {
  auto world = make_changeable_world(hall_with_pillars());
  REQUIRE(world.ok());
  return *world;
}

const std::vector<double> coarse{2, 1.2, 0, 5, 5, 0}, fine{0.5, 1.2, 1, 5, 5, 0}, nothing_done{1e9, 0, 0, 0, 5, 0};

AgentSpec person(Vec2 from, Vec2 to, const std::string& avoid, const std::vector<double>& strategy) {
  AgentSpec spec = walker({from, 0}, {to, 0});
  spec.methods[Level::follow] = {"lookahead", {}};
  spec.methods[Level::avoid] = {avoid, {}};
  if (!strategy.empty()) spec.methods[Level::decide] = {"topological", strategy};
  return spec;
}

/// Two crowds that meet between the pillars.
std::unique_ptr<Crowd> meeting(const WorldPtr& world, std::uint64_t seed, unsigned threads, const std::string& avoid,
                               const std::vector<double>& strategy, int rows = 6) {
  auto crowd = std::make_unique<Crowd>(world, CrowdOptions{.seed = seed, .threads = threads});
  test::Random random(seed);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < 4; ++k) {
      const double y = 1.5 + 9.0 * i / std::max(1, rows - 1) + random.uniform(-0.1, 0.1);
      for (const bool east : {true, false}) {
        AgentSpec spec = person({east ? 1 + 0.8 * k : 23 - 0.8 * k, y}, {east ? 23.0 : 1.0, 6}, avoid, strategy);
        spec.number = std::uint32_t(8 * i + 2 * k + (east ? 0 : 1));
        REQUIRE(crowd->add(spec).ok());
      }
    }
  return crowd;
}

std::uint64_t hash_after(Crowd& crowd, int steps) {
  geometry::Fnv1a hash;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    for (const Slot slot : crowd.in_serial_order())
      hash.add(crowd.people().position[slot].x).add(crowd.people().position[slot].y);
  }
  return hash.value();
}

Guidance pass(routes::Side side, const std::string& name) {
  Guidance told;
  told.obstacles.push_back({name, {}, "'" + name + "'"});
  told.pass = side;
  return told;
}

}  // namespace

TEST_CASE("strategies that do nothing give the bits of none, for every way to avoid others") {
  const WorldPtr world = make_hall();
  for (const char* avoid : {"sampling", "moussaid", "orca", "karamouzas"}) {
    CAPTURE(avoid);
    auto without = meeting(world, 7, 2, avoid, {}), with = meeting(world, 7, 2, avoid, nothing_done);
    CHECK(hash_after(*without, 150) == hash_after(*with, 150));
    CHECK(with->strategy_counts().routes == 0);
    CHECK(with->strategy_counts().strict == 0);
  }
}

TEST_CASE("strategies: the same bits for 1, 2, 3, 8 threads, and nobody through a wall") {
  const WorldPtr world = make_hall();
  for (const char* avoid : {"sampling", "moussaid", "orca", "karamouzas"})
    for (const auto& strategy : {coarse, fine}) {
      CAPTURE(avoid);
      const auto make = [&](std::uint64_t seed, unsigned threads) {
        return std::make_unique<CrowdSimulation>(meeting(world, seed, threads, avoid, strategy), 0.1);
      };
      CHECK(complaints_of(check_determinism(make, {.steps = 120})) == "");
      CHECK(complaints_of(check_hard_walls(*make(3, 2), world->environment, 120)) == "");
    }
}

TEST_CASE("strategies: conflicts are found, and routes taken, where two crowds meet among pillars") {
  const WorldPtr world = make_hall();
  auto crowd = meeting(world, 11, 2, "sampling", {0.5, 3, 1, 5, 5, 0}, 9);
  (void)hash_after(*crowd, 250);
  const StrategyCounts counts = crowd->strategy_counts();
  CHECK(counts.conflicts > 0);
  CHECK(counts.routes > 0);
  CHECK(counts.people_conflicts > 0);
  CHECK(counts.routes <= counts.conflicts);
}

TEST_CASE("strategies: with keep_sides the side of a neighbour stays; hard walls, threads and snapshots as ever") {
  const WorldPtr world = make_hall();
  const std::vector<double> keeps{1e9, 0, 0, 0, 5, 1};
  for (const char* avoid : {"sampling", "moussaid", "orca", "karamouzas"}) {
    CAPTURE(avoid);
    /// Of a thousand times that somebody decides about another who is near, how often it is the other side than the time before.
    const auto changes_of = [&](const std::vector<double>& strategy) {
      double changes = 0, decisions = 0;
      for (const std::uint64_t seed : {1, 2, 3}) {
        auto crowd = meeting(world, seed, 2, avoid, strategy);
        std::map<std::pair<std::uint64_t, std::uint64_t>, routes::Side> sides;
        for (int step = 0; step < 150; ++step) {
          REQUIRE(crowd->step(0.1).ok());
          const agents::People people = crowd->people();
          for (const Slot a : crowd->in_serial_order())
            for (const Slot b : crowd->in_serial_order()) {
              if (a == b || distance(people.position[a], people.position[b]) > 1.5) continue;
              const auto side = steering::decision_about_person(people.position[a], crowd->motion_of(a).chosen, 3,
                                                                people.position[b], people.velocity[b]);
              if (!side) continue;
              const auto [known, is_new] = sides.try_emplace({people.serial[a], people.serial[b]}, *side);
              decisions += 1;
              changes += !is_new && known->second != *side;
              known->second = *side;
            }
        }
      }
      return 1000 * changes / decisions;
    };
    const double free = changes_of(nothing_done), kept = changes_of(keeps);
    MESSAGE(std::string(avoid) << ": " << free << " changes of side in a thousand decisions, " << kept
                               << " with keep_sides");
    CHECK(kept < free);
    const auto make = [&](std::uint64_t seed, unsigned threads) {
      return std::make_unique<CrowdSimulation>(meeting(world, seed, threads, avoid, keeps), 0.1);
    };
    CHECK(complaints_of(check_determinism(make, {.steps = 80})) == "");
    CHECK(complaints_of(check_hard_walls(*make(3, 2), world->environment, 80)) == "");
  }
  auto whole = meeting(world, 5, 2, "orca", keeps);
  (void)hash_after(*whole, 70);
  geometry::ArchiveWriter bytes;
  whole->save(bytes);
  Crowd again(world, {.seed = 5, .threads = 3});
  geometry::ArchiveReader reader(bytes.bytes());
  REQUIRE(again.load(reader).ok());
  CHECK(hash_after(*whole, 60) == hash_after(again, 60));
}

TEST_CASE("strategies: snapshots go on bit for bit, second thoughts under way and signs seen included") {
  const WorldPtr world = make_hall();
  test::Random random(test_seed());
  for (int trial = 0; trial < 6; ++trial) {
    auto whole = meeting(world, 5, 2, "sampling", fine);
    Guidance told = pass(routes::Side::left, "west");
    told.sign = Sign{{{6, 6}, 0}, {-1, 0}, 5};
    REQUIRE(whole->set_guidance({told}).ok());
    (void)hash_after(*whole, 10 + int(random.below(140)));
    geometry::ArchiveWriter bytes;
    whole->save(bytes);
    Crowd again(world, {.seed = 5, .threads = 3});
    REQUIRE(again.set_guidance({told}).ok());
    geometry::ArchiveReader reader(bytes.bytes());
    const auto loaded = again.load(reader);
    REQUIRE_MESSAGE(loaded.ok(), (loaded.ok() ? "" : to_string(loaded.problems()[0])));
    CHECK(hash_after(*whole, 80) == hash_after(again, 80));
    CHECK(whole->strategy_counts().conflicts == again.strategy_counts().conflicts);
    CHECK(whole->guidance_counts()[0].saw == again.guidance_counts()[0].saw);
  }
}

TEST_CASE("guidance: everybody it speaks to passes as told, without any strategy; nobody else does") {
  const WorldPtr world = make_hall();
  for (const routes::Side side : {routes::Side::left, routes::Side::right}) {
    Crowd crowd(world, {.seed = 1, .threads = 1});
    Guidance told = pass(side, "west");
    told.populations = {1};
    REQUIRE(crowd.set_guidance({told}).ok());
    std::vector<AgentId> ids;
    for (int i = 0; i < 6; ++i) {
      AgentSpec spec = person({1, 3.0 + i}, {23, 3.0 + i}, "sampling", {});
      spec.population = Index(i % 2);
      spec.number = std::uint32_t(i);
      ids.push_back(*crowd.add(spec));
    }
    REQUIRE(crowd.step(0.1).ok());
    const Index west = world->graph->sides()->obstacles().nearest(*world->mesh, {{8, 6}, 0});
    for (int i = 1; i < 6; i += 2) {
      const auto mine = crowd.strategy_of(crowd.slot_of(ids[std::size_t(i)]));
      REQUIRE(mine);
      CHECK(std::ranges::find(mine->by_route, routes::Decision{west, side}) != mine->by_route.end());
    }
    CHECK_FALSE(crowd.strategy_of(crowd.slot_of(ids[0])));
    // They also walk so.
    std::vector<int> passed(6, 0);
    for (int step = 0; step < 250; ++step) {
      REQUIRE(crowd.step(0.1).ok());
      for (std::size_t i = 1; i < 6; i += 2)
        if (const Slot slot = crowd.slot_of(ids[i]); slot != none) {
          const Vec2 p = crowd.people().position[slot];
          if (std::abs(p.x - 8) < 0.3) passed[i] = p.y > 6 ? 1 : -1;
        }
    }
    for (std::size_t i = 1; i < 6; i += 2) CHECK(passed[i] == (side == routes::Side::left ? 1 : -1));
  }
}

TEST_CASE("guidance binds ways round jams too: with every way to foresee them all pass as told") {
  const WorldPtr world = make_hall();
  for (const char* congestion : {"none", "density", "quickest"}) {
    CAPTURE(congestion);
    Crowd crowd(world, {.seed = 1, .threads = 2});
    std::vector<Guidance> told;
    for (const char* name : {"west", "east"}) told.push_back(pass(routes::Side::right, name));
    REQUIRE(crowd.set_guidance(told).ok());
    for (std::uint32_t i = 0; i < 40; ++i) {
      AgentSpec spec = person({0.6 + 0.7 * (i / 10), 1 + 1.1 * (i % 10)}, {23, 6}, "sampling",
                              i % 2 == 0 ? coarse : std::vector<double>());
      spec.number = i;
      spec.methods[Level::congestion] = {congestion, {}};
      REQUIRE(crowd.add(spec).ok());
    }
    int changes = 0;
    for (int step = 0; step < 900 && crowd.size() > 0; ++step) {
      REQUIRE(crowd.step(0.1).ok());
      for (const ChangeEvent& change : crowd.changes()) {
        ++changes;
        const auto own = crowd.strategy_of(*std::ranges::find(crowd.in_serial_order(), change.person,
                                                              [&](Slot one) { return crowd.people().serial[one]; }));
        REQUIRE(own);
        for (const routes::Decision mine : own->by_route)
          for (const routes::Decision theirs : own->guided)
            CHECK((mine.about != theirs.about || mine.side == theirs.side));
      }
    }
    MESSAGE(std::string(congestion) << ": " << changes << " changes");
    CHECK(crowd.size() == 0);
    CHECK(crowd.strategy_counts().unheeded == 0);
  }
}

TEST_CASE("signs: exactly those who see it know, and pass as told") {
  const WorldPtr world = make_hall();
  Crowd crowd(world, {.seed = 1, .threads = 2});
  Guidance told = pass(routes::Side::left, "east");
  // Seen from the lower half only: it stands in the middle of the lower half and faces west, with a short range.
  told.sign = Sign{{{9, 1.5}, 0}, {-1, 0}, 3};
  REQUIRE(crowd.set_guidance({told}).ok());
  const AgentId sees = *crowd.add(person({5, 1.5}, {23, 4.5}, "sampling", {}));
  const AgentId does_not = *crowd.add(person({5, 10.5}, {23, 4.5}, "sampling", {}));
  const AgentId looks_away = *crowd.add(person({8, 1}, {1, 1}, "sampling", {}));
  for (int i = 0; i < 30; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.strategy_of(crowd.slot_of(sees)));
  CHECK_FALSE(crowd.strategy_of(crowd.slot_of(does_not)));
  (void)looks_away;
  CHECK(crowd.guidance_counts()[0].saw >= 1);
  const Index east = world->graph->sides()->obstacles().nearest(*world->mesh, {{16, 6}, 0});
  bool above = false;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    if (const Slot slot = crowd.slot_of(sees); slot != none) {
      const Vec2 p = crowd.people().position[slot];
      if (std::abs(p.x - 16) < 0.3) above = p.y > 6;
    }
  }
  (void)east;
  CHECK(above);
  CHECK(crowd.guidance_counts()[0].obeyed >= 1);
}

TEST_CASE("signs: one that is put up or taken down leaves what others were told as it was") {
  const WorldPtr world = make_hall();
  Crowd crowd(world, {.seed = 1, .threads = 1});
  Guidance seen = pass(routes::Side::left, "east"), other = pass(routes::Side::right, "west");
  seen.sign = Sign{{{9, 1.5}, 0}, {-1, 0}, 3};
  other.sign = Sign{{{20, 1.5}, 0}, {-1, 0}, 1};
  REQUIRE(crowd.set_guidance({seen}).ok());
  const AgentId id = *crowd.add(person({5, 1.5}, {23, 4.5}, "sampling", {}));
  for (int i = 0; i < 30; ++i) REQUIRE(crowd.step(0.1).ok());
  REQUIRE(crowd.guidance_counts()[0].saw == 1);
  REQUIRE(crowd.set_guidance({other, seen}).ok());
  CHECK(crowd.guidance_counts()[0].saw == 0);
  CHECK(crowd.guidance_counts()[1].saw == 1);
  const auto knows = crowd.strategy_of(crowd.slot_of(id));
  REQUIRE(knows);
  REQUIRE(knows->guided.size() == 1);
  CHECK(knows->guided[0].side == routes::Side::left);
  REQUIRE(crowd.set_guidance({other}).ok());
  CHECK_FALSE(crowd.strategy_of(crowd.slot_of(id)));
}

TEST_CASE("guidance nobody can follow harms nobody, and is counted") {
  environment::Environment plan;
  plan.layers.push_back({"ground", {}});
  plan.features.push_back({.kind = environment::Kind::walkable, .polygons = {{box(0, 0, 24, 12), {}}}});
  plan.features.push_back(
      {.kind = environment::Kind::obstacle, .polygons = {{box(7, 0.2, 9, 9), {}}}, .name = "block"});
  auto made = make_changeable_world(plan);
  REQUIRE(made.ok());
  Crowd crowd(*made, {.seed = 1, .threads = 1});
  REQUIRE(crowd.set_guidance({pass(routes::Side::right, "block")}).ok());  // 20 cm below it
  const AgentId id = *crowd.add(person({2, 6}, {22, 6}, "sampling", {}));
  REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.activity(crowd.slot_of(id)) == Activity::walking);
  CHECK(crowd.strategy_counts().unheeded >= 1);
  for (int i = 0; i < 250; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.size() == 0);
}

TEST_CASE("guidance that is wrong is refused with its number, and nothing changes") {
  const WorldPtr world = make_hall();
  Crowd crowd(world, {.seed = 1, .threads = 1});
  REQUIRE(crowd.set_guidance({pass(routes::Side::right, "west")}).ok());
  const auto refused = [&](const Guidance& told) {
    const auto answer = crowd.set_guidance({pass(routes::Side::right, "east"), told});
    REQUIRE_FALSE(answer.ok());
    CHECK(crowd.guidance().size() == 1);
    return to_string(answer.problems()[0]);
  };
  CHECK(refused(pass(routes::Side::left, "wset")).find("did you mean 'west'") != std::string::npos);
  CHECK(refused(pass(routes::Side::left, "east")).find("left and right") != std::string::npos);
  Guidance outer;
  outer.obstacles.push_back({"", {{0.1, 6}, 0}, "what is nearest to (0.1, 6)"});
  CHECK(refused(outer).find("nothing to pass") != std::string::npos);
  Guidance sign = pass(routes::Side::left, "west");
  sign.sign = Sign{{{8, 6}, 0}, {1, 0}, 5};
  CHECK(refused(sign).find("in a wall") != std::string::npos);
  sign.sign = Sign{{{5, 6}, 0}, {1, 0}, 0};
  CHECK(refused(sign).find("range") != std::string::npos);
  sign.sign = Sign{{{5, 6}, 0}, {0, 0}, 5};
  CHECK(refused(sign).find("face") != std::string::npos);
  CHECK(crowd.set_guidance({}).ok());
  CHECK_FALSE(crowd.has_guidance());
}

TEST_CASE("strategies: what happens in a closed room elsewhere changes nobody's bits") {
  environment::Environment plan = hall_with_pillars();
  plan.features.push_back({.kind = environment::Kind::walkable, .polygons = {{box(30, 0, 40, 12), {}}}});
  auto made = make_changeable_world(plan);
  REQUIRE(made.ok());
  const auto run = [&](bool with_others) {
    auto crowd = meeting(*made, 9, 2, "sampling", fine);
    const std::uint64_t last = crowd->last_serial();
    if (with_others)
      for (int i = 0; i < 10; ++i) REQUIRE(crowd->add(person({31, 1.0 + i}, {39, 11.0 - i}, "sampling", fine)).ok());
    geometry::Fnv1a hash;
    for (int i = 0; i < 120; ++i) {
      REQUIRE(crowd->step(0.1).ok());
      for (const Slot slot : crowd->in_serial_order())
        if (crowd->people().serial[slot] <= last)
          hash.add(crowd->people().position[slot].x).add(crowd->people().position[slot].y);
    }
    return hash.value();
  };
  CHECK(run(false) == run(true));
}
