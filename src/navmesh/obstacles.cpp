#include "navmesh/obstacles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "geometry/elementary.hpp"
#include "navmesh/arc.hpp"
#include "navmesh/locate.hpp"

namespace throng::navmesh {
namespace {

/// The turn from one direction into the next, free space on the left: to the right around a corner, else to the left.
double turn_between(geometry::GridPoint a, geometry::GridPoint b, geometry::GridPoint c, geometry::GridPoint d,
                    bool around_corner) {
  const double x = double(b.x) - a.x, y = double(b.y) - a.y, u = double(d.x) - c.x, v = double(d.y) - c.y;
  const double turn = geometry::arc_tangent(x * v - y * u, x * u + y * v);
  return around_corner && turn > 0 ? turn - 2 * std::numbers::pi : turn;
}

}  // namespace

Obstacles::Obstacles(const Mesh& mesh) : of_site_(mesh.site_count(), none) {
  first_cell_.assign(1, 0);
  cells_.reserve(mesh.cell_count());
  for (Index site = 0; site < mesh.site_count(); ++site)
    if (of_site_[site] == none && mesh.site(site).cell_count > 0)
      walk_around(mesh, mesh.site_cell(mesh.site(site).first_cell));
  list_passages(mesh);
  widen_rings(mesh);
  order_passages();
  name_places();
  cells_ = {}, first_cell_ = {};
}

void Obstacles::walk_around(const Mesh& mesh, Index first_cell) {
  const std::size_t begin = cells_.size();
  const auto number = Index(obstacles_.size());
  Index cell = first_cell;
  do {
    cells_.push_back(cell);
    of_site_[mesh.site_of(cell)] = number;
    cell = mesh.locator->beside(cell).right;
  } while (cell != first_cell && cells_.size() - begin < mesh.cell_count());
  first_cell_.push_back(Index(cells_.size()));
  obstacles_.push_back({.first_point = Index(outlines_.size())});
  add_points(mesh, std::span(cells_).subspan(begin));
}

void Obstacles::add_points(const Mesh& mesh, std::span<const Index> cells) {
  Obstacle& obstacle = obstacles_.back();
  const std::size_t first_point = outlines_.size();
  const auto add = [&](Vec2 point, Index layer) {
    if (outlines_.size() == first_point || outlines_.back().point != point) outlines_.push_back({point, layer});
  };
  double turned = 0;
  Index first = none, last = none;
  bool around_corner = false;
  const auto turn_into = [&](Index site) {
    const Site& from = mesh.site(last);
    const Site& into = mesh.site(site);
    turned += turn_between(mesh.grid.snap(from.a), mesh.grid.snap(from.b), mesh.grid.snap(into.a),
                           mesh.grid.snap(into.b), around_corner);
  };
  bool corner_before_first = false;
  Index at = none;
  for (const Index cell : cells) {
    const Index site = mesh.site_of(cell);
    if (site == at) continue;
    at = site;
    if (mesh.site(site).is_corner()) {
      around_corner = true;
      continue;
    }
    if (last == none)
      first = site, corner_before_first = around_corner;
    else
      turn_into(site);
    last = site, around_corner = false;
    add(mesh.site(site).a, mesh.site(site).layer);
    add(mesh.site(site).b, mesh.site(site).layer);
  }
  if (first != none) {
    around_corner = around_corner || corner_before_first;
    turn_into(first);
  }
  while (outlines_.size() > first_point + 1 && outlines_.back().point == outlines_[first_point].point)
    outlines_.pop_back();
  obstacle.point_count = Index(outlines_.size() - first_point);
  obstacle.turning = int(std::floor(turned / (2 * std::numbers::pi) + 0.5));
}

void Obstacles::list_passages(const Mesh& mesh) {
  passages_.assign(mesh.all_passages().begin(), mesh.all_passages().end());
  left_.clear();
  for (const Passage& passage : passages_)
    for (const Index side : mesh.arc(passage.arc).site) left_.push_back(of_site_[side]);
  first_on_arc_.assign(mesh.arc_count() + 1, 0);
}

void Obstacles::widen_rings(const Mesh& mesh) {
  std::vector<std::uint8_t> around(obstacles_.size(), 0);  // passages with one end there, two at most
  std::vector<std::uint8_t> taken(mesh.arc_count(), 0);
  const auto count = [&](Index directed) {
    if (left(directed) == right(directed)) return;
    for (const Index obstacle : {left(directed), right(directed)})
      around[obstacle] = std::uint8_t(std::min(2, around[obstacle] + 1));
  };
  for (Index i = 0; i < passages_.size(); ++i) count(2 * i), taken[passages_[i].arc] = 1;
  for (Index obstacle = 0; obstacle < obstacles_.size(); ++obstacle) {
    while (is_inner(obstacle) && around[obstacle] < 2) {
      Index widest = none;
      double clearance = -1;
      for (const Index cell : cells_around(obstacle)) {
        const Index arc = cell / 2;
        if (taken[arc] != 0 || of_site_[mesh.opposite_site_of(cell)] == obstacle) continue;
        const Vec2 middle = ArcCurve(mesh, arc).point(0.5);
        const double here = length(middle - nearest_on(mesh.site(mesh.arc(arc).site[0]), middle));
        if (here > clearance || (here == clearance && arc < widest)) clearance = here, widest = arc;
      }
      if (widest == none) break;
      const Vec2 middle = ArcCurve(mesh, widest).point(0.5);
      const auto& sides = mesh.arc(widest).site;
      passages_.push_back({middle,
                           clearance,
                           widest,
                           nearest_on(mesh.site(sides[0]), middle),
                           nearest_on(mesh.site(sides[1]), middle),
                           {0, 0}});
      for (const Index side : sides) left_.push_back(of_site_[side]);
      taken[widest] = 1;
      count(Index(2 * passages_.size() - 2));
    }
  }
  for (const Passage& passage : passages_) ++first_on_arc_[passage.arc + 1];
  std::partial_sum(first_on_arc_.begin(), first_on_arc_.end(), first_on_arc_.begin());
  std::vector<Index> next(first_on_arc_.begin(), first_on_arc_.end() - 1);
  on_arc_.resize(passages_.size());
  for (Index i = 0; i < passages_.size(); ++i) on_arc_[next[passages_[i].arc]++] = i;
}

/// Around an obstacle with the left hand on it one walks against the order of its cells, along the arc in cells left of it.
void Obstacles::order_passages() {
  next_left_.assign(2 * passages_.size(), none);
  before_left_.assign(2 * passages_.size(), none);
  std::vector<Index> met;
  for (Index obstacle = 0; obstacle < obstacles_.size(); ++obstacle) {
    met.clear();
    const std::span<const Index> cells = cells_around(obstacle);
    for (std::size_t i = cells.size(); i-- > 0;) {
      const Index arc = cells[i] / 2, against = cells[i] % 2;
      const std::size_t first = met.size();
      for_each_passage_on(arc, [&](Index p) { met.push_back(2 * p + against); });
      if (against == 1) std::reverse(met.begin() + std::ptrdiff_t(first), met.end());
    }
    for (std::size_t i = 0; i < met.size(); ++i) {
      const Index next = met[(i + 1) % met.size()];
      next_left_[met[i]] = next;
      before_left_[next] = met[i];
    }
  }
}

Index Obstacles::nearest(const Mesh& mesh, const Place& place) const {
  Index best = none;
  double least = std::numeric_limits<double>::infinity();
  for (Index site = 0; site < mesh.site_count(); ++site) {
    const Site& s = mesh.site(site);
    if (of_site_[site] == none || s.is_corner() || s.layer != place.layer) continue;
    const double d2 = squared_length(place.point - nearest_on(s, place.point));
    if (d2 < least || (d2 == least && of_site_[site] < best)) least = d2, best = of_site_[site];
  }
  return best;
}

/// The middle of its box where that is nearest to it, else its first corner.
void Obstacles::name_places() {
  for (Index i = 0; i < obstacles_.size(); ++i) {
    const std::span<const Place> points = outline(i);
    if (points.empty()) continue;
    Vec2 low = points[0].point, high = low;
    bool one_layer = true;
    for (const Place& p : points) {
      low = {std::min(low.x, p.point.x), std::min(low.y, p.point.y)};
      high = {std::max(high.x, p.point.x), std::max(high.y, p.point.y)};
      one_layer = one_layer && p.layer == points[0].layer;
    }
    obstacles_[i].at = points[0];
    // Where the middle lies inside it, all around it is its own boundary; a convex outline is seen at a glance.
    const Place middle{(low + high) / 2, points[0].layer};
    bool is_inside = one_layer && is_inner(i) && points.size() >= 3;
    for (std::size_t k = 0; is_inside && k < points.size(); ++k) {
      const Vec2 a = points[k].point, b = points[(k + 1) % points.size()].point;
      is_inside = cross(b - a, middle.point - a) < 0;
    }
    if (is_inside) obstacles_[i].at = middle;
  }
}

std::size_t Obstacles::bytes() const {
  const auto held = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof *this + held(obstacles_) + held(of_site_) + held(outlines_) + held(passages_) + held(first_on_arc_) +
         held(on_arc_) + held(left_) + held(next_left_) + held(before_left_);
}

namespace {

class ObstacleChecker {
 public:
  ObstacleChecker(const Mesh& mesh, const Obstacles& obstacles) : mesh_(mesh), obstacles_(obstacles) {}

