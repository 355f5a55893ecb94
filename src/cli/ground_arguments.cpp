#include "cli/ground_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "scenario/scenario_reader.hpp"
#include "text/nearest_name.hpp"

namespace throng::cli {

namespace {

constexpr std::string_view plain = ground::plain_type;

Problem wrong(const std::string& where, const std::string& what) {
  return {Severity::error, ProblemCode::value, where, what};
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// "name=value" with both there.
std::optional<std::pair<std::string, std::string>> assignment(std::string_view text) {
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) return {};
  return std::pair{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

template <class Choice>
std::string choose(const std::string& name, const std::string& value, std::span<const std::string_view> names,
                   Choice& choice) {
  const auto at = std::find(names.begin(), names.end(), value);
  if (at == names.end()) return fmt::format("--numbers: {} is {}, not '{}'", name, fmt::join(names, " or "), value);
  choice = Choice(at - names.begin());
  return "";
}

double number_or_nan(const std::string& text) {
  return is_number(text, Type::number) ? std::strtod(text.c_str(), nullptr) : std::nan("");
}

/// "4", "never", "2/1/1.2": not a number where it is none of these.
GroundWeight weight_of(const std::string& text) {
  if (text == "never") return GroundWeight::never();
  const std::vector<std::string_view> parts = split(text, '/');
  if (parts.size() != 3) return {number_or_nan(text)};
  return {number_or_nan(std::string(parts[0])), number_or_nan(std::string(parts[1])),
          number_or_nan(std::string(parts[2]))};
}

std::string set_number(const std::string& name, const std::string& value, routes::GroundNumbers& numbers) {
  using routes::GroundMethod;
  const GroundMethod method = numbers.method;
  const bool by_grid = method == GroundMethod::grid || method == GroundMethod::vbp;
  const bool graded = method == GroundMethod::spm || method == GroundMethod::vbp;
  std::vector<std::string_view> known{"body"};
  if (method != GroundMethod::grid) known.push_back("eps");
  if (method == GroundMethod::vbp) known.insert(known.end(), {"grid", "prune"});
  if (method == GroundMethod::grid) known.push_back("cell");
  if (by_grid) known.push_back("nodes");
  if (graded) known.push_back("points");
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const std::string_view near = environment::nearest_name(name, known);
    return fmt::format(
        "--numbers: {} has no number '{}'{}; it has {}", routes::ground_method_names[std::size_t(method)], name,
        near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near), fmt::join(known, ", "));
  }
  if (name == "nodes") return choose(name, value, routes::grid_nodes_names, numbers.nodes);
  if (name == "prune") return choose(name, value, routes::pruning_names, numbers.prune);
  if (name == "points") {
    const std::string said = choose(name, value, routes::placement_names, numbers.points);
    return said.empty() && numbers.points == routes::PointPlacement::rough ? "--numbers: points is published or proven"
                                                                           : said;
  }
  if (!is_number(value, Type::number)) return fmt::format("--numbers: {} wants a number, not '{}'", name, value);
  const double number = std::strtod(value.c_str(), nullptr);
  if (name == "body") {
    if (number != 0 && number != 1) return "--numbers: body is 0 (the centre feels the ground) or 1 (the whole body)";
    numbers.body = number == 1;
  } else if (name == "eps") {
    numbers.eps = number;
  } else if (!(number > 0)) {
    return fmt::format("--numbers: {} wants a length above 0", name);
  } else {
    numbers.cell = number;
  }
  return "";
}

}  // namespace

Result<ProfileGround> read_profile_ground(const std::string& text) {
  const std::size_t at = text.rfind(':');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    return wrong("--profile", "it wants SCENARIO:NAME, a file and a profile in it");
  const std::string file = text.substr(0, at), name = text.substr(at + 1);
  const Result<scenario::Scenario> read = scenario::read_scenario(file, scenario::installed_methods());
  if (!read) return read.problems();
  std::vector<std::string_view> names;
  for (const scenario::ProfileSpec& profile : read->profiles) {
    names.push_back(profile.name);
    if (profile.name != name) continue;
    ProfileGround ground;
    for (const auto& [type, weight] : profile.weights) ground.weights[type] = weight.at(weight.across.mean());
    ground.radius = profile.radius.mean();
    const scenario::MethodSpec& route = profile.methods[agents::Level::route];
    for (std::size_t i = 0; i < route.parameters.size(); ++i)
      if (route.names[i] == "clearance") ground.clearance = route.parameters[i].mean();
    return ground;
  }
  return wrong(file, fmt::format("there is no profile '{}'; there are {}", name, fmt::join(names, ", ")));
}

Result<std::map<std::string, GroundWeight>> parse_weights(const std::string& text,
                                                          const std::vector<std::string>& types) {
  std::map<std::string, GroundWeight> weights;
  Problems problems;
  std::vector<std::string_view> known{plain};
  for (std::size_t i = 1; i < types.size(); ++i) known.push_back(types[i]);
  for (const std::string_view part : split(text, ',')) {
    const auto pair = assignment(part);
    if (!pair) {
      problems.push_back(wrong("--weights", fmt::format("'{}' is no TYPE=WEIGHT", part)));
      continue;
    }
    const auto& [type, value] = *pair;
    const GroundWeight weight = weight_of(value);
    const std::string why = ground::misfit_of(weight);
    if (std::find(known.begin(), known.end(), type) == known.end()) {
      const std::string_view near = environment::nearest_name(type, known);
      problems.push_back(wrong(
          "--weights", fmt::format("there is no ground of the type '{}'{}; there is {}", type,
                                   near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near),
                                   known.size() > 12 ? fmt::format("{} and {} more types", known[0], known.size() - 1)
                                                     : fmt::format("{}", fmt::join(known, ", ")))));
    } else if (weights.contains(type)) {
      problems.push_back(wrong("--weights", fmt::format("'{}' is weighed twice", type)));
    } else if (!why.empty()) {
      problems.push_back(wrong("--weights", fmt::format("{}={}: {}", type, value, why)));
    } else {
      weights[type] = weight;
    }
  }
  if (!problems.empty()) return problems;
  return weights;
}

std::string read_ground_numbers(const Parsed& parsed, routes::GroundNumbers& numbers) {
  numbers.prove = parsed.flag("prove");
  const std::string written = parsed.text("numbers");
  for (const std::string_view part : split(written, ',')) {
    if (written.empty()) break;
    const auto pair = assignment(part);
    if (!pair) return fmt::format("--numbers: '{}' is no NAME=VALUE", part);
    if (std::string said = set_number(pair->first, pair->second, numbers); !said.empty()) return said;
  }
  if (const auto eps = parsed.number("eps")) {
    if (numbers.method == routes::GroundMethod::grid && !numbers.prove) return "--eps does not go with --method grid";
    numbers.eps = *eps;
  }
  if (!(numbers.eps > 0 && numbers.eps <= 0.5)) return "--eps wants a number above 0 and at most 0.5";
  return "";
}

}  // namespace throng::cli
