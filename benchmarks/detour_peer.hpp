// Recast and Detour on our maps: what `throng bench routes` compares with. Recast voxelises the free space and makes a mesh of
// polygons; Detour finds paths on it (github.com/recastnavigation; Debian's librecast-dev).
//
// The ground is the free space of our mesh, cut into the triangles of its cells, with walls around it, so both see the same cleaned
// world. Settings are those of Recast's own samples but for cell size, radius and buffers. Distances are rounded to cells: `eroded()` says to what.
// Without Recast at build time `has_detour()` is false and nothing can be built.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "navmesh/mesh.hpp"
#include "throng/vec2.hpp"

namespace throng::bench {

[[nodiscard]] bool has_detour();

struct DetourSettings {
  double cell = 0.3;  ///< metres
  bool tiled = true;
  double radius = 0.25;
  /// Weighted ground as areas: the kind of ground at a place, and what a metre of it costs. None: all ground is alike.
  std::function<std::size_t(Vec2)> kind_at = {};
  std::vector<double> weight_of_kind = {};
};

class DetourPeer {
 public:
  /// Nothing, and why in `reason`, where Recast cannot build it.
  static std::unique_ptr<DetourPeer> build(const navmesh::Mesh& mesh, const DetourSettings& settings,
                                           std::string& reason);
  ~DetourPeer();

  /// By how much free space was shrunk: the radius in whole cells.
  [[nodiscard]] double eroded() const;
  [[nodiscard]] std::size_t polygon_count() const;

  /// Finds the polygons at both ends; false where there are none within a metre.
  bool locate(Vec2 from, Vec2 to);
  /// The path and the straight path between the ends last located; false where it does not get there.
  bool find();
  /// Of the last path found.
  [[nodiscard]] std::vector<Vec2> points() const;

 private:
  struct State;
  explicit DetourPeer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng::bench
