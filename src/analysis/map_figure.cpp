#include "analysis/map_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "drawing/plot.hpp"
#include "environment/formats/picture.hpp"

namespace throng::analysis {

namespace {

using environment::CleanEnvironment;
using environment::GridPoint;

// All in points.
constexpr double margin = 8, title_room = 26, gap = 14, footer = 62, font_size = 15;
constexpr double tallest = 1.25;  // sheets together, of the width

struct Placed {
  const Sheet* sheet = nullptr;
  Vec2 corner;  ///< where world.min lies on the page, y down
};

/// Where sheets lie on the page; y points down there.
class Page {
 public:
  Page(const std::vector<Sheet>& sheets, double width) : width_(width) {
    double left = std::numeric_limits<double>::infinity(), right = -left, widest = 1e-3, tall = 0;
    for (const Sheet& sheet : sheets) {
      left = std::min(left, sheet.world.min.x), right = std::max(right, sheet.world.max.x);
      widest = std::max(widest, sheet.world.max.x - sheet.world.min.x);
      tall += sheet.world.max.y - sheet.world.min.y;
    }
    // Storeys stand above each other as in the building, unless that would make them much smaller.
    const bool aligned = right - left <= 1.3 * widest;
    scale_ = (width - 2 * margin) / (aligned ? std::max(right - left, widest) : widest);
    if (tall > 0) scale_ = std::min(scale_, tallest * width / tall);
    double y = 2;
    for (const Sheet& sheet : sheets) {
      if (!sheet.title.empty()) y += title_room;
      const Vec2 size = (sheet.world.max - sheet.world.min) * scale_;
      const double x = aligned ? (sheet.world.min.x - left) * scale_ : 0;
      placed_.push_back({&sheet, {margin + x, y + margin + size.y}});
      y += size.y + 2 * margin + gap;
    }
    height_ = y + footer;
  }

  [[nodiscard]] const std::vector<Placed>& sheets() const { return placed_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] Vec2 at(const Placed& placed, Vec2 world) const {
    const Vec2 p = (world - placed.sheet->world.min) * scale_;
    return {placed.corner.x + p.x, placed.corner.y - p.y};
  }

 private:
  double width_, scale_ = 1, height_ = 0;
  std::vector<Placed> placed_;
};

/// Writes a picture part by part.
class Drawing {
 public:
  Drawing(const RecordedRun& run, const std::vector<Sheet>& sheets, const FigureOptions& options)
      : run_(run), environment_(run.environment), page_(sheets, options.width), options_(options) {}

  [[nodiscard]] const Page& page() const { return page_; }
  [[nodiscard]] const RecordedRun& run() const { return run_; }
  [[nodiscard]] const std::string& id() const { return options_.id; }

  void ground() {
    for (const Placed& placed : page_.sheets()) {
      const Vec2 size = (placed.sheet->world.max - placed.sheet->world.min) * page_.scale();
      const Vec2 top = placed.corner - Vec2{margin, size.y + margin};
      if (!placed.sheet->title.empty())
        put(R"(<text class="label" x="{:.1f}" y="{:.1f}" font-weight="bold">{}</text>)", top.x, top.y - 7,
            escaped(placed.sheet->title));
      put(R"(<rect class="blocked" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="#e3e1dc"/>)", top.x,
          top.y, size.x + 2 * margin, size.y + 2 * margin);
      for (const std::size_t layer : placed.sheet->layers)
        put(R"(<path class="ground" d="{}" fill="#fff" fill-rule="evenodd"/>)", outline(placed, layer));
    }
  }

  /// Types of ground, each in its colour; in order of their names.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> kinds_of_ground() const {
    std::set<std::string> types;
    for (const environment::CleanLayer& layer : environment_.layers)
      for (const environment::CleanRegion& region : layer.regions) types.insert(region.type);
    std::vector<std::pair<std::string, std::string>> kinds;
    for (const std::string& type : types) {
      const environment::Colour colour = environment::region_colour(type, kinds.size());
      kinds.emplace_back(type, fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue));
    }
    return kinds;
  }

