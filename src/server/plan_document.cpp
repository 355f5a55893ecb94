#include "server/plan_document.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "scenario/check_scenario.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "text/files.hpp"
#include "text/nearest_name.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;

/// What problems call the document.
constexpr const char* source_name = "plan";

Problem wrong(std::string place, std::string what) {
  return {Severity::error, ProblemCode::syntax, std::move(place), std::move(what)};
}

void append(Problems& to, const Problems& from) { to.insert(to.end(), from.begin(), from.end()); }

Json parse(const std::string& text) { return Json::parse(text, nullptr, false, true); }

/// What is wrong with JSON, in our words and with its line: the environment's reader says it.
Problems syntax_of(const std::string& text, const std::string& name) {
  const Result<environment::Environment> read = environment::parse_environment("geojson", text, name);
  return read ? Problems{wrong(name, "this is no JSON")} : read.problems();
}

Json scenario_around(Json environment) {
  return {{"throng", 1}, {"environment", std::move(environment)},   {"duration", 300},
          {"seed", 1},   {"profiles", {{"adult", Json::object()}}}, {"populations", Json::array()}};
}

std::string stem_of(const std::string& name) {
  const std::string stem = fs::path(name).stem().string();
  return stem.empty() ? "plan" : stem;
}

/// GeoJSON as it is; other formats as features.
Result<Json> environment_json(const std::string& name, std::string bytes, const environment::ImportOptions& options,
                              Problems& warnings) {
  const Result<const environment::Format*> format = environment::format_of_path(name);
  if (!format) return format.problems();
  if ((*format)->name == "geojson") {
    Json json = Json::parse(bytes, nullptr, false);
    if (!json.is_object() || !json.contains("features")) {
      Problems problems = syntax_of(bytes, name);
      return problems;
    }
    return json;
  }
  Result<environment::Environment> read =
      environment::parse_environment((*format)->name, std::move(bytes), name, options);
  if (!read) return read.problems();
  append(warnings, read.problems());
  const Result<std::string> written = environment::write_environment("geojson", *read);
  if (!written) return written.problems();
  return Json::parse(*written, nullptr, false);
}

/// A file that a scenario names, wherever it was opened from.
using ReadBeside = std::function<Result<std::string>(const std::string& name)>;

/// Files that populations name, read once.
Problems take_files_beside(const Json& scenario, const ReadBeside& read, std::map<std::string, std::string>& beside) {
  Problems problems;
  const auto populations = scenario.find("populations");
  if (populations == scenario.end() || !populations->is_array()) return problems;
  for (const Json& population : *populations) {
    if (!population.is_object() || !population.contains("positions") || !population["positions"].is_string()) continue;
    const auto name = population["positions"].get<std::string>();
    Result<std::string> bytes = read(name);
    if (bytes)
      beside[name] = std::move(bytes).value();
    else
      append(problems, bytes.problems());
  }
  return problems;
}

Result<PlanDocument> open_scenario(const std::string& path, const std::string& text,
                                   const environment::ImportOptions& options, const ReadBeside& read) {
  Json scenario = parse(text);
  if (!scenario.is_object()) return syntax_of(text, path);
  PlanDocument document{stem_of(path), {}, {}, {}, {}};
  Problems problems;
  if (const auto environment = scenario.find("environment");
      environment != scenario.end() && environment->is_string()) {
    const auto file = environment->get<std::string>();
    Result<std::string> bytes = read(file);
    if (!bytes) return bytes.problems();
    Result<Json> json = environment_json(file, std::move(bytes).value(), options, problems);
    if (!json) return json.problems();
    *environment = std::move(json).value();
  }
  append(problems, take_files_beside(scenario, read, document.beside));
  document.text = dump(scenario);
  if (has_errors(problems)) return problems;
  return {std::move(document), std::move(problems)};
}

}  // namespace

bool is_picture(std::string_view bytes) {
  return bytes.starts_with("\x89PNG\r\n") || bytes.starts_with("\xff\xd8\xff");
}

PlanDocument empty_document(std::string name) {
  const Json environment = {{"type", "FeatureCollection"},
                            {"throng", {{"version", 1}, {"layers", {{{"id", "ground"}, {"elevation", 0.0}}}}}},
                            {"features", Json::array()}};
  return {std::move(name), dump(scenario_around(environment)), {}, {}, {}};
}

Result<PlanDocument> open_document(const std::string& path, const environment::ImportOptions& options) {
  Result<std::string> bytes = environment::read_file(path);
  if (!bytes) return bytes.problems();
  const fs::path folder = fs::path(path).parent_path();
  if (path.ends_with(".json") && scenario::looks_like_scenario(*bytes))
    return open_scenario(path, *bytes, options,
                         [&](const std::string& name) { return environment::read_file((folder / name).string()); });
  return open_document(path, std::move(bytes).value(), options, {});
}

