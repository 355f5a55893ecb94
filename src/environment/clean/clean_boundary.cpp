#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "environment/clean/clean_layer.hpp"
#include "environment/clean/cover.hpp"
#include "geometry/open_polygons.hpp"
#include "geometry/overlay.hpp"

namespace throng::environment {

namespace {

using geometry::Overlay;
using Id = Overlay::Id;

/// Feature numbers count from 1 here, so that 0 can say "none covers this place".
using Order = std::size_t;

class BoundaryCleaner {
 public:
  BoundaryCleaner(const CleanContext& context, std::size_t layer, const Neighbours& neighbours)
      : context_(context), layer_(layer), neighbours_(neighbours) {}

  LayerBoundary run() {
    add_features();
    LayerBoundary boundary;
    if (!arrange()) {
      boundary.connections.resize(connections_.size());
      return boundary;
    }
    const std::vector<geometry::GridSegment> wall_edges = find_walls();
    find_connections();
    boundary.free = geometry::face_polygons(overlay_.graph(), free_, 1, pinned_)[0];
    boundary.walls = join_walls(wall_edges, ring_vertices());
    for (const ConnectionLine& connection : connections_) boundary.connections.push_back(parts_of(connection));
    return boundary;
  }

  PieceBoundary run(const LayerPart& part) {
    add(part);
    if (!arrange()) return {};
    const std::vector<geometry::GridSegment> wall_edges = find_walls();
    find_connections();
    geometry::OpenPolygons free = geometry::open_polygons(overlay_.graph(), free_, pinned_);
    return {std::move(free.polygons), std::move(free.loose), join_walls(wall_edges, ring_vertices())};
  }

 private:
  /// Edges and what is free; false where it is given up.
  bool arrange() {
    for (const GridPoint p : neighbours_.hot) {
      const std::array<GridPoint, 2> point{p, p};
      cover_.set_feature(overlay_.add_line(point), no_feature);
    }
    if (!overlay_.arrange()) return context_.report_heap(layer_), false;
    warn_of_crowding();
    classify_faces();
    return true;
  }

  void add(const LayerPart& part) {
    for (const std::size_t f : part.around) cover_.add_around(f);
    for (const LayerPart::Drawn& drawn : part.drawn) {
      const Id owner = drawn.is_line ? overlay_.add_line(drawn.rings[0]) : overlay_.add_part(drawn.rings);
      cover_.set_feature(owner, drawn.feature);
      cover_.set_outside(owner, drawn.outside);
      if (context_.environment.features[drawn.feature].kind == Kind::connection)
        connections_.push_back({owner, drawn.rings[0].front(), drawn.rings[0].back(), {}});
    }
  }

  void add_features() {
    bool any_walkable = false;
    const std::vector<Feature>& features = context_.environment.features;
    for (const std::size_t f : context_.features_of[layer_]) {
      const Feature& feature = features[f];
      if (feature.kind == Kind::connection) {
        connections_.push_back({add_line(f, feature.lines[0]), context_.grid.snap(feature.lines[0][0]),
                                context_.grid.snap(feature.lines[0][1])});
        continue;
      }
      const bool bounds =
          feature.kind == Kind::walkable || feature.kind == Kind::obstacle || feature.kind == Kind::opening;
      if (!bounds) continue;
      any_walkable |= feature.kind == Kind::walkable;
      cover_.add(context_, overlay_, f);
      for (const Line& line : feature.lines) add_line(f, line);
    }
    if (!any_walkable) add_box();
  }

  Id add_line(std::size_t f, const Line& line) {
    std::vector<GridPoint> points;
    for (Vec2 p : line) points.push_back(context_.grid.snap(p));
    const Id owner = overlay_.add_line(points);
    cover_.set_feature(owner, f);
    return owner;
  }

