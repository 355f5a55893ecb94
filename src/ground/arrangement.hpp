// Closed curves of many kinds laid over each other on a grid: how often the
// curves of each kind wind around each face.
//
// Each kind ("channel") adds up by itself. Curves that share an edge in
// opposite directions cancel before anything is rounded, so shapes that are put
// together edge to edge cost no more than their outline.
//
// Laws
// 1. After arrange(), walk() visits every face once and tells the winding
//    numbers of all channels there.
// 2. Nothing depends on the order in which curves were added.
// Cost: O((n + k) log n) for n edges and k crossings.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "geometry/plane_graph.hpp"
#include "geometry/snap_rounding.hpp"

namespace throng::ground {

class Arrangement {
 public:
  using Id = std::uint32_t;
  using GridPoint = geometry::GridPoint;
  using GridSegment = geometry::GridSegment;

  /// A closed curve: counterclockwise ones wind by +1 around what they enclose.
  void add_ring(std::span<const GridPoint> ring, Id channel);
  void add_edge(GridPoint a, GridPoint b, Id channel, std::int32_t winding = 1) {
    pieces_.push_back({a, b, channel, winding});
  }
  /// An edge that is kept though it encloses nothing, and told apart by `mark`.
  void add_line(GridPoint a, GridPoint b, Id mark) { lines_.push_back({{a, b}, mark}); }

  void arrange();

  [[nodiscard]] const geometry::PlaneGraph& graph() const { return *graph_; }
  /// Sorted, each from its smaller end to its larger one.
  [[nodiscard]] std::span<const GridSegment> edges() const { return edges_; }
  /// The edge between two ends, which must be there; a < b. O(log n).
  [[nodiscard]] Id edge_of(GridPoint a, GridPoint b) const;
  /// Edges that the lines of a mark became.
  [[nodiscard]] const std::vector<std::pair<Id, Id>>& marked() const { return marked_; }  ///< (mark, edge), sorted

  /// visit(face, windings) for every face but the unbounded one; windings by
  /// channel.
  template <class Visit>
  void walk(std::size_t channels, Visit&& visit) const {
    std::vector<std::int32_t> winding(channels, 0);
    const auto step_over = [&](Id half_edge, std::int32_t sign) {
      const Id edge = half_edge / 2;
      for (Id i = first_use_[edge]; i < first_use_[edge + 1]; ++i)
        winding[uses_[i].channel] += (half_edge % 2 == 0 ? sign : -sign) * uses_[i].winding;
    };
    graph_->walk_faces([&](Id h) { step_over(h, +1); },
                       [&](Id face) {
                         if (face != 0) visit(face, std::as_const(winding));
                       },
                       [&](Id h) { step_over(h, -1); });
  }

 private:
  struct Piece {
    GridPoint a, b;
    Id channel = 0;
    std::int32_t winding = 0;  ///< left of a->b minus right of it
  };
  struct Line {
    GridSegment segment;
    Id mark = 0;
  };
  struct Use {
    Id channel = 0;
    std::int32_t winding = 0;  ///< of half-edge 2e: left minus right
  };
  static void cancel(std::vector<Piece>& pieces);

  std::vector<Piece> pieces_;
  std::vector<Line> lines_;
  std::vector<GridSegment> edges_;
  std::vector<Use> uses_;
  std::vector<Id> first_use_;
  std::vector<std::pair<Id, Id>> marked_;
  std::optional<geometry::PlaneGraph> graph_;
};

}  // namespace throng::ground
