// The shortest way of a disc between two places: exact, for any radius, over layers, on the one mesh.
//
// A* over windows of tangents (tangent_windows.hpp). Windows are spread from the start, the most promising first: its bound is the
// length up to the root, the straight line from there to a point of the gate it comes through, within the window's limits, and the
// straight line from there to the goal, as in Polyanya (Cui, Harabor, Grastien 2017), whose intervals are our windows for radius 0;
// or, where that says more, what landmarks say (ALT; Goldberg, Harrelson 2005): the way between two places is no shorter than the
// difference of their distances to a third, and distances of points bound those of discs.
//
// Laws
// 1. What is found is the shortest way, to rounding (1e-9 m and window limits of 1e-7 m).
// 2. Nothing is found exactly if there is no way shorter than `most`.
// 3. The same question gives the same bits, whatever was asked before.
// No allocation once buffers have grown, but for a radius not asked for lately: that costs O(n). Thread-safety: one a thread, any number on
// the same landmarks.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "routes/flow_field.hpp"

namespace throng::routes {

/// Exact distances of a point from a few places far apart, at every node. Made once for a mesh, by a flow field each. Immutable.
class Landmarks {
 public:
  static constexpr std::size_t count = 12;
  using Distances = std::array<float, count>;  ///< infinite: not reachable

  explicit Landmarks(std::shared_ptr<const CorridorTiles> tiles);

  [[nodiscard]] const std::shared_ptr<const CorridorTiles>& tiles() const { return tiles_; }
  [[nodiscard]] const Distances& at_node(Index node) const { return at_node_[node]; }
  /// What the distances of a place are at least and at most, by the nodes of its arc that it sees; 0 and infinite where it sees none.
  struct Range {
    Distances least, most;
  };
  [[nodiscard]] Range at(const navmesh::Place& place, Index cell) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::shared_ptr<const CorridorTiles> tiles_;
  std::vector<Distances> at_node_;
};

struct ShortestWay {
  double length = unreachable;
  std::vector<Bend> bends;  ///< start, corners turned around, goal
  std::vector<Index> arcs;  ///< passed, in order, as in AxisPath; empty where the way stays within a tile of a node
};

/// The arcs passed by windows that enter these tiles by these gates, last first, as ShortestWay lists them. `gate` none: it began there.
struct EnteredTile {
  Index tile = none, gate = none;
};
void list_arcs(const CorridorTiles& tiles, const std::vector<EnteredTile>& last_first, std::vector<Index>& arcs);

/// The shortest way from p to q by way of the segment ab.
[[nodiscard]] double by_way_of(Vec2 p, Vec2 a, Vec2 b, Vec2 q);

/// The part of the gate behind a window that the window comes through.
struct GateShare {
  Vec2 right, left;
};
[[nodiscard]] GateShare share_of_gate(const TangentRoot& root, const WindowSpread::Entry& entry);

/// The length of the way that leaves a root for a place straight; infinite where the window does not hold it.
[[nodiscard]] double length_to(const DiscTiles& tiles, const TangentRoot& root, const WindowSpread::Entry& entry,
                               Vec2 place, std::uint8_t side);

class ShortestFinder {
 public:
  explicit ShortestFinder(std::shared_ptr<const Landmarks> landmarks);

  struct End {
    navmesh::Place place;
    Index cell = none;  ///< the place's own
  };
  /// Finds the shortest way that is at most `most` long. The disc must fit at both ends.
  bool find(const End& start, const End& goal, double radius, double most, ShortestWay& way);
  /// Windows spread by the last search.
  [[nodiscard]] std::size_t expansions() const { return expansions_; }

 private:
  struct Node {
    WindowSpread::Entry entry;
    Index parent = none;
  };
  struct Open {
    double bound;
    Index node;
  };
  /// What is kept of a radius.
  struct Sized {
    Sized(std::shared_ptr<const CorridorTiles> all, double r)
        : radius(r), tiles(std::move(all), r), measures(tiles), spread(tiles, measures) {}
    double radius;
    DiscTiles tiles;
    TileMeasures measures;
    WindowSpread spread;
    std::uint64_t used = 0;
  };

  Sized& sized(double radius);
  void push(const Sized& sized, const WindowSpread::Entry& entry, Index parent, double at_least);
  [[nodiscard]] double bound_of(const Sized& sized, const WindowSpread::Entry& entry) const;
  [[nodiscard]] double landmark_bound(Index node) const;
  void try_goal(const Sized& sized, Index node);
  void collect(const Sized& sized, ShortestWay& way);

  std::shared_ptr<const Landmarks> landmarks_;
  std::vector<std::unique_ptr<Sized>> sized_;  ///< a few, of the radii asked for lately
  std::uint64_t uses_ = 0;
  std::vector<Node> nodes_;
  std::vector<Open> open_;
  std::vector<WindowSpread::Entry> entries_;
  std::vector<EnteredTile> entered_;
  End goal_;
  Index goal_tile_ = none;
  std::uint8_t goal_side_ = 0;
  Landmarks::Range goal_range_{};
  double best_ = unreachable;
  Index best_node_ = none;
  std::size_t expansions_ = 0;
};

}  // namespace throng::routes
