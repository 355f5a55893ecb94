#include "environment/clean/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

namespace throng::environment {

namespace {

using geometry::GridBox;
using geometry::GridSegment;

GridBox box_of(const std::vector<GridPoint>& points) {
  GridBox box{points.front(), points.front()};
  for (const GridPoint p : points) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
}

void enlarge(GridBox& box, const GridBox& by) {
  box.min = {std::min(box.min.x, by.min.x), std::min(box.min.y, by.min.y)};
  box.max = {std::max(box.max.x, by.max.x), std::max(box.max.y, by.max.y)};
}

bool holds(const GridBox& box, GridPoint p) {
  return box.min.x <= p.x && p.x <= box.max.x && box.min.y <= p.y && p.y <= box.max.y;
}

double distance_to(GridSegment s, GridPoint p) {
  const double length2 = double(geometry::dot(s.a, s.b, s.b));
  const double t = length2 == 0 ? 0 : std::clamp(double(geometry::dot(s.a, s.b, p)) / length2, 0.0, 1.0);
  const double dx = (double(p.x) - s.a.x) - t * (double(s.b.x) - s.a.x);
  const double dy = (double(p.y) - s.a.y) - t * (double(s.b.y) - s.a.y);
  return std::sqrt(dx * dx + dy * dy);
}

bool near(GridSegment s, GridSegment t) {
  if (geometry::properly_cross(s, t)) return true;
  return distance_to(s, t.a) <= reach || distance_to(s, t.b) <= reach || distance_to(t, s.a) <= reach ||
         distance_to(t, s.b) <= reach;
}

/// A ring's segments, or a line's; a point's is itself.
template <class Visit>
void for_each_segment(const Shape& shape, Visit&& visit) {
  const GridRing& points = shape.points();
  if (points.size() == 1) return visit(GridSegment{points[0], points[0]});
  const std::size_t count = shape.drawing->is_line ? points.size() - 1 : points.size();
  for (std::size_t i = 0; i < count; ++i) visit(GridSegment{points[i], points[(i + 1) % points.size()]});
}

/// Which shapes belong together: a number for each.
std::vector<std::size_t> clusters_of(const std::vector<Shape>& shapes) {
  std::vector<std::size_t> parent(shapes.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::vector<GridSegment> segments;
  std::vector<std::size_t> shape_of;
  std::vector<GridBox> boxes;
  constexpr std::int32_t half = (reach + 1) / 2;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for_each_segment(shapes[i], [&](GridSegment s) {
      segments.push_back(s), shape_of.push_back(i);
      const GridBox box = box_of({s.a, s.b});
      boxes.push_back({{box.min.x - half, box.min.y - half}, {box.max.x + half, box.max.y + half}});
    });
  geometry::BoxIndex(boxes).for_each_overlapping_pair([&](std::uint32_t i, std::uint32_t j) {
    const std::size_t a = root(shape_of[i]), b = root(shape_of[j]);
    if (a != b && near(segments[i], segments[j])) parent[std::max(a, b)] = std::min(a, b);
  });
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = root(i);
  return parent;
}

/// How often a ring winds counterclockwise around a point that is not on it.
std::int32_t winding_about(const GridRing& ring, GridPoint p) {
  std::int32_t winding = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const GridPoint a = ring[i], b = ring[(i + 1) % ring.size()];
    if (a.y <= p.y && b.y > p.y && geometry::side(a, b, p) > 0) ++winding;
    if (a.y > p.y && b.y <= p.y && geometry::side(a, b, p) < 0) --winding;
  }
  return winding;
}

/// Outer rings count as counterclockwise and holes as clockwise, however they were drawn.
std::int32_t winding_about(const Shape& shape, GridPoint p) {
  if (!holds(shape.box, p)) return 0;
  const std::int32_t winding = winding_about(shape.points(), p);
  if (winding == 0) return 0;
  const bool is_reversed = (twice_area(shape.points()) < 0) != (shape.ring > 0);
  return is_reversed ? -winding : winding;
}

bool bounds_free_space(Kind kind) {
  return kind == Kind::walkable || kind == Kind::obstacle || kind == Kind::opening || kind == Kind::connection;
}

/// Nothing is left of its polygon but a line or a point, of which cleaning warns.
bool is_folded(const Shape& shape) {
  return !shape.drawing->is_line && shape.ring == 0 && twice_area(shape.points()) == 0;
}

class PieceMaker {
 public:
  PieceMaker(const LayerOfPlan& plan, std::vector<Shape> loose, const Pieces& kept)
      : plan_(plan), shapes_(std::move(loose)), kept_(kept) {
    std::stable_sort(shapes_.begin(), shapes_.end(),
                     [](const Shape& l, const Shape& r) { return l.drawing->key < r.drawing->key; });
    std::vector<GridBox> boxes;
    for (const Shape& shape : shapes_) boxes.push_back(shape.box);
    index_.emplace(boxes);
  }

