#include "navmesh/ray_walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace throng::navmesh {

RayWalk::RayWalk(const Mesh& mesh, Index cell, Vec2 from, Vec2 to, double slack)
    : mesh_(mesh),
      locator_(*mesh.locator),
      from_(from),
      to_(to),
      direction_(to - from),
      slack_(slack * std::sqrt(squared_length(to - from))),
      cell_(cell) {
  start_in(piece_at(mesh, cell, from));
  // On a border or a node rounding may put the start outside the piece it was located in, and the line past it.
  constexpr int most_tries = 1000;  // pieces around one node
  for (int i = 0; i < most_tries && !find_exit(Border::site); ++i) {
    const Index next = neighbour_nearest_to_start();
    if (next == none) return;
    start_in(next);
  }
}

void RayWalk::start_in(Index cell) {
  cell_ = cell;
  const Piece& piece = locator_.piece(cell);
  node_left_ = node_at(piece.node_left);
  node_right_ = node_at(piece.node_right);
  find_feet(piece, Border::arc);
}

void RayWalk::find_feet(const Piece& piece, Border entry) {
  if (piece.is_triangle()) {
    if (entry == Border::arc)
      foot_left_ = foot_right_ = corner_of_cell();
    else if (entry == Border::left)
      foot_right_ = foot_left_;
    else
      foot_left_ = foot_right_;
  } else {
    // In a corner of the free space the foot is the node: on the same side of the line, or the line could leave there, behind its start.
    if (entry != Border::left)
      foot_left_ = piece.foot_left == piece.node_left ? node_left_ : foot(piece.foot_left, true);
    if (entry != Border::right)
      foot_right_ = piece.foot_right == piece.node_right ? node_right_ : foot(piece.foot_right, false);
  }
}

RayWalk::Corner RayWalk::corner_of_cell() const {
  Corner corner = node_at(locator_.piece(cell_).foot_left);
  const Site& site = mesh_.sites[mesh_.site_of(cell_)];
  if (std::abs(corner.side) > slack_ || !site.is_corner()) return corner;
  // The corner's cells fill the directions away from its obstacle. A line that may pass has a normal among them, and the
  // obstacle lies on the other side.
  const Vec2 first = mesh_.nodes[right_node(mesh_, mesh_.site_cells[site.first_cell])].point - site.a;
  const Vec2 last =
      mesh_.nodes[left_node(mesh_, mesh_.site_cells[site.first_cell + site.cell_count - 1])].point - site.a;
  const auto among = [&](Vec2 normal) {
    return cross(first, normal) >= -slack_ * std::sqrt(squared_length(first)) &&
           cross(normal, last) >= -slack_ * std::sqrt(squared_length(last));
  };
  if (among(perpendicular(direction_)))
    corner.left = false;
  else if (among(-perpendicular(direction_)))
    corner.left = true;
  return corner;
}

bool RayWalk::find_exit(Border entry) {
  if (entry != Border::arc && !node_right_.left && node_left_.left) return exit_ = Border::arc, true;
  if (entry != Border::right && !foot_right_.left && node_right_.left) return exit_ = Border::right, true;
  if (entry != Border::left && !node_left_.left && foot_left_.left) return exit_ = Border::left, true;
  exit_ = Border::site;
  return !foot_left_.left && foot_right_.left;
}

/// The piece lies beside the line and touches its start. Across the border it touches with; where that is a corner of the
/// piece, on around it towards the line: clockwise, over the border that starts there, for a piece that lies left. None where
/// that border is the obstacle.
Index RayWalk::neighbour_nearest_to_start() const {
  struct Choice {
    const Corner &start, &end;
    Index cell;
  };
  const Choice choices[] = {{foot_right_, node_right_, locator_.beside(cell_).right},
                            {node_right_, node_left_, across_arc(cell_)},
                            {node_left_, foot_left_, locator_.beside(cell_).left},
                            {foot_left_, foot_right_, none}};
  const double near = 2 * slack_ / std::sqrt(squared_length(direction_));
  const bool lies_left = node_right_.left && node_left_.left;
  const Choice* best = nullptr;
  double least = INFINITY, least_turn = INFINITY;
  for (const Choice& choice : choices) {
    const Vec2 d = choice.end.point - choice.start.point;
    if (d == Vec2{}) continue;
    const double inside = std::max(near, cross(d, from_ - choice.start.point) / std::sqrt(squared_length(d)));
    const double turn = squared_length(from_ - (lies_left ? choice.start : choice.end).point);
    if (inside > least || (inside == least && turn >= least_turn)) continue;
    best = &choice, least = inside, least_turn = turn;
  }
  return best ? best->cell : cell_;
}

const RayWalk::Corner& RayWalk::exit_start() const {
  switch (exit_) {
    case Border::site: return foot_left_;
    case Border::right: return foot_right_;
    case Border::arc: return node_right_;
    default: return node_left_;
  }
}

const RayWalk::Corner& RayWalk::exit_end() const {
  switch (exit_) {
    case Border::site: return foot_right_;
    case Border::right: return node_right_;
    case Border::arc: return node_left_;
    default: return foot_left_;
  }
}

bool RayWalk::ends_here() const {
  const Vec2 a = exit_start().point, d = exit_end().point - a;
  const double inside = cross(d, to_ - a);
  if (inside * inside * squared_length(direction_) > slack_ * slack_ * squared_length(d)) return inside > 0;
  // The end lies on the border's line: on the border, or beyond it where the line runs along the border.
  return dot(direction_, to_ - a) <= std::max(0.0, dot(direction_, d)) + slack_;
}

Vec2 RayWalk::exit_point() const {
  const Corner &a = exit_start(), &b = exit_end();
  // Along the border itself, it is left at its far end.
  if (std::abs(a.side) <= slack_ && std::abs(b.side) <= slack_)
    return dot(direction_, b.point - a.point) > 0 ? b.point : a.point;
  const double t = a.side >= 0 ? 0 : b.side <= 0 ? 1 : a.side / (a.side - b.side);
  return a.point + (b.point - a.point) * t;
}

void RayWalk::advance() {
  Border entry = Border::arc;
  if (exit_ == Border::arc) {
    cell_ = across_arc(cell_);
    std::swap(node_left_, node_right_);
  } else if (exit_ == Border::right) {
    cell_ = locator_.beside(cell_).right;
    entry = Border::left;
    node_left_ = node_right_;
    foot_left_ = foot_right_;
    node_right_ = node_at(locator_.piece(cell_).node_right);
  } else {
    cell_ = locator_.beside(cell_).left;
    entry = Border::right;
    node_right_ = node_left_;
    foot_right_ = foot_left_;
    node_left_ = node_at(locator_.piece(cell_).node_left);
  }
  find_feet(locator_.piece(cell_), entry);
  (void)find_exit(entry);
}

}  // namespace throng::navmesh
