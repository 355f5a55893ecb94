#include "routes/search_family.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "routes/random_graph.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_graphs;

namespace {

constexpr SearchKind all_kinds[] = {SearchKind::astar,      SearchKind::dijkstra, SearchKind::weighted,
                                    SearchKind::best_first, SearchKind::beam,     SearchKind::bidirectional,
                                    SearchKind::ara,        SearchKind::ana};

bool nearly(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::max(1.0, b); }

bool is_optimal(SearchKind kind) {
  return kind == SearchKind::astar || kind == SearchKind::dijkstra || kind == SearchKind::bidirectional ||
         kind == SearchKind::ara || kind == SearchKind::ana;
}

/// A search that promises nothing cannot break it (and infinity times nothing is no number).
bool keeps(double bound, double cost, double best) { return bound == unreachable || cost <= bound * best * (1 + 1e-9); }

/// Cost and bound get better from stage to stage, and the bound is true at each.
void check_stages(const std::vector<SearchStage>& stages, double best) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    CHECK(stages[i].cost >= best * (1 - 1e-9));
    CHECK(stages[i].bound >= 1);
    CHECK(keeps(stages[i].bound, stages[i].cost, best));
    if (i == 0) continue;
    CHECK(stages[i].cost <= stages[i - 1].cost);
    CHECK(stages[i].bound <= stages[i - 1].bound);
    CHECK(stages[i].expansions >= stages[i - 1].expansions);
  }
  if (stages.empty()) return;
  CHECK(nearly(stages.back().cost, best));
  CHECK(stages.back().bound == 1);
}

/// Everything the family promises, between two nodes of a graph whose edges lead both ways and cost at least the distance.
template <class Graph, class Distance>
void check_family(AnySearch& search, const Graph& graph, const Distance& distance, Index start, Index goal,
                  double best) {
  const Terminal starts[] = {{start, 0}}, ends[] = {{goal, 0}};
  const auto to_end = [&](Index v) { return distance(v, goal); };
  const auto from_start = [&](Index v) { return distance(v, start); };
  for (const SearchKind kind : all_kinds) {
    INFO("search " << std::string(search_kind_names[std::size_t(kind)]));
    SearchAnswer answer;
    const SearchSettings settings{.kind = kind, .width = 6};
    search.find(settings, graph, to_end, from_start, starts, ends, answer);
    if (!answer.found()) {
      CHECK((best == unreachable || kind == SearchKind::beam));
      continue;
    }
    REQUIRE(best < unreachable);
    REQUIRE(!answer.path.nodes.empty());
    CHECK(answer.path.nodes.front() == start);
    CHECK(answer.path.nodes.back() == goal);
    CHECK(answer.path.vias.size() + 1 == answer.path.nodes.size());
    CHECK(cost_of(graph, answer.path.nodes) <= answer.cost * (1 + 1e-9));
    CHECK(answer.cost >= best * (1 - 1e-9));
    CHECK(keeps(answer.bound, answer.cost, best));
    if (is_optimal(kind)) {
      CHECK(nearly(answer.cost, best));
      CHECK(nearly(cost_of(graph, answer.path.nodes), best));
      CHECK(answer.bound == 1);
    }
    CHECK((kind == SearchKind::ara || kind == SearchKind::ana) == !answer.stages.empty());
    check_stages(answer.stages, best);
  }
}

/// A search split into portions of one expansion gives the same.
template <class Graph, class Advance, class Variant>
void check_portions(Variant& whole, Variant& split, const Advance& advance) {
  const SearchStatus status = advance(whole, ~std::size_t{0});
  SearchStatus by_parts = SearchStatus::running;
  while (by_parts == SearchStatus::running) by_parts = advance(split, 1);
  CHECK(by_parts == status);
  CHECK(split.cost() == whole.cost());
  CHECK(split.bound() == whole.bound());
  CHECK(split.expansions() == whole.expansions());
  SearchPath a, b;
  whole.collect(a);
  split.collect(b);
  CHECK(a.nodes == b.nodes);
  CHECK(a.vias == b.vias);
}

}  // namespace

