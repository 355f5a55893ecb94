// What the writers of text formats share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "environment/environment.hpp"
#include "environment/formats/formats.hpp"

namespace throng::environment {

/// Appends the fewest digits that read back as the same double.
void append_number(std::string& out, double number);
/// Appends a JSON string, quotes included.
void append_json(std::string& out, std::string_view text);

/// The part of an environment that `options.layer` asks for: its features, and no connections. Fails for a layer that does not
/// exist. Without the option, the environment itself.
[[nodiscard]] Result<Environment> only_layer(Environment environment, const WriteOptions& options);

/// Fails where there are several layers and the format has no place for them.
[[nodiscard]] Problems refuse_layers(const Environment& environment, std::string_view format);

/// Warnings for what a format without names leaves out: regions, named areas.
[[nodiscard]] Problems warn_left_out(const Environment& environment, std::string_view format);

}  // namespace throng::environment
