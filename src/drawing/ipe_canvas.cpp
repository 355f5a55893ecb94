// The file format of the drawing editor Ipe 7 (https://ipe.otfried.org/manual/manual_file_format.html). Opacities and dashes
// have to be named in a style sheet, so the file is put together at the end.
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

#include "drawing/drawing.hpp"

namespace throng::environment {
namespace {

/// Ipe hands text to LaTeX, and is XML around it.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "\\&amp;"; break;
      case '"': out += "&quot;"; break;
      case '<': out += "\\textless{}"; break;
      case '>': out += "\\textgreater{}"; break;
      case '\\': out += "\\textbackslash{}"; break;
      case '~': out += "\\textasciitilde{}"; break;
      case '^': out += "\\textasciicircum{}"; break;
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}': (out += '\\') += c; break;
      default: out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return out;
}

/// Views list layers separated by blanks, so a name may hold none.
std::string layer_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain =
        c != '&' && c != '<' && c != '>' && c != '"' && static_cast<unsigned char>(c) > 0x20 && c != 0x7f;
    out += plain ? c : '_';
  }
  return out.empty() ? "layer" : out;
}

void append_colour(std::string& out, Colour c) {
  append_short(out, c.red / 255.0);
  out += ' ';
  append_short(out, c.green / 255.0);
  out += ' ';
  append_short(out, c.blue / 255.0);
}

std::string short_number(double number) {
  std::string out;
  append_short(out, number);
  return out;
}

class IpeCanvas final : public Canvas {
 public:
  IpeCanvas(double width, double height, std::string_view title) : Canvas(width, height), title_(escaped(title)) {
    begin_group("page");
  }

  void begin_group(std::string_view name) override {
    layer_ = layer_name(name);
    if (known_.insert(layer_).second) layers_.push_back(layer_);
  }

  void end_group() override { begin_group("page"); }

  std::string finish() override {
    std::string out =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE ipe SYSTEM \"ipe.dtd\">\n<ipe version=\"70218\" "
        "creator=\"throng\">\n";
    out += "<info title=\"" + title_ + "\"/>\n";
    append_style_sheet(out);
    out += "<page>\n";
    std::string names;
    for (const std::string& layer : layers_) {
      out += "<layer name=\"" + layer + "\"/>\n";
      names += names.empty() ? layer : " " + layer;
    }
    out += "<view layers=\"" + names + "\" active=\"" + layers_.front() + "\"/>\n";
    out += body_;
    out += "</page>\n</ipe>\n";
    return out;
  }

 protected:
  void emit_path(std::span<const PathPiece> pieces, const Style& style) override {
    begin_shape(style);
    Vec2 at;
    for (const PathPiece& piece : pieces) {
      append(piece, at);
      at = piece.to;
    }
    body_ += "</path>\n";
  }

  void emit_circle(Vec2 centre, double points, const Style& style) override {
    begin_shape(style);
    append_circle_matrix(points, points, centre);
    body_ += "e\n</path>\n";
  }

  void emit_text(Vec2 at, std::string_view text, const TextStyle& style) override {
    body_ += "<text layer=\"" + layer_ + "\" pos=\"";
    append_point(at);
    body_ += "\" stroke=\"";
    append_colour(body_, style.colour);
    body_ += "\" type=\"label\" size=\"" + short_number(style.size) + "\" halign=\"";
    body_ += style.align == Align::left ? "left" : style.align == Align::middle ? "center" : "right";
    body_ += "\" valign=\"baseline\">" + escaped(text) + "</text>\n";
  }

 private:
  void append_point(Vec2 p) {
    append_short(body_, p.x);
    body_ += ' ';
    append_short(body_, p.y);
  }

  void append_circle_matrix(double x_radius, double y_radius, Vec2 centre) {
    body_ += short_number(x_radius) + " 0 0 " + short_number(y_radius) + " ";
    append_point(centre);
    body_ += ' ';
  }

  void append(const PathPiece& piece, Vec2 from) {
    switch (piece.kind) {
      case PathPiece::Kind::move: append_point(piece.to), body_ += " m\n"; return;
      case PathPiece::Kind::line: append_point(piece.to), body_ += " l\n"; return;
      case PathPiece::Kind::close: body_ += "h\n"; return;
      case PathPiece::Kind::quadratic:
        append_point(piece.control);
        body_ += ' ';
        append_point(piece.to);
        body_ += " q\n";
        return;
      case PathPiece::Kind::arc: {
        // An arc runs counterclockwise on the unit circle; a mirrored one runs the other way round.
        const double radius = std::sqrt(squared_length(from - piece.control));
        append_circle_matrix(radius, piece.counterclockwise ? radius : -radius, piece.control);
        append_point(piece.to);
        body_ += " a\n";
        return;
      }
    }
  }

  void begin_shape(const Style& style) {
    body_ += "<path layer=\"" + layer_ + "\"";
    if (style.width > 0) {
      body_ += " stroke=\"";
      append_colour(body_, style.stroke);
      body_ += "\" pen=\"" + short_number(style.width) + "\" cap=\"1\" join=\"1\"";
      if (style.dash > 0) body_ += fmt::format(" dash=\"[{0:.3g} {0:.3g}] 0\"", style.dash);
    }
    if (style.filled) {
      body_ += " fill=\"";
      append_colour(body_, style.fill);
      body_ += "\" fillrule=\"eofill\"";
      if (style.opacity < 1) body_ += " opacity=\"" + opacity_name(style.opacity) + "\"";
    }
    body_ += ">\n";
  }

  std::string opacity_name(double opacity) {
    const int percent = int(std::lround(opacity * 100));
    opacities_.insert(percent);
    return fmt::format("{}%", percent);
  }

  void append_style_sheet(std::string& out) const {
    const std::string size = short_number(width()) + " " + short_number(height());
    out += "<ipestyle name=\"throng\">\n<layout paper=\"" + size + "\" origin=\"0 0\" frame=\"" + size + "\"/>\n";
    for (const int percent : opacities_)
      out += fmt::format("<opacity name=\"{}%\" value=\"{}\"/>\n", percent, percent / 100.0);
    out += "</ipestyle>\n";
  }

  std::string title_;
  std::string layer_;
  std::vector<std::string> layers_;  ///< in the order of their first use
  std::set<std::string> known_;
  std::set<int> opacities_;
  std::string body_;
};

}  // namespace

std::unique_ptr<Canvas> make_ipe_canvas(double width, double height, std::string_view title) {
  return std::make_unique<IpeCanvas>(width, height, title);
}

}  // namespace throng::environment
