// What stands beside the features of a GeoJSON environment: the member "throng" (version, layers, grid, origin) and "crs".
#pragma once

#include "environment/environment.hpp"
#include "environment/formats/json_input.hpp"

namespace throng::environment {

/// The id of the only layer of a file that names none.
inline constexpr std::string_view default_layer_id = "ground";

/// Reads the members into `environment.layers`, `environment.grid` and `environment.origin`; unknown members of "throng" are errors that name the
/// nearest known one. Afterwards there is at least one layer. False only for syntax errors, which `input` has reported.
[[nodiscard]] bool read_header(JsonInput& input, Environment& environment);

}  // namespace throng::environment
