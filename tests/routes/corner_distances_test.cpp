// Hub labels: every tangent of a disc is at least as long as they say, which is all that bounds need; and what they say of worlds that
// can be reckoned by hand.
#include "routes/corner_distances.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "navmesh/queries.hpp"
#include "routes/shortest_finder.hpp"
#include "routes/tangent_table.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

/// From one turn to another: a way from the first to a hub is one from the mirrored hub to the mirrored turn.
double by_labels(const CornerDistances& distances, Index from, Index to) {
  constexpr auto all = CornerDistances::unreachable_ticks;
  auto least = all;
  distances.for_each_hub(from ^ 1, all, [&](Index out, auto there) {
    distances.for_each_hub(to, all, [&](Index in, auto back) {
      if ((out ^ 1) == in) least = std::min(least, there + back);
    });
  });
  return least == all ? unreachable : least * distances.tick();
}

struct Worst {
  double excess = -unreachable;  ///< metres by which labels say more than a tangent takes
  std::size_t tangents = 0;
};

/// Whether a disc that touches a corner along a line fits there. Tables list lines that leave circles where it does not, which no way can follow.
bool fits(const World& world, Index corner, bool left, double angle, double radius) {
  const navmesh::Site& site = world.mesh->site(corner);
  const Vec2 aside = perpendicular(Vec2{std::cos(angle), std::sin(angle)}) * (left ? -radius : radius);
  return radius == 0 || navmesh::locate(*world.mesh, {site.a + aside, site.layer}).clearance >= radius - 1e-6;
}

/// A way is tangents and arcs that do not turn back: if labels say no more than each tangent takes, with its shares of both turns, they say
/// no more than any way takes.
Worst compare_with_tangents(const World& world, double radius, std::size_t most_nodes) {
  const std::shared_ptr<const TangentTable> of_radius = world.graph->tangents(radius);
  const TangentTable& table = *of_radius;
  const CornerDistances& distances = table.labels();
  const Index step = Index(1 + table.node_count() / most_nodes);
  Worst worst;
  for (Index node = 0; node < table.node_count(); node += step)
    for (const Tangent& tangent : table.from(node)) {
      if (!fits(world, table.corner_of(node), node % 2 == 1, tangent.angle, radius) ||
          !fits(world, table.corner_of(tangent.to), tangent.to % 2 == 1, tangent.angle, radius))
        continue;
      const auto leaves = distances.passing(table.corner_of(node), node % 2 == 1, tangent.angle);
      const auto arrives = distances.passing(table.corner_of(tangent.to), tangent.to % 2 == 1, tangent.angle);
      REQUIRE((leaves.turn != none && arrives.turn != none));
      const double walked = tangent.length + leaves.share - arrives.share;
      const double said = by_labels(distances, leaves.turn, arrives.turn);
      const double excess = said - walked - CornerDistances::float_error * said;
      if (excess > worst.excess) worst.excess = excess;
      if (excess > CornerDistances::least_error) {
        const Vec2 at = world.mesh->site(table.corner_of(node)).a;
        INFO("from " << at.x << "," << at.y << " to " << tangent.centre.x << "," << tangent.centre.y << " radius "
                     << radius << ": " << said << " for " << walked);
        CHECK(excess <= CornerDistances::least_error);
      }
      ++worst.tangents;
    }
  return worst;
}

/// The least over the senses of both corners, and all stretches of their circles.
double between(const World& world, double radius, Vec2 from, Vec2 to) {
  const CornerDistances& distances = *world.graph->corner_distances(radius);
  const auto turns_at = [&](Vec2 point) {
    std::vector<Index> turns;
    for (Index site = 0; site < world.mesh->site_count(); ++site)
      if (world.mesh->site(site).is_corner() && squared_length(world.mesh->site(site).a - point) < 1e-6)
        for (const bool left : {false, true})
          for (double angle = -3; angle < 3.2; angle += 0.1)
            if (const Index turn = distances.passing(site, left, angle).turn; turn != none) turns.push_back(turn);
    return turns;
  };
  double least = unreachable;
  for (const Index a : turns_at(from))
    for (const Index b : turns_at(to)) least = std::min(least, by_labels(distances, a, b));
  return least;
}

}  // namespace

TEST_CASE("corner distances: classes of radii follow each other, each twice as wide as the one before") {
  for (const double radius : {0.0, 1e-8, 0.01, 0.02, 0.1, 0.24999, 0.25, 0.3, 0.5, 1.0, 2.0, 77.0}) {
    const RadiusClass radii = radius_class(radius_class_of(radius));
    CHECK(radii.least <= radius);
    CHECK(radius < radii.end);
    CHECK((radii.least == 0 || radii.end == 2 * radii.least));
  }
  CHECK(radius_class(radius_class_of(0.25)).least == 0.25);
}

TEST_CASE("corner distances: no tangent of a disc is shorter, in random scenes, layered ones too") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  std::size_t tangents = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 9, kind));
    for (const double radius : {0.0, 0.01, 0.1, 0.25, 0.3, 0.49, 0.5, 0.75, 1.0, 1.9, 2.0})
      tangents += compare_with_tangents(world, radius, 400).tangents;
  }
  CHECK(tangents > 1000);
}

