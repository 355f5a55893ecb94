// The methods a scenario may name, level by level. The reader takes the catalogue as an argument: it knows no method itself.
#pragma once

#include "agents/catalogue.hpp"

namespace throng::scenario {

using MethodCatalogue = agents::Catalogue;

/// Everything that comes with the library.
[[nodiscard]] const MethodCatalogue& installed_methods();
/// Of groups; the first is meant where none is named.
[[nodiscard]] const std::vector<agents::MethodInfo>& installed_group_methods();

}  // namespace throng::scenario
