// What `throng route` is told about weighted ground: --weights, --profile, --eps, --numbers, --prove.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "routes/ground_planner.hpp"
#include "throng/result.hpp"

namespace throng::cli {

/// What a profile of a scenario says that routes obey.
struct ProfileGround {
  std::map<std::string, GroundWeight> weights;
  double radius = 0, clearance = 0;
};
/// SCENARIO:NAME. Distributions stand for their mean.
[[nodiscard]] Result<ProfileGround> read_profile_ground(const std::string& text);

/// "road=4,grass=30,stairs=never,hill=2/1/1.2" (up, across, down); "plain" is ground without a region. Each number from 0.001 to 1e6; `types`
/// are those of the world, the first being plain.
[[nodiscard]] Result<std::map<std::string, GroundWeight>> parse_weights(const std::string& text,
                                                                        const std::vector<std::string>& types);

/// What --eps, --numbers and --prove make of the numbers of a method: what is wrong, or nothing.
[[nodiscard]] std::string read_ground_numbers(const Parsed& parsed, routes::GroundNumbers& numbers);

}  // namespace throng::cli
