#include "ground/surface_maker.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace throng::ground {

namespace {

using geometry::GridBox;
using geometry::GridPolygon;
using geometry::GridRing;
using geometry::Triangulation;

/// By how many fine units offsets are drawn too large, so that rounding their
/// corners (0.71) and the arrangement (1.29) never makes them too small.
constexpr double offset_slack = 2.5;
/// Marks of lines in an arrangement: walls, then connections.
constexpr std::uint32_t wall_mark = 0, first_connection_mark = 1;
constexpr std::uint32_t hard_channel = 0, first_type_channel = 1;
constexpr std::int32_t no_ground = -1;
/// How often two layers tell each other where they meet their connection before
/// the rest stays closed.
constexpr int most_rounds = 6;
constexpr std::int32_t finest_scale = 16;

template <class Visit>
void for_each_ring(const GridPolygon& polygon, Visit&& visit) {
  visit(polygon.outer);
  for (const GridRing& hole : polygon.holes) visit(hole);
}

GridBox box_of(const std::vector<GridPoint>& ring) {
  GridBox box{ring[0], ring[0]};
  for (const GridPoint p : ring) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
}

std::vector<std::string> types_of(const environment::CleanEnvironment& world) {
  std::set<std::string> names;
  for (const auto& layer : world.layers)
    for (const auto& region : layer.regions)
      if (!region.polygons.empty()) names.insert(region.type);
  names.erase("");
  std::vector<std::string> types{""};
  types.insert(types.end(), names.begin(), names.end());
  return types;
}

}  // namespace

SurfaceMaker::SurfaceMaker(const environment::CleanEnvironment& world, const SurfaceRadii& radii)
    : world_(world), radii_(radii) {
  made_.radii_ = radii;
  made_.types_ = types_of(world);
  made_.grid_ = world.grid;
  choose_scale();
  made_.rounding_ = world.grid.to_metres((offset_slack + 2) / scale_);
}

double SurfaceMaker::fine_units(double metres) const { return metres / world_.grid.to_metres(1.0) * scale_; }

/// The finest grid that holds everything and the widest offset around it.
void SurfaceMaker::choose_scale() {
  std::int64_t farthest = 1;
  for (const auto& layer : world_.layers)
    for (const auto& polygon : layer.free)
      for (const GridPoint p : polygon.outer)
        farthest = std::max({farthest, std::abs(std::int64_t{p.x}), std::abs(std::int64_t{p.y})});
  const double reach = 1.2 * std::max(radii_.hard, radii_.felt) / world_.grid.to_metres(1.0) + 8;
  scale_ = finest_scale;
  while (scale_ > 1 && (double(farthest) + reach) * scale_ > geometry::max_coordinate) scale_ /= 2;
}

Index SurfaceMaker::type_of(const std::string& name) const {
  return Index(std::lower_bound(made_.types_.begin(), made_.types_.end(), name) - made_.types_.begin());
}

std::vector<BorderEdge> SurfaceMaker::obstacle_border(std::size_t layer) const {
  std::set<std::pair<GridPoint, GridPoint>> open;  // with this layer's free space on the left
  for (const auto& c : world_.connections) {
    if (c.left_layer == layer) open.insert({c.a, c.b});
    if (c.right_layer == layer) open.insert({c.b, c.a});
  }
  std::vector<BorderEdge> border;
  for (const GridPolygon& polygon : world_.layers[layer].free)
    for_each_ring(polygon, [&](const GridRing& ring) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const GridPoint a = ring[i], b = ring[(i + 1) % ring.size()];
        border.push_back({fine(a), fine(b), open.contains({a, b})});
      }
    });
  for (const auto& wall : world_.layers[layer].walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i) {
      border.push_back({fine(wall.points[i - 1]), fine(wall.points[i]), false});
      border.push_back({fine(wall.points[i]), fine(wall.points[i - 1]), false});
    }
  return border;
}