  void regions() {
    const auto kinds = kinds_of_ground();
    for (const Placed& placed : page_.sheets())
      for (const std::size_t layer : placed.sheet->layers)
        for (const environment::CleanRegion& region : environment_.layers[layer].regions) {
          std::string path;
          for (const environment::GridPolygon& polygon : region.polygons) {
            add_line(path, placed, polygon.outer, true);
            for (const environment::GridRing& hole : polygon.holes) add_line(path, placed, hole, true);
          }
          const auto kind =
              std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == region.type; });
          put(R"(<path class="region" d="{}" fill="{}" fill-opacity=".55" fill-rule="evenodd"><title>{}</title></path>)",
              path, kind->second, escaped(region.type));
        }
  }

  /// Over whatever was laid on the ground.
  void walls() {
    for (const Placed& placed : page_.sheets())
      for (const std::size_t layer : placed.sheet->layers) {
        put(R"(<path class="edge" d="{}" fill="none" stroke="#6b665e" stroke-width=".9"/>)", outline(placed, layer));
        std::string thin;
        for (const environment::Wall& wall : environment_.layers[layer].walls)
          add_line(thin, placed, wall.points, false);
        if (!thin.empty()) put(R"(<path class="wall" d="{}" fill="none" stroke="#3b3733" stroke-width="1.6"/>)", thin);
        connections(placed, layer);
      }
  }

  /// A picture of squares, cut to the free space of the sheet.
  void image(std::size_t number, const std::string& png, Vec2 low, Vec2 high, bool sharp) {
    const Placed& placed = page_.sheets()[number];
    const Vec2 corner = page_.at(placed, {low.x, high.y});
    const Vec2 size = (high - low) * page_.scale();
    const std::string id = fmt::format("{}-{}", options_.id, number);
    // One path for all layers: browsers that unite several lose small holes.
    std::string free;
    for (const std::size_t layer : placed.sheet->layers) free += outline(placed, layer);
    put(R"(<clipPath id="{}"><path d="{}" clip-rule="evenodd"/>)", id, free);
    put(R"s(</clipPath><image clip-path="url(#{})" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" preserveAspectRatio="none"{} href="data:image/png;base64,{}"/>)s",
        id, corner.x, corner.y, size.x, size.y, sharp ? R"( image-rendering="optimizeSpeed")" : "", base64(png));
  }

  void scale_bar() {
    const double metres = round_length(0.16 * page_.width() / page_.scale());
    const double length = metres * page_.scale();
    const double x = page_.width() - margin - length, y = page_.height() - 30;
    put(R"(<path class="axis" d="M{0:.1f},{1:.1f}v8h{2:.1f}v-8" fill="none" stroke="#333" stroke-width="1.5"/>)", x,
        y - 4, length);
    put(R"(<text class="label" x="{:.1f}" y="{:.1f}" text-anchor="middle">{:g} m</text>)", x + length / 2, y + 22,
        metres);
  }

  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Arguments>(arguments)...);
  }

  [[nodiscard]] std::string finish() const {
    const std::string said = escaped(options_.description);
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" class="map" role="img" aria-label="{2}" viewBox="0 0 {0:g} {1:.0f}" width="{0:g}" height="{1:.0f}" font-family="'DejaVu Sans',Verdana,Arial,sans-serif" font-size="{3}" fill="#222" stroke-linejoin="round"><title>{2}</title>{4}</svg>)",
        page_.width(), page_.height(), said, font_size, body_);
  }

 private:
  /// The largest of 1, 2, 5, 10, ... up to a length.
  static double round_length(double most) {
    const double decade = std::pow(10, std::floor(std::log10(most)));
    return most >= 5 * decade ? 5 * decade : most >= 2 * decade ? 2 * decade : decade;
  }

  void add_line(std::string& path, const Placed& placed, const std::vector<GridPoint>& points, bool closed) const {
    char pen = 'M';
    for (const GridPoint point : points) {
      const Vec2 p = page_.at(placed, environment_.grid.to_world(point));
      fmt::format_to(std::back_inserter(path), "{}{:.1f},{:.1f}", pen, p.x, p.y);
      pen = 'L';
    }
    if (closed) path += 'Z';
  }

  [[nodiscard]] std::string outline(const Placed& placed, std::size_t layer) const {
    std::string path;
    for (const environment::GridPolygon& polygon : environment_.layers[layer].free) {
      add_line(path, placed, polygon.outer, true);
      for (const environment::GridRing& hole : polygon.holes) add_line(path, placed, hole, true);
    }
    return path;
  }

  /// Where one layer goes over into another there is no wall.
  void connections(const Placed& placed, std::size_t layer) {
    for (const environment::CleanConnection& c : environment_.connections) {
      if (c.left_layer != layer && c.right_layer != layer) continue;
      const Vec2 a = page_.at(placed, environment_.grid.to_world(c.a)),
                 b = page_.at(placed, environment_.grid.to_world(c.b));
      put(R"(<path class="door" d="M{:.1f},{:.1f}L{:.1f},{:.1f}" stroke="#fff" stroke-width="1.6" stroke-dasharray="3 2"/>)",
          a.x, a.y, b.x, b.y);
    }
  }

  const RecordedRun& run_;
  const CleanEnvironment& environment_;
  Page page_;
  const FigureOptions& options_;
  std::string body_;
};

