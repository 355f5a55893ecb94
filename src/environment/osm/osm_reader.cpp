#include "environment/osm/osm_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <ranges>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "environment/geojson/geojson_header.hpp"
#include "environment/osm/local_projection.hpp"
#include "environment/osm/osm_file.hpp"
#include "environment/osm/osm_indoor.hpp"
#include "environment/osm/osm_rules.hpp"
#include "environment/osm/widened_line.hpp"
#include "text/files.hpp"

namespace throng::environment {
namespace {

using geometry::Box;

/// What an element is where no rule of the table says it; numbers from 0 on are rules.
enum Meaning : int { gap_only = -1, indoor_space = -2, indoor_wall = -3, flight = -4 };

/// Metres that a doorway reaches to either side of a wall, so that it opens the building's thickness, too.
constexpr double door_depth = 0.5;
constexpr double default_flight_width = 2;

bool is_one_of(std::optional<std::string_view> value, std::initializer_list<std::string_view> names) {
  return value && std::find(names.begin(), names.end(), *value) != names.end();
}

/// Says of every element what it is (law 1 of osm_rules.hpp), before anything of it is kept.
class Classifier {
 public:
  Classifier(const OsmRules& rules, const std::string& name, ProblemList& problems)
      : rules_(rules), name_(name), problems_(problems) {}

  std::optional<OsmVerdict> operator()(OsmType type, std::int64_t id, std::span<const OsmTag> tags, bool closed) const {
    if (type == OsmType::node) return node(tags);
    if (type == OsmType::relation && !is_one_of(find_tag(tags, "type"), {"multipolygon"})) return std::nullopt;
    const auto area_tag = find_tag(tags, "area");
    const bool linear = find_tag(tags, "highway") || find_tag(tags, "barrier");
    const bool can_be_area = closed && area_tag != "no" && (type == OsmType::relation || !linear || area_tag == "yes");
    const bool can_be_line = type == OsmType::way && area_tag != "yes";
    if (const auto inside = indoors(tags, can_be_area, type == OsmType::way)) return inside;
    std::vector<OsmShape> shapes;
    if (can_be_area) shapes.push_back(OsmShape::area);
    if (can_be_line) shapes.push_back(OsmShape::line);
    if (const auto rule = rules_.find(tags, shapes)) {
      if (rules_.rules[*rule].kind == OsmKind::ignore) return std::nullopt;
      return OsmVerdict{*rules_.rules[*rule].shape, int(*rule)};
    }
    if (!closed) warn_if_area(id, tags);
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<OsmVerdict> node(std::span<const OsmTag> tags) const {
    constexpr OsmShape point[] = {OsmShape::point};
    const auto rule = rules_.find(tags, point);
    if (rule && rules_.rules[*rule].kind != OsmKind::ignore) return OsmVerdict{OsmShape::point, int(*rule)};
    if (rules_.gap(tags)) return OsmVerdict{OsmShape::point, gap_only};
    return std::nullopt;
  }

  /// Simple Indoor Tagging, and stairs that join two levels.
  static std::optional<OsmVerdict> indoors(std::span<const OsmTag> tags, bool can_be_area, bool is_way) {
    const auto indoor = find_tag(tags, "indoor");
    if (can_be_area && is_one_of(indoor, {"room", "corridor", "area"})) return OsmVerdict{OsmShape::area, indoor_space};
    if (is_way && is_one_of(indoor, {"wall"})) return OsmVerdict{OsmShape::line, indoor_wall};
    const auto level = find_tag(tags, "level");
    const bool path = is_one_of(find_tag(tags, "highway"), {"steps", "footway", "path", "corridor", "pedestrian"});
    if (is_way && !can_be_area && path && level && parse_levels(*level).size() > 1)
      return OsmVerdict{OsmShape::line, flight};
    return std::nullopt;
  }

  void warn_if_area(std::int64_t id, std::span<const OsmTag> tags) const {
    constexpr OsmShape area[] = {OsmShape::area};
    const auto rule = rules_.find(tags, area);
    if (!rule || rules_.rules[*rule].kind == OsmKind::ignore) return;
    const TagPattern& pattern = rules_.rules[*rule].match.front();
    problems_.warning(
        ProblemCode::geometry, fmt::format("{}: way/{}", name_, id),
        fmt::format("its last node is not its first, so that it is no area, and {} wants one; it was left out",
                    pattern.key));
  }

  const OsmRules& rules_;
  const std::string& name_;
  ProblemList& problems_;
};

/// Where the plane lies on the globe, and what of it is kept.
struct Frame {
  LocalProjection projection;
  std::optional<Box> box;

