#include "geometry/snap_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>

#include "geometry/box_index.hpp"

namespace throng::geometry {

namespace {

__extension__ using Int128 = __int128;

/// floor(n / d + 1/2) for d > 0.
std::int64_t rounded_quotient(Int128 n, Int128 d) {
  const Int128 doubled = 2 * n + d;
  Int128 quotient = doubled / (2 * d);
  if (doubled % (2 * d) < 0) --quotient;
  return std::int64_t(quotient);
}

/// Points and pixels at twice the scale, where pixel borders are whole numbers.
struct Doubled {
  std::int64_t x, y;
};
Doubled doubled(GridPoint p) { return {2 * std::int64_t{p.x}, 2 * std::int64_t{p.y}}; }
std::int64_t cross_of(Doubled a, Doubled b, Doubled c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/// Whether a-b meets the border piece {x = left} x [low, high), the lower end included.
bool meets_left_border(Doubled a, Doubled b, std::int64_t left, std::int64_t low, std::int64_t high) {
  if (a.x > b.x) std::swap(a, b);
  if (a.x > left || b.x < left) return false;
  if (a.x == b.x) return std::min(a.y, b.y) < high && std::max(a.y, b.y) >= low;
  return cross_of(a, b, {left, low}) <= 0 && cross_of(a, b, {left, high}) > 0;
}

/// Whether a-b meets the open square of the given corners.
bool meets_open_square(Doubled a, Doubled b, std::int64_t left, std::int64_t low) {
  const std::int64_t right = left + 2;
  const std::int64_t high = low + 2;
  if (std::max(a.x, b.x) <= left || std::min(a.x, b.x) >= right) return false;
  if (std::max(a.y, b.y) <= low || std::min(a.y, b.y) >= high) return false;
  const std::int64_t corners[] = {cross_of(a, b, {left, low}), cross_of(a, b, {right, low}),
                                  cross_of(a, b, {left, high}), cross_of(a, b, {right, high})};
  const auto [smallest, largest] = std::minmax_element(std::begin(corners), std::end(corners));
  return *smallest < 0 && *largest > 0;
}

GridBox box_of(const GridSegment& s) {
  return {{std::min(s.a.x, s.b.x), std::min(s.a.y, s.b.y)}, {std::max(s.a.x, s.b.x), std::max(s.a.y, s.b.y)}};
}

/// Each once, whatever its direction: plans that were pasted twice are common, and copies cross nothing that the first does not.
std::vector<GridSegment> distinct(const std::vector<GridSegment>& segments) {
  std::vector<GridSegment> each;
  each.reserve(segments.size());
  for (const GridSegment& s : segments) each.push_back({std::min(s.a, s.b), std::max(s.a, s.b)});
  std::sort(each.begin(), each.end(),
            [](const GridSegment& s, const GridSegment& t) { return std::tie(s.a, s.b) < std::tie(t.a, t.b); });
  each.erase(std::unique(each.begin(), each.end()), each.end());
  return each;
}

void add_crossings(const std::vector<GridSegment>& all, std::vector<GridPoint>& hot, RoundingBudget& budget) {
  const std::vector<GridSegment> segments = distinct(all);
  std::vector<GridBox> boxes;
  boxes.reserve(segments.size());
  for (const GridSegment& s : segments) boxes.push_back(box_of(s));
  BoxIndex(boxes).for_each_overlapping_pair_while([&](std::uint32_t i, std::uint32_t j) {
    if (budget.pairs == 0 || budget.crossings == 0) return !(budget.is_spent = true);
    --budget.pairs;
    if (!properly_cross(segments[i], segments[j])) return true;
    --budget.crossings;
    hot.push_back(rounded_crossing(segments[i], segments[j]));
    return true;
  });
}

/// End points and, if asked for, rounded crossings, sorted, each once.
std::vector<GridPoint> hot_points(const std::vector<GridSegment>& segments, bool crossings, RoundingBudget& budget) {
  std::vector<GridPoint> hot;
  hot.reserve(2 * segments.size());
  for (const GridSegment& s : segments) hot.insert(hot.end(), {s.a, s.b});
  if (crossings) add_crossings(segments, hot, budget);
  std::sort(hot.begin(), hot.end());
  hot.erase(std::unique(hot.begin(), hot.end()), hot.end());
  return hot;
}

class HotPoints {
 public:
  explicit HotPoints(std::vector<GridPoint> points) : points_(std::move(points)), index_(boxes_of(points_)) {}

  /// The hot points, other than its ends, whose pixels the segment passes, in order along it.
  void passed_by(const GridSegment& s, std::vector<GridPoint>& passed) const {
    passed.clear();
    for_each_piece(s, [&](const GridBox& box) {
      index_.for_each_in(box, [&](std::uint32_t i) {
        const GridPoint p = points_[i];
        if (p != s.a && p != s.b && passes_pixel(s, p)) passed.push_back(p);
      });
    });
    // The projection orders disjoint pixels on a line exactly as the line meets them.
    std::sort(passed.begin(), passed.end(), [&](GridPoint p, GridPoint q) {
      const std::int64_t along_p = dot(s.a, s.b, p);
      const std::int64_t along_q = dot(s.a, s.b, q);
      return along_p != along_q ? along_p < along_q : p < q;
    });
    passed.erase(std::unique(passed.begin(), passed.end()), passed.end());
  }

 private:
  static std::vector<GridBox> boxes_of(const std::vector<GridPoint>& points) {
    std::vector<GridBox> boxes;
    boxes.reserve(points.size());
    for (GridPoint p : points) boxes.push_back({p, p});
    return boxes;
  }

  /// Boxes that together cover all pixels the segment passes: several for a long slanted one, whose own box is mostly empty.
  template <class Visit>
  static void for_each_piece(const GridSegment& s, Visit&& visit) {
    const std::int64_t dx = std::int64_t{s.b.x} - s.a.x;
    const std::int64_t dy = std::int64_t{s.b.y} - s.a.y;
    const std::int64_t thin_side = std::min(std::abs(dx), std::abs(dy));
    const std::int64_t pieces = std::clamp<std::int64_t>(thin_side / 2000, 1, 64);
    for (std::int64_t i = 0; i < pieces; ++i) {
      const auto at = [&](std::int64_t k) {
        return GridPoint{std::int32_t(s.a.x + dx * k / pieces), std::int32_t(s.a.y + dy * k / pieces)};
      };
      GridBox box = box_of({at(i), at(i + 1)});
      visit(GridBox{{box.min.x - 2, box.min.y - 2}, {box.max.x + 2, box.max.y + 2}});
    }
  }

  std::vector<GridPoint> points_;
  BoxIndex index_;
};

double distance_to(const GridSegment& s, GridPoint p) {
  const double length2 = double(dot(s.a, s.b, s.b));
  const double t = length2 == 0 ? 0 : std::clamp(double(dot(s.a, s.b, p)) / length2, 0.0, 1.0);
  const double dx = (double(p.x) - s.a.x) - t * (double(s.b.x) - s.a.x);
  const double dy = (double(p.y) - s.a.y) - t * (double(s.b.y) - s.a.y);
  return std::sqrt(dx * dx + dy * dy);
}

/// One round of leading links through the hot points they pass. Links that nothing bends go to `settled`.
struct Round {
  std::vector<Link> settled;
  std::vector<Link> moved;  ///< pieces of links that were bent: they may pass further hot points
};

Round lead_through(const HotPoints& hot, const std::vector<Link>& links) {
  Round round;
  std::vector<GridPoint> passed;
  for (const Link& link : links) {
    hot.passed_by({link.a, link.b}, passed);
    if (passed.empty()) {
      round.settled.push_back(link);
      continue;
    }
    GridPoint from = link.a;
    passed.push_back(link.b);
    for (GridPoint to : passed) {
      round.moved.push_back({from, to, link.source});
      from = to;
    }
  }
  return round;
}

/// Leads links through hot points until nothing moves. It ends: a segment meets each hot point once.
std::vector<Link> settle(const HotPoints& hot, std::vector<Link> open) {
  std::vector<Link> links;
  while (!open.empty()) {
    Round round = lead_through(hot, open);
    links.insert(links.end(), round.settled.begin(), round.settled.end());
    open = std::move(round.moved);
  }
  return links;
}

}  // namespace

GridPoint rounded_crossing(const GridSegment& s, const GridSegment& t) {
  // s.a + (s.b - s.a) * n / d, with n / d the exact parameter of the crossing along s.
  Int128 n = cross(t.a, t.b, s.a);
  Int128 d = n - Int128(cross(t.a, t.b, s.b));
  if (d < 0) n = -n, d = -d;
  const Int128 x = Int128(s.a.x) * d + Int128(std::int64_t{s.b.x} - s.a.x) * n;
  const Int128 y = Int128(s.a.y) * d + Int128(std::int64_t{s.b.y} - s.a.y) * n;
  return {std::int32_t(rounded_quotient(x, d)), std::int32_t(rounded_quotient(y, d))};
}

bool properly_cross(const GridSegment& s, const GridSegment& t) {
  return side(s.a, s.b, t.a) * side(s.a, s.b, t.b) < 0 && side(t.a, t.b, s.a) * side(t.a, t.b, s.b) < 0;
}

bool passes_pixel(const GridSegment& s, GridPoint p) {
  const Doubled a = doubled(s.a);
  const Doubled b = doubled(s.b);
  const Doubled centre = doubled(p);
  const std::int64_t left = centre.x - 1;
  const std::int64_t low = centre.y - 1;
  if (meets_open_square(a, b, left, low)) return true;
  if (meets_left_border(a, b, left, low, low + 2)) return true;
  // The lower border is the left one of the picture mirrored at the diagonal.
  return meets_left_border({a.y, a.x}, {b.y, b.x}, low, left, left + 2);
}

double drift_of(const Link& link, const GridSegment& segment) {
  return std::max(distance_to(segment, link.a), distance_to(segment, link.b));
}

std::vector<Link> snap_round(const std::vector<GridSegment>& segments, HotFirst first, RoundingBudget* given) {
  constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();
  RoundingBudget none{.pairs = unbounded, .crossings = unbounded};
  RoundingBudget& budget = given != nullptr ? *given : none;
  if (segments.size() > budget.segments) return budget.is_spent = true, std::vector<Link>();
  std::vector<Link> whole;
  whole.reserve(segments.size());
  for (std::uint32_t i = 0; i < segments.size(); ++i)
    if (segments[i].a != segments[i].b) whole.push_back({segments[i].a, segments[i].b, i});
  if (first == HotFirst::everything) {
    std::vector<GridPoint> hot = hot_points(segments, true, budget);
    if (budget.is_spent) return {};
    return settle(HotPoints(std::move(hot)), std::move(whole));
  }

  const std::vector<Link> led = settle(HotPoints(hot_points(segments, false, budget)), std::move(whole));
  std::vector<GridSegment> pieces;
  pieces.reserve(led.size());
  for (const Link& link : led) pieces.push_back({link.a, link.b});
  std::vector<Link> links = snap_round(pieces, HotFirst::everything, given);
  for (Link& link : links) link.source = led[link.source].source;
  return links;
}

}  // namespace throng::geometry