  /// A layer without walkable features is walkable in the box of everything drawn on it.
  void add_box() {
    std::vector<GridPoint> points;
    for (const std::size_t f : context_.features_of[layer_]) {
      const Feature& feature = context_.environment.features[f];
      const auto add = [&](const std::vector<Vec2>& list) {
        for (Vec2 p : list) points.push_back(context_.grid.snap(p));
      };
      for (const Polygon& polygon : feature.polygons) add(polygon.outer);
      for (const Line& line : feature.lines) add(line);
    }
    if (points.empty()) return;  // nothing drawn, nothing free: clean() warns of that
    const auto by_y = [](GridPoint p, GridPoint q) { return p.y < q.y; };
    const auto [left, right] = std::minmax_element(points.begin(), points.end());
    const auto [low, high] = std::minmax_element(points.begin(), points.end(), by_y);
    if (left->x == right->x || low->y == high->y) {
      context_.problems.push_back(
          {Severity::error, ProblemCode::geometry, fmt::format("layer '{}'", context_.environment.layers[layer_].id),
           "no walkable feature, and the box of the others has no area: draw a walkable polygon"});
      return;
    }
    const GridRing box{{left->x, low->y}, {right->x, low->y}, {right->x, high->y}, {left->x, high->y}};
    cover_.set_feature(overlay_.add_part({&box, 1}), no_feature);
  }

  void warn_of_crowding() {
    const std::optional<GridPoint> place = overlay_.crowded_place();
    if (!place) return;
    const Vec2 p = context_.grid.to_world(*place);
    context_.problems.push_back(
        {Severity::warning, ProblemCode::geometry,
         fmt::format("layer '{}' at ({}, {})", context_.environment.layers[layer_].id, p.x, p.y),
         "features crowd on a few grid units here, and moved each other by more than two: a finer grid keeps them in "
         "place"});
  }

  void classify_faces() {
    const std::size_t faces = overlay_.graph().face_count();
    free_.assign(faces, geometry::no_label);
    opened_.assign(faces, 0);
    ground_.assign(faces, false);
    std::size_t walkable = 0;
    std::set<Order> obstacles;
    std::set<Order> openings;
    cover_.walk(
        context_, overlay_,
        [&](std::size_t f, bool inside) {
          const Kind kind = f == no_feature ? Kind::walkable : context_.environment.features[f].kind;
          if (kind == Kind::walkable) {
            walkable += inside ? 1 : std::size_t(-1);
          } else {
            std::set<Order>& orders = kind == Kind::obstacle ? obstacles : openings;
            inside ? void(orders.insert(f + 1)) : void(orders.erase(f + 1));
          }
        },
        [&](Id face) {
          opened_[face] = openings.empty() ? 0 : *openings.rbegin();
          const Order obstacle = obstacles.empty() ? 0 : *obstacles.rbegin();
          ground_[face] = walkable > 0;
          if (walkable > 0 && obstacle <= opened_[face]) free_[face] = 0;
        });
  }

  [[nodiscard]] bool is_free(Id half_edge) const { return free_[overlay_.graph().face_of(half_edge)] == 0; }

  /// Edges with free space on both sides that a thin wall, or an obstacle folded flat by the grid, occupies; their ends stay
  /// vertices of the rings they touch.
  std::vector<geometry::GridSegment> find_walls() {
    const geometry::PlaneGraph& graph = overlay_.graph();
    pinned_.assign(graph.vertex_count(), false);
    std::vector<geometry::GridSegment> walls;
    for (Id e = 0; e < overlay_.edge_count(); ++e) {
      if (is_free(2 * e) && is_free(2 * e + 1) && is_walled(e)) {
        walls.push_back({graph.origin_of(2 * e), graph.origin_of(2 * e + 1)});
        pinned_[graph.vertex_of(2 * e)] = pinned_[graph.vertex_of(2 * e + 1)] = true;
      }
    }
    return walls;
  }

  [[nodiscard]] bool is_walled(Id edge) const {
    const geometry::PlaneGraph& graph = overlay_.graph();
    const Order opened = std::min(opened_[graph.face_of(2 * edge)], opened_[graph.face_of(2 * edge + 1)]);
    for (const Overlay::Use& use : overlay_.uses_of(edge)) {
      const std::size_t f = cover_.feature_of(use.owner);
      if (use.winding != 0 || f == no_feature || context_.environment.features[f].kind != Kind::obstacle) continue;
      if (f + 1 > opened) return true;
    }
    return false;
  }

