// Local repair as what it is: taking any site out of a diagram. Removing an obstacle must give the mesh without it.
#include "navmesh/repair.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "navmesh/boost_voronoi.hpp"
#include "navmesh/graph.hpp"
#include "navmesh/medial_axis.hpp"
#include "support/random.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;

namespace {

AxisDraft draft_of(const CleanEnvironment& world) {
  const Boundary boundary = boundary_of(world, 0);
  const auto diagram = BoostVoronoi().generate(boundary.segments);
  REQUIRE(diagram.ok());
  MedialAxis axis = medial_axis_of(boundary, *diagram, 0);
  REQUIRE_MESSAGE(axis.fault.empty(), axis.fault);
  AxisDraft draft;
  for (const BoundarySite& site : boundary.sites) draft.sites.push_back({site, false});
  draft.nodes = std::move(axis.nodes);
  draft.arcs = std::move(axis.arcs);
  return draft;
}

Mesh assembled(const AxisDraft& draft, const CleanEnvironment& world) {
  Mesh mesh;
  mesh.grid = world.grid;
  const std::string fault = assemble_graph(draft, mesh);
  REQUIRE_MESSAGE(fault.empty(), fault);
  return mesh;
}

/// Sites whose ends are corners of this ring.
std::vector<Index> sites_of_ring(const AxisDraft& draft, const environment::GridRing& ring) {
  const std::set<geometry::GridPoint> corners(ring.begin(), ring.end());
  std::vector<Index> found;
  for (Index i = 0; i < draft.sites.size(); ++i)
    if (corners.contains(draft.sites[i].a)) found.push_back(i);
  return found;
}

/// The hash of what an axis alone decides: repaired drafts have no passages.
std::uint64_t bits_of(Mesh mesh) {
  mesh.passages.clear();
  return mesh.hash();
}

void check_same_mesh(const Mesh& repaired, const Mesh& built) {
  CHECK(repaired.sites.size() == built.sites.size());
  CHECK(repaired.edges.size() == built.edges.size());
  REQUIRE(repaired.arcs.size() == built.arcs.size());
  REQUIRE(repaired.nodes.size() == built.nodes.size());
  const double tolerance = 1e-8 * extent(built);
  for (const Node& node : built.nodes)
    CHECK(std::any_of(repaired.nodes.begin(), repaired.nodes.end(), [&](const Node& n) {
      return squared_length(n.point - node.point) <= tolerance * tolerance && n.degree == node.degree &&
             std::abs(n.clearance - node.clearance) <= tolerance;
    }));
  CHECK(bits_of(repaired) == bits_of(built));
}

/// Pillars on a wide grid, turned and shifted, so that none touch.
std::vector<Ring> scattered(Random& random, int columns, int rows) {
  std::vector<Ring> rings;
  for (int x = 0; x < columns; ++x)
    for (int y = 0; y < rows; ++y) {
      const Vec2 c{6.0 * x + 5 + random.uniform(-1, 1), 6.0 * y + 5 + random.uniform(-1, 1)};
      const double size = random.uniform(0.3, 1.8);
      if (random.chance(0.4))
        rings.push_back(box(c.x - size, c.y - size, c.x + size, c.y + size));
      else
        rings.push_back(
            {c, c + Vec2{size, random.uniform(-size, size) / 2}, c + Vec2{random.uniform(-size, size) / 2, size}});
    }
  return rings;
}

World hall(const std::vector<Ring>& rings, std::size_t without, double width, double height) {
  World world(box(0, 0, width, height));
  for (std::size_t i = 0; i < rings.size(); ++i)
    if (i != without) world.obstacle(rings[i]);
  return world;
}

}  // namespace

TEST_CASE("removing an obstacle by repair gives the mesh without it") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  for (int round = 0; round < 12; ++round) {
    const int columns = int(random.whole(1, 4)), rows = int(random.whole(1, 3));
    const std::vector<Ring> rings = scattered(random, columns, rows);
    const double width = 6.0 * columns + 4, height = 6.0 * rows + 4;
    const CleanEnvironment full = hall(rings, rings.size(), width, height).clean();
    for (std::size_t i = 0; i < rings.size(); ++i) {
      CAPTURE(round);
      CAPTURE(i);
      const CleanEnvironment expected = hall(rings, i, width, height).clean();
      environment::GridRing corners;
      for (const Vec2 p : rings[i]) corners.push_back(full.grid.snap(p));
      AxisDraft draft = draft_of(full);
      AxisEditor editor(draft);
      RepairTask task;
      task.removed = sites_of_ring(draft, corners);
      task.layer_at = [](Vec2) { return Index{0}; };
      REQUIRE(task.removed.size() == 2 * corners.size());
      const std::string fault = repair(editor, task);
      REQUIRE_MESSAGE(fault.empty(), fault);
      check_same_mesh(assembled(draft, full), *build(expected));
    }
  }
}

TEST_CASE("removing every obstacle of a hall, one after the other, leaves the empty hall") {
  Random random(test_seed());
  const std::vector<Ring> rings = scattered(random, 5, 4);
  const CleanEnvironment full = hall(rings, rings.size(), 34, 28).clean();
  AxisDraft draft = draft_of(full);
  AxisEditor editor(draft);
  for (const Ring& ring : rings) {
    environment::GridRing corners;
    for (const Vec2 p : ring) corners.push_back(full.grid.snap(p));
    RepairTask task;
    task.removed = sites_of_ring(draft, corners);
    task.layer_at = [](Vec2) { return Index{0}; };
    const std::string fault = repair(editor, task);
    REQUIRE_MESSAGE(fault.empty(), fault);
  }
  check_same_mesh(assembled(draft, full), *build(World(box(0, 0, 34, 28)).clean()));
}

TEST_CASE("a repair that cannot be done says so and changes nothing") {
  const CleanEnvironment world = World(box(0, 0, 20, 10)).obstacle(box(8, 4, 10, 6)).clean();
  AxisDraft draft = draft_of(world);
  const AxisDraft before = draft;
  AxisEditor editor(draft);
  RepairTask task;
  task.removed = {0};  // a wall of the room: what lies behind it is unbounded
  task.layer_at = [](Vec2) { return Index{0}; };
  CHECK(!repair(editor, task).empty());
  CHECK(draft.nodes.size() == before.nodes.size());
  CHECK(draft.arcs.size() == before.arcs.size());
  for (std::size_t i = 0; i < draft.arcs.size(); ++i) CHECK(draft.arcs[i].node[0] == before.arcs[i].node[0]);
}
