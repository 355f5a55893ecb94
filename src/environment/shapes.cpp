#include "environment/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace throng::environment {
namespace {

bool on_one_line(const Ring& ring) {
  const Vec2 start = ring.front();
  const auto farthest = std::max_element(
      ring.begin(), ring.end(), [&](Vec2 a, Vec2 b) { return squared_length(a - start) < squared_length(b - start); });
  const Vec2 axis = *farthest - start;
  return std::all_of(ring.begin(), ring.end(), [&](Vec2 p) { return cross(axis, p - start) == 0; });
}

}  // namespace

std::optional<Complaint> check_coordinate(double value) {
  if (std::abs(value) <= max_metres) return std::nullopt;
  if (!std::isfinite(value)) return Complaint{ProblemCode::value, fmt::format("{} is not a coordinate", value), {}};
  return Complaint{ProblemCode::value,
                   fmt::format("the coordinate {} is too large: at most {:g} m either side of zero", value, max_metres),
                   {}};
}

std::optional<Complaint> make_ring(std::span<const Vec2> points, ClosedRing& out) {
  out.ring.assign(points.begin(), points.end());
  Ring& ring = out.ring;
  out.was_open = ring.size() < 2 || ring.front() != ring.back();
  while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
  const std::optional<Vec2> at = ring.empty() ? std::nullopt : std::optional(ring.front());
  if (ring.size() < 3)
    return Complaint{ProblemCode::geometry,
                     fmt::format("a ring wants at least three points; this one has {}", ring.size()), at};
  if (on_one_line(ring))
    return Complaint{ProblemCode::geometry, "the ring has no area: all its points lie on one line", at};
  return std::nullopt;
}

std::optional<Complaint> make_line(std::span<const Vec2> points, Line& out) {
  out.assign(points.begin(), points.end());
  const std::optional<Vec2> at = out.empty() ? std::nullopt : std::optional(out.front());
  if (out.size() < 2)
    return Complaint{ProblemCode::geometry,
                     fmt::format("a line wants at least two points; this one has {}", out.size()), at};
  if (std::all_of(out.begin(), out.end(), [&](Vec2 p) { return p == out.front(); }))
    return Complaint{ProblemCode::geometry, "the line has no length: all its points are the same", at};
  return std::nullopt;
}

std::string to_string(Vec2 p) { return fmt::format("({}, {})", p.x, p.y); }

}  // namespace throng::environment