/// Values of all layers of a sheet on one grid; not a number where there is no ground, or nothing is known of it.
struct Field {
  std::size_t width = 0, height = 0;
  Vec2 low, high;
  std::vector<float> values;
  std::vector<bool> stairs, ground;
};

const std::vector<float>& values_of(const LayerMaps& maps, MapKind kind) {
  switch (kind) {
    case MapKind::mean_density: return maps.mean;
    case MapKind::maximum_density: return maps.maximum;
    case MapKind::lasting_level: return maps.lasting;
    case MapKind::mean_speed: break;
  }
  return maps.speed;
}

Field field_of(const RecordedRun& run, const Sheet& sheet, MapKind kind) {
  const double side = run.maps.side;
  std::int64_t left = std::numeric_limits<std::int64_t>::max(), bottom = left;
  std::int64_t right = std::numeric_limits<std::int64_t>::min(), top = right;
  for (const std::size_t layer : sheet.layers) {
    const GroundRaster& raster = run.maps.layers[layer].raster;
    left = std::min(left, raster.first_column()), bottom = std::min(bottom, raster.first_row());
    right = std::max(right, raster.first_column() + std::int64_t(raster.width()));
    top = std::max(top, raster.first_row() + std::int64_t(raster.height()));
  }
  Field field;
  field.width = std::size_t(right - left), field.height = std::size_t(top - bottom);
  field.low = Vec2{double(left), double(bottom)} * side, field.high = Vec2{double(right), double(top)} * side;
  field.values.assign(field.width * field.height, std::numeric_limits<float>::quiet_NaN());
  field.stairs.assign(field.values.size(), false);
  field.ground.assign(field.values.size(), false);
  std::vector<double> free(field.values.size(), 0);
  for (const std::size_t layer : sheet.layers) {
    const LayerMaps& maps = run.maps.layers[layer];
    const std::vector<float>& values = values_of(maps, kind);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto column = std::size_t(maps.raster.first_column() - left) + i % maps.raster.width();
      const auto row = std::size_t(maps.raster.first_row() - bottom) + i / maps.raster.width();
      const std::size_t at = row * field.width + column;
      if (maps.raster.free_area(i) <= free[at]) continue;
      free[at] = maps.raster.free_area(i);
      field.values[at] = values[i];
      field.ground[at] = true;
      field.stairs[at] = run.environment.layers[layer].layer.elevation.stairs;
    }
  }
  return field;
}

