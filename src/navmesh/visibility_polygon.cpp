#include "navmesh/visibility_polygon.hpp"

#include <algorithm>
#include <array>

#include "navmesh/piece.hpp"

namespace throng::navmesh {
namespace {

// Borders of a piece, counterclockwise, as corner i to corner i + 1.
constexpr int site_border = 0, right_border = 1, arc_border = 2, left_border = 3;

Index neighbour(const Mesh& mesh, Index cell, int border) {
  if (border == arc_border) return across_arc(cell);
  return border == right_border ? mesh.locator->beside(cell).right : mesh.locator->beside(cell).left;
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

// The steps of a view are short and run hundreds of times; called as functions they take a tenth longer.
[[gnu::always_inline]] inline VisibilityPolygon::Sight VisibilityPolygon::sight_of(const Mesh& mesh, Index cell) const {
  const Piece& piece = mesh.locator->piece(cell);
  const Vec2 first = piece.foot_left - eye_;
  Sight sight{{first, piece.foot_right - eye_, piece.node_right - eye_, piece.node_left - eye_, first}, {}};
  for (std::size_t i = 0; i < 4; ++i) sight.turn[i] = cross(sight.corner[i], sight.corner[i + 1]);
  return sight;
}

/// Puts a border, of which the eye sees the part between two directions, into the rim to the left of a span.
[[gnu::always_inline]] inline Index VisibilityPolygon::add_border(const Mesh& mesh, Index after, Index cell, int border,
                                                                  const Sight& sight, Vec2 right, Vec2 left) {
  const Vec2 a = sight.corner[std::size_t(border)], b = sight.corner[std::size_t(border) + 1];
  const Index index = Index(rim_.size()), next = rim_[after].next;
  Span& span = rim_.emplace_back();
  span.right = right, span.left = left;
  span.right_hidden = right != a, span.left_hidden = left != b;
  span.done = border == site_border || (range2_ < INFINITY && squared_distance(a, b) > range2_);
  span.cell = span.done ? cell : neighbour(mesh, cell, border);
  span.border = std::uint8_t(span.done ? border : from_behind(border));
  // Read when the span's turn comes; waiting for memory was a third of all time.
  if (span.done)
    __builtin_prefetch(&mesh.arcs[cell / 2]);
  else
    mesh.locator->prefetch(span.cell);
  span.previous = after, span.next = next;
  rim_[after].next = index;
  rim_[next].previous = index;
  return index;
}

/// Replaces spans from `first` (right) to `last` (left), which lead into one piece, by its far borders.
[[gnu::always_inline]] inline void VisibilityPolygon::advance(const Mesh& mesh, const Sight& sight, Index first,
                                                              Index last) {
  const Index cell = rim_[first].cell, beyond = rim_[last].next;
  const Vec2 right = rim_[first].right, left = rim_[last].left;
  const int begin = rim_[first].border + 1, count = (rim_[last].border + 4 - begin) % 4;
  Index after = rim_[first].previous;
  for (Index i = first; i != beyond; i = rim_[i].next) rim_[i].gone = true;
  rim_[after].next = beyond;
  rim_[beyond].previous = after;
  const std::size_t work = work_.size();
  for (int i = 0; i < count; ++i) {
    const auto border = std::size_t(begin + i) % 4;
    const Vec2 a = sight.corner[border], b = sight.corner[border + 1];
    if (sight.turn[border] <= 0 || cross(right, b) <= 0 || cross(a, left) <= 0) continue;
    const Vec2 from = cross(right, a) > 0 ? a : right;
    const Vec2 to = cross(b, left) > 0 ? b : left;
    after = add_border(mesh, after, cell, int(border), sight, from, to);
    if (!rim_[after].done) work_.push_back(after);
  }
  // From right to left, so that a span finds its right neighbour already pushed out.
  std::reverse(work_.begin() + std::ptrdiff_t(work), work_.end());
}

/// Enters the piece beyond a span, with the spans beside it that lead into the same piece. If one that should is not there yet,
/// it goes first; if it waits for this one in turn, the piece is entered in parts.
[[gnu::always_inline]] inline void VisibilityPolygon::push_out(const Mesh& mesh, Index index) {
  rim_[index].waits = false;
  const Index cell = rim_[index].cell;
  const Sight sight = sight_of(mesh, cell);
  Index ends[2] = {index, index};
  // To the right, then to the left. Numbers of borders run from left to right on the side that faces the eye.
  for (const bool left : {false, true}) {
    for (Index& end = ends[left];;) {
      const Span& span = rim_[end];
      const std::size_t border = (span.border + (left ? 3u : 1u)) % 4;
      if ((left ? span.left_hidden : span.right_hidden) || border == site_border || sight.turn[border] >= 0) break;
      const Index beside = left ? span.next : span.previous;
      const Span& other = rim_[beside];
      if (other.done || (left ? other.right != span.left : other.left != span.right)) break;
      if (other.cell == cell && other.border == border) {
        end = beside;
        continue;
      }
      if (other.waits) break;
      rim_[index].waits = true;
      work_.push_back(index);
      work_.push_back(beside);
      return;
    }
  }
  advance(mesh, sight, ends[0], ends[1]);
}

/// Several cells may show one wall after another: a vertex between two others of the same site says nothing.
[[gnu::always_inline]] inline void VisibilityPolygon::append(Vec2 point, Index layer, Index site) {
  const std::size_t n = vertices_.size();
  if (n > 0 && vertices_[n - 1].point == point && vertices_[n - 1].site == site) return;
  if (site != none && n > 1 && vertices_[n - 1].site == site && vertices_[n - 2].site == site) vertices_.pop_back();
  vertices_.push_back({point, layer, site});
}

bool VisibilityPolygon::compute(const Mesh& mesh, const Place& from, double range, Index hint) {
  vertices_.clear();
  const Located start = locate_from(mesh, hint, from);
  if (!start) return false;
  eye_ = from.point;
  slack_ = mesh.locator->tolerance();
  range2_ = range * range;
  rim_.assign(1, {});
  rim_[0].done = true;
  stand_in(mesh, piece_at(mesh, start.cell, eye_));
  work_.clear();
  for (Index i = rim_[0].previous; i != 0; i = rim_[i].previous) work_.push_back(i);
  // A piece is entered once for every gap between obstacles it is seen through. Only a file that was made wrong on purpose
  // holds pieces that can be gone round and round in.
  std::size_t steps_left = 1000 * (mesh.cell_count() + 1);
  while (!work_.empty() && steps_left-- > 0) {
    const Index span = work_.back();
    work_.pop_back();
    if (!rim_[span].gone && !rim_[span].done) push_out(mesh, span);
  }
  emit_all(mesh);
  join_ends();
  return true;
}

/// The first rim: the borders of the piece the eye stands in. Where it stands on one, or on a node, the pieces beyond it are
/// added too, in order around the eye.
void VisibilityPolygon::stand_in(const Mesh& mesh, Index cell) {
  around_.assign(1, cell);
  standing_.clear();
  for (int border = left_border; border >= site_border; --border) standing_.push_back({cell, border});
  while (!standing_.empty()) {
    const Standing next = standing_.back();
    standing_.pop_back();
    open(mesh, next.cell, next.border);
  }
}

void VisibilityPolygon::open(const Mesh& mesh, Index cell, int border) {
  const Sight sight = sight_of(mesh, cell);
  const Vec2 a = sight.corner[std::size_t(border)], b = sight.corner[std::size_t(border) + 1];
  if (a == b) return;
  const bool inside = cross(a, b) > slack_ * std::sqrt(squared_length(b - a));
  const bool stands_on_it = !inside && squared_distance(a, b) <= 4 * slack_ * slack_;
  if (!inside && !stands_on_it) return;  // seen edge-on
  if (inside || border == site_border) {
    add_border(mesh, rim_[0].previous, cell, border, sight, a, b);
    return;
  }
  const Index next = neighbour(mesh, cell, border);
  if (std::find(around_.begin(), around_.end(), next) != around_.end()) return;
  around_.push_back(next);
  const int entry = from_behind(border);
  for (int i = 3; i >= 1; --i) standing_.push_back({next, (entry + i) % 4});
}

void VisibilityPolygon::emit_all(const Mesh& mesh) {
  const bool flat = mesh.layers.size() == 1;
  for (Index i = rim_[0].next; i != 0; i = rim_[i].next) {
    const Span& span = rim_[i];
    if (!span.done) continue;
    const Piece& piece = mesh.locator->piece(span.cell);
    const Vec2 corners[] = {piece.foot_left, piece.foot_right, piece.node_right, piece.node_left, piece.foot_left};
    const Vec2 a = corners[span.border] - eye_, b = corners[span.border + 1u] - eye_;
    const Index site = span.border == site_border ? mesh.site_of(span.cell) : none;
    for (const Vec2 direction : {span.right, span.left}) {
      const Vec2 point = eye_ + meet(direction, a, b);
      append(point, flat ? 0 : site == none ? layer_at(mesh, span.cell, point) : mesh.sites[site].layer, site);
    }
  }
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
