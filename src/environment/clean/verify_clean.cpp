#include "environment/clean/verify_clean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "environment/clean/plane_edges.hpp"

namespace throng::environment {

namespace {

using geometry::cross;
using geometry::dot;
using geometry::side;

/// Collects what is wrong, some of each law: a thousand crossings say no more than twenty.
class Findings {
 public:
  Findings(const CleanEnvironment& environment, Problems& problems) : environment_(environment), problems_(problems) {}

  void enter(const CleanLayer& layer) { layer_ = &layer; }

  template <class... Args>
  void add(int law, GridPoint at, fmt::format_string<Args...> message, Args&&... args) {
    if (++counts_[std::size_t(law)] > most_a_law) return;
    const Vec2 p = environment_.grid.to_world(at);
    const std::string layer = layer_ != nullptr ? fmt::format("layer '{}' ", layer_->layer.id) : "";
    problems_.push_back({Severity::error, ProblemCode::internal, fmt::format("{}at ({}, {})", layer, p.x, p.y),
                         fmt::format("law {}: {}", law, fmt::format(message, std::forward<Args>(args)...))});
  }
  [[nodiscard]] int count(int law) const { return counts_[std::size_t(law)]; }

 private:
  static constexpr int most_a_law = 24;
  const CleanEnvironment& environment_;
  Problems& problems_;
  const CleanLayer* layer_ = nullptr;
  std::array<int, 9> counts_{};
};

std::string_view verb_of(Meeting meeting) {
  switch (meeting) {
    case Meeting::cross: return "cross";
    case Meeting::overlap: return "overlap";
    default: return "touch within an edge";
  }
}

std::string text_of(const PlaneEdge& e) { return fmt::format("({}, {})-({}, {})", e.from.x, e.from.y, e.to.x, e.to.y); }

template <class Visit>
void for_each_ring(const std::vector<GridPolygon>& polygons, Visit visit) {
  for (std::size_t i = 0; i < polygons.size(); ++i) {
    visit(polygons[i].outer, std::int32_t(i));
    for (const GridRing& hole : polygons[i].holes) visit(hole, std::int32_t(i));
  }
}

bool in_range(GridPoint p) {
  return std::abs(std::int64_t{p.x}) <= geometry::max_coordinate &&
         std::abs(std::int64_t{p.y}) <= geometry::max_coordinate;
}

/// Orientation from the smallest vertex, where a simple ring is convex: +1 counterclockwise.
int orientation(const GridRing& ring) {
  const std::size_t n = ring.size();
  const std::size_t i = std::size_t(std::min_element(ring.begin(), ring.end()) - ring.begin());
  return side(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
}

/// What holds for a ring by itself. False when it is too broken to look at together with others.
bool check_ring(const GridRing& ring, int turn, int law, Findings& findings) {
  if (ring.size() < 3) {
    findings.add(law, ring.empty() ? GridPoint{} : ring[0], "a ring of {} vertices", ring.size());
    return false;
  }
  std::vector<GridPoint> sorted = ring;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    findings.add(law, *twice, "a ring visits a vertex twice");
    return false;
  }
  if (!in_range(sorted.front()) || !std::all_of(ring.begin(), ring.end(), in_range)) {
    findings.add(1, ring[0], "a coordinate beyond the largest");
    return false;
  }
  if (orientation(ring) != turn)
    findings.add(law, sorted.front(), "{} ring runs the wrong way", turn > 0 ? "an outer" : "a hole's");
  if (ring.front() != sorted.front()) findings.add(8, ring[0], "a ring does not start at its smallest vertex");
  return true;
}

bool check_polygons(const std::vector<GridPolygon>& polygons, int law, Findings& findings) {
  bool sound = true;
  for (const GridPolygon& polygon : polygons) {
    sound &= check_ring(polygon.outer, 1, law, findings);
    for (const GridRing& hole : polygon.holes) sound &= check_ring(hole, -1, law, findings);
    if (!std::is_sorted(polygon.holes.begin(), polygon.holes.end()))
      findings.add(8, polygon.outer[0], "holes are not in order");
  }
  const auto before = [](const GridPolygon& a, const GridPolygon& b) {
    return a.outer != b.outer ? a.outer < b.outer : a.holes < b.holes;
  };
  if (sound && !std::is_sorted(polygons.begin(), polygons.end(), before))
    findings.add(8, polygons[0].outer[0], "polygons are not in order");
  return sound;
}

bool check_walls(const std::vector<Wall>& walls, Findings& findings) {
  bool sound = true;
  for (const Wall& wall : walls) {
    const std::vector<GridPoint>& points = wall.points;
    const auto again = std::adjacent_find(points.begin(), points.end());
    if (points.size() < 2 || again != points.end() || !std::all_of(points.begin(), points.end(), in_range)) {
      findings.add(3, points.empty() ? GridPoint{} : points[0], "a wall of no length or beyond the largest coordinate");
      sound = false;
      continue;
    }
    if (std::vector<GridPoint>(points.rbegin(), points.rend()) < points)
      findings.add(8, points[0], "a wall runs in the larger of its directions");
  }
  const auto before = [](const Wall& a, const Wall& b) { return a.points < b.points; };
  if (!std::is_sorted(walls.begin(), walls.end(), before))
    findings.add(8, walls[0].points[0], "walls are not in order");
  return sound;
}

std::vector<PlaneEdge> edges_of(const std::vector<GridPolygon>& polygons) {
  std::vector<PlaneEdge> edges;
  for_each_ring(polygons, [&](const GridRing& ring, std::int32_t polygon) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      edges.push_back(plane_edge(ring[i], ring[(i + 1) % ring.size()], polygon, nothing));
  });
  return edges;
}

void add_walls(const std::vector<Wall>& walls, std::vector<PlaneEdge>& edges) {
  for (const Wall& wall : walls)
    for (std::size_t i = 0; i + 1 < wall.points.size(); ++i)
      edges.push_back(plane_edge(wall.points[i], wall.points[i + 1], same_on_both_sides, same_on_both_sides));
}

// ---- Law 1 to 3: the boundary of free space ---------------------------------------------------------------------------------------

/// How many edges end in each vertex, connections' ends counted as one more.
std::unordered_map<GridPoint, int> degrees(const std::vector<PlaneEdge>& edges, const std::vector<GridPoint>& fixed) {
  std::unordered_map<GridPoint, int> degree;
  degree.reserve(edges.size());
  for (const PlaneEdge& edge : edges) ++degree[edge.from], ++degree[edge.to];
  for (const GridPoint p : fixed) ++degree[p];
  return degree;
}

void check_straight_vertices(const CleanLayer& layer, const std::unordered_map<GridPoint, int>& degree,
                             Findings& findings) {
  const auto needless = [&](GridPoint before, GridPoint at, GridPoint after) {
    return side(before, at, after) == 0 && degree.at(at) == 2;
  };
  for_each_ring(layer.free, [&](const GridRing& ring, std::int32_t) {
    const std::size_t n = ring.size();
    for (std::size_t i = 0; i < n; ++i)
      if (needless(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]))
        findings.add(2, ring[i], "a straight vertex that nothing else ends in");
  });
  for (const Wall& wall : layer.walls)
    for (std::size_t i = 1; i + 1 < wall.points.size(); ++i)
      if (needless(wall.points[i - 1], wall.points[i], wall.points[i + 1]))
        findings.add(3, wall.points[i], "a straight vertex of a wall that nothing else ends in");
}

