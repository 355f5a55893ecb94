#include "crowd/motion.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "environment/generate/random_scenes.hpp"
#include "environment/sketch.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"

namespace throng::test {
namespace {

using crowd::move_body;
using crowd::Standing;
using crowd::standing_at;

/// Two rooms side by side with a door of the given width in the thick wall between them.
Scene rooms_with_door(double width) {
  environment::Sketch sketch("door");
  sketch.walkable({environment::rectangle({0, 0}, {20, 10}), {}});
  sketch.obstacle({environment::rectangle({9.5, 0}, {10.5, 5 - width / 2}), {}});
  sketch.obstacle({environment::rectangle({9.5, 5 + width / 2}, {10.5, 10}), {}});
  return make_scene("door", std::move(sketch).take());
}

TEST_CASE("a body in the open ends where it wants to go") {
  const Scene scene = rooms_with_door(1);
  const Standing from = standing_at(*scene.mesh, {{3, 5}, 0});
  const Standing to = move_body(*scene.mesh, from, {0.7, -0.4}, 0.24);
  CHECK(to.place.point == Vec2{3.7, 4.6});
  CHECK(to.clearance == doctest::Approx(3.7));
}

TEST_CASE("a body that walks at a wall slides along it and keeps its radius") {
  const Scene scene = rooms_with_door(1);
  Standing at = standing_at(*scene.mesh, {{3, 0.5}, 0});
  for (int i = 0; i < 10; ++i) at = move_body(*scene.mesh, at, {0.1, -0.2}, 0.24);
  CHECK(at.place.point.y == doctest::Approx(0.24).epsilon(1e-6));
  CHECK(at.place.point.x == doctest::Approx(4).epsilon(0.01));
}

TEST_CASE("a body fits through a door a millimetre wider than itself, in short and in long steps") {
  const Scene scene = rooms_with_door(0.482);
  for (const double step : {0.05, 0.134, 0.7}) {
    Standing at = standing_at(*scene.mesh, {{9, 5.0004}, 0});
    for (double walked = 0; walked < 3; walked += step) at = move_body(*scene.mesh, at, {step, 0.001}, 0.24);
    CHECK_MESSAGE(at.place.point.x > 11, "steps of " << step);
  }
}

TEST_CASE("a body does not get through a door a millimetre narrower than itself") {
  const Scene scene = rooms_with_door(0.478);
  Standing at = standing_at(*scene.mesh, {{9, 5}, 0});
  for (int i = 0; i < 50; ++i) at = move_body(*scene.mesh, at, {0.3, 0.01}, 0.24);
  CHECK(at.place.point.x < 9.5);
}

TEST_CASE("wherever a body is thrown, it keeps its radius and crosses no wall") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    const Scene scene = make_scene(std::string(name_of(kind)), environment::random_scene(random.next(), kind));
    const navmesh::Mesh& mesh = *scene.mesh;
    for (int body = 0; body < 40; ++body) {
      const auto layer = navmesh::Index(random.below(mesh.layers.size()));
      const auto place =
          navmesh::random_point(mesh, layer, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
      if (!place) continue;
      Standing at = standing_at(mesh, *place);
      const double radius = random.uniform(0.05, 0.6);
      if (at.cell == navmesh::none || at.clearance < radius) continue;
      for (int i = 0; i < 30; ++i) {
        const double far = random.chance(0.2) ? 3 : 0.3;
        const Vec2 way{random.uniform(-far, far), random.uniform(-far, far)};
        const Standing to = move_body(mesh, at, way, radius);
        const navmesh::Located check = navmesh::locate(mesh, to.place);
        REQUIRE(check);
        CHECK(check.clearance >= radius - tolerance::wall);
        CHECK(check.clearance == doctest::Approx(to.clearance).epsilon(1e-9));
        CHECK(length(to.place.point - at.place.point) <= length(way) * 1.5 + 0.01);
        if (navmesh::visible(mesh, at.place, {at.place.point + way, to.place.layer}, radius))
          CHECK(length(to.place.point - at.place.point - way) < 1e-5);
        at = to;
      }
    }
  }
}

}  // namespace
}  // namespace throng::test
