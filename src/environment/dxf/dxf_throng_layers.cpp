#include "environment/dxf/dxf_throng_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "environment/dxf/ring_nesting.hpp"
#include "environment/shapes.hpp"
#include "text/csv.hpp"
#include "text/nearest_name.hpp"
#include "text/utf8.hpp"

namespace throng::environment {
namespace {

constexpr std::string_view prefix = "THRONG$";
constexpr std::string_view shape_kinds[] = {"walkable", "obstacle", "wall", "opening", "region", "area", "connection"};
constexpr std::string_view height_kinds[] = {"elevation", "ramp", "stairs"};
/// What AutoCAD refuses in names of layers, and what parts ours.
constexpr std::string_view forbidden = "<>/\\\":;?*|=`,$%";

void append_encoded(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const unsigned char byte = static_cast<unsigned char>(c);
    const bool blank_end = c == ' ' && (i == 0 || i + 1 == text.size());
    if (byte < 0x20 || byte == 0x7F || blank_end || forbidden.find(c) != std::string_view::npos)
      out += fmt::format("%{:02X}", byte);
    else
      out += c;
  }
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* from = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(from, from + 2, value, 16).ptr == from + 2) {
      out += char(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return find_bad_utf8(out) ? std::string(text) : out;
}

class ThrongLayerReader {
 public:
  ThrongLayerReader(const DxfDrawing& drawing, const std::string& source, ProblemList& problems)
      : drawing_(drawing), source_(source), problems_(problems) {
    environment_.source = source;
  }

  Environment run(const DrawnOut& drawn) {
    name_layers();
    read_comments();
    for (const DrawnLine& point : drawn.points) read_height(point);
    for (const DrawnLine& line : drawn.lines) take(line);
    std::vector<std::pair<std::size_t, std::uint32_t>> order;
    for (const auto& [id, shapes] : shapes_) order.emplace_back(layer_index_.at(names_.at(id).layer), id);
    std::sort(order.begin(), order.end());
    for (const auto& [layer, id] : order) add_feature(names_.at(id), shapes_.at(id));
    for (Feature& connection : connections_) add(std::move(connection));
    return std::move(environment_);
  }

 private:
  struct Shapes {
    std::vector<Ring> rings;
    std::vector<Line> lines;
  };

  void name_layers() {
    for (std::uint32_t id = 0; id < drawing_.layers().size(); ++id) {
      const std::string& name = drawing_.layers()[id].name;
      if (!is_throng_layer(name)) continue;
      const std::optional<ThrongLayerName> parsed = parse_throng_layer(name);
      if (!parsed) {
        std::vector<std::string_view> known(std::begin(shape_kinds), std::end(shape_kinds));
        known.insert(known.end(), std::begin(height_kinds), std::end(height_kinds));
        const std::string_view kind = std::string_view(name).substr(std::min(name.size(), name.rfind('$') + 1));
        problems_.error(ProblemCode::schema, fmt::format("{}: layer {}", source_, in_quotes(name)),
                        "THRONG$LAYER$KIND is wanted, and this is no kind: " + suggest(kind, known));
        continue;
      }
      names_.emplace(id, *parsed);
      add_layer(parsed->layer);
    }
    for (const auto& [id, name] : names_)
      if (name.kind == "connection" && !layer_index_.contains(name.name))
        problems_.error(ProblemCode::value, fmt::format("{}: layer {}", source_, in_quotes(drawing_.layers()[id].name)),
                        fmt::format("there is no layer {} to connect to", in_quotes(name.name)));
  }

  void add_layer(const std::string& id) {
    if (layer_index_.emplace(id, environment_.layers.size()).second) environment_.layers.push_back({id, {}});
  }

  /// The numbers behind a comment's first words, or nothing where it begins otherwise.
  static std::optional<std::vector<double>> numbers_behind(std::string_view comment, std::string_view mark) {
    if (!comment.starts_with(mark)) return std::nullopt;
    std::vector<double> numbers;
    comment.remove_prefix(mark.size());
    while (!comment.empty()) {
      const std::size_t end = std::min(comment.find(' '), comment.size());
      const std::optional<double> number = to_number(comment.substr(0, end));
      if (!number) break;
      numbers.push_back(*number);
      comment.remove_prefix(std::min(end + 1, comment.size()));
    }
    return numbers;
  }

  void read_comments() {
    for (const std::string& comment : drawing_.comments()) {
      const auto refuse = [&](std::string_view what) {
        problems_.error(ProblemCode::value, source_,
                        fmt::format("the comment {} names no {}", in_quotes(comment), what));
      };
      if (const auto numbers = numbers_behind(comment, "throng grid ")) {
        if (!set_grid(*numbers)) refuse("grid");
      } else if (const auto degrees = numbers_behind(comment, "throng origin ")) {
        const bool place = degrees->size() == 2 && std::abs((*degrees)[0]) <= 180 && std::abs((*degrees)[1]) <= 90;
        if (place)
          environment_.origin = {(*degrees)[0], (*degrees)[1]};
        else
          refuse("longitude and latitude");
      }
    }
  }

  bool set_grid(const std::vector<double>& numbers) {
    constexpr double largest = 9e15;
    if (numbers.size() != 3 || !(numbers[0] >= 1e-9 && numbers[0] <= 1e9) || !(std::abs(numbers[1]) < largest) ||
        !(std::abs(numbers[2]) < largest))
      return false;
    environment_.grid.emplace(numbers[0], std::int64_t(numbers[1]), std::int64_t(numbers[2]));
    return true;
  }

  void read_height(const DrawnLine& point) {
    const auto name = names_.find(point.layer);
    if (name == names_.end() || name->second.kind != "elevation") return;
    environment_.layers[layer_index_.at(name->second.layer)].elevation = {.z = point.first_z};
  }

  [[nodiscard]] std::string place(const DrawnLine& line) const { return fmt::format("{}:{}", source_, line.line); }

  void take(const DrawnLine& line) {
    const auto found = names_.find(line.layer);
    if (found == names_.end()) return;
    const ThrongLayerName& name = found->second;
    if (name.kind == "ramp" || name.kind == "stairs") return take_ramp(line, name);
    if (name.kind == "connection") return take_connection(line, name);
    if (name.kind == "elevation") return;
    Shapes& shapes = shapes_[line.layer];
    if (name.kind == "wall") {
      shapes.lines.push_back(line.points);
      if (line.closed) shapes.lines.back().push_back(line.points.front());
    } else if (!line.closed) {
      problems_.error(ProblemCode::geometry, place(line), fmt::format("a closed shape is wanted as {}", name.kind));
    } else if (ClosedRing ring; const auto complaint = make_ring(line.points, ring)) {
      problems_.error(complaint->code, place(line), complaint->message);
    } else {
      shapes.rings.push_back(std::move(ring.ring));
    }
  }

  void take_ramp(const DrawnLine& line, const ThrongLayerName& name) {
    if (line.points.size() != 2)
      return problems_.error(ProblemCode::geometry, place(line), "a ramp is a line of two points in space");
    environment_.layers[layer_index_.at(name.layer)].elevation = {.ramp = true,
                                                                  .stairs = name.kind == "stairs",
                                                                  .from = line.points[0],
                                                                  .to = line.points[1],
                                                                  .z_from = line.first_z,
                                                                  .z_to = line.last_z};
  }

  void take_connection(const DrawnLine& line, const ThrongLayerName& name) {
    const auto other = layer_index_.find(name.name);
    if (other == layer_index_.end()) return;
    const std::size_t layer = layer_index_.at(name.layer);
    if (line.points.size() != 2 || layer == other->second)
      return problems_.error(ProblemCode::geometry, place(line),
                             "a connection is a line of two points between two layers");
    connections_.push_back(
        {.kind = Kind::connection, .layer = layer, .other_layer = other->second, .lines = {line.points}});
  }

  void add_feature(const ThrongLayerName& name, Shapes& shapes) {
    if (shapes.rings.empty() && shapes.lines.empty()) return;
    const auto kind = std::find(std::begin(kind_names), std::end(kind_names), name.kind);
    Feature feature;
    feature.kind = name.kind == "wall" ? Kind::obstacle : Kind(kind - std::begin(kind_names));
    feature.layer = layer_index_.at(name.layer);
    feature.polygons = nest_rings(std::move(shapes.rings));
    feature.lines = std::move(shapes.lines);
    if (feature.kind == Kind::region) feature.type = name.name;
    if (feature.kind == Kind::area) feature.name = name.name;
    add(std::move(feature));
  }

  void add(Feature feature) {
    feature.number = environment_.features.size();
    environment_.features.push_back(std::move(feature));
  }

  const DxfDrawing& drawing_;
  const std::string& source_;
  ProblemList& problems_;
  std::map<std::uint32_t, ThrongLayerName> names_;  ///< by the drawing's layer
  std::map<std::string, std::size_t> layer_index_;
  std::map<std::uint32_t, Shapes> shapes_;
  std::vector<Feature> connections_;
  Environment environment_;
};

}  // namespace

bool is_throng_layer(std::string_view name) { return name.starts_with(prefix); }

std::optional<ThrongLayerName> parse_throng_layer(std::string_view name) {
  if (!is_throng_layer(name)) return std::nullopt;
  name.remove_prefix(prefix.size());
  const std::size_t kind_at = name.find('$');
  if (kind_at == std::string_view::npos || kind_at == 0) return std::nullopt;
  const std::string_view rest = name.substr(kind_at + 1);
  const std::size_t name_at = rest.find('$');
  ThrongLayerName parsed{decoded(name.substr(0, kind_at)), std::string(rest.substr(0, name_at)),
                         name_at == std::string_view::npos ? std::string() : decoded(rest.substr(name_at + 1))};
  const bool shape = std::find(std::begin(shape_kinds), std::end(shape_kinds), parsed.kind) != std::end(shape_kinds);
  const bool height =
      std::find(std::begin(height_kinds), std::end(height_kinds), parsed.kind) != std::end(height_kinds);
  if (!shape && !height) return std::nullopt;
  return parsed;
}

std::string to_string(const ThrongLayerName& name) {
  std::string out(prefix);
  append_encoded(out, name.layer);
  out += '$' + name.kind;
  if (!name.name.empty()) append_encoded(out += '$', name.name);
  return out;
}

Environment read_throng_layers(const DxfDrawing& drawing, const DrawnOut& drawn, const std::string& source,
                               ProblemList& problems) {
  return ThrongLayerReader(drawing, source, problems).run(drawn);
}

}  // namespace throng::environment
