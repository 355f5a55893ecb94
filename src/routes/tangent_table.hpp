// Which circles around corners a disc can get to in a straight line from which: the tangent graph of one radius, made as far as it is
// asked for. For a point it is the visibility graph, reduced to lines that a shortest way can bend at.
//
// Words
//   node     one sense of turning around one stretch of a corner's circle (tangent_windows.hpp): 2 * stretch, or 2 * stretch + 1 for a path
//            that has the corner on its left and turns left around it.
//
// Laws
// 1. `from(node)` lists every node that a tangent of the stretch leads to, once each, whichever node was asked for before.
// 2. Tangents keep the radius, and so do the arcs of a stretch between two of them.
// O(n) to make; a node costs what its corner sees when it is first asked for, and nothing later; so does the walk along a tangent. Thread-safety: any number of threads.
#pragma once

#include <atomic>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "routes/corner_distances.hpp"
#include "routes/disc_gates.hpp"
#include "routes/tangent_windows.hpp"
#include "routes/tile_walk.hpp"

namespace throng::routes {

/// A straight way between two circles. As large as a line of the cache; lists of them begin with one.
struct Tangent {
  double angle = 0;  ///< of its direction
  double length = 0;
  Vec2 centre;             ///< of the circle it leads to
  double share = 0;        ///< how labels see it arrive there (CornerDistances::Passing)
  Index turn = none;       ///< and at which turn
  Index to = none;         ///< node
  Index from_rank = none;  ///< how far along its stretch it begins (TileMeasures::rank)
  Index to_rank = none;    ///< and ends
  Index from_tile = none;  ///< that it begins in
  Index to_tile = none;    ///< and ends in
};

class TangentTable {
 public:
  /// Radians of a turn that are rounding, whichever way.
  static constexpr double straight_on = 1e-6;

  /// Labels are those of the radius.
  TangentTable(std::shared_ptr<const CorridorTiles> tiles, std::shared_ptr<const CornerDistances> labels,
               double radius);
  ~TangentTable();
  TangentTable(const TangentTable&) = delete;
  TangentTable& operator=(const TangentTable&) = delete;

  [[nodiscard]] double radius() const { return radius_; }
  [[nodiscard]] const CornerDistances& labels() const { return *labels_; }
  [[nodiscard]] const std::shared_ptr<const CornerDistances>& shared_labels() const { return labels_; }
  [[nodiscard]] const DiscTiles& disc_tiles() const { return disc_tiles_; }
  [[nodiscard]] const TileMeasures& measures() const { return measures_; }
  [[nodiscard]] const WindowGeometry& geometry() const { return geometry_; }
  [[nodiscard]] const DiscGates& gates() const { return gates_; }
  [[nodiscard]] Index node_count() const { return 2 * measures_.stretch_count(); }
  [[nodiscard]] Index corner_of(Index node) const { return measures_.corner_of(node / 2); }
  [[nodiscard]] Bend bend_of(Index node) const;
  /// A place of a circle.
  struct Spot {
    Index cell = none;  ///< none: within an obstacle beside the corner
    Index stretch = none, rank = none;
  };
  /// By the direction from the corner to there, of length 1.
  [[nodiscard]] Spot spot_at(Index corner, Vec2 direction) const;
  /// The node that a seen circle is, for those who see it through a window of that side.
  [[nodiscard]] Index node_of(const SeenCircle& seen, Index window_side) const;
  [[nodiscard]] std::span<const Tangent> from(Index node) const {
    const List* list = lists_[node].load(std::memory_order_acquire);
    return list != nullptr ? list->tangents() : made_from(node);
  }
  /// Asks for what will be needed soon.
  void prefetch(Index node) const {
    if (const List* list = lists_[node].load(std::memory_order_acquire)) {
      const char* begin = reinterpret_cast<const char*>(list);
      for (const int line : {0, 1, 2, 3, 4, 5, 6, 7}) __builtin_prefetch(begin + 64 * line);
    }
  }
  /// The tiles that a tangent of a node, one of those in `from(node)`, leads through.
  struct Walk {
    bool leads_there = false;            ///< false only where rounding has the last word
    std::span<const EnteredTile> tiles;  ///< after the one it begins in
  };
  [[nodiscard]] Walk walk(Index node, const Tangent& tangent) const;
  /// Where along its stretch a tangent touches a circle, by its direction.
  struct Touch {
    double angle = 0;  ///< of the tangent's direction, in radians
    Index rank = none;
  };
  /// Length of the arc along a node's stretch from where one tangent arrives to where another leaves; infinite where none leads there.
  [[nodiscard]] double arc_between(Index node, const Touch& arrival, const Touch& departure) const {
    const bool left = node % 2 == 1;
    double turn = left ? departure.angle - arrival.angle : arrival.angle - departure.angle;
    if (turn < 0) turn += full_turn;
    if (turn <= straight_on || turn >= full_turn - straight_on) return 0;
    if (turn > most_turn) return unreachable;
    const bool onward = left ? departure.rank >= arrival.rank : departure.rank <= arrival.rank;
    if (!onward && !measures_.goes_all_around(node / 2)) return unreachable;
    return disc_tiles_.disc() * turn;
  }
  /// Memory held, with all that was asked for so far.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Walked {
    bool leads_there = false;
    std::vector<EnteredTile> tiles;
  };
  using KnownWalk = std::atomic<const Walked*>;
  /// Tangents behind their number, in one piece; and the walks along them, as far as they were asked for.
  struct alignas(sizeof(Tangent)) List {
    std::size_t count;
    [[nodiscard]] std::span<const Tangent> tangents() const {
      return {reinterpret_cast<const Tangent*>(this + 1), count};
    }
    [[nodiscard]] KnownWalk* walks() const {
      return reinterpret_cast<KnownWalk*>(const_cast<Tangent*>(tangents().data() + count));
    }
    static const List* make(std::span<const Tangent> tangents);
    static void destroy(const List* list);
  };

  /// No tight way turns around a corner by clearly more than half a turn.
  static constexpr double most_turn = std::numbers::pi + 1e-3;
  static constexpr double full_turn = 2 * std::numbers::pi;

  [[nodiscard]] std::span<const Tangent> made_from(Index node) const;
  [[nodiscard]] std::vector<Tangent> look_around(Index node) const;
  void look_from(Index node, Index cell, std::vector<Tangent>& list) const;

  double radius_ = 0;
  std::shared_ptr<const CornerDistances> labels_;
  DiscTiles disc_tiles_;
  TileMeasures measures_;
  WindowGeometry geometry_;
  DiscGates gates_;
  std::vector<Index> cells_;       ///< of the stretches, each counterclockwise
  std::vector<Index> first_cell_;  ///< of each stretch, one more at the end
  mutable std::vector<std::atomic<const List*>> lists_;
};

}  // namespace throng::routes
