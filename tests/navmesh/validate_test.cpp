#include "navmesh/validate.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "environment/generate/generate_city.hpp"
#include "navmesh/locate.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;

namespace {

std::string all(const Problems& problems) {
  std::string text;
  for (const Problem& p : problems) text += to_string(p) + "\n";
  return text;
}

void check_valid(const Scene& scene) {
  INFO("scene: " << scene.name);
  const Problems problems = validate(*scene.mesh, scene.world);
  CHECK_MESSAGE(problems.empty(), all(problems));
}

/// Whether validate() names this law once the mesh has been damaged.
bool finds(int law, const std::function<void(Mesh&)>& damage) {
  const CleanEnvironment world = World(box(0, 0, 40, 30))
                                     .obstacle(box(5, 5, 12, 12))
                                     .obstacle({{20, 10}, {33, 14}, {22, 22}})
                                     .wall({{3, 20}, {12, 24}})
                                     .clean();
  Mesh mesh = *build(world);
  REQUIRE(validate(mesh, world).empty());
  damage(mesh);
  const std::string found = all(validate(mesh, world));
  return found.find("law " + std::to_string(law) + ":") != std::string::npos;
}

Index inner_node(const Mesh& mesh) {
  for (Index i = 0; i < mesh.nodes.size(); ++i)
    if (mesh.nodes[i].degree == 0) return i;
  return none;
}

}  // namespace

TEST_CASE("degenerate worlds are valid") {
  for (const auto& world : degenerate_worlds()) check_valid(make_scene(world.source, world));
}

TEST_CASE("random worlds are valid") {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    check_valid(make_scene("random " + std::to_string(seed), random_world(seed)));
}

TEST_CASE("long: two hundred random worlds are valid") {
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    check_valid(make_scene("random " + std::to_string(seed), random_world(1000 + seed)));
}

TEST_CASE("a city is valid") {
  check_valid(make_scene("city", environment::generate_city(environment::city_of_vertices(2000))));
}

TEST_CASE("every law is seen to be broken") {
  SUBCASE("1") {
    CHECK(finds(1, [](Mesh& m) { m.arcs[3].to = Index(m.nodes.size()); }));
  }
  SUBCASE("1: not head to tail") {
    CHECK(finds(1, [](Mesh& m) { std::swap(m.arcs[3].from, m.arcs[3].to); }));
  }
  SUBCASE("2") {
    CHECK(finds(2, [](Mesh& m) { m.nodes[inner_node(m)].point.x += 1e-6; }));
  }
  SUBCASE("3") {
    CHECK(finds(3, [](Mesh& m) {
      for (Node& n : m.nodes) n.clearance *= 1.5;
    }));
  }
  SUBCASE("4") {
    CHECK(finds(4, [](Mesh& m) { std::swap(m.arcs[5].site[0], m.arcs[11].site[0]); }));
  }
  SUBCASE("5") {
    CHECK(finds(5, [](Mesh& m) {
      for (const Site& s : m.sites)
        if (s.cell_count > 2) return std::swap(m.site_cells[s.first_cell], m.site_cells[s.first_cell + 1]);
    }));
  }
  SUBCASE("6") {
    CHECK(finds(6, [](Mesh& m) { m.nodes[inner_node(m)].point += Vec2{0.01, 0.01}; }));
  }
  SUBCASE("9") {
    CHECK(finds(9, [](Mesh& m) { std::swap(m.edge_ends[0], m.edge_ends[5]); }));
  }
  SUBCASE("10") {
    CHECK(finds(10, [](Mesh& m) {
      for (Node& n : m.nodes)
        if (n.clearance > 0) return void(n.clearance = 0);
    }));
  }
  SUBCASE("11: one missing") {
    CHECK(finds(11, [](Mesh& m) { m.passages.erase(m.passages.begin() + 1); }));
  }
  SUBCASE("11: one moved") {
    CHECK(finds(11, [](Mesh& m) { m.passages[0].point.x += 0.01; }));
  }
  SUBCASE("12") {
    CHECK(finds(12, [](Mesh& m) { std::swap(m.nodes.front().point, m.nodes.back().point); }));
  }
}

TEST_CASE("law 7 is seen to be broken where the free space is joined otherwise") {
  const World room = World(box(0, 0, 40, 30)).obstacle(box(5, 5, 12, 12));
  const auto mesh = build(room.clean());
  const std::string found = all(validate(*mesh, World(room).wall({{12, 8}, {40, 8}}).clean()));
  CHECK(found.find("law 7:") != std::string::npos);
}

TEST_CASE("law 8 is seen to be broken where a cell hides that a connection runs through it") {
  Environment source;
  for (const double x : {0.0, 10.0}) {
    source.layers.push_back({x == 0 ? "west" : "east", {}});
    source.features.push_back(
        {.kind = Kind::walkable, .layer = source.layers.size() - 1, .polygons = {{box(x, 0, x + 10, 8), {}}}});
  }
  source.features.push_back({.kind = Kind::connection, .layer = 0, .other_layer = 1, .lines = {{{10, 2}, {10, 7}}}});
  const auto world = environment::clean(source);
  REQUIRE(world.ok());
  Mesh mesh = *build(*world);
  REQUIRE(validate(mesh, *world).empty());
  mesh.straddles.clear();
  mesh.locator = make_locator(mesh);
  CHECK(all(validate(mesh, *world)).find("law 8:") != std::string::npos);
}

TEST_CASE("a wall that closes off a corner at the end of a connection is no fault") {
  Environment world;
  world.layers = {{"south", {}}, {"north", {}}};
  world.features = {{.kind = Kind::walkable, .layer = 0, .polygons = {{box(0, 0, 10, 3), {}}}},
                    {.kind = Kind::walkable, .layer = 1, .polygons = {{box(0, 3, 10, 6), {}}}},
                    {.kind = Kind::connection, .layer = 0, .other_layer = 1, .lines = {{{7, 3}, {10, 3}}}},
                    {.kind = Kind::obstacle, .layer = 0, .lines = {{{10, 3}, {9.8, 2.4}, {10.6, 2.8}}}}};
  const auto clean = environment::clean(world);
  REQUIRE(clean.ok());
  const Problems problems = validate(*build(*clean), *clean);
  CHECK_MESSAGE(problems.empty(), (problems.empty() ? "" : to_string(problems[0])));
}