  Problems run() {
    check_sites();
    check_turning();
    if (check_order()) check_regions();
    return std::move(problems_);
  }

 private:
  void report(int law, std::string what) {
    problems_.push_back(
        {Severity::error, ProblemCode::geometry, fmt::format("obstacles, law {}", law), std::move(what)});
  }

  /// Over the graph's nodes, where the obstacles were made over cells.
  void check_sites() {
    std::vector<Index> lowest(obstacles_.count(), none);
    for (Index site = 0; site < mesh_.site_count(); ++site) {
      const Index obstacle = obstacles_.of_site(site);
      if (mesh_.site(site).cell_count > 0 && obstacle >= obstacles_.count())
        report(1, fmt::format("site {} belongs to nothing", site));
      else if (obstacle != none)
        lowest[obstacle] = std::min(lowest[obstacle], site);
    }
    if (!std::ranges::is_sorted(lowest)) report(2, "obstacles are not in order of their lowest sites");
    const auto left_at = [&](EdgeEnd end) {  // of who sets out along the edge
      const Edge& edge = mesh_.edge(end.edge);
      return end.at_to ? mesh_.arc(edge.first_arc + edge.arc_count - 1).site[1] : mesh_.arc(edge.first_arc).site[0];
    };
    const auto right_at = [&](EdgeEnd end) {
      const Edge& edge = mesh_.edge(end.edge);
      return end.at_to ? mesh_.arc(edge.first_arc + edge.arc_count - 1).site[0] : mesh_.arc(edge.first_arc).site[1];
    };
    for (Index node = 0; node < mesh_.node_count(); ++node) {
      const auto ends = mesh_.edge_ends_at(node);
      for (std::size_t i = 0; i < ends.size(); ++i)
        if (obstacles_.of_site(left_at(ends[i])) != obstacles_.of_site(right_at(ends[(i + 1) % ends.size()])))
          report(1, fmt::format("two obstacles in one gap at node {}", node));
    }
    for (const Edge& edge : mesh_.all_edges())
      for (Index arc = edge.first_arc + 1; arc < edge.first_arc + edge.arc_count; ++arc)
        for (const int side : {0, 1})
          if (obstacles_.of_site(mesh_.arc(arc).site[side]) != obstacles_.of_site(mesh_.arc(arc - 1).site[side]))
            report(1, fmt::format("an edge changes its obstacle at arc {}", arc));
  }