TEST_CASE("search family: promises hold on random graphs, connected or not") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  AnySearch search;  // one object for all: state must not leak from search to search
  for (std::uint64_t round = 0; round < 100; ++round) {
    const RandomGraph graph(seed + round, 5 + 7 * round);
    test::Random random(seed ^ round);
    const Index start = Index(random.below(graph.node_count()));
    const Index goal = Index(random.below(graph.node_count()));
    const auto distance = [&](Index a, Index b) { return graph.distance(a, b); };
    check_family(search, graph, distance, start, goal, all_costs(graph, start)[goal]);
  }
}

TEST_CASE("search family: portions change nothing") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t round = 0; round < 20; ++round) {
    const RandomGraph graph(seed + round, 200);
    const std::size_t n = graph.node_count();
    const Terminal starts[] = {{0, 0.1}, {1, 0}}, ends[] = {{2, 0}, {3, 0.05}};
    const auto to_end = [&](Index v) { return std::min(graph.distance(v, 2), graph.distance(v, 3) + 0.05); };
    const auto from_start = [&](Index v) { return std::min(graph.distance(v, 0) + 0.1, graph.distance(v, 1)); };
    const auto simply = [&](auto& search, std::size_t budget) { return search.advance(graph, to_end, budget); };
    {
      BestFirstSearch a, b;
      a.begin(n, starts, ends), b.begin(n, starts, ends);
      check_portions<RandomGraph>(a, b, simply);
    }
    {
      BeamSearch a, b;
      a.begin(n, starts, ends, 5), b.begin(n, starts, ends, 5);
      check_portions<RandomGraph>(a, b, simply);
    }
    {
      BidirectionalSearch a, b;
      a.begin(n, starts, ends), b.begin(n, starts, ends);
      check_portions<RandomGraph>(a, b, [&](auto& search, std::size_t budget) {
        return search.advance(graph, graph, to_end, from_start, budget);
      });
    }
    {
      AraSearch a, b;
      a.begin(n, starts, ends, 3, 0.25), b.begin(n, starts, ends, 3, 0.25);
      check_portions<RandomGraph>(a, b, simply);
    }
    {
      AnaSearch a, b;
      a.begin(n, starts, ends), b.begin(n, starts, ends);
      check_portions<RandomGraph>(a, b, simply);
    }
  }
}

TEST_CASE("search family: several starts and ends with costs of their own") {
  const RandomGraph graph(1, 50);
  const Terminal starts[] = {{0, 5}, {1, 0}}, ends[] = {{2, 0.25}, {3, 9}};
  const double best = std::min({all_costs(graph, 0)[2] + 5.25, all_costs(graph, 1)[2] + 0.25,
                                all_costs(graph, 0)[3] + 14, all_costs(graph, 1)[3] + 9});
  AnySearch search;
  for (const SearchKind kind : all_kinds) {
    if (!is_optimal(kind)) continue;
    SearchAnswer answer;
    search.find({.kind = kind}, graph, NoHeuristic{}, NoHeuristic{}, starts, ends, answer);
    CHECK(nearly(answer.cost, best));
  }
}

TEST_CASE("bidirectional: the first meeting is not the end") {
  // Two ways from 0 to 4: over 1 and 2, where the trees meet first, and the cheaper one over 3.
  RandomGraph graph(1, 5);
  graph.edges.assign(5, {});
  graph.at.assign(5, {0, 0});
  const auto join = [&](Index a, Index b, double cost) {
    graph.edges[a].push_back({b, cost});
    graph.edges[b].push_back({a, cost});
  };
  join(0, 1, 3), join(1, 2, 0.5), join(2, 4, 3), join(0, 3, 3.1), join(3, 4, 3.1);
  const Terminal starts[] = {{0, 0}}, ends[] = {{4, 0}};
  BidirectionalSearch search;
  search.begin(5, starts, ends);
  CHECK(search.advance(graph, graph, NoHeuristic{}, NoHeuristic{}, ~std::size_t{0}) == SearchStatus::found);
  CHECK(search.cost() == doctest::Approx(6.2));
  SearchPath path;
  search.collect(path);
  CHECK(path.nodes == std::vector<Index>{0, 3, 4});
}