TEST_CASE("corner distances: no tangent of a disc is shorter, on examples and maps") {
  for (const std::string& file : map_files({"kaiserslautern.geojson", "Berlin_0_256.poly"})) {
    INFO("file " << file);
    const World world = read_world(file);
    for (const double radius : {0.0, 0.25, 0.35, 1.0}) compare_with_tangents(world, radius, 1000);
  }
}

TEST_CASE("corner distances: by hand, around a block") {
  environment::Environment e = room(40, 40);
  add_block(e, 10, 10, 30, 20);
  const World world = make_world(e);
  // Along one side, and around a corner: a quarter turn between the middles of both turns, of the class's least radius.
  const double quarter = 0.25 * std::acos(-1.0) / 2;
  const auto about = [&](double found, double expected) {
    const double unit = world.graph->corner_distances(0.25)->unit();
    CHECK(unit < 1e-3);
    return found <= expected * (1 + 1e-6) && found >= expected * (1 - 1e-6) - 2 * unit;
  };
  CHECK(about(between(world, 0.25, {10, 10}, {30, 10}), 20 + quarter));
  CHECK(about(between(world, 0.3, {10, 10}, {30, 10}), 20 + quarter));
  CHECK(about(between(world, 0.25, {10, 10}, {30, 20}), 30 + 2 * quarter));
  CHECK(about(between(world, 0, {10, 10}, {30, 20}), 30));
}

TEST_CASE("corner distances: nobody gets through a slit that is too narrow for the class") {
  environment::Environment e = room(40, 20);
  add_block(e, 18, 0, 20, 9.8);
  add_block(e, 18, 10.2, 20, 17);
  const World world = make_world(e);
  CHECK(between(world, 0.1, {18, 9.8}, {20, 9.8}) < 2.5);
  CHECK(between(world, 0.125, {18, 9.8}, {20, 9.8}) < 2.5);
  CHECK(between(world, 0.25, {18, 9.8}, {20, 9.8}) > 2 * (17 - 9.8));
}

TEST_CASE("corner distances: mirror images are as long, and the least sum is found") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 11, kind));
    const CornerDistances& distances = *world.graph->corner_distances(0.25);
    if (distances.turn_count() == 0) continue;
    test::Random random(seed);
    for (int i = 0; i < 20; ++i) {
      const Index from = Index(random.below(distances.turn_count())), to = Index(random.below(distances.turn_count()));
      constexpr auto all = CornerDistances::unreachable_ticks;
      std::vector<CornerDistances::Ticks> by_hub(distances.hub_count(), all);
      distances.for_each_hub(to, all, [&](Index hub, auto distance) { by_hub[hub ^ 1] = distance; });
      const double expected = by_labels(distances, from, to);
      const auto least = distances.least_sum(from ^ 1, by_hub, all);
      CHECK((least == all ? unreachable : least * distances.tick()) == expected);
      if (least > 0 && least < all) {
        CHECK(distances.least_sum(from ^ 1, by_hub, least + 1) == least);
        CHECK(distances.least_sum(from ^ 1, by_hub, least) == all);
      }
      // As long the other way round, but for the units that each is rounded to.
      const double back = by_labels(distances, to ^ 1, from ^ 1);
      CHECK((back == expected || std::abs(back - expected) <= 1e-6 * expected + 2 * distances.unit()));
    }
  }
}

TEST_CASE("corner distances: labels for many hubs say the same, but for what they are rounded to") {
  environment::Environment e = room(60, 60);
  add_block(e, 10, 10, 30, 20);
  add_block(e, 35, 12, 50, 40);
  const World world = make_world(e);
  const RadiusClass radii = radius_class(radius_class_of(0.25));
  const CornerDistances narrow(world.graph->corridor_tiles(), radii),
      wide(world.graph->corridor_tiles(), radii, CornerDistances::Labels::all, 0);
  REQUIRE(narrow.turn_count() == wide.turn_count());
  CHECK(wide.bytes() > narrow.bytes());
  constexpr auto all = CornerDistances::unreachable_ticks;
  for (Index from = 0; from < wide.turn_count(); ++from)
    for (Index to = 0; to < wide.turn_count(); ++to) {
      const double expected = by_labels(wide, from, to);
      CHECK(by_labels(narrow, from, to) <= expected);
      CHECK((by_labels(narrow, from, to) >= expected - 2 * narrow.unit() || expected == unreachable));
      std::vector<CornerDistances::Ticks> by_hub(wide.hub_count(), all);
      wide.for_each_hub(to, all, [&](Index hub, auto distance) { by_hub[hub ^ 1] = distance; });
      const auto least = wide.least_sum(from ^ 1, by_hub, all);
      CHECK((least == all ? unreachable : least * wide.tick()) == expected);
    }
}

TEST_CASE("corner distances: far from the only corners there are, which are close together") {
  environment::Environment e = room(3000, 3000);
  add_block(e, 1500, 1499.9, 1500.1, 1500.3);
  const World world = make_world(e);
  const CornerDistances& distances = *world.graph->corner_distances(0.25);
  CHECK(distances.ticks(1e5) < CornerDistances::unreachable_ticks);
  const auto end = [&](Vec2 point) {
    return ShortestFinder::End{{point, 0}, navmesh::locate(*world.mesh, {point, 0}).cell};
  };
  ShortestFinder finder(world.graph);
  ShortestWay way;
  REQUIRE(finder.find(end({10, 1500}), end({2990, 1500}), 0.25, 3000, way));
  CHECK(way.length > 2980);
  CHECK(way.length < 2980.01);
}
