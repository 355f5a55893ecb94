#include "navmesh/queries.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "navmesh/arc.hpp"
#include "navmesh/visibility_polygon.hpp"
#include "support/brute_force.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::navmesh;
using throng::test::BruteForce;
using throng::test::make_scene;
using throng::test::Random;
using throng::test::Scene;

namespace {

Scene random_scene(std::uint64_t seed) {
  return make_scene("random world " + std::to_string(seed), test::random_world(seed));
}

template <class Check>
void at_random_places(const Scene& scene, int count, std::uint64_t seed, const Check& check) {
  INFO("scene: " << scene.name);
  const BruteForce brute(scene.world);
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const Vec2 p{random.uniform(brute.min().x, brute.max().x), random.uniform(brute.min().y, brute.max().y)};
    CAPTURE(p.x);
    CAPTURE(p.y);
    if (brute.walkable(p))
      check(brute, p, random);
    else
      CHECK(!clearance(*scene.mesh, {p, 0}));
  }
}

}  // namespace

TEST_CASE("retraction leads straight away from the nearest obstacle point to a point with two nearest ones") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Scene scene = random_scene(seed + i);
    at_random_places(scene, 300, seed + i, [&](const BruteForce& brute, Vec2 p, Random&) {
      const Located located = locate(*scene.mesh, {p, 0});
      const auto found = retract(*scene.mesh, Place{p, 0});
      REQUIRE(found);
      const double tolerance = 1e-9 * brute.extent();
      CHECK(std::abs(brute.clearance(found->point) - found->clearance) < tolerance);
      CHECK(length(found->point - located.nearest) == doctest::Approx(found->clearance).epsilon(1e-9));
      CHECK(length(found->point - p) + located.clearance == doctest::Approx(found->clearance).epsilon(1e-9));
      for (const Index site : scene.mesh->arcs[found->arc].site)
        CHECK(std::abs(length(found->point - nearest_on(scene.mesh->sites[site], found->point)) - found->clearance) <
              1e3 * tolerance);
      CHECK(scene.mesh->arcs[found->arc].edge == found->edge);
    });
  }
}

TEST_CASE("points of the axis retract to themselves") {
  for (const environment::Environment& world : test::degenerate_worlds()) {
    const Scene scene = make_scene(world.source, world);
    INFO("scene: " << scene.name);
    for (Index arc = 0; arc < scene.mesh->arcs.size(); ++arc)
      for (const double t : {0.0, 0.3, 0.5, 1.0}) {
        const Vec2 p = ArcCurve(*scene.mesh, arc).point(t);
        const auto found = retract(*scene.mesh, Place{p, 0});
        CAPTURE(arc);
        CAPTURE(t);
        REQUIRE(found);
        CHECK(length(found->point - p) < 1e-6);
      }
  }
}

TEST_CASE("segments within a radius are within it, sorted, and hold all that is seen") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  NearbySegments nearby;
  VisibilityPolygon view;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Scene scene = random_scene(seed + i);
    at_random_places(scene, 100, seed + i, [&](const BruteForce&, Vec2 p, Random& random) {
      const double radius = random.uniform(0.1, 8);
      const auto found = nearby.compute(*scene.mesh, {p, 0}, radius);
      CHECK(std::is_sorted(found.begin(), found.end(),
                           [](const auto& a, const auto& b) { return a.distance < b.distance; }));
      std::set<Index> sites;
      for (const NearbySegments::Segment& s : found) {
        CHECK(s.distance <= radius);
        CHECK(s.distance ==
              doctest::Approx(test::distance_to_segment(p, scene.mesh->sites[s.site].a, scene.mesh->sites[s.site].b)));
        CHECK(sites.insert(s.site).second);
      }
      REQUIRE(view.compute(*scene.mesh, {p, 0}));
      for (const VisibilityPolygon::Vertex& v : view.vertices())
        if (length(v.point - p) < radius - 1e-9) CHECK(sites.count(v.site) == 1);
      const Located located = locate(*scene.mesh, {p, 0});
      CHECK(found.empty() == (located.clearance > radius));
      if (!found.empty()) CHECK(found.front().distance == doctest::Approx(located.clearance));
    });
  }
}

TEST_CASE("in a room every wall is near, nearest first") {
  const std::vector<environment::Environment> worlds = test::degenerate_worlds();
  const Scene room = make_scene("an empty room", worlds[6]);
  NearbySegments nearby;
  CHECK(nearby.compute(*room.mesh, {{1, 3}, 0}, 0.9).empty());
  CHECK(nearby.compute(*room.mesh, {{1, 3}, 0}, 1.1).size() == 1);
  const auto all = nearby.compute(*room.mesh, {{1, 3}, 0}, 7.5);
  REQUIRE(all.size() == 4);
  CHECK(all[0].distance == doctest::Approx(1));
  CHECK(all[1].distance == doctest::Approx(3));
  CHECK(all[2].distance == doctest::Approx(5));
  CHECK(all[3].distance == doctest::Approx(7));
  CHECK(nearby.compute(*room.mesh, {{9, 3}, 0}, 100).empty());
}

TEST_CASE("passages part the regions they say they part") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Scene scene = random_scene(seed + i);
    INFO("scene: " << scene.name);
    const Mesh& mesh = *scene.mesh;
    const Regions regions(mesh);
    CHECK(regions.count() == mesh.region_count);
    std::size_t ways = 0;
    for (Index region = 0; region < regions.count(); ++region) {
      ways += regions.ways_out(region).size();
      for (const Index way : regions.ways_out(region)) CHECK(mesh.passages[way / 2].region[way % 2] == region);
    }
    CHECK(ways == 2 * mesh.passages.size());
    for (const Passage& passage : mesh.passages) {
      const Vec2 across = passage.left - passage.right;
      const Vec2 step = perpendicular(across) * (1e-6 / length(across));
      for (const double side : {0.2, 0.8}) {
        const Vec2 p = passage.right + across * side;
        const Located behind = locate(mesh, {p + step, 0}), ahead = locate(mesh, {p - step, 0});
        REQUIRE(behind);
        REQUIRE(ahead);
        CHECK(regions.of(mesh, behind.cell, p + step) == passage.region[0]);
        CHECK(regions.of(mesh, ahead.cell, p - step) == passage.region[1]);
      }
    }
  }
}
