// The best homotopy classes of a query: ways of a disc between two places that cannot be pulled into each other without crossing an obstacle,
// each as short as its class allows, shortest first.
//
// A class is a way through tiles of the disc's free space (corridor_tiles.hpp), which are the vertices and edges of the mesh's graph, that
// enters no tile twice: a simple path of the graph. (Ways that wind around an obstacle are classes too, without end; nobody wants them.)
// Where start and goal are in the tile of one arc, a way may come back into it from the other end, without having passed the goal.
// Each class has one way that cannot be pulled tighter, made of tangents between corners' discs, and all of them come up where windows of
// tangents are spread and none is dropped for a shorter one of another class (WindowSpread::Keep::every_class). They are spread
// (and one for each class only: corners that almost lie on a line would be turned around in many ways) with the most promising first, as in ShortestFinder; what is left is bounded by a flow field to the goal: from where a corner's disc is
// touched the way is at least as long as the shortest from there, exactly. So little is looked at that is longer than the last
// class asked for. Tiles through which no simple path leads from start to goal are left out beforehand (those that are not in one
// biconnected part with start and goal, if these are joined).
//
// Laws
// 1. What is found are the `count` shortest classes, lengths ascending, to rounding (1e-6 m); fewer exactly if there are no more.
// 2. The first is the shortest way of all.
// 3. Law 1 is given up where `most_expansions` windows were not enough: `complete()` is false, and what was found up to then is
//    given, each still as short as its class allows.
// 4. The same question gives the same bits.
// Complexity: O(n) and a flow field, then in proportion to windows no longer than the last class, each O(tiles passed).
// Thread-safety: one a thread.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "routes/flow_field.hpp"
#include "routes/shortest_finder.hpp"

namespace throng::routes {

class AlternativesFinder {
 public:
  static constexpr std::size_t most_count = 100;
  static constexpr std::size_t most_expansions = 500'000;

  AlternativesFinder(std::shared_ptr<const CorridorTiles> tiles, double radius);

  /// The disc must fit at both ends.
  void find(const ShortestFinder::End& start, const ShortestFinder::End& goal, std::size_t count,
            std::vector<ShortestWay>& ways);
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::size_t expansions() const { return expansions_; }

 private:
  struct Node {
    WindowSpread::Entry entry;
    Index parent = none;
    bool is_back = false;  ///< in the tile of start and goal again
    Index way = none;      ///< the tiles passed, as a number
  };
  /// A class that was found: the node its way ends with.
  struct Class {
    double length = unreachable;
    Index node = none;
    Index way = none;
  };

  void push(const WindowSpread::Entry& entry, Index parent, double at_least);
  [[nodiscard]] bool enters_twice(Index tile, Index parent) const;
  [[nodiscard]] bool comes_around(const WindowSpread::Entry& entry, Index parent) const;
  [[nodiscard]] Index gate_to_come_back_by(const ShortestFinder::End& start, Index start_tile) const;
  [[nodiscard]] double bound_of(const WindowSpread::Entry& entry) const;
  [[nodiscard]] double ahead_of(Vec2 right, Vec2 left, Vec2 from, Index tile) const;
  void try_goal(Index node);
  void keep(const Class& found);
  [[nodiscard]] Index way_on(Index way, Index tile);
  [[nodiscard]] bool turned_already(Index way, Index root);
  [[nodiscard]] double most() const { return classes_.size() < count_ ? unreachable : classes_.back().length; }
  void collect(const Class& found, ShortestWay& way) const;

  std::shared_ptr<const CorridorTiles> tiles_;
  double radius_ = 0;
  DiscTiles disc_tiles_;
  TileMeasures measures_;
  WindowSpread spread_;
  std::unique_ptr<const FlowField> field_;  ///< to the goal
  ShortestFinder::End goal_;
  Index goal_tile_ = none;
  std::uint8_t goal_side_ = 0;
  Index loop_gate_ =
      none;  ///< of the goal's tile, where start and goal share an arc's: the one by which ways around come back
  std::size_t count_ = 0;
  std::vector<char> is_useful_;  ///< of each tile: a simple path from start to goal leads through it
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, Index> way_numbers_;  ///< by the way without its last tile, and that tile
  std::vector<Index> way_before_;                         ///< of each way: without its last tile
  std::unordered_map<std::uint64_t, double>
      turned_;  ///< by way and side of a corner: how long it is to where that is reached
  OpenList open_;
  std::vector<WindowSpread::Entry> entries_;
  std::vector<Class> classes_;  ///< best first
  bool complete_ = true;
  std::size_t expansions_ = 0;
};

}  // namespace throng::routes
