#include "environment/environment.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace throng {

double Elevation::at(Vec2 p) const {
  if (!ramp) return z;
  const Vec2 axis = to - from;
  const double along = std::clamp(dot(p - from, axis) / squared_length(axis), 0.0, 1.0);
  return z_from + along * (z_to - z_from);
}

}  // namespace throng

namespace throng::environment {

std::string describe(const Feature& feature) {
  const std::string& name = !feature.name.empty() ? feature.name : feature.id;
  if (name.empty()) return fmt::format("feature {} ({})", feature.number, name_of(feature.kind));
  return fmt::format("feature {} ({} '{}')", feature.number, name_of(feature.kind), name);
}

}  // namespace throng::environment
