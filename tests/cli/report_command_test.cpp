// `throng report` as a planner meets it: the numbers are those of the run, the file opens anywhere, bad input is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "analysis/recorded_run.hpp"
#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

std::string example(const std::string& name) { return std::string(THRONG_SOURCE_DIR) + "/examples/" + name + ".json"; }

struct Run {
  std::string path;
  Json json;  ///< what `throng run --json` said
};

Run recorded(const TempDir& folder, const std::string& name, const std::string& until, const std::string& seed = "1",
             const std::vector<std::string>& more = {}) {
  Run run{folder / (name + "-" + seed + ".throng"), {}};
  std::vector<std::string> words{"run", example(name), "--until", until, "--seed", seed, "-o", run.path, "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramResult result = run_throng(words);
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  run.json = Json::parse(result.out);
  return run;
}

ProgramResult report(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "report");
  return run_throng(arguments);
}

/// <data data-key="KEY" value="VALUE">
std::map<std::string, std::string> figures_in(const std::string& html) {
  static const std::regex pattern(R"re(<data data-key="([^"]*)" value="([^"]*)">)re");
  std::map<std::string, std::string> figures;
  for (std::sregex_iterator at(html.begin(), html.end(), pattern), end; at != end; ++at) figures[(*at)[1]] = (*at)[2];
  return figures;
}

/// Changes a recording by other means than ours.
void change(const std::string& path, const std::string& sql) {
  const ProgramResult result = run_program(
      {"python3", "-c",
       "import sqlite3, sys\nd = sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2]); d.commit()", path, sql});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
}

std::vector<std::vector<std::string>> csv(const std::filesystem::path& file) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(read_file(file));
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string>& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  return rows;
}

TEST_CASE("report: every number that it shares with throng run --json is the same, to the last digit") {
  const TempDir folder;
  for (const auto& [name, until] :
       {std::pair{"bottleneck", "60"}, {"crossing", "40"}, {"station", "12"}, {"two_exits", "12"}}) {
    const Run run = recorded(folder, name, until);
    const ProgramResult result = report({run.path, "-o", folder / "r.html", "--json"});
    REQUIRE_MESSAGE(result.exit_code == 0, result.err);
    const Json said = Json::parse(result.out)["runs"][0];
    const std::map<std::string, std::string> shown = figures_in(read_file(folder / "r.html"));
    CHECK(run.json.size() > 20);
    for (const auto& [key, value] : run.json.items()) {
      CAPTURE(key);
      REQUIRE(said.contains(key));
      CHECK(said[key] == value);
      if (value.is_structured()) continue;  // by population and ground, by exit: tables of their own
      REQUIRE(shown.contains("run-1." + key));
      CHECK(shown.at("run-1." + key) == (value.is_string() ? value.get<std::string>() : value.dump()));
    }
    CHECK(said["finished"] == true);
    // And those of another run of the same scenario, which was not recorded; but for what the clock says.
    const Json again = Json::parse(run_throng({"run", example(name), "--until", until, "--json"}).out);
    for (const auto& [key, value] : again.items())
      if (key != "wall_s" && key != "ms_per_step" && key != "realtime_factor") CHECK_MESSAGE(said[key] == value, key);
  }
}

TEST_CASE("report: the recording of every example has one, whatever its methods count") {
  const TempDir folder;
  int examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    const Run run = recorded(folder, name, "1");
    const ProgramResult result = report({run.path, "-o", folder / "r.html"});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    ++examples;
  }
  CHECK(examples > 10);
}

