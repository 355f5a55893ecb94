// The methods a scenario may name, level by level. The reader takes the catalogue as an argument: it knows no method itself.
#pragma once

#include <string_view>
#include <vector>

#include "following/method.hpp"

namespace throng::scenario {

struct MethodCatalogue {
  std::vector<following::MethodInfo> routes;     ///< level 4
  std::vector<following::MethodInfo> followers;  ///< level 3
  std::vector<following::MethodInfo> avoiders;   ///< level 2
};

/// Methods for routes: those of routes::RouteMethod, and `given` (through the population's route_points).
[[nodiscard]] std::vector<following::MethodInfo> route_methods();

/// Everything this program has: route_methods(), following::followers(), steering::avoiders().
[[nodiscard]] const MethodCatalogue& installed_methods();

/// By name; null where there is none.
[[nodiscard]] const following::MethodInfo* find_method(const std::vector<following::MethodInfo>& methods,
                                                       std::string_view name);

}  // namespace throng::scenario
