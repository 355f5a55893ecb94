// The cases of experiments/standards: all can be read, their quick forms run, and no criterion is one that cannot fail.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>

#include "text/files.hpp"
#include "validation/validate.hpp"
#include "validation/validation_report.hpp"

// Not all of throng: a public Kind is of environments.
namespace analysis = throng::analysis;
namespace environment = throng::environment;
namespace scenario = throng::scenario;
using throng::Result;
using namespace throng::validation;

namespace {

/// The files as they are in the tree.
const CaseFiles& case_files() {
  static const std::map<std::string, std::string> texts = [] {
    std::map<std::string, std::string> read;
    const std::filesystem::path root = std::filesystem::path(THRONG_SOURCE_DIR) / "experiments/standards";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
      if (entry.is_regular_file())
        read[std::filesystem::relative(entry.path(), root).generic_string()] =
            *environment::read_file(entry.path().string());
    return read;
  }();
  static const CaseFiles files(texts.begin(), texts.end());
  return files;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    Result<std::vector<Case>> read = read_cases(case_files());
    REQUIRE_MESSAGE(read.ok(), to_string(read.problems().front()));
    return std::move(read).value();
  }();
  return all;
}

const Case& case_named(const std::string& name) {
  for (const Case& one : cases())
    if (one.name == name) return one;
  FAIL("there is no case " << name);
  return cases().front();
}

Outcome quick_outcome(const Case& one) {
  ValidateOptions options;
  options.cases.quick = true;
  options.seeds = 1;
  Result<std::vector<Outcome>> outcomes = validate(case_files(), {&one}, options);
  REQUIRE_MESSAGE(outcomes.ok(), to_string(outcomes.problems().front()));
  return std::move(outcomes->front());
}

/// One check turned round at a time: what all held fails, and what failed for that check alone holds.
void check_turning(const Outcome& outcome) {
  const Case& one = *outcome.one;
  CAPTURE(one.name);
  if (one.kind == Kind::measured || one.kind == Kind::not_built) return;
  const SeedOutcome& seed = outcome.seeds.front();
  std::vector<std::size_t> broken;
  for (std::size_t i = 0; i < one.checks.size(); ++i) {
    const std::optional<bool> kept = holds(one.checks[i], seed.figures);
    if (kept != true) broken.push_back(i);
    Case turned = one;
    turned.checks[i].turned = true;
    CAPTURE(text_of(one.checks[i]));
    if (kept == true) CHECK(outcome.verdict_of(turned) == Verdict::fail);
    if (kept.has_value()) CHECK(holds(turned.checks[i], seed.figures) == !*kept);
  }
  Case mended = one;
  for (const std::size_t i : broken) mended.checks[i].turned = true;
  bool is_measured = seed.is_complete;
  for (const std::string& name : one.shown) is_measured &= !outcome.values(name).empty();
  for (const Check& check : one.checks) is_measured &= holds(check, seed.figures).has_value();
  if (is_measured) CHECK(outcome.verdict_of(mended) == Verdict::pass);
}

}  // namespace

TEST_CASE("every part of the guidelines has a case, built or with what it needs") {
  std::set<std::string> names;
  for (const Case& one : cases()) names.insert(one.name);
  std::vector<std::string> wanted{"rimea3-12", "rimea3-13", "rimea-12a", "rimea-12b", "rimea-12c", "rimea-12d"};
  for (int i = 1; i <= 16; ++i)
    if (i != 12) wanted.push_back("rimea-" + std::to_string(i));
  for (int i = 1; i <= 12; ++i) wanted.push_back("imo-" + std::to_string(i));
  for (int i = 1; i <= 19; ++i) wanted.push_back("iso-" + std::to_string(i));
  for (const char* number : {"1.1", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10", "3.1", "3.2",
                             "3.3", "4.1", "5.1", "5.2"})
    wanted.push_back(std::string("nist-") + number);
  for (const std::string& name : wanted) CHECK_MESSAGE(names.contains(name), name);
  for (const Case& one : cases()) {
    CAPTURE(one.name);
    CHECK(!one.clause.empty());
    CHECK(!one.about.empty());
    if (one.kind == Kind::not_built) CHECK(!one.needs.empty());
  }
}

TEST_CASE("cases come by suite and number") {
  std::vector<std::string> names;
  for (const Case& one : cases()) names.push_back(one.name);
  const auto at = [&](const char* name) { return std::ranges::find(names, name) - names.begin(); };
  CHECK(at("rimea-2") < at("rimea-12a"));
  CHECK(at("rimea-16") < at("rimea3-12"));
  CHECK(at("rimea3-13") < at("imo-1"));
  CHECK(at("nist-2.9") < at("nist-2.10"));
}

TEST_CASE("every scenario of every case can be read and its people find their places") {
  std::set<std::string> seen;
  for (const Case& one : cases())
    for (const RunSpec& run : one.runs) {
      if (one.name == "rimea-4") continue;  // up to 40,000 people
      CAPTURE(one.name);
      CAPTURE(run.name);
      Result<scenario::Scenario> scenario = scenario_of(case_files(), one, run, {.quick = true});
      REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
      const Result<scenario::Simulation> made = scenario::Simulation::make(std::move(*scenario), {.threads = 1});
      REQUIRE_MESSAGE(made.ok(), to_string(made.problems().front()));
    }
}

