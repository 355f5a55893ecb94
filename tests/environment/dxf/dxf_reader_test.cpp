#include "environment/dxf/dxf_reader.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>

#include "environment/check.hpp"
#include "environment/clean/clean_support.hpp"
#include "environment/dxf/dxf_drawing.hpp"
#include "environment/dxf/dxf_layers.hpp"
#include "environment/dxf/dxf_samples.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

Result<Environment> read(const std::string& text, const DxfOptions& options = {}) {
  return parse_environment("dxf", text, "plan.dxf", {.dxf = options});
}

CleanEnvironment cleaned(const std::string& text, const DxfOptions& options = {}) {
  const Result<Environment> environment = read(text, options);
  INFO(all(environment.problems()));
  REQUIRE(environment.ok());
  CHECK(all(check_environment(*environment)) == "");
  return sound(*environment);
}

/// What is enclosed, in square metres.
double enclosed(const std::string& entities, const DxfOptions& options = {}, const std::string& blocks = {}) {
  return free_area(cleaned(dxf(entities, 6, blocks), options));
}

std::string problems_of(const std::string& text, const DxfOptions& options = {}) {
  return all(read(text, options).problems());
}

std::string refusal_of(const std::string& text, const DxfOptions& options = {}) {
  const Result<Environment> result = read(text, options);
  CHECK(!result.ok());
  return all(result.problems());
}

std::set<std::string> areas_of(const CleanEnvironment& c) {
  std::set<std::string> names;
  for (const CleanArea& area : c.layers[0].areas) names.insert(area.name);
  return names;
}

constexpr double pi = std::numbers::pi;
const std::string four_lines =
    dxf_line({0, 0}, {4, 0}) + dxf_line({4, 0}, {4, 3}) + dxf_line({4, 3}, {0, 3}) + dxf_line({0, 3}, {0, 0});

}  // namespace

TEST_CASE("dxf: four loose lines are a room") {
  const CleanEnvironment c = cleaned(dxf(four_lines));
  CHECK(free_area(c) == doctest::Approx(12));
  CHECK(areas_of(c) == std::set<std::string>{"room 1"});
}

TEST_CASE("dxf: polylines are closed by their flag, and bent by their bulges") {
  CHECK(enclosed(dxf_rectangle({0, 0}, {4, 3})) == doctest::Approx(12));
  const std::string disc = tags("0 LWPOLYLINE 8 WALLS 90 2 70 1 10 0 20 0 42 1 10 4 20 0 42 1");
  CHECK(enclosed(disc) == doctest::Approx(4 * pi).epsilon(0.005));
  const std::string old_disc =
      tags("0 POLYLINE 8 WALLS 66 1 70 1 0 VERTEX 8 WALLS 10 0 20 0 42 1 0 VERTEX 8 WALLS 10 4 20 0 42 1 0 SEQEND");
  CHECK(enclosed(old_disc) == doctest::Approx(4 * pi).epsilon(0.005));
  // Half a disc below the chord, by a bulge that turns counterclockwise.
  const CleanEnvironment half = cleaned(dxf(tags("0 LWPOLYLINE 8 WALLS 90 2 70 1 10 0 20 0 42 1 10 4 20 0")));
  CHECK(free_area(half) == doctest::Approx(2 * pi).epsilon(0.005));
  CHECK(half.grid.to_world(half.layers[0].free[0].outer[1]).y < 0);
}

TEST_CASE("dxf: the frame of a spline polyline is not part of it") {
  const std::string curve = tags(
      "0 POLYLINE 8 WALLS 66 1 70 5 0 VERTEX 8 WALLS 70 16 10 9 20 9 0 VERTEX 8 WALLS 70 8 10 0 20 0 0 VERTEX 8 WALLS "
      "70 8 "
      "10 4 20 0 0 VERTEX 8 WALLS 70 8 10 4 20 3 0 SEQEND");
  CHECK(enclosed(curve) == doctest::Approx(6));
}

