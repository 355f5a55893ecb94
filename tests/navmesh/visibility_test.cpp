#include "navmesh/visibility.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "environment/generate/random_scenes.hpp"
#include "navmesh/on_scenes.hpp"
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

void check_pairs(const Scene& scene, int pairs, std::uint64_t seed) {
  INFO("scene: " << scene.name);
  const BruteForce brute(scene.world);
  Random random(seed);
  int wrong = 0;
  for (int i = 0; i < pairs && wrong < 5; ++i) {
    const Vec2 p = test::walkable_point(scene, brute, random, 1e-7);
    const Vec2 q = random.chance(0.5) ? test::walkable_point(scene, brute, random, 1e-7)
                                      : p + Vec2{random.uniform(-4, 4), random.uniform(-4, 4)};
    const double clear = brute.clearance(p, q);
    const double radius = random.chance(0.3)   ? 0
                          : random.chance(0.5) ? random.uniform(0, 1)
                                               : clear + random.uniform(-1e-6, 1e-6);
    if (std::abs(clear - radius) < 2e-8 && clear > 1e-9) continue;  // a matter of rounding
    const bool crosses = clear < 1e-9;
    // Grazing: a hair to one side the line is free.
    const Vec2 aside = perpendicular(q - p) * (1e-7 / std::sqrt(squared_length(q - p)));
    if (crosses && (brute.clearance(p + aside, q + aside) > 0 || brute.clearance(p - aside, q - aside) > 0)) continue;
    const bool expected = !crosses && clear >= radius;
    const bool seen = visible(*scene.mesh, {p, 0}, {q, 0}, std::max(0.0, radius));
    CAPTURE(p.x);
    CAPTURE(p.y);
    CAPTURE(q.x);
    CAPTURE(q.y);
    CAPTURE(radius);
    CAPTURE(clear);
    const Hit hit = first_hit(*scene.mesh, {p, 0}, q);
    const double length = std::sqrt(squared_length(q - p));
    // Brute force stops at points the line only touches; a hair to either side it does not.
    const Vec2 direction = (q - p) / length;
    const double reach = brute.ray(p, direction);
    const double beyond = std::max({reach, brute.ray(p + aside, direction), brute.ray(p - aside, direction)});
    CHECK(seen == expected);
    if (brute.walkable(q) && brute.clearance(q) > 1e-7)
      CHECK(visible(*scene.mesh, {q, 0}, {p, 0}, std::max(0.0, radius)) == seen);
    CHECK(hit.blocked == crosses);
    if (hit.blocked) {
      const double to_hit = std::sqrt(squared_length(hit.point - p));
      CHECK(to_hit >= reach - 1e-6);
      CHECK(to_hit <= beyond * (1 + 1e-5) + 1e-5);
      CHECK(hit.t == doctest::Approx(to_hit / length));
    }
    wrong += seen != expected || hit.blocked != crosses;
  }
}

}  // namespace

TEST_CASE("disc visibility and first hits equal brute force on random worlds") {
  test::on_random_worlds(40, [](const Scene& scene, std::uint64_t seed) { check_pairs(scene, 500, seed); });
}

TEST_CASE("disc visibility and first hits equal brute force on degenerate worlds") {
  test::on_degenerate_worlds([](const Scene& scene, std::uint64_t seed) { check_pairs(scene, 1000, seed); });
}

TEST_CASE("disc visibility and first hits equal brute force on every kind of scene") {
  test::on_every_kind_of_scene([](const Scene& scene, std::uint64_t seed) { check_pairs(scene, 300, seed); });
}

TEST_CASE("disc visibility and first hits equal brute force on real plans") {
  test::on_real_plans({"kaiserslautern.geojson", "Milan_1_512.poly", "Berlin_0_256.poly"},
                      [](const Scene& scene, std::uint64_t seed) { check_pairs(scene, 400, seed); });
}