Result<PlanDocument> open_document(const std::string& name, std::string bytes,
                                   const environment::ImportOptions& options,
                                   const std::map<std::string, std::string>& beside) {
  if (is_picture(bytes)) {
    PlanDocument document = empty_document(stem_of(name));
    document.picture = std::move(bytes);
    return document;
  }
  if (name.ends_with(".json") && scenario::looks_like_scenario(bytes)) {
    const auto chosen = [&](const std::string& file) -> Result<std::string> {
      // Whatever folder the scenario says it lies in: a page hands over files without folders.
      if (const auto found = beside.find(fs::path(file).filename().string()); found != beside.end())
        return found->second;
      return Problem{Severity::error, ProblemCode::unsupported, name,
                     fmt::format("it names {}, which was not chosen with it: choose both, or open it by `throng edit "
                                 "{}`",
                                 environment::in_quotes(file), name)};
    };
    return open_scenario(name, bytes, options, chosen);
  }
  PlanDocument document{stem_of(name), {}, {}, {}, {}};
  if (name.ends_with(".dxf") || name.ends_with(".DXF")) document.plan = bytes;
  Problems warnings;
  Result<Json> environment = environment_json(name, std::move(bytes), options, warnings);
  if (!environment) return environment.problems();
  document.text = dump(scenario_around(std::move(environment).value()));
  return {std::move(document), std::move(warnings)};
}

Result<scenario::Scenario> read_document(const std::string& text, const std::map<std::string, std::string>& beside) {
  scenario::ReadOptions options;
  options.read_file = [&beside](const std::string& path) -> Result<std::string> {
    const auto found = beside.find(path);
    if (found == beside.end()) return wrong(path, "was not beside the scenario when it was opened");
    return found->second;
  };
  return scenario::parse_scenario(text, source_name, scenario::installed_methods(), options);
}

DocumentCheck check_document(const std::string& text, const std::map<std::string, std::string>& beside, bool whole) {
  DocumentCheck check;
  const Result<scenario::Scenario> scenario = read_document(text, beside);
  check.problems = scenario.problems();
  if (scenario && whole) {
    const Result<crowd::WorldPtr> world = scenario::make_world(*scenario);
    append(check.problems, world.problems());
    if (!world) return check;
    check.world = *world;
    const scenario::ScenarioCheck result = scenario::check_scenario(*scenario, **world);
    append(check.problems, result.problems);
    check.people = result.people;
  } else if (scenario) {
    append(check.problems, environment::clean(scenario->environment).problems());
  } else if (const Json json = parse(text); json.is_object() && json.contains("environment")) {
    // What is wrong with the people does not keep the plan from being looked at.
    const Result<environment::Environment> read =
        environment::parse_environment("geojson", dump(json["environment"]), source_name);
    if (read) {
      Result<environment::CleanEnvironment> clean = environment::clean(*read);
      append(check.problems, clean.problems());
      if (clean && whole)
        if (Result<crowd::WorldPtr> world = crowd::make_world(std::move(clean).value())) check.world = *world;
    }
  }
  if (check.world)
    for (const environment::CleanLayer& layer : check.world->environment.layers)
      check.area += environment::area(layer.free, check.world->environment.grid);
  return check;
}

Result<SavedDocument> files_of(const std::string& text, const std::string& name) {
  Json scenario = parse(text);
  const bool has_environment =
      scenario.is_object() && scenario.contains("environment") && scenario["environment"].is_object();
  if (!has_environment || !scenario["environment"].value("features", Json()).is_array())
    return wrong(source_name, "a document is a scenario with its environment in it");
  SavedDocument saved;
  Json& environment = scenario["environment"];
  // A feature a line: files that people read and compare.
  saved.environment = "{";
  bool first = true;
  for (const auto& [key, value] : environment.items()) {
    saved.environment += fmt::format("{}\n {}: ", first ? "" : ",", dump(Json(key)));
    first = false;
    if (key != "features" || !value.is_array()) {
      saved.environment += dump(value);
      continue;
    }
    saved.environment += "[";
    for (std::size_t i = 0; i < value.size(); ++i) saved.environment += (i == 0 ? "\n  " : ",\n  ") + dump(value[i]);
    saved.environment += "\n ]";
  }
  saved.environment += "\n}\n";
  environment = name + ".geojson";
  saved.scenario = scenario.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  return saved;
}

}  // namespace throng::server
