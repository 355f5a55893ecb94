// Drawing in the plane, for pictures of environments, meshes and routes: one interface, an SVG and an Ipe behind it.
//
// Words
//   page     what is drawn on, in points; x right, y up, (0, 0) at the lower left. Widths, dots and text sizes are in points.
//   view     where the world lies on the page: metres become points. Set it once, or once a layer to draw layers side by side.
//   group    a named, toggleable part of the picture: an SVG <g>, an Ipe layer.
//
// Laws
// 1. Shapes are given in metres in the current view; `page_*` calls are given in points.
// 2. Parabolic and circular arcs stay curves in the file; nothing is flattened.
// 3. The text is the same for the same calls: no dates, no hashes, no locale.
// 4. Any UTF-8 text may be drawn or name a group; it is escaped for the format.
// Thread-safety: a canvas belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/snap_grid.hpp"
#include "throng/vec2.hpp"

namespace throng::environment {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

/// Colours that are told apart by most eyes (Okabe, Ito 2008), in turn.
[[nodiscard]] Colour palette(std::size_t index);

/// How a shape is painted. A width of 0 draws no outline; `filled` false leaves the inside alone.
struct Style {
  bool filled = false;
  Colour fill = {};
  double opacity = 1;  ///< of the fill
  double width = 0;    ///< of the outline, in points
  Colour stroke = {};
  double dash = 0;  ///< length of dashes and of the gaps between them, in points; 0 draws a full line

  static Style area(Colour colour, double opacity = 1) { return {.filled = true, .fill = colour, .opacity = opacity}; }
  static Style line(Colour colour, double width, double dash = 0) {
    return {.width = width, .stroke = colour, .dash = dash};
  }
  /// The same, outlined.
  [[nodiscard]] Style with_outline(Colour colour, double outline_width) const;
};

enum class Align { left, middle, right };

struct TextStyle {
  double size = 10;  ///< in points
  Colour colour = {};
  Align align = Align::left;
};

/// One piece of a path; it goes on from where the last one ended.
struct PathPiece {
  enum class Kind { move, line, quadratic, arc, close };
  Kind kind = Kind::move;
  Vec2 to = {};
  Vec2 control = {};             ///< quadratic: the Bezier control point; arc: the circle's centre
  bool counterclockwise = true;  ///< arc

  static PathPiece move_to(Vec2 to) { return {Kind::move, to}; }
  static PathPiece line_to(Vec2 to) { return {Kind::line, to}; }
  /// A parabolic arc is exactly a quadratic Bezier curve; its control point is where the end tangents meet.
  static PathPiece quadratic_to(Vec2 control, Vec2 to) { return {Kind::quadratic, to, control}; }
  /// Around `centre` to `to`, which is as far from it as the current point; less than a full turn.
  static PathPiece arc_to(Vec2 centre, Vec2 to, bool counterclockwise) {
    return {Kind::arc, to, centre, counterclockwise};
  }
  static PathPiece close() { return {Kind::close}; }
};

/// From metres to points: page = (world - world_origin) * scale + page_origin.
struct View {
  Vec2 world_origin = {};
  Vec2 page_origin = {};
  double scale = 1;

  [[nodiscard]] Vec2 operator()(Vec2 world) const { return (world - world_origin) * scale + page_origin; }
};

class Canvas {
 public:
  Canvas(double width, double height) : width_(width), height_(height) {}
  virtual ~Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] const View& view() const { return view_; }
  void set_view(const View& view) { view_ = view; }

  /// Groups do not nest; shapes drawn outside any go to a group of their own.
  virtual void begin_group(std::string_view name) = 0;
  virtual void end_group() = 0;

  void path(std::span<const PathPiece> pieces, const Style& style);
  /// Rings without a repeated last point; inside is what an odd number of them surrounds.
  void polygon(std::span<const std::vector<Vec2>> rings, const Style& style);
  void polyline(std::span<const Vec2> points, const Style& style);
  void segment(Vec2 a, Vec2 b, const Style& style);
  /// A circle of so many metres.
  void circle(Vec2 centre, double radius, const Style& style);
  /// A circle of so many points, whatever the scale.
  void dot(Vec2 centre, double points, const Style& style);
  void text(Vec2 at, std::string_view text, const TextStyle& style);

  void page_rectangle(Vec2 low, Vec2 high, const Style& style);
  void page_segment(Vec2 a, Vec2 b, const Style& style);
  void page_text(Vec2 at, std::string_view text, const TextStyle& style) { emit_text(at, text, style); }

  /// The whole file. The canvas is used up.
  [[nodiscard]] virtual std::string finish() = 0;

 protected:
  virtual void emit_path(std::span<const PathPiece> page_pieces, const Style& style) = 0;
  virtual void emit_circle(Vec2 page_centre, double points, const Style& style) = 0;
  virtual void emit_text(Vec2 page_at, std::string_view text, const TextStyle& style) = 0;

 private:
  double width_;
  double height_;
  View view_;
  std::vector<PathPiece> scratch_;
};

/// A page of `width` x `height` points. `title` is what the file calls itself.
[[nodiscard]] std::unique_ptr<Canvas> make_svg_canvas(double width, double height, std::string_view title);
[[nodiscard]] std::unique_ptr<Canvas> make_ipe_canvas(double width, double height, std::string_view title);

/// The view that centres a box of the world in a rectangle of the page, as large as fits.
[[nodiscard]] View fit(const geometry::Box& world, Vec2 page_low, Vec2 page_high);

/// Appends a number with at most three decimals and no trailing zeros: a thousandth of a point is never seen.
void append_short(std::string& out, double number);

}  // namespace throng::environment