TEST_CASE("quick forms run, and turning any check of theirs round changes the verdict") {
  for (const char* name :
       {"rimea-1",   "rimea-2",   "rimea-3",  "rimea-5",   "rimea-6", "rimea-7", "rimea-9", "rimea-10", "rimea-11",
        "rimea-12b", "rimea-12d", "rimea-13", "rimea-15",  "imo-1",   "imo-2",   "imo-4",   "imo-8",    "nist-2.1",
        "nist-2.2",  "nist-2.4",  "nist-2.9", "nist-2.10", "iso-3",   "iso-5",   "iso-17",  "lab-door"})
    check_turning(quick_outcome(case_named(name)));
}

TEST_CASE("long: quick forms of all cases run, and turning any check round changes the verdict") {
  for (const Case& one : cases()) check_turning(quick_outcome(one));
}

TEST_CASE("what is required by the walks of one person passes") {
  for (const char* name :
       {"rimea-1", "rimea-2", "rimea-3", "imo-1", "imo-2", "imo-3", "nist-2.1", "nist-2.2", "iso-2", "iso-3"}) {
    CAPTURE(name);
    CHECK(quick_outcome(case_named(name)).verdict() == Verdict::pass);
  }
}

TEST_CASE("a seed gives the same figures and hash on any number of threads") {
  ValidateOptions options;
  options.cases.quick = true;
  options.seeds = 3;
  const std::vector<const Case*> some{&case_named("rimea-6"), &case_named("rimea-10")};
  const Result<std::vector<Outcome>> one = validate(case_files(), some, options);
  options.threads = 3;
  const Result<std::vector<Outcome>> three = validate(case_files(), some, options);
  REQUIRE(one.ok());
  REQUIRE(three.ok());
  for (std::size_t i = 0; i < some.size(); ++i) {
    CHECK((*one)[i].hash() == (*three)[i].hash());
    for (std::size_t seed = 0; seed < 3; ++seed)
      CHECK((*one)[i].seeds[seed].figures == (*three)[i].seeds[seed].figures);
  }
}

TEST_CASE("a case whose people do not arrive fails, whatever its kind") {
  Outcome outcome;
  Case one = case_named("rimea-14");
  outcome.one = &one;
  SeedOutcome seed;
  for (const std::string& name : one.shown) seed.figures[name] = 1;
  outcome.seeds.push_back(seed);
  CHECK(outcome.verdict() == Verdict::measured);
  outcome.seeds[0].is_complete = false;
  CHECK(outcome.verdict() == Verdict::fail);
  outcome.seeds[0].is_complete = true;
  outcome.seeds[0].figures.erase(one.shown.front());
  CHECK(outcome.verdict() == Verdict::fail);
}

TEST_CASE("a direction holds in nine of ten seeds, what is required in all") {
  Case one;
  one.checks = {{.figures = {"a"}, .from = 0}};
  Outcome outcome;
  outcome.one = &one;
  for (int i = 0; i < 10; ++i) outcome.seeds.push_back({.seed = 1, .figures = {{"a", i == 0 ? -1.0 : 1.0}}});
  one.kind = Kind::direction;
  CHECK(outcome.verdict() == Verdict::pass);
  one.kind = Kind::required;
  CHECK(outcome.verdict() == Verdict::fail);
  outcome.seeds[1].figures["a"] = -1;
  one.kind = Kind::direction;
  CHECK(outcome.verdict() == Verdict::fail);
}

TEST_CASE("a case that is wrong is refused with its file") {
  const auto problem_of = [](const char* text) {
    const CaseFiles files{{"rimea-1/case.json", text}};
    const Result<std::vector<Case>> read = read_cases(files);
    return read.ok() ? std::string() : to_string(read.problems().front());
  };
  const std::string head = R"({"clause": "c", "kind": "required", "about": "a", "shown": ["t"], )";
  CHECK(problem_of("{").find("rimea-1/case.json") != std::string::npos);
  CHECK(problem_of((head + R"("runs": {}, "figures": {}, "chekcs": []})").c_str()).find("chekcs") != std::string::npos);
  CHECK(problem_of((head + R"("runs": {"w": {}}, "figures": {"t": {"measure": "lastout"}}, "checks": []})").c_str())
            .find("no measure 'lastout'") != std::string::npos);
  CHECK(
      problem_of(
          (head + R"("runs": {"w": {}}, "figures": {"t": {"measure": "last_out", "run": "v"}}, "checks": []})").c_str())
          .find("a run 'v'") != std::string::npos);
  CHECK(problem_of((head + R"("runs": {"w": {}}, "figures": {"t": {"measure": "last_out"}}, "checks": []})").c_str())
            .find("wants checks") != std::string::npos);
  CHECK(problem_of(
            (head + R"("runs": {"w": {}}, "figures": {"t": {"measure": "last_out"}}, "checks": [{"figure": "s"}]})")
                .c_str())
            .find("'s' is not measured") != std::string::npos);
}

TEST_CASE("the report has a row and a section for every case, and the line counts RiMEA's parts") {
  ValidateOptions options;
  options.cases.quick = true;
  options.seeds = 1;
  options.draw = true;
  const std::vector<const Case*> some{&case_named("rimea-1"), &case_named("imo-12")};
  const Result<std::vector<Outcome>> outcomes = validate(case_files(), some, options);
  REQUIRE(outcomes.ok());
  const analysis::Document document = report_of(*outcomes, {"throng", "", 1});
  CHECK(document.sections.size() == 3);
  const std::string html = analysis::to_html(document);
  CHECK(html.find("rimea-1") != std::string::npos);
  CHECK(html.find("<svg") != std::string::npos);
  CHECK(html.find("not built") != std::string::npos);
  CHECK(rimea_line(*outcomes) == "RiMEA 4.1.1: 1 of 1 parts pass, 0 measured, 0 fail");
}
