#include "environment/clean/clean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
  if (environment.features.empty()) {
    if (environment.grid) return *environment.grid;  // a world without free space, cleaned before
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
  if (environment.grid->contains(box.min) && environment.grid->contains(box.max)) return *environment.grid;
  return refuse(ProblemCode::limit,
                "the recorded grid does not reach all features: remove it, or choose a coarser one");
}

class Cleaner {
 public:
  Cleaner(const Environment& environment, SnapGrid grid) : environment_(environment) {
    clean_.grid = grid;
    clean_.origin = environment.origin;
  }

  Result<CleanEnvironment> run() {
    const CleanContext context{environment_, clean_.grid, problems_};
    std::vector<std::vector<ConnectionFit>> fits;
    for (std::size_t layer = 0; layer < environment_.layers.size(); ++layer) {
      LayerBoundary boundary = clean_boundary(context, layer);
      fits.push_back(std::move(boundary.fits));
      clean_.layers.push_back(
          {environment_.layers[layer], std::move(boundary.free), std::move(boundary.walls), {}, {}});
      if (clean_.layers.back().free.empty() && !has_errors(problems_)) warn_of_no_space(layer);
    }
    join_layers(context, fits);
    for (std::size_t layer = 0; layer < environment_.layers.size(); ++layer)
      clean_contents(context, layer, clean_.layers[layer]);
    if (has_errors(problems_)) return std::move(problems_);
    return {std::move(clean_), std::move(problems_)};
  }

 private:
  void warn_of_no_space(std::size_t layer) {
    problems_.push_back({Severity::warning, ProblemCode::geometry,
                         placed(environment_, fmt::format("layer '{}'", environment_.layers[layer].id)),
                         "there is no free space on this layer"});
  }

  void join_layers(const CleanContext& context, const std::vector<std::vector<ConnectionFit>>& fits) {
    std::vector<std::size_t> next(fits.size(), 0);  // fits are in feature order in each layer
    for (const Feature& feature : environment_.features) {
      if (feature.kind != Kind::connection) continue;
      const ConnectionFit one = fits[feature.layer][next[feature.layer]++];
      const ConnectionFit other = fits[feature.other_layer][next[feature.other_layer]++];
      const GridPoint a = context.grid.snap(feature.lines[0][0]);
      const GridPoint b = context.grid.snap(feature.lines[0][1]);
      const bool fits_one = check_fit(context, feature, one, feature.layer);
      const bool fits_other = check_fit(context, feature, other, feature.other_layer);
      if (!fits_one || !fits_other) continue;
      if (one == other) {
        context.report(Severity::error, feature, a,
                       "the free space of both layers lies on the same side of the connection");
        continue;
      }
      const bool first_left = one == ConnectionFit::free_left;
      add_connection(a, b, first_left ? feature.layer : feature.other_layer,
                     first_left ? feature.other_layer : feature.layer);
    }
    std::sort(clean_.connections.begin(), clean_.connections.end());
    clean_.connections.erase(std::unique(clean_.connections.begin(), clean_.connections.end()),
                             clean_.connections.end());
    check_one_way_on(context);
    check_ends(context);
  }

  /// Canonical: from the smaller end to the larger.
  void add_connection(GridPoint a, GridPoint b, std::size_t left, std::size_t right) {
    if (b < a) std::swap(a, b), std::swap(left, right);
    clean_.connections.push_back({a, b, left, right});
  }

  bool check_fit(const CleanContext& context, const Feature& feature, ConnectionFit fit, std::size_t layer) {
    const std::string& id = environment_.layers[layer].id;
    const GridPoint at = context.grid.snap(feature.lines[0][0]);
    const auto refuse = [&](std::string_view why) {
      context.report(Severity::error, feature, at, fmt::format("the connection {} of layer '{}'", why, id));
      return false;
    };
    switch (fit) {
      case ConnectionFit::free_left:
      case ConnectionFit::free_right: return true;
      case ConnectionFit::bent:
        return refuse("is not one straight edge: something touches it between its ends on the boundary");
      case ConnectionFit::inside: return refuse("does not lie on the boundary, but inside the free space");
      case ConnectionFit::outside: return refuse("does not lie on the boundary, but outside the free space");
    }
    return false;
  }

  /// An edge of a layer leads to one other layer: of connections that share one, all are refused.
  void check_one_way_on(const CleanContext& context) {
    for (const Feature& feature : environment_.features) {
      if (feature.kind != Kind::connection) continue;
      GridPoint a = context.grid.snap(feature.lines[0][0]);
      GridPoint b = context.grid.snap(feature.lines[0][1]);
      if (b < a) std::swap(a, b);
      const auto is_rival = [&](const CleanConnection& c) {
        const auto joins = [&](std::size_t layer) { return c.left_layer == layer || c.right_layer == layer; };
        return c.a == a && c.b == b && joins(feature.layer) != joins(feature.other_layer);
      };
      if (std::any_of(clean_.connections.begin(), clean_.connections.end(), is_rival))
        context.report(Severity::error, feature, a, "another connection leads from this edge to another layer");
    }
  }

  /// Each end must be held by a boundary edge, of either layer, that is not a connection itself.
  void check_ends(const CleanContext& context) {
    std::vector<std::pair<std::size_t, GridPoint>> held;  // (layer, point): ends of edges that are walls
    for (std::size_t layer = 0; layer < clean_.layers.size(); ++layer) collect_wall_ends(layer, held);
    std::sort(held.begin(), held.end());
    for (const Feature& feature : environment_.features) {
      if (feature.kind != Kind::connection) continue;
      for (Vec2 end : feature.lines[0]) {
        const GridPoint p = context.grid.snap(end);
        const auto is_held = [&](std::size_t layer) {
          return std::binary_search(held.begin(), held.end(), std::pair(layer, p));
        };
        if (!is_held(feature.layer) && !is_held(feature.other_layer) && !has_errors(problems_))
          context.report(Severity::error, feature, p, "this end of the connection is not on an obstacle");
      }
    }
  }

  void collect_wall_ends(std::size_t layer, std::vector<std::pair<std::size_t, GridPoint>>& held) const {
    const auto is_connection = [&](GridPoint a, GridPoint b) {
      return std::any_of(clean_.connections.begin(), clean_.connections.end(), [&](const CleanConnection& c) {
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
  CleanEnvironment clean_;
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
  Problems broken = check_environment(environment);
  if (has_errors(broken)) return broken;
  Result<SnapGrid> grid = choose_grid(environment, options);
  if (!grid.ok()) return grid.problems();
  return Cleaner(environment, *grid).run();
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
    for (const CleanRegion& region : layer.regions) hash.add(region.type), add_polygons(hash, region.polygons);
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
      add({.kind = Kind::region, .layer = i, .polygons = to_world(clean.grid, region.polygons), .type = region.type});
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