/// Borders of each type, plain ground included, with what is not of the type on
/// the left.
std::vector<std::vector<BorderEdge>> SurfaceMaker::type_borders(const CleanLayer& layer) const {
  std::vector<std::vector<BorderEdge>> borders(made_.types_.size());
  Arrangement regions;
  for (const auto& region : layer.regions)
    for (const GridPolygon& polygon : region.polygons)
      for_each_ring(polygon, [&](const GridRing& ring) {
        for (std::size_t i = 0; i < ring.size(); ++i)
          regions.add_edge(fine(ring[i]), fine(ring[(i + 1) % ring.size()]), type_of(region.type));
      });
  if (layer.regions.empty()) return borders;
  regions.arrange();
  std::vector<Index> type(regions.graph().face_count(), 0);
  regions.walk(made_.types_.size(), [&](Index face, const std::vector<std::int32_t>& winding) {
    for (Index t = 1; t < winding.size(); ++t)
      if (winding[t] > 0) type[face] = t;
  });
  for (Index e = 0; e < regions.edges().size(); ++e) {
    const auto [a, b] = regions.edges()[e];
    const Index left = type[regions.graph().face_of(2 * e)], right = type[regions.graph().face_of(2 * e + 1)];
    if (left == right) continue;
    borders[right].push_back({a, b, false});
    borders[left].push_back({b, a, false});
  }
  return borders;
}

SurfaceMaker::LayerShapes SurfaceMaker::shapes_of(std::size_t layer) const {
  LayerShapes shapes;
  if (radii_.hard > 0) shapes.hard = offset_shapes(obstacle_border(layer), fine_units(radii_.hard) + offset_slack);
  if (radii_.felt > 0)
    for (const auto& border : type_borders(world_.layers[layer]))
      shapes.felt.push_back(offset_shapes(border, fine_units(radii_.felt) + offset_slack));
  return shapes;
}

/// A ring of free space; its connections are led through the points where the
/// layers meet them.
void SurfaceMaker::add_ring(Arrangement& to, std::size_t layer, const GridRing& ring) const {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const GridPoint a = ring[i], b = ring[(i + 1) % ring.size()];
    std::vector<GridPoint> way{fine(a), fine(b)};
    std::optional<std::size_t> connection;
    for (std::size_t c = 0; c < world_.connections.size(); ++c) {
      const auto& open = world_.connections[c];
      const bool left = open.left_layer == layer && open.a == a && open.b == b;
      const bool right = open.right_layer == layer && open.a == b && open.b == a;
      if (!left && !right) continue;
      connection = c;
      way = chains_[c];
      if (right) std::reverse(way.begin(), way.end());
    }
    for (std::size_t k = 1; k < way.size(); ++k) {
      to.add_edge(way[k - 1], way[k], hard_channel);
      if (connection) to.add_line(way[k - 1], way[k], std::uint32_t(first_connection_mark + *connection));
    }
  }
}

/// What reaches over from the layers beyond this one's connections.
void SurfaceMaker::add_neighbours(Arrangement& to, std::size_t layer) const {
  for (const auto& c : world_.connections) {
    if (c.left_layer != layer && c.right_layer != layer) continue;
    const bool left = c.left_layer == layer;
    const std::size_t other = left ? c.right_layer : c.left_layer;
    const GridPoint a = fine(left ? c.a : c.b), b = fine(left ? c.b : c.a);
    const GridBox along = box_of({a, b});
    const auto add = [&](const OffsetShapes& shapes, std::uint32_t channel) {
      for (const auto& ring : shapes.rings)
        if (geometry::overlap(box_of(ring), along))
          if (const auto part = clip_left_of(ring, a, b); !part.empty()) to.add_ring(part, channel);
    };
    add(shapes_[other].hard, hard_channel);
    for (Index t = 0; t < shapes_[other].felt.size(); ++t) add(shapes_[other].felt[t], first_type_channel + t);
  }
}

Index SurfaceMaker::set_of(const std::vector<std::int32_t>& winding) {
  std::vector<Index> felt;
  for (Index t = 1; t < made_.types_.size(); ++t)
    if (winding[first_type_channel + t] != 0) felt.push_back(t);
  if (radii_.felt == 0 && felt.size() > 1) felt = {felt.back()};
  if (felt.empty() || winding[first_type_channel] != 0) felt.insert(felt.begin(), 0);
  const auto [at, is_new] = set_numbers_.try_emplace(felt, Index(made_.sets_.size()));
  if (is_new) made_.sets_.push_back(felt);
  return at->second;
}