  /// Nothing where a piece cannot be cut out.
  std::optional<Pieces> make() {
    const std::vector<std::size_t> cluster = clusters_of(shapes_);
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < shapes_.size(); ++i) members[cluster[i]].push_back(i);
    Pieces pieces;
    for (const auto& [number, those] : members) {
      auto piece = std::make_shared<Piece>();
      piece->box = shapes_[those[0]].box;
      for (const std::size_t i : those) {
        piece->shapes.push_back(shapes_[i]);
        enlarge(piece->box, shapes_[i].box);
      }
      if (!cut(*piece, [&](std::size_t i) { return cluster[i] == number; })) return std::nullopt;
      pieces.push_back(std::move(piece));
    }
    return pieces;
  }

 private:
  template <class IsOwn>
  bool cut(Piece& piece, const IsOwn& is_own) {
    const GridPoint p = piece.shapes[0].points()[0];
    std::map<const Drawing*, std::int32_t> around;  // how often what is not of the piece winds around it
    const auto look = [&](const Shape& shape) {
      if (shape.drawing->is_line) return;
      if (const std::int32_t winding = winding_about(shape, p); winding != 0) around[shape.drawing.get()] += winding;
    };
    for (const auto& other : kept_)
      if (holds(other->box, p))
        for (const Shape& shape : other->shapes) look(shape);
    index_->for_each_in({p, p}, [&](std::uint32_t i) {
      if (!is_own(i)) look(shapes_[i]);
    });
    LayerPart part;
    if (!add_drawn(piece, around, part)) return false;
    for (const auto& [drawing, winding] : around) {
      if (winding != 0 && winding != 1) return false;
      if (winding == 1) part.around.push_back(feature_of(*drawing));
    }
    const CleanContext& context = plan_.context;
    Problems problems;
    piece.boundary = clean_piece({context.environment, context.grid, context.features_of, problems}, plan_.layer,
                                 plan_.neighbours, part);
    return problems.empty();
  }

  /// What is drawn in the piece, taken out of `around`.
  bool add_drawn(const Piece& piece, std::map<const Drawing*, std::int32_t>& around, LayerPart& part) const {
    std::map<const Drawing*, std::size_t> place;
    for (const Shape& shape : piece.shapes) {
      const Drawing& drawing = *shape.drawing;
      const auto [at, is_new] = place.emplace(&drawing, part.drawn.size());
      if (is_new) {
        LayerPart::Drawn& drawn = part.drawn.emplace_back();
        drawn.feature = feature_of(drawing);
        drawn.is_line = drawing.is_line;
        if (shape.ring > 0) drawn.rings.emplace_back();  // the outer ring is not of this part
        if (const auto other = around.find(&drawing); other != around.end()) {
          drawn.outside = other->second;
          around.erase(other);
        }
        if (drawn.outside != 0 && drawn.outside != 1) return false;
      }
      part.drawn[at->second].rings.push_back(shape.points());
    }
    return true;
  }

  [[nodiscard]] std::size_t feature_of(const Drawing& drawing) const {
    return std::size_t(std::lower_bound(plan_.keys.begin(), plan_.keys.end(), drawing.key) - plan_.keys.begin());
  }

  const LayerOfPlan& plan_;
  std::vector<Shape> shapes_;
  std::optional<geometry::BoxIndex> index_;  ///< of the shapes
  const Pieces& kept_;
};

using Edges = std::vector<std::pair<GridPoint, GridPoint>>;

/// Of free polygons, holes and walls; sorted.
Edges edges_of(const Pieces& pieces) {
  Edges edges;
  const auto add_ring = [&](const GridRing& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) edges.emplace_back(ring[i], ring[(i + 1) % ring.size()]);
  };
  for (const auto& piece : pieces) {
    for (const GridPolygon& polygon : piece->boundary.polygons) {
      add_ring(polygon.outer);
      for (const GridRing& hole : polygon.holes) add_ring(hole);
    }
    for (const GridRing& hole : piece->boundary.loose) add_ring(hole);
    for (const Wall& wall : piece->boundary.walls)
      for (std::size_t i = 1; i < wall.points.size(); ++i) edges.emplace_back(wall.points[i - 1], wall.points[i]);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<GridBox> moved_between(const Edges& before, const Edges& now) {
  Edges moved;
  std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(moved));
  std::vector<GridBox> boxes;
  for (const auto& [a, b] : moved) boxes.push_back(box_of({a, b}));
  return boxes;
}

/// The place of an outer ring among polygons, and how to find the smallest around a point.
struct Host {
  std::size_t polygon = 0;
  const Piece* piece = nullptr;
  GridBox box;
  std::int64_t area2 = 0;
};

}  // namespace

bool near(const GridBox& a, const GridBox& b) {
  const GridBox grown{{a.min.x - reach, a.min.y - reach}, {a.max.x + reach, a.max.y + reach}};
  return geometry::overlap(grown, b);
}

