// Ground that costs by direction, and ground that is never entered: routes, the judge, fields.
#include <algorithm>

#include "environment/sketch.hpp"
#include "ground/ground_worlds.hpp"
#include "routes/ground_field.hpp"

using namespace throng;
using namespace throng::test;

namespace {

using environment::rectangle;

struct Tilted {
  std::string type;
  Vec2 low, high, slope;
};

GroundWorld tilted_world(double width, double height, const std::vector<Tilted>& regions) {
  environment::Sketch sketch("tilted");
  sketch.walkable({rectangle({0, 0}, {width, height}), {}});
  for (const Tilted& region : regions) sketch.region(region.type, {rectangle(region.low, region.high), {}});
  environment::Environment drawn = std::move(sketch).take();
  std::size_t i = 0;
  for (auto& feature : drawn.features)
    if (feature.kind == environment::Kind::region) feature.slope = regions[i++].slope;
  return make_ground_world(drawn);
}

GroundQuery ask_for(const GroundWorld& world, Vec2 from, Vec2 to, const std::map<std::string, GroundWeight>& weights) {
  GroundQuery query;
  query.from = {from, 0}, query.to = {to, 0};
  query.radius = 0;
  const ground::GroundKinds& kinds = world.atlas->regions().kinds();
  query.row = routes::row_of(ground::row_of(kinds, weights), kinds);
  return query;
}

GroundAnswer plan(const GroundWorld& world, GroundQuery query, GroundMethod method = GroundMethod::weighted) {
  query.numbers.method = method;
  GroundPlanner planner(world.atlas);
  return planner.plan(query);
}

}  // namespace

TEST_CASE("ground: straight up, down and across a slope costs what the weights say") {
  const GroundWorld world = tilted_world(40, 30, {{"hill", {0, 0}, {40, 30}, {3, 4}}});
  const std::map<std::string, GroundWeight> weights{{"hill", GroundWeight(2, 1, 1.2)}};
  const Vec2 uphill{0.6, 0.8}, level{-0.8, 0.6}, start{20, 15};
  const auto cost = [&](Vec2 way) {
    const GroundAnswer answer = plan(world, ask_for(world, start, start + way, weights));
    REQUIRE(answer.verdict == GroundVerdict::found);
    return answer.cost;
  };
  CHECK(std::abs(cost(uphill * 10.0) - 20) <= 1e-9);
  CHECK(std::abs(cost(uphill * -10.0) - 12) <= 1e-9);
  CHECK(std::abs(cost(level * 10.0) - 10) <= 1e-9);
  CHECK(std::abs(cost(level * -10.0) - 10) <= 1e-9);
  // In between it is linear in the rise: 8 m across and 6 m up.
  CHECK(std::abs(cost(level * 8.0 + uphill * 6.0) - (10 + 6)) <= 1e-9);
}

TEST_CASE("ground: a way round that pays upwards is not taken downwards") {
  const GroundWorld world = tilted_world(30, 20, {{"hill", {10, 0}, {20, 15}, {1, 0}}});
  const std::map<std::string, GroundWeight> weights{{"hill", GroundWeight(3, 1, 1)}};
  for (const GroundMethod method : {GroundMethod::weighted, GroundMethod::spm, GroundMethod::vbp}) {
    const GroundAnswer up = plan(world, ask_for(world, {5, 5}, {25, 5}, weights), method);
    const GroundAnswer down = plan(world, ask_for(world, {25, 5}, {5, 5}, weights), method);
    // Upwards along the hill's border, where the even ground beside it counts.
    CHECK(up.cost == doctest::Approx(2 * std::hypot(5, 10) + 10).epsilon(1e-6));
    CHECK(up.metres[1] <= 1e-6);
    CHECK(down.cost == doctest::Approx(20).epsilon(1e-9));
    CHECK(down.metres[1] == doctest::Approx(10));
  }
}

