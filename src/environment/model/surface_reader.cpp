#include "environment/model/surface_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "environment/clean/clean.hpp"
#include "environment/clean/clean_layer.hpp"
#include "environment/model/floor_graph.hpp"
#include "geometry/overlay.hpp"
#include "text/files.hpp"
#include "text/problem_list.hpp"

namespace throng::environment {
namespace {

using geometry::GridSegment;
using geometry::Overlay;
using geometry::Vec3;
using Id = Overlay::Id;

/// Square metres in plan below which a clipped triangle is a line.
constexpr double no_area = 1e-6;
/// Metres below which floors are not connected: nobody gets through.
constexpr double shortest_connection = 0.4;
/// A layer that rises less is flat, and less steeply too.
constexpr double least_rise = 0.1, least_gradient = 0.03;

/// Of one layer: floors that lie over each other within reach of a head cross in every pair, and a model of a building has a few
/// thousand.
constexpr std::uint64_t most_crossings = 500'000;

/// The free space of one layer, and its heights.
class LayerMaker {
 public:
  LayerMaker(const FloorGraph& floors, std::uint32_t layer, const SurfaceOptions& options)
      : floors_(floors), layer_(layer), options_(options) {}

  /// What is free and its walls; nothing where nothing is.
  std::vector<Feature> run(const std::vector<std::vector<const FloorJoin*>>& joins_of) {
    for (std::uint32_t t : floors_.layers()[layer_].triangles) {
      add_part(corners(t), Use::floor);
      block(t);
      add_walls(t, joins_of[t]);
    }
    if (use_.empty()) return {};
    is_heap_ = !overlay_.arrange(geometry::HotFirst::everything, {.crossings = most_crossings});
    if (overlay_.edge_count() == 0) return {};
    find_free();
    Feature walkable{.kind = Kind::walkable};
    for (const GridPolygon& polygon : free_polygons())
      if (!is_narrow(polygon)) walkable.polygons.push_back(to_world(polygon));
    Feature walls{.kind = Kind::obstacle};
    for (const Wall& wall : join_walls(wall_edges(), {})) {
      walls.lines.emplace_back();
      for (GridPoint p : wall.points) walls.lines.back().push_back(floors_.grid().to_world(p));
    }
    if (walkable.polygons.empty()) return {};
    if (walls.lines.empty()) return {std::move(walkable)};
    return {std::move(walkable), std::move(walls)};
  }

  /// Too many floors lie over each other: nothing was made of them.
  [[nodiscard]] bool is_heap() const { return is_heap_; }