std::vector<Shape> shapes_of(const geometry::SnapGrid& grid, const Feature& feature, std::size_t key) {
  std::vector<Shape> shapes;
  if (!bounds_free_space(feature.kind)) return shapes;
  const auto add = [&](std::vector<GridRing> rings, bool is_line) {
    const auto drawing = std::make_shared<const Drawing>(Drawing{key, feature.kind, is_line, std::move(rings)});
    for (std::size_t r = 0; r < drawing->rings.size(); ++r)
      if (!drawing->rings[r].empty()) shapes.push_back({drawing, r, box_of(drawing->rings[r])});
  };
  for (const Polygon& polygon : feature.polygons) add(snapped(grid, polygon), false);
  for (const Line& line : feature.lines) {
    GridRing points;
    for (const Vec2 p : line) points.push_back(grid.snap(p));
    add({std::move(points)}, true);
  }
  return shapes;
}

std::optional<Pieces> pieces_of(const LayerOfPlan& plan) {
  std::vector<Shape> shapes;
  bool any_ground = false;
  for (const std::size_t f : plan.context.features_of[plan.layer]) {
    const Feature& feature = plan.context.environment.features[f];
    any_ground |= feature.kind == Kind::walkable;
    const std::vector<Shape> of_feature = shapes_of(plan.context.grid, feature, plan.keys[f]);
    shapes.insert(shapes.end(), of_feature.begin(), of_feature.end());
  }
  if (!any_ground) return std::nullopt;
  return PieceMaker(plan, std::move(shapes), {}).make();
}

std::optional<Exchanged> exchange(Pieces& pieces, const LayerOfPlan& plan, const std::set<std::size_t>& gone,
                                  const std::vector<Shape>& come) {
  std::vector<GridBox> touched;
  const auto goes = [&](const Shape& shape) { return gone.contains(shape.drawing->key); };
  for (const auto& piece : pieces)
    for (const Shape& shape : piece->shapes)
      if (goes(shape)) touched.push_back(shape.box);
  for (const Shape& shape : come) touched.push_back(shape.box);
  const auto is_touched = [&](const Piece& piece) {
    bool found = false;
    for (const GridBox& box : touched) {
      if (!near(box, piece.box)) continue;
      for (const Shape& shape : piece.shapes)
        if (near(box, shape.box))
          for_each_segment(shape, [&](GridSegment s) { found = found || near(box, box_of({s.a, s.b})); });
    }
    return found;
  };
  std::vector<Shape> loose = come;
  Pieces kept, left;
  for (const auto& piece : pieces) {
    if (!is_touched(*piece)) {
      kept.push_back(piece);
      continue;
    }
    left.push_back(piece);
    for (const Shape& shape : piece->shapes) {
      if (shape.drawing->kind == Kind::connection || is_folded(shape)) return std::nullopt;
      if (!goes(shape)) loose.push_back(shape);
    }
  }
  for (const Shape& shape : come)
    if (is_folded(shape)) return std::nullopt;
  const std::optional<Pieces> made = PieceMaker(plan, std::move(loose), kept).make();
  if (!made) return std::nullopt;
  Exchanged exchanged{made->size(), moved_between(edges_of(left), edges_of(*made))};
  kept.insert(kept.end(), made->begin(), made->end());
  pieces = std::move(kept);
  return exchanged;
}

std::optional<PieceBoundary> boundary_of(const Pieces& pieces) {
  PieceBoundary all;
  std::vector<Host> hosts;
  for (const auto& piece : pieces) {
    for (const GridPolygon& polygon : piece->boundary.polygons) {
      hosts.push_back({all.polygons.size(), piece.get(), box_of(polygon.outer), twice_area(polygon.outer)});
      all.polygons.push_back(polygon);
    }
    all.walls.insert(all.walls.end(), piece->boundary.walls.begin(), piece->boundary.walls.end());
  }
  std::sort(hosts.begin(), hosts.end(), [](const Host& l, const Host& r) { return l.area2 < r.area2; });
  for (const auto& piece : pieces) {
    if (piece->boundary.loose.empty()) continue;
    const GridPoint p = piece->boundary.loose[0][0];
    const auto host = std::find_if(hosts.begin(), hosts.end(), [&](const Host& h) {
      return h.piece != piece.get() && holds(h.box, p) && winding_about(all.polygons[h.polygon].outer, p) != 0;
    });
    if (host == hosts.end()) return std::nullopt;
    std::vector<GridRing>& holes = all.polygons[host->polygon].holes;
    holes.insert(holes.end(), piece->boundary.loose.begin(), piece->boundary.loose.end());
  }
  for (GridPolygon& polygon : all.polygons) std::sort(polygon.holes.begin(), polygon.holes.end());
  std::sort(all.polygons.begin(), all.polygons.end());
  std::sort(all.walls.begin(), all.walls.end(), [](const Wall& v, const Wall& w) { return v.points < w.points; });
  return all;
}

}  // namespace throng::environment