/// Squares in walls take the values beside them: pictures are smoothed, and cut at the walls afterwards.
void grow(Field& field) {
  const std::vector<float> before = field.values;
  const std::vector<bool> stairs = field.stairs;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (field.ground[i] || !std::isnan(before[i])) continue;
    const std::size_t column = i % field.width;
    float sum = 0;
    int count = 0;
    const auto take = [&](bool there, std::size_t other) {
      if (!there || std::isnan(before[other])) return;
      sum += before[other], ++count;
      field.stairs[i] = stairs[other];
    };
    take(column > 0, i - 1), take(column + 1 < field.width, i + 1);
    take(i >= field.width, i - field.width), take(i + field.width < before.size(), i + field.width);
    if (count > 0) field.values[i] = sum / float(count);
  }
}

/// Between the middles of four squares.
float between(const Field& field, double x, double y) {
  const double cx = std::clamp(x - 0.5, 0.0, double(field.width - 1)),
               cy = std::clamp(y - 0.5, 0.0, double(field.height - 1));
  const auto x0 = std::size_t(cx), y0 = std::size_t(cy);
  const std::size_t x1 = std::min(x0 + 1, field.width - 1), y1 = std::min(y0 + 1, field.height - 1);
  double sum = 0, weights = 0;
  for (const auto& [column, row, weight] : {std::tuple{x0, y0, (1 - cx + double(x0)) * (1 - cy + double(y0))},
                                            std::tuple{x1, y0, (cx - double(x0)) * (1 - cy + double(y0))},
                                            std::tuple{x0, y1, (1 - cx + double(x0)) * (cy - double(y0))},
                                            std::tuple{x1, y1, (cx - double(x0)) * (cy - double(y0))}}) {
    const float value = field.values[row * field.width + column];
    if (std::isnan(value)) continue;
    sum += weight * value, weights += weight;
  }
  // Half of it known or more: so borders to what is not known run between squares.
  return weights >= 0.5 ? float(sum / weights) : std::numeric_limits<float>::quiet_NaN();
}

/// So many pixels are drawn each way for a square. Colours that go over into each other are smoothed by whoever shows them; borders of
/// levels are not, and need more where squares are large.
std::size_t pixels_of(const Field& field, bool levels) {
  constexpr std::size_t wanted_width = 1200;
  return levels ? std::clamp<std::size_t>(wanted_width / field.width, 3, 16) : 3;
}

/// Pixels finer than the raster's squares, so that borders between colours are smooth; row by row from the upper left.
template <class ColourOf>
std::vector<Pixel> fine_pixels(const Field& field, std::size_t fine, ColourOf&& colour_of) {
  std::vector<Pixel> pixels;
  const std::size_t width = field.width * fine, height = field.height * fine;
  pixels.reserve(width * height);
  for (std::size_t row = height; row-- > 0;)
    for (std::size_t column = 0; column < width; ++column) {
      const float value = between(field, (double(column) + 0.5) / double(fine), (double(row) + 0.5) / double(fine));
      pixels.push_back(colour_of(value, row / fine * field.width + column / fine));
    }
  return pixels;
}

std::vector<Pixel> level_pixels(const Field& field) {
  return fine_pixels(field, pixels_of(field, true), [&](float density, std::size_t square) {
    // Ground that nobody uses has no level.
    if (!(density > 0.005F)) return Pixel{255, 255, 255, 0};
    return level_colour(level_of_service(density, field.stairs[square]));
  });
}

std::vector<Pixel> scale_pixels(const Field& field, const ColourScale& scale) {
  return fine_pixels(field, pixels_of(field, false),
                     [&](float value, std::size_t /*square*/) { return scale.at(value); });
}

std::string hex(Pixel p) { return fmt::format("#{:02x}{:02x}{:02x}", p.red, p.green, p.blue); }

