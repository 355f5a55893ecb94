// How a flow field is computed; only flow_field*.cpp use this.
#pragma once

#include <vector>

#include "routes/flow_field.hpp"

namespace throng::routes {

/// Metres by which a gate may be narrower than the body through rounding: a door of exactly 2 r lets the body through.
inline constexpr double flow_fit_tolerance = 1e-9;
/// Metres that even a point keeps from corners: on a corner it would be on no side of it.
inline constexpr double flow_point_radius = 1e-8;
/// Metres beside a limiting line that still count as on it.
inline constexpr double flow_on_line = 1e-9;

/// How far left of a root's tangent of that direction a point lies.
[[nodiscard]] inline double left_of(const Bend& root, Vec2 direction, Vec2 p) {
  return root.radius + cross(direction, p - root.centre);
}
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
    Index entry;  ///< the gate it comes through; none: it begins in the tile
    Window window;
  };
  struct Kept {
    Index tile;
    Window window;
  };
  /// What remains of a limit at a post of a gate.
  struct Limit {
    Vec2 direction;
    bool open = false;
    bool moved = false;    ///< the post is in the way
    bool blocked = false;  ///< the whole window passes on the other side of the post
  };

  void start_at(const FlowGoal& goal);
  void expand(const Pushed& pushed);
  void pass(Index tile, const Window& window, Index gate);
  [[nodiscard]] Limit limit_right(const Window& window, const GatePost& post) const;
  [[nodiscard]] Limit limit_left(const Window& window, const GatePost& post) const;
  [[nodiscard]] bool comes_first(const Root& root, Vec2 direction, const GatePost& other, bool other_is_left,
                                 const GatePost& post) const;
  Index add_root(const Root& from, Vec2 direction, const GatePost& post, bool left);
  void add_stubs(Index tile, const Window& window, Index gate, const Limit& right, const Limit& left);
  [[nodiscard]] bool ends_before(const Window& window, Vec2 direction, const GatePost& post) const;
  void turn_around(Index tile, const Window& window, Index gate, const Limit& limit, bool at_left);
  bool narrow_to_gate(Window& window, const TileGate& gate) const;
  void add_stub(Index tile, Window stub, Index gate, int depth);
  void push(Index tile, Index entry, const Window& window);
  [[nodiscard]] double bound_of(Index tile, Index entry, const Window& window) const;
  void lower_ceiling(Index tile, const TileGate& gate, const Window& window);
  void store();

  FlowField& field_;
  const CorridorTiles& tiles_;
  const navmesh::Mesh& mesh_;
  double disc_ = 0;  ///< radius of corners
  double fit_ = 0;   ///< smallest clearance that lets the body through
  std::vector<Pushed> open_;
  std::vector<Kept> kept_;
  std::vector<double> ceiling_;    ///< of each tile: every place in it has a way at most this long
  std::vector<Index> first_root_;  ///< of each side of each site
  Index serial_ = 0;
};

}  // namespace throng::routes
