// Classes of curves, held to rays from holes (support/hole_rays.hpp) and to what can be seen by hand; passages, at both ends too.
#include "routes/axis_trace.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "navmesh/visibility.hpp"
#include "routes/check_route.hpp"
#include "routes/waypoints.hpp"
#include "routes/worlds.hpp"
#include "support/cut_plan.hpp"
#include "support/hole_rays.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::routes;
using namespace throng::routes::test_worlds;
using environment::SceneKind;

namespace {

/// Metres that paths of these tests keep from corners, so that it is clear on which side of a ray they pass.
constexpr double apart = 0.01;

using Path = std::vector<Place>;

/// A straight step in some direction that meets nothing; the path as it was where there is no room.
void step(const Mesh& mesh, test::Random& random, double most, Path& path) {
  const Place at = path.back();
  const double angle = random.uniform(0, 6.283185307179586), length = random.uniform(0, most);
  const Vec2 far = at.point + Vec2{std::cos(angle), std::sin(angle)} * length;
  const Hit hit = first_hit(mesh, at, far);
  const Vec2 to = at.point + (hit.point - at.point) * random.uniform(0.1, 0.9);
  const Hit there = first_hit(mesh, at, to);
  if (there.blocked || !locate(mesh, {to, there.layer}) || locate(mesh, {to, there.layer}).clearance < 2 * apart)
    return;
  path.push_back({to, there.layer});
}

/// A path that wanders about and then goes to the goal; empty where there is no way.
Path wander(const Mesh& mesh, Planner& planner, test::Random& random, const Place& from, const Place& to, int steps) {
  Path path{from};
  for (int i = 0; i < steps; ++i) step(mesh, random, 15, path);
  Route route;
  const RouteQuery query{.from = path.back(), .to = to, .radius = apart, .adjust = 0};
  if (planner.plan(query, route) != NoRoute::found) return {};
  const Path rest = route.flatten(mesh, 1e-3);
  path.insert(path.end(), rest.begin(), rest.end());
  return path;
}

/// The same curve with points strewn along it, each moved aside where that crosses nothing: of the same class.
Path deformed(const Mesh& mesh, const Path& path, test::Random& random) {
  Path result{path.front()};
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Vec2 a = path[i - 1].point, b = path[i].point;
    const int parts = 1 + int(distance(a, b) / 0.5);
    for (int k = 1; k <= parts; ++k) result.push_back({a + (b - a) * (double(k) / parts), path[i].layer});
  }
  for (std::size_t i = 1; i + 1 < result.size(); ++i) {
    const Place moved{result[i].point + Vec2{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)}, result[i].layer};
    // A triangle of half a metre whose sides are free holds nothing but what its third point can see around.
    bool free = visible(mesh, result[i], moved, apart);
    for (const Place& end : {result[i - 1], result[i + 1]})
      for (int k = 0; k <= 8 && free; ++k)
        free = visible(mesh, end, {result[i].point + (moved.point - result[i].point) * (k / 8.0), moved.layer}, 0);
    if (free) result[i] = moved;
  }
  return result;
}

struct Tally {
  int pairs = 0, equal = 0;
  int plans = 0, others = 0;  ///< of cut plans: all, and those that are not the whole plan any more
};

std::string written(const Path& path) {
  std::string text;
  for (const Place& p : path) text += std::to_string(p.point.x) + "," + std::to_string(p.point.y) + " ";
  return text;
}

