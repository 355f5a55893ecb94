// A point or vector of the plane, in metres. x points right, y points up.
#pragma once

#include <cmath>
#include <compare>

namespace throng {

/// A point or vector of the plane, in metres.
struct Vec2 {
  double x = 0;  ///< to the right
  double y = 0;  ///< up

  friend bool operator==(const Vec2&, const Vec2&) = default;   ///< same coordinates
  friend auto operator<=>(const Vec2&, const Vec2&) = default;  ///< by x, then y
  ///@{ By coordinates, as usual.
  Vec2& operator+=(Vec2 o) { return x += o.x, y += o.y, *this; }
  Vec2& operator-=(Vec2 o) { return x -= o.x, y -= o.y, *this; }
  Vec2& operator*=(double s) { return x *= s, y *= s, *this; }
  ///@}
};

constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
constexpr Vec2 operator-(Vec2 a) { return {-a.x, -a.y}; }
constexpr Vec2 operator*(Vec2 a, double s) { return {a.x * s, a.y * s}; }
constexpr Vec2 operator*(double s, Vec2 a) { return {a.x * s, a.y * s}; }
constexpr Vec2 operator/(Vec2 a, double s) { return {a.x / s, a.y / s}; }

constexpr double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
/// Positive when b is counterclockwise of a.
constexpr double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
constexpr double squared_length(Vec2 a) { return dot(a, a); }
inline double length(Vec2 a) { return std::sqrt(squared_length(a)); }
/// Between two points.
inline double distance(Vec2 a, Vec2 b) { return length(a - b); }
/// a turned by 90 degrees counterclockwise.
constexpr Vec2 perpendicular(Vec2 a) { return {-a.y, a.x}; }

}  // namespace throng
