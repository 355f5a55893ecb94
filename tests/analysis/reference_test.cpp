// What runs are judged by: Fruin's levels and the curves of Weidmann and of the laboratory.
#include <doctest/doctest.h>

#include <regex>
#include <sstream>

#include "analysis/level_of_service.hpp"
#include "analysis/reference_curves.hpp"
#include "support/data.hpp"

namespace throng::test {
namespace {

using namespace analysis;

TEST_CASE("Fruin's levels: the areas of his table, and a bound belongs to the better level") {
  const auto level = [](double area, bool stairs) { return level_names[level_of_service(1 / area, stairs)]; };
  // Square metres a person, in the middle of each level.
  CHECK(level(4, false) == 'A');
  CHECK(level(2.8, false) == 'B');
  CHECK(level(1.8, false) == 'C');
  CHECK(level(1.1, false) == 'D');
  CHECK(level(0.7, false) == 'E');
  CHECK(level(0.4, false) == 'F');
  CHECK(level(2, true) == 'A');
  CHECK(level(1.6, true) == 'B');
  CHECK(level(1.1, true) == 'C');
  CHECK(level(0.8, true) == 'D');
  CHECK(level(0.5, true) == 'E');
  CHECK(level(0.3, true) == 'F');
  CHECK(level_of_service(0, false) == 0);
  for (std::size_t i = 0; i + 1 < level_count; ++i) CHECK(level_of_service(walkway_levels[i], false) == i);
}

TEST_CASE("the table of docs/reports.md has the bounds of the program") {
  static const std::regex row(R"(^\| ([A-F]) \| (?:up to|above) ([0-9.]+) \|[^|]*\| (?:up to|above) ([0-9.]+) \|)");
  std::istringstream lines(read_file(THRONG_SOURCE_DIR "/docs/reports.md"));
  std::size_t found = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, row)) continue;
    const std::size_t level = std::min(level_names.find(match[1].str()[0]), level_count - 2);
    CHECK(std::stod(match[2]) == doctest::Approx(walkway_levels[level]).epsilon(0.01));
    CHECK(std::stod(match[3]) == doctest::Approx(stairway_levels[level]).epsilon(0.01));
    ++found;
  }
  CHECK(found == level_count);
}

TEST_CASE("Weidmann's curve has its published values") {
  constexpr std::pair<double, double> published[] = {{0.5, 1.298}, {1, 1.058}, {1.5, 0.807},
                                                     {2, 0.606},   {3, 0.331}, {4, 0.156}};
  for (const auto& [density, speed] : published)
    CHECK(weidmann_speed(density) == doctest::Approx(speed).epsilon(0.002));
  CHECK(weidmann_speed(0) == 1.34);
  CHECK(weidmann_speed(6) == 0);
  double most = 0, where = 0;
  for (const Vec2 p : weidmann_curve())
    if (p.x * p.y > most) most = p.x * p.y, where = p.x;
  CHECK(most == doctest::Approx(1.225).epsilon(0.01));
  CHECK(where == doctest::Approx(1.75).epsilon(0.05));
}

}  // namespace
}  // namespace throng::test
