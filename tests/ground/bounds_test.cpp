// What is promised of costs on random ground: never below a proven bound, never above (1 + eps) times the best known, the same as the
// independent judge says.
#include <algorithm>

#include "ground/ground_worlds.hpp"

using namespace throng;
using namespace throng::test;

namespace {

struct Asked {
  GroundWorld world;
  GroundQuery query;
};

/// Ends anywhere, on corners of regions, on their borders, and a hair beside them.
Vec2 random_end(Random& random, const GroundWorld& world) {
  const Vec2 anywhere{random.uniform(0.5, 39.5), random.uniform(0.5, 29.5)};
  const auto& regions = world.clean->layers[0].regions;
  if (regions.empty() || random.chance(0.5)) return anywhere;
  const auto& polygon = regions[random.below(regions.size())].polygons.front();
  const std::size_t i = random.below(polygon.outer.size());
  const Vec2 a = world.clean->grid.to_world(polygon.outer[i]),
             b = world.clean->grid.to_world(polygon.outer[(i + 1) % polygon.outer.size()]);
  if (random.chance(0.3)) return a;
  const Vec2 on = a + (b - a) * random.uniform(0, 1);
  return random.chance(0.5) ? on : on + Vec2{random.uniform(-1e-4, 1e-4), random.uniform(-1e-4, 1e-4)};
}

Asked random_question(std::uint64_t seed, bool obstacles) {
  Random random(seed);
  Asked asked{make_ground_world(random_ground(random, obstacles).drawn()), {}};
  asked.query = asked.world.query(random_end(random, asked.world), random_end(random, asked.world), {});
  asked.query.row.weight = random_row(random, asked.world.types().size(), random.chance(0.5));
  asked.query.numbers.eps = random.uniform(0.1, 0.5);
  return asked;
}

GroundAnswer by(const Asked& asked, GroundMethod method) {
  GroundQuery query = asked.query;
  query.numbers.method = method;
  GroundPlanner planner(asked.world.atlas);
  return planner.plan(query);
}

void check_costs(std::uint64_t first_seed, int scenes) {
  int tight = 0, loose = 0, all = 0;
  double worst = 1;
  for (int scene = 0; scene < scenes; ++scene) {
    const std::uint64_t seed = first_seed + std::uint64_t(scene);
    INFO("THRONG_TEST_SEED=" << seed);
    const Asked asked = random_question(seed, seed % 3 == 0);
    GroundQuery query = asked.query;
    query.numbers.prove = true;
    GroundPlanner planner(asked.world.atlas);
    const GroundAnswer answer = planner.plan(query);
    const GroundAnswer spm = by(asked, GroundMethod::spm);
    CHECK(answer.verdict == spm.verdict);
    if (answer.verdict != GroundVerdict::found) continue;
    // Points are no nearer together than a centimetre, which is what the promise leaves out (ground_points.hpp, law 1).
    const double dearest = *std::max_element(query.row.weight.begin(), query.row.weight.end());
    const double slack = 1e-9 * answer.cost + 1e-9 + 0.01 * dearest;
    const double best = std::min(answer.cost, spm.cost);
    CHECK(answer.cost <= (1 + query.numbers.eps) * best + slack);
    CHECK(spm.cost <= (1 + query.numbers.eps) * best + slack);
    CHECK(spm.searched_cost >= spm.cost * (1 - 1e-9) - slack);
    REQUIRE(answer.bound);
    CHECK(*answer.bound >= 1);
    CHECK(answer.cost / *answer.bound <= best * (1 + 1e-9) + slack);
    ++all;
    const double most = (1 + query.numbers.eps) * best * (1 + 1e-9) + 1e-9;
    loose += answer.cost > most || spm.cost > most;
    tight += *answer.bound <= (1 + query.numbers.eps) * (1 + 1e-9);
    worst = std::max(worst, answer.cost / best);
  }
  MESSAGE(loose << " ways are above 1 + eps by less than a centimetre of the dearest ground");
  CHECK(loose <= 1 + all / 50);
  MESSAGE(tight << " of " << all << " bounds proven to 1 + eps; dearest `weighted` " << worst << " x the best known");
}

}  // namespace

TEST_CASE("ground: costs on random scenes keep their bounds") { check_costs(test_seed() * 1000, 30); }

TEST_CASE("long: ground: costs on 500 random scenes keep their bounds") { check_costs(test_seed() * 1000 + 100, 500); }

