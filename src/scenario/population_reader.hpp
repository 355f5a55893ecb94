// Populations of a scenario file: who is there, where they start, where they go.
#pragma once

#include <functional>
#include <string>

#include "agents/method.hpp"
#include "scenario/environment_names.hpp"
#include "scenario/json_checker.hpp"
#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::scenario {

/// What populations refer to.
struct PopulationContext {
  const EnvironmentNames* names = nullptr;  ///< null: the environment could not be read, its names are not checked
  /// The text of a file beside the scenario, and what messages call it.
  std::function<Result<std::string>(const std::string& path)> read_file;
  std::function<std::string(const std::string& path)> resolve;
  const std::vector<agents::MethodInfo>* group_methods =
      nullptr;  ///< never null; the first is meant where none is named
};

/// `node` is the object of one population. What is wrong is reported. Profiles are looked up in `scenario`; the default one is
/// added where it is needed.
[[nodiscard]] PopulationSpec read_population(JsonChecker& checker, const Node& node, const PopulationContext& context,
                                             const Scenario& scenario);

/// A place given as "area" or "polygon", with "layer" beside it. Requires that the node has `member`.
[[nodiscard]] AreaSpec read_area(JsonChecker& checker, const Node& parent, std::string_view member,
                                 const EnvironmentNames* names);

}  // namespace throng::scenario
