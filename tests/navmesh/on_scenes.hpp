// The worlds that everything asked of a mesh is held on: random ones, degenerate ones, one of every kind of scene, and real plans.
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include "environment/formats/formats.hpp"
#include "environment/generate/random_scenes.hpp"
#include "support/brute_force.hpp"
#include "support/data.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"

namespace throng::test {

/// A walkable point at least so far from the boundary: anywhere, close to a boundary vertex, or exactly on a node of the axis.
inline Vec2 walkable_point(const Scene& scene, const BruteForce& brute, Random& random, double away) {
  for (;;) {
    const std::uint64_t kind = random.below(5);
    Vec2 p{random.uniform(brute.min().x, brute.max().x), random.uniform(brute.min().y, brute.max().y)};
    if (kind == 0) p = scene.mesh->nodes[random.below(scene.mesh->nodes.size())].point;
    if (kind == 1)
      p = brute.edges()[random.below(brute.edges().size())].a +
          Vec2{random.uniform(-1e-3, 1e-3), random.uniform(-1e-3, 1e-3)};
    if (brute.walkable(p) && brute.clearance(p) > away) return p;
  }
}

/// check(scene, seed) on so many random worlds.
template <class Check>
void on_random_worlds(std::uint64_t count, const Check& check) {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t i = 0; i < count; ++i)
    check(make_scene("random world " + std::to_string(seed + i), random_world(seed + i)), seed + i);
}

template <class Check>
void on_degenerate_worlds(const Check& check) {
  for (const environment::Environment& world : degenerate_worlds()) check(make_scene(world.source, world), test_seed());
}

/// Of one layer: brute force knows no more.
template <class Check>
void on_every_kind_of_scene(const Check& check) {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    const environment::Environment source = environment::random_scene(seed, kind);
    if (source.layers.size() > 1) continue;
    check(make_scene(std::string(environment::name_of(kind)), source), seed);
  }
}

template <class Check>
void on_real_plans(std::initializer_list<const char*> names, const Check& check) {
  for (const char* name : names) {
    const auto file = data_file(name);
    if (!file) return;
    const auto source = environment::read_environment(file->string());
    REQUIRE(source);
    check(make_scene(name, *source), test_seed());
  }
}

}  // namespace throng::test
