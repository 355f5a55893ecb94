// Numbers that several methods have under one name, declared once: what they mean must not differ.
#pragma once

#include <optional>
#include <string_view>

#include "agents/method.hpp"
#include "steering/avoider.hpp"

namespace throng::steering {

/// What Avoider::relaxation() says.
[[nodiscard]] inline agents::Parameter relaxation_number(double value, std::string_view source = {}) {
  return {"relaxation", value, 0, 10, "s", "t_r: time in which people take up the velocity they chose; 0: at once",
          std::nullopt, source};
}

/// What Avoider::speed_limit() says.
[[nodiscard]] inline agents::Parameter speed_limit_number(std::optional<double> published = {},
                                                          std::string_view source = {}) {
  return {"speed_limit", speed_limit_factor, 1, 3, "", "times the preferred speed that people walk at most", published,
          source};
}

[[nodiscard]] inline agents::Parameter neighbours_number(std::optional<double> published = {},
                                                         std::string_view source = {}) {
  return {"neighbours", 10, 0, Perception::capacity, "", "people taken into account, nearest first", published, source};
}

[[nodiscard]] inline agents::Parameter sidestep_number() {
  return {"sidestep", 1, 0, 10, "", "how far people who are slowed down turn to the right; 0: not at all", 0, "ours"};
}

/// Of GroundPrice.
[[nodiscard]] inline agents::Parameter ground_number() {
  return {"ground", 0,
          0,        100,
          "",       "how much worse ways to avoid others score that lead over dearer ground; 0: no worse",
          0,        "ours, after Jaklin 2016, 6.5"};
}

[[nodiscard]] inline agents::Parameter keep_right_number() {
  return {"keep_right",
          0.6,
          0,
          1,
          "quarter turns",
          "how far people bear to the right of a crowd that comes towards them; 0: not at all",
          0,
          "ours"};
}

[[nodiscard]] inline agents::Parameter around_groups_number() {
  return {
      "around_groups", 1, 0, 1, "", "1: goes round groups that walk together where there is room; 0: between them", 0,
      "ours"};
}

/// Of keeping_headway().
[[nodiscard]] inline agents::Parameter headway_number() {
  return {"headway", 0,   0,
          10,        "s", "T: distance to who walks ahead that is kept for each m/s; 0: only collisions count"};
}
[[nodiscard]] inline agents::Parameter standstill_number() {
  return {"standstill", 0, 0, 2, "m", "with headway: kept between bodies at rest"};
}

[[nodiscard]] inline agents::Parameter wall_range_number(double value, std::optional<double> published = {},
                                                         std::string_view source = {}) {
  return {"wall_range", value, 0, 100, "m", "walls farther than this are not taken into account", published, source};
}

/// Of VelocityBounds.
[[nodiscard]] inline agents::Parameter wall_horizon_number(std::optional<double> published = 0,
                                                           std::string_view source = "ours") {
  return {
      "wall_horizon", 0.5,   0, 60, "s", "no collision with walls for this long; 0: walls do not bound the velocity",
      published,      source};
}

}  // namespace throng::steering
