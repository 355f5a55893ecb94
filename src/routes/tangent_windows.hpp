// Shortest ways of a disc as bundles of tangents that spread from tile to tile (the continuous Dijkstra of Mitchell, Mount,
// Papadimitriou 1987; for points in the plane also Polyanya, Cui, Harabor, Grastien 2017). What flow fields and exact routes share.
//
// The shortest way of a disc among obstacles is made of lines tangent to discs around obstacle corners. A root is such a disc, or the
// point where all begins, and how far it is from there; a window is the bundle of tangents that leave a root and enter a tile of the
// disc's free space (corridor_tiles.hpp) through a gate. Where the disc of one of the tile's own corners cuts a window off, the corner
// becomes a root of its own.
//
// Laws
// 1. Every shortest way from the beginning is made of the roots and one window of the tile it ends in, in whatever order windows
//    are spread, as long as all are.
// 2. `bound` of a window that enters a tile is at most the length of any way in it.
// 3. A root is dropped where the same circle is known to be reached as well or better; with Keep::every_class only where it is the
//    same tangent of the same root, found in another tile: then every way that cannot be pulled tighter comes up, whichever class it
//    belongs to, and hopelessness means nothing.
// Thread-safety: DiscTiles is immutable; a WindowSpread belongs to one search at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "routes/corridor_tiles.hpp"
#include "routes/funnel.hpp"

namespace throng::routes {

/// Metres that even a point keeps from corners: on a corner it would be on no side of it.
inline constexpr double tangent_point_radius = 1e-8;

/// What tangents start from: a point (no radius), or a corner's disc with a sign as in Bend.
struct TangentRoot {
  Bend bend;
  Index corner = none;
  Index tag = none;
  Vec2 arrival;         ///< direction of the line that first touches the disc
  double distance = 0;  ///< of the point where it does, from where all begins
  Index next = none;    ///< another root on the same side of the same corner
  Index parent = none;  ///< the root that line comes from
};

/// Tangents of a root that reach into a tile, from the rightmost to the leftmost.
struct TangentWindow {
  Vec2 right, left;
  Index root = none;
  bool right_open = false, left_open = false;  ///< no limit on that side: the tile's own borders are
  std::uint8_t side = 0;  ///< the gate it comes through, or the one it belongs to in tiles too narrow to get through
};

/// Length of the arc around a root from one direction to another, the way it turns.
[[nodiscard]] double arc_length(const Bend& root, Vec2 from, Vec2 to);
/// The same in two steps: the length by the angle of a vector. For many arcs the angles can be found together (arc_tangents).
[[nodiscard]] Vec2 turn_of(const Bend& root, Vec2 from, Vec2 to);
[[nodiscard]] double arc_length(const Bend& root, double angle);

/// How a path leaves a root for a place.
struct Approach {
  double away = 0;  ///< of the place from the root's centre
  Vec2 direction;   ///< inside the disc: in which it passes the nearest point of its rim; zero at the centre
};
[[nodiscard]] Approach approach(const Bend& root, Vec2 place);

/// The tiles as a disc of one radius finds them: what depends on both.
class DiscTiles {
 public:
  /// Through bottlenecks of less than `width`, half of it to either side, nobody gets, however small the disc.
  DiscTiles(std::shared_ptr<const CorridorTiles> tiles, double radius, double width = 0);

  [[nodiscard]] const CorridorTiles& tiles() const { return *tiles_; }
  [[nodiscard]] const navmesh::Mesh& mesh() const { return tiles_->graph().mesh(); }
  [[nodiscard]] double disc() const { return disc_; }
  [[nodiscard]] bool is_narrow(Index tile) const {
    return tiles_->is_narrow(tile, disc_) || (!closed_.empty() && tiles_->is_arc(tile) && closed_[tile] != 0);
  }
  /// Whether the disc gets through a gate of a tile; whoever entered a tile that is too narrow does not.
  [[nodiscard]] bool leads_on(Index tile, const TileGate& gate) const {
    return gate.tile != none && gate.lets_through(disc_) && !is_narrow(tile);
  }
  /// The gate of an arc's tile on whose side of the narrowest place a point lies.
  [[nodiscard]] std::uint8_t side_of(Index tile, Vec2 p) const;
  /// How far a place of a tile lies outside a window, or behind discs; 0 inside. `by` is its approach from the root.
  [[nodiscard]] double outside(const TangentRoot& root, const TangentWindow& window, Index tile, Vec2 p,
                               const Approach& by) const;

 private:
  [[nodiscard]] double hidden_in(Index tile, const TangentRoot& root, Vec2 from, Vec2 p) const;

  std::shared_ptr<const CorridorTiles> tiles_;
  double disc_ = 0;           ///< around corners: the radius; even a point keeps a little distance
  std::vector<char> closed_;  ///< of each arc, if any may be: whether its bottleneck is
};

/// What a spread needs of all tiles for one disc. O(n) to make.
class TileMeasures {
 public:
  explicit TileMeasures(const DiscTiles& tiles);

