// Searches over chains at any cost, held to all ways listed one by one; strings pulled tight in a given corridor.
#include "routes/chain_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "navmesh/queries.hpp"
#include "routes/check_route.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::routes;
using namespace throng::routes::test_worlds;
using environment::SceneKind;

namespace {

/// A door in the middle of every chain, for each direction, that opens at a time of its own; walking takes a second a metre. Some are closed.
struct Doors {
  const RouteGraph* graph = nullptr;
  std::vector<double> opens;  ///< by directed chain
  std::vector<bool> closed;
  double departure = 0;

  [[nodiscard]] double middle(Index via) const { return graph->chains()[via / 2].length / 2; }
  [[nodiscard]] double stretch(Index via, double from, double to, double so_far) const {
    const double at = middle(via);
    if (!(from < at && at <= to)) return to - from;
    const double there = departure + so_far + (at - from);
    return std::max(there, opens[via]) + (to - at) - departure - so_far;
  }
  [[nodiscard]] double dead_end(double length, double) const { return length; }
  [[nodiscard]] bool allowed(Index via, double from, double to) const {
    return !closed[via] || !(from < middle(via) && middle(via) <= to);
  }
  [[nodiscard]] double least(double distance) const { return distance; }
};

OnAxis on_axis(const Mesh& mesh, const Place& place) {
  const Retraction at = *retract(mesh, place);
  return {at.point, at.arc};
}

/// When somebody arrives who walks a path edge by edge; infinite where a door on it is closed.
double walked(const RouteGraph& graph, const Doors& doors, const OnAxis& start, const OnAxis& goal,
              const AxisPath& path) {
  double time = 0;
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const Step step = path.steps[i];
    const double length = graph.mesh().edge(step.edge).length;
    double from = 0, to = length;  // along the step
    const auto along = [&](const OnAxis& at) {
      return step.forward ? position_on_edge(graph, at) : length - position_on_edge(graph, at);
    };
    if (i == 0) from = along(start);
    if (i + 1 == path.steps.size()) to = along(goal);
    const Index chain = graph.chain_of(step.edge);
    if (chain == routes::none) {
      time += to - from;
      continue;
    }
    const std::span<const Step> steps = graph.steps_of(graph.chains()[chain]);
    const Index place = graph.place_in_chain(step.edge);
    const bool with_chain = steps[place] == step;
    double before = 0;  // of the directed chain, up to this step
    for (Index k = 0; k < steps.size(); ++k)
      if (with_chain ? k < place : k > place) before += graph.mesh().edge(steps[k].edge).length;
    const Index via = 2 * chain + (with_chain ? 0 : 1);
    const double door = doors.middle(via) - before;
    if (from < door && door <= to) {
      if (doors.closed[via]) return INFINITY;
      time = std::max(doors.departure + time + (door - from), doors.opens[via]) - doors.departure;
      time += to - door;
    } else {
      time += to - from;
    }
  }
  return time;
}

/// The earliest arrival over all classes without a junction twice, each as path_along() leads, and over those that begin or end on the same chain.
double best_of_all(const RouteGraph& graph, const Doors& doors, const OnAxis& start, const OnAxis& goal,
                   double radius) {
  const Home from = home_of(graph, 2 * start.arc, start.point), to = home_of(graph, 2 * goal.arc, goal.point);
  double best = INFINITY;
  ChainWord word;
  std::vector<int> visited(graph.junction_count(), 0);
  AxisPath path;
  const auto go = [&](const auto& self, Index at) -> void {
    if (at == to.junction && path_along(graph, start, goal, word, radius, path))
      best = std::min(best, walked(graph, doors, start, goal, path));
    if (visited[at] == 2 || word.size() > 9) return;
    ++visited[at];
    for (const ChainEnd& end : graph.chain_ends(at)) {
      if (!word.empty() && word.back() == (end.via ^ 1)) continue;
      word.push_back(end.via);
      self(self, end.to);
      word.pop_back();
    }
    --visited[at];
  };
  go(go, from.junction);
  return best;
}

