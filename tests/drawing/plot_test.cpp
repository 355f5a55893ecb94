#include "drawing/plot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "support/data.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using namespace analysis;

std::size_t times_in(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// Drawn by a program that shares no code with ours: it refuses what is not well-formed.
void check_well_formed(const std::string& svg) {
  const ProgramResult result = run_program({"rsvg-convert"}, svg);
  CHECK_MESSAGE(result.exit_code == 0, result.err);
}

TEST_CASE("ticks are round, ascend, and lie within, for ranges of every size") {
  CHECK(ticks(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(ticks(-0.3, 0.3, 6).size() == 7);
  CHECK(ticks(5, 5, 5).empty());
  CHECK(ticks(0, std::numeric_limits<double>::infinity(), 5).empty());
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  for (int i = 0; i < 2000; ++i) {
    const double low = random.uniform(-1, 1) * std::pow(10, random.uniform(-9, 12));
    const double high = low + std::pow(10, random.uniform(-9, 12));
    const std::vector<double> values = ticks(low, high, 6);
    const double slack = 1e-6 * (high - low) + 1e-12 * std::abs(low);
    for (std::size_t k = 0; k < values.size(); ++k) {
      CHECK(values[k] >= low - slack);
      CHECK(values[k] <= high + slack);
    }
    CHECK(values.size() <= 13);
  }
  CHECK(ticks(1e20, 1e20 + 1e5, 6).size() <= 13);  // neighbouring doubles lie further apart than the step
}

TEST_CASE("a plot has axes with their labels, a legend of named series, and says what it shows") {
  Plot plot{.title = "People <here>", .x_label = "time (s)", .y_label = "people & dogs"};
  plot.series.push_back({.name = "a", .points = {{0, 0}, {1, 5}, {2, 3}}});
  plot.series.push_back({.name = "b", .points = {{0, 1}, {2, 2}}, .mark = Mark::steps});
  plot.description = "How many \"there\" are";
  const std::string svg = draw_plot(plot);
  check_well_formed(svg);
  CHECK(svg.find("time (s)") != std::string::npos);
  CHECK(svg.find("people &amp; dogs") != std::string::npos);
  CHECK(svg.find("People &lt;here&gt;") != std::string::npos);
  CHECK(svg.find("aria-label=\"How many &quot;there&quot; are\"") != std::string::npos);
  CHECK(svg.find(">a</text>") != std::string::npos);
  CHECK(svg.find(">b</text>") != std::string::npos);
  CHECK(times_in(svg, "stroke-dasharray") == 2);  // the second line and its swatch: told apart without colour
  CHECK(draw_plot(plot) == svg);
}

TEST_CASE("texts that are no UTF-8, or too long for the picture, do not spoil it") {
  CHECK(mended("a\xff"
               "b\xc3") ==
        "a\ufffd"
        "b\ufffd");
  CHECK(mended("gr\u00fcn \u20ac") == "gr\u00fcn \u20ac");
  Plot plot{.title = std::string(300, 'W'), .x_label = "x", .y_label = "y"};
  plot.series.push_back({.name = "\xff\xfe", .points = {{0, 0}, {1, 1}}});
  plot.series.push_back({.name = std::string(100, 'M') + "\u00fc", .points = {{0, 0}, {1, 1}}});
  const std::string svg = draw_plot(plot);
  check_well_formed(svg);
  CHECK(svg.find("font-size=\"14\">" + std::string(30, 'W')) != std::string::npos);
  CHECK(svg.find("font-size=\"14\">" + std::string(60, 'W')) == std::string::npos);
  CHECK(svg.find("MM\u2026</text>") != std::string::npos);
}

TEST_CASE("a single series needs no legend") {
  Plot plot{.title = "t", .x_label = "x", .y_label = "y"};
  plot.series.push_back({.name = "alone", .points = {{0, 0}, {1, 1}}});
  CHECK(draw_plot(plot).find("alone") == std::string::npos);
}

TEST_CASE("numbers that are not finite are left out, and an empty plot says so") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Plot plot{.title = "t", .x_label = "x", .y_label = "y"};
  CHECK(draw_plot(plot).find("no data") != std::string::npos);
  for (const Mark mark : {Mark::line, Mark::steps, Mark::dots, Mark::bars, Mark::band})
    plot.series.push_back({.name = "s",
                           .points = {{0, 1}, {1, nan}, {inf, 2}, {3, 4}},
                           .mark = mark,
                           .upper = {{0, 2}, {nan, nan}, {3, 5}}});
  const std::string svg = draw_plot(plot);
  check_well_formed(svg);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  CHECK(svg.find("no data") == std::string::npos);
}

TEST_CASE("a value lies where the axis says") {
  Plot plot{
      .title = "t", .x_label = "x", .y_label = "y", .width = 400, .height = 300, .x_from = 0, .x_to = 10, .y_to = 10};
  plot.series.push_back({.name = "", .points = {{0, 0}, {10, 10}}});
  const std::string svg = draw_plot(plot);
  // From the left lower corner of the frame to the right upper one; the frame is drawn as M left,top V bottom H right.
  std::smatch frame, line;
  REQUIRE(std::regex_search(svg, frame, std::regex(R"re(class="axis" d="M([\d.]+),([\d.]+)V([\d.]+)H([\d.]+)")re")));
  REQUIRE(std::regex_search(svg, line, std::regex(R"re(class="line s0" d="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)")re")));
  CHECK(std::stod(line[1]) == doctest::Approx(std::stod(frame[1])));
  CHECK(std::stod(line[2]) == doctest::Approx(std::stod(frame[3])));
  CHECK(std::stod(line[3]) == doctest::Approx(std::stod(frame[4])));
  CHECK(std::stod(line[4]) == doctest::Approx(std::stod(frame[2])));
}

TEST_CASE("bars have names below them, and stand on zero") {
  Plot plot{.title = "t", .x_label = "level", .y_label = "%"};
  plot.series.push_back({.name = "", .points = {{0, 10}, {1, 0}, {2, 40}}, .mark = Mark::bars});
  plot.x_names = {"A", "B", "C"};
  const std::string svg = draw_plot(plot);
  CHECK(times_in(svg, "<rect") == 3);
  CHECK(svg.find(">B</text>") != std::string::npos);
  check_well_formed(svg);
}

}  // namespace
}  // namespace throng::test
