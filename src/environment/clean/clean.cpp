#include "environment/clean/clean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "environment/check.hpp"
#include "environment/clean/clean_layer.hpp"
#include "text/fnv1a.hpp"

namespace throng::environment {

namespace {

using geometry::Box;
using geometry::SnapGrid;

std::string placed(const Environment& environment, const std::string& place) {
  return environment.source.empty() ? place : environment.source + ": " + place;
}

template <class Visit>
void for_each_point(const Environment& environment, Visit&& visit) {
  for (const Feature& feature : environment.features) {
    for (const Polygon& polygon : feature.polygons) {
      for (Vec2 p : polygon.outer) visit(feature, p);
      for (const Ring& hole : polygon.holes)
        for (Vec2 p : hole) visit(feature, p);
    }
    for (const Line& line : feature.lines)
      for (Vec2 p : line) visit(feature, p);
  }
}

Box box_of(const Environment& environment) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Box box{{infinite, infinite}, {-infinite, -infinite}};
  for_each_point(environment, [&](const Feature&, Vec2 p) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  });
  return box;
}

Result<SnapGrid> choose_grid(const Environment& environment, const CleanOptions& options) {
  const auto refuse = [&](ProblemCode code, std::string message) {
    return Problem{Severity::error, code, environment.source, std::move(message)};
  };
  if (environment.grid && !(environment.grid->unit >= 1e-9 && environment.grid->unit <= 1e9))
    return refuse(ProblemCode::value, "the unit of the snap grid must lie within 1e-9 and 1e9 m");
  if (environment.features.empty()) {
    if (environment.grid) return SnapGrid(*environment.grid);  // a world without free space, cleaned before
    return refuse(ProblemCode::value, "there are no features");
  }
  const Box box = box_of(environment);
  if (options.unit != 0) {
    if (const auto grid = SnapGrid::for_box(box, options.unit)) return *grid;
    return refuse(ProblemCode::limit,
                  fmt::format("a grid of {} m is too fine for {} x {} m around ({}, {}), or not a length", options.unit,
                              box.max.x - box.min.x, box.max.y - box.min.y, box.min.x, box.min.y));
  }
  if (!environment.grid) return SnapGrid::for_box(box);
  const SnapGrid recorded = *environment.grid;
  if (recorded.contains(box.min) && recorded.contains(box.max)) return recorded;
  return refuse(ProblemCode::limit,
                "the recorded grid does not reach all features: remove it, or choose a coarser one");
}

class Cleaner {
 public:
  Cleaner(const Environment& environment, SnapGrid grid) : environment_(environment) {
    clean_.grid = grid;
    clean_.origin = environment.origin;
    features_of_.resize(environment.layers.size());
    for (std::size_t f = 0; f < environment.features.size(); ++f) {
      const Feature& feature = environment.features[f];
      features_of_[feature.layer].push_back(f);
      if (feature.kind == Kind::connection && feature.other_layer != feature.layer)
        features_of_[feature.other_layer].push_back(f);
    }
  }

  /// Where they are wanted, says what each layer had to know of the others, and what is wrong with what lies on it.
  Result<CleanEnvironment> run(CleanedApart* apart = nullptr) {
    const CleanContext context{environment_, clean_.grid, features_of_, problems_};
    std::vector<Neighbours> neighbours(environment_.layers.size());
    std::vector<LayerBoundary> boundaries = clean_boundaries(neighbours);
    for (std::size_t layer = 0; layer < environment_.layers.size(); ++layer) {
      clean_.layers.push_back(
          {environment_.layers[layer], std::move(boundaries[layer].free), std::move(boundaries[layer].walls), {}, {}});
      if (clean_.layers.back().free.empty() && !has_errors(problems_)) warn_of_no_space(layer);
    }
    join_layers(context, boundaries);
    const std::size_t of_boundaries = problems_.size();
    std::vector<Problems> of_contents;
    for (std::size_t layer = 0; layer < environment_.layers.size(); ++layer) {
      const std::size_t before = problems_.size();
      clean_contents(context, layer, clean_.layers[layer]);
      of_contents.emplace_back(problems_.begin() + std::ptrdiff_t(before), problems_.end());
    }
    if (has_errors(problems_)) return std::move(problems_);
    if (apart != nullptr) {
      apart->neighbours = std::move(neighbours);
      apart->boundaries.assign(problems_.begin(), problems_.begin() + std::ptrdiff_t(of_boundaries));
      apart->contents = std::move(of_contents);
    }
    return {std::move(clean_), std::move(problems_)};
  }

