#include "environment/osm/widened_line.hpp"

#include <algorithm>
#include <cmath>

#include "environment/sketch.hpp"

namespace throng::environment {
namespace {

/// Wedges thinner than this would only be warned of as thinner than the snap grid.
constexpr double thinnest_wedge = 0.002;
/// Square metres; less is what rounding leaves of a shape that only touched the box.
constexpr double smallest_area = 1e-5;

Ring rounded(const Ring& ring) {
  Ring out;
  out.reserve(ring.size());
  for (const Vec2 p : ring) {
    const Vec2 q = rounded_to_mm(p);
    if (out.empty() || !(out.back() == q)) out.push_back(q);
  }
  while (out.size() > 1 && out.front() == out.back()) out.pop_back();
  return out;
}

bool is_flat(const Ring& ring) { return ring.size() < 3 || std::abs(signed_area(ring)) < smallest_area; }

void add(std::vector<Polygon>& out, const Ring& ring) {
  Ring kept = rounded(ring);
  if (!is_flat(kept)) out.push_back({std::move(kept), {}});
}

std::vector<Vec2> without_repeats(std::span<const Vec2> line) {
  std::vector<Vec2> out;
  for (const Vec2 p : line)
    if (out.empty() || !(out.back() == p)) out.push_back(p);
  return out;
}

/// The strip about one line, joint by joint.
class Widener {
 public:
  Widener(std::vector<Vec2> points, double half) : points_(std::move(points)), half_(half) {
    closed_ = points_.size() > 3 && points_.front() == points_.back();
    for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
      const Vec2 along = points_[i + 1] - points_[i];
      lengths_.push_back(length(along));
      directions_.push_back(along / lengths_.back());
    }
  }

  std::vector<Polygon> run(double beyond) {
    const std::size_t segments = directions_.size();
    for (std::size_t i = 0; i < segments; ++i) {
      const Vec2 d = directions_[i];
      const bool first = i == 0 && !closed_, last = i + 1 == segments && !closed_;
      const Vec2 a = first ? points_[i] - d * beyond : points_[i];
      const Vec2 b = last ? points_[i + 1] + d * beyond : points_[i + 1];
      const Vec2 from = first ? perpendicular(d) * half_ : corner((i + segments - 1) % segments, i, i);
      const Vec2 to = last ? perpendicular(d) * half_ : corner(i, (i + 1) % segments, i);
      // The middle is a corner only where another piece meets it: the strip's ends are one straight edge each.
      Ring piece = {a - from, b - to};
      if (!last) piece.push_back(b);
      piece.insert(piece.end(), {b + to, a + from});
      if (!first) piece.push_back(a);
      add(out_, piece);
      if (!last) add_wedge(i, (i + 1) % segments, points_[i + 1]);
    }
    return std::move(out_);
  }

 private:
  /// Whether the corner between two segments can be mitred without reaching beyond the middle of either.
  [[nodiscard]] bool mitred(std::size_t one, std::size_t next) const {
    const double cosine = dot(directions_[one], directions_[next]);
    if (cosine < 0.5) return false;
    const double tangent = std::abs(cross(directions_[one], directions_[next])) / (1 + cosine);
    return half_ * tangent < 0.5 * std::min(lengths_[one], lengths_[next]);
  }

  /// From the joint of two segments to the corner on the left, as the segment `of` has it.
  [[nodiscard]] Vec2 corner(std::size_t one, std::size_t next, std::size_t of) const {
    if (!mitred(one, next)) return perpendicular(directions_[of]) * half_;
    const Vec2 sum = perpendicular(directions_[one]) + perpendicular(directions_[next]);
    return sum * (half_ / (1 + dot(directions_[one], directions_[next])));
  }

