// The oracle of shortest ways: by hand, against all tangents by brute force, and layers against the same world in one.
#include "support/shortest_oracle.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routes/worlds.hpp"
#include "support/tangent_graph.hpp"

using namespace throng;
using namespace throng::test;
using namespace throng::routes::test_worlds;
using environment::Environment;
using environment::Kind;
using Outcome = ShortestOracle::Outcome;

namespace {

environment::CleanEnvironment cleaned(const Environment& source) {
  const auto clean = environment::clean(source);
  REQUIRE(clean.ok());
  return *clean;
}

double shortest(const Environment& world, SurfacePoint from, SurfacePoint to, double radius) {
  return ShortestOracle(cleaned(world), radius).find({from, to}).length;
}

void add_wall(Environment& e, std::vector<Vec2> line, std::size_t layer = 0) {
  e.features.push_back(
      {.kind = Kind::obstacle, .layer = layer, .lines = {std::move(line)}, .number = e.features.size()});
}

/// A rectangle to walk on in a layer of its own.
void add_floor(Environment& e, double x0, double y0, double x1, double y1) {
  e.layers.push_back({"floor " + std::to_string(e.layers.size()), {}});
  e.features.push_back({.kind = Kind::walkable,
                        .layer = e.layers.size() - 1,
                        .polygons = {{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}}});
}

void connect(Environment& e, std::size_t layer, std::size_t other, Vec2 a, Vec2 b) {
  e.features.push_back({.kind = Kind::connection, .layer = layer, .other_layer = other, .lines = {{a, b}}});
}

}  // namespace

TEST_CASE("oracle: an empty room is straight, and limits and budgets are kept") {
  ShortestOracle oracle(cleaned(room(10, 10)), 0.25);
  CHECK(oracle.corner_count() == 0);
  const SurfacePoint from{{1, 1}}, to{{9, 8}};
  CHECK(oracle.find({from, to}).length == doctest::Approx(std::hypot(8, 7)).epsilon(1e-12));
  CHECK(oracle.find({from, to, std::hypot(8, 7) + 1e-9}).outcome == Outcome::found);
  CHECK(oracle.find({from, to, std::hypot(8, 7) - 1e-6}).outcome == Outcome::none);
  CHECK(oracle.find({from, to, ShortestOracle::unlimited, 0}).outcome == Outcome::gave_up);
}

TEST_CASE("oracle: over a block, worked out by hand, for a point and for a disc") {
  Environment e = room(20, 20);
  add_block(e, 8, 0, 12, 10);
  CHECK(shortest(e, {{2, 10}}, {{18, 10}}, 1) ==
        doctest::Approx(2 * (std::sqrt(35.0) + std::asin(1.0 / 6)) + 4).epsilon(1e-12));
  CHECK(shortest(e, {{2, 5}}, {{18, 5}}, 0) == doctest::Approx(2 * std::hypot(6, 5) + 4).epsilon(1e-12));
  // Ten metres are left above it, and a disc of five fits without room to spare.
  CHECK(shortest(e, {{5, 15}}, {{15, 15}}, 5) == doctest::Approx(10).epsilon(1e-12));
}

TEST_CASE("oracle: a disc passes a gap it just fits, and not one a millimetre narrower") {
  for (const double gap : {1.0, 0.999}) {
    Environment e = room(20, 20);
    add_wall(e, {{10, 0}, {10, 8}});
    add_wall(e, {{10, 8 + gap}, {10, 20}});
    const double found = shortest(e, {{2, 8.5}}, {{18, 8.5}}, 0.5);
    if (gap == 1)
      CHECK(found == doctest::Approx(16).epsilon(1e-12));
    else
      CHECK(found == INFINITY);
  }
}

