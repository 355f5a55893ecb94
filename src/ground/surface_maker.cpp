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
/// Ground narrower than this is a sliver: so many units of the snap grid, since borders of regions miss walls by two of them, and at
/// least so many metres, since surveyed plans have gaps of millimetres.
constexpr double sliver_units = 3, sliver_metres = 0.005;

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

}  // namespace

SurfaceMaker::SurfaceMaker(const environment::CleanEnvironment& world, const SurfaceRadii& radii)
    : world_(world), radii_(radii) {
  made_.radii_ = radii;
  made_.kinds_ = GroundKinds(world);
  made_.grid_ = world.grid;
  choose_scale();
  made_.rounding_ = world.grid.to_metres((offset_slack + 2) / scale_);
  made_.fine_area_ = world.grid.to_metres(1.0) * world.grid.to_metres(1.0) / (double(scale_) * scale_);
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

Index SurfaceMaker::base_of(std::size_t layer) const { return made_.kinds_.base(world_.layers[layer].layer); }

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

void SurfaceMaker::add_free_space(Arrangement& to, std::size_t layer) const {
  for (const GridPolygon& polygon : world_.layers[layer].free)
    for_each_ring(polygon, [&](const GridRing& ring) { add_ring(to, layer, ring); });
}

void SurfaceMaker::add_walls(Arrangement& to, std::size_t layer) const {
  for (const auto& wall : world_.layers[layer].walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i)
      to.add_line(fine(wall.points[i - 1]), fine(wall.points[i]), wall_mark);
}

SurfaceMaker::EdgeMarks SurfaceMaker::marks_of(const Arrangement& arrangement) {
  EdgeMarks marks;
  marks.wall.assign(arrangement.edges().size(), false);
  marks.connection.assign(arrangement.edges().size(), none);
  for (const auto& [mark, edge] : arrangement.marked())
    if (mark == wall_mark)
      marks.wall[edge] = true;
    else
      marks.connection[edge] = mark - first_connection_mark;
  return marks;
}

/// Constraints are edges that part one label from another, and walls on ground.
Result<SurfaceMaker::Net> SurfaceMaker::net_of(const Arranged& arranged) const {
  const Arrangement& arrangement = arranged.arrangement;
  const EdgeMarks marks = marks_of(arrangement);
  const auto edges = arrangement.edges();
  const auto label_beside = [&](Index half_edge) { return arranged.label[arrangement.graph().face_of(half_edge)]; };
  std::vector<GridSegment> constraints;
  for (Index e = 0; e < edges.size(); ++e) {
    const Label left = label_beside(2 * e), right = label_beside(2 * e + 1);
    if (left != right || (left != no_ground && marks.wall[e])) constraints.push_back(edges[e]);
  }
  auto triangulated = geometry::triangulate(constraints);
  if (!triangulated.ok()) return triangulated.problems();
  Net net{std::move(triangulated).value(), {}};

  // What a triangle is, from an edge of its own or from a neighbour.
  constexpr Label unknown = -2;
  const auto& triangles = net.triangulation.triangles;
  net.label.assign(triangles.size(), unknown);
  std::vector<Index> next;
  for (Index t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      if (!triangles[t].constrained[i]) continue;
      const GridPoint a = net.triangulation.points[triangles[t].vertex[(i + 1) % 3]],
                      b = net.triangulation.points[triangles[t].vertex[(i + 2) % 3]];
      const Index e = arrangement.edge_of(std::min(a, b), std::max(a, b));
      net.label[t] = label_beside(2 * e + (a < b ? 0 : 1));
      next.push_back(t);
      break;
    }
  while (!next.empty()) {
    const Index t = next.back();
    next.pop_back();
    for (std::size_t i = 0; i < 3; ++i) {
      const Index n = triangles[t].beyond[i];
      if (n == Triangulation::nothing || triangles[t].constrained[i] || net.label[n] != unknown) continue;
      net.label[n] = net.label[t];
      next.push_back(n);
    }
  }
  return net;
}

/// Slivers that hang together become what they share most of their border with, unless that is ground of their own type.
void SurfaceMaker::absorb_slivers(Net& net) {
  const auto& triangles = net.triangulation.triangles;
  const auto& points = net.triangulation.points;
  const double widest = std::max(sliver_units * scale_, fine_units(sliver_metres));
  const auto size_of = [&](const Triangulation::Triangle& t, std::size_t i) {
    const GridPoint a = points[t.vertex[(i + 1) % 3]], b = points[t.vertex[(i + 2) % 3]];
    return std::sqrt(squared_length(Vec2{double(b.x) - a.x, double(b.y) - a.y}));
  };
  const auto area_of = [&](const Triangulation::Triangle& t) {
    return 0.5 * double(geometry::cross(points[t.vertex[0]], points[t.vertex[1]], points[t.vertex[2]]));
  };
  std::vector<bool> thin(triangles.size(), false);
  for (Index t = 0; t < triangles.size(); ++t) {
    const double longest = std::max({size_of(triangles[t], 0), size_of(triangles[t], 1), size_of(triangles[t], 2)});
    thin[t] = net.label[t] != no_ground && 2 * area_of(triangles[t]) < widest * longest;
  }
  const std::vector<Label> before = net.label;
  std::vector<bool> seen(triangles.size(), false);
  std::vector<Index> part;
  std::map<Label, double> border;
  for (Index first = 0; first < triangles.size(); ++first) {
    if (!thin[first] || seen[first]) continue;
    part = {first}, seen[first] = true;
    border.clear();
    for (std::size_t k = 0; k < part.size(); ++k)
      for (std::size_t i = 0; i < 3; ++i) {
        const Index n = triangles[part[k]].beyond[i];
        if (n == Triangulation::nothing || before[n] == no_ground) continue;
        const bool joined = thin[n] && before[n] == before[first];
        if (joined && !seen[n]) seen[n] = true, part.push_back(n);
        if (!joined) border[before[n]] += size_of(triangles[part[k]], i);
      }
    Label most = before[first];
    for (const auto& [label, size] : border)
      if (label != before[first] && size > 2 * border[before[first]] && size > border[most]) most = label;
    if (most == before[first]) continue;
    for (const Index t : part) {
      net.label[t] = most;
      made_.absorbed_area_ += area_of(triangles[t]) * made_.fine_area_;
    }
  }
}

/// Borders of the layer's types, after slivers have gone.
Result<std::vector<SurfaceMaker::TypeBorder>> SurfaceMaker::sealed_types(std::size_t layer) {
  if (world_.layers[layer].regions.empty()) return std::vector<TypeBorder>{};
  Arranged arranged;
  Arrangement& to = arranged.arrangement;
  add_free_space(to, layer);
  add_walls(to, layer);
  for (const auto& region : world_.layers[layer].regions)
    for (const GridPolygon& polygon : region.polygons)
      for_each_ring(polygon, [&](const GridRing& ring) {
        for (std::size_t i = 0; i < ring.size(); ++i)
          to.add_edge(fine(ring[i]), fine(ring[(i + 1) % ring.size()]), first_type_channel + made_.kinds_.of(region));
      });
  to.arrange();
  arranged.label.assign(to.graph().face_count(), no_ground);
  to.walk(first_type_channel + made_.kinds_.size(), [&](Index face, const std::vector<std::int32_t>& winding) {
    if (winding[hard_channel] <= 0) return;
    arranged.label[face] = Label(base_of(layer));
    for (Index t = 1; t < made_.kinds_.size(); ++t)
      if (winding[first_type_channel + t] > 0) arranged.label[face] = Label(t);
  });
  Result<Net> net = net_of(arranged);
  if (!net.ok()) return net.problems();
  absorb_slivers(*net);
  std::vector<TypeBorder> borders;
  const auto& triangles = net->triangulation.triangles;
  for (Index t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const Index n = triangles[t].beyond[i];
      const Label own = net->label[t], other = n == Triangulation::nothing ? no_ground : net->label[n];
      if (own == other || own == no_ground || (other != no_ground && n < t)) continue;
      borders.push_back({net->triangulation.points[triangles[t].vertex[(i + 1) % 3]],
                         net->triangulation.points[triangles[t].vertex[(i + 2) % 3]], own, other});
    }
  return borders;
}

Result<SurfaceMaker::LayerShapes> SurfaceMaker::shapes_of(std::size_t layer) {
  LayerShapes shapes;
  Result<std::vector<TypeBorder>> types = sealed_types(layer);
  if (!types.ok()) return types.problems();
  shapes.types = std::move(types).value();
  if (radii_.hard > 0) shapes.hard = offset_shapes(obstacle_border(layer), fine_units(radii_.hard) + offset_slack);
  if (radii_.felt > 0) {
    // What is not of the type lies on the left.
    std::vector<std::vector<BorderEdge>> borders(made_.kinds_.size());
    for (const TypeBorder& border : shapes.types) {
      if (border.right == no_ground) continue;
      borders[std::size_t(border.right)].push_back({border.a, border.b, false});
      borders[std::size_t(border.left)].push_back({border.b, border.a, false});
    }
    for (const auto& border : borders)
      shapes.felt.push_back(offset_shapes(border, fine_units(radii_.felt) + offset_slack));
  }
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

/// What a layer that rises is made of is felt under regions too.
Index SurfaceMaker::set_of(const std::vector<std::int32_t>& winding, Index base) {
  std::vector<Index> felt;
  for (Index t = 0; t < made_.kinds_.size(); ++t)
    if (winding[first_type_channel + t] != 0) felt.push_back(t);
  if (felt.empty()) felt.push_back(base);                         // a layer without regions
  if (radii_.felt == 0 && felt.size() > 1) felt = {felt.back()};  // by rounding
  if (base != 0 && std::find(felt.begin(), felt.end(), base) == felt.end())
    felt.insert(std::lower_bound(felt.begin(), felt.end(), base), base);
  const auto [at, is_new] = set_numbers_.try_emplace(felt, Index(made_.sets_.size()));
  if (is_new) made_.sets_.push_back(felt);
  return at->second;
}

SurfaceMaker::Arranged SurfaceMaker::arrange(std::size_t layer) {
  Arranged result;
  Arrangement& to = result.arrangement;
  add_free_space(to, layer);
  for (const auto& ring : shapes_[layer].hard.rings) to.add_ring(ring, hard_channel);
  if (radii_.hard == 0) add_walls(to, layer);
  // Everything felt winds by less than 0: borders that enclose a type as well as the clockwise shapes beside them.
  for (const TypeBorder& border : shapes_[layer].types) {
    to.add_edge(border.a, border.b, first_type_channel + Index(border.left), -1);
    if (border.right >= 0) to.add_edge(border.b, border.a, first_type_channel + Index(border.right), -1);
  }
  for (Index t = 0; t < shapes_[layer].felt.size(); ++t)
    for (const auto& ring : shapes_[layer].felt[t].rings) to.add_ring(ring, first_type_channel + t);
  add_neighbours(to, layer);
  to.arrange();
  result.label.assign(to.graph().face_count(), no_ground);
  const Index base = base_of(layer);
  to.walk(first_type_channel + made_.kinds_.size(), [&](Index face, const std::vector<std::int32_t>& winding) {
    if (winding[hard_channel] > 0) result.label[face] = Label(set_of(winding, base));
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
  for (std::size_t layer = 0; layer < world_.layers.size(); ++layer) arranged_.push_back(arrange(layer));
  for (int round = 0; round < most_rounds && refine_chains(); ++round) {
    std::set<std::size_t> again;
    for (const auto& c : world_.connections) again.insert({c.left_layer, c.right_layer});
    for (const std::size_t layer : again) arranged_[layer] = arrange(layer);
  }
}

std::optional<Problem> SurfaceMaker::triangulate_layer(std::size_t layer) {
  const Arranged& arranged = arranged_[layer];
  const Result<Net> made = net_of(arranged);
  if (!made.ok()) return made.problems()[0];
  const Triangulation& net = made->triangulation;
  const EdgeMarks marks = marks_of(arranged.arrangement);

  std::vector<Index> number(net.triangles.size(), none);
  made_.first_of_layer_.push_back(Index(made_.triangles_.size()));
  for (Index t = 0; t < net.triangles.size(); ++t) {
    if (made->label[t] < 0) continue;
    number[t] = Index(made_.triangles_.size());
    made_.triangles_.push_back({{}, {none, none, none}, {}, Index(made->label[t]), Index(layer)});
    for (const auto v : net.triangles[t].vertex) corner_points_.push_back(net.points[v]);
  }
  for (Index t = 0; t < net.triangles.size(); ++t) {
    if (number[t] == none) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const Index n = net.triangles[t].beyond[i];
      const bool ground_beyond = n != Triangulation::nothing && number[n] != none;
      if (!net.triangles[t].constrained[i]) {
        if (ground_beyond) made_.triangles_[number[t]].beyond[i] = number[n];
        continue;
      }
      GridPoint a = net.points[net.triangles[t].vertex[(i + 1) % 3]],
                b = net.points[net.triangles[t].vertex[(i + 2) % 3]];
      if (b < a) std::swap(a, b);
      const Index e = arranged.arrangement.edge_of(a, b);
      if (ground_beyond && !marks.wall[e]) made_.triangles_[number[t]].beyond[i] = number[n];
      if (!ground_beyond && marks.connection[e] != none)
        on_connections_.push_back({marks.connection[e], a, b, {number[t], int(i)}});
    }
  }
  number_rims(layer);
  return {};
}

void SurfaceMaker::number_rims(std::size_t layer) {
  std::map<GridPoint, Index> numbers;  // of centres
  for (const RimPoint& rim : shapes_[layer].hard.rims) {
    const auto [at, is_new] = numbers.try_emplace(rim.centre, Index(made_.rim_centres_.size()));
    if (is_new)
      made_.rim_centres_.push_back(
          world_.grid.to_world(Vec2{double(rim.centre.x) / scale_, double(rim.centre.y) / scale_}));
    rims_.push_back({layer, rim.point, rim.centre, at->second});
  }
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
  std::sort(rims_.begin(), rims_.end(), [](const Rim& r, const Rim& s) {
    return std::tie(r.layer, r.point, r.number) < std::tie(s.layer, s.point, s.number);
  });
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
      const auto key = std::pair(std::size_t{made_.triangles_[c / 3].layer}, p);
      const auto rim = std::lower_bound(rims_.begin(), rims_.end(), key,
                                        [](const Rim& at, const auto& k) { return std::pair(at.layer, at.point) < k; });
      const bool is_rim = rim != rims_.end() && std::pair(rim->layer, rim->point) == key;
      made_.vertices_.push_back(
          {world_.grid.to_world(Vec2{double(p.x) / scale_, double(p.y) / scale_}), is_rim ? rim->number : none});
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
  for (const auto& c : world_.connections) chains_.push_back({fine(c.a), fine(c.b)});
  for (std::size_t layer = 0; layer < world_.layers.size(); ++layer) {
    Result<LayerShapes> shapes = shapes_of(layer);
    if (!shapes.ok()) return shapes.problems();
    shapes_.push_back(std::move(shapes).value());
  }
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
