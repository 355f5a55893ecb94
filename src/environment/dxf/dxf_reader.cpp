#include "environment/dxf/dxf_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "environment/dxf/dxf_drawing.hpp"
#include "environment/dxf/dxf_layers.hpp"
#include "environment/dxf/dxf_throng_layers.hpp"
#include "environment/dxf/ring_nesting.hpp"
#include "environment/geojson/geojson_header.hpp"
#include "environment/shapes.hpp"
#include "environment/sketch.hpp"
#include "text/files.hpp"
#include "text/nearest_name.hpp"

namespace throng::environment {
namespace {

using geometry::Box;
using geometry::SnapGrid;

/// Metres in a unit of $INSUNITS; 0: none of a building's size.
double metres_of(int code) {
  constexpr std::array<double, 22> metres = {0,   0.0254,  0.3048, 1609.344, 0.001, 0.01,         1,   1000,
                                             0,   2.54e-5, 0.9144, 0,        0,     1e-6,         0.1, 10,
                                             100, 0,       0,      0,        0,     1200.0 / 3937};
  return code >= 0 && code < int(metres.size()) ? metres[std::size_t(code)] : 0;
}

/// Types without lines that bound anything: nobody misses them.
bool is_annotation(std::string_view type) {
  constexpr std::string_view known[] = {
      "HATCH",     "DIMENSION", "LEADER",     "MULTILEADER",   "MLEADER", "VIEWPORT", "ATTDEF", "IMAGE",   "WIPEOUT",
      "OLE2FRAME", "TOLERANCE", "ACAD_TABLE", "ARC_DIMENSION", "RAY",     "XLINE",    "LIGHT",  "OLEFRAME"};
  return std::find(std::begin(known), std::end(known), type) != std::end(known);
}

Box box_of(const std::vector<DrawnLine>& lines) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Box box{{infinite, infinite}, {-infinite, -infinite}};
  for (const DrawnLine& line : lines)
    for (Vec2 p : line.points) {
      box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
      box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
    }
  return box;
}

bool covers(const Polygon& polygon, Vec2 p) {
  return contains(polygon.outer, p) &&
         std::none_of(polygon.holes.begin(), polygon.holes.end(), [&](const Ring& hole) { return contains(hole, p); });
}

double area_of(const Polygon& polygon) {
  double area = std::abs(signed_area(polygon.outer));
  for (const Ring& hole : polygon.holes) area -= std::abs(signed_area(hole));
  return area;
}

class DxfImporter {
 public:
  DxfImporter(std::string source, const DxfOptions& options) : source_(std::move(source)), options_(options) {
    environment_.source = source_;
  }

  Result<Environment> run(const std::string& text) {
    read(text);
    if (!problems_.has_errors()) exact_ ? read_exactly() : make_environment();
    if (!problems_.has_errors() && environment_.features.empty())
      problems_.error(ProblemCode::geometry, source_, "there is nothing on the layers that mean something");
    return std::move(problems_).result(std::move(environment_), source_);
  }

  Result<std::vector<DxfLayerUse>> run_layers(const std::string& text) {
    drawing_ = DxfDrawing::read(text, source_, problems_);
    std::vector<DxfLayerUse> layers;
    if (!problems_.has_errors()) {
      choose_layers();
      const std::vector<std::size_t> shapes = drawing_.entities_by_layer();
      for (std::size_t i = 0; i < roles_.size(); ++i)
        layers.push_back({drawing_.layers()[i].name, roles_[i].role, shapes[i], drawing_.layers()[i].hidden});
    }
    return std::move(problems_).result(std::move(layers), source_);
  }

  Result<DxfPlan> run_plan(const std::string& text) {
    read(text);
    DxfPlan plan;
    if (!problems_.has_errors() && !exact_) {
      sort_lines();
      plan = {walls_and_doors_, line_plan().open_ends};
    }
    return std::move(problems_).result(std::move(plan), source_);
  }

 private:
  void read(const std::string& text) {
    drawing_ = DxfDrawing::read(text, source_, problems_);
    if (problems_.has_errors()) return;
    choose_layers();
    const double unit = choose_unit();
    if (!problems_.has_errors()) drawn_ = draw_out(unit, options_.flatness, problems_);
  }

  [[nodiscard]] DrawnOut draw_out(double unit, double flatness, ProblemList& problems) const {
    return drawing_.draw_out(
        unit, flatness, [&](std::uint32_t layer) { return roles_[layer].role != DxfRole::ignored; }, problems);
  }

