#include "cli/osm_arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "text/files.hpp"

namespace throng::cli {
namespace {

/// "1,2,3", or nothing where these are not `count` finite numbers.
std::optional<std::vector<double>> numbers(const std::string& text, std::size_t count) {
  std::vector<double> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    double number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
    out.push_back(number);
    at = stop;
    if (at == end) break;
    if (*at++ != ',') return std::nullopt;
  }
  if (out.size() != count) return std::nullopt;
  return out;
}

}  // namespace

void add_osm_arguments(Arguments& arguments) {
  arguments.group("OpenStreetMap (.osm, .pbf)")
      .option("--bbox", "W,S,E,N", "cut to this box, degrees west, south, east, north")
      .option("--osm-origin", "LON,LAT", "degrees of what becomes (0, 0), instead of the box's middle")
      .option("--osm-table", "FILE", "what tags mean, instead of the built-in table (JSON)")
      .option("--osm-storey", "H", "metres from one level to the next (default 3)", Type::number);
}

Result<environment::OsmOptions> osm_options(const Parsed& parsed) {
  environment::OsmOptions options;
  Problems problems;
  const auto refuse = [&](std::string message) {
    problems.push_back({Severity::error, ProblemCode::value, "", std::move(message)});
  };
  if (parsed.given("bbox")) {
    if (const auto box = numbers(parsed.text("bbox"), 4))
      options.box = environment::GeoBox{(*box)[0], (*box)[1], (*box)[2], (*box)[3]};
    else
      refuse("--bbox wants four numbers: west,south,east,north");
  }
  if (parsed.given("osm-origin")) {
    if (const auto origin = numbers(parsed.text("osm-origin"), 2))
      options.origin = environment::GeoOrigin{(*origin)[0], (*origin)[1]};
    else
      refuse("--osm-origin wants two numbers: longitude,latitude");
  }
  options.storey_height = parsed.number("osm-storey").value_or(options.storey_height);
  if (!(options.storey_height > 0) || options.storey_height > 100) refuse("--osm-storey wants a height above 0");
  if (parsed.given("osm-table")) {
    Result<std::string> table = environment::read_file(parsed.text("osm-table"));
    if (table)
      options.table = std::move(table).value(), options.table_name = parsed.text("osm-table");
    else
      problems.insert(problems.end(), table.problems().begin(), table.problems().end());
  }
  if (!problems.empty()) return problems;
  return options;
}

}  // namespace throng::cli