SurfaceMaker::Arranged SurfaceMaker::arrange(std::size_t layer) {
  Arranged result;
  Arrangement& to = result.arrangement;
  const CleanLayer& source = world_.layers[layer];
  for (const GridPolygon& polygon : source.free)
    for_each_ring(polygon, [&](const GridRing& ring) { add_ring(to, layer, ring); });
  for (const auto& ring : shapes_[layer].hard.rings) to.add_ring(ring, hard_channel);
  if (radii_.hard == 0)
    for (const auto& wall : source.walls)
      for (std::size_t i = 1; i < wall.points.size(); ++i)
        to.add_line(fine(wall.points[i - 1]), fine(wall.points[i]), wall_mark);
  // Everything felt winds by less than 0: rings that enclose a type as well as
  // the clockwise shapes beside its border.
  for (const auto& region : source.regions)
    for (const GridPolygon& polygon : region.polygons)
      for_each_ring(polygon, [&](const GridRing& ring) {
        for (std::size_t i = 0; i < ring.size(); ++i)
          to.add_edge(fine(ring[i]), fine(ring[(i + 1) % ring.size()]), first_type_channel + type_of(region.type), -1);
      });
  for (Index t = 0; t < shapes_[layer].felt.size(); ++t)
    for (const auto& ring : shapes_[layer].felt[t].rings) to.add_ring(ring, first_type_channel + t);
  add_neighbours(to, layer);
  to.arrange();
  result.label.assign(to.graph().face_count(), no_ground);
  to.walk(first_type_channel + made_.types_.size(), [&](Index face, const std::vector<std::int32_t>& winding) {
    if (winding[hard_channel] > 0) result.label[face] = std::int32_t(set_of(winding));
  });
  return result;
}

bool SurfaceMaker::refine_chains() {
  bool changed = false;
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    std::set<GridPoint> points(chains_[c].begin(), chains_[c].end());
    for (const std::size_t layer : {world_.connections[c].left_layer, world_.connections[c].right_layer})
      for (const auto& [mark, edge] : arranged_[layer].arrangement.marked())
        if (mark == first_connection_mark + c) {
          points.insert(arranged_[layer].arrangement.edges()[edge].a);
          points.insert(arranged_[layer].arrangement.edges()[edge].b);
        }
    const GridPoint a = chains_[c].front(), b = chains_[c].back();
    std::vector<GridPoint> chain(points.begin(), points.end());
    std::stable_sort(chain.begin(), chain.end(),
                     [&](GridPoint p, GridPoint q) { return geometry::dot(a, b, p) < geometry::dot(a, b, q); });
    changed |= chain != chains_[c];
    chains_[c] = std::move(chain);
  }
  return changed;
}

void SurfaceMaker::arrange_all() {
  for (const auto& c : world_.connections) chains_.push_back({fine(c.a), fine(c.b)});
  for (std::size_t layer = 0; layer < world_.layers.size(); ++layer) shapes_.push_back(shapes_of(layer));
  for (std::size_t layer = 0; layer < world_.layers.size(); ++layer) arranged_.push_back(arrange(layer));
  for (int round = 0; round < most_rounds && refine_chains(); ++round) {
    std::set<std::size_t> again;
    for (const auto& c : world_.connections) again.insert({c.left_layer, c.right_layer});
    for (const std::size_t layer : again) arranged_[layer] = arrange(layer);
  }
}

/// Edges that part ground from none, or one set from another, or are walls.
/// `left` tells what lies left of a directed edge.
std::vector<GridSegment> SurfaceMaker::constraints_of(
    const Arranged& arranged, std::map<std::pair<GridPoint, GridPoint>, std::int32_t>& left) const {
  std::set<Index> walls;
  for (const auto& [mark, edge] : arranged.arrangement.marked())
    if (mark == wall_mark) walls.insert(edge);
  std::vector<GridSegment> constraints;
  const auto edges = arranged.arrangement.edges();
  for (Index e = 0; e < edges.size(); ++e) {
    const std::int32_t on_left = arranged.label[arranged.arrangement.graph().face_of(2 * e)];
    const std::int32_t on_right = arranged.label[arranged.arrangement.graph().face_of(2 * e + 1)];
    if (on_left == on_right && (on_left == no_ground || !walls.contains(e))) continue;
    constraints.push_back(edges[e]);
    left[{edges[e].a, edges[e].b}] = on_left;
    left[{edges[e].b, edges[e].a}] = on_right;
  }
  return constraints;
}

