#include "navmesh/arc.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace throng;
using namespace throng::navmesh;

namespace {

Site corner(Vec2 p) { return {.a = p, .b = p}; }
Site segment(Vec2 a, Vec2 b) { return {.a = a, .b = b}; }

/// A parabola over the segment (-10, 0)-(10, 0) with focus (1, 2), turned and moved, from foot u0 to foot u1.
struct Tilted {
  Vec2 along{0.8, 0.6};
  Vec2 origin{100, -50};
  Vec2 place(double u, double v) const { return origin + along * u + perpendicular(along) * v; }
  Vec2 on_curve(double u) const { return place(u, ((u - 1) * (u - 1) + 4) / 4); }
  Site line() const { return segment(place(-10, 0), place(10, 0)); }
  Site focus() const { return corner(place(1, 2)); }
};

double polyline_length(const ArcCurve& curve, int pieces) {
  double length = 0;
  for (int i = 0; i < pieces; ++i)
    length += distance(curve.point(double(i) / pieces), curve.point(double(i + 1) / pieces));
  return length;
}

}  // namespace

TEST_CASE("a parabolic arc is equidistant from focus and directrix along its whole length") {
  const Tilted world;
  const ArcCurve curve(world.focus(), world.line(), world.on_curve(-3), world.on_curve(6));
  CHECK(curve.is_parabola());
  for (int i = 0; i <= 50; ++i) {
    const Vec2 p = curve.point(i / 50.0);
    CHECK(distance(p, world.focus().a) == doctest::Approx(distance(p, nearest_on(world.line(), p))).epsilon(1e-12));
    CHECK(distance(p, world.on_curve(-3 + 9 * i / 50.0)) < 1e-12);
  }
}

TEST_CASE("arcs of like sites are straight") {
  const ArcCurve points(corner({0, 1}), corner({0, -1}), {0, 0}, {4, 0});
  const ArcCurve walls(segment({4, -1}, {0, -1}), segment({0, 1}, {4, 1}), {0, 0}, {4, 0});
  for (const ArcCurve& curve : {points, walls}) {
    CHECK(!curve.is_parabola());
    CHECK(curve.length() == 4);
    CHECK(curve.lens_area() == 0);
    CHECK(curve.point(0.25) == Vec2{1, 0});
  }
}

TEST_CASE("length in closed form agrees with a fine polyline") {
  const Tilted world;
  for (const auto& [u0, u1] :
       std::vector<std::pair<double, double>>{{-3, 6}, {1, 2}, {6, -3}, {1, 1.001}, {5, 9}, {-1, 3}}) {
    const ArcCurve curve(world.line(), world.focus(), world.on_curve(u0), world.on_curve(u1));
    CAPTURE(u0);
    CHECK(curve.length() == doctest::Approx(polyline_length(curve, 20000)).epsilon(1e-8));
  }
}

TEST_CASE("the area between curve and chord agrees with a fine polygon") {
  const Tilted world;
  const ArcCurve curve(world.line(), world.focus(), world.on_curve(-3), world.on_curve(6));
  double twice = 0;
  for (int i = 0; i < 5000; ++i)
    twice += cross(curve.point(i / 5000.0) - curve.from(), curve.point((i + 1) / 5000.0) - curve.from());
  CHECK(curve.lens_area() == doctest::Approx(std::abs(twice) / 2).epsilon(1e-6));
}

TEST_CASE("flattening keeps within the tolerance and ends at the end") {
  const Tilted world;
  const ArcCurve curve(world.line(), world.focus(), world.on_curve(-9), world.on_curve(9));
  for (const double tolerance : {1.0, 0.1, 1e-3}) {
    std::vector<Vec2> points{curve.from()};
    curve.flatten(tolerance, points);
    CHECK(points.back() == curve.to());
    double worst = 0;
    for (int i = 0; i <= 3000; ++i) {
      double nearest = 1e300;
      for (std::size_t k = 1; k < points.size(); ++k) {
        const Vec2 p = curve.point(i / 3000.0);
        nearest = std::min(nearest, distance(p, nearest_on(segment(points[k - 1], points[k]), p)));
      }
      worst = std::max(worst, nearest);
    }
    CHECK(worst <= tolerance);
  }
}

TEST_CASE("crossings with random segments lie on both, and are as many as the signs along the curve say") {
  const Tilted world;
  const ArcCurve curve(world.line(), world.focus(), world.on_curve(-6), world.on_curve(7));
  std::mt19937 random(7);
  const auto coordinate = [&](double low, double high) {
    return low + (high - low) * (double(random()) / 4294967295.0);
  };
  for (int round = 0; round < 500; ++round) {
    const Vec2 a = world.place(coordinate(-8, 8), coordinate(0, 12));
    const Vec2 b = world.place(coordinate(-8, 8), coordinate(0, 12));
    const ArcCurve::Crossings found = curve.crossings(a, b);
    CAPTURE(round);
    int expected = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vec2 p = curve.point(i / 2000.0);
      const Vec2 q = curve.point((i + 1) / 2000.0);
      expected += (cross(b - a, p - a) < 0) != (cross(b - a, q - a) < 0) &&
                  (cross(q - p, a - p) < 0) != (cross(q - p, b - p) < 0);
    }
    CHECK(found.count == expected);
    for (int i = 0; i < found.count; ++i) {
      const Vec2 p = curve.point(found.t[std::size_t(i)]);
      CHECK(distance(p, nearest_on(segment(a, b), p)) < 1e-9);
    }
  }
}

TEST_CASE("a straight arc meets a crossing segment once") {
  const ArcCurve curve(corner({0, 1}), corner({0, -1}), {0, 0}, {4, 0});
  CHECK(curve.crossings({1, -1}, {1, 1}).count == 1);
  CHECK(curve.crossings({1, -1}, {1, 1}).t[0] == doctest::Approx(0.25));
  CHECK(curve.crossings({1, 0.5}, {1, 1}).count == 0);
  CHECK(curve.crossings({5, -1}, {5, 1}).count == 0);
}