  /// Which stretch of a corner's circle borders a tile at a side, by the gate: a circle that others overlap has several, and no way
  /// leads along it from one to the other.
  [[nodiscard]] Index stretch(Index tile, Index side, Index gate) const { return stretch_[4 * tile + 2 * side + gate]; }
  [[nodiscard]] Index stretch_count() const { return stretch_count_; }
  /// The corner a stretch is around.
  [[nodiscard]] Index corner_of(Index stretch) const { return corner_of_[stretch]; }
  /// Ascends counterclockwise along a stretch; says nothing in one that goes all around its corner.
  [[nodiscard]] Index rank(Index tile, Index side, Index gate) const { return rank_[4 * tile + 2 * side + gate]; }
  [[nodiscard]] bool goes_all_around(Index stretch) const { return goes_all_around_[stretch] != 0; }
  /// No way inside the tile is longer.
  [[nodiscard]] double reach(Index tile) const { return reach_[tile]; }

 private:
  void number_stretches(const DiscTiles& tiles);
  void close_circle(const DiscTiles& tiles, const navmesh::Site& site, Index last_node, Index first, Index last);
  void measure(const DiscTiles& tiles);

  std::vector<Index> stretch_, rank_;  ///< by cell and gate
  std::vector<Index> corner_of_;
  std::vector<char> goes_all_around_;
  Index stretch_count_ = 0;
  std::vector<double> reach_;
};

/// A window that enters a tile.
struct WindowEntry {
  Index tile = none;
  Index gate = none;  ///< the tile's gate behind it; none: it begins here
  TangentWindow window;
  double bound = 0;
  Vec2 right,
      left;  ///< ends of that gate, as seen by who enters; the root's centre where the window begins at a circle
};

/// A circle that limits a window: a tangent leads to it, and the way leads on around it.
struct SeenCircle {
  Bend bend;
  Vec2 direction;
  Index tile = none, side = none;  ///< where the tangent touches it
  Index towards = none;            ///< the gate that whoever turns around it makes for
};

/// How windows get from tile to tile.
class WindowGeometry {
 public:
  explicit WindowGeometry(const DiscTiles& tiles);

  /// Appends what is left of a window beyond a gate, by its number, its `bound` not yet known.
  void pass(const TangentRoot& root, const WindowEntry& entered, Index number, std::vector<WindowEntry>& into) const;
  /// Whether a window gets to the circle at a side of its tile, for those who go on to a gate.
  [[nodiscard]] bool reaches(const TangentRoot& root, const WindowEntry& entered, Index side, Index towards,
                             SeenCircle& seen) const;

 private:
  /// What remains of a limit at an exit.
  struct Limit {
    Vec2 direction;
    bool open = false;
    bool blocked = false;  ///< the whole window passes on the wrong side of a post
    double error = 0;      ///< of the direction, in radians
  };

  [[nodiscard]] Limit limit_at(const TangentRoot& root, const WindowEntry& entered, Index number, bool at_left) const;
  [[nodiscard]] double direction_error(double away) const;
  void narrow(const TangentWindow& window, Limit& limit, Vec2 direction, double away, bool at_left) const;
  [[nodiscard]] Bend border(Index tile, Index side, Index towards) const;
  [[nodiscard]] bool sees(const TangentRoot& root, const WindowEntry& entered, Index side, Vec2 direction,
                          const Bend& bend) const;

  const DiscTiles& disc_tiles_;
  const CorridorTiles& tiles_;
  const navmesh::Mesh& mesh_;
  double disc_ = 0;    ///< radius of corners
  double beside_ = 0;  ///< metres that are rounding
};

class WindowSpread {
 public:
  enum class Keep { shortest, every_class };
  WindowSpread(const DiscTiles& tiles, const TileMeasures& measures, Keep keep = Keep::shortest);

  using Entry = WindowEntry;

  /// Begins anew. O(what the last search touched).
  void clear();
  /// The window in which all begins. The point must be one where the disc fits.
  [[nodiscard]] Entry begin(Vec2 point, Index cell, Index tag);
  /// Appends all windows that come of one.
  void expand(const Entry& entered, std::vector<Entry>& into);
  /// Whether a window cannot hold the shortest way to any place of its tile.
  [[nodiscard]] bool is_hopeless(const Entry& entry) const { return entry.bound > ceiling_[entry.tile]; }
  [[nodiscard]] const std::vector<TangentRoot>& roots() const { return roots_; }
  [[nodiscard]] std::vector<TangentRoot> take_roots() { return std::move(roots_); }

 private:
  void turn_around(const Entry& entered, Index side, Index towards, std::vector<Entry>& into);
  Index add_root(Index parent, Vec2 direction, const Bend& bend, Index corner, Index stretch);
  [[nodiscard]] bool is_beaten(const TangentRoot& known, Index parent, Vec2 direction, double distance) const;
  [[nodiscard]] double bound_of(const Entry& entered) const;
  void lower_ceiling(const Entry& entered);

  const DiscTiles& disc_tiles_;
  const TileMeasures& measures_;
  const CorridorTiles& tiles_;
  WindowGeometry geometry_;
  Keep keep_ = Keep::shortest;
  double disc_ = 0;  ///< radius of corners
  std::vector<TangentRoot> roots_;
  std::vector<double> ceiling_;    ///< of each tile: every place in it has a way at most this long
  std::vector<Index> first_root_;  ///< of each sense of each stretch
  std::vector<Index> lowered_;     ///< tiles with a ceiling
  std::vector<Index> rooted_;      ///< senses of stretches with a root
};

}  // namespace throng::routes