void hold_to_rays(const World& world, std::uint64_t seed, int pairs, Tally& tally) {
  const Mesh& mesh = *world.mesh;
  const test::HoleRays rays(world.clean);
  Planner planner(world.graph);
  test::Random random(seed);
  for (int i = 0, tries = 0; i < pairs && tries < 4 * pairs; ++tries) {
    const auto from = free_place(mesh, random, 2 * apart), to = free_place(mesh, random, 2 * apart);
    if (!from || !to) return;
    Path one = wander(mesh, planner, random, *from, *to, int(random.below(5)));
    const Path other = wander(mesh, planner, random, *from, *to, int(random.below(5)));
    if (one.empty() || other.empty()) continue;
    if (random.chance(0.3)) one = deformed(mesh, one, random);
    ++i;
    INFO(written(one) << "\n and \n" << written(other));
    const auto trace = trace_of(mesh, one), expected = trace_of(mesh, other);
    REQUIRE(trace);
    REQUIRE(expected);
    const bool equal = rays.word_of(one) == rays.word_of(other);
    CHECK((class_of(*world.graph, *trace) == class_of(*world.graph, *expected)) == equal);
    ++tally.pairs;
    tally.equal += equal;
    // Back again: the inverse. There and back: nothing.
    Path back(one.rbegin(), one.rend());
    const auto returned = trace_of(mesh, back);
    REQUIRE(returned);
    CHECK(class_of(*world.graph, *returned) == reversed(class_of(*world.graph, *trace)));
    // Cut anywhere and joined again.
    const std::size_t cut = random.below(one.size());
    const auto head = trace_of(mesh, std::span(one).first(cut + 1)), tail = trace_of(mesh, std::span(one).subspan(cut));
    REQUIRE((head && tail));
    CHECK(joined(class_of(*world.graph, *head), class_of(*world.graph, *tail)) == class_of(*world.graph, *trace));
    CHECK(joined(passages_of(*world.graph, *head), passages_of(*world.graph, *tail)) ==
          passages_of(*world.graph, *trace));
    // The class is a walk over chains between the homes of the ends.
    Index at = home_of(*world.graph, trace->start_cell, from->point).junction;
    for (const Index directed : class_of(*world.graph, *trace)) {
      const Chain& chain = world.graph->chains()[directed / 2];
      CHECK(at == (directed % 2 == 0 ? chain.from : chain.to));
      at = directed % 2 == 0 ? chain.to : chain.from;
    }
    CHECK(at == home_of(*world.graph, trace->goal_cell, to->point).junction);
  }
}

void hold_all_to_rays(std::uint64_t seed, int scenes, int pairs) {
  Tally tally;
  for (int i = 0; i < scenes; ++i) {
    for (const SceneKind kind : {SceneKind::overlapping_polygons, SceneKind::rotated_rectangles,
                                 SceneKind::grid_of_squares, SceneKind::single_wall, SceneKind::nested_holes,
                                 SceneKind::crossing_walls, SceneKind::touching_corners, SceneKind::cocircular}) {
      INFO("random_scene(" << seed + std::uint64_t(i) << ", " << environment::name_of(kind) << ")");
      hold_to_rays(make_world(environment::random_scene(seed + std::uint64_t(i), kind)), seed + std::uint64_t(i), pairs,
                   tally);
    }
  }
  MESSAGE(tally.pairs << " pairs, " << tally.equal << " of one class");
  CHECK(tally.equal > tally.pairs / 20);
  CHECK(tally.equal < tally.pairs - tally.pairs / 20);
}

/// Rooms with blocks and walls, whole and cut in two by a line from below to above.
std::optional<test::Cut> random_cut(std::uint64_t seed) {
  test::Random random(seed);
  const double width = double(random.whole(15, 40)), height = double(random.whole(15, 30));
  environment::Environment e = room(width, height);
  for (int i = int(random.whole(1, 10)); i > 0; --i) {
    const double x = double(random.whole(1, int(width) - 4)), y = double(random.whole(1, int(height) - 4));
    add_block(e, x, y, x + double(random.whole(1, 3)), y + double(random.whole(1, 3)));
  }
  const double below = double(random.whole(3, int(width) - 3)), above = double(random.whole(3, int(width) - 3));
  return test::cut_plan(e, {{{0, 0}, {below, 0}, {above, height}, {0, height}},
                            {{below, 0}, {width, 0}, {width, height}, {above, height}}});
}

/// Paths of the whole plan, on the cut one.
void hold_cut_to_whole(std::uint64_t seed, int count, int pairs, Tally& tally) {
  for (int done = 0; done < count; ++seed) {
    const auto plan = random_cut(seed);
    if (!plan || plan->cut.connections.empty()) continue;
    ++done;
    INFO("cut " << seed);
    const auto mesh_of = [](const environment::CleanEnvironment& clean) {
      auto mesh = build_mesh(clean);
      REQUIRE(mesh.ok());
      return *mesh;
    };
    const MeshPtr cut = mesh_of(plan->cut), whole = mesh_of(plan->uncut);
    const RouteGraph cut_graph(cut);
    // Rounding may leave part of a slanted cut closed: another plan.
    ++tally.plans;
    if (cut->edge_count() != whole->edge_count() || cut->passage_count() != whole->passage_count()) {
      ++tally.others;
      continue;
    }
    const auto graph = std::make_shared<const RouteGraph>(whole);
    Planner planner(graph);
    test::Random random(seed);
    const auto on_cut = [&](Path path) {
      for (Place& place : path)
        for (place.layer = 0; place.layer < 2 && !locate(*cut, place); ++place.layer) {
        }
      return path;
    };
    for (int i = 0; i < pairs; ++i) {
      const auto from = free_place(*whole, random, 2 * apart), to = free_place(*whole, random, 2 * apart);
      if (!from || !to) break;
      const Path one = wander(*whole, planner, random, *from, *to, int(random.below(5)));
      const Path other = wander(*whole, planner, random, *from, *to, int(random.below(5)));
      if (one.empty() || other.empty()) continue;
      const auto a = trace_of(*whole, one), b = trace_of(*whole, other);
      const auto c = trace_of(*cut, on_cut(one)), d = trace_of(*cut, on_cut(other));
      INFO(written(one) << "\n and \n" << written(other));
      REQUIRE((a && b && c && d));
      const bool equal = class_of(*graph, *a) == class_of(*graph, *b);
      CHECK((class_of(cut_graph, *c) == class_of(cut_graph, *d)) == equal);
      CHECK(passages_of(cut_graph, *c).size() == passages_of(*graph, *a).size());
      ++tally.pairs;
      tally.equal += equal;
    }
  }
}