  [[nodiscard]] Vec2 place(const OsmPoint& p) const {
    // Far corners of large areas are outside of the box, and of the projection's reach.
    constexpr double reach = LocalProjection::widest_reach + 1;
    const GeoOrigin origin = projection.origin();
    return projection(std::clamp(p.longitude(), origin.longitude - reach, origin.longitude + reach),
                      std::clamp(p.latitude(), -LocalProjection::highest_latitude, LocalProjection::highest_latitude));
  }
};

GeoBox box_of(const OsmData& data) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  GeoBox box{infinite, infinite, -infinite, -infinite};
  const auto add = [&](const std::vector<OsmPoint>& points) {
    for (const OsmPoint& p : points) {
      box.west = std::min(box.west, p.longitude()), box.east = std::max(box.east, p.longitude());
      box.south = std::min(box.south, p.latitude()), box.north = std::max(box.north, p.latitude());
    }
  };
  for (const OsmNode& node : data.nodes) add({node.at});
  for (const OsmWay& way : data.ways)
    for (const auto& piece : way.pieces) add(piece);
  for (const OsmArea& area : data.areas) {
    for (const OsmPolygon& polygon : area.polygons) add(polygon.outer);
    for (const auto& line : area.outline) add(line);
  }
  return box;
}

std::string explain(const GeoBox& box) {
  constexpr double highest = LocalProjection::highest_latitude;
  if (!(box.west < box.east) || !(box.south < box.north)) return "has no extent: west, south, east, north are wanted";
  if (box.west < -180 || box.east > 180 || box.south < -90 || box.north > 90) return "is not in degrees";
  if (box.south < -highest || box.north > highest)
    return fmt::format("reaches beyond {} degrees of latitude, where the projection ends", highest);
  if (box.east - box.west > 2 * LocalProjection::widest_reach)
    return fmt::format("is {:.3g} degrees wide; at most {} fit into one plane: choose a smaller one with --bbox",
                       box.east - box.west, 2 * LocalProjection::widest_reach);
  return {};
}

/// To the precision of OpenStreetMap itself, so that the origin reads well in files.
double rounded_degrees(double degrees) { return std::floor(degrees * 1e7 + 0.5) / 1e7; }

class Importer {
 public:
  /// What became of elements is let go of at once: `data` is as large as what is made of it.
  Importer(const OsmRules& rules, OsmData& data, const Frame& frame, const OsmOptions& options, const std::string& name,
           ProblemList& problems)
      : rules_(rules), data_(data), frame_(frame), name_(name), problems_(problems), levels_(options.storey_height) {}

  Environment run() {
    environment_.source = name_;
    environment_.origin = frame_.projection.origin();
    environment_.layers.push_back({std::string(default_layer_id), {}});
    find_gaps();
    find_levels();
    for (OsmArea& area : data_.areas) {
      area.meaning == indoor_space ? add_space(area) : add_area(area);
      area = {};
    }
    for (const OsmWay& way : data_.ways) add_way(way);
    for (const OsmNode& node : data_.nodes) add_node(node);
    assemble();
    return std::move(environment_);
  }

 private:
  void warn(const OsmElement& element, std::string message) {
    problems_.warning(ProblemCode::geometry, name_ + ": " + element.label(), std::move(message));
  }

  // What is there

  void find_gaps() {
    for (const OsmNode& node : data_.nodes)
      if (const auto width = rules_.gap(node.tag_views())) {
        gaps_.emplace(node.id, *width);
        const std::vector<double> levels = parse_levels(node.tag("level"));
        if (!levels.empty() && std::find(levels.begin(), levels.end(), 0.0) == levels.end()) upstairs_.insert(node.id);
      }
  }