 private:
  using Parts = std::vector<ConnectionPart>;

  void warn_of_no_space(std::size_t layer) {
    problems_.push_back({Severity::warning, ProblemCode::geometry,
                         placed(environment_, fmt::format("layer '{}'", environment_.layers[layer].id)),
                         "there is no free space on this layer"});
  }

  /// The boundaries of all layers, with what is wrong with them. Where features of one layer divide a connection, the other layer
  /// is cleaned again with the same points, until both have the same parts.
  std::vector<LayerBoundary> clean_boundaries(std::vector<Neighbours>& neighbours) {
    constexpr int most_rounds = 8;  // a point may bend an edge into the next pixel; then there is one more
    const std::size_t count = environment_.layers.size();
    std::vector<LayerBoundary> boundaries(count);
    std::vector<Problems> problems(count);
    std::vector<bool> wanted(count, true);
    const auto clean_wanted = [&] {
      for (std::size_t layer = 0; layer < count; ++layer) {
        if (!wanted[layer]) continue;
        problems[layer].clear();
        boundaries[layer] =
            clean_boundary({environment_, clean_.grid, features_of_, problems[layer]}, layer, neighbours[layer]);
      }
      return std::find(wanted.begin(), wanted.end(), true) != wanted.end();
    };
    for (int round = 0; round < most_rounds && clean_wanted(); ++round) wanted = divide_alike(boundaries, neighbours);
    wanted = leave_closed_parts(boundaries, neighbours);
    (void)clean_wanted();
    for (const Problems& p : problems) problems_.insert(problems_.end(), p.begin(), p.end());
    return boundaries;
  }

  /// Which layers have to be cleaned again, since a neighbour divides a connection where they do not.
  std::vector<bool> divide_alike(const std::vector<LayerBoundary>& boundaries,
                                 std::vector<Neighbours>& neighbours) const {
    std::vector<bool> wanted(boundaries.size(), false);
    const auto divide = [&](const Parts& divided, const Parts& whole, std::size_t layer) {
      std::vector<GridPoint>& hot = neighbours[layer].hot;
      for (const ConnectionPart& part : divided) {
        const auto ends_there = [&](const ConnectionPart& p) { return p.a == part.a || p.b == part.a; };
        if (std::any_of(whole.begin(), whole.end(), ends_there)) continue;
        if (std::find(hot.begin(), hot.end(), part.a) != hot.end()) continue;
        hot.push_back(part.a);
        wanted[layer] = true;
      }
    };
    for_each_connection(boundaries, [&](const Feature& feature, const Parts& one, const Parts& other) {
      divide(one, other, feature.other_layer);
      divide(other, one, feature.layer);
    });
    return wanted;
  }

  /// Which layers have to be cleaned again, since ends of parts that are closed are no vertices.
  std::vector<bool> leave_closed_parts(const std::vector<LayerBoundary>& boundaries,
                                       std::vector<Neighbours>& neighbours) const {
    std::vector<bool> wanted(boundaries.size(), false);
    std::vector<std::vector<GridPoint>> open(boundaries.size());
    for_each_connection(boundaries, [&](const Feature& feature, const Parts& one, const Parts& other) {
      for (std::size_t i = 0; i < one.size() && one.size() == other.size(); ++i)
        for (const std::size_t layer : {feature.layer, feature.other_layer})
          if (is_open(one[i], other[i]))
            open[layer].insert(open[layer].end(), {one[i].a, one[i].b});
          else
            wanted[layer] = true;
    });
    for (std::size_t layer = 0; layer < wanted.size(); ++layer)
      if (wanted[layer]) neighbours[layer].open_ends = std::move(open[layer]);
    return wanted;
  }

  static bool is_open(const ConnectionPart& one, const ConnectionPart& other) {
    return one.fit != ConnectionFit::covered && other.fit != ConnectionFit::covered;
  }

  /// visit(feature, its parts in its first layer, in its other one); each layer lists its connections in feature order.
  template <class Visit>
  void for_each_connection(const std::vector<LayerBoundary>& boundaries, Visit&& visit) const {
    std::vector<std::size_t> next(boundaries.size(), 0);
    for (const Feature& feature : environment_.features) {
      if (feature.kind != Kind::connection) continue;
      const Parts& one = boundaries[feature.layer].connections[next[feature.layer]++];
      const Parts& other = boundaries[feature.other_layer].connections[next[feature.other_layer]++];
      visit(feature, one, other);
    }
  }

