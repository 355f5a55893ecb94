// What the numbers of a scenario may be. schemas/scenario.schema.json says the same; a test compares them.
#pragma once

#include <cstdint>

#include "scenario/json_checker.hpp"

namespace throng::scenario::limits {

inline constexpr Bounds radius{0.01, 10};     // a bead; a lorry
inline constexpr Bounds speed{0.01, 20};      // standing is a goal, not a speed; a racing bicycle
inline constexpr Bounds premovement{0, 1e6};  // eleven days
inline constexpr Bounds stairs{0.01, 2};      // escalators may help
inline constexpr Bounds weight{1e-3, 1e6};    // of regions
inline constexpr Bounds wait{0, 1e6};
inline constexpr Bounds goal_radius{0.01, 1e4};
inline constexpr Bounds duration{1e-3, 1e7};  // four months
inline constexpr Bounds time_step{1e-3, 1};
inline constexpr Bounds rate{1e-6, 1000};  // persons a second
inline constexpr Bounds time{0, 1e7};
inline constexpr Bounds every{1e-3, 1e7};          // seconds between measurements
inline constexpr Bounds group_poisson{0.01, 20};   // mean of sizes of groups, 0 counted in
inline constexpr std::uint64_t count = 1'000'000;  // persons of a population
inline constexpr std::uint64_t people =
    1u << 21;  // of all populations that are there at the start: a frame records no more
inline constexpr std::uint64_t record_every = 1'000'000;  // steps
inline constexpr std::size_t goals = 256;                 // of a population: each has random draws of its own
inline constexpr std::size_t drawn = 64;                  // of a profile: likewise
inline constexpr Bounds drawn_value{-1e6, 1e6};
inline constexpr std::size_t weights = 512;  // of a profile: likewise
inline constexpr std::size_t guidance = 32;  // each is remembered by everybody who knows of it
inline constexpr Bounds degrees{-360, 360};
inline constexpr Bounds sign_range{0.01, 1e4};  // metres
inline constexpr std::size_t populations = 1u << 16;

}  // namespace throng::scenario::limits
