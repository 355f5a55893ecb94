// The methods a scenario may name, level by level. The reader takes the catalogue as an argument: it knows no method itself.
#pragma once

#include "agents/catalogue.hpp"

namespace throng::scenario {

using MethodCatalogue = agents::Catalogue;

/// Everything that comes with the library.
[[nodiscard]] const MethodCatalogue& installed_methods();

}  // namespace throng::scenario