ChainWord class_of_route(const World& world, const Route& route) {
  const auto topology = topology_of(*world.graph, route);
  REQUIRE(topology);
  return topology->chains;
}

std::size_t passages_between(const World& world, Vec2 from, Vec2 to) {
  Planner planner(world.graph);
  Route route;
  REQUIRE(planner.plan({.from = {from, 0}, .to = {to, 0}}, route) == NoRoute::found);
  return topology_of(*world.graph, route)->passages.size();
}

/// A room of 10 x 10 m with a pillar from 4 to 6: a passage on each side of it.
World pillar() {
  environment::Environment e = room(10, 10);
  add_block(e, 4, 4, 6, 6);
  return make_world(e);
}

}  // namespace

TEST_CASE("classes are those of rays from the holes") { hold_all_to_rays(1, 4, 30); }
TEST_CASE("long: classes are those of rays from the holes, ten thousand pairs") { hold_all_to_rays(1000, 27, 50); }

TEST_CASE("classes of cut plans are those of the plans") {
  Tally tally;
  hold_cut_to_whole(1, 20, 10, tally);
  CHECK(tally.equal < tally.pairs);
  CHECK(tally.pairs > 100);
}
TEST_CASE("long: classes of many cut plans are those of the plans") {
  Tally tally;
  hold_cut_to_whole(1000, 300, 34, tally);
  MESSAGE(tally.pairs << " pairs, " << tally.equal << " of one class");
  CHECK(tally.pairs > 9000);
  CHECK(tally.others <= tally.plans / 20);
}

TEST_CASE("around a pillar: left, right, twice, and back") {
  const World world = pillar();
  const auto word = [&](std::initializer_list<Vec2> points) {
    Path path;
    for (const Vec2 p : points) path.push_back({p, 0});
    const auto trace = trace_of(*world.mesh, path);
    REQUIRE(trace);
    return class_of(*world.graph, *trace);
  };
  const Vec2 west{1, 5}, south{5, 1}, east{9, 5.5}, north{5.5, 9};
  const ChainWord below = word({west, south, east}), above = word({west, north, east});
  CHECK(below != above);
  CHECK(word({west, {3, 3}, {7, 3}, east}) == below);
  CHECK(word({west, {2, 8}, {2, 2}, south, east}) == below);               // into a corner first
  CHECK(word({west, {0.5, 9.5}, {0.5, 0.5}, {9.5, 0.5}, east}) == below);  // into three
  CHECK(word({west, south, east, south, west, north, east}) == above);     // there and back
  CHECK(word({west, south, east, north, west, south, east}) != below);     // once around
  CHECK(word({west, south, east, north, west, south, east, north, west}) ==
        joined(word({west, south, east, north, west}), word({west, south, east, north, west})));
  CHECK(text_of(ChainWord{}) == "");
  CHECK(text_of(ChainWord{24, 15}) == "12+ 7-");
}

TEST_CASE("a curve through an obstacle has no class") {
  const World world = pillar();
  CHECK(!trace_of(*world.mesh, Path{{{1, 5}, 0}, {{9, 5}, 0}}));
  CHECK(!trace_of(*world.mesh, Path{{{5, 5}, 0}, {{9, 5}, 0}}));
  CHECK(!trace_of(*world.mesh, Path{}));
  CHECK(trace_of(*world.mesh, Path{{{1, 5}, 0}}));
}

