// How fast people walk in a crowd, as it was measured: what the speeds of a run are drawn beside.
#pragma once

#include <vector>

#include "throng/vec2.hpp"

namespace throng::analysis {

/// Speed in m/s at so many persons a square metre (U. Weidmann, Transporttechnik der Fussgaenger, 1993); 0 from 5.4 on.
[[nodiscard]] double weidmann_speed(double density);

/// The same as points (density, speed) up to the density where nobody walks.
[[nodiscard]] std::vector<Vec2> weidmann_curve();

/// Measured in 25 laboratory runs in wide corridors (project HERMES).
[[nodiscard]] std::vector<Vec2> laboratory_curve();

}  // namespace throng::analysis