TEST_CASE(
    "report: companions have a section with histograms, with the run's own numbers; nobody else's report has it") {
  const TempDir folder;
  const Run run = recorded(folder, "mall", "60");
  const ProgramResult result = report({run.path, "-o", folder / "r.html", "--json"});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  CHECK(Json::parse(result.out)["runs"][0]["groups"] == run.json["groups"]);
  const std::string html = read_file(folder / "r.html");
  for (const char* id : {"groups", "group-distances", "group-angles"})
    CHECK_MESSAGE(html.find("id=\"" + std::string(id) + "\"") != std::string::npos, id);
  const std::map<std::string, std::string> shown = figures_in(html);
  REQUIRE(run.json["groups"].size() >= 3);
  for (const Json& group : run.json["groups"]) {
    const std::string size = group["members"].is_string() ? "all" : group["members"].dump();
    for (const char* key : {"groups", "coherence", "total_sociality", "median_nearest", "parted"})
      CHECK_MESSAGE(shown.at("run-1.groups." + size + "." + key) == group[key].dump(), size << " " << key);
  }
  // Of several runs each is a curve.
  const Run other = recorded(folder, "mall", "60", "2");
  REQUIRE(report({run.path, other.path, "-o", folder / "two.html"}).exit_code == 0);
  CHECK(figures_in(read_file(folder / "two.html")).contains("run-2.groups.all.coherence"));

  const Run alone = recorded(folder, "corridor", "2");
  REQUIRE(report({alone.path, "-o", folder / "alone.html"}).exit_code == 0);
  CHECK(read_file(folder / "alone.html").find("id=\"groups\"") == std::string::npos);
}

TEST_CASE("report: everybody's times and distances, crossings and densities are those of the run's tables") {
  const TempDir folder;
  const Run run = recorded(folder, "bottleneck", "30", "1",
                           {"--agents", folder / "agents.csv", "--measures", folder / "measures.csv"});
  const Result<analysis::RecordedRun> read = analysis::read_run(run.path);
  REQUIRE(read.ok());
  const auto agents = csv(folder / "agents.csv");
  REQUIRE(agents.size() == read->people.size() + 1);
  for (std::size_t i = 0; i < read->people.size(); ++i) {
    const analysis::Person& person = read->people[i];
    const std::vector<std::string>& row = agents[i + 1];
    CHECK(std::to_string(person.serial) == row[0]);
    CHECK(std::stod(row[4]) == person.appeared);
    CHECK(person.arrived.has_value() == !row[5].empty());
    if (person.arrived) CHECK(std::stod(row[5]) == *person.arrived);
    if (person.arrived) CHECK(std::stod(row[6]) == *person.travel_time());
    CHECK(std::stod(row[7]) == person.distance);
    CHECK(std::stod(row[9]) == person.slow_time);
  }
  REQUIRE(read->lines.size() == 1);
  REQUIRE(read->areas.size() == 1);
  const auto measures = csv(folder / "measures.csv");
  const std::size_t crossings = read->lines[0].crossings.size();
  REQUIRE(crossings > 10);
  REQUIRE(measures.size() == 1 + crossings + read->areas[0].samples.size());
  for (std::size_t i = 0; i < crossings; ++i) CHECK(std::stod(measures[1 + i][1]) == read->lines[0].crossings[i].time);
  for (std::size_t i = 0; i < read->areas[0].samples.size(); ++i)
    CHECK(std::stod(measures[1 + crossings + i][5]) == read->areas[0].samples[i].density);
}

TEST_CASE("report: the closing table's flow and densities are those that the report shows") {
  const TempDir folder;
  const Run run = recorded(folder, "bottleneck", "60");
  const std::string table = run_throng({"run", example("bottleneck"), "--until", "60"}).out;
  REQUIRE(report({run.path, "-o", folder / "r.html"}).exit_code == 0);
  const std::map<std::string, std::string> shown = figures_in(read_file(folder / "r.html"));
  std::smatch line, area;
  REQUIRE(std::regex_search(table, line, std::regex(R"(line door\s+(\d+) crossings, net (-?\d+), ([\d.]+) /s)")));
  REQUIRE(std::regex_search(table, area, std::regex(R"(area \S+\s+([\d.]+) /m2 on average, ([\d.]+) at most)")));
  CHECK(shown.at("run-1.line.door.crossings") == line[1]);
  CHECK(shown.at("run-1.line.door.net") == line[2]);
  CHECK(std::stod(shown.at("run-1.line.door.flow")) == doctest::Approx(std::stod(line[3])).epsilon(0.005));
  CHECK(std::stod(shown.at("run-1.area.before-the-door.mean")) == doctest::Approx(std::stod(area[1])).epsilon(0.01));
  CHECK(std::stod(shown.at("run-1.area.before-the-door.most")) == doctest::Approx(std::stod(area[2])).epsilon(0.01));
  CHECK(std::stod(shown.at("run-1.evacuated.95")) == run.json["evacuated_95"].get<double>());
}

