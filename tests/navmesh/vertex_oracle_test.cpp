// Boost's diagram against brute force: every point that is equally near to three boundary features and to none nearer is a
// vertex of the mesh, and every vertex is such a point.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "environment/generate/random_scenes.hpp"
#include "navmesh/axis_draft.hpp"
#include "navmesh/bisector.hpp"
#include "navmesh/boundary.hpp"
#include "support/brute_force.hpp"
#include "support/scenes.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;

namespace {

constexpr double tolerance = 1e-5;  ///< grid units

double nearest_of(const std::vector<BoundarySite>& sites, Vec2 p) {
  double nearest = INFINITY;
  for (const BoundarySite& site : sites) nearest = std::min(nearest, distance(site, p));
  return nearest;
}

/// How many different nearest points p has, if p is in front of the first site it is nearest to.
std::size_t nearest_points(const std::vector<BoundarySite>& sites, Vec2 p, double clearance) {
  std::vector<Vec2> feet;
  for (const BoundarySite& site : sites) {
    if (distance(site, p) > clearance + tolerance) continue;
    if (!site.is_corner() && cross(to_vec(site.b) - to_vec(site.a), p - to_vec(site.a)) < 0) continue;
    const Vec2 foot = nearest_on(site, p);
    if (std::none_of(feet.begin(), feet.end(), [&](Vec2 f) { return length(f - foot) <= 1e-2; })) feet.push_back(foot);
  }
  return feet.size();
}

/// Vertices by trying every three sites. The bisector of two may be followed either way, so each pair is tried both ways.
std::vector<Vec2> brute_vertices(const CleanEnvironment& world, const std::vector<BoundarySite>& sites) {
  std::vector<LocalSite> local;
  for (Index i = 0; i < sites.size(); ++i) local.push_back(local_site(sites[i], i));
  std::vector<Vec2> found;
  const BruteForce brute(world);
  for (std::size_t i = 0; i < sites.size(); ++i)
    for (std::size_t j = i + 1; j < sites.size(); ++j) {
      const Bisector bisector(local[i], local[j]);
      if (!bisector.exists()) continue;
      for (std::size_t k = 0; k < sites.size(); ++k) {
        if (k == i || k == j) continue;
        const Bisector::Meetings meetings = bisector.meetings(local[k]);
        for (int m = 0; m < meetings.count; ++m) {
          const Vec2 p =
              equidistant_point(local[i], local[j], local[k], bisector.at(meetings.parameter[std::size_t(m)]));
          if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
          const double clearance = local[i].distance(p);
          if (!(clearance > 1e-3) || std::abs(nearest_of(sites, p) - clearance) > tolerance) continue;
          if (!brute.walkable(world.grid.to_world(p)) || nearest_points(sites, p, clearance) < 3) continue;
          if (std::none_of(found.begin(), found.end(), [&](Vec2 q) { return length(p - q) <= 1e-2; }))
            found.push_back(p);
        }
      }
    }
  return found;
}

void check_vertices(const Scene& scene) {
  INFO("scene: " << scene.name);
  const std::vector<BoundarySite> sites = boundary_of(scene.world, 0).sites;
  if (sites.size() > 90) return;
  std::vector<Vec2> expected = brute_vertices(scene.world, sites), found;
  for (const Node& node : scene.mesh->nodes)
    if (node.degree >= 3) found.push_back(scene.mesh->grid.to_units(node.point));
  CHECK(found.size() == expected.size());
  for (const Vec2 p : expected) {
    CAPTURE(p.x);
    CAPTURE(p.y);
    CHECK(std::any_of(found.begin(), found.end(), [&](Vec2 q) { return length(p - q) <= 1e-2; }));
  }
}

}  // namespace

TEST_CASE("the vertices are those that brute force finds") {
  for (const Environment& world : degenerate_worlds())
    if (world.source.find("comb") == std::string::npos) check_vertices(make_scene(world.source, world));
  int tried = 0;
  for (std::uint64_t seed = 0; tried < 12; ++seed) {
    const Scene scene = make_scene("random " + std::to_string(seed), random_world(seed));
    if (boundary_of(scene.world, 0).sites.size() > 70) continue;
    check_vertices(scene);
    ++tried;
  }
}
