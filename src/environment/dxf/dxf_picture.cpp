#include "environment/dxf/dxf_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "drawing/drawing.hpp"

namespace throng::environment {
namespace {

constexpr Colour red{213, 0, 0}, dark{40, 40, 40}, blue{0, 114, 178}, white{255, 255, 255};
constexpr double page_side = 900, margin = 30, heading = 26;

geometry::Box box_of(const DxfPlan& plan) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  geometry::Box box{{infinite, infinite}, {-infinite, -infinite}};
  for (const PlanLine& line : plan.lines)
    for (Vec2 p : line.points) {
      box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
      box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
    }
  return plan.lines.empty() ? geometry::Box{{0, 0}, {1, 1}} : box;
}

void draw_lines(Canvas& canvas, const DxfPlan& plan) {
  for (const bool door : {false, true}) {
    canvas.begin_group(door ? "doors" : "walls");
    for (const PlanLine& line : plan.lines) {
      if (line.door != door) continue;
      const Style style = Style::line(door ? blue : dark, 1);
      if (line.closed)
        canvas.polygon({&line.points, 1}, style);
      else
        canvas.polyline(line.points, style);
    }
    canvas.end_group();
  }
}

void draw_ends(Canvas& canvas, const DxfPlan& plan) {
  canvas.begin_group("open ends");
  for (std::size_t i = 0; i < plan.open_ends.size(); ++i) {
    const OpenEnd& end = plan.open_ends[i];
    if (end.distance <= farthest_next) canvas.segment(end.at, end.next, Style::line(red, 1.5, 3));
    canvas.dot(end.at, 6, Style::line(red, 2));
    canvas.page_text(canvas.view()(end.at) + Vec2{8, 4}, std::to_string(i + 1), {.size = 9, .colour = red});
  }
  canvas.end_group();
}

}  // namespace

std::string draw_open_ends(const DxfPlan& plan, const std::string& title) {
  const geometry::Box box = box_of(plan);
  const Vec2 size = box.max - box.min;
  const double scale = (page_side - 2 * margin) / std::max({size.x, size.y, 1e-9});
  const double width = size.x * scale + 2 * margin, height = size.y * scale + 2 * margin + heading;
  const std::unique_ptr<Canvas> canvas = make_svg_canvas(width, height, title);
  canvas->page_rectangle({0, 0}, {width, height}, Style::area(white));
  canvas->page_text(
      {margin, height - heading},
      fmt::format("{}: {}", title,
                  plan.open_ends.empty() ? "no wall ends in the open"
                                         : fmt::format("{} walls end in the open", plan.open_ends.size())),
      {.size = 12, .colour = plan.open_ends.empty() ? dark : red});
  canvas->set_view(fit(box, {margin, margin}, {width - margin, height - margin - heading}));
  draw_lines(*canvas, plan);
  draw_ends(*canvas, plan);
  return canvas->finish();
}

}  // namespace throng::environment
