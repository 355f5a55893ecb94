// A node as a function of its sites: the same bits from every guess.
#include "navmesh/node_of_sites.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "environment/generate/random_scenes.hpp"
#include "navmesh/axis_draft.hpp"
#include "navmesh/boost_voronoi.hpp"
#include "navmesh/medial_axis.hpp"
#include "support/random.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;

namespace {

struct NodeSites {
  Vec2 guess;
  double clearance;
  std::vector<const BoundarySite*> sites;
};

/// Every node of a layer's axis with the sites of the arcs that meet there.
std::vector<NodeSites> nodes_of(const Boundary& boundary, const MedialAxis& axis) {
  std::vector<NodeSites> nodes;
  for (const DraftNode& node : axis.nodes) nodes.push_back({node.point, node.clearance, {}});
  for (const DraftArc& arc : axis.arcs)
    for (const Index node : arc.node)
      for (const Index site : arc.site) nodes[node].sites.push_back(&boundary.sites[site]);
  for (NodeSites& node : nodes) {
    std::sort(node.sites.begin(), node.sites.end(), [](const BoundarySite* l, const BoundarySite* r) {
      return l->a != r->a ? l->a < r->a : l->b != r->b ? l->b < r->b : l < r;
    });
    node.sites.erase(std::unique(node.sites.begin(), node.sites.end()), node.sites.end());
  }
  std::erase_if(nodes, [](const NodeSites& node) { return node.clearance == 0; });
  return nodes;
}

BoundarySite corner(std::int32_t x, std::int32_t y) {
  BoundarySite site;
  site.a = site.b = {x, y};
  return site;
}

BoundarySite segment(geometry::GridPoint a, geometry::GridPoint b) {
  BoundarySite site;
  site.a = a, site.b = b;
  return site;
}

}  // namespace

TEST_CASE("nodes of random scenes: guesses that differ by rounding give the same bits, equidistant from all sites") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  std::size_t tried = 0, moved = 0;
  for (const environment::SceneKind kind : {environment::SceneKind::rotated_rectangles, environment::SceneKind::stars,
                                            environment::SceneKind::cocircular, environment::SceneKind::wall_maze}) {
    CAPTURE(std::string(environment::name_of(kind)));
    const auto world = environment::clean(environment::random_scene(random.next() % 1000, kind));
    REQUIRE(world.ok());
    const Boundary boundary = boundary_of(*world, 0);
    const auto diagram = BoostVoronoi().generate(boundary.segments);
    REQUIRE(diagram.ok());
    const MedialAxis axis = medial_axis_of(boundary, *diagram, 0);
    REQUIRE_MESSAGE(axis.fault.empty(), axis.fault);
    for (const NodeSites& node : nodes_of(boundary, axis)) {
      const NodePlace place = node_of_sites(node.sites, node.guess);
      CHECK(length(place.point - node.guess) <= 4 * vertex_tolerance);
      for (const BoundarySite* site : node.sites)
        CHECK(std::abs(length(place.point - nearest_on(*site, place.point)) - place.clearance) <= 4 * vertex_tolerance);
      const Vec2 off{random.uniform(-1, 1) * 0x1p-26, random.uniform(-1, 1) * 0x1p-26};
      const NodePlace again = node_of_sites(node.sites, node.guess + off);
      CHECK(again.point == place.point);
      CHECK(again.clearance == place.clearance);
      moved += place.point != node.guess;
      ++tried;
    }
  }
  CHECK(tried > 500);
  CHECK(moved > 0);  // what the sweep gives is not it
}

TEST_CASE("a segment gives way to its end on the line across it: exactly, whatever the guess") {
  const BoundarySite wall = segment({0, 0}, {8, 0}), end = corner(8, 0), far = corner(8, 10);
  const BoundarySite* sites[] = {&wall, &end, &far};
  for (const Vec2 guess : {Vec2{8, 5}, Vec2{8.001, 4.999}}) {
    const NodePlace place = node_of_sites(sites, guess);
    CHECK(place.point == Vec2{8, 5});
    CHECK(place.clearance == 5);
  }
  const BoundarySite opposite = segment({20, 9}, {-20, 9});
  const BoundarySite* between[] = {&wall, &end, &opposite};
  CHECK(node_of_sites(between, {8, 4}).point == Vec2{8, 4.5});
}

TEST_CASE("three corners: the centre of their circle") {
  const BoundarySite a = corner(0, 0), b = corner(0, 7), c = corner(3, 0);
  const BoundarySite* sites[] = {&a, &b, &c};
  const NodePlace place = node_of_sites(sites, {1.5 + 1e-9, 3.5 - 1e-9});
  CHECK(place.point == Vec2{1.5, 3.5});
  CHECK(place.clearance == doctest::Approx(std::sqrt(14.5)).epsilon(1e-15));
}