  /// Level, or a ramp along the plane that fits best.
  [[nodiscard]] Elevation elevation() const {
    double weight = 0, low = 1e300, high = -1e300;
    Vec3 mean;
    const auto each_corner = [&](auto&& visit) {
      for (std::uint32_t t : floors_.layers()[layer_].triangles)
        for (const Vec3 p : corners(t)) visit(p);
    };
    // The middles of a triangle's edges, each with a third of its area, stand for it exactly in sums of squares.
    const auto each_middle = [&](auto&& visit) {
      for (std::uint32_t t : floors_.layers()[layer_].triangles) {
        const std::vector<Vec3> corner = corners(t);
        const double share = area_of(corner) / 3;
        for (std::size_t e = 0; e < 3; ++e) visit(0.5 * (corner[e] + corner[(e + 1) % 3]), share);
      }
    };
    each_corner([&](Vec3 p) { low = std::min(low, p.z), high = std::max(high, p.z); });
    each_middle([&](Vec3 p, double share) { weight += share, mean = mean + share * p; });
    mean = (1 / weight) * mean;
    double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
    each_middle([&](Vec3 p, double share) {
      const Vec3 d = p - mean;
      xx += share * d.x * d.x, xy += share * d.x * d.y, yy += share * d.y * d.y;
      xz += share * d.x * d.z, yz += share * d.y * d.z;
    });
    const double determinant = xx * yy - xy * xy;
    const Vec2 gradient =
        determinant > 0 ? Vec2{(xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant} : Vec2{};
    const double slope = std::sqrt(squared_length(gradient));
    if (high - low < least_rise || slope < least_gradient) return {.z = millimetres(mean.z)};
    const Vec2 up = gradient / slope;
    double from = 1e300, to = -1e300;
    each_corner([&](Vec3 p) {
      const double along = dot(p.plan() - mean.plan(), up);
      from = std::min(from, along), to = std::max(to, along);
    });
    const auto place = [&](double along) {
      const Vec2 p = mean.plan() + along * up;
      return Vec2{millimetres(p.x), millimetres(p.y)};
    };
    return {.ramp = true,
            .stairs = floors_.layers()[layer_].kind == FloorKind::stairs,
            .from = place(from),
            .to = place(to),
            .z_from = millimetres(std::max(low, mean.z + slope * from)),
            .z_to = millimetres(std::min(high, mean.z + slope * to))};
  }

 private:
  enum class Use : std::uint8_t { floor, blocked, wall };

  static double millimetres(double v) { return std::round(v * 1000) / 1000; }
  [[nodiscard]] std::vector<Vec3> corners(std::uint32_t t) const {
    const auto& corner = floors_.triangles()[t].corner;
    return {corner[0], corner[1], corner[2]};
  }

  void add_part(const std::vector<Vec3>& polygon, Use use) {
    GridRing ring;
    for (const Vec3 p : polygon) {
      const GridPoint q = floors_.grid().snap(p.plan());
      if (ring.empty() || (ring.back() != q && ring.front() != q)) ring.push_back(q);
    }
    if (ring.size() < 3 || twice_area(ring) == 0) return;
    overlay_.add_part({&ring, 1});
    use_.push_back(use);
  }

  void add_line(Vec2 a, Vec2 b) {
    const GridPoint points[] = {floors_.grid().snap(a), floors_.grid().snap(b)};
    if (points[0] == points[1]) return;
    overlay_.add_line(points);
    use_.push_back(Use::wall);
  }

  /// What is over the floor and too low.
  void block(std::uint32_t t) {
    const ModelTriangle& floor = floors_.triangles()[t];
    floors_.for_each_over(floors_.box_of(floor), [&](std::uint32_t o) {
      const ModelTriangle& over = floors_.triangles()[o];
      const std::optional<std::uint32_t> its_layer = floors_.layer_of()[o];
      if (o == t || its_layer == layer_) return;
      const auto height = [&](Vec3 p) { return p.z - floor.height_at(p.x, p.y); };
      const bool steps_up = over.floor && its_layer.has_value();
      const double low = steps_up ? 0 : options_.climb;
      std::vector<Vec3> part = clip(corners(o), [&](Vec3 p) { return height(p) - low; });
      part = clip(part, [&](Vec3 p) { return options_.head_room - height(p); });
      const bool same_floor = std::all_of(part.begin(), part.end(), [&](Vec3 p) { return height(p) <= options_.weld; });
      if (part.empty() || (steps_up && same_floor)) return;
      part = clip_to(std::move(part), floor);
      if (area_of(part) >= no_area) return add_part(part, Use::blocked);
      add_upright(part);
    });
  }

  /// A wall seen from above is a line.
  void add_upright(const std::vector<Vec3>& part) {
    if (part.size() < 2) return;
    const auto by_plan = [](Vec3 a, Vec3 b) { return a.plan() < b.plan(); };
    const auto [first, last] = std::minmax_element(part.begin(), part.end(), by_plan);
    add_line(first->plan(), last->plan());
  }

  /// The parts of edges that join no other floor.
  void add_walls(std::uint32_t t, const std::vector<const FloorJoin*>& joins) {
    for (int edge = 0; edge < 3; ++edge) {
      const Vec2 a = floors_.triangles()[t].corner[edge].plan();
      const Vec2 along = floors_.triangles()[t].corner[(edge + 1) % 3].plan() - a;
      const double least = 3 * options_.weld / std::max(std::sqrt(squared_length(along)), 1e-9);
      std::vector<std::pair<double, double>> joined;
      for (const FloorJoin* join : joins)
        if (join->edge == edge) joined.emplace_back(join->from, join->to);
      joined.emplace_back(1, 1);
      std::sort(joined.begin(), joined.end());
      double open = 0;
      for (const auto& [from, to] : joined) {
        if (from - open > least) add_line(a + open * along, a + from * along);
        open = std::max(open, to);
      }
    }
  }

  void find_free() {
    free_.assign(overlay_.graph().face_count(), geometry::no_label);
    std::size_t floors = 0, blocks = 0;
    overlay_.walk(
        [&](Id owner, bool inside) { (use_[owner] == Use::floor ? floors : blocks) += inside ? 1 : std::size_t(-1); },
        [&](Id face) {
          if (floors > 0 && blocks == 0) free_[face] = 0;
        },
        [](Id, Id, int) {});
  }

  [[nodiscard]] bool is_free(Id half_edge) const { return free_[overlay_.graph().face_of(half_edge)] == 0; }

  [[nodiscard]] bool is_wall(Id edge) const {
    const auto uses = overlay_.uses_of(edge);
    return std::any_of(uses.begin(), uses.end(), [&](const Overlay::Use& use) { return use_[use.owner] == Use::wall; });
  }

  [[nodiscard]] std::vector<GridSegment> wall_edges() const {
    std::vector<GridSegment> edges;
    for (Id e = 0; e < overlay_.edge_count(); ++e)
      if (is_free(2 * e) && is_free(2 * e + 1) && is_wall(e))
        edges.push_back({overlay_.graph().origin_of(2 * e), overlay_.graph().origin_of(2 * e + 1)});
    return edges;
  }

  [[nodiscard]] std::vector<GridPolygon> free_polygons() const {
    return geometry::face_polygons(overlay_.graph(), free_, 1,
                                   std::vector<bool>(overlay_.graph().vertex_count(), false))[0];
  }

  /// The inside of a wall, and what blocking leaves of a floor's rim.
  [[nodiscard]] bool is_narrow(const GridPolygon& polygon) const {
    double border = 0;
    const auto add = [&](const GridRing& ring) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const GridPoint a = ring[i], b = ring[(i + 1) % ring.size()];
        border += std::sqrt(double(geometry::dot(a, b, b)));
      }
      return double(twice_area(ring));
    };
    double twice = add(polygon.outer);
    for (const GridRing& hole : polygon.holes) twice += add(hole);
    return twice * floors_.grid().unit() < least_width / 2 * border;
  }