  void join_layers(const CleanContext& context, const std::vector<LayerBoundary>& boundaries) {
    for_each_connection(boundaries, [&](const Feature& feature, const Parts& one, const Parts& other) {
      if (check_parts(context, feature, one, other)) join_parts(context, feature, one, other);
    });
    std::sort(clean_.connections.begin(), clean_.connections.end());
    clean_.connections.erase(std::unique(clean_.connections.begin(), clean_.connections.end()),
                             clean_.connections.end());
    check_one_way_on(context);
    check_ends(context);
  }

  /// What obstacles of one layer cover of a connection is a wall to the other; the rest is open.
  void join_parts(const CleanContext& context, const Feature& feature, const Parts& one, const Parts& other) {
    bool any_open = false;
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (!is_open(one[i], other[i])) continue;
      if (one[i].fit == other[i].fit)
        return context.report(Severity::error, feature, one[i].a,
                              "the free space of both layers lies on the same side of the connection");
      const bool first_left = one[i].fit == ConnectionFit::free_left;
      add_connection(one[i].a, one[i].b, first_left ? feature.layer : feature.other_layer,
                     first_left ? feature.other_layer : feature.layer);
      open_parts_.emplace_back(&feature, one[i]);
      any_open = true;
    }
    if (!any_open)
      context.report(Severity::warning, feature, one[0].a, "obstacles cover the whole connection: it is closed");
  }

  bool check_parts(const CleanContext& context, const Feature& feature, const Parts& one, const Parts& other) {
    const bool fits_one = check_fit(context, feature, one, feature.layer);
    const bool fits_other = check_fit(context, feature, other, feature.other_layer);
    if (!fits_one || !fits_other) return false;
    const bool alike =
        std::equal(one.begin(), one.end(), other.begin(), other.end(),
                   [](const ConnectionPart& l, const ConnectionPart& r) { return l.a == r.a && l.b == r.b; });
    if (!alike)
      context.report(Severity::error, feature, one[0].a,
                     "features crowd on the connection so much that its layers cannot be led along the same edges");
    return alike;
  }

  /// Canonical: from the smaller end to the larger.
  void add_connection(GridPoint a, GridPoint b, std::size_t left, std::size_t right) {
    if (b < a) std::swap(a, b), std::swap(left, right);
    clean_.connections.push_back({a, b, left, right});
  }

  bool check_fit(const CleanContext& context, const Feature& feature, const Parts& parts, std::size_t layer) {
    const auto refuse = [&](GridPoint at, std::string_view why) {
      context.report(Severity::error, feature, at,
                     fmt::format("the connection {} of layer '{}'", why, environment_.layers[layer].id));
      return false;
    };
    if (parts.empty())
      return refuse(context.grid.snap(feature.lines[0][0]), "is shorter than a grid unit on the boundary");
    for (const ConnectionPart& part : parts) {
      if (part.fit == ConnectionFit::inside)
        return refuse(part.a, "does not lie on the boundary, but inside the free space");
      if (part.fit == ConnectionFit::outside)
        return refuse(part.a, "does not lie on the boundary, but outside the free space");
    }
    return true;
  }

  /// Those of one edge, a < b: they are sorted by their ends first.
  [[nodiscard]] std::span<const CleanConnection> connections_at(GridPoint a, GridPoint b) const {
    const auto by_ends = [](const CleanConnection& c, const CleanConnection& d) {
      return std::tie(c.a, c.b) < std::tie(d.a, d.b);
    };
    const auto range =
        std::equal_range(clean_.connections.begin(), clean_.connections.end(), CleanConnection{a, b, 0, 0}, by_ends);
    return {range.first, range.second};
  }

  /// An edge of a layer leads to one other layer: of connections that share one, all are refused.
  void check_one_way_on(const CleanContext& context) {
    for (const auto& [feature, part] : open_parts_) {
      const auto [a, b] = std::minmax(part.a, part.b);
      const auto is_rival = [&, f = feature](const CleanConnection& c) {
        const auto joins = [&](std::size_t layer) { return c.left_layer == layer || c.right_layer == layer; };
        return joins(f->layer) != joins(f->other_layer);
      };
      const auto there = connections_at(a, b);
      if (std::any_of(there.begin(), there.end(), is_rival))
        context.report(Severity::error, *feature, a, "another connection leads from this edge to another layer");
    }
  }

  /// Each end must be held by a boundary edge, of either layer, that is not a connection itself.
  void check_ends(const CleanContext& context) {
    std::vector<std::pair<std::size_t, GridPoint>> held;  // (layer, point): ends of edges that are walls
    for (std::size_t layer = 0; layer < clean_.layers.size(); ++layer) collect_wall_ends(layer, held);
    std::sort(held.begin(), held.end());
    for (const auto& [feature, part] : open_parts_)
      for (const GridPoint p : {part.a, part.b}) {
        const auto is_held = [&, p = p](std::size_t layer) {
          return std::binary_search(held.begin(), held.end(), std::pair(layer, p));
        };
        if (!is_held(feature->layer) && !is_held(feature->other_layer) && !has_errors(problems_))
          context.report(Severity::error, *feature, p, "this end of the connection is not on an obstacle");
      }
  }

  void collect_wall_ends(std::size_t layer, std::vector<std::pair<std::size_t, GridPoint>>& held) const {
    const auto is_connection = [&](GridPoint a, GridPoint b) {
      const auto there = connections_at(std::min(a, b), std::max(a, b));
      return std::any_of(there.begin(), there.end(), [&](const CleanConnection& c) {
        return (c.left_layer == layer && c.a == a && c.b == b) || (c.right_layer == layer && c.b == a && c.a == b);
      });
    };
    const auto add_ring = [&](const GridRing& ring) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const GridPoint a = ring[i];
        const GridPoint b = ring[(i + 1) % ring.size()];
        if (!is_connection(a, b)) held.insert(held.end(), {{layer, a}, {layer, b}});
      }
    };
    if (clean_.connections.empty()) return;
    for (const GridPolygon& polygon : clean_.layers[layer].free) {
      add_ring(polygon.outer);
      for (const GridRing& hole : polygon.holes) add_ring(hole);
    }
    for (const Wall& wall : clean_.layers[layer].walls)
      for (GridPoint p : wall.points) held.emplace_back(layer, p);
  }

  const Environment& environment_;
  FeaturesOfLayers features_of_;
  CleanEnvironment clean_;
  std::vector<std::pair<const Feature*, ConnectionPart>> open_parts_;
  Problems problems_;
};

