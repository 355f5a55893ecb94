// Obstacles and the order of passages: held to the rings and walls of the cleaned environment, to cut plans, and to their laws.
#include "navmesh/obstacles.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "environment/generate/random_scenes.hpp"
#include "navmesh/obstacle_names.hpp"
#include "navmesh/world.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;

namespace {

/// Groups of boundary edges of one layer without connections, by nothing but rings and walls: pieces that share a vertex and a free wedge there
/// are one. Here by the coarser rule that what shares a vertex is one, which is the same where no vertex pinches the free space.
std::size_t components_of(const environment::CleanLayer& layer, bool& pinched) {
  std::map<geometry::GridPoint, std::size_t> parent_of;
  std::vector<std::size_t> parent;
  std::map<geometry::GridPoint, int> times;
  const auto id = [&](geometry::GridPoint p) {
    const auto [at, is_new] = parent_of.try_emplace(p, parent.size());
    if (is_new) parent.push_back(at->second);
    return at->second;
  };
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  const auto join = [&](geometry::GridPoint p, geometry::GridPoint q) {
    const std::size_t a = root(id(p)), b = root(id(q));
    parent[a] = b;
  };
  for (const auto& polygon : layer.free) {
    const auto ring = [&](const geometry::GridRing& points) {
      for (std::size_t i = 0; i < points.size(); ++i)
        join(points[i], points[(i + 1) % points.size()]), ++times[points[i]];
    };
    ring(polygon.outer);
    for (const auto& hole : polygon.holes) ring(hole);
  }
  for (const auto& [point, count] : times) pinched = pinched || count > 1;
  for (const environment::Wall& wall : layer.walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i) join(wall.points[i - 1], wall.points[i]);
  std::set<std::size_t> roots;
  for (std::size_t i = 0; i < parent.size(); ++i) roots.insert(root(i));
  return roots.size();
}

/// Whether a closed wall or walls between rings divide the free space: then one piece of boundary has two sides that never meet.
std::size_t parts_of(const Mesh& mesh) {
  std::vector<Index> parent(mesh.node_count());
  for (Index i = 0; i < parent.size(); ++i) parent[i] = i;
  const auto root = [&](Index i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  for (const Edge& edge : mesh.all_edges()) parent[root(edge.to)] = root(edge.from);
  std::set<Index> roots;
  for (const Edge& edge : mesh.all_edges()) roots.insert(root(edge.from));
  return roots.size();
}

std::size_t inner_count(const Obstacles& obstacles) {
  std::size_t count = 0;
  for (Index i = 0; i < obstacles.count(); ++i) count += obstacles.is_inner(i);
  return count;
}

void check_laws(const Mesh& mesh, const Obstacles& obstacles) {
  const Problems problems = validate_obstacles(mesh, obstacles);
  CHECK_MESSAGE(problems.empty(), (problems.empty() ? "" : to_string(problems[0])));
}

}  // namespace

TEST_CASE("obstacles: a hall with two pillars has an outer one and two inner ones, with outline, turning and place") {
  const MeshPtr mesh = build(World(box(0, 0, 20, 10)).obstacle(box(4, 4, 6, 6)).obstacle(box(12, 3, 14, 7)).clean());
  const Obstacles obstacles(*mesh);
  check_laws(*mesh, obstacles);
  REQUIRE(obstacles.count() == 3);
  CHECK(inner_count(obstacles) == 2);
  for (Index i = 0; i < 3; ++i) {
    CHECK(obstacles.outline(i).size() == 4);
    CHECK(obstacles[i].turning == (obstacles.is_inner(i) ? -1 : 1));
    if (obstacles.is_inner(i)) CHECK(obstacles.nearest(*mesh, obstacles[i].at) == i);
  }
  CHECK(obstacles.nearest(*mesh, {{5, 3.9}, 0}) == obstacles.nearest(*mesh, {{5, 5}, 0}));
  CHECK(obstacles.nearest(*mesh, {{5, 5}, 0}) != obstacles.nearest(*mesh, {{13, 5}, 0}));
  CHECK_FALSE(obstacles.is_inner(obstacles.nearest(*mesh, {{1, 0.1}, 0})));
}

TEST_CASE("obstacles: thin walls turn once, courtyards have an outer obstacle of their own, what touches is one") {
  const MeshPtr mesh = build(World(box(0, 0, 30, 20))
                                 .wall({{5, 5}, {5, 15}, {8, 15}})
                                 .obstacle(box(12, 4, 22, 14))
                                 .opening(box(15, 7, 19, 11))
                                 .obstacle(box(24, 4, 26, 6))
                                 .obstacle(box(26, 6, 28, 8))
                                 .clean());
  const Obstacles obstacles(*mesh);
  check_laws(*mesh, obstacles);
  CHECK(inner_count(obstacles) == 3);
  const auto at = [&](double x, double y) { return obstacles.nearest(*mesh, {{x, y}, 0}); };
  CHECK(obstacles[at(5, 10)].turning == -1);
  CHECK(at(5.1, 10) == at(4.9, 10));
  CHECK(at(24, 5) == at(28, 7));
}

TEST_CASE("obstacles: a wall that ends at the hall's is part of it; doors have one wall at both ends") {
  const MeshPtr mesh = build(World(box(0, 0, 20, 10)).wall({{10, 0}, {10, 4}}).wall({{10, 6}, {10, 10}}).clean());
  const Obstacles obstacles(*mesh);
  check_laws(*mesh, obstacles);
  REQUIRE(obstacles.count() == 1);
  CHECK(obstacles[0].is_outer());
  for (Index p = 0; p < 2 * obstacles.passage_count(); ++p) CHECK(obstacles.left(p) == obstacles.right(p));
}

TEST_CASE("obstacles: an off-centre pillar in a round hall has at least two passages around it") {
  Ring round;
  for (int i = 0; i < 24; ++i)
    round.push_back({10 * std::cos((i + 0.5) * 0.2617993878), 10 * std::sin((i + 0.5) * 0.2617993878)});
  const MeshPtr mesh = build(World(round).obstacle({{4, 0}, {5, -1}, {6, 0}, {5, 1}}).clean());
  const Obstacles obstacles(*mesh);
  check_laws(*mesh, obstacles);
  std::size_t around = 0;
  for (Index p = 0; p < 2 * obstacles.passage_count(); ++p)
    around += obstacles.left(p) != obstacles.right(p) && obstacles.is_inner(obstacles.left(p));
  CHECK(around >= 2);
}

TEST_CASE("obstacles: passages in order around a region, both hands") {
  // Two pillars abreast, far from the walls north and south: three passages lead north, four along the walls.
  const MeshPtr mesh = build(World(box(0, 0, 12, 12)).obstacle(box(3, 5, 4, 7)).obstacle(box(8, 5, 9, 7)).clean());
  const Obstacles obstacles(*mesh);
  check_laws(*mesh, obstacles);
  const Index left = obstacles.nearest(*mesh, {{3.5, 6}, 0}), right = obstacles.nearest(*mesh, {{8.5, 6}, 0});
  /// The passage between two obstacles nearest to a point, so directed that the first is on the left.
  const auto between = [&](Index on_left, Index on_right, Vec2 near) {
    Index best = none;
    for (Index p = 0; p < 2 * obstacles.passage_count(); ++p)
      if (obstacles.left(p) == on_left && obstacles.right(p) == on_right &&
          (best == none || squared_length(obstacles.passage(p / 2).point - near) <
                               squared_length(obstacles.passage(best / 2).point - near)))
        best = p;
    REQUIRE(best != none);
    return best;
  };
  const Index outer = obstacles.nearest(*mesh, {{0, 0}, 0});
  const Index middle = between(left, right, {6, 6});
  // North through the middle, the left hand on the left pillar: around its north end, west between it and the wall.
  const Index west = between(left, outer, {3.5, 9.5}), east = between(outer, right, {8.5, 9.5});
  CHECK(obstacles.next_left(middle) == west);
  CHECK(obstacles.next_right(middle) == east);
  // From the middle to the east, on the left hand lie the passage west and nothing else; on the right hand nothing.
  std::vector<Index> passed;
  obstacles.for_each_passed_by(middle, east, true, [&](Index p) { passed.push_back(p); });
  CHECK(passed == std::vector<Index>{west});
  passed.clear();
  obstacles.for_each_passed_by(middle, east, false, [&](Index p) { passed.push_back(p); });
  CHECK(passed.empty());
}

TEST_CASE("obstacles: in random scenes they are the rings and walls of the cleaned environment, and keep their laws") {
  int compared = 0, widened = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (const environment::SceneKind kind : environment::all_scene_kinds) {
      const std::uint64_t of = test_seed() + seed;
      CAPTURE(of);
      CAPTURE(environment::name_of(kind));
      const auto clean = environment::clean(environment::random_scene(of, kind));
      if (!clean.ok()) continue;
      const auto built = build_mesh(*clean);
      if (!built.ok()) continue;
      const Mesh& mesh = **built;
      const Obstacles obstacles(mesh);
      check_laws(mesh, obstacles);
      widened += obstacles.passage_count() > mesh.passage_count();
      if (clean->layers.size() != 1) continue;
      bool pinched = false;
      const std::size_t expected = components_of(clean->layers[0], pinched);
      if (pinched || parts_of(mesh) != 1) continue;
      ++compared;
      CHECK(obstacles.count() == expected);
      CHECK(inner_count(obstacles) + 1 == expected);
    }
  CHECK(compared > 50);
  MESSAGE(widened << " scenes with a ring that has one passage only");
}

TEST_CASE("obstacles: names of features, of two that touch, of one that vanished; what is nothing to pass is refused") {
  environment::Environment plan = World(box(0, 0, 20, 10)).environment();
  const auto add = [&](Ring ring, std::string name, std::string id) {
    plan.features.push_back({.kind = Kind::obstacle, .polygons = {{std::move(ring), {}}}, .name = name, .id = id});
  };
  add(box(4, 4, 6, 6), "kiosk", "");
  add(box(6, 4, 8, 6), "", "stall");
  add(box(4.5, 4.5, 5.5, 5.5), "safe", "");
  add(box(0, 8, 3, 10), "counter", "");
  add(box(14, 4, 15, 5), "post", "");
  const auto clean = environment::clean(plan);
  REQUIRE(clean.ok());
  const MeshPtr mesh = build(*clean);
  const Obstacles obstacles(*mesh);
  const ObstacleNames names(*mesh, obstacles, plan);
  const auto find = [&](const std::string& name) {
    return find_obstacles(*mesh, obstacles, names, {name, {}, "'" + name + "'"}, "here");
  };
  REQUIRE(find("kiosk").ok());
  CHECK(*find("kiosk") == *find("stall"));
  CHECK(*find("kiosk") != *find("post"));
  CHECK(names.name_of((*find("kiosk"))[0]) == "kiosk");
  CHECK(find("safe").problems()[0].message.find("nothing to pass") == 0);
  CHECK(find("counter").problems()[0].message.find("nothing to pass") == 0);
  CHECK(find("kisok").problems()[0].message.find("did you mean 'kiosk'") != std::string::npos);
  CHECK(*find_obstacles(*mesh, obstacles, names, {"", {{14.5, 4.5}, 0}, "14.5,4.5"}, "here") == *find("post"));
  CHECK_FALSE(find_obstacles(*mesh, obstacles, names, {"", {{19.9, 1}, 0}, "19.9,1"}, "here").ok());
}