  [[nodiscard]] Polygon to_world(const GridPolygon& polygon) const {
    const auto ring = [&](const GridRing& points) {
      Ring out;
      for (GridPoint p : points) out.push_back(floors_.grid().to_world(p));
      return out;
    };
    Polygon world{ring(polygon.outer), {}};
    for (const GridRing& hole : polygon.holes) world.holes.push_back(ring(hole));
    return world;
  }

  const FloorGraph& floors_;
  std::uint32_t layer_;
  const SurfaceOptions& options_;
  Overlay overlay_;
  bool is_heap_ = false;
  std::vector<Use> use_;  ///< of each owner
  std::vector<std::int32_t> free_;
};

class SurfaceImporter {
 public:
  SurfaceImporter(const TriangleModel& model, const std::string& source, const SurfaceOptions& options)
      : floors_(model, options), source_(source), options_(options) {
    environment_.source = source;
  }

  Result<Environment> run() {
    if (floors_.layers().empty()) {
      problems_.error(
          ProblemCode::geometry, source_,
          "no triangle faces up and is flat and wide enough to stand on: --up and --slope say what is floor");
      return std::move(problems_).result(std::move(environment_), source_);
    }
    std::vector<std::vector<const FloorJoin*>> joins_of(floors_.triangles().size());
    for (const FloorJoin& join : floors_.joins()) joins_of[join.triangle].push_back(&join);
    for (std::uint32_t l = 0; l < floors_.layers().size() && !is_heap_; ++l) add_layer(l, joins_of);
    if (is_heap_) {
      problems_.error(ProblemCode::limit, source_,
                      "its floors lie over each other too often within head room: leave out screed, carpet and what is "
                      "under the floor, or weld what is one floor (--weld)");
      return std::move(problems_).result(std::move(environment_), source_);
    }
    connect();
    number();
    drop_unfit_connections();
    for (const Feature& feature : environment_.features) {
      if (feature.kind != Kind::connection) continue;
      meet(environment_.layers[feature.layer].elevation, environment_.layers[feature.other_layer].elevation,
           feature.lines[0]);
      meet(environment_.layers[feature.other_layer].elevation, environment_.layers[feature.layer].elevation,
           feature.lines[0]);
    }
    if (environment_.features.empty())
      problems_.error(ProblemCode::geometry, source_,
                      "everything people could stand on is blocked by what is above it");
    return std::move(problems_).result(std::move(environment_), source_);
  }