TEST_CASE("dxf: arcs, circles and ellipses keep their area within the flatness") {
  CHECK(enclosed(tags("0 CIRCLE 8 WALLS 10 1 20 2 40 3")) == doctest::Approx(9 * pi).epsilon(0.005));
  CHECK(enclosed(tags("0 CIRCLE 8 WALLS 10 1 20 2 40 3"), {.flatness = 0.0001}) ==
        doctest::Approx(9 * pi).epsilon(0.0005));
  const std::string half = tags("0 ARC 8 WALLS 10 0 20 0 40 2 50 270 51 90") + dxf_line({0, 2}, {0, -2});
  CHECK(enclosed(half) == doctest::Approx(2 * pi).epsilon(0.005));
  const std::string ellipse = "0 ELLIPSE 8 WALLS 10 0 20 0 11 0 21 3 40 0.5";
  CHECK(enclosed(tags(ellipse + " 41 0 42 6.283185307179586")) == doctest::Approx(4.5 * pi).epsilon(0.005));
  CHECK(enclosed(tags(ellipse + " 41 0 42 3.141592653589793") + dxf_line({0, -3}, {0, 3})) ==
        doctest::Approx(2.25 * pi).epsilon(0.005));
}

TEST_CASE("dxf: splines by control points and weights, and by fit points") {
  // A circle of radius 2 as nine weighted points.
  std::string circle = "0 SPLINE 8 WALLS 70 4 71 2 72 12 73 9";
  for (const char* knot : {"0", "0", "0", "0.25", "0.25", "0.5", "0.5", "0.75", "0.75", "1", "1", "1"})
    circle += std::string(" 40 ") + knot;
  const Vec2 corners[] = {{2, 0}, {2, 2}, {0, 2}, {-2, 2}, {-2, 0}, {-2, -2}, {0, -2}, {2, -2}, {2, 0}};
  for (int i = 0; i < 9; ++i) circle += fmt::format(" 41 {}", i % 2 == 0 ? 1.0 : std::sqrt(0.5));
  for (Vec2 p : corners) circle += fmt::format(" 10 {} 20 {}", p.x, p.y);
  CHECK(enclosed(tags(circle)) == doctest::Approx(4 * pi).epsilon(0.005));
  // A straight one of degree 1, bent once.
  CHECK(enclosed(tags("0 SPLINE 8 WALLS 71 1 40 0 40 0 40 1 40 2 40 2 10 0 20 0 10 4 20 0 10 4 20 3") +
                 dxf_line({4, 3}, {0, 0})) == doctest::Approx(6));
  std::string through = "0 SPLINE 8 WALLS 70 1 71 3";
  for (int i = 0; i < 8; ++i)
    through += fmt::format(" 11 {} 21 {}", 2 * std::cos(i * pi / 4), 2 * std::sin(i * pi / 4));
  CHECK(enclosed(tags(through)) == doctest::Approx(4 * pi).epsilon(0.03));
  const std::string open = "0 SPLINE 8 WALLS 71 3 11 0 21 0 11 1 21 1 11 2 21 0";
  CHECK(enclosed(tags(open) + dxf_line({2, 0}, {0, 0})) > 1.2);
}

TEST_CASE("dxf: blocks are inserted, nested, scaled, turned, mirrored and in rows") {
  const std::string blocks =
      tags("0 BLOCK 8 0 2 CELL 10 1 20 1 30 0") + dxf_rectangle({1, 1}, {3, 2}, "0") + tags("0 ENDBLK") +
      tags("0 BLOCK 8 0 2 OUTER 10 0 20 0 0 INSERT 8 0 2 CELL 10 0 20 0 41 2 42 2 50 90 0 ENDBLK");
  const std::string one = tags("0 INSERT 8 WALLS 2 OUTER 10 10 20 5");
  const CleanEnvironment c = cleaned(dxf(one, 6, blocks));
  CHECK(free_area(c) == doctest::Approx(8));                           // 2 x 1, twice as large
  CHECK(c.grid.to_world(c.layers[0].free[0].outer[0]) == Vec2{8, 5});  // turned left around its base
  const std::string grid = tags("0 INSERT 8 WALLS 2 CELL 10 0 20 0 70 3 71 2 44 5 45 4");
  CHECK(areas_of(cleaned(dxf(grid, 6, blocks))).size() == 6);
  const CleanEnvironment mirrored = cleaned(dxf(tags("0 INSERT 8 WALLS 2 CELL 10 0 20 0 41 -1"), 6, blocks));
  CHECK(mirrored.grid.to_world(mirrored.layers[0].free[0].outer[0]) == Vec2{-2, 0});
  // A block's own layers keep their meaning, its layer 0 takes that of the insertion.
  CHECK(!read(dxf(tags("0 INSERT 8 A-FURN 2 CELL 10 0 20 0") + four_lines, 6, blocks))->features.empty());
  CHECK(enclosed(tags("0 INSERT 8 A-FURN 2 CELL 10 0.5 20 0.5") + four_lines, {}, blocks) == doctest::Approx(12));
}