TEST_CASE("report: one well-formed file with every part, which asks for nothing from elsewhere; the same each time") {
  const TempDir folder;
  const Run run = recorded(folder, "bottleneck", "60");
  REQUIRE(report({run.path, "-o", folder / "r.html", "--title", "Hall <A> & B"}).exit_code == 0);
  const std::string html = read_file(folder / "r.html");
  CHECK(html.find("<title>Hall &lt;A&gt; &amp; B</title>") != std::string::npos);
  for (const char* id :
       {"ways-1", "mean-density-1", "maximum-density-1", "level-of-service-1", "mean-speed-1", "speed-density",
        "arrivals", "travel-times", "crossings-1", "flow-at-line-1", "area-1", "levels", "settings"})
    CHECK_MESSAGE(html.find("id=\"" + std::string(id) + "\"") != std::string::npos, id);
  CHECK(html.find("Weidmann") != std::string::npos);
  CHECK(html.find("laboratory") != std::string::npos);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';") != std::string::npos);
  CHECK(html.size() < 2'000'000);
  const ProgramResult parsed = run_program(
      {"python3", "-c",
       "import sys\nfrom html.parser import HTMLParser\n"
       "class P(HTMLParser):\n"
       "    stack, ids, uses = [], set(), []\n"
       "    def look(self, tag, attrs):\n"
       "        d = dict(attrs)\n"
       "        if 'id' in d: assert d['id'] not in self.ids, d['id']; self.ids.add(d['id'])\n"
       "        for k, v in attrs:\n"
       "            if k in ('src', 'href', 'xlink:href'): assert v.startswith(('#', 'data:image/png')), v[:80]\n"
       "            if v and 'url(' in v: self.uses.append(v.split('#')[1].split(')')[0])\n"
       "        if tag == 'svg' and 'class' in d: assert d.get('aria-label') and d.get('role') == 'img'\n"
       "    def handle_starttag(self, tag, attrs):\n"
       "        self.look(tag, attrs)\n"
       "        if tag != 'meta': self.stack.append(tag)\n"
       "    def handle_startendtag(self, tag, attrs): self.look(tag, attrs)\n"
       "    def handle_endtag(self, tag): assert self.stack.pop() == tag, tag\n"
       "p = P(); p.feed(open(sys.argv[1]).read()); assert not p.stack\n"
       "assert p.uses and all(u in p.ids for u in p.uses)\n",
       folder / "r.html"});
  CHECK_MESSAGE(parsed.exit_code == 0, parsed.err);
  REQUIRE(report({run.path, "-o", folder / "again.html", "--title", "Hall <A> & B"}).exit_code == 0);
  CHECK(read_file(folder / "again.html") == html);
}

TEST_CASE("report: a run that was cut short is reported as far as it goes, and marked") {
  const TempDir folder;
  const Run run = recorded(folder, "bottleneck", "60");
  const Result<analysis::RecordedRun> whole = analysis::read_run(run.path);
  REQUIRE(whole.ok());
  // What a killed writer leaves: frames and rows, no closing figures.
  change(run.path, "DELETE FROM metric");
  const ProgramResult result = report({run.path, "-o", folder / "r.html", "--json"});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  const Json said = Json::parse(result.out)["runs"][0];
  CHECK(said["finished"] == false);
  for (const char* key :
       {"agents", "arrived", "steps", "evacuated_50", "evacuated_95", "evacuated_100", "mean_travel_time", "seed"})
    CHECK_MESSAGE(said[key] == run.json[key], key);
  CHECK(!said.contains("collisions"));
  CHECK(read_file(folder / "r.html").find("this run is unfinished") != std::string::npos);
  // Counted again from millimetres, by the same rules.
  const Result<analysis::RecordedRun> cut = analysis::read_run(run.path);
  REQUIRE(cut.ok());
  REQUIRE(cut->lines.size() == 1);
  CHECK(cut->lines[0].crossings.size() == whole->lines[0].crossings.size());
  CHECK(cut->lines[0].net() == whole->lines[0].net());
  REQUIRE(cut->areas[0].samples.size() == whole->areas[0].samples.size());
  CHECK(cut->areas[0].mean_density() == doctest::Approx(whole->areas[0].mean_density()).epsilon(0.01));

  change(run.path, "DELETE FROM chunk WHERE first_frame > 100; UPDATE agent SET leaves = NULL WHERE leaves > 11");
  const ProgramResult half = report({run.path, "-o", folder / "r.html", "--json"});
  REQUIRE_MESSAGE(half.exit_code == 0, half.err);
  const Json part = Json::parse(half.out)["runs"][0];
  CHECK(part["arrived"] < run.json["arrived"]);
  CHECK(part["evacuated_95"] == nullptr);
  CHECK(part["sim_time"] < 12.0);
  CHECK(report({run.path, "-o", folder / "r.html"}).err.find("unfinished") != std::string::npos);
}