 private:
  static std::string name_of(FloorKind kind, int number) {
    return fmt::format("{}-{}",
                       kind == FloorKind::level    ? "level"
                       : kind == FloorKind::stairs ? "stairs"
                                                   : "ramp",
                       number);
  }

  /// A ramp or stair begins and ends at the height of the level it leads to, not of its first tread.
  static void meet(Elevation& ramp, const Elevation& level, const Line& connection) {
    if (!ramp.ramp || level.ramp) return;
    const Vec2 along = ramp.to - ramp.from, middle = 0.5 * (connection[0] + connection[1]);
    const double share = dot(middle - ramp.from, along) / squared_length(along);
    constexpr double near = 0.1;
    if (std::abs(share) < near) ramp.z_from = level.z;
    if (std::abs(share - 1) < near) ramp.z_to = level.z;
  }

  /// Unless all of it is blocked.
  void add_layer(std::uint32_t l, const std::vector<std::vector<const FloorJoin*>>& joins_of) {
    LayerMaker maker(floors_, l, options_);
    std::vector<Feature> features = maker.run(joins_of);
    if (maker.is_heap()) is_heap_ = true;
    index_of_.push_back(features.empty() ? std::nullopt : std::optional(environment_.layers.size()));
    if (features.empty()) return;
    for (Feature& feature : features) feature.layer = environment_.layers.size();
    environment_.features.insert(environment_.features.end(), features.begin(), features.end());
    const FloorKind kind = floors_.layers()[l].kind;
    environment_.layers.push_back({name_of(kind, ++numbers_[kind]), maker.elevation()});
  }

  void number() {
    for (std::size_t i = 0; i < environment_.features.size(); ++i) environment_.features[i].number = i;
  }

  /// Where floors of different layers are joined: the edges of stairs and ramps where there are any, because levels may be wider.
  void connect() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<GridSegment>> by_pair;
    for (const FloorJoin& join : floors_.joins()) {
      const auto mine = floors_.layer_of()[join.triangle], its = floors_.layer_of()[join.other];
      if (!mine || !its || *mine == *its || !index_of_[*mine] || !index_of_[*its]) continue;
      const FloorKind my_kind = floors_.layers()[*mine].kind, its_kind = floors_.layers()[*its].kind;
      const bool preferred =
          (my_kind != FloorKind::level) != (its_kind != FloorKind::level) ? my_kind != FloorKind::level : *mine < *its;
      if (preferred) by_pair[std::minmax(*mine, *its)].push_back(segment_of(join));
    }
    for (auto& [pair, segments] : by_pair) {
      std::erase_if(segments, [](const GridSegment& s) { return s.a == s.b; });
      for (GridSegment& s : segments)
        if (s.b < s.a) std::swap(s.a, s.b);
      std::sort(segments.begin(), segments.end(),
                [](const GridSegment& s, const GridSegment& t) { return std::pair(s.a, s.b) < std::pair(t.a, t.b); });
      segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
      for (const Wall& way : join_walls(std::move(segments), {}))
        add_longest(way, *index_of_[pair.first], *index_of_[pair.second]);
    }
  }

  /// The joined part of the edge, to its very end where it nearly reaches it.
  [[nodiscard]] GridSegment segment_of(const FloorJoin& join) const {
    const Vec2 a = floors_.triangles()[join.triangle].corner[join.edge].plan();
    const Vec2 along = floors_.triangles()[join.triangle].corner[(join.edge + 1) % 3].plan() - a;
    const double near = 3 * options_.weld / std::sqrt(squared_length(along));
    const double from = join.from < near ? 0 : join.from, to = join.to > 1 - near ? 1 : join.to;
    return {floors_.grid().snap(a + from * along), floors_.grid().snap(a + to * along)};
  }

