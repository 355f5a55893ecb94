#include "navmesh/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace throng::navmesh {
namespace {

using environment::CleanEnvironment;
using geometry::GridPoint;

/// One end of a segment at a vertex.
struct Incidence {
  GridPoint at;
  Index segment;
  Index end;
};

class BoundaryMaker {
 public:
  BoundaryMaker(const CleanEnvironment& environment, Index layer) : environment_(environment), layer_(layer) {}

  Boundary make() {
    const environment::CleanLayer& layer = environment_.layers[layer_];
    find_connections();
    for (const environment::GridPolygon& polygon : layer.free) {
      add_ring(polygon.outer);
      for (const environment::GridRing& hole : polygon.holes) add_ring(hole);
    }
    for (const environment::Wall& wall : layer.walls)
      for (std::size_t i = 1; i < wall.points.size(); ++i) add_segment(wall.points[i - 1], wall.points[i], true);
    add_vertices();
    measure();
    return std::move(boundary_);
  }

 private:
  void find_connections() {
    for (std::size_t i = 0; i < environment_.connections.size(); ++i) {
      const environment::CleanConnection& c = environment_.connections[i];
      if (c.left_layer == layer_) connections_[{c.a, c.b}] = Index(i);
      if (c.right_layer == layer_) connections_[{c.b, c.a}] = Index(i);
    }
  }

  void add_ring(const environment::GridRing& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) add_segment(ring[i], ring[i + 1 == ring.size() ? 0 : i + 1], false);
    std::int64_t twice = 0;  // about the ring's first point, so that the sum stays small
    for (std::size_t i = 1; i + 1 < ring.size(); ++i) twice += geometry::cross(ring[0], ring[i], ring[i + 1]);
    boundary_.free_area += double(twice) / 2;
  }

  void add_segment(GridPoint a, GridPoint b, bool free_right) {
    if (a == b) return;
    BoundarySite left{a, b, layer_};
    if (!connections_.empty())
      if (const auto found = connections_.find({a, b}); found != connections_.end()) left.connection = found->second;
    boundary_.segments.push_back({a, b});
    std::array<Index, 2>& sides = boundary_.side_sites.emplace_back(std::array<Index, 2>{none, none});
    sides[0] = add_site(left);
    if (free_right) sides[1] = add_site({b, a, layer_});
  }

  Index add_site(const BoundarySite& site) {
    boundary_.sites.push_back(site);
    return Index(boundary_.sites.size() - 1);
  }

  void add_vertices() {
    const std::size_t count = boundary_.segments.size();
    std::vector<Incidence> incidences;
    incidences.reserve(2 * count);
    for (Index i = 0; i < count; ++i) {
      incidences.push_back({boundary_.segments[i].a, i, 0});
      incidences.push_back({boundary_.segments[i].b, i, 1});
    }
    std::sort(incidences.begin(), incidences.end(), [](const Incidence& l, const Incidence& r) {
      if (l.at != r.at) return l.at < r.at;
      return l.segment != r.segment ? l.segment < r.segment : l.end < r.end;
    });
    boundary_.ends.resize(count);
    for (std::size_t first = 0, last = 0; first < incidences.size(); first = last) {
      while (last < incidences.size() && incidences[last].at == incidences[first].at) ++last;
      add_vertex(std::span(incidences).subspan(first, last - first));
    }
  }

  void add_vertex(std::span<const Incidence> incidences) {
    const GridPoint at = incidences.front().at;
    for (const Incidence& i : incidences) boundary_.ends[i.segment][i.end] = Index(boundary_.vertices.size());
    boundary_.vertices.push_back(at);
    boundary_.corner_sites.push_back(none);
    boundary_.bent.push_back(0);
    for (const Incidence& leaving : incidences) add_wedge(at, leaving, incidences);
  }

  /// The wedge counterclockwise of a segment that leaves a vertex, up to the next one.
  void add_wedge(GridPoint at, const Incidence& leaving, std::span<const Incidence> incidences) {
    const Incidence* bound = &leaving;  // a segment alone has the full turn
    int turn = -1;                      // of the bound against the segment: +1 below 180 degrees, 0 straight, -1 above
    for (const Incidence& other : incidences) {
      if (&other == &leaving) continue;
      const int side = geometry::side(at, other_end(leaving), other_end(other));
      boundary_.bent.back() |= side != 0;
      const bool nearer = side != turn ? side > turn : geometry::side(at, other_end(other), other_end(*bound)) > 0;
      if (bound == &leaving || nearer) bound = &other, turn = side;
    }
    const Index site = boundary_.side_sites[leaving.segment][leaving.end];
    if (site == none) return;
    Index corner = none;
    if (turn < 0) corner = boundary_.corner_sites.back() = add_site({at, at, layer_});
    const Index arriving = boundary_.side_sites[bound->segment][1 - bound->end];
    if (arriving == none) return;
    boundary_.sites[arriving].next = site;
    boundary_.sites[arriving].corner = corner;
  }

  [[nodiscard]] GridPoint other_end(const Incidence& i) const {
    return i.end == 0 ? boundary_.segments[i.segment].b : boundary_.segments[i.segment].a;
  }

  void measure() {
    if (boundary_.vertices.empty()) return;
    GridPoint low = boundary_.vertices.front(), high = low;
    for (const GridPoint p : boundary_.vertices) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    boundary_.extent = std::max(double(high.x) - low.x, double(high.y) - low.y);
  }

  const CleanEnvironment& environment_;
  Index layer_;
  Boundary boundary_;
  std::map<std::pair<GridPoint, GridPoint>, Index> connections_;
};

}  // namespace

Boundary boundary_of(const CleanEnvironment& environment, Index layer) {
  return BoundaryMaker(environment, layer).make();
}

}  // namespace throng::navmesh
