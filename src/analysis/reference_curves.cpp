#include "analysis/reference_curves.hpp"

#include <algorithm>
#include <cmath>

namespace throng::analysis {

namespace {

constexpr double free_speed = 1.34;      // metres a second
constexpr double steepness = 1.913;      // persons a square metre
constexpr double jam_density = 5.4;      // persons a square metre
constexpr double lowest_density = 0.05;  // below it the curve is flat

}  // namespace

double weidmann_speed(double density) {
  if (density <= 0) return free_speed;
  return std::max(0.0, free_speed * (1 - std::exp(-steepness * (1 / density - 1 / jam_density))));
}

std::vector<Vec2> weidmann_curve() {
  std::vector<Vec2> points;
  for (int i = 0; lowest_density + 0.05 * i <= jam_density; ++i) {
    const double density = lowest_density + 0.05 * i;
    points.push_back({density, weidmann_speed(density)});
  }
  return points;
}

std::vector<Vec2> laboratory_curve() { return {{1.1, 1.34}, {1.5, 1.13}, {1.9, 0.94}, {2.4, 0.5}, {2.9, 0.33}}; }

}  // namespace throng::analysis