  /// Of a way around a corner one side connects: a connection ends at walls.
  void add_longest(const Wall& way, std::size_t layer, std::size_t other) {
    Feature best{.kind = Kind::connection, .layer = layer, .other_layer = other};
    double longest = shortest_connection;
    for (std::size_t i = 1; i < way.points.size(); ++i) {
      const Vec2 a = floors_.grid().to_world(way.points[i - 1]), b = floors_.grid().to_world(way.points[i]);
      const double size = std::sqrt(squared_length(b - a));
      if (size < longest) continue;
      longest = size;
      best.lines = {{a, b}};
    }
    if (!best.lines.empty()) environment_.features.push_back(std::move(best));
  }

  /// Cleaning refuses connections that do not lie between walls on both layers' borders: these are left out, with its reason.
  void drop_unfit_connections() {
    constexpr int most_rounds = 8;  // leaving one out may make a wall that another one ended on
    for (int round = 0; round < most_rounds; ++round) {
      const Result<CleanEnvironment> trial = clean(environment_);
      if (trial) return;
      std::map<std::size_t, std::string> unfit;  // reasons by number of feature
      for (const Problem& problem : trial.problems())
        for (const Feature& feature : environment_.features)
          if (feature.kind == Kind::connection && problem.severity == Severity::error &&
              problem.place.find(describe(feature)) != std::string::npos)
            unfit.try_emplace(feature.number, problem.message);
      if (unfit.empty()) return;
      leave_out(unfit);
    }
    // Each round costs a cleaning, and a heap of floors may want as many as it has connections: then it gets none.
    if (clean(environment_)) return;
    std::map<std::size_t, std::string> all;
    for (const Feature& feature : environment_.features)
      if (feature.kind == Kind::connection)
        all.emplace(feature.number, "too many connections about it did not fit one after the other");
    leave_out(all);
  }

  void leave_out(const std::map<std::size_t, std::string>& reasons) {
    for (const Feature& feature : environment_.features) {
      const auto reason = reasons.find(feature.number);
      if (reason == reasons.end()) continue;
      const Vec2 at = feature.lines[0][0];
      problems_.warning(
          ProblemCode::geometry, fmt::format("{}: at ({:g}, {:g})", source_, at.x, at.y),
          fmt::format("'{}' and '{}' meet here and could not be connected: {}", environment_.layers[feature.layer].id,
                      environment_.layers[feature.other_layer].id, reason->second));
    }
    std::erase_if(environment_.features, [&](const Feature& f) { return reasons.contains(f.number); });
    number();
  }

  FloorGraph floors_;
  const std::string& source_;
  const SurfaceOptions& options_;
  ProblemList problems_;
  std::vector<std::optional<std::size_t>> index_of_;  ///< of each layer of floors: its place in the environment
  std::map<FloorKind, int> numbers_;
  bool is_heap_ = false;
  Environment environment_;
};

using Reader = Result<TriangleModel> (*)(const std::string& text, const std::string& source);

Result<Environment> import(Reader read, const ImportSource& source, const SurfaceOptions& options) {
  const Result<std::string> file = source.text ? Result<std::string>(*source.text) : read_file(source.name);
  if (!file) return file.problems();
  const Result<TriangleModel> model = read(*file, source.name);
  if (!model) return model.problems();
  return floors_of(*model, source.name, options);
}

}  // namespace

Result<Environment> floors_of(const TriangleModel& model, const std::string& source, const SurfaceOptions& options) {
  return SurfaceImporter(model, source, options).run();
}

Result<Environment> import_obj(const ImportSource& source, const ImportOptions& options) {
  return import(read_obj, source, options.surface);
}

Result<Environment> import_gltf(const ImportSource& source, const ImportOptions& options) {
  return import(read_gltf, source, options.surface);
}

}  // namespace throng::environment
