#include "geometry/overlay.hpp"

#include <algorithm>
#include <tuple>

#include "geometry/box_index.hpp"

namespace throng::geometry {

namespace {

/// The ring from that vertex on, in its direction or against it.
GridRing read_from(const GridRing& ring, std::size_t start, bool backwards) {
  const std::size_t n = ring.size();
  GridRing read;
  for (std::size_t i = 0; i < n; ++i) read.push_back(ring[(start + (backwards ? n - i : i)) % n]);
  return read;
}

/// Rings that cross themselves may have no area at all; then the direction that reads smaller counts as counterclockwise, so that the
/// one the ring was given in does not matter.
bool runs_clockwise(const GridRing& ring) {
  if (const std::int64_t area = twice_area(ring); area != 0) return area < 0;
  if (ring.size() < 3) return false;
  const GridPoint smallest = *std::min_element(ring.begin(), ring.end());
  GridRing best[2];
  for (std::size_t start = 0; start < ring.size(); ++start) {
    if (ring[start] != smallest) continue;
    for (const bool backwards : {false, true}) {
      GridRing read = read_from(ring, start, backwards);
      if (best[backwards].empty() || read < best[backwards]) best[backwards] = std::move(read);
    }
  }
  return best[1] < best[0];
}

}  // namespace

Overlay::Id Overlay::add_part(std::span<const GridRing> rings) {
  const Id owner = Id(is_line_.size());
  is_line_.push_back(false);
  first_segment_.push_back(std::uint32_t(segments_.size()));
  for (std::size_t r = 0; r < rings.size(); ++r) {
    const GridRing& ring = rings[r];
    const bool reverse = runs_clockwise(ring) != (r > 0);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const GridPoint a = ring[i];
      const GridPoint b = ring[(i + 1) % ring.size()];
      segments_.push_back(reverse ? GridSegment{b, a} : GridSegment{a, b});
      owner_.push_back(owner);
    }
  }
  return owner;
}

Overlay::Id Overlay::add_line(std::span<const GridPoint> points) {
  const Id owner = Id(is_line_.size());
  is_line_.push_back(true);
  first_segment_.push_back(std::uint32_t(segments_.size()));
  for (std::size_t i = 1; i < points.size(); ++i) {
    segments_.push_back({points[i - 1], points[i]});
    owner_.push_back(owner);
  }
  return owner;
}

bool Overlay::arrange(HotFirst first, RoundingBudget budget) {
  struct Lying {  // a link, turned so that a < b
    GridPoint a, b;
    Id owner;
    std::int32_t winding;
  };
  std::vector<Lying> links;
  for (const Link& link : snap_round(segments_, first, &budget)) {
    const Id owner = owner_[link.source];
    const GridSegment& segment = segments_[link.source];
    const bool bent = link.a != segment.a || link.b != segment.b;
    if (bent && drift_of(link, segment) > usual_drift) crowded_ = crowded_ ? std::min(*crowded_, link.a) : link.a;
    const std::int32_t winding = is_line_[owner] ? 0 : link.a < link.b ? 1 : -1;
    links.push_back({std::min(link.a, link.b), std::max(link.a, link.b), owner, winding});
  }
  std::sort(links.begin(), links.end(),
            [](const Lying& l, const Lying& m) { return std::tie(l.a, l.b, l.owner) < std::tie(m.a, m.b, m.owner); });

  std::vector<GridSegment> edges;
  first_use_.clear();
  uses_.clear();
  for (const Lying& link : links) {
    const bool new_edge = edges.empty() || edges.back() != GridSegment{link.a, link.b};
    if (new_edge) {
      edges.push_back({link.a, link.b});
      first_use_.push_back(std::uint32_t(uses_.size()));
    }
    if (new_edge || uses_.back().owner != link.owner) uses_.push_back({link.owner, 0});
    uses_.back().winding += link.winding;
  }
  first_use_.push_back(std::uint32_t(uses_.size()));
  graph_.emplace(edges);
  return !budget.is_spent;
}

std::optional<GridPoint> Overlay::self_crossing(Id part) const {
  const std::size_t begin = first_segment_[part];
  const std::size_t end = part + 1 < first_segment_.size() ? first_segment_[part + 1] : segments_.size();
  std::vector<GridBox> boxes;
  for (std::size_t i = begin; i < end; ++i) {
    const auto& [a, b] = segments_[i];
    boxes.push_back({{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}});
  }
  std::optional<GridPoint> first;
  BoxIndex(boxes).for_each_overlapping_pair([&](std::uint32_t i, std::uint32_t j) {
    const GridSegment& s = segments_[begin + i];
    const GridSegment& t = segments_[begin + j];
    if (!properly_cross(s, t)) return;
    const GridPoint crossing = rounded_crossing(s, t);
    if (!first || crossing < *first) first = crossing;
  });
  return first;
}

}  // namespace throng::geometry