  void find_levels() {
    for (const OsmArea& area : data_.areas)
      if (area.meaning == indoor_space && !area.polygons.empty())
        for (const double level : levels_of(area)) levels_.add(level);
    levels_.make(environment_.layers);
  }

  std::vector<double> levels_of(const OsmElement& element) {
    const std::string text = element.tag("level");
    if (text.empty()) return {0};
    std::vector<double> levels = parse_levels(text);
    if (!levels.empty()) return levels;
    if (element.meaning < 0 && warned_.insert(element.label()).second)
      warn(element, fmt::format("its level '{}' is no list of levels; it was taken to be on the ground", text));
    return {0};
  }

  /// The layers an element lies on: the ground, or the levels it names where people can be.
  std::vector<std::size_t> layers_of(const OsmElement& element) {
    std::vector<std::size_t> layers;
    for (const double level : levels_of(element))
      if (const auto layer = levels_.layer_of(level)) layers.push_back(*layer);
    return layers;
  }

  // Shapes

  [[nodiscard]] Line place(const std::vector<OsmPoint>& points) const {
    Line line;
    line.reserve(points.size());
    for (const OsmPoint& p : points) line.push_back(frame_.place(p));
    return line;
  }

  [[nodiscard]] std::vector<Polygon> cut(std::vector<Polygon> polygons) const {
    if (frame_.box) return clipped(std::move(polygons), *frame_.box);
    constexpr double far = max_metres;
    return clipped(std::move(polygons), {{-far, -far}, {far, far}});
  }

  [[nodiscard]] std::vector<Line> cut(const Line& line) const {
    constexpr double far = max_metres;
    return clipped_line(line, frame_.box.value_or(Box{{-far, -far}, {far, far}}));
  }

  [[nodiscard]] std::vector<Polygon> polygons_of(const OsmArea& area) const {
    std::vector<Polygon> out;
    for (const OsmPolygon& polygon : area.polygons) {
      out.push_back({place(polygon.outer), {}});
      for (const auto& hole : polygon.holes) out.back().holes.push_back(place(hole));
    }
    return cut(std::move(out));
  }

  [[nodiscard]] std::vector<Gap> gaps_on(const std::vector<OsmPoint>& points) const {
    std::vector<Gap> gaps;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (const auto found = gaps_.find(points[i].node); found != gaps_.end()) gaps.push_back({i, found->second});
    return gaps;
  }

  /// The line with its gaps left out.
  [[nodiscard]] std::vector<Line> open_line(const std::vector<OsmPoint>& points) const {
    return without_gaps(place(points), gaps_on(points));
  }

  [[nodiscard]] double width_of(const OsmElement& element, double otherwise) const {
    return parse_width(element.tag("width")).value_or(otherwise);
  }

  static std::string name_of(const OsmElement& element) {
    for (const char* key : {"name", "ref"})
      if (std::string name = element.tag(key); !name.empty()) return name;
    return element.label();
  }

  // Features

  void add(std::vector<Feature>& list, Kind kind, const OsmElement& element, std::vector<Polygon> polygons,
           std::vector<Line> lines = {}, const std::string& type = {}) {
    if (polygons.empty() && lines.empty()) return;
    Feature feature{.kind = kind, .polygons = std::move(polygons), .lines = std::move(lines), .type = type};
    if (kind == Kind::obstacle) feature.name = element.tag("name"), feature.id = element.label();
    if (kind == Kind::area) feature.name = name_of(element);
    for (const std::size_t layer : layers_of(element)) {
      feature.layer = layer;
      list.push_back(feature);
    }
  }

  void add_shape(const OsmElement& element, const std::vector<Polygon>& polygons) {
    const OsmRule& rule = rules_.rules[std::size_t(element.meaning)];
    switch (rule.kind) {
      case OsmKind::ignore: return;
      case OsmKind::walkable: add(walkable_, Kind::walkable, element, polygons); break;
      case OsmKind::obstacle: add(obstacles_, Kind::obstacle, element, polygons); break;
      case OsmKind::opening: add(openings_, Kind::opening, element, polygons); break;
      case OsmKind::area: add(areas_, Kind::area, element, polygons); break;
      case OsmKind::region:
        add(regions_[std::size_t(element.meaning)], Kind::region, element, polygons, {}, rule.type);
        break;
    }
    if (rule.named && rule.kind != OsmKind::area && !element.tag("name").empty())
      add(areas_, Kind::area, element, polygons);
  }

