#include "navmesh/straddles.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "geometry/box_index.hpp"
#include "navmesh/arc.hpp"
#include "navmesh/axis_draft.hpp"
#include "navmesh/piece.hpp"

namespace throng::navmesh {
namespace {

using geometry::GridBox;

constexpr double touching = 1e-4;    ///< units within which a connection runs along a cell
constexpr double end_margin = 1e-2;  ///< units by which a connection is taken shorter at its ends

struct Span {
  Vec2 a, b;
};

/// What remains of a span where a function that is linear along it is at least 0.
template <class Linear>
std::optional<Span> where_positive(Span s, const Linear& f) {
  const double at_a = f(s.a), at_b = f(s.b);
  if (at_a < 0 && at_b < 0) return std::nullopt;
  if (at_a >= 0 && at_b >= 0) return s;
  const Vec2 zero = s.a + (s.b - s.a) * (at_a / (at_a - at_b));
  return at_a < 0 ? Span{zero, s.b} : Span{s.a, zero};
}

double distance_of_line(const Site& segment, Vec2 p) {
  const Vec2 d = segment.b - segment.a;
  return cross(d, p - segment.a) / length(d);
}

class Crosser {
 public:
  Crosser(const Mesh& mesh, Index cell) {
    site_ = in_units(mesh, mesh.sites[mesh.site_of(cell)]);
    other_ = in_units(mesh, mesh.sites[mesh.opposite_site_of(cell)]);
    left_ = mesh.grid.to_units(mesh.nodes[left_node(mesh, cell)].point);
    right_ = mesh.grid.to_units(mesh.nodes[right_node(mesh, cell)].point);
  }

  /// A point of the span in or beside the cell.
  [[nodiscard]] std::optional<Vec2> point_of(Span s) const {
    return site_.is_corner() ? beside_corner(s) : beside_segment(s);
  }

  [[nodiscard]] GridBox box() const {
    const Vec2 control = ArcCurve(site_, other_, left_, right_).control();
    Vec2 low = control, high = control;
    for (const Vec2 p : {left_, right_, nearest_on(site_, left_), nearest_on(site_, right_)}) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const auto clamped = [](double v) { return std::int32_t(std::clamp(v, -1e9, 1e9)); };
    return {{clamped(std::floor(low.x) - 1), clamped(std::floor(low.y) - 1)},
            {clamped(std::ceil(high.x) + 1), clamped(std::ceil(high.y) + 1)}};
  }

 private:
  static Site in_units(const Mesh& mesh, const Site& site) {
    Site s = site;
    s.a = mesh.grid.to_units(site.a);
    s.b = mesh.grid.to_units(site.b);
    return s;
  }

  /// Above a segment and between the feet of the nodes; the arc bends up if at all, so the ends of what is left decide.
  [[nodiscard]] std::optional<Vec2> beside_segment(Span s) const {
    const Vec2 along = (site_.b - site_.a) / length(site_.b - site_.a);
    const auto x = [&](Vec2 p) { return dot(p - site_.a, along); };
    std::optional<Span> rest = where_positive(s, [&](Vec2 p) { return x(p) - x(left_) + touching; });
    if (rest) rest = where_positive(*rest, [&](Vec2 p) { return x(right_) - x(p) + touching; });
    if (rest) rest = where_positive(*rest, [&](Vec2 p) { return distance_of_line(site_, p) + touching; });
    if (!rest) return std::nullopt;
    for (const Vec2 p : {rest->a, rest->b, (rest->a + rest->b) * 0.5}) {
      const double to_other = other_.is_corner() ? length(p - other_.a) : distance_of_line(other_, p);
      if (distance_of_line(site_, p) <= to_other + touching) return p;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Vec2> beside_corner(Span s) const {
    const Vec2 corner = site_.a;
    const Vec2 to_left = (left_ - corner) / length(left_ - corner),
               to_right = (right_ - corner) / length(right_ - corner);
    std::optional<Span> rest = where_positive(s, [&](Vec2 p) { return cross(to_right, p - corner) + touching; });
    if (rest) rest = where_positive(*rest, [&](Vec2 p) { return cross(p - corner, to_left) + touching; });
    if (!rest) return std::nullopt;
    std::vector<Vec2> tried{rest->a, rest->b};
    const Vec2 d = rest->b - rest->a;
    if (!other_.is_corner() && squared_length(d) > 0) {
      // How much nearer the corner is than the segment is concave along the span: largest where the slopes agree.
      const Vec2 direction = d / length(d);
      const double slope = cross(other_.b - other_.a, direction) / length(other_.b - other_.a);
      const double off = std::abs(cross(direction, corner - rest->a));
      if (std::abs(slope) < 1) {
        const double t = dot(corner - rest->a, direction) + off * slope / std::sqrt(1 - slope * slope);
        tried.push_back(rest->a + direction * std::clamp(t, 0.0, length(d)));
      }
    }
    for (const Vec2 p : tried) {
      const double to_other = other_.is_corner() ? length(p - other_.a) : distance_of_line(other_, p);
      // Behind the corner, towards nowhere, the wedge of two opposite rays is not bounded.
      if (dot(p - corner, to_left + to_right) >= -touching && length(p - corner) <= to_other + touching) return p;
    }
    return std::nullopt;
  }

  Site site_, other_;
  Vec2 left_, right_;
};

}  // namespace

void find_straddles(Mesh& mesh, const LayerWalk& walk) {
  std::vector<Span> spans;
  std::vector<GridBox> boxes;
  for (const Connection& c : mesh.connections) {
    const geometry::GridPoint a = mesh.grid.snap(c.a), b = mesh.grid.snap(c.b);
    boxes.push_back({{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}});
    const Vec2 margin = (to_vec(b) - to_vec(a)) * (end_margin / length(to_vec(b) - to_vec(a)));
    spans.push_back({to_vec(a) + margin, to_vec(b) - margin});
  }
  const geometry::BoxIndex index(boxes);
  mesh.straddles.clear();
  for (Index cell = 0; cell < mesh.cell_count(); ++cell) {
    const Crosser crosser(mesh, cell);
    const std::size_t first = mesh.straddles.size();
    index.for_each_in(crosser.box(), [&](std::uint32_t i) {
      const std::optional<Vec2> p = crosser.point_of(spans[i]);
      if (!p) return;
      // Storeys overlap in the plane: the connection counts if one gets to it from the cell's own node.
      const Node& node = mesh.nodes[mesh.arcs[cell / 2].from];
      const Index layer = walk.layer_after(mesh.grid.to_units(node.point), node.layer, *p);
      if (layer == mesh.connections[i].left_layer || layer == mesh.connections[i].right_layer)
        mesh.straddles.push_back({cell, i});
    });
    std::sort(mesh.straddles.begin() + std::ptrdiff_t(first), mesh.straddles.end(),
              [](const Straddle& l, const Straddle& r) { return l.connection < r.connection; });
  }
}

}  // namespace throng::navmesh
