// Questions whose answers are related: equal weights, all weights times a number, dearer ground, moved and mirrored worlds, portions, bodies.
#include <algorithm>
#include <thread>

#include "ground/ground_worlds.hpp"

using namespace throng;
using namespace throng::test;

namespace {

GroundAnswer ask(const GroundWorld& world, const GroundQuery& query) {
  GroundPlanner planner(world.atlas);
  return planner.plan(query);
}

GroundQuery random_query(Random& random, const GroundWorld& world, double radius) {
  GroundQuery query = world.query({random.uniform(1, 39), random.uniform(1, 29)},
                                  {random.uniform(1, 39), random.uniform(1, 29)}, {}, radius);
  query.row.weight = random_row(random, world.types().size(), false);
  return query;
}

}  // namespace

TEST_CASE("ground: nearly equal weights give the shortest way, and a way exactly where there is one") {
  const std::uint64_t first = test_seed() * 1000;
  int found = 0;
  for (std::uint64_t seed = first; seed < first + 60; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    Random random(seed);
    const GroundWorld world = make_ground_world(random_ground(random, true).drawn());
    for (const double radius : {0.0, 0.25, 0.5, 1.0}) {
      GroundQuery query = random_query(random, world, radius);
      // Not equal to the bit: equal ones are handed to `shortest`.
      for (std::size_t i = 0; i < query.row.weight.size(); ++i) query.row.weight[i] = i % 2 == 0 ? 1 : 1.00001;
      const GroundAnswer answer = ask(world, query);
      routes::Planner planner(world.atlas->graph());
      routes::Route shortest;
      const auto reason = planner.plan({query.from, query.to, radius, 0, routes::RouteMethod::shortest}, shortest);
      CHECK((reason == routes::NoRoute::found) == (answer.verdict == GroundVerdict::found));
      if (answer.verdict != GroundVerdict::found) continue;
      // Ends in obstacles are moved to the nearest ground of all, or straight away from the obstacle.
      if (answer.route.start != shortest.start || answer.route.goal != shortest.goal) continue;
      ++found;
      CHECK(answer.route.length <= shortest.length * 1.001 + 1e-3);
      CHECK(routes::keeps_radius(*world.mesh, answer.route, radius));
      query.row.weight.assign(query.row.weight.size(), 2.5);
      const GroundAnswer even = ask(world, query);
      CHECK(even.route.length == doctest::Approx(shortest.length).epsilon(1e-9));
      CHECK(even.cost == doctest::Approx(2.5 * shortest.length).epsilon(1e-9));
    }
  }
  CHECK(found > 100);
}

TEST_CASE("ground: all weights times k give the same way at k times the cost; dearer ground never lowers it") {
  const std::uint64_t first = test_seed() * 1000;
  for (std::uint64_t seed = first; seed < first + 60; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    Random random(seed);
    const GroundWorld world = make_ground_world(random_ground(random, true).drawn());
    GroundQuery query = random_query(random, world, 0);
    const GroundAnswer once = ask(world, query);
    if (once.verdict != GroundVerdict::found) continue;
    GroundQuery times = query;
    for (double& weight : times.row.weight) weight *= 4;  // a power of two: not a bit differs
    const GroundAnswer four = ask(world, times);
    CHECK(four.cost == doctest::Approx(4 * once.cost).epsilon(1e-9));
    CHECK(four.route.length == doctest::Approx(once.route.length).epsilon(1e-9));
    GroundQuery dearer = query;
    dearer.row.weight[random.below(dearer.row.weight.size())] *= 3;
    CHECK(ask(world, dearer).cost >= once.cost / (1 + query.numbers.eps));
  }
}

TEST_CASE("ground: worlds that are moved, turned and mirrored cost the same") {
  const std::uint64_t first = test_seed() * 1000;
  int same = 0, all = 0;
  for (std::uint64_t seed = first; seed < first + 40; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    Random random(seed);
    const environment::Environment drawn = random_ground(random, true).drawn();
    const GroundWorld world = make_ground_world(drawn);
    const GroundQuery query = random_query(random, world, 0);
    const GroundAnswer answer = ask(world, query);
    for (int way = 0; way < 3; ++way) {
      const auto image = [&](Vec2 p) {
        return way == 0 ? p + Vec2{1000, -250} : way == 1 ? Vec2{-p.y, p.x} : Vec2{40 - p.x, p.y};
      };
      environment::Environment moved = drawn;
      for (auto& feature : moved.features)
        for (auto& polygon : feature.polygons)
          for (Vec2& p : polygon.outer) p = image(p);
      const GroundWorld other = make_ground_world(moved);
      GroundQuery asked = query;
      asked.from.point = image(query.from.point), asked.to.point = image(query.to.point);
      const GroundAnswer there = ask(other, asked);
      CHECK(there.verdict == answer.verdict);
      if (answer.verdict != GroundVerdict::found) continue;
      // Four points on a circle may be triangulated the other way, and rough points lie elsewhere then: within the promise, not to the bit.
      const double apart = std::max(there.cost / answer.cost, answer.cost / there.cost) - 1;
      CHECK(apart <= query.numbers.eps);
      same += apart <= 1e-6;
      ++all;
    }
  }
  MESSAGE(same << " of " << all << " cost the same to 1e-6");
  CHECK(same >= 0.97 * all);
}