  void add_area(const OsmArea& area) {
    if (!area.polygons.empty()) return add_shape(area, polygons_of(area));
    if (rules_.rules[std::size_t(area.meaning)].kind != OsmKind::obstacle) return;
    for (const auto& line : area.outline) add(obstacles_, Kind::obstacle, area, {}, cut(place(line)));
  }

  void add_way(const OsmWay& way) {
    for (const std::vector<OsmPoint>& piece : way.pieces) {
      if (way.meaning == flight)
        add_flight(way, piece);
      else if (way.meaning == indoor_wall)
        for (const Line& line : open_line(piece)) add(walls_, Kind::obstacle, way, {}, cut(line));
      else
        add_line(way, piece);
    }
  }

  void add_line(const OsmWay& way, const std::vector<OsmPoint>& piece) {
    const OsmRule& rule = rules_.rules[std::size_t(way.meaning)];
    const double width = rule.width > 0 ? width_of(way, rule.width) : 0;
    const bool wall = rule.kind == OsmKind::obstacle;
    if (wall)
      for (const Gap& gap : gaps_on(piece)) on_barrier_.insert(piece[gap.at].node);
    const std::vector<Line> lines = wall ? open_line(piece) : std::vector<Line>{place(piece)};
    for (const Line& line : lines) {
      if (width == 0)
        add(obstacles_, Kind::obstacle, way, {}, cut(line));
      else
        add_shape(way, cut(widened(line, width)));
      const std::vector<OsmTag> tags = way.tag_views();
      const bool opens = std::any_of(rule.opens.begin(), rule.opens.end(),
                                     [&](const TagPattern& pattern) { return pattern.matches(tags); });
      // Longer by half its width, so that a path that meets a facade askew opens all of it.
      if (opens) add(openings_, Kind::opening, way, cut(widened(line, width, width / 2)));
    }
  }

  void add_node(const OsmNode& node) {
    if (node.meaning == gap_only) return;
    const OsmRule& rule = rules_.rules[std::size_t(node.meaning)];
    // A bollard in the middle of a gate is part of the gate.
    if (rule.kind == OsmKind::obstacle && gaps_.contains(node.id) && on_barrier_.contains(node.id)) return;
    add_shape(node, cut({{octagon(frame_.place(node.at), rule.radius), {}}}));
  }

  // Indoors

  void add_space(const OsmArea& space) {
    std::vector<Polygon> polygons = polygons_of(space);
    if (polygons.empty()) return;
    const bool room = space.tag("indoor") == "room";
    Feature feature{.kind = Kind::walkable, .polygons = polygons};
    for (const std::size_t layer : layers_of(space)) {
      feature.layer = layer;
      feature.kind = layer == 0 ? Kind::opening : Kind::walkable;
      (layer == 0 ? openings_ : walkable_).push_back(feature);
    }
    for (const OsmPolygon& polygon : space.polygons) {
      add_doors(space, polygon.outer);
      if (!room) continue;
      add_room_walls(space, polygon.outer);
      for (const auto& hole : polygon.holes) add_room_walls(space, hole);
    }
    if (!space.tag("name").empty()) add(areas_, Kind::area, space, polygons);
  }

  void add_room_walls(const OsmArea& space, std::vector<OsmPoint> ring) {
    ring.push_back(ring.front());
    for (const Line& line : open_line(ring)) add(walls_, Kind::obstacle, space, {}, cut(line));
  }