TEST_CASE("ground: what legs cost on slopes is what the regions say, and points search no worse than the rough ones") {
  const std::uint64_t first = test_seed() * 1000;
  int compared = 0;
  for (std::uint64_t seed = first; seed < first + 40; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    Random random(seed);
    environment::Environment drawn = random_ground(random, seed % 2 == 0).drawn();
    for (auto& feature : drawn.features)
      if (feature.kind == environment::Kind::region && random.chance(0.7))
        feature.slope = {random.uniform(-1, 1), random.uniform(-1, 1)};
    const GroundWorld world = make_ground_world(drawn);
    std::map<std::string, GroundWeight> weights;
    for (const std::string& type : world.types()) {
      const double across = std::pow(10.0, random.uniform(0, 1)), up = across * random.uniform(1, 3);
      weights[type] = GroundWeight(up, across, std::max(2 * across - up, across * random.uniform(0.5, 1.5)));
      if (weights[type].down < 1e-3) weights[type] = GroundWeight(across);
    }
    const GroundQuery query = ask_for(world, {random.uniform(1, 39), random.uniform(1, 29)},
                                      {random.uniform(1, 39), random.uniform(1, 29)}, weights);
    const GroundAnswer answer = plan(world, query), spm = plan(world, query, GroundMethod::spm);
    CHECK(answer.verdict == spm.verdict);
    if (answer.verdict != GroundVerdict::found) continue;
    CHECK(answer.cost <= 1.1 * spm.cost + 1e-6);
    CHECK(spm.cost <= 1.1 * answer.cost + 1e-6);
    if (answer.legs.empty()) continue;
    GroundPlanner planner(world.atlas);
    const GroundAnswer again = planner.plan(query);
    if (planner.surface().absorbed_area() > 0) continue;
    double on_surface = 0;
    for (const auto& leg : again.legs) on_surface += routes::cost_of(planner.costs(), leg.via, leg.to - leg.from);
    CHECK(again.cost == doctest::Approx(on_surface).epsilon(1e-6));
    // Backwards is another question, and no cheaper than the best way forwards walked backwards is dear.
    GroundQuery back = query;
    std::swap(back.from, back.to);
    CHECK(plan(world, back).verdict == GroundVerdict::found);
    ++compared;
  }
  CHECK(compared > 10);
}

TEST_CASE("ground: an arc over a slope costs what its chords do") {
  const GroundWorld world = tilted_world(40, 30, {{"hill", {0, 0}, {20, 30}, {1, 0.3}}});
  const std::vector<double> row = ground::row_of(world.atlas->regions().kinds(), {{"hill", GroundWeight(3, 1, 1.4)}});
  ground::RegionMap::Scratch scratch;
  const Vec2 centre{19, 15};
  for (const double turn : {2.5, -2.5}) {
    const auto at = [&](double part) {
      const double angle = 1 + turn * part;
      return centre + Vec2{std::cos(angle), std::sin(angle)} * 6.0;
    };
    const double exact = world.atlas->regions().weighted_arc({at(0), 0}, centre, turn, 0, row.data(), scratch);
    double sum = 0;
    constexpr int parts = 4000;
    for (int i = 0; i < parts; ++i)
      sum += world.atlas->regions().weighted_length({at(double(i) / parts), 0}, {at(double(i + 1) / parts), 0}, 0,
                                                    row.data(), scratch);
    CHECK(exact == doctest::Approx(sum).epsilon(1e-4));
  }
}