  void check_turning() {
    std::vector<Index> parent(mesh_.node_count());
    std::iota(parent.begin(), parent.end(), Index{0});
    const auto root = [&](Index node) {
      while (parent[node] != node) node = parent[node] = parent[parent[node]];
      return node;
    };
    for (const Edge& edge : mesh_.all_edges()) parent[root(edge.to)] = root(edge.from);
    std::vector<int> euler(mesh_.node_count(), 0), turning(mesh_.node_count(), 0);
    for (Index node = 0; node < mesh_.node_count(); ++node)
      if (mesh_.node(node).degree > 0) ++euler[root(node)];
    for (const Edge& edge : mesh_.all_edges()) --euler[root(edge.from)];
    std::vector<Index> part(obstacles_.count(), none);
    for (const Edge& edge : mesh_.all_edges())
      for (const Index site : mesh_.arc(edge.first_arc).site) part[obstacles_.of_site(site)] = root(edge.from);
    for (Index i = 0; i < obstacles_.count(); ++i)
      if (part[i] != none) turning[part[i]] += obstacles_[i].turning;
    for (Index node = 0; node < mesh_.node_count(); ++node)
      if (euler[node] != turning[node])
        report(3, fmt::format("around node {} turning numbers sum up to {}, not {}", node, turning[node], euler[node]));
  }