TEST_CASE("ground: a body feels no less along the way planned for its centre than along its own") {
  const std::uint64_t first = test_seed() * 1000;
  int compared = 0;
  for (std::uint64_t seed = first; seed < first + 40; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    Random random(seed);
    const GroundWorld world = make_ground_world(random_ground(random, true).drawn());
    GroundQuery query = random_query(random, world, 0.25);
    const GroundAnswer centre = ask(world, query);
    query.numbers.body = true;
    const GroundAnswer body = ask(world, query);
    CHECK(centre.verdict == body.verdict);
    if (body.verdict != GroundVerdict::found) continue;
    ground::RegionMap::Scratch scratch;
    const double felt =
        routes::weigh_route(world.atlas->regions(), centre.route, 0.25, query.row.weight.data(), scratch);
    CHECK(body.cost <= felt * (1 + query.numbers.eps));
    ++compared;
  }
  CHECK(compared > 20);
}

TEST_CASE("ground: portions, other queries before, and threads change no bit") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const GroundWorld world = make_ground_world(random_ground(random, true).drawn());
  std::vector<GroundQuery> queries;
  for (int i = 0; i < 24; ++i) {
    queries.push_back(random_query(random, world, i % 2 == 0 ? 0 : 0.25));
    queries.back().numbers.method = GroundMethod(i % 4);
    queries.back().clearance = i % 3 == 0 ? 0.5 : 0;
  }
  const auto same = [](const GroundAnswer& a, const GroundAnswer& b) {
    if (a.verdict != b.verdict || a.cost != b.cost || a.explored != b.explored) return false;
    return std::equal(
        a.route.pieces.begin(), a.route.pieces.end(), b.route.pieces.begin(), b.route.pieces.end(),
        [](const auto& p, const auto& q) { return p.from == q.from && p.to == q.to && p.turn == q.turn; });
  };
  std::vector<GroundAnswer> alone;
  for (const GroundQuery& query : queries) alone.push_back(ask(world, query));
  GroundPlanner planner(world.atlas);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    INFO("query " << i);
    if (planner.begin(queries[i]) != GroundVerdict::found) continue;
    while (planner.advance(7) == routes::SearchStatus::running) {
    }
    CHECK(same(planner.finish(), alone[i]));
  }
  std::vector<GroundAnswer> together(queries.size());
  const GroundWorld again = make_ground_world(random_ground(*std::make_unique<Random>(seed), true).drawn());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      GroundPlanner mine(again.atlas);
      for (std::size_t i = t; i < queries.size(); i += 3) together[i] = mine.plan(queries[i]);
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < queries.size(); ++i) CHECK(same(together[i], alone[i]));
}

TEST_CASE("ground: types that are left out are never entered") {
  GroundSketch sketch(30, 20);
  sketch.box(10, 0, 14, 15, "marsh");
  const GroundWorld world = make_ground_world(sketch.drawn());
  GroundQuery query = world.query({5, 5}, {25, 5}, {{"marsh", 1.01}});
  const GroundAnswer through = ask(world, query);
  CHECK(through.cost == doctest::Approx(20.04));
  query.row.never = {false, true};
  const GroundAnswer around = ask(world, query);
  REQUIRE(around.verdict == GroundVerdict::found);
  CHECK(around.metres[1] == doctest::Approx(0));
  CHECK(around.cost == doctest::Approx(std::hypot(5, 10) + 4 + std::hypot(11, 10)));
  query.to.point = {12, 5};
  CHECK(ask(world, query).verdict == GroundVerdict::forbidden_ground);
  // Who begins on what is left out leaves it by the shortest way.
  query.row.never = {true, false};
  const GroundAnswer off = ask(world, query);
  REQUIRE(off.verdict == GroundVerdict::found);
  CHECK(off.metres[0] == doctest::Approx(5));
  query.to.point = {25, 5};
  CHECK(ask(world, query).verdict == GroundVerdict::forbidden_ground);
}

TEST_CASE("ground: where a coarse grid finds no way, a finer one or the points do") {
  for (const double gap : {5.0, 1.0, 0.3}) {
    INFO("gap " << gap);
    GroundSketch sketch(48, 32);
    sketch.box(0, 0, 48, 32, "mud");
    sketch.obstacle({{20, 0}, {22, 0}, {22, 15}, {20, 15}});
    sketch.obstacle({{20, 15 + gap}, {22, 15 + gap}, {22, 32}, {20, 32}});
    const GroundWorld world = make_ground_world(sketch.drawn());
    for (const GroundMethod method : {GroundMethod::grid, GroundMethod::vbp}) {
      GroundQuery query = world.query({3, 3}, {45, 29}, {{"mud", 3}}, 0.1);
      query.numbers.method = method;
      query.numbers.cell = 16;
      const GroundAnswer answer = ask(world, query);
      CHECK(answer.verdict == GroundVerdict::found);
      CHECK(answer.cost < 3 * 80);
      CHECK(routes::keeps_radius(*world.mesh, answer.route, 0.1));
    }
  }
}