  /// On the ground a door also leads through what is solid of the building around it.
  void add_doors(const OsmArea& space, const std::vector<OsmPoint>& ring) {
    const std::vector<std::size_t> layers = layers_of(space);
    if (std::find(layers.begin(), layers.end(), std::size_t(0)) == layers.end()) return;
    const Line line = place(ring);
    for (const Gap& gap : gaps_on(ring)) {
      if (upstairs_.contains(ring[gap.at].node)) continue;
      const Vec2 before = line[(gap.at + line.size() - 1) % line.size()], after = line[(gap.at + 1) % line.size()];
      const Vec2 along = after - before;
      const double length = std::sqrt(squared_length(along));
      if (length == 0) continue;
      const Vec2 half = along * (gap.width / 2 / length);
      const Vec2 ends[] = {line[gap.at] - half, line[gap.at] + half};
      std::vector<Polygon> doorway = cut(widened(ends, 2 * door_depth));
      if (!doorway.empty()) openings_.push_back({.kind = Kind::opening, .polygons = std::move(doorway)});
    }
  }

  void add_flight(const OsmWay& way, const std::vector<OsmPoint>& piece) {
    const std::vector<double> levels = parse_levels(way.tag("level"));
    if (levels.size() != 2)
      return warn(way, "stairs of more than two levels cannot be joined to them; they were left out");
    constexpr OsmShape line[] = {OsmShape::line};
    const auto rule = rules_.find(way.tag_views(), line);
    const double width = rule && rules_.rules[*rule].width > 0 ? rules_.rules[*rule].width : default_flight_width;
    Flight flight{.label = way.label(),
                  .line = place(piece),
                  .lower = levels[0],
                  .upper = levels[1],
                  .width = width_of(way, width),
                  .stairs = way.tag("highway") == "steps"};
    if (way.tag("incline") == "down" || way.tag("incline").starts_with('-'))
      std::reverse(flight.line.begin(), flight.line.end());
    const bool inside = std::all_of(flight.line.begin(), flight.line.end(), [&](Vec2 p) {
      const auto& box = frame_.box;
      return !box || (p.x > box->min.x && p.x < box->max.x && p.y > box->min.y && p.y < box->max.y);
    });
    if (inside) flights_.emplace_back(&way, std::move(flight));
  }

  // The whole

  void append(std::vector<Feature>& list) {
    std::move(list.begin(), list.end(), std::back_inserter(environment_.features));
    list.clear();
  }

  void assemble() {
    append(walkable_);
    append(obstacles_);
    append(openings_);
    append(walls_);
    FlightBuilder builder(levels_, environment_);
    for (const auto& [way, flight] : flights_)
      if (const std::string reason = builder.add(flight); !reason.empty())
        warn(*way, "these stairs cannot join their levels and were left out: " + reason);
    for (auto& region : std::ranges::reverse_view(regions_)) append(region.second);
    append(areas_);
    append(builder.connections());
    add_ground();
    for (std::size_t i = 0; i < environment_.features.size(); ++i) environment_.features[i].number = i;
  }

  /// Where nothing says what is walkable on the ground, the box is.
  void add_ground() {
    for (const Feature& feature : environment_.features)
      if (feature.kind == Kind::walkable && feature.layer == 0) return;
    std::optional<Box> box = frame_.box;
    if (!box) box = box_of_features();
    if (!box) return;
    const Box b = *box;
    Feature ground{.kind = Kind::walkable, .polygons = {{{b.min, {b.max.x, b.min.y}, b.max, {b.min.x, b.max.y}}, {}}}};
    environment_.features.insert(environment_.features.begin(), std::move(ground));
  }

  [[nodiscard]] std::optional<Box> box_of_features() const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Box box{{infinite, infinite}, {-infinite, -infinite}};
    const auto add = [&](const std::vector<Vec2>& points) {
      for (const Vec2 p : points) {
        box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
        box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
      }
    };
    for (const Feature& feature : environment_.features) {
      for (const Polygon& polygon : feature.polygons) add(polygon.outer);
      for (const Line& line : feature.lines) add(line);
    }
    if (!(box.min.x < box.max.x) || !(box.min.y < box.max.y)) return std::nullopt;
    return box;
  }