std::optional<Problem> SurfaceMaker::triangulate_layer(std::size_t layer) {
  const Arranged& arranged = arranged_[layer];
  std::map<std::pair<GridPoint, GridPoint>, std::int32_t> left;
  auto triangulated = geometry::triangulate(constraints_of(arranged, left));
  if (!triangulated.ok()) return triangulated.problems()[0];
  const Triangulation& net = *triangulated;

  // What a triangle is, from an edge of its own or from a neighbour.
  constexpr std::int32_t unknown = -2;
  std::vector<std::int32_t> label(net.triangles.size(), unknown);
  std::vector<Index> next;
  const auto ends = [&](const Triangulation::Triangle& t, int i) {
    return std::pair{net.points[t.vertex[(i + 1) % 3]], net.points[t.vertex[(i + 2) % 3]]};
  };
  for (Index t = 0; t < net.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      if (!net.triangles[t].constrained[i]) continue;
      label[t] = left.at(ends(net.triangles[t], i));
      next.push_back(t);
      break;
    }
  while (!next.empty()) {
    const Index t = next.back();
    next.pop_back();
    for (int i = 0; i < 3; ++i) {
      const Index n = net.triangles[t].beyond[i];
      if (n == Triangulation::nothing || net.triangles[t].constrained[i] || label[n] != unknown) continue;
      label[n] = label[t];
      next.push_back(n);
    }
  }

  std::vector<Index> number(net.triangles.size(), none);
  made_.first_of_layer_.push_back(Index(made_.triangles_.size()));
  for (Index t = 0; t < net.triangles.size(); ++t) {
    if (label[t] < 0) continue;
    number[t] = Index(made_.triangles_.size());
    made_.triangles_.push_back({{}, {none, none, none}, {}, Index(label[t]), Index(layer)});
    for (const auto v : net.triangles[t].vertex) corner_points_.push_back(net.points[v]);
  }
  std::set<std::pair<GridPoint, GridPoint>> walls;
  std::map<std::pair<GridPoint, GridPoint>, std::size_t> connections;
  for (const auto& [mark, edge] : arranged.arrangement.marked()) {
    const auto [a, b] = arranged.arrangement.edges()[edge];
    if (mark == wall_mark)
      walls.insert({a, b});
    else
      connections[{a, b}] = mark - first_connection_mark;
  }
  for (Index t = 0; t < net.triangles.size(); ++t) {
    if (number[t] == none) continue;
    for (int i = 0; i < 3; ++i) {
      auto [a, b] = ends(net.triangles[t], i);
      if (b < a) std::swap(a, b);
      const Index n = net.triangles[t].beyond[i];
      const bool wall = net.triangles[t].constrained[i] && walls.contains({a, b});
      if (n != Triangulation::nothing && number[n] != none && !wall) made_.triangles_[number[t]].beyond[i] = number[n];
      if (const auto at = connections.find({a, b});
          at != connections.end() && (n == Triangulation::nothing || number[n] == none))
        on_connections_.push_back({at->second, a, b, {number[t], i}});
    }
  }
  for (const RimPoint& rim : shapes_[layer].hard.rims) rim_numbers_.try_emplace({layer, rim.point}, none);
  for (const RimPoint& rim : shapes_[layer].hard.rims) {
    Index& rim_number = rim_numbers_[{layer, rim.point}];
    if (rim_number != none) continue;
    const Vec2 centre = world_.grid.to_world(Vec2{double(rim.centre.x) / scale_, double(rim.centre.y) / scale_});
    if (made_.rim_centres_.empty() || made_.rim_centres_.back() != centre) made_.rim_centres_.push_back(centre);
    rim_number = Index(made_.rim_centres_.size() - 1);
  }
  return {};
}

void SurfaceMaker::join_layers() {
  std::sort(on_connections_.begin(), on_connections_.end(), [](const auto& x, const auto& y) {
    return std::tuple(std::get<0>(x), std::get<1>(x), std::get<2>(x), std::get<3>(x).triangle) <
           std::tuple(std::get<0>(y), std::get<1>(y), std::get<2>(y), std::get<3>(y).triangle);
  });
  for (std::size_t i = 1; i < on_connections_.size(); ++i) {
    const auto& [c, a, b, one] = on_connections_[i - 1];
    const auto& [d, p, q, other] = on_connections_[i];
    if (c != d || a != p || b != q) continue;
    made_.triangles_[one.triangle].beyond[one.side] = other.triangle;
    made_.triangles_[other.triangle].beyond[other.side] = one.triangle;
  }
}

