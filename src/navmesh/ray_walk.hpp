// One straight line on its way through the pieces of a mesh; the machinery of visibility.hpp.
//
// Every corner of the piece lies left or right of the line. The line leaves a counterclockwise polygon where a right corner is
// followed by a left one. A piece entered through a border knows the sides of that border's ends from its neighbour, and these
// differ, so there is always a way out, whatever rounding does. Obstacle points within `slack` of the line count for the side
// that lets the line pass.
#pragma once

#include "navmesh/locate.hpp"

namespace throng::navmesh {

enum class Border { site, right, arc, left };

class RayWalk {
 public:
  /// The line from a point of the cell. Requires from != to.
  RayWalk(const Mesh& mesh, Index cell, Vec2 from, Vec2 to, double slack);

  [[nodiscard]] Index cell() const { return cell_; }
  [[nodiscard]] Border exit_border() const { return exit_; }
  /// Whether the line ends in this piece.
  [[nodiscard]] bool ends_here() const;
  /// Where the line leaves the piece.
  [[nodiscard]] Vec2 exit_point() const;
  /// Goes on into the piece beyond the exit, which is not the site.
  void advance();

 private:
  struct Corner {
    Vec2 point;
    double side = 0;  ///< twice the area of the triangle with the line; positive left of it
    bool left = false;
  };
  [[nodiscard]] Corner node_at(Vec2 p) const {
    const double side = cross(direction_, p - from_);
    return {p, side, side >= 0};
  }
  /// Feet of segments: when in doubt, the left foot lies left and the right foot right, and the wall is not in the way.
  [[nodiscard]] Corner foot(Vec2 p, bool is_left_foot) const {
    const double side = cross(direction_, p - from_);
    return {p, side, is_left_foot ? side >= -slack_ : side > slack_};
  }
  /// Feet of a piece entered through a border whose own foot is known.
  void find_feet(const Piece& piece, Border entry);
  /// Corners: when in doubt, on the side their obstacle lies on.
  [[nodiscard]] Corner corner_of_cell() const;
  void start_in(Index cell);
  [[nodiscard]] bool find_exit(Border entry);
  [[nodiscard]] Index neighbour_nearest_to_start() const;
  [[nodiscard]] const Corner& exit_start() const;
  [[nodiscard]] const Corner& exit_end() const;

  const Mesh& mesh_;
  const Locator& locator_;
  Vec2 from_, to_, direction_;
  double slack_;  ///< times the line's length, to compare with areas
  Index cell_;
  Border exit_ = Border::site;
  Corner foot_left_, foot_right_, node_right_, node_left_;
};

}  // namespace throng::navmesh
