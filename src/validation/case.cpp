#include "validation/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "validation/measures.hpp"

namespace throng::validation {
namespace {

constexpr std::array<std::string_view, 4> kind_names{"required", "direction", "measured", "not built"};

Problem problem(const std::string& place, std::string message) {
  return {Severity::error, ProblemCode::schema, place, std::move(message)};
}

std::map<std::string, Json> members_of(const Json& object) {
  std::map<std::string, Json> all;
  for (const auto& [name, value] : object.items()) all[name] = value;
  return all;
}

Check read_check(const Json& json) {
  Check check;
  const auto names = [&](const char* member) { return json.at(member).get<std::vector<std::string>>(); };
  if (json.contains("rising"))
    check.kind = Check::Kind::rising, check.figures = names("rising");
  else if (json.contains("falling"))
    check.kind = Check::Kind::falling, check.figures = names("falling");
  else if (json.contains("figures"))
    check.figures = names("figures");
  else
    check.figures = {json.at("figure").get<std::string>()};
  check.from = json.value("from", check.from);
  check.to = json.value("to", check.to);
  check.by = json.value("by", 0.0);
  return check;
}

RunSpec read_run(const std::string& name, const Json& json) {
  RunSpec run;
  run.name = name;
  run.scenario = json.value("scenario", "scenario.json");
  if (json.contains("set")) run.set = members_of(json.at("set"));
  run.repeat = json.value("repeat", 1u);
  run.open = json.value("open", false);
  return run;
}

void read_quick(const Json& json, Case& one) {
  one.quick_people = json.value("people", 1.0);
  one.quick_repeat = json.value("repeat", 0u);
  if (json.contains("set")) one.quick_set = members_of(json.at("set"));
}

/// Throws where the JSON is not what it should be.
Case read_case(const std::string& name, std::string_view text) {
  const Json json = Json::parse(text, nullptr, true, true);
  static const std::set<std::string_view> known{"clause", "kind",    "about",  "criterion", "ours",  "scene", "seeds",
                                                "runs",   "figures", "checks", "shown",     "plots", "quick", "needs"};
  for (const auto& [member, value] : json.items())
    if (!known.contains(member)) throw std::invalid_argument("unknown member of a case: " + member);
  Case one;
  one.name = name;
  one.suite = name.substr(0, name.find('-'));
  if (one.suite == "rimea3") one.suite = "rimea";
  one.clause = json.at("clause");
  const auto kind = std::ranges::find(kind_names, json.at("kind").get<std::string>());
  if (kind == kind_names.end()) throw std::invalid_argument("unknown kind of case: " + json.at("kind").dump());
  one.kind = Kind(kind - kind_names.begin());
  one.about = json.at("about");
  one.criterion = json.value("criterion", "");
  one.ours = json.value("ours", one.ours);
  one.folder = json.value("scene", name);
  one.most_seeds = json.value("seeds", one.most_seeds);
  if (one.kind == Kind::not_built) {
    one.needs = json.at("needs");
    return one;
  }
  for (const auto& [run, value] : json.at("runs").items()) one.runs.push_back(read_run(run, value));
  for (const auto& [figure, value] : json.at("figures").items())
    one.figures.push_back({figure, value.at("measure").get<std::string>(), value});
  if (json.contains("checks"))
    for (const Json& check : json.at("checks")) one.checks.push_back(read_check(check));
  one.shown = json.at("shown").get<std::vector<std::string>>();
  one.plots = json.value("plots", one.plots);
  if (json.contains("quick")) read_quick(json.at("quick"), one);
  return one;
}

/// Empty where nothing is wrong.
std::string misfit_of(const Case& one) {
  std::set<std::string> figures, runs;
  for (const RunSpec& run : one.runs) runs.insert(run.name);
  for (const FigureSpec& figure : one.figures) {
    if (!is_measure(figure.measure)) return fmt::format("there is no measure '{}'", figure.measure);
    for (const std::string& run : runs_of(figure, one))
      if (!runs.contains(run)) return fmt::format("figure '{}' is of a run '{}' that is not there", figure.name, run);
    figures.insert(figure.name);
  }
  std::vector<std::string> named = one.shown;
  for (const Check& check : one.checks) named.insert(named.end(), check.figures.begin(), check.figures.end());
  named.insert(named.end(), one.plots.begin(), one.plots.end());
  for (const std::string& name : named)
    if (!figures.contains(name)) return fmt::format("figure '{}' is not measured", name);
  const bool is_asked = one.kind == Kind::required || one.kind == Kind::direction;
  if (is_asked && one.checks.empty()) return "a case that can fail wants checks";
  return {};
}

/// "rimea-2" before "rimea-12a", RiMEA before IMO before NIST before ISO before laboratories.
auto place_of(const Case& one) {
  static constexpr std::array<std::string_view, 5> suites{"rimea", "imo", "nist", "iso", "lab"};
  const auto suite = std::ranges::find(suites, one.suite) - suites.begin();
  double number = 0;
  const std::size_t dash = one.name.find('-');
  const std::string rest = one.name.substr(dash + 1);
  const std::size_t dot = rest.find('.');
  number = std::atof(rest.c_str());
  if (dot != std::string::npos) number = std::floor(number) + std::atof(rest.c_str() + dot + 1) / 100;
  return std::tuple(suite, one.name.starts_with("rimea3"), number, one.name);
}

void scale_people(Json& scenario, double part) {
  for (Json& population : scenario["populations"]) {
    if (!population.contains("count")) continue;
    const auto count = population["count"].get<double>();
    population["count"] = count < 2 ? int(count) : std::max(2, int(std::lround(count * part)));
  }
}

}  // namespace

std::string_view name_of(Kind kind) { return kind_names[std::size_t(kind)]; }

Result<std::vector<Case>> read_cases(const CaseFiles& files) {
  std::vector<Case> cases;
  Problems problems;
  for (const auto& [path, text] : files) {
    const std::size_t slash = path.find('/');
    if (path.substr(slash + 1) != "case.json") continue;
    try {
      cases.push_back(read_case(path.substr(0, slash), text));
      if (const std::string why = misfit_of(cases.back()); !why.empty()) problems.push_back(problem(path, why));
    } catch (const std::exception& wrong) {
      problems.push_back(problem(path, wrong.what()));
    }
  }
  if (!problems.empty()) return problems;
  std::ranges::sort(cases, {}, place_of);
  return cases;
}

Result<scenario::Scenario> scenario_of(const CaseFiles& files, const Case& one, const RunSpec& run,
                                       const CaseOptions& options) {
  const std::string path = one.folder + "/" + run.scenario;
  const auto file = files.find(path);
  if (file == files.end()) return problem(path, "there is no such file");
  Json json;
  try {
    json = Json::parse(file->second, nullptr, true, true);
    for (const auto& [pointer, value] : run.set) json[Json::json_pointer(pointer)] = value;
    if (options.quick) {
      scale_people(json, one.quick_people);
      for (const auto& [pointer, value] : one.quick_set) json[Json::json_pointer(pointer)] = value;
    }
    // Who meets nobody has a profile of that name, and what it says is what the case is about.
    constexpr std::string_view kept_as_it_is = "alone";
    if (!options.profile.empty())
      for (auto& [name, profile] : json["profiles"].items()) {
        if (name == kept_as_it_is) continue;
        for (const auto& [member, value] : options.profile.items()) profile[member] = value;
      }
  } catch (const std::exception& wrong) {
    return problem(path, wrong.what());
  }
  scenario::ReadOptions reading;
  reading.read_file = [&](const std::string& name) -> Result<std::string> {
    const auto found = files.find(one.folder + "/" + name);
    if (found != files.end()) return std::string(found->second);
    return Problem{Severity::error, ProblemCode::io, name, "cannot be read: no such file"};
  };
  return scenario::parse_scenario(json.dump(), one.name + "/" + run.name, scenario::installed_methods(), reading);
}

}  // namespace throng::validation
