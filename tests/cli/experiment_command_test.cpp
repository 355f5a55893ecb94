#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
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