void draw_colour_bar(Drawing& drawing, const ColourScale& scale) {
  constexpr double height = 14;
  const double width = std::min(420.0, 0.6 * drawing.page().width());
  const double x = margin, y = drawing.page().height() - 36;
  drawing.put(R"(<linearGradient id="{}-colours">)", drawing.id());
  for (std::size_t i = 0; i < scale.colours.size(); ++i)
    drawing.put(R"(<stop offset="{:.4f}" stop-color="{}"/>)", double(i) / double(scale.colours.size() - 1),
                hex(scale.colours[i]));
  drawing.put(
      R"s(</linearGradient><rect class="axis" x="{:.1f}" y="{:.1f}" width="{}" height="{}" fill="url(#{}-colours)" stroke="#333" stroke-width=".8"/>)s",
      x, y, width, height, drawing.id());
  for (const double t : ticks(0, scale.high, 5))
    drawing.put(R"(<text class="label" x="{:.1f}" y="{:.1f}" text-anchor="middle" font-size="13">{:g}</text>)",
                x + width * t / scale.high, y + height + 15, t);
  drawing.put(R"(<text class="label" x="{:.1f}" y="{:.1f}">{}</text>)", x, y - 7, escaped(scale.label));
}

void draw_level_bar(Drawing& drawing) {
  const double y = drawing.page().height() - 36;
  const bool roomy = drawing.page().width() > 800;  // for the bounds beside the letters
  for (std::size_t i = 0; i < level_count; ++i) {
    const double x = margin + (roomy ? 96 : 50) * double(i);
    drawing.put(
        R"(<rect class="swatch" x="{:.1f}" y="{:.1f}" width="24" height="18" fill="{}" stroke="#333" stroke-width=".8"/>)",
        x, y, hex(level_colour(i)));
    const double bound = walkway_levels[std::min(i, level_count - 2)];
    const std::string range =
        fmt::format(R"( <tspan font-size="12">{} {:.2f}</tspan>)", i + 1 == level_count ? "&gt;" : "&#8804;", bound);
    drawing.put(R"(<text class="label" x="{:.1f}" y="{:.1f}">{}{}</text>)", x + 29, y + 15, level_names[i],
                roomy ? range : "");
  }
  drawing.put(R"(<text class="label" x="{:.1f}" y="{:.1f}">level of service{}</text>)", margin, y - 7,
              roomy ? "; on the level, persons / m&#178;" : "");
}

/// Named places and measured lines, so that a reader finds the way about.
void draw_labels(Drawing& drawing) {
  const RecordedRun& run = drawing.run();
  for (const Placed& placed : drawing.page().sheets()) {
    for (const LineResult& line : run.lines) {
      const auto& layers = placed.sheet->layers;
      if (std::find(layers.begin(), layers.end(), line.line.layer) == layers.end()) continue;
      const Vec2 a = drawing.page().at(placed, line.line.from), b = drawing.page().at(placed, line.line.to);
      drawing.put(R"(<path class="measured" d="M{:.1f},{:.1f}L{:.1f},{:.1f}" stroke="#111" stroke-width="3.5"/>)", a.x,
                  a.y, b.x, b.y);
    }
    for (const std::size_t layer : placed.sheet->layers)
      for (const environment::CleanArea& area : run.environment.layers[layer].areas) {
        geometry::Box box{run.environment.grid.to_world(area.polygons[0].outer[0]), {}};
        box.max = box.min;
        for (const GridPoint corner : area.polygons[0].outer) {
          const Vec2 p = run.environment.grid.to_world(corner);
          box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
          box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
        }
        const Vec2 at = drawing.page().at(placed, (box.min + box.max) / 2);
        drawing.put(
            R"(<text class="name" x="{:.1f}" y="{:.1f}" text-anchor="middle" font-size="11" fill="#222" stroke="#fff" stroke-width="2.5" paint-order="stroke">{}</text>)",
            std::clamp(at.x, margin + text_width(area.name, 11) / 2,
                       drawing.page().width() - margin - text_width(area.name, 11) / 2),
            at.y + 4, escaped(area.name));
      }
  }
}

/// How much is left out.
struct Thinning {
  double tolerance = 0.25;  ///< points
  std::size_t every = 1;    ///< person

  [[nodiscard]] Thinning more() const {
    return tolerance < 1 ? Thinning{tolerance * 1.6, every} : Thinning{tolerance, every * 2};
  }
};

/// The ways of one sheet as paths; coordinates in tenths of a point.
std::string ways_of(const RecordedRun& run, const Page& page, const Placed& placed, const Thinning& thinning) {
  const std::set<std::size_t> layers(placed.sheet->layers.begin(), placed.sheet->layers.end());
  std::string out;
  for (const Track& track : run.tracks) {
    if (!layers.contains(track.layer) || track.walker % thinning.every != 0) continue;
    const std::vector<Vec2> points = simplified(track.points, thinning.tolerance / page.scale());
    if (points.size() < 2) continue;
    fmt::format_to(std::back_inserter(out), R"(<path class="s{0}" stroke="{1}" d="M)", track.population % 8,
                   series_colour(track.population));
    std::int64_t last_x = 0, last_y = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec2 p = page.at(placed, points[i]);
      const std::int64_t x = std::llround(10 * p.x), y = std::llround(10 * p.y);
      fmt::format_to(std::back_inserter(out), "{}{} {}", i == 0 ? "" : i == 1 ? "l" : " ", x - last_x, y - last_y);
      last_x = x, last_y = y;
    }
    out += "\"/>";
  }
  return out;
}

