// The triangles of a model that are floor, how they are joined, and the layers they make: laws 1 and 5 of surface_reader.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "environment/model/surface_options.hpp"
#include "environment/model/triangle_model.hpp"
#include "geometry/box_index.hpp"
#include "geometry/snap_grid.hpp"

namespace throng::environment {

/// z up, in metres.
struct ModelTriangle {
  geometry::Vec3 corner[3];  ///< floor: counterclockwise in plan
  geometry::Vec3 normal;     ///< of length 1
  bool floor = false;

  /// The height of its plane. Requires a floor.
  [[nodiscard]] double height_at(double x, double y) const {
    return corner[0].z - (normal.x * (x - corner[0].x) + normal.y * (y - corner[0].y)) / normal.z;
  }
};

/// Along an edge of a floor, from share `from` to share `to` of it, lies another floor.
struct FloorJoin {
  std::uint32_t triangle = 0, other = 0;
  int edge = 0;
  double from = 0, to = 1;
  double step = 0;  ///< how much higher the other one is
};

enum class FloorKind { level, stairs, ramp };

struct FloorLayer {
  FloorKind kind = FloorKind::level;
  std::vector<std::uint32_t> triangles;
};

class FloorGraph {
 public:
  FloorGraph(const TriangleModel& model, const SurfaceOptions& options);

  [[nodiscard]] const std::vector<ModelTriangle>& triangles() const { return triangles_; }
  [[nodiscard]] const std::vector<FloorJoin>& joins() const { return joins_; }
  [[nodiscard]] const std::vector<FloorLayer>& layers() const { return layers_; }
  /// The layer of each triangle; none: it is no floor, or left out.
  [[nodiscard]] const std::vector<std::optional<std::uint32_t>>& layer_of() const { return layer_of_; }
  [[nodiscard]] const geometry::SnapGrid& grid() const { return grid_; }
  /// Calls visit(i) for every triangle whose box in plan overlaps that one.
  template <class Visit>
  void for_each_over(const geometry::GridBox& box, Visit&& visit) const {
    index_->for_each_in(box, visit);
  }
  [[nodiscard]] geometry::GridBox box_of(const ModelTriangle& triangle) const;

 private:
  void take_triangles(const TriangleModel& model);
  void find_joins();
  void join_edge(std::uint32_t t, int edge);
  void find_overlaps();
  void make_layers();
  void add_group(FloorKind kind, std::vector<std::uint32_t> triangles);
  void drop_islands();
  void name_layers();

  SurfaceOptions options_;
  std::vector<ModelTriangle> triangles_;
  geometry::SnapGrid grid_;
  std::optional<geometry::BoxIndex> index_;
  std::vector<FloorJoin> joins_;
  std::vector<std::vector<std::uint32_t>> over_;    ///< of each triangle: floors over or under it, too far to step to
  std::vector<std::vector<std::uint32_t>> beside_;  ///< of each triangle: floors along its edges, too far to step to
  std::vector<FloorLayer> layers_;
  std::vector<std::optional<std::uint32_t>> layer_of_;
};

/// The part of a convex polygon where `height_of` is not negative. It must be linear.
template <class HeightOf>
[[nodiscard]] std::vector<geometry::Vec3> clip(const std::vector<geometry::Vec3>& polygon, HeightOf&& height_of) {
  std::vector<geometry::Vec3> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const geometry::Vec3 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    const double ha = height_of(a), hb = height_of(b);
    if (ha >= 0) kept.push_back(a);
    if ((ha < 0) != (hb < 0)) kept.push_back(a + (ha / (ha - hb)) * (b - a));
  }
  return kept;
}

/// The part of a convex polygon that lies over a floor's triangle in plan.
[[nodiscard]] std::vector<geometry::Vec3> clip_to(std::vector<geometry::Vec3> polygon, const ModelTriangle& floor);
/// In plan.
[[nodiscard]] double area_of(const std::vector<geometry::Vec3>& polygon);

}  // namespace throng::environment