/// True when the edges form a subdivision of the plane in which every one agrees with its neighbours.
bool check_subdivision(std::vector<PlaneEdge>& edges, int meeting_law, int side_law, Findings& findings) {
  const int before = findings.count(meeting_law) + findings.count(side_law);
  find_bad_meetings(edges, [&](std::size_t i, std::size_t j, Meeting how) {
    findings.add(meeting_law, edges[i].from, "edges {} and {} {}", text_of(edges[i]), text_of(edges[j]), verb_of(how));
  });
  if (findings.count(meeting_law) + findings.count(side_law) > before) return false;
  find_disagreements(edges, [&](GridPoint p, std::int32_t said, std::int32_t is) {
    const auto face = [](std::int32_t f) {
      return f == nothing ? std::string("nothing") : fmt::format("polygon {}", f);
    };
    findings.add(side_law, p, "an edge has {} beside it where its neighbour has {}", face(said), face(is));
  });
  return findings.count(meeting_law) + findings.count(side_law) == before;
}

bool check_boundary(const CleanLayer& layer, const std::vector<GridPoint>& connection_ends, Findings& findings) {
  const bool rings_sound = check_polygons(layer.free, 2, findings);
  const bool walls_sound = check_walls(layer.walls, findings);
  if (!rings_sound || !walls_sound) return false;
  std::vector<PlaneEdge> edges = edges_of(layer.free);
  add_walls(layer.walls, edges);
  check_straight_vertices(layer, degrees(edges, connection_ends), findings);
  if (!check_subdivision(edges, 1, 2, findings)) return false;
  const std::size_t ring_edges = edges_of(layer.free).size();
  for (std::size_t i = ring_edges; i < edges.size(); ++i)
    if (edges[i].above == nothing) findings.add(3, edges[i].from, "wall {} is not in free space", text_of(edges[i]));
  return true;
}

