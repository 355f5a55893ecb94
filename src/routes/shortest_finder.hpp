// The shortest way of a disc between two places: exact, for any radius, over layers, on the one mesh.
//
// A* over the circles around corners that the way bends at (tangent_table.hpp). Which of them start and goal may see is kept for each tile (corner_sights.hpp), and what
// circles see from search to search. How far it is from there to the goal, at least, is a policy (goal_bounds.hpp). Whether the disc gets from an end to a circle in a straight line
// is looked at last, and only for circles that the shortest way can lead by: bounds need not know.
//
// The limit is given, or with labels hoped for: at first that of a way by a few circles next to the straight line, as long as labels say, and some more; then that by all circles
// that such a way can lead by. All ways within it are looked at: so what is found within it is the shortest way. Where nothing is found, as rarely happens, once more within
// a wider one.
//
// Laws
// 1. What is found is the shortest way, to rounding (1e-9 m; lines that come nearer to a corner than the radius by up to 1e-7 m may count as free).
// 2. Nothing is found exactly if there is no way shorter than the limit.
// 3. The same question gives the same bits, whatever was asked before, in whatever portions, by whichever bound.
// No allocation once buffers have grown, but for circles that were not asked for before and for a radius not asked for lately: that costs
// O(n). Thread-safety: one a thread, any number on the same graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "navmesh/visibility.hpp"
#include "routes/corner_distances.hpp"
#include "routes/goal_bounds.hpp"
#include "routes/open_list.hpp"
#include "routes/tangent_table.hpp"
#include "routes/tile_walk.hpp"

namespace throng::routes {

struct ShortestWay {
  double length = unreachable;
  std::vector<Bend> bends;  ///< start, corners turned around, goal
  std::vector<Index> arcs;  ///< passed, in order, as in AxisPath; empty where the way stays within a tile of a node
};

class ShortestFinder {
 public:
  explicit ShortestFinder(std::shared_ptr<const RouteGraph> graph);

  struct End {
    navmesh::Place place;
    Index cell = none;  ///< the place's own
  };
  /// Finds the shortest way that is at most `most` long. The disc must fit at both ends.
  bool find(const End& start, const End& goal, double radius, double most, ShortestWay& way) {
    begin(start, goal, radius, most);
    return advance(any_number) == SearchStatus::found && (collect(way), true);
  }
  /// The same in portions of at most `budget` circles: begin, advance until it is not running, collect if found. Without `most`: the shortest way, but for a few that are
  /// longer than labels let one hope for; then nothing, as if there were none. That needs labels.
  void begin(const End& start, const End& goal, double radius, std::optional<double> most);
  SearchStatus advance(std::size_t budget);
  void collect(ShortestWay& way);

  /// What searches go by from now on: by labels if nothing is said, which are made where a class of radii has none yet.
  void go_by(GoalBound bound) { bound_ = bound; }
  /// Windows and circles looked at by the last search.
  [[nodiscard]] std::size_t expansions() const { return expansions_; }

 private:
  /// A corner that one of the ends sees as a point, and how long a way by it is, at least.
  struct Glimpse {
    const CornerSights::Seen* corner = nullptr;
    double via = 0;
    bool in_dead_end = false;  ///< touched there only
    bool operator<(const Glimpse& o) const { return via != o.via ? via < o.via : corner < o.corner; }
  };
  enum class Sight : std::uint8_t { unknown, seen, hidden };
  /// A circle that one of the ends sees, perhaps.
  struct Seen {
    TangentTable::Touch touch;  ///< of whoever walks from start to goal
    Vec2 at;                    ///< where the line from the end touches the circle,
    Vec2 outward;               ///< and the direction from the corner to there
    double length = 0;          ///< of that line
    CornerDistances::Passing passing;
    Index corner = none;
    bool to_the_left = false;
    Sight sight = Sight::unknown;  ///< found only where it matters, and so is where on the circle the line arrives:
    Index node = none;
    Index tile = none;
    Index layer = none;
    Index next = none;  ///< another with the same corner and sense
  };
  /// An end of the way, and what it sees.
  struct Side {
    End end;
    bool is_start = false;
    bool is_in_dead_end = false;
    Index tile = none;        ///< of the disc
    Index point_tile = none;  ///< of a point
    std::vector<Glimpse> glimpses;
    std::vector<Seen> seen;
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
    Index seen = none;                 ///< without a parent: which of those that the start sees, perhaps
    bool useless = false;              ///< another one reaches the same circle as well or better
  };

  void use(double radius);
  void begin(Side& side, const End& end);
  void begin_search();
  void begin_with_all();
  void begin_within();
  [[nodiscard]] bool slides(const Side& from, const navmesh::Place& to, Index to_tile, Index touched) const;
  void mark_way_out(Side& side);
  [[nodiscard]] bool is_beside_way_out(Index corner) const;
  void glance(Side& side, Vec2 other);
  void take(Side& side, std::size_t first);
  void take(Side& side, const Glimpse& glimpse);
  std::size_t take_telling(Side& side);
  void tell_of_goal(std::size_t from);
  void hope_for(double bound);
  [[nodiscard]] bool is_on_circle(Seen& seen) const;
  [[nodiscard]] bool is_seen(const Side& side, Seen& seen) const;
  void forget();
  [[nodiscard]] double bound_by(double distance, const CornerDistances::Passing& passing, Vec2 centre);
  void reach(const Root& root, const CornerDistances::Passing& passing, Vec2 centre);
  [[nodiscard]] bool is_beaten(const Root& root);
  void add(Index number);
  [[nodiscard]] bool begin_at(Index number);
  void expand(Index number);
  void try_goal(Index number);
  [[nodiscard]] Index collect_line(const ShortestWay& way, std::size_t line, Index tile);
  void collect_tiles(ShortestWay& way);

  std::shared_ptr<const RouteGraph> graph_;
  std::shared_ptr<const CornerDistances> distances_;
  std::shared_ptr<const TangentTable> table_;
  Side start_, goal_;
  double best_ = unreachable;
  Index best_root_ = none;
  Index best_seen_ = none;                     ///< of those that the goal sees
  bool is_straight_ = false;                   ///< the ends see each other
  bool is_hopeful_ = false, is_wide_ = false;  ///< `best_` is what labels let one hope for, until a way is found:
  double hope_share_ = 0, hope_radii_ = 0;     ///< what they say and so much more
  std::size_t expansions_ = 0;
  std::vector<const CornerSights::Seen*> in_sight_;
  std::vector<Root> roots_;
  struct Child {
    const Tangent* tangent;
    double distance;
  };
  std::vector<Child> children_;  ///< of the circle at hand
  OpenList open_;
  GoalBound bound_ = GoalBound::labels;
  LabelBound labels_;
  std::vector<Index> first_root_;  ///< of each node
  std::vector<Index> first_seen_;  ///< by the goal, of each sense of each corner: 2 * site + (1 to the left)
  std::uint64_t search_ = 0;
  std::vector<std::uint64_t>
      way_out_;  ///< of each edge: the last search with an end in a dead end that it leads out of
  std::vector<Index> path_;
  std::vector<EnteredTile> entered_;
};

}  // namespace throng::routes
