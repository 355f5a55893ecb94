// Which ways over weighted ground are of one kind (Jaklin 2016, definition 1).
#include "routes/ground_homotopy.hpp"

#include "ground/ground_worlds.hpp"
#include "routes/ground_walk.hpp"

using namespace throng;
using namespace throng::test;

namespace {

std::vector<routes::GroundPath::Leg> legs_through(const GroundPlanner& planner, const std::vector<Vec2>& points) {
  routes::StraightWalk walk;
  auto at = planner.surface().locate({points[0], 0}, 0.01);
  REQUIRE(at);
  for (std::size_t i = 1; i < points.size(); ++i) {
    at = routes::walk_straight(planner.surface(), planner.costs(), *at, points[i], &walk);
    REQUIRE(at);
  }
  return walk.pieces;
}

}  // namespace

TEST_CASE("region-homotopy: what neither way meets is an obstacle, what one of them meets is free") {
  GroundSketch sketch(30, 20);
  sketch.box(8, 8, 12, 12, "pond");
  sketch.box(18, 8, 22, 12, "lake");
  const GroundWorld world = make_ground_world(sketch.drawn());
  GroundPlanner planner(world.atlas);
  REQUIRE(planner.prepare(world.query({2, 10}, {28, 10}, {{"pond", 5}, {"lake", 9}})) == GroundVerdict::found);
  const auto over = legs_through(planner, {{2, 10}, {10, 16}, {20, 16}, {28, 10}});
  const auto under = legs_through(planner, {{2, 10}, {10, 4}, {20, 4}, {28, 10}});
  const auto higher = legs_through(planner, {{2, 10}, {9, 18}, {21, 17}, {28, 10}});
  const auto between = legs_through(planner, {{2, 10}, {10, 16}, {15, 10}, {20, 4}, {28, 10}});
  const auto through = legs_through(planner, {{2, 10}, {28, 10}});
  const auto same = [&](const auto& a, const auto& b) {
    return routes::region_homotopic(planner.surface(), planner.costs(), a, b);
  };
  CHECK(same(over, higher));
  CHECK(same(over, over));
  CHECK_FALSE(same(over, under));
  CHECK_FALSE(same(over, between));
  CHECK_FALSE(same(under, between));
  // Through both regions: nothing is left that it could pass on another side.
  CHECK(same(over, through));
  CHECK(same(under, through));
  // Through the lake alone: the pond is still in between.
  const auto half = legs_through(planner, {{2, 10}, {10, 4}, {15, 10}, {28, 10}});
  CHECK_FALSE(same(over, half));
  CHECK(same(under, half));
}

TEST_CASE("region-homotopy: there and back again is nothing; around an obstacle is something") {
  GroundSketch sketch(30, 20);
  sketch.obstacle({{13, 8}, {17, 8}, {17, 12}, {13, 12}});
  const GroundWorld world = make_ground_world(sketch.drawn());
  GroundPlanner planner(world.atlas);
  REQUIRE(planner.prepare(world.query({2, 10}, {28, 10}, {})) == GroundVerdict::found);
  const auto over = legs_through(planner, {{2, 10}, {15, 16}, {28, 10}});
  const auto twice = legs_through(planner, {{2, 10}, {15, 16}, {20, 16}, {10, 17}, {20, 16}, {28, 10}});
  const auto around = legs_through(planner, {{2, 10}, {15, 16}, {20, 10}, {15, 4}, {10, 10}, {15, 16}, {28, 10}});
  CHECK(routes::region_homotopic(planner.surface(), planner.costs(), over, twice));
  CHECK_FALSE(routes::region_homotopic(planner.surface(), planner.costs(), over, around));
}