  void choose_layers() {
    std::vector<std::string> names;
    const std::vector<std::size_t> shapes = drawing_.entities_by_layer();
    for (const DxfLayer& layer : drawing_.layers()) {
      names.push_back(layer.name);
      exact_ |= is_throng_layer(layer.name);
    }
    roles_ = roles_of(names, options_);
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (exact_)
        roles_[i].role = is_throng_layer(names[i]) ? DxfRole::walls : DxfRole::ignored;
      else if (drawing_.layers()[i].hidden && !roles_[i].by_user)
        roles_[i].role = DxfRole::ignored;
    }
    if (!exact_) tell_of_unknown(shapes);
    tell_of_unread();
  }

  void tell_of_unknown(const std::vector<std::size_t>& shapes) {
    std::string names;
    bool as_walls = false;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i].known || shapes[i] == 0) continue;
      names +=
          fmt::format("{}{} ({} shapes)", names.empty() ? "" : ", ", in_quotes(drawing_.layers()[i].name), shapes[i]);
      as_walls |= roles_[i].role == DxfRole::walls;
    }
    if (names.empty()) return;
    problems_.warning(ProblemCode::value, source_,
                      as_walls ? "no layer is called walls: taken as walls were " + names
                               : "layers whose names say nothing were ignored: " + names);
  }

  void tell_of_unread() {
    std::string types;
    for (const auto& [type, count] : drawing_.unread())
      if (!is_annotation(type)) types += fmt::format("{}{} {}", types.empty() ? "" : ", ", count, type);
    if (!types.empty())
      problems_.warning(ProblemCode::unsupported, source_,
                        fmt::format("not read: {}. Explode them into lines where they are walls", types));
  }

  double choose_unit() {
    if (options_.unit > 0) return options_.unit;
    const int code = drawing_.unit_code();
    if (const double metres = metres_of(code); metres > 0) return metres;
    if (code != 0) {
      problems_.error(ProblemCode::value, source_,
                      fmt::format("$INSUNITS {} is no unit of buildings: say the unit with --units", code));
      return 1;
    }
    ProblemList told_later;  // when it is drawn in its unit
    const Box box = box_of(draw_out(1, 1e6, told_later).lines);
    const double side = std::max(box.max.x - box.min.x, box.max.y - box.min.y);
    const bool in_metres = !(side > largest_in_metres);
    problems_.warning(ProblemCode::value, source_,
                      fmt::format("the drawing names no unit; its longer side of {:g} was taken as {}: --units says it",
                                  std::isfinite(side) ? side : 0.0, in_metres ? "metres" : "millimetres"));
    return in_metres ? 1 : 0.001;
  }

  void read_exactly() { environment_ = read_throng_layers(drawing_, drawn_, source_, problems_); }

  void sort_lines() {
    for (const DrawnLine& line : drawn_.lines) {
      const DxfRole role = roles_[line.layer].role;
      if (role == DxfRole::walls || role == DxfRole::doors)
        walls_and_doors_.push_back({line.points, line.closed, role == DxfRole::doors});
    }
    const Box box = box_of(drawn_.lines);
    if (!drawn_.lines.empty()) grid_ = SnapGrid::for_box(box);
  }

  [[nodiscard]] LinePlan line_plan() const {
    return plan_of(walls_and_doors_, grid_, {options_.gap, options_.wall_thickness});
  }

  void make_environment() {
    environment_.layers.push_back({std::string(default_layer_id), {}});
    sort_lines();
    const LinePlan plan = line_plan();
    if (refuse_heap(plan)) return;
    tell_of_open_ends(plan.open_ends);
    add_floor(plan);
    if (problems_.has_errors()) return;
    if (!plan.solids.empty()) add({.kind = Kind::obstacle, .polygons = plan.solids, .name = "walls"});
    if (!plan.walls.empty()) add({.kind = Kind::obstacle, .lines = plan.walls, .name = "walls"});
    add_shapes(DxfRole::doors, Kind::opening);
    add_shapes(DxfRole::obstacles, Kind::obstacle);
    add_shapes(DxfRole::regions, Kind::region);
    add_shapes(DxfRole::areas, Kind::area);
    if (options_.rooms) add_rooms(plan.rooms);
  }

  bool refuse_heap(const LinePlan& plan) {
    if (plan.is_heap)
      problems_.error(ProblemCode::limit, source_,
                      "its lines cross each other more than ten million times: hatches and patterns are no walls; "
                      "--ignore leaves layers out");
    return plan.is_heap;
  }

  void tell_of_open_ends(const std::vector<OpenEnd>& ends) {
    for (const OpenEnd& end : ends) {
      const std::string place = fmt::format("{}: at ({:g}, {:g})", source_, end.at.x, end.at.y);
      if (end.distance > farthest_next)
        problems_.warning(ProblemCode::geometry, place, "a wall ends here in the open");
      else
        problems_.warning(
            ProblemCode::geometry, place,
            fmt::format(
                "a wall ends here in the open, {:.3g} m from the next open end at ({:g}, {:g}): --gap {:.3g} would "
                "join them",
                end.distance, end.next.x, end.next.y, std::ceil(end.distance * 1000) / 1000));
    }
  }

  void add_floor(const LinePlan& plan) {
    const bool drawn = add_shapes(DxfRole::walkable, Kind::walkable);
    if (options_.outside > 0 && !drawn_.lines.empty()) {
      const Vec2 margin{options_.outside, options_.outside};
      const Box box = box_of(drawn_.lines);
      add({.kind = Kind::walkable, .polygons = {{rectangle(box.min - margin, box.max + margin), {}}}});
    } else if (!drawn && !plan.inside.empty()) {
      add({.kind = Kind::walkable, .polygons = plan.inside});
    } else if (!drawn) {
      problems_.error(
          ProblemCode::geometry, source_,
          walls_and_doors_.empty()
              ? "nothing is drawn on layers of walls or walkable floor: name them with --walls, --walkable"
              : "no lines enclose a room: raise --gap, draw the floor on a walkable layer, or let people walk "
                "around with --outside");
    }
  }

  /// One feature for each layer of that role; whether there was any.
  bool add_shapes(DxfRole role, Kind kind) {
    std::map<std::uint32_t, std::vector<const DrawnLine*>> by_layer;
    for (const DrawnLine& line : drawn_.lines)
      if (roles_[line.layer].role == role) by_layer[line.layer].push_back(&line);
    bool any = false;
    for (const auto& [layer, lines] : by_layer) {
      Feature feature{.kind = kind};
      feature.polygons = polygons_of(lines, role != DxfRole::doors);
      if (role == DxfRole::obstacles) keep_open_lines(lines, feature);
      if (feature.polygons.empty() && feature.lines.empty()) continue;
      any = true;
      const std::string& name = drawing_.layers()[layer].name;
      if (kind == Kind::area) {
        add_areas(feature, name);
        continue;
      }
      if (kind == Kind::region) {
        feature.type = name_in_layer(name);
        if (feature.type.empty()) feature.type = name;
      }
      add(std::move(feature));
    }
    return any;
  }

  /// Closed shapes, and what the others enclose together.
  std::vector<Polygon> polygons_of(const std::vector<const DrawnLine*>& lines, bool join_loose) {
    std::vector<Ring> rings;
    std::vector<PlanLine> loose;
    for (const DrawnLine* line : lines) {
      ClosedRing ring;
      if (!line->closed)
        loose.push_back({line->points, false, false});
      else if (!make_ring(line->points, ring))
        rings.push_back(std::move(ring.ring));
    }
    std::vector<Polygon> polygons = nest_rings(std::move(rings));
    if (!join_loose || loose.empty()) return polygons;
    const LinePlan plan = plan_of(loose, grid_, {options_.gap, 0});
    if (refuse_heap(plan)) return {};
    tell_of_open_ends(plan.open_ends);
    polygons.insert(polygons.end(), plan.inside.begin(), plan.inside.end());
    return polygons;
  }

  /// A railing on a layer of obstacles is a thin wall, as far as it does not enclose anything.
  void keep_open_lines(const std::vector<const DrawnLine*>& lines, Feature& feature) {
    for (const DrawnLine* line : lines)
      if (!line->closed) feature.lines.push_back(line->points);
  }

  /// Areas of a layer that names none are called what is written in them.
  void add_areas(const Feature& feature, const std::string& layer) {
    const std::string given = name_in_layer(layer);
    std::map<std::string, std::vector<Polygon>> by_name;
    for (const Polygon& polygon : feature.polygons) {
      std::string name = given.empty() ? text_in({&polygon, 1}) : given;
      if (name.empty()) name = layer;
      by_name[name].push_back(polygon);
    }
    for (auto& [name, polygons] : by_name) add({.kind = Kind::area, .polygons = std::move(polygons), .name = name});
  }

  /// The largest text in the polygons; of equal ones the highest, then the leftmost.
  [[nodiscard]] std::string text_in(std::span<const Polygon> polygons) {
    sort_texts();
    const DrawnText* best = nullptr;
    for (const Polygon& polygon : polygons) {
      const auto [low, high] = std::minmax_element(polygon.outer.begin(), polygon.outer.end());
      auto text = std::lower_bound(drawn_.texts.begin(), drawn_.texts.end(), low->x,
                                   [](const DrawnText& t, double x) { return t.at.x < x; });
      for (; text != drawn_.texts.end() && text->at.x <= high->x; ++text) {
        const auto rank = [](const DrawnText& t) { return std::tuple(-t.height, -t.at.y, t.at.x); };
        if (covers(polygon, text->at) && (best == nullptr || rank(*text) < rank(*best))) best = &*text;
      }
    }
    return best == nullptr ? std::string() : best->text;
  }

  void sort_texts() {
    if (std::exchange(texts_sorted_, true)) return;
    std::sort(drawn_.texts.begin(), drawn_.texts.end(),
              [](const DrawnText& a, const DrawnText& b) { return std::tie(a.at, a.text) < std::tie(b.at, b.text); });
  }

  void add_rooms(const std::vector<PlanRoom>& rooms) {
    std::set<std::string> taken;
    for (const Feature& feature : environment_.features)
      if (feature.kind == Kind::area) taken.insert(feature.name);
    std::map<std::string, std::size_t> next;
    for (std::size_t i = 0; i < rooms.size(); ++i) {
      const std::string written = text_in(rooms[i].outline);
      const std::string base = written.empty() ? "room" : written;
      std::string name = written;
      while (name.empty() || taken.contains(name)) {
        std::size_t& number = next.try_emplace(base, written.empty() ? 1 : 2).first->second;
        name = fmt::format("{} {}", base, number++);
      }
      taken.insert(name);
      if (!rooms[i].has_door && rooms.size() > 1) warn_of_no_door(name, rooms[i]);
      add({.kind = Kind::area, .polygons = rooms[i].outline, .name = name});
    }
  }

  void warn_of_no_door(const std::string& name, const PlanRoom& room) {
    const Polygon& outline = room.outline.front();
    double area = 0;
    for (const Polygon& polygon : room.outline) area += area_of(polygon);
    problems_.warning(ProblemCode::geometry,
                      fmt::format("{}: at ({:g}, {:g})", source_, outline.outer[0].x, outline.outer[0].y),
                      fmt::format("{}, {:.3g} m2 from this corner on, has no door", in_quotes(name), area));
  }

  void add(Feature feature) {
    feature.number = environment_.features.size();
    environment_.features.push_back(std::move(feature));
  }

  std::string source_;
  const DxfOptions& options_;
  ProblemList problems_;
  DxfDrawing drawing_;
  std::vector<DxfLayerRole> roles_;
  bool exact_ = false;  ///< layers of dxf_throng_layers.hpp
  DrawnOut drawn_;
  bool texts_sorted_ = false;
  std::vector<PlanLine> walls_and_doors_;
  SnapGrid grid_;
  Environment environment_;
};

Result<std::string> text_of(const ImportSource& source) {
  return source.text ? Result<std::string>(*source.text) : read_file(source.name);
}

}  // namespace

Result<Environment> import_dxf(const ImportSource& source, const ImportOptions& options) {
  const Result<std::string> text = text_of(source);
  if (!text) return text.problems();
  return DxfImporter(source.name, options.dxf).run(*text);
}

Result<std::vector<DxfLayerUse>> read_dxf_layers(const ImportSource& source, const ImportOptions& options) {
  const Result<std::string> text = text_of(source);
  if (!text) return text.problems();
  return DxfImporter(source.name, options.dxf).run_layers(*text);
}

Result<DxfPlan> read_dxf_plan(const ImportSource& source, const ImportOptions& options) {
  const Result<std::string> text = text_of(source);
  if (!text) return text.problems();
  return DxfImporter(source.name, options.dxf).run_plan(*text);
}

}  // namespace throng::environment