/// Corners of triangles that follow each other around a point, over edges that
/// can be crossed, are one vertex.
void SurfaceMaker::split_fans() {
  const std::size_t corners = 3 * made_.triangles_.size();
  std::vector<Index> parent(corners);
  std::iota(parent.begin(), parent.end(), Index(0));
  const auto root = [&](Index c) {
    while (parent[c] != c) c = parent[c] = parent[parent[c]];
    return c;
  };
  for (Index t = 0; t < made_.triangles_.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const Index n = made_.triangles_[t].beyond[i];
      if (n == none) continue;
      for (const int k : {(i + 1) % 3, (i + 2) % 3})
        for (int m = 0; m < 3; ++m)
          if (corner_points_[3 * n + m] == corner_points_[3 * t + k]) {
            const Index one = root(3 * t + k), other = root(3 * n + m);
            parent[std::max(one, other)] = std::min(one, other);
          }
    }
  std::vector<Index> number(corners, none);
  for (Index c = 0; c < corners; ++c) {
    const Index r = root(c);
    if (number[r] == none) {
      number[r] = Index(made_.vertices_.size());
      const GridPoint p = corner_points_[c];
      const auto rim = rim_numbers_.find({made_.triangles_[c / 3].layer, p});
      made_.vertices_.push_back({world_.grid.to_world(Vec2{double(p.x) / scale_, double(p.y) / scale_}),
                                 rim == rim_numbers_.end() ? none : rim->second});
    }
    made_.triangles_[c / 3].vertex[c % 3] = number[r];
  }
}

void SurfaceMaker::make_edges() {
  for (Index t = 0; t < made_.triangles_.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      Surface::Triangle& triangle = made_.triangles_[t];
      const Index n = triangle.beyond[i];
      if (n != none && n < t) continue;  // made by the other side
      const Index a = triangle.vertex[(i + 1) % 3], b = triangle.vertex[(i + 2) % 3];
      triangle.edge[i] = Index(made_.edges_.size());
      made_.edges_.push_back({a, b, {t, n}, std::sqrt(squared_length(made_.point(b) - made_.point(a)))});
      if (n == none) continue;
      Surface::Triangle& other = made_.triangles_[n];
      for (int k = 0; k < 3; ++k)
        if (other.vertex[(k + 1) % 3] == b && other.vertex[(k + 2) % 3] == a) other.edge[k] = triangle.edge[i];
    }
}

void SurfaceMaker::order_edges_around_vertices() {
  std::vector<Index> some(made_.vertices_.size(), none);
  for (Index t = 0; t < made_.triangles_.size(); ++t)
    for (const Index v : made_.triangles_[t].vertex)
      if (some[v] == none) some[v] = t;
  made_.first_around_.push_back(0);
  for (Index v = 0; v < some.size(); ++v) {
    // Clockwise to the border, if there is one; then counterclockwise around.
    Index t = some[v];
    while (true) {
      const auto& triangle = made_.triangles_[t];
      const Index before = triangle.beyond[(triangle.corner_of(v) + 2) % 3];
      if (before == none || before == some[v]) break;
      t = before;
    }
    const Index first = t;
    while (true) {
      const auto& triangle = made_.triangles_[t];
      const int i = triangle.corner_of(v);
      made_.around_.push_back(triangle.edge[(i + 2) % 3]);
      const Index after = triangle.beyond[(i + 1) % 3];
      if (after == none) made_.around_.push_back(triangle.edge[(i + 1) % 3]);
      if (after == none || after == first) break;
      t = after;
    }
    made_.first_around_.push_back(Index(made_.around_.size()));
  }
}

Result<Surface> SurfaceMaker::make() {
  arrange_all();
  for (std::size_t layer = 0; layer < world_.layers.size(); ++layer)
    if (auto problem = triangulate_layer(layer)) return *problem;
  made_.first_of_layer_.push_back(Index(made_.triangles_.size()));
  join_layers();
  split_fans();
  make_edges();
  order_edges_around_vertices();
  made_.index_triangles(world_.layers.size());
  return std::move(made_);
}

}  // namespace throng::ground