  /// Vertices of rings and ends of connections: walls end there.
  [[nodiscard]] std::vector<GridPoint> ring_vertices() const {
    const geometry::PlaneGraph& graph = overlay_.graph();
    std::vector<GridPoint> vertices;
    for (Id h = 0; h < graph.half_edge_count(); ++h)
      if (is_free(h) != is_free(h ^ 1u)) vertices.push_back(graph.origin_of(h));
    for (const ConnectionLine& connection : connections_) vertices.insert(vertices.end(), {connection.a, connection.b});
    return vertices;
  }

  struct ConnectionLine {
    Id owner = 0;
    GridPoint a, b;
    std::vector<Id> edges;  ///< what became of it
  };

  void find_connections() {
    const geometry::PlaneGraph& graph = overlay_.graph();
    for (Id e = 0; e < overlay_.edge_count() && !connections_.empty(); ++e) {
      for (const Overlay::Use& use : overlay_.uses_of(e)) {
        const auto at = std::lower_bound(connections_.begin(), connections_.end(), use.owner,
                                         [](const ConnectionLine& c, Id owner) { return c.owner < owner; });
        if (at == connections_.end() || at->owner != use.owner) continue;
        at->edges.push_back(e);
        for (const Id half : {2 * e, 2 * e + 1})
          if (stays_vertex(graph.origin_of(half))) pinned_[graph.vertex_of(half)] = true;
      }
    }
  }

  [[nodiscard]] bool stays_vertex(GridPoint end) const {
    const auto& open = neighbours_.open_ends;
    return !open || std::find(open->begin(), open->end(), end) != open->end();
  }

  [[nodiscard]] std::vector<ConnectionPart> parts_of(const ConnectionLine& connection) const {
    const geometry::PlaneGraph& graph = overlay_.graph();
    const auto along = [&](GridPoint p) { return geometry::dot(connection.a, connection.b, p); };
    std::vector<ConnectionPart> parts;
    for (const Id e : connection.edges) {
      const bool forward = along(graph.origin_of(2 * e)) < along(graph.origin_of(2 * e + 1));
      const Id half = forward ? 2 * e : 2 * e + 1;
      parts.push_back({graph.origin_of(half), graph.origin_of(half ^ 1u), fit_of(half)});
    }
    std::sort(parts.begin(), parts.end(),
              [&](const ConnectionPart& l, const ConnectionPart& r) { return along(l.a) < along(r.a); });
    return parts;
  }

  [[nodiscard]] ConnectionFit fit_of(Id half) const {
    const geometry::PlaneGraph& graph = overlay_.graph();
    if (is_free(half) != is_free(half ^ 1u))
      return is_free(half) ? ConnectionFit::free_left : ConnectionFit::free_right;
    if (is_free(half)) return ConnectionFit::inside;
    const bool on_ground = ground_[graph.face_of(half)] || ground_[graph.face_of(half ^ 1u)];
    return on_ground ? ConnectionFit::covered : ConnectionFit::outside;
  }

  const CleanContext& context_;
  std::size_t layer_;
  const Neighbours& neighbours_;
  Overlay overlay_;
  Cover cover_;
  std::vector<ConnectionLine> connections_;  ///< by owner
  std::vector<std::int32_t> free_;           ///< of each face: label 0 or none
  std::vector<Order> opened_;                ///< of each face: the last opening that covers it
  std::vector<bool> ground_;                 ///< of each face: something walkable covers it
  std::vector<bool> pinned_;
};

}  // namespace

LayerBoundary clean_boundary(const CleanContext& context, std::size_t layer, const Neighbours& neighbours) {
  return BoundaryCleaner(context, layer, neighbours).run();
}

PieceBoundary clean_piece(const CleanContext& context, std::size_t layer, const Neighbours& neighbours,
                          const LayerPart& part) {
  return BoundaryCleaner(context, layer, neighbours).run(part);
}

}  // namespace throng::environment
