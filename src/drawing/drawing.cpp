#include "drawing/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace throng::environment {

Style Style::with_outline(Colour colour, double outline_width) const {
  Style outlined = *this;
  outlined.stroke = colour;
  outlined.width = outline_width;
  return outlined;
}

void Canvas::path(std::span<const PathPiece> pieces, const Style& style) {
  scratch_.assign(pieces.begin(), pieces.end());
  for (PathPiece& piece : scratch_) {
    piece.to = view_(piece.to);
    piece.control = view_(piece.control);
  }
  emit_path(scratch_, style);
}

void Canvas::polygon(std::span<const std::vector<Vec2>> rings, const Style& style) {
  scratch_.clear();
  for (const std::vector<Vec2>& ring : rings) {
    if (ring.empty()) continue;
    scratch_.push_back(PathPiece::move_to(view_(ring.front())));
    for (std::size_t i = 1; i < ring.size(); ++i) scratch_.push_back(PathPiece::line_to(view_(ring[i])));
    scratch_.push_back(PathPiece::close());
  }
  if (!scratch_.empty()) emit_path(scratch_, style);
}

void Canvas::polyline(std::span<const Vec2> points, const Style& style) {
  if (points.size() < 2) return;
  scratch_.clear();
  scratch_.push_back(PathPiece::move_to(view_(points.front())));
  for (const Vec2 point : points.subspan(1)) scratch_.push_back(PathPiece::line_to(view_(point)));
  emit_path(scratch_, style);
}

void Canvas::segment(Vec2 a, Vec2 b, const Style& style) { page_segment(view_(a), view_(b), style); }

void Canvas::circle(Vec2 centre, double radius, const Style& style) {
  emit_circle(view_(centre), radius * view_.scale, style);
}

void Canvas::dot(Vec2 centre, double points, const Style& style) { emit_circle(view_(centre), points, style); }

void Canvas::text(Vec2 at, std::string_view text, const TextStyle& style) { emit_text(view_(at), text, style); }

void Canvas::page_rectangle(Vec2 low, Vec2 high, const Style& style) {
  const PathPiece pieces[] = {PathPiece::move_to(low), PathPiece::line_to({high.x, low.y}), PathPiece::line_to(high),
                              PathPiece::line_to({low.x, high.y}), PathPiece::close()};
  emit_path(pieces, style);
}

void Canvas::page_segment(Vec2 a, Vec2 b, const Style& style) {
  const PathPiece pieces[] = {PathPiece::move_to(a), PathPiece::line_to(b)};
  emit_path(pieces, style);
}

View fit(const geometry::Box& world, Vec2 page_low, Vec2 page_high) {
  const Vec2 size = world.max - world.min;
  const Vec2 room = page_high - page_low;
  // A box without width or height still gets a picture.
  const double scale = std::min(size.x > 0 ? room.x / size.x : 1e300, size.y > 0 ? room.y / size.y : 1e300);
  View view;
  view.scale = scale < 1e300 ? scale : 1;
  view.world_origin = (world.min + world.max) / 2;
  view.page_origin = (page_low + page_high) / 2;
  return view;
}

void append_short(std::string& out, double number) {
  const std::size_t start = out.size();
  fmt::format_to(std::back_inserter(out), "{:.3f}", number);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  if (std::string_view(out).substr(start) == "-0") out.replace(start, 2, "0");
}

Colour palette(std::size_t index) {
  constexpr std::array<Colour, 8> colours = {{{0, 114, 178},
                                              {213, 94, 0},
                                              {0, 158, 115},
                                              {204, 121, 167},
                                              {230, 159, 0},
                                              {86, 180, 233},
                                              {148, 103, 189},
                                              {120, 120, 20}}};
  return colours[index % colours.size()];
}

}  // namespace throng::environment
