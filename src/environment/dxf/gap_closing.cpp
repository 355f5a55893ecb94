#include "environment/dxf/gap_closing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>

#include "geometry/box_index.hpp"
#include "geometry/snap_rounding.hpp"

namespace throng::environment {
namespace {

using geometry::GridBox;
using geometry::GridPoint;
using geometry::GridSegment;

double distance(GridPoint a, GridPoint b) { return std::sqrt(double(geometry::dot(a, b, b))); }

/// The grid point nearest to the point of the segment that is nearest to p.
GridPoint nearest_on(const GridSegment& s, GridPoint p) {
  const double squared = double(geometry::dot(s.a, s.b, s.b));
  const double share = std::clamp(double(geometry::dot(s.a, s.b, p)) / squared, 0.0, 1.0);
  return {std::int32_t(std::lround(s.a.x + share * (double(s.b.x) - s.a.x))),
          std::int32_t(std::lround(s.a.y + share * (double(s.b.y) - s.a.y)))};
}

class GapCloser {
 public:
  GapCloser(std::span<const SnappedLine> lines, double gap)
      : lines_(lines), gap_(gap), reach_(std::int32_t(std::ceil(gap))) {
    for (std::uint32_t l = 0; l < lines.size(); ++l) add_line(l);
    segment_index_.emplace(boxes_);
    merge_ends();
  }

  std::vector<SnappedLine> run() {
    for (End& end : ends_) end.loose = !is_attached(end);
    join_ends();
    for (const End& end : ends_)
      if (end.loose && !end.joined) join_to_line(end);
    return std::move(joints_);
  }

 private:
  struct Segment {
    GridSegment ends;
    std::uint32_t line = 0;
    double from = 0;  ///< length of the line up to here
  };
  struct End {
    GridPoint at;
    std::uint32_t line = 0;
    bool at_back = false;
    bool wall = false;   ///< a wall ends here
    bool single = true;  ///< no other line ends here
    bool loose = false, joined = false;
  };

  void add_line(std::uint32_t l) {
    const std::vector<GridPoint>& p = lines_[l].points;
    double from = 0;
    for (std::size_t i = 1; i < p.size(); ++i) {
      segments_.push_back({{p[i - 1], p[i]}, l, from});
      boxes_.push_back({{std::min(p[i - 1].x, p[i].x), std::min(p[i - 1].y, p[i].y)},
                        {std::max(p[i - 1].x, p[i].x), std::max(p[i - 1].y, p[i].y)}});
      from += distance(p[i - 1], p[i]);
    }
    total_.push_back(from);
    if (p.front() == p.back()) return;
    ends_.push_back({p.front(), l, false, !lines_[l].door});
    ends_.push_back({p.back(), l, true, !lines_[l].door});
  }

  /// Ends at one point become one.
  void merge_ends() {
    std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) {
      return std::tuple(a.at, a.line, a.at_back) < std::tuple(b.at, b.line, b.at_back);
    });
    std::vector<End> merged;
    for (const End& end : ends_) {
      if (merged.empty() || merged.back().at != end.at) {
        merged.push_back(end);
        continue;
      }
      merged.back().wall |= end.wall;
      merged.back().single = false;
    }
    ends_ = std::move(merged);
  }

  [[nodiscard]] GridBox around(GridPoint p) const {
    return {{p.x - reach_, p.y - reach_}, {p.x + reach_, p.y + reach_}};
  }

  /// Whether the segment is the line's own near its end, where everything is near.
  [[nodiscard]] bool is_own(const End& end, const Segment& s) const {
    if (s.line != end.line) return false;
    const double away = end.at_back ? total_[s.line] - s.from - distance(s.ends.a, s.ends.b) : s.from;
    return away <= 4 * gap_;
  }

  [[nodiscard]] bool is_attached(const End& end) const {
    if (!end.single) return true;
    const std::vector<GridPoint>& p = lines_[end.line].points;
    const GridSegment own = end.at_back ? GridSegment{p.back(), p[p.size() - 2]} : GridSegment{p[0], p[1]};
    bool attached = false;
    segment_index_->for_each_in(around(end.at), [&](std::uint32_t i) {
      const Segment& s = segments_[i];
      if (attached || is_own(end, s)) return;
      attached = geometry::passes_pixel(s.ends, end.at) ||
                 (geometry::properly_cross(own, s.ends) &&
                  distance(geometry::rounded_crossing(own, s.ends), end.at) <= gap_ + 1);
    });
    return attached;
  }

  /// The shortest joints that make one of every cluster of ends (Kruskal 1956).
  void join_ends() {
    std::vector<GridBox> points;
    for (const End& end : ends_) points.push_back({end.at, end.at});
    const geometry::BoxIndex index(points);
    std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = 0; i < ends_.size(); ++i) {
      if (!ends_[i].loose) continue;
      index.for_each_in(around(ends_[i].at), [&](std::uint32_t j) {
        const double d = distance(ends_[i].at, ends_[j].at);
        const bool same_line = ends_[i].line == ends_[j].line && total_[ends_[i].line] <= 4 * gap_;
        if (j == i || d > gap_ || same_line || (ends_[j].loose && j < i)) return;
        pairs.emplace_back(d, std::min(i, j), std::max(i, j));
      });
    }
    std::sort(pairs.begin(), pairs.end());
    std::vector<std::uint32_t> group(ends_.size());
    std::iota(group.begin(), group.end(), 0u);
    const auto root = [&](std::uint32_t i) {
      while (group[i] != i) i = group[i] = group[group[i]];
      return i;
    };
    for (const auto& [d, i, j] : pairs) {
      ends_[i].joined = ends_[j].joined = true;
      if (root(i) == root(j)) continue;
      group[root(i)] = root(j);
      joints_.push_back({{ends_[i].at, ends_[j].at}, !(ends_[i].wall && ends_[j].wall)});
    }
  }

  void join_to_line(const End& end) {
    double best = gap_;
    std::optional<SnappedLine> joint;
    segment_index_->for_each_in(around(end.at), [&](std::uint32_t i) {
      const Segment& s = segments_[i];
      if (is_own(end, s)) return;
      const GridPoint to = nearest_on(s.ends, end.at);
      const double d = distance(end.at, to);
      SnappedLine candidate{{end.at, to}, !end.wall || lines_[s.line].door};
      const bool better = d < best || (d == best && (!joint || candidate.points < joint->points));
      if (d == 0 || !better) return;
      best = d;
      joint = std::move(candidate);
    });
    if (joint) joints_.push_back(std::move(*joint));
  }

  std::span<const SnappedLine> lines_;
  double gap_;
  std::int32_t reach_;
  std::vector<Segment> segments_;
  std::vector<GridBox> boxes_;
  std::vector<double> total_;  ///< length of each line
  std::optional<geometry::BoxIndex> segment_index_;
  std::vector<End> ends_;
  std::vector<SnappedLine> joints_;
};

}  // namespace

std::vector<SnappedLine> joints_of(std::span<const SnappedLine> lines, double gap) {
  if (!(gap > 0) || lines.empty()) return {};
  return GapCloser(lines, gap).run();
}

}  // namespace throng::environment