TEST_CASE("dxf: a block that contains itself is refused, one that is missing is warned of") {
  const std::string blocks = tags("0 BLOCK 8 0 2 A 10 0 20 0 0 INSERT 8 0 2 B 10 0 20 0 0 ENDBLK") +
                             tags("0 BLOCK 8 0 2 B 10 0 20 0 0 INSERT 8 0 2 A 10 0 20 0 0 ENDBLK");
  const std::string text = refusal_of(dxf(four_lines + tags("0 INSERT 8 WALLS 2 A 10 0 20 0"), 6, blocks));
  CHECK(says(text, "the block 'A' contains itself"));
  CHECK(says(text, "plan.dxf:"));
  CHECK(says(problems_of(dxf(four_lines + tags("0 INSERT 8 WALLS 2 NONE 10 0 20 0"))), "there is no block 'NONE'"));
}

TEST_CASE("dxf: blocks that would make billions of points are refused") {
  std::string blocks = tags("0 BLOCK 8 0 2 B0 10 0 20 0") + dxf_line({0, 0}, {1, 1}, "0") + tags("0 ENDBLK");
  for (int i = 1; i < 30; ++i)
    blocks += tags(
        fmt::format("0 BLOCK 8 0 2 B{} 10 0 20 0 0 INSERT 8 0 2 B{} 10 0 20 0 70 9 71 9 44 1 45 1 0 ENDBLK", i, i - 1));
  CHECK(says(refusal_of(dxf(tags("0 INSERT 8 WALLS 2 B29 10 0 20 0"), 6, blocks)), "points when they are inserted"));
}

TEST_CASE("dxf: mirrored entities, extruded downwards, come out mirrored") {
  const std::string down = " 210 0 220 0 230 -1";
  // In its own system the arc spans the right half; seen from above it is the left half.
  const std::string half = tags("0 ARC 8 WALLS 10 -5 20 0 40 2 50 270 51 90" + down) + dxf_line({5, 2}, {5, -2});
  const CleanEnvironment c = cleaned(dxf(half));
  CHECK(free_area(c) == doctest::Approx(2 * pi).epsilon(0.005));
  CHECK(c.grid.to_world(c.layers[0].free[0].outer[0]).x == doctest::Approx(3).epsilon(0.001));
  const CleanEnvironment r = cleaned(dxf(dxf_polyline({{0, 0}, {4, 0}, {4, 3}}, true, "WALLS", down)));
  CHECK(r.grid.to_world(r.layers[0].free[0].outer[0]) == Vec2{-4, 0});
}

TEST_CASE("dxf: units come from the header, from the user, or are guessed with a warning") {
  const std::string big = dxf_rectangle({0, 0}, {4000, 3000});
  CHECK(free_area(cleaned(dxf(big, 4))) == doctest::Approx(12));
  CHECK(free_area(cleaned(dxf(dxf_rectangle({0, 0}, {40, 10}), 2))) ==
        doctest::Approx(400 * 0.3048 * 0.3048).epsilon(0.001));
  CHECK(free_area(cleaned(dxf(big, 4), {.unit = 0.01})) == doctest::Approx(1200));
  CHECK(says(problems_of(dxf(big, 0)), "taken as millimetres"));
  CHECK(free_area(cleaned(dxf(big, 0))) == doctest::Approx(12));
  CHECK(says(problems_of(dxf(four_lines, 0)), "taken as metres"));
  CHECK(says(refusal_of(dxf(four_lines, 19)), "$INSUNITS 19"));
}

TEST_CASE("dxf: a missing block is warned of once, also where the unit is guessed") {
  const std::string text = problems_of(dxf(four_lines + tags("0 INSERT 8 WALLS 2 NOPE 10 0 20 0"), 0));
  CHECK(says(text, "names no unit"));
  const std::size_t first = text.find("there is no block 'NOPE'");
  REQUIRE(first != std::string::npos);
  CHECK(text.find("there is no block", first + 1) == std::string::npos);
}

