// Small scenarios for `throng run`, written as text, and what the program says of them. By the program alone: nothing of the inside is
// taken for granted.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "throng/vec2.hpp"

namespace throng::test {
/// Of its own, because other samples of this program's tests have functions of the same names.
inline namespace small_runs {

using Json = nlohmann::json;
using Row = std::map<std::string, std::string>;

inline std::string rectangle(double x0, double y0, double x1, double y1) {
  return fmt::format("[[{0},{1}],[{2},{1}],[{2},{3}],[{0},{3}],[{0},{1}]]", x0, y0, x1, y1);
}
inline std::string feature(const std::string& properties, const std::string& kind, const std::string& coordinates) {
  return fmt::format(R"({{"type":"Feature","properties":{{{}}},"geometry":{{"type":"{}","coordinates":{}}}}})",
                     properties, kind, coordinates);
}
inline std::string polygon(const std::string& properties, const std::string& ring) {
  return feature(properties, "Polygon", "[" + ring + "]");
}

/// One room of this size.
inline std::string room(double width, double height, const std::string& more_features = "") {
  return R"({"type":"FeatureCollection","features":[)" +
         polygon(R"("kind":"walkable")", rectangle(0, 0, width, height)) + more_features + "]}";
}

inline std::vector<Row> rows_of(const std::string& csv) {
  std::istringstream lines(csv);
  const auto cells_of = [](const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line)
      if (c == ',')
        cells.emplace_back();
      else
        cells.back() += c;
    return cells;
  };
  std::string line;
  REQUIRE(std::getline(lines, line));
  const std::vector<std::string> heading = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() == heading.size());
    rows.emplace_back();
    for (std::size_t i = 0; i < heading.size(); ++i) rows.back()[heading[i]] = cells[i];
  }
  return rows;
}
inline double number(const Row& row, const std::string& column) { return std::stod(row.at(column)); }

struct Run {
  Json figures;
  std::vector<Row> people, measures;
};

/// Runs a scenario with these members beside its environment.
inline Run run(const std::string& environment, const std::string& members, std::vector<std::string> arguments = {}) {
  const TempDir folder;
  write_file(folder / "s.json", R"({"throng":1,"environment":)" + environment + "," + members + "}");
  arguments.insert(arguments.begin(), {"run", folder / "s.json"});
  arguments.insert(arguments.end(), {"--json", "--agents", folder / "a.csv", "--measures", folder / "m.csv"});
  const ProgramResult result = run_throng(arguments);
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  return {Json::parse(result.out), rows_of(read_file(folder / "a.csv")), rows_of(read_file(folder / "m.csv"))};
}

/// One person alone: `speed` m/s, from one point to another.
inline std::string walker(Vec2 from, Vec2 to, const std::string& layers = "") {
  const std::string at = layers.empty() ? "" : R"(,"layer":")" + layers.substr(0, layers.find(' ')) + '"';
  const std::string goal_at = layers.empty() ? "" : R"(,"layer":")" + layers.substr(layers.find(' ') + 1) + '"';
  return fmt::format(
      R"({{"profile":"p","count":1,"start":{{"polygon":{}{}}},"goals":[{{"point":[{},{}],"radius":0.3{}}}]}})",
      rectangle(from.x - 0.01, from.y - 0.01, from.x + 0.01, from.y + 0.01), at, to.x, to.y, goal_at);
}
inline std::string profile(const std::string& members) { return R"("profiles":{"p":{)" + members + "}}"; }

}  // namespace small_runs
}  // namespace throng::test