TEST_CASE("report: several runs stand beside each other, with mean and deviation") {
  const TempDir folder;
  std::vector<Run> runs;
  for (const char* seed : {"1", "2", "3"}) runs.push_back(recorded(folder, "bottleneck", "60", seed));
  const ProgramResult result = report({runs[0].path, runs[1].path, runs[2].path, "-o", folder / "r.html", "--json"});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  const std::string html = read_file(folder / "r.html");
  const std::map<std::string, std::string> shown = figures_in(html);
  const Json said = Json::parse(result.out)["runs"];
  REQUIRE(said.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(said[i]["hash"] == runs[i].json["hash"]);
    CHECK(shown.at("run-" + std::to_string(i + 1) + ".evacuated_95") == runs[i].json["evacuated_95"].dump());
    CHECK(html.find("bottleneck-" + std::to_string(i + 1)) != std::string::npos);
    CHECK(html.find("id=\"mean-speed-" + std::to_string(i + 1) + "\"") != std::string::npos);
  }
  CHECK(html.find("<th scope=\"col\">deviation</th>") != std::string::npos);
  CHECK(html.find("different environments") == std::string::npos);
}

TEST_CASE("report: who changed its mind, where and why, and how many left by which exit by when") {
  const TempDir folder;
  const Run run = recorded(folder, "two_exits", "200");
  const Result<analysis::RecordedRun> read = analysis::read_run(run.path);
  REQUIRE(read.ok());
  CHECK(read->changes.size() == run.json["route_changes"].get<std::size_t>());
  REQUIRE_FALSE(read->changes.empty());
  std::size_t by_queues = 0;
  for (const analysis::ChangeOfMind& change : read->changes) {
    CHECK(change.time <= 200);
    CHECK((change.why == "queues" || change.why == "stuck"));
    if (change.why != "queues") continue;
    ++by_queues;
    CHECK(change.from != change.to);
    CHECK((change.to == "near" || change.to == "far"));
    CHECK(change.serial <= 1000);
  }
  const std::string path = folder / "report.html";
  REQUIRE(report({run.path, "-o", path}).exit_code == 0);
  const std::string html = read_file(path);
  CHECK(html.find("Where people changed their minds") != std::string::npos);
  CHECK(html.find("Exits over time") != std::string::npos);
  CHECK(figures_in(html).at("run-1.changes.queues") == std::to_string(by_queues) + ".0");
  change(run.path, "update event set json = '{\"person\": 1}' where kind = 'changed'");
  CHECK(report({run.path, "-o", path}).exit_code == 1);
}

TEST_CASE("report: three seeds or more are a band and its median in every curve, two runs a line each") {
  const TempDir folder;
  std::vector<std::string> runs;
  for (const char* seed : {"1", "2", "3"}) runs.push_back(recorded(folder, "two_exits", "40", seed).path);
  const auto count = [&](const std::vector<std::string>& of, const std::string& what) {
    std::vector<std::string> words = of;
    words.insert(words.end(), {"-o", folder / "r.html"});
    REQUIRE(report(words).exit_code == 0);
    const std::string html = read_file(folder / "r.html");
    std::size_t found = 0;
    for (std::size_t at = html.find(what); at != std::string::npos; at = html.find(what, at + 1)) ++found;
    return found;
  };
  // Arrivals, present, travel times, speed and flow against density; of each exit one.
  CHECK(count(runs, ">lowest to highest<") == 5);
  CHECK(count(runs, ">median of the runs<") == 5);
  CHECK(count(runs, ">near, lowest to highest<") == 1);
  CHECK(count(runs, ">far, median of the runs<") == 1);
  CHECK(count({runs[0], runs[1]}, "lowest to highest") == 0);
}

