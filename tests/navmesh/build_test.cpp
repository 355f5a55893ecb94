// Meshes worked out by hand.
#include "navmesh/build.hpp"

#include <doctest/doctest.h>

#include "navmesh/cells.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;

namespace {

double cells_area(const Mesh& mesh) {
  double sum = 0;
  for (Index cell = 0; cell < mesh.cell_count(); ++cell) sum += cell_area(mesh, cell);
  return sum;
}

}  // namespace

TEST_CASE("a square room has its diagonals") {
  const auto mesh = build(World(box(0, 0, 10, 10)).clean());
  CHECK(mesh->sites.size() == 4);
  CHECK(vertices_of_degree(*mesh, 1) == 4);
  CHECK(vertices_of_degree(*mesh, 4) == 1);
  CHECK(mesh->nodes.size() == 5);
  REQUIRE(mesh->edges.size() == 4);
  for (const Edge& edge : mesh->edges) {
    CHECK(edge.length == doctest::Approx(std::sqrt(50)).epsilon(1e-14));
    CHECK(edge.min_clearance == 0);
  }
  CHECK(mesh->nodes[2].point == Vec2{5, 5});
  CHECK(mesh->nodes[2].clearance == 5);
  CHECK(mesh->passages.empty());
  CHECK(mesh->region_count == 1);
  CHECK(cells_area(*mesh) == doctest::Approx(100).epsilon(1e-12));
}

TEST_CASE("an L-room has one reflex corner and a parabola on each side of it") {
  const auto mesh = build(World({{0, 0}, {10, 0}, {10, 4}, {4, 4}, {4, 10}, {0, 10}}).clean());
  CHECK(mesh->sites.size() == 7);  // six segments, one corner
  CHECK(vertices_of_degree(*mesh, 1) == 5);
  CHECK(cells_area(*mesh) == doctest::Approx(64).epsilon(1e-12));
  const auto corner = std::find_if(mesh->sites.begin(), mesh->sites.end(), [](const Site& s) { return s.is_corner(); });
  REQUIRE(corner != mesh->sites.end());
  CHECK(corner->a == Vec2{4, 4});
  CHECK(corner->cell_count == 2);
}

TEST_CASE("a room with a square pillar has a passage on each side of it") {
  const auto mesh = build(World(box(0, 0, 10, 10)).obstacle(box(4, 4, 6, 6)).clean());
  CHECK(mesh->sites.size() == 12);
  CHECK(vertices_of_degree(*mesh, 1) == 4);
  CHECK(vertices_of_degree(*mesh, 3) == 4);
  CHECK(mesh->edges.size() == 8);
  CHECK(cells_area(*mesh) == doctest::Approx(96).epsilon(1e-12));
  REQUIRE(mesh->passages.size() == 4);
  CHECK(mesh->region_count == 4);
  for (const Passage& p : mesh->passages) {
    CHECK(p.clearance == doctest::Approx(2));
    CHECK(p.region[0] != p.region[1]);
    const bool in_the_middle = std::abs(p.point.x - 5) < 1e-12 || std::abs(p.point.y - 5) < 1e-12;
    CHECK(in_the_middle);
  }
}

TEST_CASE("a single wall has two sides and two ends") {
  const auto mesh = build(World(box(0, 0, 20, 10)).wall({{7, 5}, {13, 5}}).clean());
  CHECK(mesh->sites.size() == 8);
  CHECK(vertices_of_degree(*mesh, 1) == 4);
  CHECK(cells_area(*mesh) == doctest::Approx(200).epsilon(1e-12));
  CHECK(mesh->passages.size() == 4);  // beside each side and each end
}

TEST_CASE("touching corners are two corners of the free space") {
  const auto mesh = build(World(box(0, 0, 12, 12)).obstacle(box(2, 2, 6, 6)).obstacle(box(6, 6, 10, 10)).clean());
  std::size_t at_touch = 0;
  for (const Node& node : mesh->nodes)
    if (node.point == Vec2{6, 6}) {
      ++at_touch;
      CHECK(node.degree == 1);
      CHECK(node.clearance == 0);
    }
  CHECK(at_touch == 2);
  CHECK(cells_area(*mesh) == doctest::Approx(144 - 32).epsilon(1e-12));
}

TEST_CASE("a grid of squares has one vertex of degree 4 at every crossing") {
  World world(box(0, 0, 50, 50));
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y) world.obstacle(box(4 + 9 * x, 4 + 9 * y, 9 + 9 * x, 9 + 9 * y));
  const auto mesh = build(world.clean());
  CHECK(vertices_of_degree(*mesh, 4) == 16);
  CHECK(cells_area(*mesh) == doctest::Approx(2500 - 25 * 25).epsilon(1e-12));
}

TEST_CASE("nested islands are meshes of their own") {
  const auto mesh = build(World(box(0, 0, 30, 30))
                              .obstacle(box(5, 5, 25, 25))
                              .opening(box(10, 10, 20, 20))
                              .obstacle(box(14, 14, 16, 16))
                              .clean());
  CHECK(cells_area(*mesh) == doctest::Approx(900 - 400 + 100 - 4).epsilon(1e-12));
  CHECK(vertices_of_degree(*mesh, 1) == 8);
}

TEST_CASE("wall junctions have a corner in each free wedge") {
  const auto mesh = build(
      World(box(0, 0, 20, 20)).wall({{5, 10}, {15, 10}}).wall({{10, 5}, {10, 15}}).wall({{10, 10}, {14, 14}}).clean());
  std::size_t at_junction = 0;
  for (const Node& node : mesh->nodes) at_junction += node.point == Vec2{10, 10};
  CHECK(at_junction == 5);
  CHECK(cells_area(*mesh) == doctest::Approx(400).epsilon(1e-12));
}

TEST_CASE("nothing walkable is an empty mesh") {
  const auto mesh = build(World(box(0, 0, 10, 10)).obstacle(box(-1, -1, 11, 11)).clean());
  CHECK(mesh->sites.empty());
  CHECK(mesh->arcs.empty());
  CHECK(mesh->region_count == 0);
}
