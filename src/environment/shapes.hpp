// From shapes as files give them to the shapes of environment.hpp: what every reader checks alike.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "environment/environment.hpp"
#include "throng/result.hpp"

namespace throng::environment {

/// What is wrong with a shape, and where on it.
struct Complaint {
  ProblemCode code = ProblemCode::geometry;
  std::string message;
  std::optional<Vec2> at;
};

/// Whether a coordinate is finite and within `max_metres`; says what is wrong where not.
[[nodiscard]] std::optional<Complaint> check_coordinate(double value);

struct ClosedRing {
  Ring ring;              ///< without a repeated last point
  bool was_open = false;  ///< the file left the closing point out
};

/// A ring as GeoJSON and WKT write it, the first point repeated at the end. Fails for fewer than three points and for points
/// that all lie on one line.
[[nodiscard]] std::optional<Complaint> make_ring(std::span<const Vec2> points, ClosedRing& out);

/// A wall. Fails for fewer than two points and for points that are all the same.
[[nodiscard]] std::optional<Complaint> make_line(std::span<const Vec2> points, Line& out);

/// "(3.5, 2)"
[[nodiscard]] std::string to_string(Vec2 p);

}  // namespace throng::environment
