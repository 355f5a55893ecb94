// A point or vector of space, in metres. z points up. What drawings and models in three dimensions are read into before they are
// laid on the plane of a layer.
#pragma once

#include <cmath>

#include "throng/vec2.hpp"

namespace throng::geometry {

struct Vec3 {
  double x = 0, y = 0, z = 0;

  [[nodiscard]] constexpr Vec2 plan() const { return {x, y}; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }

/// An affine map of space: the images of the axes and of the origin.
struct Affine {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{};

  constexpr Vec3 operator()(Vec3 p) const { return turned(p) + origin; }
  /// The same of a direction.
  [[nodiscard]] constexpr Vec3 turned(Vec3 v) const { return v.x * x + v.y * y + v.z * z; }
  /// First `inner`, then this.
  constexpr Affine operator*(const Affine& inner) const {
    return {turned(inner.x), turned(inner.y), turned(inner.z), (*this)(inner.origin)};
  }
  /// At most so many times longer does a vector become.
  [[nodiscard]] double stretch() const { return std::sqrt(dot(x, x) + dot(y, y) + dot(z, z)); }
};

}  // namespace throng::geometry