/// Names in the colours of series below the map, then types of ground where they are shown.
void draw_legend(Drawing& drawing, const std::vector<std::string>& names, bool has_ground = false) {
  double x = margin, y = drawing.page().height() - 36;
  const double end = 0.78 * drawing.page().width();
  /// Whether there is room for a name; false: the colours of more than fit are left to the eye.
  double left = x;
  const auto begin_entry = [&](const std::string& name) {
    const double width = 34 + text_width(name, font_size) + 16;
    if (x + width > end && x > margin) x = margin, y += 22;
    if (y > drawing.page().height() - 8) return false;
    drawing.put(R"(<text class="label" x="{:.1f}" y="{:.1f}">{}</text>)", x + 32, y + 10, escaped(name));
    left = x, x += width;
    return true;
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!begin_entry(names[i])) return;
    drawing.put(R"(<path class="way s{}" d="M{:.1f},{:.1f}h26" stroke="{}" stroke-width="3"/>)", i % 8, left, y + 5,
                series_colour(i));
  }
  if (!has_ground) return;
  for (const auto& [type, colour] : drawing.kinds_of_ground()) {
    if (!begin_entry(type)) return;
    drawing.put(R"(<rect class="region" x="{:.1f}" y="{:.1f}" width="26" height="12" fill="{}" fill-opacity=".55"/>)",
                left, y - 1, colour);
  }
}

}  // namespace

Pixel ColourScale::at(double value) const {
  if (!(value >= visible_from)) return {255, 255, 255, 0};
  const double place = std::clamp(value / high, 0.0, 1.0) * double(colours.size() - 1);
  const auto lower = std::min(std::size_t(place), colours.size() - 2);
  const double part = place - double(lower);
  const auto mix = [&](std::uint8_t a, std::uint8_t b) { return std::uint8_t(std::lround(a + part * (b - a))); };
  const Pixel &a = colours[lower], &b = colours[lower + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue), 255};
}

ColourScale density_scale(double high) {
  return {"persons / m\u00b2",
          high,
          {{255, 252, 214},
           {255, 237, 160},
           {254, 204, 92},
           {253, 153, 60},
           {240, 84, 40},
           {200, 20, 38},
           {120, 0, 38},
           {52, 0, 28}},
          0.01};
}

ColourScale speed_scale(double high) {
  return {"m/s",
          high,
          {{37, 7, 75}, {87, 16, 110}, {147, 38, 103}, {205, 66, 71}, {241, 113, 31}, {252, 180, 60}, {247, 246, 170}},
          0};
}

Pixel level_colour(std::size_t level) {
  constexpr Pixel colours[level_count] = {{229, 243, 250}, {255, 236, 150}, {254, 198, 79},
                                          {249, 136, 46},  {214, 47, 39},   {98, 0, 40}};
  return colours[level];
}