TEST_CASE("oracle: a point walks along a wall, over bends without a turn, and stays on its side") {
  // A thin wall in three pieces, in line, with a spur on one side: its lower side is bare.
  Environment e = room(20, 20);
  add_wall(e, {{5, 10}, {10, 10}, {15, 10}});
  add_wall(e, {{10, 10}, {10, 14}});
  CHECK(shortest(e, {{2, 10}}, {{18, 10}}, 0) == doctest::Approx(16).epsilon(1e-12));
  CHECK(shortest(e, {{6, 9}}, {{14, 9}}, 0) == doctest::Approx(8).epsilon(1e-12));
  // From one side of the spur to the other: over its tip, 3 up and 1 along.
  CHECK(shortest(e, {{9, 11}}, {{11, 11}}, 0) == doctest::Approx(2 * std::hypot(1, 3)).epsilon(1e-12));
  // From above the wall to below it: around its end, for its middle is closed though the spur ends there.
  CHECK(shortest(e, {{9, 11}}, {{9, 9}}, 0) == doctest::Approx(2 * std::hypot(4, 1)).epsilon(1e-12));
}

TEST_CASE("oracle: nothing passes between blocks that touch in a corner") {
  Environment e = room(20, 20);
  add_block(e, 5, 5, 10, 10);
  add_block(e, 10, 10, 15, 15);
  // From notch to notch: around the other three corners of either block.
  const double around = 2 * std::hypot(4, 1) + 10;
  for (const double radius : {0.0, 0.01}) {
    const double found = shortest(e, {{9, 11}}, {{11, 9}}, radius);
    CHECK(found == doctest::Approx(around).epsilon(radius == 0 ? 1e-12 : 0.01));
  }
}

TEST_CASE("oracle: across a connection ways go on straight, and bend around its posts") {
  Environment e;
  add_floor(e, 0, 0, 10, 10);
  add_floor(e, 10, 0, 20, 10);
  connect(e, 0, 1, {10, 4}, {10, 6});
  CHECK(shortest(e, {{5, 5}, 0}, {{15, 5}, 1}, 1) == doctest::Approx(10).epsilon(1e-12));
  CHECK(shortest(e, {{5, 5}, 0}, {{15, 5}, 1}, 1.001) == INFINITY);
  CHECK(shortest(e, {{5, 0.5}, 0}, {{15, 0.5}, 1}, 0) == doctest::Approx(2 * std::hypot(5, 3.5)).epsilon(1e-12));
  // Half a metre from the post at (10, 4): tangents, and an arc by what the straight line to it and on from it lack.
  const double to_post = std::hypot(5, 3.5);
  const double turn = std::numbers::pi + 2 * std::atan2(3.5, 5) - 2 * std::acos(0.5 / to_post);
  CHECK(shortest(e, {{5, 0.5}, 0}, {{15, 0.5}, 1}, 0.5) ==
        doctest::Approx(2 * std::sqrt(to_post * to_post - 0.25) + 0.5 * turn).epsilon(1e-12));
}

TEST_CASE("oracle: what lies on another floor is in nobody's way, and ways go round by the stairs") {
  // Two floors over each other, and a corridor beside them that joins both at its ends.
  Environment e;
  add_floor(e, 0, 0, 10, 10);
  add_floor(e, 0, 0, 10, 10);
  add_floor(e, 10, 0, 13, 10);
  add_wall(e, {{5, 1}, {5, 9}}, 0);
  connect(e, 0, 2, {10, 0}, {10, 3});
  connect(e, 1, 2, {10, 7}, {10, 10});
  CHECK(shortest(e, {{2, 5}, 1}, {{8, 5}, 1}, 0.5) == doctest::Approx(6).epsilon(1e-12));
  CHECK(shortest(e, {{2, 5}, 0}, {{8, 5}, 0}, 0) == doctest::Approx(2 * std::hypot(3, 4)).epsilon(1e-12));
  // Out by the lower door and in by the upper one, along the wall between their posts.
  CHECK(shortest(e, {{8, 2}, 0}, {{8, 8}, 1}, 0) == doctest::Approx(2 * std::hypot(2, 1) + 4).epsilon(1e-12));
  // The same for a disc of half a metre, which turns around each post until it goes upright.
  const double to_post = std::hypot(2, 1);
  const double turn = std::numbers::pi - std::atan2(1, 2) - std::acos(0.5 / to_post);
  CHECK(shortest(e, {{8, 2}, 0}, {{8, 8}, 1}, 0.5) ==
        doctest::Approx(2 * (std::sqrt(to_post * to_post - 0.25) + 0.5 * turn) + 4).epsilon(1e-12));
}

