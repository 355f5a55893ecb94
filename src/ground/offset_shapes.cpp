#include "ground/offset_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/elementary.hpp"

namespace throng::ground {

namespace {

constexpr double pi = 3.14159265358979323846;

Vec2 to_vec(GridPoint from, GridPoint to) { return {double(to.x) - from.x, double(to.y) - from.y}; }

GridPoint moved(GridPoint p, Vec2 by) {
  return {std::int32_t(std::floor(double(p.x) + by.x + 0.5)), std::int32_t(std::floor(double(p.y) + by.y + 0.5))};
}

/// The border's edge as one of its ends sees it.
struct Spoke {
  GridPoint at, to;
  bool leaves = false;  ///< the swept side is counterclockwise of it; else clockwise
  bool stop = false;
  std::uint32_t edge = 0;
};

bool upper(const Spoke& s) { return s.to.y > s.at.y || (s.to.y == s.at.y && s.to.x > s.at.x); }

/// Around a point counterclockwise from the x axis; of equal directions the one
/// that ends a swept wedge first.
bool earlier(const Spoke& s, const Spoke& t) {
  if (s.at != t.at) return s.at < t.at;
  if (upper(s) != upper(t)) return upper(s);
  const int turn = geometry::side(s.at, s.to, t.to);
  if (turn != 0) return turn > 0;
  return s.leaves < t.leaves;
}

class ShapeMaker {
 public:
  ShapeMaker(std::span<const BorderEdge> border, double distance, OffsetShapes& shapes)
      : border_(border), distance_(distance), shapes_(shapes) {
    for (const BorderEdge& edge : border)
      beside_.push_back({beside(edge.a, edge.a, edge.b), beside(edge.b, edge.a, edge.b)});
  }

  /// What lies beside an edge: up to the sectors' rims at its ends, whose first corners lie on the same line. So sectors and strips share
  /// edges, which cancel, and no corner is left where a strip ends.
  void add_strips() {
    for (std::size_t e = 0; e < border_.size(); ++e)
      if (!border_[e].stop) shapes_.rings.push_back({border_[e].a, beside_[e][0], beside_[e][1], border_[e].b});
  }

  /// The wedge counterclockwise from `first` to `last`, either of which may be missing.
  void add_wedge(const Spoke* first, const Spoke* last) {
    if ((first == nullptr || first->stop) && (last == nullptr || last->stop)) return;
    const Spoke& any = first != nullptr ? *first : *last;
    const double from = first != nullptr ? angle(*first) : angle(*last);
    double wedge = 2 * pi;
    if (first != nullptr && last != nullptr) {
      wedge = angle(*last) - from;
      if (wedge <= 0) wedge += 2 * pi;
      if (geometry::side(first->at, first->to, last->to) == 0)  // exact at 180 and 360 degrees
        wedge = geometry::dot(first->at, first->to, last->to) < 0 ? pi : 2 * pi;
    }
    const double cut_first = first != nullptr && first->stop ? 0 : pi / 2,
                 cut_last = last != nullptr && last->stop ? 0 : pi / 2;
    const double span = wedge - cut_first - cut_last;
    if (!(span > 1e-9)) return;
    add_sector(any.at, first, last, from + cut_first, span);
  }

 private:
  [[nodiscard]] double angle(const Spoke& s) const {
    const Vec2 d = to_vec(s.at, s.to);
    return geometry::arc_tangent(d.y, d.x);
  }
  [[nodiscard]] GridPoint beside(GridPoint p, GridPoint a, GridPoint b) const {
    const Vec2 d = to_vec(a, b);
    return moved(p, perpendicular(d) * (distance_ / std::sqrt(squared_length(d))));
  }
  [[nodiscard]] GridPoint on_circle(GridPoint centre, double angle, double radius) const {
    return moved(centre, geometry::unit_direction(angle / (2 * pi)) * radius);
  }

  /// Clockwise: from the centre to the far end of the rim and back along it. Where a strip lies beside the sector, it reaches to the rim's
  /// corner next to it.
  void add_sector(GridPoint centre, const Spoke* first, const Spoke* last, double from, double span) {
    const int pieces = std::max(1, int(std::ceil(span / largest_sector_piece - 1e-9)));
    const double half = span / (2 * pieces);
    const double reach = distance_ / geometry::unit_direction(half / (2 * pi)).x;
    std::vector<GridPoint> ring{centre};
    const bool beside_last = last != nullptr && !last->stop, beside_first = first != nullptr && !first->stop;
    if (!beside_last) ring.push_back(on_circle(centre, from + span, distance_));
    for (int i = pieces; i-- > 0;) {
      ring.push_back(on_circle(centre, from + (2 * i + 1) * half, reach));
      shapes_.rims.push_back({ring.back(), centre});
      if (beside_last && i == pieces - 1) beside_[last->edge][1] = ring.back();
      if (beside_first && i == 0) beside_[first->edge][0] = ring.back();
    }
    if (!beside_first) ring.push_back(on_circle(centre, from, distance_));
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    if (ring.size() > 2) shapes_.rings.push_back(std::move(ring));
  }

  std::span<const BorderEdge> border_;
  double distance_;
  OffsetShapes& shapes_;
  std::vector<std::array<GridPoint, 2>> beside_;  ///< far corners of strips, at a and at b
};

}  // namespace

OffsetShapes offset_shapes(std::span<const BorderEdge> border, double distance) {
  OffsetShapes shapes;
  ShapeMaker maker(border, distance, shapes);
  std::vector<Spoke> spokes;
  for (std::uint32_t e = 0; e < border.size(); ++e) {
    spokes.push_back({border[e].a, border[e].b, true, border[e].stop, e});
    spokes.push_back({border[e].b, border[e].a, false, border[e].stop, e});
  }
  std::sort(spokes.begin(), spokes.end(), earlier);
  for (std::size_t begin = 0, end = 0; begin < spokes.size(); begin = end) {
    while (end < spokes.size() && spokes[end].at == spokes[begin].at) ++end;
    const std::size_t count = end - begin;
    for (std::size_t i = 0; i < count; ++i) {
      const Spoke& spoke = spokes[begin + i];
      const Spoke& next = spokes[begin + (i + 1) % count];
      const Spoke& before = spokes[begin + (i + count - 1) % count];
      if (spoke.leaves)
        maker.add_wedge(&spoke, next.leaves ? nullptr : &next);
      else if (!before.leaves)
        maker.add_wedge(nullptr, &spoke);
    }
  }
  maker.add_strips();
  return shapes;
}

std::vector<GridPoint> clip_left_of(const std::vector<GridPoint>& ring, GridPoint a, GridPoint b) {
  std::vector<GridPoint> kept;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const GridPoint p = ring[i], q = ring[(i + 1) % ring.size()];
    const std::int64_t at_p = geometry::cross(a, b, p), at_q = geometry::cross(a, b, q);
    if (at_p >= 0) kept.push_back(p);
    if ((at_p < 0) != (at_q < 0) && at_p != 0 && at_q != 0) {
      const double t = double(at_p) / (double(at_p) - double(at_q));
      kept.push_back(moved(p, to_vec(p, q) * t));
    }
  }
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  while (kept.size() > 1 && kept.front() == kept.back()) kept.pop_back();
  return kept.size() < 3 ? std::vector<GridPoint>{} : kept;
}

}  // namespace throng::ground