TEST_CASE("beam: a narrow one misses what a wide one finds, and says what it can prove") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  int missed = 0, worse = 0, proven = 0;
  AnySearch search;
  for (std::uint64_t round = 0; round < 60; ++round) {
    const RandomGraph graph(seed + round, 300);
    const Terminal starts[] = {{0, 0}}, ends[] = {{1, 0}};
    const auto to_end = [&](Index v) { return graph.distance(v, 1); };
    SearchAnswer exact, wide, narrow;
    search.find({.kind = SearchKind::astar}, graph, to_end, to_end, starts, ends, exact);
    search.find({.kind = SearchKind::beam, .width = 100000}, graph, to_end, to_end, starts, ends, wide);
    search.find({.kind = SearchKind::beam, .width = 1}, graph, to_end, to_end, starts, ends, narrow);
    CHECK(wide.cost == exact.cost);
    CHECK(wide.expansions == exact.expansions);
    missed += !narrow.found() && exact.found();
    worse += narrow.found() && narrow.cost > exact.cost * (1 + 1e-9);
    proven += narrow.found() && narrow.bound == 1;
  }
  CHECK(missed + worse > 0);  // so that the test says something
  MESSAGE(missed, " missed, ", worse, " worse, ", proven, " proven of 60");
}

TEST_CASE("ARA* and ANA*: what they have when the budget ends keeps its bound") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  const RandomGraph graph(seed, 2000);
  const double best = all_costs(graph, 0)[1];
  REQUIRE(best < unreachable);
  const Terminal starts[] = {{0, 0}}, ends[] = {{1, 0}};
  const auto to_end = [&](Index v) { return graph.distance(v, 1); };
  AnySearch search;
  for (const SearchKind kind : {SearchKind::ara, SearchKind::ana}) {
    std::size_t unfinished = 0;
    double last = unreachable;
    for (std::size_t budget = 1; budget < 4000; budget += 1 + budget / 4) {
      SearchAnswer answer;
      search.find({.kind = kind, .weight = 5, .budget = budget}, graph, to_end, to_end, starts, ends, answer);
      CHECK(answer.expansions <= budget);
      CHECK(answer.cost <= last);
      last = answer.cost;
      if (!answer.found()) continue;
      unfinished += answer.bound > 1;
      CHECK(keeps(answer.bound, answer.cost, best));
      CHECK(cost_of(graph, answer.path.nodes) <= answer.cost * (1 + 1e-9));
    }
    CHECK(unfinished > 0);
    CHECK(nearly(last, best));
  }
}

TEST_CASE("search family: promises hold along the axis of examples and real maps") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  AnySearch search;
  int compared = 0;
  for (const std::string& file : test_worlds::map_files({"kaiserslautern.geojson", "Berlin_0_256.poly"})) {
    INFO("file " << file);
    const test_worlds::World world = test_worlds::read_world(file);
    const WideChains chains{*world.graph, 0.25};
    if (chains.node_count() == 0) continue;
    test::Random random(seed);
    const auto distance = [&](Index a, Index b) {
      return std::sqrt(squared_length(world.graph->point_of(a) - world.graph->point_of(b)));
    };
    for (int i = 0; i < 20; ++i) {
      const Index start = Index(random.below(chains.node_count())), goal = Index(random.below(chains.node_count()));
      Search dijkstra;
      const Terminal starts[] = {{start, 0}}, ends[] = {{goal, 0}};
      dijkstra.begin(chains.node_count(), starts, ends);
      const SearchStatus status = dijkstra.advance(chains, NoHeuristic{}, 1, ~std::size_t{0});
      check_family(search, chains, distance, start, goal,
                   status == SearchStatus::found ? dijkstra.cost() : unreachable);
      ++compared;
    }
  }
  CHECK(compared > 100);
}