namespace {

/// The scene `two_layers` with both rooms in one layer, and thin walls where they have no door.
Environment in_one_layer(Environment e) {
  // The border between the rooms: an edge of the first, from its second corner to its third.
  const environment::Ring west = e.features.front().polygons.front().outer;
  std::vector<Vec2> ends{west[1], west[2]};
  for (const environment::Feature& feature : e.features)
    if (feature.kind == Kind::connection) ends.insert(ends.end(), feature.lines[0].begin(), feature.lines[0].end());
  std::erase_if(e.features, [](const environment::Feature& f) { return f.kind == Kind::connection; });
  for (environment::Feature& feature : e.features) feature.layer = 0;
  e.layers.resize(1);
  std::sort(ends.begin(), ends.end(), [](Vec2 a, Vec2 b) { return a.y < b.y; });
  for (std::size_t i = 0; i < ends.size(); i += 2)
    if (ends[i] != ends[i + 1]) add_wall(e, {ends[i], ends[i + 1]});
  return e;
}

}  // namespace

TEST_CASE("oracle: rooms on two layers are as one layer with a wall between") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  std::size_t across = 0;
  for (std::uint64_t round = 0; round < 20; ++round) {
    const Environment scene = environment::random_scene(seed + round, environment::SceneKind::two_layers);
    const World world = make_world(scene);
    const environment::CleanEnvironment flat = cleaned(in_one_layer(scene));
    Random random(seed ^ round);
    for (const double radius : {0.0, 0.25, 0.5, 1.0, 2.0}) {
      ShortestOracle layered(world.clean, radius), plain(flat, radius);
      for (int i = 0; i < 10; ++i) {
        const auto from = free_place(*world.mesh, random, radius), to = free_place(*world.mesh, random, radius);
        if (!from || !to) break;
        INFO("round " << round << " radius " << radius << " pair " << i);
        const double expected = plain.find({{from->point, 0}, {to->point, 0}}).length;
        const double found = layered.find({{from->point, from->layer}, {to->point, to->layer}}).length;
        across += from->layer != to->layer && found < INFINITY;
        CHECK((found == expected || std::abs(found - expected) <= 1e-9));
      }
    }
  }
  CHECK(across > 100);
}

namespace {

/// In worlds of one layer that are small enough; how many ways were compared.
std::size_t compare_with_all_tangents(const World& world, std::uint64_t seed, double radius) {
  const navmesh::Mesh& mesh = *world.mesh;
  if (mesh.layers.size() > 1 || mesh.site_count() > 200) return 0;
  Random random(seed);
  // For all tangents a point is a small disc, because on a corner nothing tells one side from the other. Each corner adds to the way.
  const double disc = std::max(radius, 1e-6), slack = radius < disc ? 20 * disc : 1e-6;
  const auto to = free_place(mesh, random, disc);
  if (!to) return 0;
  const TangentGraph all(mesh, disc, to->point);
  ShortestOracle oracle(world.clean, radius);
  std::size_t ways = 0;
  for (int i = 0; i < 6; ++i) {
    const auto from = free_place(mesh, random, disc);
    if (!from) break;
    INFO("from " << from->point.x << "," << from->point.y << " to " << to->point.x << "," << to->point.y << " radius "
                 << radius);
    const double expected = all.distance(from->point), found = oracle.find({{from->point, 0}, {to->point, 0}}).length;
    CHECK((found == expected || std::abs(found - expected) <= slack));
    ways += found < INFINITY;
  }
  return ways;
}

}  // namespace

TEST_CASE("oracle: random scenes of one layer, as all tangents by brute force say") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  std::size_t ways = 0;
  for (std::uint64_t round = 0; round < 4; ++round) {
    for (const environment::SceneKind kind : environment::all_scene_kinds) {
      INFO("scene " << environment::name_of(kind) << " " << round);
      const World world = make_world(environment::random_scene(seed + 7 + round, kind));
      for (const double radius : {0.0, 0.25, 0.5, 1.0, 2.0}) ways += compare_with_all_tangents(world, seed, radius);
    }
  }
  CHECK(ways > 500);
}
