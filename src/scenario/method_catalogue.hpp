// The methods a scenario may name, level by level. The reader takes the catalogue as an argument: it knows no method itself.
#pragma once

#include <string_view>
#include <vector>

#include "agents/method.hpp"

namespace throng::scenario {

struct MethodCatalogue {
  std::vector<agents::MethodInfo> routes;     ///< level 4
  std::vector<agents::MethodInfo> followers;  ///< level 3
  std::vector<agents::MethodInfo> avoiders;   ///< level 2
};

/// Methods for routes: those of routes::RouteMethod, and `given` (through the population's route_points).
[[nodiscard]] std::vector<agents::MethodInfo> route_methods();

/// Everything this program has: route_methods(), following::followers(), steering::avoiders().
[[nodiscard]] const MethodCatalogue& installed_methods();

/// By name; null where there is none.
[[nodiscard]] const agents::MethodInfo* find_method(const std::vector<agents::MethodInfo>& methods,
                                                       std::string_view name);

}  // namespace throng::scenario
