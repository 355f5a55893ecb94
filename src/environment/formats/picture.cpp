#include "environment/formats/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "text/nearest_name.hpp"

namespace throng::environment {
namespace {

// All in points.
constexpr double longest_side = 1000;
constexpr double narrowest_page = 420;
constexpr double margin = 24;
constexpr double gap = 36;
constexpr double title_height = 30;
constexpr double legend_row = 18;
constexpr double legend_height = 3 * legend_row;
constexpr double border = 6;  ///< of not walkable ground around a layer

constexpr Colour ink = {40, 40, 40};
constexpr Colour free_ground = {255, 255, 255};
constexpr Colour blocked_ground = {203, 198, 190};
constexpr Colour outline = {92, 86, 78};
constexpr Colour wall_colour = {150, 30, 30};
constexpr Colour area_colour = {0, 90, 181};
constexpr Colour connection_colour = {213, 94, 0};

geometry::Box box_of(const CleanLayer& layer, const geometry::SnapGrid& grid) {
  std::vector<Vec2> points;
  for (const GridPolygon& polygon : layer.free)
    for (const GridPoint p : polygon.outer) points.push_back(grid.to_world(p));
  for (const Wall& wall : layer.walls)
    for (const GridPoint p : wall.points) points.push_back(grid.to_world(p));
  if (points.empty()) return {{0, 0}, {1, 1}};
  geometry::Box box{points[0], points[0]};
  for (const Vec2 p : points) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
}

/// The largest of 1, 2, 5, 10, 20, ... metres (or parts of one) up to a length.
double round_length(double most) {
  const double decade = std::pow(10, std::floor(std::log10(most)));
  return most >= 5 * decade ? 5 * decade : most >= 2 * decade ? 2 * decade : decade;
}

Vec2 middle_of(const GridPolygon& polygon, const geometry::SnapGrid& grid) {
  Vec2 low = grid.to_world(polygon.outer[0]), high = low;
  for (const GridPoint corner : polygon.outer) {
    const Vec2 p = grid.to_world(corner);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return (low + high) / 2;
}

class Artist {
 public:
  Artist(Canvas& canvas, const CleanEnvironment& environment, const Layout& layout,
         const std::map<std::string, std::string>& notes)
      : canvas_(canvas), environment_(environment), grid_(environment.grid), layout_(layout), notes_(notes) {
    for (const Panel& panel : layout.panels)
      for (const CleanRegion& region : environment.layers[panel.layer].regions)
        if (std::find(types_.begin(), types_.end(), region.type) == types_.end()) types_.push_back(region.type);
  }

  void draw(const std::string& title) {
    canvas_.begin_group("paper");
    canvas_.page_rectangle({0, 0}, {layout_.width, layout_.height}, Style::area(free_ground));
    canvas_.page_text({margin, layout_.height - 20}, title, {.size = 13, .colour = ink});
    for (const Panel& panel : layout_.panels) draw_panel(panel);
    draw_legend();
    draw_scale_bar();
  }

 private:
  void draw_panel(const Panel& panel) {
    const CleanLayer& layer = environment_.layers[panel.layer];
    const std::string suffix = layout_.panels.size() > 1 ? " " + layer.layer.id : std::string();
    canvas_.set_view(panel.view);
    canvas_.begin_group("ground" + suffix);
    const bool several = environment_.layers.size() > 1;
    const Colour frame = several ? palette(panel.layer) : outline;
    canvas_.page_rectangle(panel.page_low, panel.page_high,
                           Style::area(blocked_ground).with_outline(frame, several ? 1.5 : 0.5));
    if (several) draw_layer_label(panel, layer.layer);
    for (const GridPolygon& polygon : layer.free) canvas_.polygon(rings_of(polygon, grid_), Style::area(free_ground));
    canvas_.begin_group("regions" + suffix);
    for (const CleanRegion& region : layer.regions)
      for (const GridPolygon& polygon : region.polygons)
        canvas_.polygon(rings_of(polygon, grid_), Style::area(colour_of(region.type), 0.55));
    canvas_.begin_group("boundary" + suffix);
    for (const GridPolygon& polygon : layer.free) canvas_.polygon(rings_of(polygon, grid_), Style::line(outline, 0.6));
    draw_walls(layer);
    canvas_.begin_group("areas" + suffix);
    for (const CleanArea& area : layer.areas) draw_area(area);
    canvas_.begin_group("connections" + suffix);
    for (const CleanConnection& connection : environment_.connections) draw_connection(connection, panel.layer);
    canvas_.end_group();
  }

  void draw_layer_label(const Panel& panel, const Layer& layer) {
    const Elevation& e = layer.elevation;
    const std::string height =
        e.ramp ? fmt::format("{} from {:g} m to {:g} m", e.stairs ? "stairs" : "ramp", e.z_from, e.z_to)
               : fmt::format("at {:g} m", e.z);
    canvas_.page_text({panel.page_low.x, panel.page_high.y + 5}, fmt::format("{} ({})", layer.id, height),
                      {.size = 11, .colour = palette(panel.layer)});
  }

  void draw_walls(const CleanLayer& layer) {
    for (const Wall& wall : layer.walls) {
      std::vector<Vec2> points;
      points.reserve(wall.points.size());
      for (const GridPoint p : wall.points) points.push_back(grid_.to_world(p));
      canvas_.polyline(points, Style::line(wall_colour, 1.2));
    }
  }

  void draw_area(const CleanArea& area) {
    for (const GridPolygon& polygon : area.polygons)
      canvas_.polygon(rings_of(polygon, grid_), Style::area(area_colour, 0.12).with_outline(area_colour, 0.8));
    if (!area.polygons.empty())
      canvas_.text(middle_of(area.polygons.front(), grid_), area.name,
                   {.size = 9, .colour = area_colour, .align = Align::middle});
  }

  void draw_connection(const CleanConnection& connection, std::size_t layer) {
    if (connection.left_layer != layer && connection.right_layer != layer) return;
    const std::size_t other = connection.left_layer == layer ? connection.right_layer : connection.left_layer;
    const Vec2 a = grid_.to_world(connection.a), b = grid_.to_world(connection.b);
    canvas_.segment(a, b, Style::line(connection_colour, 3));
    // The label goes to where this layer's free space is: left of a->b, or right of it.
    const Vec2 left = perpendicular(b - a) / std::sqrt(squared_length(b - a));
    const Vec2 inwards = connection.left_layer == layer ? left : -left;
    const Align align = inwards.x > 0.5 ? Align::left : inwards.x < -0.5 ? Align::right : Align::middle;
    canvas_.text((a + b) / 2 + inwards * (8 / layout_.scale), "to " + environment_.layers[other].layer.id,
                 {.size = 9, .colour = palette(other), .align = align});
  }

  [[nodiscard]] Colour colour_of(const std::string& type) const {
    return region_colour(type, std::size_t(std::find(types_.begin(), types_.end(), type) - types_.begin()));
  }

  [[nodiscard]] std::string note_of(const std::string& type) const {
    const auto at = notes_.find(type);
    return at == notes_.end() ? std::string() : " " + at->second;
  }

  struct Entry {
    std::string text;
    Style style;
    bool line = false;
  };

  [[nodiscard]] std::vector<Entry> legend() const {
    std::vector<Entry> entries = {{"free space" + note_of(""), Style::area(free_ground).with_outline(outline, 0.6)},
                                  {"not walkable", Style::area(blocked_ground).with_outline(outline, 0.6)}};
    const auto any = [&](auto&& has) {
      return std::any_of(layout_.panels.begin(), layout_.panels.end(),
                         [&](const Panel& panel) { return has(environment_.layers[panel.layer]); });
    };
    if (any([](const CleanLayer& layer) { return !layer.walls.empty(); }))
      entries.push_back({"thin wall", Style::line(wall_colour, 1.2), true});
    for (const std::string& type : types_)
      entries.push_back({type + note_of(type), Style::area(colour_of(type), 0.55)});
    if (any([](const CleanLayer& layer) { return !layer.areas.empty(); }))
      entries.push_back({"named area", Style::area(area_colour, 0.12).with_outline(area_colour, 0.8)});
    if (!environment_.connections.empty()) entries.push_back({"connection", Style::line(connection_colour, 3), true});
    return entries;
  }

  void draw_legend() {
    canvas_.begin_group("legend");
    Vec2 at{margin, legend_height};
    for (const Entry& entry : legend()) {
      const double width = 34 + 5.6 * double(entry.text.size());
      if (at.x > margin && at.x + width > layout_.width - margin) at = {margin, at.y - legend_row};
      // More types than fit are left to the colours.
      if (at.y < 2 * legend_row - 1) break;
      if (entry.line)
        canvas_.page_segment(at + Vec2{0, 4}, at + Vec2{16, 4}, entry.style);
      else
        canvas_.page_rectangle(at + Vec2{0, -1}, at + Vec2{16, 9}, entry.style);
      canvas_.page_text(at + Vec2{21, 0}, entry.text, {.size = 10, .colour = ink});
      at.x += width;
    }
  }

  void draw_scale_bar() {
    canvas_.begin_group("scale");
    const double metres = round_length(150 / layout_.scale);
    const double length = metres * layout_.scale;
    const Vec2 low{margin, 14};
    const Style style = Style::line(ink, 1.2);
    canvas_.page_segment(low, low + Vec2{length, 0}, style);
    for (const double x : {0.0, length}) canvas_.page_segment(low + Vec2{x, -3}, low + Vec2{x, 3}, style);
    canvas_.page_text(low + Vec2{length + 6, -3}, fmt::format("{:g} m", metres), {.size = 10, .colour = ink});
    canvas_.end_group();
  }

  Canvas& canvas_;
  const CleanEnvironment& environment_;
  const geometry::SnapGrid& grid_;
  const Layout& layout_;
  const std::map<std::string, std::string>& notes_;
  std::vector<std::string> types_;  ///< of regions, in order of appearance
};

Result<std::string> picture(const CleanEnvironment& environment, const WriteOptions& options,
                            std::unique_ptr<Canvas> (*make)(double, double, std::string_view)) {
  std::optional<std::size_t> only;
  if (options.layer) {
    std::vector<std::string_view> known;
    known.reserve(environment.layers.size());
    for (const CleanLayer& layer : environment.layers) known.push_back(layer.layer.id);
    const auto found = std::find(known.begin(), known.end(), *options.layer);
    if (found == known.end())
      return Problem{Severity::error, ProblemCode::value, "", "unknown layer " + suggest(*options.layer, known)};
    only = std::size_t(found - known.begin());
  }
  const Layout layout = lay_out(environment, only);
  const std::unique_ptr<Canvas> canvas = make(layout.width, layout.height, options.title);
  draw_environment(*canvas, environment, layout, options.title);
  return canvas->finish();
}

}  // namespace

const Panel* Layout::panel_of(std::size_t layer) const {
  const auto found =
      std::find_if(panels.begin(), panels.end(), [&](const Panel& panel) { return panel.layer == layer; });
  return found == panels.end() ? nullptr : &*found;
}

Colour region_colour(const std::string& type, std::size_t index) {
  constexpr std::pair<std::string_view, Colour> known[] = {
      {"grass", {120, 190, 90}},     {"road", {150, 150, 155}}, {"water", {90, 160, 220}}, {"sand", {230, 205, 130}},
      {"pavement", {200, 200, 205}}, {"path", {200, 170, 120}}, {"forest", {50, 130, 60}}, {"stairs", {190, 150, 200}}};
  for (const auto& [name, colour] : known)
    if (type == name) return colour;
  return palette(index + 2);
}

Layout lay_out(const CleanEnvironment& environment, std::optional<std::size_t> only) {
  Layout layout;
  Vec2 largest;
  Vec2 sum;
  for (std::size_t i = 0; i < environment.layers.size(); ++i) {
    if (only && i != *only) continue;
    Panel panel;
    panel.layer = i;
    panel.world = box_of(environment.layers[i], environment.grid);
    const Vec2 size = panel.world.max - panel.world.min;
    largest = {std::max(largest.x, size.x), std::max(largest.y, size.y)};
    sum += size;
    layout.panels.push_back(panel);
  }
  const bool in_a_row = std::max(sum.x, largest.y) <= std::max(largest.x, sum.y);
  const Vec2 world = in_a_row ? Vec2{sum.x, largest.y} : Vec2{largest.x, sum.y};
  const double longest = std::max(world.x, world.y);
  layout.scale = longest > 0 ? longest_side / longest : 1;

  Vec2 corner{margin, title_height};  // from the upper left, going down
  double right = 0, bottom = 0;
  const double label = environment.layers.size() > 1 ? 18 : 0;
  for (Panel& panel : layout.panels) {
    const Vec2 size = (panel.world.max - panel.world.min) * layout.scale + Vec2{2 * border, 2 * border};
    panel.page_low = {corner.x, corner.y + label + size.y};
    panel.page_high = {corner.x + size.x, corner.y + label};
    right = std::max(right, panel.page_high.x);
    bottom = std::max(bottom, panel.page_low.y);
    corner += in_a_row ? Vec2{size.x + gap, 0} : Vec2{0, size.y + gap};
  }
  layout.width = std::max(right + margin, narrowest_page);
  layout.height = bottom + margin / 2 + legend_height + 2 * legend_row - margin;
  for (Panel& panel : layout.panels) {
    panel.page_low.y = layout.height - panel.page_low.y;
    panel.page_high.y = layout.height - panel.page_high.y;
    panel.view = {panel.world.min, panel.page_low + Vec2{border, border}, layout.scale};
  }
  return layout;
}

void draw_environment(Canvas& canvas, const CleanEnvironment& environment, const Layout& layout,
                      const std::string& title, const std::map<std::string, std::string>& notes) {
  Artist(canvas, environment, layout, notes).draw(title);
}

std::vector<std::vector<Vec2>> rings_of(const GridPolygon& polygon, const geometry::SnapGrid& grid) {
  std::vector<std::vector<Vec2>> rings;
  const auto add = [&](const GridRing& ring) {
    std::vector<Vec2>& points = rings.emplace_back();
    points.reserve(ring.size());
    for (const GridPoint p : ring) points.push_back(grid.to_world(p));
  };
  add(polygon.outer);
  for (const GridRing& hole : polygon.holes) add(hole);
  return rings;
}

Result<std::string> write_clean_svg(const CleanEnvironment& environment, const WriteOptions& options) {
  return picture(environment, options, make_svg_canvas);
}

Result<std::string> write_clean_ipe(const CleanEnvironment& environment, const WriteOptions& options) {
  return picture(environment, options, make_ipe_canvas);
}

}  // namespace throng::environment
