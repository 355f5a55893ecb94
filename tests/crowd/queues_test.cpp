// Queues foreseen: waiting against a queue of people counted one second after the other, ways against all ways there are.
#include "crowd/queues.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "crowd/jams.hpp"
#include "navmesh/queries.hpp"
#include "routes/worlds.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using crowd::DensityCosts;
using crowd::Index;
using crowd::Journey;
using crowd::PassageTable;
using crowd::QueueCosts;
using crowd::Queues;
using routes::AxisPath;
using routes::ChainSearch;
using routes::OnAxis;
using routes::RouteGraph;

/// What the head of queues.hpp says, with nothing clever.
double waiting_by_hand(const std::map<std::int64_t, int>& arrivals, double c, std::int64_t now, std::int64_t there) {
  double before = 0;
  for (std::int64_t k = now; k <= there; ++k) {
    double here = 0;
    for (const auto& [second, people] : arrivals)
      if (second == k || (k == now && second < now)) here += people;
    if (k == there) return (before + here) / c;
    before = std::max(0.0, before + here - c);
  }
  return 0;
}

TEST_CASE("queues: waiting is that of a queue counted second by second, first in, first out") {
  Random random(test_seed());
  for (int round = 0; round < 60; ++round) {
    const double width = random.uniform(0.3, 4);
    Queues queues({width});
    std::map<std::int64_t, int> arrivals;
    std::vector<std::int64_t> announced;
    std::int64_t now = 0;
    for (int i = 0; i < 150; ++i) {
      const std::int64_t second = now + random.whole(0, random.chance(0.3) ? 590 : 30);
      announced.push_back(queues.announce(0, second));
      ++arrivals[announced.back()];
      if (random.chance(0.4)) {
        const auto which = std::size_t(random.whole(0, std::int64_t(announced.size()) - 1));
        queues.withdraw(0, announced[which]);
        if (--arrivals[announced[which]] == 0) arrivals.erase(announced[which]);
        announced.erase(announced.begin() + std::ptrdiff_t(which));
      }
      if (random.chance(0.1)) queues.begin_second(now += random.whole(1, 3));
    }
    double last = 0;
    for (std::int64_t there = now; there < now + 600; there += random.whole(1, 9)) {
      CHECK(queues.waiting(0, there, Queues::not_announced) ==
            doctest::Approx(waiting_by_hand(arrivals, queues.capacity(0), now, there)));
      for (const double part : {0.0, 0.5, 0.999}) {
        const double through = queues.leaving(0, double(there) + part, Queues::not_announced);
        CHECK(through >= last - 1e-9);
        CHECK(through >= double(there) + part);
        last = through;
      }
    }
    if (announced.empty()) continue;
    // One's own announcement does not count.
    const std::int64_t own = announced.front();
    const double without = queues.waiting(0, now + 100, own);
    if (--arrivals[own] == 0) arrivals.erase(own);
    CHECK(without == doctest::Approx(waiting_by_hand(arrivals, queues.capacity(0), now, now + 100)));
  }
}

TEST_CASE(
    "queues: where one stands the capacity follows what passes, and 0.02 persons a second are always thought to") {
  Queues queues({1.0, 1.0, 1.0});
  CHECK(queues.capacity(0) == doctest::Approx(1.6));
  std::vector<std::int64_t> due;
  for (std::int64_t second = 1; second <= 200; ++second) {
    queues.begin_second(second);
    // Thirty stand before the first, which lets one through a second, and before the second, which is blocked.
    for (const std::int64_t old : due)
      for (const Index queue : {0u, 1u}) queues.withdraw(queue, old);
    due.clear();
    for (int i = 0; i < 30; ++i) {
      due.push_back(queues.announce(0, second));
      queues.announce(1, second);
    }
    queues.pass(0);
    if (second % 4 == 0) queues.pass(2);
  }
  CHECK(queues.capacity(0) == doctest::Approx(1).epsilon(0.01));
  CHECK(queues.capacity(1) == Queues::least_capacity);
  CHECK(queues.capacity(2) == doctest::Approx(1.6));
  CHECK(queues.due_now(0) == 30);
}

OnAxis on_axis(const navmesh::Mesh& mesh, const navmesh::Place& place) {
  const navmesh::Retraction at = *navmesh::retract(mesh, place);
  return {at.point, at.arc};
}

/// When somebody arrives who walks a path edge by edge and waits at every passage of the mesh that lies on one.
double walked(const RouteGraph& graph, const Queues& queues, double now, double speed, const OnAxis& start,
              const OnAxis& goal, const AxisPath& path) {
  const navmesh::Mesh& mesh = graph.mesh();
  double time = now;
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const routes::Step step = path.steps[i];
    const double length = mesh.edge(step.edge).length;
    const auto along = [&](double position) { return step.forward ? position : length - position; };
    double at = i == 0 ? along(routes::position_on_edge(graph, start)) : 0;
    const double to = i + 1 == path.steps.size() ? along(routes::position_on_edge(graph, goal)) : length;
    std::vector<std::pair<double, Index>> passages;
    for (Index p = 0; p < mesh.passage_count(); ++p)
      if (mesh.arc(mesh.passage(p).arc).edge == step.edge)
        passages.push_back({along(routes::position_on_edge(graph, {mesh.passage(p).point, mesh.passage(p).arc})), p});
    std::ranges::sort(passages);
    for (const auto& [place, passage] : passages) {
      if (place <= at || place > to) continue;
      time = queues.leaving(passage, time + (place - at) / speed, Queues::not_announced);
      at = place;
    }
    time += std::max(0.0, to - at) / speed;
  }
  return time - now;
}