double round_up(double value) {
  for (const double candidate : {0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
    if (value <= candidate) return candidate;
  return std::ceil(value / 5) * 5;
}

std::vector<Vec2> simplified(const std::vector<Vec2>& points, double tolerance) {
  if (points.size() < 3) return points;
  std::vector<bool> kept(points.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, points.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    const Vec2 a = points[first], way = points[last] - a;
    const double length2 = squared_length(way);
    double most = tolerance * tolerance;
    std::size_t furthest = 0;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double along = length2 > 0 ? std::clamp(dot(points[i] - a, way) / length2, 0.0, 1.0) : 0.0;
      const double off = squared_length(points[i] - a - way * along);
      if (off > most) most = off, furthest = i;
    }
    if (furthest == 0) continue;
    kept[furthest] = true;
    open.emplace_back(first, furthest);
    open.emplace_back(furthest, last);
  }
  std::vector<Vec2> result;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (kept[i]) result.push_back(points[i]);
  return result;
}

Result<std::string> draw_map(const RecordedRun& run, const std::vector<Sheet>& sheets, MapKind kind,
                             const ColourScale& scale, const FigureOptions& options) {
  Drawing drawing(run, sheets, options);
  drawing.ground();
  const bool levels = kind == MapKind::lasting_level;
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    Field field = field_of(run, sheets[i], kind);
    grow(field), grow(field);
    const Result<std::string> png =
        png_of(levels ? level_pixels(field) : scale_pixels(field, scale), field.width * pixels_of(field, levels));
    if (!png) return png.problems();
    drawing.image(i, *png, field.low, field.high, levels);
  }
  drawing.walls();
  if (levels)
    draw_level_bar(drawing);
  else
    draw_colour_bar(drawing, scale);
  drawing.scale_bar();
  return drawing.finish();
}

WaysFigure draw_ways(const RecordedRun& run, const std::vector<Sheet>& sheets, std::size_t bytes,
                     const FigureOptions& options) {
  Drawing drawing(run, sheets, options);
  drawing.ground();
  drawing.regions();
  std::string ways;
  Thinning thinning;
  for (;; thinning = thinning.more()) {
    ways.clear();
    for (const Placed& placed : drawing.page().sheets()) ways += ways_of(run, drawing.page(), placed, thinning);
    if (ways.size() <= bytes || thinning.every >= std::max<std::size_t>(1, run.people_with_tracks)) break;
  }
  const std::size_t people = (run.people_with_tracks + thinning.every - 1) / thinning.every;
  // The fewer people, the clearer each way.
  const double opacity = std::clamp(12 / std::sqrt(double(people) + 1), 0.18, 0.9);
  drawing.put(R"s(<g class="ways" transform="scale(.1)" fill="none" stroke-width="8" stroke-opacity="{:.2f}">{}</g>)s",
              opacity, ways);
  drawing.walls();
  draw_labels(drawing);
  draw_legend(drawing, run.meta.populations, true);
  drawing.scale_bar();
  return {drawing.finish(), people};
}

std::string draw_dots(const RecordedRun& run, const std::vector<Sheet>& sheets, const std::vector<DotsOnMap>& kinds,
                      const FigureOptions& options) {
  Drawing drawing(run, sheets, options);
  drawing.ground();
  drawing.walls();
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    names.push_back(kinds[kind].name);
    for (const Placed& placed : drawing.page().sheets()) {
      const std::set<std::size_t> layers(placed.sheet->layers.begin(), placed.sheet->layers.end());
      for (const SeenAt& place : kinds[kind].places) {
        if (!layers.contains(place.layer)) continue;
        const Vec2 p = drawing.page().at(placed, place.point);
        drawing.put(R"(<circle class="s{}" cx="{:.1f}" cy="{:.1f}" r="3.2" fill="{}" fill-opacity=".6"/>)", kind % 8,
                    p.x, p.y, series_colour(kind));
      }
    }
  }
  draw_labels(drawing);
  draw_legend(drawing, names);
  drawing.scale_bar();
  return drawing.finish();
}

}  // namespace throng::analysis