TEST_CASE("ground: what legs cost on the surface is what the regions say") {
  const std::uint64_t first = test_seed() * 1000;
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    const Asked asked = random_question(seed, true);
    GroundPlanner planner(asked.world.atlas);
    const GroundAnswer answer = planner.plan(asked.query);
    if (answer.verdict != GroundVerdict::found || answer.legs.empty()) continue;
    if (planner.surface().absorbed_area() > 0) continue;  // slivers are the ground beside them to the surface only
    double on_surface = 0;
    for (const auto& leg : answer.legs)
      on_surface += routes::weight_of(planner.costs(), leg.via) * distance(leg.from, leg.to);
    // Bends within a micrometre of each other become one piece of the route.
    double dearest = 0;
    for (const auto& leg : answer.legs) dearest = std::max(dearest, routes::weight_of(planner.costs(), leg.via));
    CHECK(std::abs(answer.cost - on_surface) <= 1e-9 * on_surface + 1e-6 * dearest);
  }
}

TEST_CASE("ground: a body pays no more than the surface says, and hardly less") {
  const std::uint64_t first = test_seed() * 1000;
  int compared = 0, at_its_ends = 0;
  double worst = 1;
  for (std::uint64_t seed = first; seed < first + 60; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    Asked asked = random_question(seed, true);
    asked.query.radius = 0.25;
    asked.query.numbers.body = true;
    Random random(seed);
    asked.query.row.weight = random_row(random, asked.world.types().size(), false);
    GroundPlanner planner(asked.world.atlas);
    const GroundAnswer answer = planner.plan(asked.query);
    if (answer.verdict != GroundVerdict::found || answer.legs.empty()) continue;
    double on_surface = 0;
    for (const auto& leg : answer.legs)
      on_surface += routes::weight_of(planner.costs(), leg.via) * distance(leg.from, leg.to);
    const double moved = distance(asked.query.from.point, answer.legs.front().from) +
                         distance(asked.query.to.point, answer.legs.back().to);
    CHECK(answer.cost <= on_surface * (1 + 1e-6) + 40 * moved + 1e-6);
    CHECK(routes::keeps_radius(*asked.world.mesh, answer.route, 0.25));
    ++compared;
    if (moved > 1e-3) continue;
    ++at_its_ends;
    CHECK(on_surface <= answer.cost * 1.001);
    worst = std::max(worst, on_surface / answer.cost);
  }
  MESSAGE("the surface counts " << worst << " times what the judge says at most, of " << at_its_ends);
  CHECK(compared > 30);
  CHECK(at_its_ends > 30);
}

TEST_CASE("ground: on aligned grids centres and corners keep their factors") {
  const std::uint64_t first = test_seed() * 1000;
  double worst_centres = 1, worst_corners = 1;
  for (std::uint64_t seed = first; seed < first + 200; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    Random random(seed);
    const int n = 6;
    GroundSketch sketch(n, n);
    Weights weights;
    for (int x = 0; x < n; ++x)
      for (int y = 0; y < n; ++y) sketch.box(x, y, x + 1, y + 1, "t" + std::to_string(random.below(5)));
    for (int t = 0; t < 5; ++t) weights["t" + std::to_string(t)] = std::pow(10, random.uniform(0, 1.5));
    const GroundWorld world = make_ground_world(sketch.drawn());
    const auto cell = [&] { return double(random.below(n)); };
    const Vec2 from{cell(), cell()}, to{cell(), cell()};
    for (const auto nodes : {routes::GridNodes::centres, routes::GridNodes::corners}) {
      const Vec2 shift = nodes == routes::GridNodes::centres ? Vec2{0.5, 0.5} : Vec2{};
      if (from == to) continue;
      GroundQuery query = world.query(from + shift, to + shift, weights);
      query.numbers.method = GroundMethod::grid;
      query.numbers.nodes = nodes;
      GroundPlanner planner(world.atlas);
      const GroundAnswer grid = planner.plan(query);
      query.numbers.method = GroundMethod::spm;
      const GroundAnswer best = planner.plan(query);
      REQUIRE(grid.verdict == GroundVerdict::found);
      CHECK(grid.cost <= grid.searched_cost * (1 + 1e-9));
      double& worst = nodes == routes::GridNodes::centres ? worst_centres : worst_corners;
      worst = std::max(worst, grid.searched_cost / best.cost);
    }
  }
  MESSAGE("centres " << worst_centres << ", corners " << worst_corners);
  CHECK(worst_centres <= 1 + std::sqrt(2.0));
  CHECK(worst_corners <= 1.0824);
  CHECK(worst_corners > 1.01);
}
