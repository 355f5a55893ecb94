// The shortest way of a disc between two places: exact, for any radius, over layers, on the one mesh.
//
// A* over the circles around corners that the way bends at (tangent_table.hpp). What start and goal see is found by lines of sight
// (place_view.hpp), only where a way within a limit can lead; what circles see is kept from search to search. A
// search is bounded by what a body of hardly less width would have to walk around corners from there to the goal, turns included
// (corner_distances.hpp): hardly anything is looked at that is not on the way.
//
// The limit is given, or hoped for: at first that of a way by corners near both ends, as long as labels say, and some more. Both ends look around
// in turns, and the limit is lowered to what labels say of the circles they have seen, and some more. It only falls, and all ways within what it
// is in the end have been looked at: so what is found within it is the shortest way.
//
// Laws
// 1. What is found is the shortest way, to rounding (1e-9 m and window limits of 1e-7 m).
// 2. Nothing is found exactly if there is no way shorter than the limit.
// 3. The same question gives the same bits, whatever was asked before.
// No allocation once buffers have grown, but for circles that were not asked for before and for a radius not asked for lately: that costs
// O(n). Thread-safety: one a thread, any number on the same graph.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "routes/corner_distances.hpp"
#include "routes/open_list.hpp"
#include "routes/place_view.hpp"
#include "routes/tangent_table.hpp"
#include "routes/tile_walk.hpp"

namespace throng::routes {

struct ShortestWay {
  double length = unreachable;
  std::vector<Bend> bends;  ///< start, corners turned around, goal
  std::vector<Index> arcs;  ///< passed, in order, as in AxisPath; empty where the way stays within a tile of a node
};

/// The part of the gate behind a window that the window comes through.
struct GateShare {
  Vec2 right, left;
};
[[nodiscard]] GateShare share_of_gate(const TangentRoot& root, const WindowEntry& entry);

/// The length of the way that leaves a root for a place straight; infinite where the window does not hold it.
[[nodiscard]] double length_to(const DiscTiles& tiles, const TangentRoot& root, const WindowEntry& entry, Vec2 place,
                               std::uint8_t side);

class ShortestFinder {
 public:
  explicit ShortestFinder(std::shared_ptr<const RouteGraph> graph);

  struct End {
    navmesh::Place place;
    Index cell = none;  ///< the place's own
  };
  /// Finds the shortest way that is at most `most` long. The disc must fit at both ends.
  bool find(const End& start, const End& goal, double radius, double most, ShortestWay& way);
  /// Finds the shortest way, but for a few that are longer than labels let one hope for: then nothing, as if there were none.
  bool find_hopefully(const End& start, const End& goal, double radius, ShortestWay& way);
  /// Windows and circles looked at by the last search.
  [[nodiscard]] std::size_t expansions() const { return expansions_; }

 private:
  /// A circle that one of the ends sees.
  struct Seen {
    TangentTable::Touch touch;  ///< of whoever walks from start to goal
    double length = 0;
    Index node = none;
    Index tile = none;
    Index next = none;  ///< another with the same node
    CornerDistances::Passing passing;
  };
  /// A circle reached along a tangent.
  struct Root {
    TangentTable::Touch arrival;
    double distance = 0;  ///< of the point where it first touches, from the start
    Index node = none;
    Index tile = none;                 ///< where it first touches
    const Tangent* tangent = nullptr;  ///< from the circle of the parent
    Index parent = none;               ///< none: the start
    Index next = none;                 ///< another root with the same node
    bool useless = false;              ///< another one reaches the same circle as well or better
  };

  bool find(const End& start, const End& goal, double radius, ShortestWay& way);
  void search();
  using Ticks = CornerDistances::Ticks;
  /// What hubs know of one end of the way.
  struct Hubs {
    std::vector<Ticks> distance;  ///< of the end from each, and `lift_`
    std::vector<Index> known;     ///< those with a distance, as many as are counted: room for all, and one more
    std::size_t known_count = 0;

    void begin(std::size_t hub_count);
    void forget();
  };
  [[nodiscard]] Ticks most_bound() const;
  void tell_hubs(Hubs& hubs, Index turn, double ahead);
  [[nodiscard]] Ticks lifted_least_to(const Hubs& hubs, Index turn) const;
  [[nodiscard]] double least_to(const Hubs& hubs, Index turn) const;
  [[nodiscard]] double unlifted(Ticks ticks) const;
  void hope_for(double bound);
  [[nodiscard]] std::span<const Index> near(Index tile);
  template <class Visit>
  void for_each_turn(std::span<const Index> corners, Vec2 place, Visit&& visit) const;
  void guess();
  void forget();
  /// Where an end of the way lies that only one way leads to.
  struct DeadEnd {
    bool is_one = false;
    Index mouth = none;  ///< the tile from which it is entered
  };
  DeadEnd mark_dead_end(Index tile, std::vector<std::uint64_t>& led_into) const;
  class Look;
  void note(Index window_side, const SeenCircle& circle, bool is_start);
  void note_for_start(const Seen& seen);
  void note_for_goal(const Seen& seen);
  void tell_of_last();
  [[nodiscard]] CornerDistances::Passing passing(Index node, double angle) const {
    return distances_->passing(table_->corner_of(node), node % 2 == 1, angle);
  }
  [[nodiscard]] double ahead_of(Index turn);
  void reach(const Root& root, const CornerDistances::Passing& passing);
  void expand(Index number);
  void try_goal(Index number);
  void collect(ShortestWay& way);
  [[nodiscard]] Index collect_line(const ShortestWay& way, std::size_t line, Index tile);
  void collect_tiles(ShortestWay& way);

  std::shared_ptr<const RouteGraph> graph_;
  std::shared_ptr<const CornerDistances> distances_;
  std::shared_ptr<const TangentTable> table_;
  End start_, goal_;
  Index start_tile_ = none, goal_tile_ = none;
  double best_ = unreachable;
  Index best_root_ = none;
  Index best_seen_ = none;    ///< of those that the goal sees
  bool is_straight_ = false;  ///< the ends see each other
  std::size_t expansions_ = 0;
  bool is_hopeful_ = false;  ///< `best_` is lowered to what labels let one hope for, until a way is found
  std::vector<Seen> by_start_, by_goal_;
  std::size_t told_by_goal_ = 0;  ///< circles that the goal sees and its hubs know of
  std::vector<Root> roots_;
  struct Child {
    const Tangent* tangent;
    double distance;
    CornerDistances::Passing passing;
  };
  std::vector<Child> children_;  ///< of the circle at hand
  OpenList open_;
  std::optional<PlaceView> start_view_, goal_view_;  ///< of the table's radius
  Hubs start_hubs_, goal_hubs_;
  double lift_ = 0;                             ///< metres that keep these positive
  double bound_error_ = 0;                      ///< metres that bounds may be too long
  std::vector<Index> first_root_, first_seen_;  ///< of each node
  std::vector<Ticks> ahead_;                    ///< of each turn, and `lift_`; `not_asked`: not asked for yet
  static constexpr Ticks not_asked = ~Ticks{0};
  std::vector<Index> asked_turns_;
  /// Of each edge in a dead end: the last search whose start, or goal, lies there.
  std::vector<std::uint64_t> start_led_into_, goal_led_into_;
  std::uint64_t search_ = 0;
  /// Corners near tiles that were asked for: their number and themselves, and where they are for each tile.
  std::vector<Index> near_, near_at_;
  std::vector<Index> near_tiles_;
  std::vector<Index> path_;
  std::vector<EnteredTile> entered_;
};

}  // namespace throng::routes
