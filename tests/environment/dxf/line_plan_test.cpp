#include "environment/dxf/line_plan.hpp"

#include <algorithm>
#include <cmath>

#include "environment/clean/clean_support.hpp"
#include "geometry/random.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

const geometry::SnapGrid millimetres(0.001, 0, 0);

PlanLine wall(Vec2 a, Vec2 b) { return {{a, b}, false, false}; }
PlanLine door(Vec2 a, Vec2 b) { return {{a, b}, false, true}; }
PlanLine closed(Vec2 low, Vec2 high, bool is_door = false) { return {rectangle(low, high), true, is_door}; }

LinePlan plan(const std::vector<PlanLine>& lines, const LinePlanOptions& options = {}) {
  return plan_of(lines, millimetres, options);
}

double area(const std::vector<Polygon>& polygons) {
  double sum = 0;
  for (const Polygon& polygon : polygons) {
    sum += std::abs(signed_area(polygon.outer));
    for (const Ring& hole : polygon.holes) sum -= std::abs(signed_area(hole));
  }
  return sum;
}

}  // namespace

TEST_CASE("ends that miss each other by less than the gap are joined, farther ones are open ends") {
  const auto square = [](double miss) {
    return std::vector<PlanLine>{wall({0, 0}, {4 - miss, 0}), wall({4, 0}, {4, 4}), wall({4, 4}, {0, 4}),
                                 wall({0, 4}, {0, 0})};
  };
  CHECK(plan(square(0)).joints == 0);
  CHECK(area(plan(square(0.02)).inside) == doctest::Approx(16));
  CHECK(plan(square(0.02)).joints == 1);
  CHECK(plan(square(0.02)).open_ends.empty());
  const LinePlan open = plan(square(0.021));
  CHECK(open.inside.empty());
  REQUIRE(open.open_ends.size() == 2);
  CHECK(open.open_ends[0].distance == doctest::Approx(0.021));
  CHECK(area(plan(square(1.0), {.gap = 1.0}).inside) == doctest::Approx(16));
}

TEST_CASE("four ends around one corner become one") {
  const std::vector<PlanLine> cross = {
      wall({0, 0}, {0, 4}),         wall({0, 4}, {8, 4}),     wall({8, 4}, {8, 0}),         wall({8, 0}, {0, 0}),
      wall({0, 2}, {3.995, 2.001}), wall({4.005, 2}, {8, 2}), wall({4.001, 0}, {4, 1.996}), wall({4, 2.004}, {4, 4})};
  const LinePlan p = plan(cross);
  CHECK(p.rooms.size() == 4);
  CHECK(p.open_ends.empty());
}

TEST_CASE("an end near the middle of a line is led to it, one that reaches beyond is cut off") {
  const std::vector<PlanLine> shell = {closed({0, 0}, {8, 4})};
  for (const double end : {3.985, 4.0, 4.015}) {
    CAPTURE(end);
    std::vector<PlanLine> lines = shell;
    lines.push_back(wall({4, 0.01}, {4, end}));
    const LinePlan p = plan(lines);
    CHECK(p.rooms.size() == 2);
    CHECK(p.open_ends.empty());
    double highest = 0;
    for (const Line& line : p.walls)
      for (Vec2 q : line) highest = std::max(highest, q.y);
    CHECK(highest == doctest::Approx(4));
  }
}

TEST_CASE("the inside of a wall drawn as two lines is solid, a column too, a narrow room is not") {
  const std::vector<PlanLine> house = {closed({0, 0}, {8, 5}), closed({0.3, 0.3}, {7.7, 4.7}),
                                       closed({4, 2}, {4.35, 2.35}), closed({5, 2}, {5.9, 3})};
  const LinePlan p = plan(house);
  CHECK(area(p.inside) == doctest::Approx(40));
  CHECK(area(p.solids) == doctest::Approx(40 - 7.4 * 4.4 + 0.35 * 0.35));
  CHECK(p.rooms.size() == 2);
  CHECK(p.walls.size() == 1);  // around the narrow room
  CHECK(plan(house, {.wall_thickness = 0.1}).solids.empty());
}

TEST_CASE("a door line that closes a gap parts rooms and is no wall; along a wall it opens it") {
  const std::vector<PlanLine> halves = {closed({0, 0}, {8, 4}), wall({4, 0}, {4, 1.5}), wall({4, 2.5}, {4, 4})};
  CHECK(plan(halves).rooms.size() == 1);
  CHECK(plan(halves).open_ends.size() == 2);
  std::vector<PlanLine> with_door = halves;
  with_door.push_back(door({4, 1.51}, {4, 2.49}));  // a centimetre short at both ends
  const LinePlan p = plan(with_door);
  CHECK(p.rooms.size() == 2);
  CHECK(p.rooms[0].has_door);
  CHECK(p.open_ends.empty());
  const std::vector<PlanLine> over = {closed({0, 0}, {8, 4}), wall({4, 0}, {4, 4}), door({4, 1.5}, {4, 2.5})};
  const LinePlan opened = plan(over);
  CHECK(opened.rooms.size() == 2);
  CHECK(opened.rooms[1].has_door);
  double length = 0;
  for (const Line& line : opened.walls)
    for (std::size_t i = 1; i < line.size(); ++i) length += throng::length(line[i] - line[i - 1]);
  CHECK(length == doctest::Approx(24 + 3));
}

TEST_CASE("the floor between two door lines in a thick wall stays floor") {
  // A wall of 20 cm between two rooms, jambs at the doorway, a threshold on either side.
  const std::vector<PlanLine> lines = {closed({0, 0}, {4, 4.2}), wall({0, 2}, {1, 2}),     wall({2, 2}, {4, 2}),
                                       wall({0, 2.2}, {1, 2.2}), wall({2, 2.2}, {4, 2.2}), wall({1, 2}, {1, 2.2}),
                                       wall({2, 2}, {2, 2.2}),   door({1, 2}, {2, 2}),     door({1, 2.2}, {2, 2.2})};
  const LinePlan p = plan(lines);
  CHECK(p.rooms.size() == 2);
  CHECK(area(p.solids) == doctest::Approx(3 * 0.2));
}

TEST_CASE("a line drawn twice does not hold its own ends") {
  const std::vector<PlanLine> twice = {wall({0, 0}, {4, 0}), wall({4, 0}, {0, 0}), wall({4, 0.01}, {4, 4}),
                                       wall({4, 4}, {0, 4}), wall({0, 4}, {0, 0.01})};
  CHECK(area(plan(twice).inside) == doctest::Approx(16).epsilon(0.01));
}

TEST_CASE("a plan does not depend on the order and direction of lines") {
  std::vector<PlanLine> lines;
  INFO("THRONG_TEST_SEED=" << test::test_seed());
  geometry::RandomStream random(test::test_seed());
  for (int i = 0; i < 60; ++i) {
    const Vec2 a{random.uniform(0, 6), random.uniform(0, 6)};
    lines.push_back({{a, a + Vec2{random.uniform(-2, 2), random.uniform(-2, 2)}}, false, i % 5 == 0});
  }
  const LinePlan first = plan(lines, {.gap = 0.2});
  for (PlanLine& line : lines) std::reverse(line.points.begin(), line.points.end());
  std::reverse(lines.begin(), lines.end());
  const LinePlan second = plan(lines, {.gap = 0.2});
  CHECK(first.walls == second.walls);
  CHECK(area(first.inside) == area(second.inside));
  CHECK(first.open_ends.size() == second.open_ends.size());
  CHECK(first.rooms.size() == second.rooms.size());
}