  /// What two rectangles leave open on the outer side of a bend.
  void add_wedge(std::size_t one, std::size_t next, Vec2 p) {
    const double turn = cross(directions_[one], directions_[next]);
    if (mitred(one, next) || std::abs(turn) * half_ < thinnest_wedge) return;
    const double side = turn > 0 ? -half_ : half_;
    Vec2 before = p + perpendicular(directions_[one]) * side;
    Vec2 after = p + perpendicular(directions_[next]) * side;
    const double cosine = dot(directions_[one], directions_[next]);
    const Vec2 tip = p + (before - p + after - p) / (1 + std::max(cosine, 0.0));
    if (turn < 0) std::swap(before, after);
    constexpr double right_angle = -1e-6;  // or a little more, by rounding
    if (cosine > right_angle)
      add(out_, {p, before, tip, after});
    else
      add(out_, {p, before, after});
  }

  std::vector<Vec2> points_;
  double half_;
  bool closed_ = false;
  std::vector<double> lengths_;
  std::vector<Vec2> directions_;
  std::vector<Polygon> out_;
};

/// The points of a line from one length along it to another, ends included.
Line piece_of(std::span<const Vec2> line, const std::vector<double>& lengths, double from, double to) {
  const auto at = [&](double s) {
    std::size_t i = std::size_t(std::upper_bound(lengths.begin(), lengths.end(), s) - lengths.begin());
    i = std::clamp<std::size_t>(i, 1, line.size() - 1);
    const double span = lengths[i] - lengths[i - 1];
    return span > 0 ? line[i - 1] + (line[i] - line[i - 1]) * ((s - lengths[i - 1]) / span) : line[i];
  };
  Line out = {rounded_to_mm(at(from))};
  const auto take = [&](Vec2 p) {
    const Vec2 q = rounded_to_mm(p);
    if (!(out.back() == q)) out.push_back(q);
  };
  for (std::size_t i = 0; i < line.size(); ++i)
    if (lengths[i] > from && lengths[i] < to) take(line[i]);
  take(at(to));
  return out;
}

struct Interval {
  double from, to;
};

std::vector<Interval> united(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](Interval a, Interval b) { return a.from < b.from; });
  std::vector<Interval> out;
  for (const Interval interval : intervals)
    if (!out.empty() && interval.from <= out.back().to)
      out.back().to = std::max(out.back().to, interval.to);
    else
      out.push_back(interval);
  return out;
}

/// Of a ring crossing one side of the box: keeps what is inside of it.
template <class Inside, class Meet>
Ring clip_side(const Ring& ring, Inside inside, Meet meet) {
  Ring out;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
    if (inside(a)) out.push_back(a);
    if (inside(a) != inside(b)) out.push_back(meet(a, b));
  }
  return out;
}

/// Where a-b is at that x; computed alike from both ends, so that shared edges stay shared.
Vec2 at_x(Vec2 a, Vec2 b, double x) {
  if (b < a) std::swap(a, b);
  return {x, a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x))};
}

Vec2 at_y(Vec2 a, Vec2 b, double y) {
  if (b < a) std::swap(a, b);
  return {a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)), y};
}

bool within(Vec2 p, const geometry::Box& box) {
  return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y;
}

/// The part of a segment in a box, as fractions of its length (Liang, Barsky 1984); false where there is none.
bool clip_segment(Vec2 a, Vec2 b, const geometry::Box& box, double& from, double& to) {
  const Vec2 d = b - a;
  from = 0, to = 1;
  const auto side = [&](double slope, double room) {
    if (slope == 0) return room >= 0;
    const double t = room / slope;
    if (slope < 0) from = std::max(from, t);
    if (slope > 0) to = std::min(to, t);
    return from <= to;
  };
  return side(-d.x, a.x - box.min.x) && side(d.x, box.max.x - a.x) && side(-d.y, a.y - box.min.y) &&
         side(d.y, box.max.y - a.y);
}

}  // namespace

Vec2 rounded_to_mm(Vec2 p) { return {std::floor(p.x * 1000 + 0.5) / 1000, std::floor(p.y * 1000 + 0.5) / 1000}; }

std::vector<Polygon> widened(std::span<const Vec2> line, double width, double beyond) {
  std::vector<Vec2> points = without_repeats(line);
  if (points.size() < 2) return {};
  return Widener(std::move(points), width / 2).run(beyond);
}