TEST_CASE("passages: only those that are crossed, at both ends too") {
  const World world = pillar();  // passages at x 5 above and below, at y 5 left and right
  CHECK(passages_between(world, {5.5, 8}, {9, 9}) == 0);
  CHECK(passages_between(world, {4.5, 8}, {4.8, 8}) == 0);
  CHECK(passages_between(world, {4.5, 8}, {5.5, 8}) == 1);
  CHECK(passages_between(world, {4.5, 8}, {9, 9}) == 1);
  CHECK(passages_between(world, {4.5, 8}, {9, 2}) == 2);
  CHECK(passages_between(world, {4.5, 2}, {9, 8}) == 2);
  // Directed: the way back crosses the same ones the other way, the last first.
  Planner planner(world.graph);
  Route there, back;
  REQUIRE(planner.plan({.from = {{4.5, 8}, 0}, .to = {{8, 2}, 0}}, there) == NoRoute::found);
  REQUIRE(planner.plan({.from = {{8, 2}, 0}, .to = {{4.5, 8}, 0}}, back) == NoRoute::found);
  const auto one = topology_of(*world.graph, there), other = topology_of(*world.graph, back);
  REQUIRE((one && other));
  REQUIRE(one->passages.size() == 2);
  CHECK(one->passages == reversed(other->passages));
}

TEST_CASE(
    "every method in one corridor has one class: short, shortest, medial, sides, waypoints, given and walked ways") {
  for (const char* name : {"office", "station", "spiral", "quarter"}) {
    const World world = example(name);
    const Mesh& mesh = *world.mesh;
    Planner planner(world.graph);
    WaypointGraphs waypoints;
    waypoints.make(world.mesh, RouteMethod::visibility, 0.25);
    Search search;
    const std::uint64_t seed = test::test_seed();
    INFO(std::string(name) << ", THRONG_TEST_SEED=" << seed);
    test::Random random(seed);
    int compared = 0, alike = 0;
    for (int i = 0; i < 40; ++i) {
      const auto from = free_place(mesh, random, 0.25), to = free_place(mesh, random, 0.25);
      if (!from || !to) continue;
      RouteQuery query{.from = *from, .to = *to, .radius = 0.25, .clearance = 0.5};
      Route taut;
      if (planner.plan(query, taut) != NoRoute::found) continue;
      INFO("from " << from->point.x << "," << from->point.y << "," << from->layer << " to " << to->point.x << ","
                   << to->point.y << "," << to->layer);
      const ChainWord word = class_of_route(world, taut);
      for (const RouteMethod method : {RouteMethod::medial, RouteMethod::left, RouteMethod::right}) {
        query.method = method;
        Route route;
        REQUIRE(planner.plan(query, route) == NoRoute::found);
        CHECK(class_of_route(world, route) == word);
      }
      const Path points = taut.flatten(mesh, 1e-3);
      const auto drawn = given_route(mesh, points, 0.2);
      if (drawn) CHECK(class_of_route(world, *drawn) == word);
      // Walked: small steps, shaken, and back a few every now and then.
      Path walked = deformed(mesh, points, random);
      for (std::size_t k = 0; k + 4 < walked.size(); k += 20) {
        const Path again(walked.begin() + std::ptrdiff_t(k), walked.begin() + std::ptrdiff_t(k + 4));
        walked.insert(walked.begin() + std::ptrdiff_t(k + 4), again.rbegin() + 1, again.rend());
        walked.insert(walked.begin() + std::ptrdiff_t(k + 7), again.begin() + 1, again.end());
      }
      const auto trace = trace_of(mesh, walked);
      REQUIRE(trace);
      CHECK(class_of(*world.graph, *trace) == word);
      // Shortest ways and those over waypoints may choose another corridor: there, too, `short` has their class.
      for (const RouteMethod method : {RouteMethod::shortest, RouteMethod::visibility}) {
        query.method = method;
        Route route, in_corridor;
        std::size_t expansions = 0;
        REQUIRE(plan_by_method(query, waypoints, planner, search, route, expansions) == NoRoute::found);
        const ChainWord other = class_of_route(world, route);
        query.method = RouteMethod::shortest_in_corridor;
        query.clearance = 0.25;
        REQUIRE(planner.plan_along(query, other, in_corridor) == NoRoute::found);
        CHECK(class_of_route(world, in_corridor) == other);
        if (method == RouteMethod::shortest) CHECK(in_corridor.length >= route.length - 1e-6);
        ++compared;
        alike += other == word;
      }
    }
    MESSAGE(std::string(name) << ": " << alike << " of " << compared << " in the class of short");
    CHECK(compared > 40);
  }
}
