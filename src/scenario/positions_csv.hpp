// Start positions from a CSV file: x,y[,layer][,gx,gy[,glayer]], in that order without a heading, in any order with one, and with
// a heading a column group: people with the same value are with each other.
//
// gx and gy are the person's only goal. A layer that is left out or empty is the first one where the point is walkable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/environment_names.hpp"
#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::scenario {

/// `names` may be null where the environment could not be read: layers are not checked then.
[[nodiscard]] Result<std::vector<StartRow>> parse_positions(std::string_view text, const std::string& source,
                                                            const EnvironmentNames* names);

}  // namespace throng::scenario