TEST_CASE("dxf: layers are known by their usual names, in any case and from bound drawings") {
  const auto role = [](const std::string& name) {
    const std::string names[] = {name, "WALLS"};
    return roles_of(names, {})[0].role;
  };
  CHECK(role("A-WALL-EXTR") == DxfRole::walls);
  CHECK(role("Plan$0$a-door") == DxfRole::doors);
  CHECK(role("Plan|Waende") == DxfRole::walls);
  CHECK(role("A-DOOR-IDEN") == DxfRole::ignored);
  CHECK(role("A-WALL-PATT") == DxfRole::ignored);
  CHECK(role("S-COLS") == DxfRole::obstacles);
  CHECK(role("AREA-exit") == DxfRole::areas);
  CHECK(role("pipes") == DxfRole::ignored);
  CHECK(matches("A-Wall-3", "a-*l-?"));
  CHECK(!matches("A-Wall-33", "a-*l-?"));
  CHECK(matches("", "*"));
  CHECK(name_in_layer("Area-exit west") == "exit west");
  CHECK(name_in_layer("AREAS") == "");
  CHECK(name_in_layer("AREAL") == "");
}

TEST_CASE("dxf: the user's patterns come first, and hidden layers are left out unless named") {
  const std::string walls = four_lines;
  const std::string pillar = dxf_rectangle({1, 1}, {2, 2}, "PIPES");
  CHECK(says(problems_of(dxf(walls + pillar)), "ignored: 'PIPES' (1 shapes)"));
  CHECK(enclosed(walls + pillar, {.rules = {{"pip*", DxfRole::obstacles}}}) == doctest::Approx(11));
  CHECK(says(refusal_of(dxf(walls), {.rules = {{"*", DxfRole::ignored}}}), "--walls"));
  const std::string frozen = tags("0 SECTION 2 TABLES 0 TABLE 2 LAYER 0 LAYER 2 COLUMNS 70 1 62 7 0 ENDTAB 0 ENDSEC");
  const std::string hidden = frozen + dxf(walls + dxf_rectangle({1, 1}, {2, 2}, "COLUMNS"));
  CHECK(free_area(cleaned(hidden)) == doctest::Approx(12));
  CHECK(free_area(cleaned(hidden, {.rules = {{"COLUMNS", DxfRole::obstacles}}})) == doctest::Approx(11));
}

TEST_CASE("dxf: a drawing without any usual name is all walls, and says so") {
  const std::string text = dxf(dxf_rectangle({0, 0}, {4, 3}, "0"));
  CHECK(free_area(cleaned(text)) == doctest::Approx(12));
  CHECK(says(problems_of(text), "taken as walls were '0' (1 shapes)"));
}

TEST_CASE("dxf: paper space and invisible entities are left out") {
  CHECK(enclosed(four_lines + tags("0 LINE 8 WALLS 67 1 10 2 20 0 11 2 21 3") +
                 tags("0 LINE 8 WALLS 60 1 10 2 20 0 11 2 21 3")) == doctest::Approx(12));
  CHECK(areas_of(cleaned(dxf(four_lines + tags("0 LINE 8 WALLS 67 1 10 2 20 0 11 2 21 3")))).size() == 1);
}

TEST_CASE("dxf: floor, obstacles, regions and areas are closed shapes, holes included, loose lines too") {
  const std::string text = dxf_rectangle({0, 0}, {10, 10}, "WALKABLE") + dxf_rectangle({4, 4}, {6, 6}, "WALKABLE") +
                           tags("0 SOLID 8 OBSTACLES 10 0 20 0 11 1 21 0 12 0 22 1 13 1 23 1") +
                           dxf_line({7, 7}, {9, 7}, "REGION-grass") + dxf_line({9, 7}, {9, 9}, "REGION-grass") +
                           dxf_line({9, 9}, {7, 7.01}, "REGION-grass") + dxf_rectangle({7, 0}, {8, 1}, "AREAS") +
                           tags("0 TEXT 8 AREAS 10 7.5 20 0.5 40 0.2 1 Exit");
  const CleanEnvironment c = cleaned(dxf(text));
  CHECK(free_area(c) == doctest::Approx(100 - 4 - 1));
  REQUIRE(c.layers[0].regions.size() == 1);
  CHECK(c.layers[0].regions[0].type == "grass");
  CHECK(area(c.layers[0].regions[0].polygons, c.grid) == doctest::Approx(2).epsilon(0.02));
  CHECK(areas_of(c) == std::set<std::string>{"Exit"});
}