TEST_CASE("ground: who stands where it never goes leaves the shortest way, and enters nothing of it again") {
  GroundSketch sketch(40, 20);
  sketch.box(5, 5, 15, 15, "marsh");
  sketch.box(25, 0, 27, 20, "wall_of_marsh");
  const GroundWorld world = make_ground_world(sketch.drawn());
  const std::map<std::string, GroundWeight> weights{{"marsh", GroundWeight::never()}, {"plain", 2.0}};
  const GroundAnswer answer = plan(world, ask_for(world, {8, 10}, {22, 10}, weights));
  REQUIRE(answer.verdict == GroundVerdict::found);
  // 3 m to the border on its left, not 7 m to the one on the way.
  CHECK(answer.metres[1] == doctest::Approx(3).epsilon(1e-3));
  std::map<std::string, GroundWeight> closed = weights;
  closed["wall_of_marsh"] = GroundWeight::never();
  CHECK(plan(world, ask_for(world, {8, 10}, {30, 10}, closed)).verdict == GroundVerdict::forbidden_ground);
  CHECK(plan(world, ask_for(world, {2, 10}, {30, 10}, closed)).verdict == GroundVerdict::forbidden_ground);
  CHECK(plan(world, ask_for(world, {2, 2}, {8, 10}, closed)).verdict == GroundVerdict::forbidden_ground);
  CHECK(plan(world, ask_for(world, {2, 2}, {22, 18}, closed)).verdict == GroundVerdict::found);
}

TEST_CASE("ground: fields cost hardly more than routes, keep off what is never entered, and lead there") {
  const std::uint64_t first = test_seed() * 1000;
  double worst = 1, sum = 0;
  int compared = 0;
  for (std::uint64_t seed = first; seed < first + 25; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    Random random(seed);
    const GroundWorld world = make_ground_world(random_ground(random, true).drawn());
    GroundQuery query = world.query({random.uniform(1, 39), random.uniform(1, 29)},
                                    {random.uniform(1, 39), random.uniform(1, 29)}, {}, 0.25);
    query.row.weight = random_row(random, world.types().size(), false);
    if (seed % 2 == 0 && world.types().size() > 1) {
      query.row.never.assign(world.types().size(), false);
      query.row.never[1] = true;
      query.row.weight[1] = 1000;  // along its border the ground beside it counts
    }
    const auto sheet = world.atlas->sheet(0.25, false);
    REQUIRE(sheet.ok());
    const routes::FlowGoal goal{query.to, 7};
    const routes::GroundField field(*sheet, query.row, std::span(&goal, 1));
    GroundPlanner planner(world.atlas);
    const GroundAnswer route = planner.plan(query);
    const routes::GroundField::Answer answer = field.ask(query.from);
    // Ends in obstacles are moved by rules of their own.
    if (!navmesh::locate(*world.mesh, query.from) || !navmesh::locate(*world.mesh, query.to)) continue;
    if (route.verdict != GroundVerdict::found || route.legs.empty()) continue;
    if (!query.row.never.empty() && route.metres[1] > 1e-3) continue;  // it begins there
    REQUIRE(answer.reachable());
    CHECK(answer.tag == 7);
    // Walked: from bend to bend, to the goal, at the cost that was promised.
    navmesh::Place at = query.from;
    double cost = 0;
    ground::RegionMap::Scratch scratch;
    std::vector<double> metres(world.types().size(), 0);
    for (int i = 0; i < 500 && distance(at.point, query.to.point) > 0.3; ++i) {
      const auto next = field.ask(at);
      REQUIRE(next.reachable());
      REQUIRE(distance(next.next, at.point) > 1e-9);
      cost += world.atlas->regions().weighted_length(at, {next.next, 0}, 0, query.row.weight.data(), scratch, metres);
      at.point = next.next;
    }
    CHECK(distance(at.point, query.to.point) <= 0.3);
    CHECK(cost <= answer.cost * (1 + 1e-6) + 0.3 * 40);
    if (!query.row.never.empty()) CHECK(metres[1] <= 0.02);
    worst = std::max(worst, answer.cost / route.cost), sum += answer.cost / route.cost;
    ++compared;
  }
  MESSAGE("fields: mean " << sum / compared << ", worst " << worst << " x the route, over " << compared);
  CHECK(compared > 8);
  CHECK(sum / compared <= 1.05);
  CHECK(worst <= 1.25);
}
