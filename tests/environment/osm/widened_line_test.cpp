#include "environment/osm/widened_line.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "environment/clean/clean.hpp"
#include "environment/clean/clean_support.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

/// The area of the union, by cleaning it: overlaps count once, broken polygons are refused.
double union_area(const std::vector<Polygon>& polygons) {
  Environment e;
  e.layers.push_back({"ground", {}});
  e.features.push_back({.kind = Kind::walkable, .polygons = polygons});
  const Result<CleanEnvironment> c = clean(e);
  INFO(all(c.problems()));
  REQUIRE(c.ok());
  return area(c->layers[0].free, c->grid);
}

double length(const Line& line) {
  double sum = 0;
  for (std::size_t i = 1; i < line.size(); ++i) sum += std::sqrt(squared_length(line[i] - line[i - 1]));
  return sum;
}

}  // namespace

TEST_CASE("a straight strip is one rectangle, as wide and long as asked for") {
  const Vec2 line[] = {{0, 0}, {10, 0}};
  const std::vector<Polygon> strip = widened(line, 2);
  REQUIRE(strip.size() == 1);
  CHECK((strip[0].outer == Ring{{0, -1}, {10, -1}, {10, 1}, {0, 1}}));
  CHECK(signed_area(widened(line, 2, 0.5)[0].outer) == doctest::Approx(22));
  const Vec2 nothing[] = {{1, 1}, {1, 1}};
  CHECK(widened(nothing, 2).empty());
}

TEST_CASE("bends are mitred up to right angles, bevelled beyond, and never broken") {
  const Vec2 right_angle[] = {{0, 0}, {10, 0}, {10, 10}};
  CHECK(union_area(widened(right_angle, 2)) == doctest::Approx(40).epsilon(1e-3));
  const Vec2 gentle[] = {{0, 0}, {10, 0}, {20, 1}};
  CHECK(widened(gentle, 2).size() == 2);
  CHECK(union_area(widened(gentle, 2)) == doctest::Approx(2 * (10 + std::sqrt(101))).epsilon(1e-3));
  const Vec2 hairpin[] = {{0, 0}, {10, 0}, {0, 1}};
  CHECK(union_area(widened(hairpin, 2)) > 20);
  const Vec2 tight[] = {{0, 0}, {0.1, 0}, {0.2, 0.1}, {0.2, 0.2}, {0.1, 0.3}, {0, 0.3}};
  CHECK(union_area(widened(tight, 3)) > 0.9);
  const Vec2 ring[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}};
  CHECK(union_area(widened(ring, 2)) == doctest::Approx(144 - 64).epsilon(1e-3));
  for (const Polygon& polygon : widened(tight, 3)) CHECK(signed_area(polygon.outer) > 0);
}

TEST_CASE("gaps open a line about their points, over the seam of a ring and at its ends") {
  const Vec2 line[] = {{0, 0}, {5, 0}, {10, 0}};
  const Gap middle[] = {{1, 2}};
  const std::vector<Line> two = without_gaps(line, middle);
  REQUIRE(two.size() == 2);
  CHECK((two[0] == Line{{0, 0}, {4, 0}}));
  CHECK((two[1] == Line{{6, 0}, {10, 0}}));
  const Gap end[] = {{2, 2}};
  REQUIRE(without_gaps(line, end).size() == 1);
  CHECK((without_gaps(line, end)[0] == Line{{0, 0}, {5, 0}, {9, 0}}));
  const Gap all[] = {{1, 30}};
  CHECK(without_gaps(line, all).empty());
  CHECK((without_gaps(line, {})[0] == Line{{0, 0}, {5, 0}, {10, 0}}));
  const Vec2 ring[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}};
  const Gap seam[] = {{0, 4}};
  const std::vector<Line> open = without_gaps(ring, seam);
  REQUIRE(open.size() == 1);
  CHECK(open[0].front() == Vec2{2, 0});
  CHECK(open[0].back() == Vec2{0, 2});
  CHECK(length(open[0]) == doctest::Approx(36));
}

TEST_CASE("rings and lines are cut to a box") {
  const geometry::Box box{{0, 0}, {10, 10}};
  CHECK(signed_area(clipped(Ring{{-5, -5}, {5, -5}, {5, 5}, {-5, 5}}, box)) == doctest::Approx(25));
  CHECK((clipped(Ring{{1, 1}, {2, 1}, {2, 2}}, box) == Ring{{1, 1}, {2, 1}, {2, 2}}));
  CHECK(clipped(Ring{{20, 1}, {22, 1}, {22, 2}}, box).empty());
  CHECK(clipped(Ring{{-5, 0}, {0, 0}, {0, 5}, {-5, 5}}, box).empty());
  // A comb that enters the box twice stays two teeth.
  const Ring comb{{-2, 1}, {4, 1}, {4, 2}, {-1, 2}, {-1, 5}, {4, 5}, {4, 6}, {-2, 6}};
  CHECK(union_area({{clipped(comb, box), {}}}) == doctest::Approx(8).epsilon(1e-3));
  const std::vector<Polygon> ring =
      clipped({{{{-5, -5}, {15, -5}, {15, 15}, {-5, 15}}, {{{2, 2}, {2, 12}, {4, 12}, {4, 2}}}}}, box);
  CHECK(union_area(ring) == doctest::Approx(100 - 16).epsilon(1e-3));
  const Vec2 line[] = {{-5, 5}, {5, 5}, {5, 20}, {8, 20}, {8, 5}};
  const std::vector<Line> pieces = clipped_line(line, box);
  REQUIRE(pieces.size() == 2);
  CHECK((pieces[0] == Line{{0, 5}, {5, 5}, {5, 10}}));
  CHECK((pieces[1] == Line{{8, 10}, {8, 5}}));
}
