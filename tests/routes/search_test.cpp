#include "routes/search.hpp"

#include <doctest/doctest.h>

#include "routes/random_graph.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_graphs;

TEST_CASE("A*, Dijkstra and Bellman-Ford agree; weighted A* keeps its bound; portions change nothing") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Search search;  // one object for all: state must not leak from search to search
  for (std::uint64_t round = 0; round < 60; ++round) {
    const RandomGraph graph(seed + round, 20 + 7 * round);
    test::Random random(seed ^ round);
    const Index start = Index(random.below(graph.at.size()));
    const Index goal = Index(random.below(graph.at.size()));
    const double best = all_costs(graph, start)[goal];
    const Terminal starts[] = {{start, 0}};
    const Terminal ends[] = {{goal, 0}};
    const auto estimate = [&](Index v) { return graph.distance(v, goal); };
    const auto run = [&](const auto& heuristic, double weight, std::size_t portion) {
      search.begin(graph.at.size(), starts, ends);
      SearchStatus status = SearchStatus::running;
      while (status == SearchStatus::running) status = search.advance(graph, heuristic, weight, portion);
      CHECK((status == SearchStatus::found) == (best < unreachable));
      return search.cost();
    };
    // Approx does not take infinity for equal to itself.
    const auto is_best = [&](double cost) { return cost == best || cost == doctest::Approx(best); };
    CHECK(is_best(run(NoHeuristic{}, 1, ~std::size_t{0})));
    const double whole = run(estimate, 1, ~std::size_t{0});
    CHECK(is_best(whole));
    CHECK(run(estimate, 1, 1) == whole);
    CHECK(run(estimate, 2, ~std::size_t{0}) <= best * 2 * (1 + 1e-12));
    if (best < unreachable) {  // the path itself adds up
      double sum = 0;
      search.begin(graph.at.size(), starts, ends);
      (void)search.advance(graph, estimate, 1, ~std::size_t{0});
      for (Index v = search.last_node(); search.parent(v) != none; v = search.parent(v))
        sum += graph.edges[search.parent(v)][search.via(v)].cost;
      CHECK(sum == doctest::Approx(best));
    }
  }
}

TEST_CASE("several starts and ends, and a bound") {
  const RandomGraph graph(1, 50);
  const Terminal starts[] = {{0, 5}, {1, 0}};
  const Terminal ends[] = {{2, 0.25}, {3, 9}};
  const double best = std::min({all_costs(graph, 0)[2] + 5.25, all_costs(graph, 1)[2] + 0.25,
                                all_costs(graph, 0)[3] + 14, all_costs(graph, 1)[3] + 9});
  Search search;
  search.begin(50, starts, ends);
  CHECK(search.advance(graph, NoHeuristic{}, 1, ~std::size_t{0}) == SearchStatus::found);
  CHECK(search.cost() == doctest::Approx(best));
  search.begin(50, starts, ends, best / 2);
  CHECK(search.advance(graph, NoHeuristic{}, 1, ~std::size_t{0}) == SearchStatus::no_path);
}