TEST_CASE("dxf: rooms are called what is written in them, each by a name of its own") {
  const std::string rooms =
      dxf_rectangle({0, 0}, {4, 3}) + dxf_rectangle({4, 0}, {8, 3}) + dxf_rectangle({8, 0}, {12, 3});
  const std::string words =
      "0\nMTEXT\n8\nA-ANNO\n10\n1\n20\n1\n40\n0.3\n1\n{\\fArial|b0;Lab \\U+00FC}\\P12 m2\n"
      "0\nTEXT\n8\nA-ANNO\n10\n1\n20\n2\n40\n0.1\n1\nsmall\n0\nTEXT\n8\nX\n10\n5\n20\n1\n40\n1\n1\nLab \xfc\n";
  CHECK(areas_of(cleaned(dxf(rooms + words))) == std::set<std::string>{"Lab \u00fc", "Lab \u00fc 2", "room 1"});
  CHECK(areas_of(cleaned(dxf(rooms), {.rooms = false})).empty());
  CHECK(says(problems_of(dxf(rooms)), "has no door"));
}

TEST_CASE("dxf: what could not be closed is listed with coordinates and the gap that would close it") {
  const std::string gaping = four_lines + dxf_line({10, 0}, {14, 0}) + dxf_line({14, 0}, {14, 3}) +
                             dxf_line({14, 3}, {10, 3}) + dxf_line({10, 3}, {10, 0.3});
  const std::string text = problems_of(dxf(gaping));
  CHECK(says(text, "plan.dxf: at (10, 0)"));
  CHECK(says(text, "plan.dxf: at (10, 0.3)"));
  CHECK(says(text, "--gap 0.3 would join them"));
  CHECK(enclosed(gaping) == doctest::Approx(12));
  CHECK(enclosed(gaping, {.gap = 0.3}) == doctest::Approx(24));
  CHECK(problems_of(dxf(gaping), {.gap = 0.3}).find("open") == std::string::npos);
  const Result<DxfPlan> plan = read_dxf_plan({"plan.dxf", dxf(gaping)}, {});
  REQUIRE(plan.ok());
  CHECK(plan->open_ends.size() == 2);
}

TEST_CASE("dxf: people may walk around a drawing that encloses nothing") {
  const std::string wall = dxf(dxf_line({0, 0}, {4, 0}));
  CHECK(says(refusal_of(wall), "no lines enclose a room"));
  const CleanEnvironment c = cleaned(wall, {.outside = 2});
  CHECK(free_area(c) == doctest::Approx(32));
  CHECK(c.layers[0].walls.size() == 1);
}

TEST_CASE("dxf: broken files are refused with the line") {
  const std::string fine = dxf(four_lines);
  CHECK(says(refusal_of(""), "empty"));
  CHECK(says(refusal_of("AutoCAD Binary DXF\r\n\x1a"), "save it as ASCII DXF"));
  CHECK(says(refusal_of("AC1027\n"), "DWG"));
  CHECK(says(refusal_of(fine.substr(0, fine.size() - 6)), "cut short"));
  CHECK(says(refusal_of("0\nSECTION\nx\n"), "plan.dxf:3: a group code"));
  CHECK(says(refusal_of("0\nSECTION\n2"), "without its value"));
  CHECK(says(refusal_of(dxf(tags("0 LINE 8 WALLS 10 0 20 0 11 4 21 x"))), "group code 21 wants a finite number"));
  CHECK(says(refusal_of(dxf(tags("0 LINE 8 WALLS 10 0 20 0 11 4"))), "LINE: group code 21 is missing"));
  CHECK(says(refusal_of(dxf(tags("0 LINE 8 WALLS 10 0 20 0 11 4 21 nan"))), "finite"));
  CHECK(says(refusal_of(dxf(tags("0 CIRCLE 8 WALLS 10 0 20 0 40 -1"))), "radius -1"));
  CHECK(says(refusal_of(dxf(tags("0 ELLIPSE 8 WALLS 10 0 20 0 11 0 21 0 40 1"))), "no length"));
  CHECK(says(refusal_of(dxf(tags("0 SPLINE 8 WALLS 71 3 40 0 10 0 20 0 10 1 20 0"))), "too few for degree 3"));
  CHECK(says(refusal_of(dxf(tags("0 SPLINE 8 WALLS 71 1 40 0 40 1 10 0 20 0 10 1 20 0"))), "2 knots"));
  CHECK(says(refusal_of(dxf(tags("0 SPLINE 8 WALLS 71 1 40 0 40 1 40 0 40 1 10 0 20 0 10 1 20 0"))), "do not rise"));
  CHECK(says(refusal_of(dxf(tags("0 SPLINE 8 WALLS 71 99 40 0 10 0 20 0"))), "degree of 99"));
  CHECK(says(refusal_of(dxf(tags("0 SPLINE 8 WALLS 71 3 11 0 21 0"))), "fit points"));
  CHECK(says(refusal_of(dxf(dxf_line({0, 0}, {1e12, 0}))), "at most"));
  CHECK(says(refusal_of(dxf(four_lines + dxf_line({0, 0}, {1e308, 1e308}))), "lies at (1e+308, 1e+308) m"));
  CHECK(says(problems_of(dxf(four_lines + tags("0 LWPOLYLINE 8 WALLS 90 1 70 0 10 0 20 0"))),
             "of 1 vertices is left out"));
  CHECK(says(problems_of(dxf(four_lines + tags("0 MLINE 8 WALLS 0 MLINE 8 WALLS 0 HATCH 8 WALLS"))),
             "not read: 2 MLINE."));
}