// ---- Law 4: regions and areas -------------------------------------------------------------------------------------------------------

/// Edges cut wherever a vertex of another lies on them. Edges that cross are left as they are.
std::vector<PlaneEdge> cut_at_touches(const std::vector<PlaneEdge>& edges) {
  std::vector<std::vector<GridPoint>> cuts(edges.size());
  const auto cut = [&](std::size_t i, GridPoint p) {
    if (p != edges[i].from && p != edges[i].to && geometry::on_segment(edges[i].from, edges[i].to, p))
      cuts[i].push_back(p);
  };
  find_bad_meetings(edges, [&](std::size_t i, std::size_t j, Meeting) {
    cut(i, edges[j].from), cut(i, edges[j].to), cut(j, edges[i].from), cut(j, edges[i].to);
  });
  std::vector<PlaneEdge> pieces;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    cuts[i].push_back(edges[i].to);
    std::sort(cuts[i].begin(), cuts[i].end());
    cuts[i].erase(std::unique(cuts[i].begin(), cuts[i].end()), cuts[i].end());
    GridPoint from = edges[i].from;
    for (const GridPoint to : cuts[i]) pieces.push_back({std::exchange(from, to), to, edges[i].above, edges[i].below});
  }
  return pieces;
}

/// Edges of neighbours, which run in opposite directions, become one with a face on both sides.
std::vector<PlaneEdge> join_neighbours(std::vector<PlaneEdge> edges, Findings& findings) {
  std::sort(edges.begin(), edges.end(), [](const PlaneEdge& a, const PlaneEdge& b) {
    return std::tie(a.from, a.to, a.above, a.below) < std::tie(b.from, b.to, b.above, b.below);
  });
  std::vector<PlaneEdge> joined;
  for (const PlaneEdge& edge : edges) {
    if (joined.empty() || joined.back().from != edge.from || joined.back().to != edge.to) {
      joined.push_back(edge);
      continue;
    }
    PlaneEdge& last = joined.back();
    const bool free_above = last.above == nothing && edge.below == nothing;
    const bool free_below = last.below == nothing && edge.above == nothing;
    if (free_above)
      last.above = edge.above;
    else if (free_below)
      last.below = edge.below;
    else
      findings.add(4, edge.from, "edge {} belongs to polygons that overlap", text_of(edge));
    if (last.above == last.below) findings.add(4, edge.from, "edge {} is twice in one polygon", text_of(edge));
  }
  return joined;
}

/// Whether p is within `region_slack` units of the edge. Exact: a cross product above 2^31 is more than any edge is long.
bool within_slack(const PlaneEdge& edge, GridPoint p) {
  const auto squared = [](GridPoint a, GridPoint b) { return dot(a, b, b); };
  if (dot(edge.from, edge.to, p) <= 0) return squared(edge.from, p) <= region_slack * region_slack;
  if (dot(edge.to, edge.from, p) <= 0) return squared(edge.to, p) <= region_slack * region_slack;
  const std::int64_t area = std::abs(cross(edge.from, edge.to, p));
  return area < (std::int64_t{1} << 31) && area * area <= region_slack * region_slack * squared(edge.from, edge.to);
}

/// Finds whether an edge lies within `region_slack` units of a point.
class Nearness {
 public:
  explicit Nearness(const std::vector<PlaneEdge>& edges) : edges_(edges), boxes_(edges) {}
  [[nodiscard]] bool near(GridPoint p) const {
    bool found = false;
    boxes_.visit({p.x - region_slack, p.y - region_slack}, {p.x + region_slack, p.y + region_slack},
                 [&](std::size_t i) { found = found || within_slack(edges_[i], p); });
    return found;
  }

 private:
  const std::vector<PlaneEdge>& edges_;
  EdgeBoxes boxes_;
};