TEST_CASE("report: runs of different places are compared, each with its own plan, and the report says so") {
  const TempDir folder;
  const Run a = recorded(folder, "bottleneck", "5"), b = recorded(folder, "crossing", "5");
  REQUIRE(report({a.path, b.path, "-o", folder / "r.html"}).exit_code == 0);
  const std::string html = read_file(folder / "r.html");
  CHECK(html.find("different environments") != std::string::npos);
  CHECK(html.find("id=\"ways-2\"") != std::string::npos);
}

TEST_CASE("report: Markdown comes with every figure as SVG and PNG, and all links lead somewhere") {
  const TempDir folder;
  const Run run = recorded(folder, "bottleneck", "20");
  const ProgramResult result = report({run.path, "-o", folder / "r.md", "--json"});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  const std::string markdown = read_file(folder / "r.md");
  static const std::regex link(R"(\]\(<([^>]*)>\))");
  std::size_t links = 0;
  for (std::sregex_iterator at(markdown.begin(), markdown.end(), link), end; at != end; ++at, ++links) {
    const std::string file = (*at)[1];
    REQUIRE_MESSAGE(std::filesystem::exists(folder / file), file);
    if (file.ends_with(".png")) CHECK(read_file(folder / file).starts_with("\x89PNG"));
    if (file.ends_with(".svg")) CHECK(read_file(folder / file).starts_with("<svg"));
  }
  CHECK(links == 2 * Json::parse(result.out)["figures"].get<std::size_t>());
  CHECK(links > 20);
  // Again is fine: it is the same report's folder.
  CHECK(report({run.path, "-o", folder / "r.md"}).exit_code == 0);
}

TEST_CASE("report: a folder in the place of the figures that no report made is left alone") {
  const TempDir folder;
  const Run run = recorded(folder, "corridor", "2");
  std::filesystem::create_directory(folder / "r-figures");
  write_file(folder / "r-figures" / "ways-1.svg", "precious");
  const ProgramResult result = report({run.path, "-o", folder / "r.md"});
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("r-figures") != std::string::npos);
  CHECK(read_file(folder / "r-figures" / "ways-1.svg") == "precious");
  CHECK(!std::filesystem::exists(folder / "r.md"));
}

TEST_CASE("report: what is no recording, or a damaged one, is refused by name, and what was there stays") {
  const TempDir folder;
  const Run run = recorded(folder, "corridor", "3");
  write_file(folder / "r.html", "precious");
  const auto refused = [&](const std::string& path, const std::string& because) {
    const ProgramResult result = report({run.path, path, "-o", folder / "r.html"});
    CHECK(result.exit_code == 1);
    CHECK_MESSAGE(result.err.find(std::filesystem::path(path).filename().string()) != std::string::npos, result.err);
    CHECK_MESSAGE(result.err.find(because) != std::string::npos, result.err);
    CHECK(read_file(folder / "r.html") == "precious");
  };
  refused(folder / "none.throng", "");
  write_file(folder / "text.throng", "not a recording");
  refused(folder / "text.throng", "");
  REQUIRE(run_throng({"export", run.path, folder / "j.sqlite"}).exit_code == 0);
  refused(folder / "j.sqlite", "not a recording of Throng");
  const std::string whole = read_file(run.path);
  const auto changed = [&](const std::string& sql, const std::string& because) {
    write_file(folder / "changed.throng", whole);
    change(folder / "changed.throng", sql);
    refused(folder / "changed.throng", because);
  };
  changed("DELETE FROM chunk", "holds no frames");
  changed("UPDATE metric SET json = '[1' WHERE name = 'summary'", "metric 'summary' makes no sense");
  changed("UPDATE metric SET json = '{\"agents\": [[]]}' WHERE name = 'summary'", "metric 'summary' makes no sense");
  changed("UPDATE metric SET json = '{\"rows\": [[1]]}' WHERE name = 'people'", "metric 'people' makes no sense");
  changed("UPDATE metric SET json = '{\"rows\": [[99999, 1, 1, 1, 1, 1]]}' WHERE name = 'people'",
          "metric 'people' makes no sense");
  changed("INSERT INTO metric (name, json) VALUES ('groups', '[{\"members\": 2}]')", "metric 'groups' makes no sense");
  changed("UPDATE meta SET value = '{\"measures\": 5}' WHERE key = 'parameters'", "'measures' makes no sense");
  changed("UPDATE environment SET json = '{}'", "");
}

