// A place with an extent where people start, go to or are counted: a named area of the environment, or a polygon drawn in a
// scenario, cut to free space.
//
// Laws
// 1. contains() holds for points of the free part of the area in its layer, its border included, to rounding.
// 2. With u, v, w independent and uniform in [0, 1), sample() is uniform over the free part; the same numbers give the same bits.
// Complexity: contains O(edges), sample O(log triangles). Thread-safety: immutable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"
#include "throng/result.hpp"

namespace throng::goals {

using navmesh::Index;
using navmesh::none;

class Area {
 public:
  /// All areas of that name over all layers (or in the one layer given), as one place. Refused where there is none, with the
  /// nearest name there is.
  static Result<Area> named(const environment::CleanEnvironment& environment, std::string_view name,
                            Index layer = none);
  /// A polygon drawn in a layer, cut to its free space. Refused where nothing of it is free, or where it is no simple polygon.
  static Result<Area> drawn(const environment::CleanEnvironment& environment, const std::vector<Vec2>& ring,
                            Index layer);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool contains(const navmesh::Place& place) const;
  [[nodiscard]] navmesh::Place sample(double u, double v, double w) const;
  /// Places on the border of the free part, its corners among them, at most so many metres apart along it, in a fixed order.
  [[nodiscard]] std::vector<navmesh::Place> border(double spacing) const;
  [[nodiscard]] double border_length() const;
  [[nodiscard]] double square_metres() const { return square_metres_; }

  /// The box around what lies in one layer.
  struct Extent {
    Index layer = 0;
    Vec2 low, high;
  };
  [[nodiscard]] std::vector<Extent> extents() const;

 private:
  void add(const environment::CleanEnvironment& environment, const std::vector<geometry::GridPolygon>& polygons,
           Index layer);
  void add_triangle(Vec2 a, Vec2 b, Vec2 c, Index layer);

  struct Triangle {
    Vec2 a, b, c;
    Index layer = 0;
    double before = 0;  ///< square metres of the triangles before it
  };
  struct Part {
    Index layer = 0;
    std::vector<std::vector<Vec2>> rings;  ///< outer counterclockwise, holes clockwise
    Vec2 low, high;
  };
  std::string name_;
  std::vector<Part> parts_;
  std::vector<Triangle> triangles_;
  double square_metres_ = 0;
};

}  // namespace throng::goals
