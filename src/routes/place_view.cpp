#include "routes/place_view.hpp"

namespace throng::routes {

double by_way_of(Vec2 p, Vec2 a, Vec2 b, Vec2 q) {
  const Vec2 along = b - a;
  const double p_side = cross(along, p - a);
  double q_side = cross(along, q - a);
  if (p_side * q_side > 0) {  // on one side: a way to the line and back is as long as one to the mirror image
    const Vec2 normal = perpendicular(along);
    q = q - normal * (2 * q_side / squared_length(along));
    q_side = -q_side;
  }
  const Vec2 straight = q - p;
  const double at_a = cross(straight, a - p);
  const double at_b = cross(straight, b - p);
  if (at_a * at_b <= 0) return std::sqrt(squared_length(straight));
  const Vec2 corner = std::abs(at_a) < std::abs(at_b) ? a : b;
  return std::sqrt(squared_length(corner - p)) + std::sqrt(squared_length(q - corner));
}

void PlaceView::begin(Vec2 point, Index tile) {
  root_ = {.bend = {point, 0}};
  const TangentWindow all{.root = 0, .right_open = true, .left_open = true, .side = tiles_.side_of(tile, point)};
  open_.assign(1, {tile, none, all, 0, point, point});
  sights_.clear();
}

}  // namespace throng::routes