double best_of_all(const RouteGraph& graph, const Queues& queues, double now, double speed, const OnAxis& start,
                   const OnAxis& goal) {
  const routes::Home from = routes::home_of(graph, 2 * start.arc, start.point);
  const routes::Home to = routes::home_of(graph, 2 * goal.arc, goal.point);
  double best = INFINITY;
  routes::ChainWord word;
  std::vector<int> visited(graph.junction_count(), 0);
  AxisPath path;
  const auto go = [&](const auto& self, Index at) -> void {
    if (at == to.junction && routes::path_along(graph, start, goal, word, 0.3, path))
      best = std::min(best, walked(graph, queues, now, speed, start, goal, path));
    if (visited[at] == 2 || word.size() > 9) return;
    ++visited[at];
    for (const routes::ChainEnd& end : graph.chain_ends(at)) {
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

TEST_CASE(
    "queues: the way that takes least time is the best of all ways, and setting out later never arrives earlier") {
  using namespace routes::test_worlds;
  int compared = 0, waited = 0;
  for (int w = 0; w < 12; ++w) {
    Random random(500 + std::uint64_t(w));
    environment::Environment e = room(20, 16);
    for (int i = int(random.whole(2, 4)); i > 0; --i) {
      const double x = double(random.whole(1, 15)), y = double(random.whole(1, 12));
      add_block(e, x, y, x + double(random.whole(1, 4)), y + double(random.whole(1, 3)));
    }
    const World world = make_world(e);
    const RouteGraph& graph = *world.graph;
    if (graph.chains().size() > 12) continue;
    std::vector<double> widths;
    for (const navmesh::Passage& p : world.mesh->all_passages()) widths.push_back(0.1 * length(p.right - p.left));
    Queues queues(widths);
    for (Index p = 0; p < widths.size(); ++p)
      for (int i = 0; i < 40; ++i) (void)queues.announce(p, random.whole(0, 60));
    const PassageTable passages(graph);
    for (int q = 0; q < 10; ++q) {
      const auto from = free_place(*world.mesh, random, 0.3), to = free_place(*world.mesh, random, 0.3);
      if (!from || !to) break;
      const OnAxis start = on_axis(*world.mesh, *from), goal = on_axis(*world.mesh, *to);
      const routes::ChainPlace out = routes::place_on_chains(graph, start), in = routes::place_on_chains(graph, goal);
      if (!out.way_out.empty() && !in.way_out.empty() && out.way_out.back() == in.way_out.back()) continue;
      ChainSearch search(graph);
      double arrival = 0;
      for (const double now : {0.0, 1.0, 4.0, 15.0, 40.0}) {
        QueueCosts costs{
            .graph = graph, .passages = passages, .queues = queues, .now = now, .speed = 1.3, .out = {}, .in = {}};
        costs.out = passages.on_way_out(graph, start, out), costs.out_length = out.way_out_length;
        costs.in = passages.on_way_out(graph, goal, in);
        std::ranges::reverse(costs.in);
        for (PassageTable::At& at : costs.in) at.along = in.way_out_length - at.along;
        AxisPath path;
        const double found = search.find(start, goal, 0.3, costs, path);
        const double best = best_of_all(graph, queues, now, 1.3, start, goal);
        if (best == INFINITY) {
          CHECK(found == INFINITY);
          continue;
        }
        CHECK(found == doctest::Approx(best).epsilon(1e-9));
        CHECK(now + found >= arrival - 1e-9);
        arrival = now + found;
        ++compared;
        waited += found > path.length / 1.3 + 1e-6;
      }
    }
  }
  CHECK(compared > 100);
  CHECK(waited > compared / 3);
}

TEST_CASE("density: speed falls as Weidmann says, is that of a stream which goes one's way, and never 0") {
  CHECK(crowd::speed_in_density(1.34, 0) == 1.34);
  CHECK(crowd::speed_in_density(1.34, 1) ==
        doctest::Approx(1.34 * (1 - std::exp(-1.913 * (1 - 1 / 5.4)))).epsilon(1e-9));
  CHECK(crowd::speed_in_density(1.34, 5.3) == 0.05);
  CHECK(crowd::speed_in_density(1.34, 9) == 0.05);
  using namespace routes::test_worlds;
  environment::Environment e = room(40, 4);
  add_block(e, 18, 1.5, 22, 2.5);
  const World world = make_world(e);
  fields::EdgeOccupancy edges(*world.mesh);
  const navmesh::Located at = navmesh::locate(*world.mesh, {{6, 2.2}, 0});
  REQUIRE(at);
  const Index edge = edges.edge_of(at.cell);
  const navmesh::Edge& along = world.mesh->edge(edge);
  const bool eastwards = world.mesh->node(along.to).point.x > world.mesh->node(along.from).point.x;
  const auto people = std::int64_t(3 * edges.ground(edge));
  const fields::EdgeOccupancy::Presence one{.cell = at.cell, .area = 100, .velocity_x = 1000, .velocity_y = 0};
  for (std::int64_t i = 0; i < people; ++i) edges.add(one);
  const DensityCosts stranger{*world.graph, edges, {}, 1.34};
  const double dense = crowd::speed_in_density(1.34, double(people) / edges.ground(edge));
  CHECK(stranger.speed_on(edge, !eastwards) == doctest::Approx(dense));
  CHECK(stranger.speed_on(edge, eastwards) == doctest::Approx(1));
  const DensityCosts member{*world.graph, edges, one, 1.34};
  CHECK(member.speed_on(edge, !eastwards) > dense);
}

}  // namespace
}  // namespace throng::test
