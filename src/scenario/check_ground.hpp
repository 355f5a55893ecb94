// What `throng check` says about ground and profiles that do not go together.
#pragma once

#include "scenario/scenario.hpp"
#include "scenario/setup.hpp"

namespace throng::scenario {

/// Warnings: profiles in use that weigh some of the ground otherwise than plain ground but whose routes are planned by a method that does not
/// know it, the default profile too; once, types of regions that nobody weighs; weights by direction of types that do not slope anywhere.
[[nodiscard]] Problems check_ground(const Scenario& scenario, const crowd::World& world);

/// Whether the profile's routes are planned over weighted ground.
[[nodiscard]] bool plans_over_ground(const ProfileSpec& profile);

/// Types of ground of a world, in order, plain ground first; none where there is no other.
[[nodiscard]] std::vector<std::string> ground_types(const crowd::World& world);

/// A profile's weights for a world; distributions stand for their mean.
[[nodiscard]] std::vector<double> mean_row(const ProfileSpec& profile, const ground::GroundKinds& kinds);

}  // namespace throng::scenario
