// Polygons and lines laid over each other on the snap grid: which faces arise, and which polygons cover each.
//
// Laws
// 1. A part is one polygon: an outer ring and holes, given with any orientation and start. A face is inside a part where the
//    winding number of its rings (outer counterclockwise, holes clockwise) is 1; a part whose winding number is anything but 0
//    and 1 somewhere is not a polygon, and is reported to the caller, face by face.
// 2. Parts and lines are moved by less than `usual_drift` units (snap_rounding.hpp) but where features crowd, and independently of
//    their order.
// Cost: O((n + k) log n). Use: add everything, arrange(), then ask.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/grid_polygon.hpp"
#include "geometry/plane_graph.hpp"
#include "geometry/snap_rounding.hpp"

namespace throng::geometry {

class Overlay {
 public:
  using Id = std::uint32_t;

  /// How an owner (part or line) uses an edge.
  struct Use {
    Id owner = 0;
    std::int32_t winding =
        0;  ///< left minus right of the edge's half-edge 2e; 0 for lines, and where a part is folded flat
  };

  /// Adds a part; its rings may have any orientation. Returns its owner id.
  Id add_part(std::span<const GridRing> rings);
  /// Adds a polyline. Returns its owner id.
  Id add_line(std::span<const GridPoint> points);

  /// False where they cross so much that it was given up: there are no edges then, and no faces but the outer one.
  [[nodiscard]] bool arrange(HotFirst first = HotFirst::everything, RoundingBudget budget = {});

  [[nodiscard]] const PlaneGraph& graph() const { return *graph_; }
  [[nodiscard]] std::size_t edge_count() const { return first_use_.size() - 1; }
  [[nodiscard]] std::span<const Use> uses_of(Id edge) const {
    return {uses_.data() + first_use_[edge], first_use_[edge + 1] - first_use_[edge]};
  }

  /// Walks over all faces. changed(owner, inside) tells when a part begins or ceases to cover; visit(face) comes when all is
  /// told; broken(part, face, winding) names parts whose winding number there is not 0 or 1 (they count as inside).
  /// Of a part of a larger drawing `outside` has the winding number of each owner in the unbounded face, by owner; 0 where it is too short.
  template <class Changed, class Visit, class Broken>
  void walk(Changed&& changed, Visit&& visit, Broken&& broken, std::span<const std::int32_t> outside = {}) const;

  /// A place whose features crowd so much that an edge was moved by more than `usual_drift`, if there is one.
  [[nodiscard]] std::optional<GridPoint> crowded_place() const { return crowded_; }

  /// A crossing of two edges of the same part, rounded, if there is one.
  [[nodiscard]] std::optional<GridPoint> self_crossing(Id part) const;

 private:
  std::vector<GridSegment> segments_;
  std::vector<Id> owner_;                     ///< of each segment
  std::vector<bool> is_line_;                 ///< of each owner
  std::vector<std::uint32_t> first_segment_;  ///< of each owner
  std::vector<Use> uses_;
  std::vector<std::uint32_t> first_use_{0};
  std::optional<PlaneGraph> graph_;
  std::optional<GridPoint> crowded_;
};

template <class Changed, class Visit, class Broken>
void Overlay::walk(Changed&& changed, Visit&& visit, Broken&& broken, std::span<const std::int32_t> outside) const {
  std::vector<std::int32_t> winding(outside.begin(), outside.end());
  winding.resize(is_line_.size(), 0);
  std::vector<Id> suspects;  // owners whose winding number left {0, 1} at some time
  const auto cross_over = [&](Id half_edge, std::int32_t sign) {
    for (const Use& use : uses_of(half_edge / 2)) {
      if (use.winding == 0) continue;
      const bool was_inside = winding[use.owner] != 0;
      winding[use.owner] += (half_edge % 2 == 0 ? sign : -sign) * use.winding;
      const std::int32_t now = winding[use.owner];
      if (now != 0 && now != 1) suspects.push_back(use.owner);
      if (was_inside != (now != 0)) changed(use.owner, now != 0);
    }
  };
  graph_->walk_faces([&](Id h) { cross_over(h, +1); },
                     [&](Id face) {
                       std::erase_if(suspects, [&](Id o) { return winding[o] == 0 || winding[o] == 1; });
                       for (Id owner : suspects) broken(owner, face, winding[owner]);
                       visit(face);
                     },
                     [&](Id h) { cross_over(h, -1); });
}

}  // namespace throng::geometry