  const OsmRules& rules_;
  OsmData& data_;
  const Frame& frame_;
  const std::string& name_;
  ProblemList& problems_;
  LevelLayers levels_;
  Environment environment_;
  std::unordered_map<std::int64_t, double> gaps_;
  std::unordered_set<std::int64_t> upstairs_;    ///< gaps that say they are not on level 0
  std::unordered_set<std::int64_t> on_barrier_;  ///< gaps that a barrier runs through
  std::set<std::string> warned_;
  std::vector<Feature> walkable_, obstacles_, openings_, walls_, areas_;
  std::map<std::size_t, std::vector<Feature>> regions_;  ///< by rule
  std::vector<std::pair<const OsmWay*, Flight>> flights_;
};

class OsmReader {
 public:
  OsmReader(ImportSource source, const OsmOptions& options) : source_(std::move(source)), options_(options) {}

  Result<Environment> read() {
    Result<OsmRules> rules = options_.table.empty()
                                 ? read_osm_rules(std::string(default_osm_table()), "the built-in table")
                                 : read_osm_rules(options_.table, options_.table_name);
    if (!rules) return rules.problems();
    if (options_.box)
      if (const std::string wrong = explain(*options_.box); !wrong.empty())
        fail(ProblemCode::value, "the box " + wrong);
    if (problems_.has_errors()) return finish({});
    const Classifier classify(*rules, source_.name, problems_);
    const OsmFilter filter{rules->keys, std::cref(classify), options_.box};
    std::optional<OsmData> data = read_osm_file(source_, filter, problems_);
    if (!data) return finish({});
    const std::optional<Frame> frame = choose_frame(*data);
    if (!frame) return finish({});
    Environment environment = Importer(*rules, *data, *frame, options_, source_.name, problems_).run();
    if (environment.features.empty())
      fail(ProblemCode::geometry,
           "nothing in it is of use here: no buildings, barriers, paths or other areas that the "
           "table of tags names");
    return finish(std::move(environment));
  }

 private:
  void fail(ProblemCode code, std::string message) { problems_.error(code, source_.name, std::move(message)); }

  Result<Environment> finish(Environment environment) {
    return std::move(problems_).result(std::move(environment), source_.name);
  }

  std::optional<Frame> choose_frame(const OsmData& data) {
    std::optional<GeoBox> box = options_.box ? options_.box : data.bounds;
    GeoBox extent = box ? *box : box_of(data);
    if (!box && extent.west > extent.east) extent = {0, 0, 0, 0};  // nothing at all: said later
    // Without a box the data may be a line or a point; a little extent makes the questions below meaningful.
    if (!box) extent = {extent.west - 1e-7, extent.south - 1e-7, extent.east + 1e-7, extent.north + 1e-7};
    if (const std::string wrong = explain(extent); !wrong.empty()) {
      fail(ProblemCode::value, box ? "the file's box " + wrong : "what is in it " + wrong);
      return std::nullopt;
    }
    const GeoOrigin middle{rounded_degrees((extent.west + extent.east) / 2),
                           rounded_degrees((extent.south + extent.north) / 2)};
    const GeoOrigin origin = options_.origin.value_or(middle);
    const bool far = extent.east - origin.longitude > 2 * LocalProjection::widest_reach ||
                     origin.longitude - extent.west > 2 * LocalProjection::widest_reach;
    if (far || std::abs(origin.latitude) > LocalProjection::highest_latitude) {
      fail(ProblemCode::value, fmt::format("the origin {},{} is too far from it", origin.longitude, origin.latitude));
      return std::nullopt;
    }
    Frame frame{LocalProjection(origin), {}};
    if (box) frame.box = rectangle(frame.projection, *box);
    return frame;
  }

  static Box rectangle(const LocalProjection& projection, const GeoBox& box) {
    const double longitude = (box.west + box.east) / 2, latitude = (box.south + box.north) / 2;
    return {rounded_to_mm({projection(box.west, latitude).x, projection(longitude, box.south).y}),
            rounded_to_mm({projection(box.east, latitude).x, projection(longitude, box.north).y})};
  }

  ImportSource source_;
  const OsmOptions& options_;
  ProblemList problems_;
};

}  // namespace

Result<Environment> import_osm(const ImportSource& source, const ImportOptions& options) {
  if (source.text || source.name != "-") return OsmReader(source, options.osm).read();
  Result<std::string> text = read_file(source.name);  // a pipe cannot be read twice
  if (!text) return text.problems();
  return OsmReader({"standard input", std::move(text).value()}, options.osm).read();
}

}  // namespace throng::environment
