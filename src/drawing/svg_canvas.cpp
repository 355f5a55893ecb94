// SVG 1.1 (https://www.w3.org/TR/SVG11/): the page's y is flipped, since SVG's points down.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "drawing/drawing.hpp"

namespace throng::environment {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      // XML 1.0 has no place for control characters, escaped or not.
      default: out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return out;
}

std::string hex(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

std::string_view anchor(Align align) {
  return align == Align::left ? "start" : align == Align::middle ? "middle" : "end";
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(double width, double height, std::string_view title) : Canvas(width, height) {
    body_ += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"";
    append_short(body_, width);
    body_ += "\" height=\"";
    append_short(body_, height);
    body_ += "\" viewBox=\"0 0 ";
    append_short(body_, width);
    body_ += ' ';
    append_short(body_, height);
    body_ += "\">\n<title>" + escaped(title) +
             "</title>\n<g stroke-linejoin=\"round\" stroke-linecap=\"round\" "
             "fill-rule=\"evenodd\" font-family=\"sans-serif\">\n";
  }

  void begin_group(std::string_view name) override {
    end_group();
    body_ += "<g id=\"" + unique_id(name) + "\">\n";
    open_ = true;
  }

  void end_group() override {
    if (open_) body_ += "</g>\n";
    open_ = false;
  }

  std::string finish() override {
    end_group();
    body_ += "</g>\n</svg>\n";
    return std::move(body_);
  }

 protected:
  void emit_path(std::span<const PathPiece> pieces, const Style& style) override {
    body_ += "<path d=\"";
    Vec2 at;
    for (const PathPiece& piece : pieces) {
      append(piece, at);
      at = piece.to;
    }
    body_ += '"';
    append_style(style);
    body_ += "/>\n";
  }

  void emit_circle(Vec2 centre, double points, const Style& style) override {
    body_ += "<circle cx=\"";
    append_short(body_, centre.x);
    body_ += "\" cy=\"";
    append_short(body_, height() - centre.y);
    body_ += "\" r=\"";
    append_short(body_, points);
    body_ += '"';
    append_style(style);
    body_ += "/>\n";
  }

  void emit_text(Vec2 at, std::string_view text, const TextStyle& style) override {
    body_ += "<text x=\"";
    append_short(body_, at.x);
    body_ += "\" y=\"";
    append_short(body_, height() - at.y);
    body_ += "\" font-size=\"";
    append_short(body_, style.size);
    body_ += fmt::format("\" fill=\"{}\" text-anchor=\"{}\">{}</text>\n", hex(style.colour), anchor(style.align),
                         escaped(text));
  }

 private:
  /// Ids hold no blanks and occur once in a file.
  std::string unique_id(std::string_view name) {
    std::string id = escaped(name);
    std::replace(id.begin(), id.end(), ' ', '-');
    const int before = uses_[id]++;
    return before == 0 ? id : fmt::format("{}-{}", id, before + 1);
  }

  void append_point(Vec2 p) {
    append_short(body_, p.x);
    body_ += ' ';
    append_short(body_, height() - p.y);
  }

  void append(const PathPiece& piece, Vec2 from) {
    switch (piece.kind) {
      case PathPiece::Kind::move: body_ += 'M'; break;
      case PathPiece::Kind::line: body_ += 'L'; break;
      case PathPiece::Kind::quadratic:
        body_ += 'Q';
        append_point(piece.control);
        body_ += ' ';
        break;
      case PathPiece::Kind::arc: append_arc(piece, from); break;
      case PathPiece::Kind::close: body_ += 'Z'; return;
    }
    append_point(piece.to);
  }

  void append_arc(const PathPiece& piece, Vec2 from) {
    const Vec2 a = from - piece.control;
    const Vec2 b = piece.to - piece.control;
    const bool left_of_start = throng::cross(a, b) > 0;
    const bool large = left_of_start != piece.counterclockwise;
    body_ += 'A';
    const double radius = std::sqrt(squared_length(a));
    append_short(body_, radius);
    body_ += ' ';
    append_short(body_, radius);
    // Sweep 1 is clockwise in the eye's sense of a page whose y points up.
    body_ += fmt::format(" 0 {} {} ", large ? 1 : 0, piece.counterclockwise ? 0 : 1);
  }

  void append_style(const Style& style) {
    if (style.filled) {
      body_ += fmt::format(" fill=\"{}\"", hex(style.fill));
      if (style.opacity < 1) body_ += fmt::format(" fill-opacity=\"{:.3g}\"", style.opacity);
    } else {
      body_ += " fill=\"none\"";
    }
    if (style.width <= 0) return;
    body_ += fmt::format(" stroke=\"{}\" stroke-width=\"", hex(style.stroke));
    append_short(body_, style.width);
    body_ += '"';
    if (style.dash > 0) body_ += fmt::format(" stroke-dasharray=\"{:.3g}\"", style.dash);
  }

  std::string body_;
  std::map<std::string, int> uses_;  ///< how often each id was asked for
  bool open_ = false;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(double width, double height, std::string_view title) {
  return std::make_unique<SvgCanvas>(width, height, title);
}

}  // namespace throng::environment