void add_points(geometry::Fnv1a& hash, const std::vector<GridPoint>& points) {
  hash.add(std::uint64_t(points.size()));
  for (GridPoint p : points) hash.add(p.x), hash.add(p.y);
}

void add_polygons(geometry::Fnv1a& hash, const std::vector<GridPolygon>& polygons) {
  hash.add(std::uint64_t(polygons.size()));
  for (const GridPolygon& polygon : polygons) {
    add_points(hash, polygon.outer);
    hash.add(std::uint64_t(polygon.holes.size()));
    for (const GridRing& hole : polygon.holes) add_points(hash, hole);
  }
}

void add_elevation(geometry::Fnv1a& hash, const Elevation& elevation) {
  hash.add(std::uint8_t(elevation.ramp)), hash.add(std::uint8_t(elevation.stairs));
  for (double v : {elevation.z, elevation.from.x, elevation.from.y, elevation.to.x, elevation.to.y, elevation.z_from,
                   elevation.z_to})
    hash.add(v);
}

Ring to_world(const SnapGrid& grid, const std::vector<GridPoint>& points) {
  Ring ring;
  ring.reserve(points.size());
  for (GridPoint p : points) ring.push_back(grid.to_world(p));
  return ring;
}

std::vector<Polygon> to_world(const SnapGrid& grid, const std::vector<GridPolygon>& polygons) {
  std::vector<Polygon> world;
  for (const GridPolygon& polygon : polygons) {
    world.push_back({to_world(grid, polygon.outer), {}});
    for (const GridRing& hole : polygon.holes) world.back().holes.push_back(to_world(grid, hole));
  }
  return world;
}

}  // namespace

void CleanContext::report_heap(std::size_t layer) const {
  problems.push_back({Severity::error, ProblemCode::limit,
                      placed(environment, fmt::format("layer '{}'", environment.layers[layer].id)),
                      "its features lie over each other so much that they cannot be cleaned: more than ten million "
                      "crossings, or three thousand million pairs that overlap"});
}