std::vector<GridPoint> vertices_of(const std::vector<PlaneEdge>& edges) {
  std::vector<GridPoint> vertices;
  for (const PlaneEdge& edge : edges) vertices.push_back(edge.from), vertices.push_back(edge.to);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

/// Free space as the regions see it: its edges, and where they are. Walls do not bound regions.
struct FreeSpace {
  explicit FreeSpace(const CleanLayer& layer)
      : edges(edges_of(layer.free)), vertices(vertices_of(edges)), nearness(edges) {}
  FreeSpace(const FreeSpace&) = delete;  // nearness refers to edges
  std::vector<PlaneEdge> edges;
  std::vector<GridPoint> vertices;
  Nearness nearness;
};

/// A set of disjoint polygons on a layer: all its regions, or one of its areas.
struct Contents {
  std::string what;
  std::vector<PlaneEdge> edges;  ///< a sound subdivision
  std::vector<GridPoint> vertices;
};

/// Polygons that must be well formed and disjoint.
void add_disjoint(const std::vector<GridPolygon>& polygons, std::string what, std::vector<Contents>& contents,
                  Findings& findings) {
  const int before = findings.count(4);
  std::vector<PlaneEdge> edges = join_neighbours(cut_at_touches(edges_of(polygons)), findings);
  if (findings.count(4) > before || !check_subdivision(edges, 4, 4, findings)) return;
  std::vector<GridPoint> vertices = vertices_of(edges);
  contents.push_back({std::move(what), std::move(edges), std::move(vertices)});
}

/// Vertices of free space's edge in the box of the contents: areas are many and small.
std::vector<GridPoint> boundary_vertices_about(const FreeSpace& free, const Contents& contents) {
  if (contents.vertices.empty()) return {};
  const auto by_y = [](GridPoint a, GridPoint b) { return a.y < b.y; };
  const auto [low, high] = std::minmax_element(contents.vertices.begin(), contents.vertices.end(), by_y);
  const GridPoint begin{contents.vertices.front().x, low->y}, end{contents.vertices.back().x, high->y};
  std::vector<GridPoint> about;
  for (auto p = std::lower_bound(free.vertices.begin(), free.vertices.end(), begin);
       p != free.vertices.end() && *p <= end; ++p)
    if (p->y >= begin.y && p->y <= end.y) about.push_back(*p);
  return about;
}

/// Of the points, those that lie in the contents, more than the slack from their edges.
std::vector<GridPoint> deep_in(const Contents& contents, const Nearness& nearness,
                               const std::vector<GridPoint>& points) {
  const std::vector<std::int32_t> faces = faces_at(contents.edges, points);
  std::vector<GridPoint> deep;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (faces[i] != nothing && !nearness.near(points[i])) deep.push_back(points[i]);
  return deep;
}

/// Contents that cover a vertex of free space's edge cover what is not free beside it. That is right for the tips of needles only, where
/// all within a few units is within the slack of free space.
void check_not_covering(const FreeSpace& free, const Contents& contents, Findings& findings) {
  constexpr std::int32_t reach = 6;
  const Nearness nearness(contents.edges);
  std::vector<GridPoint> beside;
  for (const GridPoint p : deep_in(contents, nearness, boundary_vertices_about(free, contents)))
    for (std::int32_t dx = -reach; dx <= reach; ++dx)
      for (std::int32_t dy = -reach; dy <= reach; ++dy) beside.push_back({p.x + dx, p.y + dy});
  const std::vector<GridPoint> covered = deep_in(contents, nearness, beside);
  if (covered.empty()) return;  // as good as always, and the sweep over free space is the dear part
  const std::vector<std::int32_t> faces = faces_at(free.edges, covered);
  for (std::size_t i = 0; i < covered.size(); ++i)
    if (faces[i] == nothing && !free.nearness.near(covered[i]))
      findings.add(4, covered[i], "{} covers what is not free space", contents.what);
}

/// Polygons lie in free space, give or take the slack, when their vertices do and they cover none of the boundary's.
void check_within(const FreeSpace& free, const std::vector<Contents>& all, Findings& findings) {
  std::vector<GridPoint> vertices;
  for (const Contents& contents : all)
    vertices.insert(vertices.end(), contents.vertices.begin(), contents.vertices.end());
  const std::vector<std::int32_t> faces = faces_at(free.edges, vertices);
  std::size_t i = 0;
  for (const Contents& contents : all) {
    for (const GridPoint p : contents.vertices)
      if (faces[i++] == nothing && !free.nearness.near(p)) findings.add(4, p, "{} leaves free space", contents.what);
    check_not_covering(free, contents, findings);
  }
}

void check_regions_and_areas(const CleanLayer& layer, Findings& findings) {
  if (layer.regions.empty() && layer.areas.empty()) return;
  const auto by_type = [](const CleanRegion& a, const CleanRegion& b) {
    return std::tie(a.type, a.slope.x, a.slope.y) < std::tie(b.type, b.slope.x, b.slope.y);
  };
  const auto by_name = [](const CleanArea& a, const CleanArea& b) { return a.name < b.name; };
  if (!std::is_sorted(layer.regions.begin(), layer.regions.end(), by_type))
    findings.add(8, {}, "regions are not in order");
  if (!std::is_sorted(layer.areas.begin(), layer.areas.end(), by_name)) findings.add(8, {}, "areas are not in order");
  std::vector<Contents> contents;
  std::vector<GridPolygon> regions;
  bool sound = true;
  for (const CleanRegion& region : layer.regions) {
    sound &= check_polygons(region.polygons, 4, findings);
    regions.insert(regions.end(), region.polygons.begin(), region.polygons.end());
  }
  if (sound) add_disjoint(regions, "a region", contents, findings);
  for (const CleanArea& area : layer.areas)
    if (check_polygons(area.polygons, 4, findings))
      add_disjoint(area.polygons, "area '" + area.name + "'", contents, findings);
  check_within(FreeSpace(layer), contents, findings);
}

// ---- Law 5: connections -------------------------------------------------------------------------------------------------------------

using DirectedEdge = std::pair<GridPoint, GridPoint>;

std::vector<DirectedEdge> directed_edges(const CleanLayer& layer) {
  std::vector<DirectedEdge> edges;
  for_each_ring(layer.free, [&](const GridRing& ring, std::int32_t) {
    for (std::size_t i = 0; i < ring.size(); ++i) edges.emplace_back(ring[i], ring[(i + 1) % ring.size()]);
  });
  std::sort(edges.begin(), edges.end());
  return edges;
}

void check_connections(const CleanEnvironment& environment, Findings& findings) {
  if (environment.connections.empty()) return;
  std::vector<std::vector<DirectedEdge>> edges;
  for (const CleanLayer& layer : environment.layers) edges.push_back(directed_edges(layer));
  const auto holds = [&](std::size_t layer, GridPoint from, GridPoint to) {
    return std::binary_search(edges[layer].begin(), edges[layer].end(), DirectedEdge{from, to});
  };
  std::vector<std::pair<std::size_t, DirectedEdge>> used;
  for (const CleanConnection& c : environment.connections) {
    if (c.left_layer >= edges.size() || c.right_layer >= edges.size() || c.left_layer == c.right_layer) {
      findings.add(5, c.a, "a connection of layers {} and {}", c.left_layer, c.right_layer);
      continue;
    }
    if (!holds(c.left_layer, c.a, c.b)) findings.add(5, c.a, "a connection is no edge of its left layer's boundary");
    if (!holds(c.right_layer, c.b, c.a)) findings.add(5, c.a, "a connection is no edge of its right layer's boundary");
    used.push_back({c.left_layer, {c.a, c.b}});
    used.push_back({c.right_layer, {c.b, c.a}});
  }
  std::sort(used.begin(), used.end());
  const auto twice = std::adjacent_find(used.begin(), used.end());
  if (twice != used.end()) findings.add(5, twice->second.first, "two connections use one edge");
  if (!std::is_sorted(environment.connections.begin(), environment.connections.end()))
    findings.add(8, environment.connections[0].a, "connections are not in order");
}

std::vector<GridPoint> connection_ends(const CleanEnvironment& environment, std::size_t layer) {
  std::vector<GridPoint> ends;
  for (const CleanConnection& c : environment.connections)
    if (c.left_layer == layer || c.right_layer == layer) ends.push_back(c.a), ends.push_back(c.b);
  return ends;
}

}  // namespace

Problems verify_clean(const CleanEnvironment& environment) {
  Problems problems;
  Findings findings(environment, problems);
  for (std::size_t i = 0; i < environment.layers.size(); ++i) {
    const CleanLayer& layer = environment.layers[i];
    findings.enter(layer);
    if (check_boundary(layer, connection_ends(environment, i), findings)) check_regions_and_areas(layer, findings);
  }
  check_connections(environment, findings);
  return problems;
}

}  // namespace throng::environment