TEST_CASE("sliding along a wall and grazing a corner are allowed") {
  const std::vector<environment::Environment> worlds = test::degenerate_worlds();
  const Scene squares = make_scene(worlds[0].source, worlds[0]);
  const Mesh& mesh = *squares.mesh;
  // Past a whole row of squares, exactly along their edges, both ways and on both sides.
  for (const double y : {1.0, 2.0, 5.0, 6.0}) {
    CHECK(visible(mesh, {{0.5, y}, 0}, {{10.5, y}, 0}, 0));
    CHECK(visible(mesh, {{10.5, y}, 0}, {{0.5, y}, 0}, 0));
    CHECK(visible(mesh, {{y, 0.5}, 0}, {{y, 10.5}, 0}, 0));
    CAPTURE(y);
    CHECK(!visible(mesh, {{0.5, y}, 0}, {{10.5, y}, 0}, 1e-3));
  }
  // From corner to corner along one edge, and across a square from corner to corner.
  CHECK(visible(mesh, {{1, 1}, 0}, {{2, 1}, 0}, 0));
  CHECK(visible(mesh, {{2, 1}, 0}, {{1, 1}, 0}, 0));
  CHECK(!visible(mesh, {{1, 1}, 0}, {{2, 2}, 0}, 0));
  // Exactly through the middle of a lane, touching both rows with the disc.
  CHECK(visible(mesh, {{0.5, 2.5}, 0}, {{10.5, 2.5}, 0}, 0.5));
  CHECK(!visible(mesh, {{0.5, 2.5}, 0}, {{10.5, 2.5}, 0}, 0.5001));
  // Diagonally past a corner, and between corners that touch the line from both sides.
  CHECK(visible(mesh, {{0.5, 1.5}, 0}, {{1.5, 0.5}, 0}, 0));
  CHECK(visible(mesh, {{1.5, 2.5}, 0}, {{3.5, 2.5}, 0}, 0));
  CHECK(visible(mesh, {{2, 2}, 0}, {{3, 3}, 0}, 0));
  CHECK(visible(mesh, {{2, 3}, 0}, {{3, 2}, 0}, 0));
}

TEST_CASE("a line along an edge of the axis, also one into a corner, is seen from both ends") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  int seen = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds)
    for (std::uint64_t number = 0; number < 4; ++number) {
      const Scene scene =
          make_scene(std::string(environment::name_of(kind)), environment::random_scene(seed + number, kind));
      INFO("scene: " << scene.name << " " << number);
      const Mesh& mesh = *scene.mesh;
      if (mesh.layers.size() > 1) continue;
      for (const Arc& arc : mesh.arcs) {
        const bool bends = mesh.sites[arc.site[0]].is_corner() != mesh.sites[arc.site[1]].is_corner();
        const Vec2 a = mesh.nodes[arc.from].point, along = mesh.nodes[arc.to].point - a;
        if (bends || squared_length(along) < 1e-2) continue;
        const Vec2 p = a + along * random.uniform(0.05, 0.45), q = a + along * random.uniform(0.55, 0.95);
        const double radius = 0.9 * std::min(locate(mesh, {p, 0}).clearance, locate(mesh, {q, 0}).clearance);
        CAPTURE(p.x);
        CAPTURE(p.y);
        CAPTURE(q.x);
        CAPTURE(q.y);
        // Clearance along a straight arc is convex, so it may be less between: a body of none fits in any case.
        for (const double body : {0.0, mesh.sites[arc.site[0]].is_corner() ? 0.0 : radius}) {
          CHECK(visible(mesh, {p, 0}, {q, 0}, body));
          CHECK(visible(mesh, {q, 0}, {p, 0}, body));
        }
        ++seen;
      }
    }
  CHECK(seen > 100);
}

TEST_CASE("a line along the bisector of a room's corner is seen") {
  const Scene scene = make_scene("stairs", environment::random_scene(17, environment::SceneKind::stairs));
  CHECK(visible(*scene.mesh, {{24.5, 5.5}, 0}, {{23.5, 6.5}, 0}, 0.25));
  CHECK(visible(*scene.mesh, {{23.5, 6.5}, 0}, {{24.5, 5.5}, 0}, 0.25));
}

TEST_CASE("a line from nowhere sees nothing") {
  const std::vector<environment::Environment> worlds = test::degenerate_worlds();
  const Scene squares = make_scene(worlds[0].source, worlds[0]);
  CHECK(!visible(*squares.mesh, {{1.5, 1.5}, 0}, {{0.5, 0.5}, 0}, 0));
  CHECK(!visible(*squares.mesh, {{0.5, 0.5}, 0}, {{1.5, 1.5}, 0}, 0));
  CHECK(!visible(*squares.mesh, {{0.5, 0.5}, 7}, {{0.5, 0.6}, 7}, 0));
  CHECK(!visible(*squares.mesh, {{NAN, 0.5}, 0}, {{0.5, 0.6}, 0}, 0));
  CHECK(!visible(*squares.mesh, {{0.5, 0.5}, 0}, {{NAN, 0.6}, 0}, 0));
  const Hit hit = first_hit(*squares.mesh, {{1.5, 1.5}, 0}, {0.5, 0.5});
  CHECK(hit.blocked);
  CHECK(hit.cell == none);
}
