// The JSON Schema (draft 7) of scenario files, made from what the reader knows: its bounds, and the methods there are.
// schemas/scenario.schema.json is this text for the methods of this program; tests/scenario/schema_test.cpp compares them.
#pragma once

#include <string>

#include "scenario/method_catalogue.hpp"

namespace throng::scenario {

/// Everything about a scenario's structure that does not need its environment or other files.
[[nodiscard]] std::string scenario_schema(const MethodCatalogue& catalogue);

}  // namespace throng::scenario