std::vector<Line> without_gaps(std::span<const Vec2> line, std::span<const Gap> gaps) {
  if (line.size() < 2) return {};
  std::vector<double> lengths = {0};
  for (std::size_t i = 1; i < line.size(); ++i) lengths.push_back(lengths.back() + length(line[i] - line[i - 1]));
  const double whole = lengths.back();
  const bool closed = line.front() == line.back();
  std::vector<Interval> open;
  for (const Gap& gap : gaps) {
    const double from = lengths[gap.at] - gap.width / 2, to = lengths[gap.at] + gap.width / 2;
    open.push_back({from, to});
    if (closed && from < 0) open.push_back({from + whole, whole});
    if (closed && to > whole) open.push_back({0, to - whole});
  }
  std::vector<Line> out;
  double at = 0;
  const auto keep = [&](double from, double to) {
    if (to - from < 0.001) return;
    Line piece = piece_of(line, lengths, from, to);
    if (piece.size() >= 2) out.push_back(std::move(piece));
  };
  for (const Interval& gap : united(std::move(open))) {
    keep(at, std::min(gap.from, whole));
    at = std::max(at, gap.to);
  }
  keep(at, whole);
  return out;
}

Ring clipped(Ring ring, const geometry::Box& box) {
  if (!std::all_of(ring.begin(), ring.end(), [&](Vec2 p) { return within(p, box); })) {
    const auto x_side = [&](double x, auto inside) {
      ring = clip_side(ring, inside, [x](Vec2 a, Vec2 b) { return at_x(a, b, x); });
    };
    const auto y_side = [&](double y, auto inside) {
      ring = clip_side(ring, inside, [y](Vec2 a, Vec2 b) { return at_y(a, b, y); });
    };
    x_side(box.min.x, [&](Vec2 p) { return p.x >= box.min.x; });
    x_side(box.max.x, [&](Vec2 p) { return p.x <= box.max.x; });
    y_side(box.min.y, [&](Vec2 p) { return p.y >= box.min.y; });
    y_side(box.max.y, [&](Vec2 p) { return p.y <= box.max.y; });
  }
  ring = rounded(ring);
  if (is_flat(ring)) ring.clear();
  return ring;
}

std::vector<Polygon> clipped(std::vector<Polygon> polygons, const geometry::Box& box) {
  std::vector<Polygon> out;
  for (Polygon& polygon : polygons) {
    Polygon kept{clipped(std::move(polygon.outer), box), {}};
    if (kept.outer.empty()) continue;
    for (Ring& hole : polygon.holes)
      if (Ring inside = clipped(std::move(hole), box); !inside.empty()) kept.holes.push_back(std::move(inside));
    out.push_back(std::move(kept));
  }
  return out;
}

std::vector<Line> clipped_line(std::span<const Vec2> line, const geometry::Box& box) {
  std::vector<Line> out;
  bool joined = false;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    double from = 0, to = 1;
    const bool met = clip_segment(line[i], line[i + 1], box, from, to);
    if (met) {
      const Vec2 d = line[i + 1] - line[i];
      const Vec2 a = rounded_to_mm(from == 0 ? line[i] : line[i] + d * from);
      const Vec2 b = rounded_to_mm(to == 1 ? line[i + 1] : line[i] + d * to);
      if (!joined || from > 0) out.push_back({a});
      if (!(out.back().back() == b)) out.back().push_back(b);
    }
    joined = met && to == 1;
  }
  std::erase_if(out, [](const Line& piece) { return piece.size() < 2; });
  return out;
}

Ring octagon(Vec2 middle, double radius) {
  constexpr double tangent = 0.41421356237309503;  // of an eighth of a half turn
  const double near = radius * tangent;
  Ring ring;
  for (const Vec2 corner : {Vec2{radius, -near},
                            {radius, near},
                            {near, radius},
                            {-near, radius},
                            {-radius, near},
                            {-radius, -near},
                            {-near, -radius},
                            {near, -radius}})
    ring.push_back(rounded_to_mm(middle + corner));
  return ring;
}

}  // namespace throng::environment
