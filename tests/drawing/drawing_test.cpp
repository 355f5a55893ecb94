#include "drawing/drawing.hpp"

#include <doctest/doctest.h>

using namespace throng;
using namespace throng::environment;

namespace {

std::string drawn(std::unique_ptr<Canvas> (*make)(double, double, std::string_view), const PathPiece& piece,
                  Vec2 from) {
  const auto canvas = make(100, 100, "t");
  const PathPiece pieces[] = {PathPiece::move_to(from), piece};
  canvas->path(pieces, Style::line({255, 0, 0}, 2));
  return canvas->finish();
}

}  // namespace

TEST_CASE("numbers are short: three decimals, no trailing zeros, no minus zero") {
  const auto shortened = [](double v) {
    std::string out;
    append_short(out, v);
    return out;
  };
  CHECK(shortened(0) == "0");
  CHECK(shortened(-0.0) == "0");
  CHECK(shortened(-0.0001) == "0");
  CHECK(shortened(12.5) == "12.5");
  CHECK(shortened(100) == "100");
  CHECK(shortened(-1.23456) == "-1.235");
}

TEST_CASE("SVG: y is flipped, curves stay curves") {
  CHECK(drawn(make_svg_canvas, PathPiece::line_to({3, 4}), {1, 2}).find("d=\"M1 98L3 96\"") != std::string::npos);
  CHECK(drawn(make_svg_canvas, PathPiece::quadratic_to({2, 9}, {3, 4}), {1, 2}).find("Q2 91 3 96") !=
        std::string::npos);
  // A quarter turn counterclockwise around (10, 10), from the right to the top: small arc, sweep 0.
  CHECK(drawn(make_svg_canvas, PathPiece::arc_to({10, 10}, {10, 15}, true), {15, 10}).find("A5 5 0 0 0 10 85") !=
        std::string::npos);
  // The other way round: the large arc.
  CHECK(drawn(make_svg_canvas, PathPiece::arc_to({10, 10}, {10, 15}, false), {15, 10}).find("A5 5 0 1 1 10 85") !=
        std::string::npos);
}

TEST_CASE("Ipe: y is up, arcs are parts of circles in either direction") {
  CHECK(drawn(make_ipe_canvas, PathPiece::quadratic_to({2, 9}, {3, 4}), {1, 2}).find("1 2 m\n2 9 3 4 q\n") !=
        std::string::npos);
  CHECK(drawn(make_ipe_canvas, PathPiece::arc_to({10, 10}, {10, 15}, true), {15, 10}).find("5 0 0 5 10 10 10 15 a") !=
        std::string::npos);
  CHECK(drawn(make_ipe_canvas, PathPiece::arc_to({10, 10}, {10, 15}, false), {15, 10}).find("5 0 0 -5 10 10 10 15 a") !=
        std::string::npos);
}

TEST_CASE("a view maps metres to points; fit centres a box in a rectangle") {
  const View view = fit({{0, 0}, {10, 20}}, {0, 0}, {100, 100});
  CHECK(view.scale == 5);
  CHECK(view({5, 10}) == Vec2{50, 50});
  CHECK(view({0, 0}) == Vec2{25, 0});
  CHECK(fit({{3, 3}, {3, 3}}, {0, 0}, {100, 100})({3, 3}) == Vec2{50, 50});
}

TEST_CASE("polygons have holes, circles are in metres, dots in points") {
  const auto canvas = make_svg_canvas(100, 100, "t");
  canvas->set_view({{0, 0}, {0, 0}, 10});
  const std::vector<Vec2> rings[] = {{{0, 0}, {4, 0}, {4, 4}}, {{1, 1}, {2, 1}, {2, 2}}};
  canvas->polygon(rings, Style::area({1, 2, 3}, 0.5));
  canvas->circle({5, 5}, 2, Style::line({}, 1));
  canvas->dot({5, 5}, 2, Style::line({}, 1));
  const std::string svg = canvas->finish();
  CHECK(svg.find("M0 100L40 100L40 60ZM10 90L20 90L20 80Z\" fill=\"#010203\" fill-opacity=\"0.5\"") !=
        std::string::npos);
  CHECK(svg.find("r=\"20\"") != std::string::npos);
  CHECK(svg.find("r=\"2\"") != std::string::npos);
}

TEST_CASE("a title with a double quote stays one attribute in Ipe's XML") {
  const std::string ipe = make_ipe_canvas(10, 10, "plan \"a\" & b")->finish();
  CHECK(ipe.find("<info title=\"plan &quot;a&quot; \\&amp; b\"/>") != std::string::npos);
}
