#include "routes/plan_batch.hpp"

#include <doctest/doctest.h>

#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

TEST_CASE("batch: the planner's routes in the order of the queries, for any number of threads") {
  const World world = example("quarter");
  const std::vector<RouteQuery> queries = random_queries(*world.mesh, test::test_seed(), 300);
  Planner planner(world.graph);
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    PlanBatch batch(world.graph, threads);
    const std::vector<PlannedRoute> answers = batch.plan(queries);
    REQUIRE(answers.size() == queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      CAPTURE(threads);
      CAPTURE(i);
      Route route;
      const NoRoute expected = planner.plan(queries[i], route);
      CHECK(same_answer(answers[i].reason, answers[i].route, expected, route));
    }
  }
}

TEST_CASE("batch: exact routes, their labels and tables made by whichever thread comes first") {
  std::vector<RouteQuery> queries;
  for (int round = 0; round < 3; ++round) {
    const World world = example("quarter");  // nothing known of it yet
    if (queries.empty()) {
      queries = random_queries(*world.mesh, test::test_seed() + 2, 120);
      for (RouteQuery& query : queries) query.method = RouteMethod::shortest;
    }
    const std::vector<PlannedRoute> answers = PlanBatch(world.graph, 8).plan(queries);
    const World other = example("quarter");
    Planner planner(other.graph);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      Route route;
      const NoRoute expected = planner.plan(queries[i], route);
      CHECK(same_answer(answers[i].reason, answers[i].route, expected, route));
    }
  }
}

TEST_CASE("batch: equal queries share one route, from batch to batch with a cache") {
  const World world = example("office");
  std::vector<RouteQuery> queries = random_queries(*world.mesh, test::test_seed() + 1, 50);
  queries.insert(queries.end(), queries.begin(), queries.begin() + 25);
  PlanBatch batch(world.graph, 2, 1000);
  const std::vector<PlannedRoute> first = batch.plan(queries);
  for (std::size_t i = 0; i < 25; ++i) CHECK(first[50 + i].route == first[i].route);
  CHECK(batch.cache().size() == 50);
  const std::vector<PlannedRoute> second = batch.plan(queries);
  for (std::size_t i = 0; i < queries.size(); ++i) CHECK(second[i].route == first[i].route);
  CHECK(batch.cache().hits() == 75);
  PlanBatch forgetful(world.graph, 2);
  const std::vector<PlannedRoute> third = forgetful.plan(queries);
  for (std::size_t i = 0; i < 25; ++i) CHECK(third[50 + i].route == third[i].route);
  CHECK(forgetful.cache().size() == 0);
  CHECK(forgetful.plan({}).empty());
}

TEST_CASE("cache: the answer not asked for longest goes first") {
  RouteCache cache(2);
  const auto key = [](double x) { return QueryKey(RouteQuery{.from = {{x, 0}, 0}}, 1); };
  const PlannedRoute answer{NoRoute::found, std::make_shared<const Route>()};
  cache.insert(key(1), answer);
  cache.insert(key(2), {NoRoute::too_narrow, nullptr});
  REQUIRE(cache.find(key(1)) != nullptr);
  CHECK(cache.find(key(1))->route == answer.route);
  cache.insert(key(3), answer);
  CHECK(cache.find(key(2)) == nullptr);
  CHECK(cache.find(key(1)) != nullptr);
  CHECK(cache.find(key(3)) != nullptr);
  CHECK(cache.size() == 2);
  cache.clear();
  CHECK(cache.find(key(1)) == nullptr);
}

TEST_CASE("cache: everything that an answer depends on is part of the key") {
  const RouteQuery query{.from = {{1, 2}, 0}, .to = {{3, 4}, 0}, .radius = 0.3, .clearance = 0.5};
  const QueryKey key(query, 7);
  CHECK(key == QueryKey(query, 7));
  CHECK_FALSE(key == QueryKey(query, 8));
  const auto differs = [&](auto change) {
    RouteQuery other = query;
    change(other);
    CHECK_FALSE(key == QueryKey(other, 7));
  };
  differs([](RouteQuery& q) { q.from.point.x = 1.5; });
  differs([](RouteQuery& q) { q.from.point.y = 1.5; });
  differs([](RouteQuery& q) { q.from.layer = 1; });
  differs([](RouteQuery& q) { q.to.point.x = 1.5; });
  differs([](RouteQuery& q) { q.to.point.y = 1.5; });
  differs([](RouteQuery& q) { q.to.layer = 1; });
  differs([](RouteQuery& q) { q.radius = 1.5; });
  differs([](RouteQuery& q) { q.clearance = 1.5; });
  differs([](RouteQuery& q) { q.method = RouteMethod::left; });
  differs([](RouteQuery& q) { q.adjust = 1.5; });
}
