// A static index over boxes of the grid, for finding what overlaps what: a packed R-tree (sort-tile-recursive: Leutenegger,
// Lopez, Edgington 1997) in flat arrays. Own code instead of Boost.Geometry's rtree, because answers are visited in place, without
// an output buffer, and the header stays light.
//
// O(n log n) to build, O(log n + answers) a query on inputs of any density. Read-only after construction: thread-safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "geometry/grid_point.hpp"

namespace throng::geometry {

/// Closed.
struct GridBox {
  GridPoint min, max;
};

[[nodiscard]] constexpr bool overlap(const GridBox& a, const GridBox& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

class BoxIndex {
 public:
  explicit BoxIndex(std::span<const GridBox> boxes);

  /// Calls visit(i) for every box i that overlaps the given one.
  template <class Visit>
  void for_each_in(const GridBox& box, Visit&& visit) const {
    if (!order_.empty()) descend(levels_.size() - 1, 0, box, visit);
  }

  /// Calls visit(i, j) once for every pair i < j of overlapping boxes, until it returns false: then for those of one more box at most.
  template <class Visit>
  void for_each_overlapping_pair_while(Visit&& visit) const {
    bool goes_on = true;
    for (std::size_t k = 0; k < order_.size() && goes_on; ++k) {
      const std::uint32_t i = order_[k];
      for_each_in(levels_[0][k], [&](std::uint32_t j) {
        if (i < j) goes_on = visit(i, j) && goes_on;
      });
    }
  }

  /// Calls visit(i, j) once for every pair i < j of overlapping boxes.
  template <class Visit>
  void for_each_overlapping_pair(Visit&& visit) const {
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const std::uint32_t i = order_[k];
      for_each_in(levels_[0][k], [&](std::uint32_t j) {
        if (i < j) visit(i, j);
      });
    }
  }

 private:
  static constexpr std::size_t fan_out = 8;

  template <class Visit>
  void descend(std::size_t level, std::size_t group, const GridBox& box, Visit&& visit) const {
    const std::vector<GridBox>& boxes = levels_[level];
    const std::size_t end = std::min(boxes.size(), (group + 1) * fan_out);
    for (std::size_t i = group * fan_out; i < end; ++i) {
      if (!overlap(boxes[i], box)) continue;
      if (level == 0)
        visit(order_[i]);
      else
        descend(level - 1, i, box, visit);
    }
  }

  std::vector<std::uint32_t> order_;          ///< the boxes in tile order
  std::vector<std::vector<GridBox>> levels_;  ///< [0] the boxes themselves, [k + 1] what encloses groups of [k]
};

}  // namespace throng::geometry
