#include "navmesh/visibility_polygon.hpp"

#include <algorithm>
#include <array>

#include "navmesh/piece.hpp"

namespace throng::navmesh {
namespace {

// Borders of a piece, counterclockwise, as corner i to corner i + 1.
constexpr int site_border = 0, right_border = 1, arc_border = 2, left_border = 3;

/// The corners of a piece as seen from the eye.
std::array<Vec2, 5> corners_from(const Mesh& mesh, Index cell, Vec2 eye) {
  const Piece piece = piece_of(mesh, cell);
  const Vec2 first = piece.foot_left - eye;
  return {first, piece.foot_right - eye, piece.node_right - eye, piece.node_left - eye, first};
}

Index neighbour(const Mesh& mesh, Index cell, int border) {
  return border == arc_border ? across_arc(cell) : border == right_border ? beside_right(mesh, cell) : beside_left(mesh, cell);
}

/// The border of the neighbour that is this one.
constexpr int from_behind(int border) {
  return border == arc_border ? arc_border : border == right_border ? left_border : right_border;
}

/// Where the ray from the eye along `direction` meets the line a-b, all from the eye.
Vec2 meet(Vec2 direction, Vec2 a, Vec2 b) {
  if (direction == a) return a;
  if (direction == b) return b;
  const double across = cross(direction, b - a);
  if (across == 0) return a;
  return direction * (cross(a, b - a) / across);
}

double squared_distance(Vec2 a, Vec2 b) { return squared_length(nearest_on({.a = a, .b = b}, {0, 0})); }

}  // namespace

bool VisibilityPolygon::compute(const Mesh& mesh, const Place& from, double range, Index hint) {
  vertices_.clear();
  around_.clear();
  windows_.clear();
  const Located start = locate_from(mesh, hint, from);
  if (!start) return false;
  eye_ = from.point;
  slack_ = mesh.locator->tolerance();
  range2_ = range * range;
  const Index cell = piece_at(mesh, start.cell, eye_);
  around_.push_back(cell);
  for (int border = left_border; border >= site_border; --border) windows_.push_back({cell, border, true, {}, {}});
  while (!windows_.empty()) {
    const Window window = windows_.back();
    windows_.pop_back();
    if (window.whole) open(mesh, window);
    else look_through(mesh, window);
  }
  join_ends();
  return true;
}

/// A border of a piece the eye stands in: all of it is in view. If the eye stands on it, the piece beyond is one of these too.
void VisibilityPolygon::open(const Mesh& mesh, const Window& window) {
  const std::array<Vec2, 5> corner = corners_from(mesh, window.cell, eye_);
  const Vec2 a = corner[std::size_t(window.border)], b = corner[std::size_t(window.border) + 1];
  if (a == b) return;
  if (cross(a, b) > slack_ * std::sqrt(squared_length(b - a))) {
    look_through(mesh, {window.cell, window.border, false, a, b});
    return;
  }
  const bool stands_on_it = squared_distance(a, b) <= 4 * slack_ * slack_;
  if (!stands_on_it) return;  // seen edge-on
  if (window.border == site_border) {
    emit(mesh, {window.cell, window.border, false, a, b}, a, b, mesh.site_of(window.cell));
    return;
  }
  const Index next = neighbour(mesh, window.cell, window.border);
  if (std::find(around_.begin(), around_.end(), next) != around_.end()) return;
  around_.push_back(next);
  const int entry = from_behind(window.border);
  for (int i = 3; i >= 1; --i) windows_.push_back({next, (entry + i) % 4, true, {}, {}});
}

void VisibilityPolygon::look_through(const Mesh& mesh, const Window& window) {
  if (window.border != site_border && range2_ == INFINITY) return pass(mesh, window);
  const std::array<Vec2, 5> corner = corners_from(mesh, window.cell, eye_);
  const Vec2 a = corner[std::size_t(window.border)], b = corner[std::size_t(window.border) + 1];
  if (window.border == site_border) return emit(mesh, window, a, b, mesh.site_of(window.cell));
  if (squared_distance(a, b) > range2_) return emit(mesh, window, a, b, none);
  pass(mesh, window);
}

/// Hands the view on to the far borders of the piece beyond, from right to left.
void VisibilityPolygon::pass(const Mesh& mesh, const Window& window) {
  const Index next = neighbour(mesh, window.cell, window.border);
  const std::array<Vec2, 5> corner = corners_from(mesh, next, eye_);
  const int entry = from_behind(window.border);
  for (int i = 3; i >= 1; --i) {
    const int border = (entry + i) % 4;
    const Vec2 a = corner[std::size_t(border)], b = corner[std::size_t(border) + 1];
    if (cross(a, b) <= 0) continue;
    const Vec2 right = cross(window.right, a) > 0 ? a : window.right;
    const Vec2 left = cross(b, window.left) > 0 ? b : window.left;
    if (cross(right, b) <= 0 || cross(a, left) <= 0 || cross(right, left) <= 0) continue;
    windows_.push_back({next, border, false, right, left});
  }
}

void VisibilityPolygon::emit(const Mesh& mesh, const Window& window, Vec2 a, Vec2 b, Index site) {
  for (const Vec2 direction : {window.right, window.left}) {
    const Vec2 point = eye_ + meet(direction, a, b);
    append(point, site == none ? layer_at(mesh, window.cell, point) : mesh.sites[site].layer, site);
  }
}

/// Several cells may show one wall after another: a vertex between two others of the same site says nothing.
void VisibilityPolygon::append(Vec2 point, Index layer, Index site) {
  const std::size_t n = vertices_.size();
  if (n > 0 && vertices_[n - 1].point == point && vertices_[n - 1].site == site) return;
  if (site != none && n > 1 && vertices_[n - 1].site == site && vertices_[n - 2].site == site) vertices_.pop_back();
  vertices_.push_back({point, layer, site});
}

/// The first wall may have been begun in its middle.
void VisibilityPolygon::join_ends() {
  const std::size_t n = vertices_.size();
  if (n < 4 || vertices_[n - 1].site != vertices_[0].site || vertices_[0].site == none) return;
  if (vertices_[n - 1].point == vertices_[0].point) vertices_.pop_back();
  if (vertices_.back().site != vertices_[0].site) return;
  vertices_[0] = vertices_.back();
  vertices_.pop_back();
}

double VisibilityPolygon::area() const {
  double twice = 0;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    twice += cross(vertices_[i].point - eye_, vertices_[(i + 1) % vertices_.size()].point - eye_);
  return twice / 2;
}

}  // namespace throng::navmesh
