// What `throng check` says about ground and profiles that do not go together.
#pragma once

#include "scenario/scenario.hpp"
#include "scenario/setup.hpp"

namespace throng::scenario {

/// Warnings: profiles in use for whom some ground is dear (five times plain ground or more, never, or by direction) but whose routes are planned
/// by a method that does not know it; once, types of regions that nobody weighs, where somebody's routes mind the ground; weights by direction
/// of types that do not slope anywhere. Profiles that leave their weights out are not looked at.
[[nodiscard]] Problems check_ground(const Scenario& scenario, const crowd::World& world);

/// Whether the profile's routes are planned over weighted ground.
[[nodiscard]] bool plans_over_ground(const ProfileSpec& profile);

/// A profile's weights for a world; distributions stand for their mean.
[[nodiscard]] std::vector<double> mean_row(const ProfileSpec& profile, const ground::GroundKinds& kinds);

}  // namespace throng::scenario