TEST_CASE("report: wrong use is refused with exit code 2") {
  const TempDir folder;
  const Run run = recorded(folder, "corridor", "1");
  CHECK(report({run.path}).exit_code == 2);
  CHECK(report({"-o", folder / "r.html"}).exit_code == 2);
  CHECK(report({run.path, "-o", folder / "r.pdf"}).exit_code == 2);
  CHECK(report({run.path, "-o", folder / "r.html", "--format", "docx"}).exit_code == 2);
  const std::string before = read_file(run.path);
  CHECK(report({run.path, "-o", run.path, "--format", "html"}).exit_code == 2);
  CHECK(read_file(run.path) == before);
  CHECK(report({run.path, "-o", folder / "page", "--format", "html"}).exit_code == 0);
  CHECK(read_file(folder / "page").starts_with("<!doctype html>"));
}

TEST_CASE("report: a run that goes on from a snapshot has the figures of the whole run") {
  const TempDir folder;
  const Run whole = recorded(folder, "bottleneck", "40", "1", {"--snapshot", "15", folder / "s.snapshot"});
  const ProgramResult resumed = run_throng({"run", example("bottleneck"), "--until", "40", "--resume",
                                            folder / "s.snapshot", "-o", folder / "resumed.throng", "--json"});
  REQUIRE_MESSAGE(resumed.exit_code == 0, resumed.err);
  const ProgramResult result = report({folder / "resumed.throng", "-o", folder / "r.html", "--json"});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  const Json said = Json::parse(result.out)["runs"][0];
  for (const char* key : {"agents", "arrived", "evacuated_50", "mean_travel_time", "hash"})
    CHECK_MESSAGE(said[key] == whole.json[key], key);
  CHECK(said["lines"][0]["crossings"] > 50);
}

TEST_CASE("report: a file whose name is no UTF-8") {
  const TempDir folder;
  const Run run = recorded(folder, "corridor", "1");
  const std::string odd = folder / "odd\xff.throng";
  std::filesystem::copy_file(run.path, odd);
  CHECK(report({odd, run.path, "-o", folder / "r.html", "--json"}).exit_code == 0);
  CHECK(read_file(folder / "r.html").find('\xff') == std::string::npos);
  CHECK(report({odd, "-o", folder / "r.md"}).exit_code == 0);
}

TEST_CASE("report: nobody walked: still a report") {
  const TempDir folder;
  write_file(folder / "empty.json",
             R"({"throng": 1, "environment": {"type": "FeatureCollection", "features": [{"type": "Feature",
                 "properties": {"kind": "walkable"}, "geometry": {"type": "Polygon",
                 "coordinates": [[[0,0],[10,0],[10,6],[0,6],[0,0]]]}}]}, "duration": 1,
                 "populations": [{"count": 1, "start": {"polygon": [[1,1],[2,1],[2,2],[1,2]]}, "goals": []}]})");
  const ProgramResult run = run_throng({"run", folder / "empty.json", "-o", folder / "e.throng"});
  REQUIRE_MESSAGE(run.exit_code == 0, run.err);
  const ProgramResult result = report({folder / "e.throng", "-o", folder / "r.html"});
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(read_file(folder / "r.html").find("nan") == std::string::npos);
}

}  // namespace
}  // namespace throng::test
