#include "navmesh/locate.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "navmesh/arc.hpp"
#include "navmesh/piece.hpp"
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

/// Anywhere in the box, within a millimetre of a boundary vertex, or within a millimetre of the axis.
Vec2 probe(const Scene& scene, const BruteForce& brute, Random& random) {
  const Vec2 jitter{random.uniform(-1e-3, 1e-3), random.uniform(-1e-3, 1e-3)};
  const std::uint64_t kind = random.below(4);
  if (kind == 0) return brute.edges()[random.below(brute.edges().size())].a + jitter;
  if (kind == 1 && !scene.mesh->arcs.empty()) {
    const ArcCurve curve(*scene.mesh, Index(random.below(scene.mesh->arcs.size())));
    return curve.point(random.chance(0.2) ? 0.0 : random.uniform(0, 1)) + (random.chance(0.5) ? jitter : Vec2{});
  }
  return {random.uniform(brute.min().x - 1, brute.max().x + 1), random.uniform(brute.min().y - 1, brute.max().y + 1)};
}

void check_against_brute_force(const Scene& scene, int probes, std::uint64_t seed) {
  INFO("scene: " << scene.name);
  const BruteForce brute(scene.world);
  const double tolerance = 1e-9 * brute.extent();
  Random random(seed);
  Index hint = none;
  int wrong = 0;
  for (int i = 0; i < probes && wrong < 5; ++i) {
    const Vec2 p = probe(scene, brute, random);
    const double expected = brute.clearance(p);
    if (expected < 1e-8) continue;  // on the boundary either answer is right
    const Located located = locate(*scene.mesh, {p, 0});
    const Located again = locate_from(*scene.mesh, hint, {p, 0});
    CAPTURE(p.x);
    CAPTURE(p.y);
    CAPTURE(expected);
    const bool good =
        bool(located) == brute.walkable(p) &&
        (!located || (std::abs(located.clearance - expected) <= tolerance &&
                      std::abs(std::sqrt(squared_length(p - located.nearest)) - expected) <= tolerance)) &&
        bool(again) == bool(located) && (!again || std::abs(again.clearance - expected) <= tolerance);
    CHECK_MESSAGE(good, "found " << bool(located) << " clearance " << located.clearance << ", from a hint "
                                 << bool(again) << " " << again.clearance << ", walkable " << brute.walkable(p));
    wrong += !good;
    // Mostly a cell near by, sometimes any cell at all.
    hint = random.chance(0.1) ? Index(random.below(scene.mesh->cell_count())) : located ? located.cell : hint;
  }
}

}  // namespace

TEST_CASE("clearance equals brute force on random worlds") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t i = 0; i < 40; ++i)
    check_against_brute_force(make_scene("random world " + std::to_string(seed + i), test::random_world(seed + i)), 500,
                              seed + i);
}

TEST_CASE("clearance equals brute force on degenerate worlds") {
  for (const environment::Environment& world : test::degenerate_worlds())
    check_against_brute_force(make_scene(world.source, world), 2000, test::test_seed());
}
