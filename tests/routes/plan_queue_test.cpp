#include "routes/plan_queue.hpp"

#include <doctest/doctest.h>

#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

/// Runs a queue dry with one budget a call; checks law 1 on the way.
std::vector<PlanAnswer> run_dry(PlanQueue& queue, std::size_t budget) {
  std::vector<PlanAnswer> answers;
  while (!queue.empty()) {
    const std::size_t before = answers.size();
    const std::size_t spent = queue.spend(budget, answers);
    REQUIRE(spent <= budget);
    // A search may turn out to have been at its end already when it goes on: that one costs nothing more.
    REQUIRE(spent + (answers.size() - before) >= 1);
    CHECK(answers.size() - before <= spent + 1);
  }
  return answers;
}

}  // namespace

TEST_CASE("queue: any budget gives the planner's routes, in the order of asking") {
  const World world = example("office");
  const std::vector<RouteQuery> queries = random_queries(*world.mesh, test::test_seed(), 60);
  Planner planner(world.graph);
  for (const std::size_t budget : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{100}, ~std::size_t{0}}) {
    PlanQueue queue(world.graph);
    for (std::size_t i = 0; i < queries.size(); ++i) queue.ask(1000 - i, queries[i]);
    const std::vector<PlanAnswer> answers = run_dry(queue, budget);
    REQUIRE(answers.size() == queries.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      CAPTURE(budget);
      CAPTURE(i);
      CHECK(answers[i].id == 1000 - i);
      Route route;
      const NoRoute expected = planner.plan(queries[i], route);
      CHECK(same_answer(answers[i].reason, answers[i].route, expected, route));
    }
  }
}

TEST_CASE("queue: a budget of nothing does nothing, and every request costs at least one") {
  const World world = make_world(room(10, 10));
  PlanQueue queue(world.graph);
  for (std::uint64_t id = 0; id < 5; ++id) queue.ask(id, {.from = {{1, 1}, 0}, .to = {{9, 8}, 0}});
  queue.ask(5, {.from = {{NAN, 1}, 0}, .to = {{9, 8}, 0}});
  std::vector<PlanAnswer> answers;
  CHECK(queue.spend(0, answers) == 0);
  CHECK(answers.empty());
  CHECK(queue.spend(4, answers) == 4);
  CHECK(answers.size() == 4);
  CHECK(queue.spend(10, answers) == 2);
  REQUIRE(answers.size() == 6);
  CHECK(answers[5].reason == NoRoute::bad_query);
  CHECK(answers[5].route == nullptr);
}

TEST_CASE("queue: nobody starves while others keep asking") {
  const World world = example("office");
  const std::vector<RouteQuery> queries = random_queries(*world.mesh, test::test_seed() + 1, 40);
  PlanQueue queue(world.graph);
  for (std::size_t i = 0; i < 40; ++i) queue.ask(i, queries[i]);
  // Each step twenty more ask, and those that wait already ask again for something else: still all are served in turn.
  std::vector<PlanAnswer> answers;
  std::uint64_t next = 40;
  for (int step = 0; step < 1000 && answers.size() < 40; ++step) {
    for (int k = 0; k < 20; ++k, ++next) queue.ask(next, queries[next % 40]);
    for (std::uint64_t id = 0; id < 40; ++id)
      if (queue.waits(id) && id % 3 == std::uint64_t(step) % 3 && id != answers.size())
        queue.ask(id, queries[(id + 1) % 40]);
    queue.spend(5, answers);
  }
  REQUIRE(answers.size() >= 40);
  for (std::size_t i = 0; i < answers.size(); ++i) CHECK(answers[i].id == i);
}

TEST_CASE("queue: asking again plans the newer query, half-done or not") {
  const World world = example("office");
  const std::vector<RouteQuery> queries = random_queries(*world.mesh, test::test_seed() + 2, 12);
  Planner planner(world.graph);
  for (std::size_t i = 0; i + 1 < queries.size(); ++i) {
    PlanQueue queue(world.graph);
    queue.ask(7, queries[i]);
    std::vector<PlanAnswer> answers;
    queue.spend(1, answers);
    if (!answers.empty()) continue;
    queue.ask(7, queries[i + 1]);
    answers = run_dry(queue, 1000);
    REQUIRE(answers.size() == 1);
    Route route;
    const NoRoute expected = planner.plan(queries[i + 1], route);
    CHECK(same_answer(answers[0].reason, answers[0].route, expected, route));
  }
}

TEST_CASE("queue: withdrawn requests leave no trace") {
  const World world = example("office");
  const std::vector<RouteQuery> queries = random_queries(*world.mesh, test::test_seed() + 3, 10);
  PlanQueue queue(world.graph);
  for (std::size_t i = 0; i < queries.size(); ++i) queue.ask(i, queries[i]);
  std::vector<PlanAnswer> answers;
  queue.spend(1, answers);
  const std::uint64_t begun = answers.size();
  CHECK(queue.withdraw(begun));  // the one under way
  CHECK(!queue.withdraw(begun));
  CHECK(queue.withdraw(begun + 2));
  CHECK(!queue.waits(begun + 2));
  std::vector<std::uint64_t> left;
  for (std::uint64_t id = begun; id < 10; ++id)
    if (id != begun && id != begun + 2) left.push_back(id);
  const std::vector<PlanAnswer> rest = run_dry(queue, 50);
  REQUIRE(rest.size() == left.size());
  Planner planner(world.graph);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    CHECK(rest[i].id == left[i]);
    Route route;
    const NoRoute expected = planner.plan(queries[left[i]], route);
    CHECK(same_answer(rest[i].reason, rest[i].route, expected, route));
  }
}

TEST_CASE("queue: a shared cache answers for one expansion, with the very same route") {
  const World world = example("office");
  std::vector<RouteQuery> queries = random_queries(*world.mesh, test::test_seed() + 4, 20);
  const auto cache = std::make_shared<RouteCache>(100);
  PlanQueue queue(world.graph, cache);
  for (std::size_t i = 0; i < queries.size(); ++i) queue.ask(i, queries[i]);
  const std::vector<PlanAnswer> first = run_dry(queue, 3);
  for (std::size_t i = 0; i < queries.size(); ++i) queue.ask(i, queries[i]);
  std::vector<PlanAnswer> second;
  CHECK(queue.spend(1000, second) == queries.size());
  REQUIRE(second.size() == first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(second[i].reason == first[i].reason);
    CHECK(second[i].route == first[i].route);
  }
}

TEST_CASE("queue: another version of the mesh takes over a half-done search") {
  const World world = example("office");
  const World again = example("office");
  const std::vector<RouteQuery> queries = random_queries(*world.mesh, test::test_seed() + 5, 10);
  PlanQueue queue(world.graph);
  for (std::size_t i = 0; i < queries.size(); ++i) queue.ask(i, queries[i]);
  std::vector<PlanAnswer> answers;
  queue.spend(1, answers);
  queue.set_graph(again.graph);
  for (const PlanAnswer& answer : run_dry(queue, 5))
    if (answer.route != nullptr) CHECK(answer.route->generation == again.mesh->generation);
}