  bool check_order() {
    const std::size_t before = problems_.size();
    const Index count = 2 * obstacles_.passage_count();
    for (Index p = 0; p < count; ++p) {
      const Index next = obstacles_.next_left(p);
      if (next >= count) {
        report(4, fmt::format("directed passage {} has none after it", p));
        continue;
      }
      if (obstacles_.left(next) != obstacles_.left(p)) report(4, fmt::format("passage {} changes hands", p));
      if (obstacles_.next_right(next ^ 1) != (p ^ 1)) report(4, fmt::format("passage {} has two ways round", p));
    }
    std::vector<int> around(obstacles_.count(), 0);
    for (Index p = 0; p < count; ++p)
      if (obstacles_.left(p) != obstacles_.right(p)) ++around[obstacles_.left(p)];
    for (Index i = 0; i < obstacles_.count(); ++i)
      if (obstacles_.is_inner(i) && around[i] == 1) report(5, fmt::format("obstacle {} has one passage", i));
    return problems_.size() == before;
  }

  /// By the mesh's own regions, where law 5 added no passage.
  void check_regions() {
    if (obstacles_.passage_count() != mesh_.passage_count()) return;
    const auto into = [&](Index p) { return mesh_.passage(p / 2).region[p % 2 == 0 ? 1 : 0]; };
    const auto out_of = [&](Index p) { return mesh_.passage(p / 2).region[p % 2]; };
    std::vector<int> rounds(mesh_.region_count, 0);
    std::vector<std::uint8_t> seen(2 * mesh_.passage_count(), 0);
    for (Index first = 0; first < seen.size(); ++first) {
      if (seen[first] != 0) continue;
      ++rounds[into(first)];
      for (Index p = first; seen[p] == 0; p = obstacles_.next_left(p) ^ 1) {
        seen[p] = 1;
        if (out_of(obstacles_.next_left(p)) != into(p)) report(4, fmt::format("passage {} leads elsewhere", p));
      }
    }
    for (Index region = 0; region < mesh_.region_count; ++region)
      if (rounds[region] > 1) report(6, fmt::format("region {} has {} rounds", region, rounds[region]));
  }

  const Mesh& mesh_;
  const Obstacles& obstacles_;
  Problems problems_;
};

}  // namespace

Problems validate_obstacles(const Mesh& mesh, const Obstacles& obstacles) {
  return ObstacleChecker(mesh, obstacles).run();
}

}  // namespace throng::navmesh
