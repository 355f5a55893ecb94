// How a flow field is computed; only flow_field*.cpp use this.
#pragma once

#include <vector>

#include "routes/flow_field.hpp"

namespace throng::routes {

/// Metres that even a point keeps from corners: on a corner it would be on no side of it.
inline constexpr double flow_point_radius = 1e-8;

/// Length of the arc around a root from one direction to another, the way it turns.
[[nodiscard]] double arc_length(const Bend& root, Vec2 from, Vec2 to);

class FlowFieldBuilder {
 public:
  explicit FlowFieldBuilder(FlowField& field);
  void run(std::span<const FlowGoal> goals);

 private:
  using Root = FlowField::Root;
  using Window = FlowField::Window;

  struct Pushed {
    double bound;  ///< nothing in the window is nearer to the goal
    Index serial;
    Index tile;
    Index entry;  ///< the gate behind it; none: it begins at a goal
    Window window;
  };
  struct Kept {
    Index tile;
    Window window;
  };
  /// What remains of a limit at an exit.
  struct Limit {
    Vec2 direction;
    bool open = false;
    bool blocked = false;  ///< the whole window passes on the wrong side of a post
    double error = 0;      ///< of the direction, in radians
  };

  void number_stretches();
  void close_circle(const navmesh::Site& site, Index last_node, Index first, Index last);
  void measure_tiles();
  void start_at(const FlowGoal& goal);
  void expand(const Pushed& pushed);
  void pass(Index tile, Index entry, const Window& window, Index gate);
  [[nodiscard]] Limit limit_at(Index tile, Index entry, const Window& window, Index gate, bool at_left) const;
  [[nodiscard]] double direction_error(double away) const;
  void narrow(const Window& window, Limit& limit, Vec2 direction, double away, bool at_left) const;
  [[nodiscard]] Bend border(Index tile, Index side, Index towards) const;
  [[nodiscard]] bool sees(Index tile, const Window& window, Index side, Vec2 direction, const Bend& bend) const;
  void turn_around(Index tile, const Window& window, Index side, Index towards);
  Index add_root(const Root& from, Vec2 direction, const Bend& bend, Index corner, Index stretch);
  void push(Index tile, Index entry, const Window& window, double bound);
  [[nodiscard]] double bound_at(const TileGate& gate, const Window& window) const;
  void lower_ceiling(Index tile, const TileGate& gate, const Window& window);
  void store();

  FlowField& field_;
  const CorridorTiles& tiles_;
  const navmesh::Mesh& mesh_;
  double disc_ = 0;    ///< radius of corners
  double beside_ = 0;  ///< metres that are rounding
  std::vector<Pushed> open_;
  std::vector<Kept> kept_;
  std::vector<double> reach_;    ///< of each tile: no way inside it is longer
  std::vector<double> ceiling_;  ///< of each tile: every place in it has a way at most this long
  /// Which stretch of a corner's circle borders a tile, by 4 * tile + 2 * side + gate: a circle that others overlap has several, and
  /// no way leads along it from one to the other.
  std::vector<Index> stretch_;
  std::vector<Index> first_root_;  ///< of each sense of each stretch
  Index serial_ = 0;
};

}  // namespace throng::routes