Doors random_doors(const RouteGraph& graph, test::Random& random) {
  Doors doors{&graph, {}, {}, 0};
  for (std::size_t i = 0; i < 2 * graph.chains().size(); ++i) {
    doors.opens.push_back(random.uniform(0, 60));
    doors.closed.push_back(random.chance(0.1));
  }
  return doors;
}

void hold_to_all_ways(std::uint64_t seed, int worlds, int queries) {
  int compared = 0, waited = 0;
  for (int w = 0; w < worlds; ++w) {
    test::Random random(seed + std::uint64_t(w));
    environment::Environment e = room(20, 16);
    for (int i = int(random.whole(1, 4)); i > 0; --i) {
      const double x = double(random.whole(1, 15)), y = double(random.whole(1, 12));
      add_block(e, x, y, x + double(random.whole(1, 4)), y + double(random.whole(1, 3)));
    }
    const World world = make_world(e);
    const RouteGraph& graph = *world.graph;
    if (graph.chains().size() > 12) continue;
    ChainSearch search(graph);
    for (int q = 0; q < queries; ++q) {
      const auto from = free_place(*world.mesh, random, 0.3), to = free_place(*world.mesh, random, 0.3);
      if (!from || !to) break;
      const OnAxis start = on_axis(*world.mesh, *from), goal = on_axis(*world.mesh, *to);
      Doors doors = random_doors(graph, random);
      INFO("seed " << seed + std::uint64_t(w) << " from " << from->point.x << "," << from->point.y << " to "
                   << to->point.x << "," << to->point.y);
      AxisPath path;
      const double found = search.find(start, goal, 0.3, doors, path);
      const double best = best_of_all(graph, doors, start, goal, 0.3);
      if (best == INFINITY) {
        CHECK(found == INFINITY);
        continue;
      }
      CHECK(found == doctest::Approx(best).epsilon(1e-9));
      CHECK(walked(graph, doors, start, goal, path) == doctest::Approx(found).epsilon(1e-9));
      ++compared;
      waited += found > path.length + 1e-6;
      // In portions: the same. Later: never earlier.
      AxisPath again;
      search.begin(start, goal, 0.3, doors);
      while (search.advance(doors, 1) == SearchStatus::running) {
      }
      CHECK(search.collect(again));
      CHECK(search.cost() == found);
      CHECK(again.steps == path.steps);
      double arrival = found;
      for (const double departure : {1.0, 5.0, 20.0, 70.0}) {
        doors.departure = departure;
        const double later = departure + search.find(start, goal, 0.3, doors, again);
        CHECK(later >= arrival - 1e-9);
        arrival = later;
      }
    }
  }
  MESSAGE(compared << " ways, " << waited << " of them with waiting");
  CHECK(waited > compared / 10);
}

}  // namespace

TEST_CASE("chain search: by length it is the way along the axis") {
  for (const char* name : {"office", "station", "spiral", "quarter"}) {
    const World world = example(name);
    AxisPathFinder finder(*world.graph);
    ChainSearch search(*world.graph);
    test::Random random(7);
    for (int i = 0; i < 200; ++i) {
      const auto from = free_place(*world.mesh, random, 0.25), to = free_place(*world.mesh, random, 0.25);
      if (!from || !to) continue;
      INFO(name << " from " << from->point.x << "," << from->point.y << "," << from->layer << " to " << to->point.x
                << "," << to->point.y << "," << to->layer);
      const OnAxis start = on_axis(*world.mesh, *from), goal = on_axis(*world.mesh, *to);
      AxisPath expected, path;
      const bool there_is = finder.find(start, goal, 0.25, expected);
      const double length = search.find(start, goal, 0.25, LengthCosts{}, path);
      REQUIRE((length < unreachable) == there_is);
      if (!there_is) continue;
      CHECK(length == doctest::Approx(expected.length).epsilon(1e-9));
      CHECK(path.length == doctest::Approx(length).epsilon(1e-9));
    }
  }
}

