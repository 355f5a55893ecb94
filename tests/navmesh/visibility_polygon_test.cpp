#include "navmesh/visibility_polygon.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "navmesh/on_scenes.hpp"
#include "navmesh/visibility.hpp"
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

void check_views(const Scene& scene, int views, std::uint64_t seed) {
  INFO("scene: " << scene.name);
  const BruteForce brute(scene.world);
  Random random(seed);
  VisibilityPolygon polygon;
  for (int i = 0; i < views; ++i) {
    const Vec2 p = test::walkable_point(scene, brute, random, 1e-6);
    CAPTURE(p.x);
    CAPTURE(p.y);
    REQUIRE(polygon.compute(*scene.mesh, {p, 0}));
    const double whole = (brute.max().x - brute.min().x) * (brute.max().y - brute.min().y);
    CHECK(std::abs(polygon.area() - brute.visible_area(p)) <= 1e-6 * whole);
    std::size_t hidden = 0, backwards = 0;
    const auto& vertices = polygon.vertices();
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      const Vec2 v = vertices[k].point, next = vertices[(k + 1) % vertices.size()].point;
      hidden += !visible(*scene.mesh, {p, 0}, {p + (v - p) * (1 - 1e-7), 0}, 0);
      backwards += cross(v - p, next - p) < -1e-7 * whole;
    }
    CHECK(hidden == 0);
    CHECK(backwards == 0);
  }
}

}  // namespace

TEST_CASE("what is seen has the area that rays sweep, on random worlds") {
  test::on_random_worlds(25, [](const Scene& scene, std::uint64_t seed) { check_views(scene, 12, seed); });
}

TEST_CASE("what is seen has the area that rays sweep, on degenerate worlds") {
  test::on_degenerate_worlds([](const Scene& scene, std::uint64_t seed) { check_views(scene, 40, seed); });
}

TEST_CASE("what is seen has the area that rays sweep, on every kind of scene and on real plans") {
  test::on_every_kind_of_scene([](const Scene& scene, std::uint64_t seed) { check_views(scene, 3, seed); });
  test::on_real_plans({"kaiserslautern.geojson"},
                      [](const Scene& scene, std::uint64_t seed) { check_views(scene, 4, seed); });
}

TEST_CASE("an empty room is seen whole, from anywhere in it") {
  const std::vector<environment::Environment> worlds = test::degenerate_worlds();
  const Scene room = make_scene("an empty room", worlds[6]);
  VisibilityPolygon polygon;
  // Inside, on an axis, in the middle where all of them meet, on a wall, in a corner.
  for (const Vec2 p : {Vec2{1, 3}, Vec2{2, 2}, Vec2{4, 4}, Vec2{0, 3}, Vec2{0, 0}, Vec2{8, 8}, Vec2{4, 8}}) {
    CAPTURE(p.x);
    CAPTURE(p.y);
    REQUIRE(polygon.compute(*room.mesh, {p, 0}));
    CHECK(polygon.area() == doctest::Approx(64));
    CHECK(polygon.vertices().size() <= 8);
  }
  CHECK(!polygon.compute(*room.mesh, {{9, 9}, 0}));
  CHECK(polygon.vertices().empty());
}

TEST_CASE("within a range the view is the same as without") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  const Scene scene = make_scene("random world", test::random_world(seed + 3));
  const BruteForce brute(scene.world);
  Random random(seed);
  VisibilityPolygon near;
  for (int i = 0; i < 50; ++i) {
    const Vec2 p = test::walkable_point(scene, brute, random, 1e-6);
    const double range = random.uniform(0.5, 10);
    REQUIRE(near.compute(*scene.mesh, {p, 0}, range));
    for (const VisibilityPolygon::Vertex& v : near.vertices()) {
      const double distance = std::sqrt(squared_length(v.point - p));
      if (v.site == none)
        CHECK(distance >= range - 1e-9);
      else
        CHECK(visible(*scene.mesh, {p, 0}, {p + (v.point - p) * (1 - 1e-7), 0}, 0));
    }
  }
}