TEST_CASE("dxf: lines may end in CR LF, codes be indented, and blank lines follow") {
  std::string text = dxf(four_lines);
  std::string windows;
  for (char c : text) windows += c == '\n' ? std::string("\r\n  ") : std::string(1, c);
  CHECK(free_area(cleaned("  " + windows + "\r\n\r\n")) == doctest::Approx(12));
}

TEST_CASE("dxf: the example plan is what make_office_plan.py draws, and has twelve rooms and a corridor") {
  const TempDir drawn;
  const std::string script = std::string(THRONG_SOURCE_DIR) + "/examples/make_office_plan.py";
  const ProgramResult run = run_program({"/usr/bin/python3", "-B", script, drawn.path().string()});
  REQUIRE(run.exit_code == 0);
  const std::string text = read_file(std::string(THRONG_SOURCE_DIR) + "/examples/office_plan.dxf");
  CHECK(read_file(drawn / "office_plan.dxf") == text);
  CHECK(problems_of(text) == "");
  const CleanEnvironment c = cleaned(text);
  CHECK(c.layers[0].free.size() == 1);  // every four_lines is reached
  CHECK(c.layers[0].walls.empty());     // walls of two lines are solid
  std::set<std::string> names = {"Corridor", "exit west", "exit east"};
  for (int i = 1; i <= 6; ++i) names.insert({fmt::format("Office {}", 100 + i), fmt::format("Office {}", 200 + i)});
  CHECK(areas_of(c) == names);
  for (const CleanArea& area : c.layers[0].areas) {
    if (!area.name.starts_with("Office")) continue;
    // 4.5 x 5 m without the quarter that the door's leaf sweeps, which is on the corridor's side.
    CHECK(environment::area(area.polygons, c.grid) == doctest::Approx(22.5 - pi / 4 * 0.81).epsilon(0.002));
  }
}

TEST_CASE("dxf: a closed shape on a door layer cuts the walls it lies on, thin ones and thick ones") {
  const std::string shell = dxf_rectangle({0, 0}, {8, 4});
  const std::string thin = dxf_line({4, 0}, {4, 4});
  const std::string thick = dxf_rectangle({3.9, 0}, {4.1, 4});
  const std::string door = dxf_rectangle({3.8, 1.5}, {4.2, 2.5}, "DOORS");
  for (const std::string& wall : {thin, thick}) {
    const CleanEnvironment closed = cleaned(dxf(shell + wall)), open = cleaned(dxf(shell + wall + door));
    const bool is_thick = wall == thick;
    CHECK(closed.layers[0].free.size() == (is_thick ? 2 : 1));
    CHECK(closed.layers[0].walls.size() == (is_thick ? 0 : 1));
    CHECK(open.layers[0].free.size() == 1);
    CHECK(open.layers[0].walls.size() == (is_thick ? 0 : 2));
    CHECK(free_area(open) == doctest::Approx(32 - (is_thick ? 3 * 0.2 : 0)));
  }
  // A railing on a layer of obstacles is a thin wall.
  CHECK(cleaned(dxf(shell + dxf_line({2, 1}, {2, 3}, "OBSTACLES"))).layers[0].walls.size() == 1);
}