void CleanContext::report(Severity severity, const Feature& feature, std::string message) const {
  problems.push_back({severity, ProblemCode::geometry, placed(environment, describe(feature)), std::move(message)});
}

void CleanContext::report(Severity severity, const Feature& feature, GridPoint at, std::string message) const {
  const Vec2 p = grid.to_world(at);
  problems.push_back({severity, ProblemCode::geometry,
                      placed(environment, fmt::format("{} at ({}, {})", describe(feature), p.x, p.y)),
                      std::move(message)});
}

Result<CleanEnvironment> clean(const Environment& environment, const CleanOptions& options) {
  return clean_apart(environment, options, nullptr);
}

Result<CleanEnvironment> clean_apart(const Environment& environment, const CleanOptions& options, CleanedApart* apart) {
  Problems broken = check_environment(environment);
  if (has_errors(broken)) return broken;
  Result<SnapGrid> grid = choose_grid(environment, options);
  if (!grid.ok()) return grid.problems();
  return Cleaner(environment, *grid).run(apart);
}

std::size_t CleanEnvironment::vertex_count() const {
  std::size_t count = 0;
  for (const CleanLayer& layer : layers) {
    for (const GridPolygon& polygon : layer.free) {
      count += polygon.outer.size();
      for (const GridRing& hole : polygon.holes) count += hole.size();
    }
    for (const Wall& wall : layer.walls) count += wall.points.size();
  }
  return count;
}

std::uint64_t CleanEnvironment::hash() const {
  geometry::Fnv1a hash;
  hash.add(grid.unit()), hash.add(grid.origin_x()), hash.add(grid.origin_y());
  for (const CleanLayer& layer : layers) {
    add_elevation(hash, layer.layer.elevation);
    add_polygons(hash, layer.free);
    hash.add(std::uint64_t(layer.walls.size()));
    for (const Wall& wall : layer.walls) add_points(hash, wall.points);
    for (const CleanRegion& region : layer.regions) {
      hash.add(region.type), add_polygons(hash, region.polygons);
      if (region.slope != Vec2{}) hash.add(region.slope.x), hash.add(region.slope.y);
    }
    for (const CleanArea& area : layer.areas) hash.add(area.name), add_polygons(hash, area.polygons);
  }
  for (const CleanConnection& c : connections) {
    add_points(hash, {c.a, c.b});
    hash.add(std::uint64_t(c.left_layer)), hash.add(std::uint64_t(c.right_layer));
  }
  return hash.value();
}

double area(const std::vector<GridPolygon>& polygons, const SnapGrid& grid) {
  double twice = 0;
  for (const GridPolygon& polygon : polygons) {
    twice += double(twice_area(polygon.outer));
    for (const GridRing& hole : polygon.holes) twice += double(twice_area(hole));
  }
  return twice / 2 * grid.unit() * grid.unit();
}

Environment to_environment(const CleanEnvironment& clean) {
  Environment environment;
  environment.grid = clean.grid;
  environment.origin = clean.origin;
  const auto add = [&](Feature feature) {
    feature.number = environment.features.size();
    environment.features.push_back(std::move(feature));
  };
  for (std::size_t i = 0; i < clean.layers.size(); ++i) {
    const CleanLayer& layer = clean.layers[i];
    environment.layers.push_back(layer.layer);
    if (!layer.free.empty()) add({.kind = Kind::walkable, .layer = i, .polygons = to_world(clean.grid, layer.free)});
    for (const Wall& wall : layer.walls)
      add({.kind = Kind::obstacle, .layer = i, .lines = {to_world(clean.grid, wall.points)}});
    for (const CleanRegion& region : layer.regions)
      add({.kind = Kind::region,
           .layer = i,
           .polygons = to_world(clean.grid, region.polygons),
           .type = region.type,
           .slope = region.slope});
    for (const CleanArea& area : layer.areas)
      add({.kind = Kind::area, .layer = i, .polygons = to_world(clean.grid, area.polygons), .name = area.name});
  }
  for (const CleanConnection& c : clean.connections)
    add({.kind = Kind::connection,
         .layer = c.left_layer,
         .other_layer = c.right_layer,
         .lines = {{clean.grid.to_world(c.a), clean.grid.to_world(c.b)}}});
  return environment;
}

}  // namespace throng::environment