TEST_CASE("chain search: with waiting at doors it is the best of all ways") { hold_to_all_ways(1, 15, 10); }
TEST_CASE("long: chain search: with waiting at doors it is the best of all ways, many worlds") {
  hold_to_all_ways(100, 300, 20);
}

TEST_CASE("a string pulled tight in a given corridor keeps class and radius") {
  for (const char* name : {"office", "spiral", "quarter", "four_blocks"}) {
    const World world = example(name);
    Planner planner(world.graph);
    test::Random random(11);
    int pulled = 0;
    for (int i = 0; i < 12; ++i) {
      const auto from = free_place(*world.mesh, random, 0.25), to = free_place(*world.mesh, random, 0.25);
      if (!from || !to) continue;
      const RouteQuery query{.from = *from, .to = *to, .radius = 0.25};
      Planner::Alternatives ways;
      if (planner.plan_alternatives(query, 4, ways) != NoRoute::found) continue;
      INFO(name << " from " << from->point.x << "," << from->point.y << "," << from->layer << " to " << to->point.x
                << "," << to->point.y << "," << to->layer);
      for (const Route& way : ways.routes) {
        const auto topology = topology_of(*world.graph, way);
        REQUIRE(topology);
        Route route;
        REQUIRE(planner.plan_along(query, topology->chains, route) == NoRoute::found);
        check_route(*world.mesh, route, 0.25);
        CHECK(topology_of(*world.graph, route) == topology);
        CHECK(route.length >= way.length - 1e-6);
        CHECK(route.length <= way.length * 1.05 + 0.5);
        ++pulled;
      }
      // Twice around something is a way too; chains that do not lead there are none.
      Route route;
      CHECK(planner.plan_along(query, std::vector<Index>{Index(2 * world.graph->chains().size())}, route) ==
            NoRoute::bad_query);
    }
    CHECK(pulled > 10);
  }
}

TEST_CASE("a corridor that winds around a pillar twice, and one that is too narrow") {
  environment::Environment e = room(10, 10);
  add_block(e, 4, 4, 6, 6);
  const World world = make_world(e);
  REQUIRE(world.graph->chains().size() == 1);
  Planner planner(world.graph);
  const RouteQuery query{.from = {{1, 4.5}, 0}, .to = {{1, 5.5}, 0}, .radius = 0.25};
  double last = 0;
  for (const std::size_t times : {0u, 1u, 2u, 3u}) {
    Route route;
    REQUIRE(planner.plan_along(query, std::vector<Index>(times, 0), route) == NoRoute::found);
    check_route(*world.mesh, route, 0.25);
    CHECK(topology_of(*world.graph, route)->chains == ChainWord(times, 0));
    if (times > 1) CHECK(route.length == doctest::Approx(last + 8 + 6.283185307179586 * 0.25).epsilon(1e-6));
    last = route.length;
  }
  Route route;
  RouteQuery wide = query;
  wide.radius = 1.9;
  CHECK(planner.plan_along(wide, std::vector<Index>{0}, route) == NoRoute::found);
  add_block(e, 4, 6.5, 6, 9);
  const World narrow = make_world(e);
  Planner other(narrow.graph);
  wide.radius = 0.6, wide.from = {{1, 8}, 0}, wide.to = {{9, 8}, 0};
  Route through;
  Planner::Alternatives ways;
  REQUIRE(other.plan_alternatives({.from = wide.from, .to = wide.to, .radius = 0.2}, 6, ways) == NoRoute::found);
  int refused = 0;
  for (const Route& way : ways.routes) {
    const NoRoute verdict = other.plan_along(wide, topology_of(*narrow.graph, way)->chains, through);
    CHECK((verdict == NoRoute::found || verdict == NoRoute::too_narrow));
    refused += verdict == NoRoute::too_narrow;
  }
  CHECK(refused > 0);
}
