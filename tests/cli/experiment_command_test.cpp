#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include "following/follower.hpp"
#include "steering/avoider.hpp"
#include "support/data.hpp"

namespace throng::test {
namespace {

std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

/// A case of an experiment: what its lines say together.
struct Case {
  std::string scene, method, variant;
  nlohmann::json measure, published;
};

/// Every line is a figure with the same nine members; those of one case follow each other.
std::vector<Case> cases_of(const std::string& text, const std::string& experiment) {
  std::vector<Case> cases;
  for (const nlohmann::json& line : lines_of(text)) {
    REQUIRE(line.size() == 9);
    CHECK(line["experiment"] == experiment);
    CHECK(line.contains("deviation"));
    CHECK(line["runs"] >= 1);
    if (cases.empty() || cases.back().scene != line["scene"] || cases.back().method != line["method"] ||
        cases.back().variant != line["variant"])
      cases.push_back({line["scene"], line["method"], line["variant"], {}, {}});
    const std::string measure = line["measure"];
    CHECK(!cases.back().measure.contains(measure));
    cases.back().measure[measure] = line["value"];
    cases.back().published[measure] = line["published"];
  }
  return cases;
}

TEST_CASE("experiments are listed, and unknown ones refused") {
  const auto listed = lines_of(run_throng({"experiment", "--list", "--json"}).out);
  REQUIRE(listed.size() >= 2);
  CHECK(listed[0].contains("description"));
  CHECK(run_throng({"experiment"}).exit_code == 2);
  const auto unknown = run_throng({"experiment", "nothing"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("no experiment 'nothing'") != std::string::npos);
  CHECK(run_throng({"experiment", "avoidance", "--runs", "0"}).exit_code == 2);
  const auto useless = run_throng({"experiment", "pairs", "--tiles", "4"});
  CHECK(useless.exit_code == 2);
  CHECK(useless.err.find("'pairs' takes no --tiles") != std::string::npos);
}

TEST_CASE("experiment pairs: every pair in every scene, a picture each, one page, the same for any number of threads") {
  const TempDir folder;
  const auto run = [&](const std::string& threads) {
    return run_throng({"experiment", "pairs", "--quick", "--json", "--seed", "4", "--threads", threads, "-o",
                       (folder.path() / ("out" + threads)).string()});
  };
  const auto one = run("1"), two = run("2");
  REQUIRE(one.exit_code == 0);
  const auto rows = cases_of(one.out, "pairs"), others = cases_of(two.out, "pairs");
  REQUIRE(rows.size() == 5 * following::followers().size() * steering::avoiders().size());
  REQUIRE(others.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].measure["hash"] == others[i].measure["hash"]);
    CHECK(rows[i].measure["people"] > 0);
    std::string name = rows[i].scene + "-" + rows[i].method + ".svg";
    std::ranges::replace(name, ' ', '-');
    CHECK(read_file(folder.path() / "out1" / name) == read_file(folder.path() / "out2" / name));
  }
  const std::string csv = read_file(folder.path() / "out1" / "pairs.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == long(rows.size()) + 1);
  CHECK(read_file(folder.path() / "out1" / "index.html").find("circle-miran-orca.svg") != std::string::npos);
}

TEST_CASE("experiment avoidance prints Jaklin's figures beside ours") {
  const auto run = run_throng({"experiment", "avoidance", "--quick", "--json"});
  REQUIRE(run.exit_code == 0);
  const auto rows = cases_of(run.out, "avoidance");
  REQUIRE(rows.size() == 42);
  CHECK(rows[0].variant == "published");
  CHECK(rows[1].variant == "default");
  CHECK(rows[0].scene == "crossing-streams");
  CHECK(rows[0].method == "moussaid");
  CHECK(rows[0].published["collisions"] == 34.7);
  CHECK(rows[0].published["deadlocked"] == 0);
}

TEST_CASE("experiment surfaces: both surfaces, four combinations, Parsons's figures beside ours") {
  const TempDir folder;
  const auto run = run_throng({"experiment", "surfaces", "--quick", "--json", "-o", folder.path().string()});
  REQUIRE(run.exit_code == 0);
  const auto rows = cases_of(run.out, "surfaces");
  REQUIRE(rows.size() == 2 + 2 * 2 * 2);
  CHECK(rows[0].method == "visibility");
  CHECK(rows[0].measure["points"] == 46);
  CHECK(rows[0].published["make_ms"] == 6.3815);
  CHECK(rows[1].measure["found_%"] == 100.0);
  CHECK(rows[2].method == "visibility proximity");
  CHECK(rows[2].published["local_ms"] == 0.2652);
  for (const char* name : {"visibility.svg", "voronoi_sites.svg", "surfaces.csv", "surfaces_crowds.csv"})
    CHECK(!read_file(folder / name).empty());
}

TEST_CASE("experiment mesh: a city of Jaklin's size, with the published figures beside ours") {
  const auto rows = cases_of(run_throng({"experiment", "mesh", "--quick", "--json"}).out, "mesh");
  REQUIRE(!rows.empty());
  CHECK(rows[0].measure["obstacle_vertices"] == 2098);
  CHECK(rows[0].published["vertices"] == 1444);
  CHECK(rows[0].published["insert_ms"] == 3.7);
  CHECK(rows[0].measure["inserted_cleaned_whole"] == 0);
  CHECK(rows[0].measure["routes_found"].get<double>() > 40);
}

TEST_CASE("experiment following: all arrive; miran keeps to what routes cost, irm cuts through dear regions") {
  const auto rows = cases_of(run_throng({"experiment", "following", "--json"}).out, "following");
  REQUIRE(rows.size() == 4 * 3 * 3);
  double irm = 0, miran = 0, routes = 0;
  for (const auto& one : rows) {
    const nlohmann::json& row = one.measure;
    CHECK(row["arrived"] == true);
    CHECK(row["walked_m"] <= row["route_m"].get<double>() + 0.5);
    if (one.method == "irm") irm += row["walked_cost"].get<double>();
    if (one.method != "miran") continue;
    miran += row["walked_cost"].get<double>();
    routes += row["route_cost"].get<double>();
    CHECK(row["walked_cost"] <= 1.02 * row["route_cost"].get<double>());
    CHECK(row["sharpest_turn_deg"] < 90);
  }
  CHECK(miran < routes);
  CHECK(irm > 2 * routes);
}

/// Values of ExperimentFigures' lines, by scene, variant and measure.
std::map<std::string, double> figures_of(const std::string& lines) {
  std::map<std::string, double> values;
  for (const nlohmann::json& row : lines_of(lines)) {
    if (!row.contains("measure") || !row["value"].is_number()) continue;
    const auto text = [&](const char* key) { return row[key].is_string() ? row[key].get<std::string>() : ""; };
    values[text("scene") + "|" + text("method") + "|" + text("variant") + "|" + text("measure")] = row["value"];
  }
  return values;
}

TEST_CASE("experiment miran-parameters: what shortcut and sampling do and do not (Jaklin 2016, figures 6.10 to 6.14)") {
  const TempDir folder;
  const auto run = run_throng({"experiment", "miran-parameters", "--json", "-o", folder.path().string()});
  REQUIRE(run.exit_code == 0);
  const auto values = figures_of(run.out);
  const auto of = [&](const std::string& figure, const std::string& variant, const std::string& measure) {
    const auto at = values.find(figure + "|miran|" + variant + "|" + measure);
    REQUIRE_MESSAGE(at != values.end(), figure << " " << variant << " " << measure);
    return at->second;
  };
  for (const auto& [name, value] : values) {
    INFO(name);
    if (name.ends_with("|arrived")) CHECK(value == 1);
    if (name.ends_with("|metres walked back")) CHECK(value < 1e-9);
    if (name.ends_with("|metres on water")) CHECK(value == 0);
  }
  for (const char* d : {"0.5", "1", "2", "3", "4"}) {
    const std::string variant = std::string("sigma=5, d=") + d;
    CHECK(of("6.10: d, no regions", variant, "apart from the first m") < 1e-6);
    CHECK(of("6.11: d", variant, "apart from the first m") < 0.3);
  }
  double sooner = 1e9;
  for (const char* sigma : {"5", "10", "15", "20", "25", "30"}) {
    const std::string variant = std::string("sigma=") + sigma + ", d=1";
    CHECK(of("6.12: sigma, shortest route", variant, "apart from the first m") < 0.25);
    const double before = of("6.13: sigma", variant, "metres before grass");
    CHECK(before < sooner);
    sooner = before;
  }
  const std::string lake = "6.14: sigma 250 round the lake";
  CHECK(of(lake, "sigma=250, d=20", "cost") <= values.at(lake + "|route||cost"));
  // Round the loop, not across it.
  CHECK(of("6.14: sigma 300, crossing itself", "sigma=300, d=20", "walked m") > 200);
  CHECK(read_file(folder / "miran_parameters_6.svg").find("<svg") != std::string::npos);
}

TEST_CASE("experiment miran-disc: the point goes through the puddle, the body round it (Jaklin 2016, figure 7.10)") {
  const auto values = figures_of(run_throng({"experiment", "miran-disc", "--json"}).out);
  const std::string wet = "|sigma=50, d=0.2|metres with a foot in the puddle";
  CHECK(values.at("car_puddle|miran, point" + wet) > 2);
  CHECK(values.at("car_puddle|miran, body" + wet) == 0);
}

TEST_CASE("experiment weighted-grid: grids keep their bounds, and may take another class of ways than the best") {
  const TempDir folder;
  const auto run = run_throng({"experiment", "weighted-grid", "--quick", "--json", "-o", folder.path().string()});
  REQUIRE(run.exit_code == 0);
  const auto values = figures_of(run.out);
  CHECK(values.at("cells|grid|centres|dearest / best") <= 1 + std::sqrt(2.0));
  CHECK(values.at("cells|grid|corners|dearest / best") <= 1.0824);
  CHECK(values.at("triangles|grid|3 neighbours|longest way / straight") == doctest::Approx(2));
  CHECK(values.at("hexagons|grid|12 neighbours|longest way / straight") == doctest::Approx(1.0353).epsilon(1e-3));
  // Figure 3.1: as dear as the wall is high.
  CHECK(values.at("gap|grid|height=40 centres|cost") > 2 * values.at("gap|grid|height=10 centres|cost"));
  // Figure 3.2, weights 1, 1.3 and closed.
  CHECK(values.at("two_sides|grid|grey=1.3 centres|region-homotopic to the best") == 0);
  CHECK(values.at("two_sides|grid|grey closed centres|region-homotopic to the best") == 1);
  CHECK(values.at("two_sides|grid|grey=1.3 centres|cost") == doctest::Approx(25.4));
  CHECK(values.at("two_sides|spm|grey=1.3 |cost") == doctest::Approx(2 * std::hypot(7.5, 2.5) + 8).epsilon(1e-6));
  for (const char* name : {"figure_3_1_gap.svg", "figure_3_2_two_sides.svg"}) CHECK(!read_file(folder / name).empty());
}

TEST_CASE("experiment exits: everybody leaves, however doors are chosen, and what splits take stands beside it") {
  const auto run = run_throng({"experiment", "exits", "--quick", "--json"});
  REQUIRE(run.exit_code == 0);
  const auto rows = cases_of(run.out, "exits");
  REQUIRE(rows.size() == 9 + 3 + 2);
  for (const auto& row : rows) {
    CAPTURE(row.variant);
    CHECK(row.measure["left"] == 60);
    if (row.variant == "quickest")
      CHECK(row.measure["by_near"].get<double>() + row.measure["by_far"].get<double>() == 60);
  }
  CHECK(run_throng({"experiment", "exits", "--only", "nowhere"}).exit_code == 1);
}

TEST_CASE("experiment detours: Zwerver's figures beside ours, paths drawn; a town, timed") {
  const TempDir folder;
  const auto run =
      run_throng({"experiment", "detours", "--quick", "--json", "--only", "busy-corner", "-o", folder.path().string()});
  REQUIRE(run.exit_code == 0);
  const auto rows = cases_of(run.out, "detours");
  REQUIRE(rows.size() == 6);
  CHECK(rows[0].method == "miran");
  CHECK(rows[0].measure["arrived_share"] == 0);
  CHECK(rows[3].method == "id3");
  CHECK(rows[3].measure["arrived_share"] == 1);
  CHECK(rows[3].published["length"] == 26.9);
  CHECK(!read_file(folder / "busy-corner-id3.svg").empty());
  const auto city =
      cases_of(run_throng({"experiment", "detours", "--quick", "--json", "--only", "city"}).out, "detours");
  REQUIRE(city.size() == 8);
  CHECK(city[0].published["ms_a_step"] == 42.68);
  CHECK(city[3].measure["people"] > 0);
}

TEST_CASE("an experiment's folder that is a file is refused before anything runs") {
  const TempDir folder;
  const std::string file = (folder / "file").string();
  write_file(file, "kept");
  const auto run = run_throng({"experiment", "pairs", "--quick", "-o", file});
  CHECK(run.exit_code == 1);
  CHECK(read_file(file) == "kept");
}

}  // namespace
}  // namespace throng::test
