// What the tests of cleaning share.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "environment/clean/clean.hpp"
#include "environment/clean/verify_clean.hpp"
#include "environment/sketch.hpp"

namespace throng::environment {

inline std::string all(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) text += to_string(problem) + "\n";
  return text;
}

/// Ten by ten metres.
inline Sketch room() {
  Sketch sketch("");
  sketch.walkable({rectangle({0, 0}, {10, 10}), {}});
  return sketch;
}

/// Cleaned, with every law of verify_clean() checked and a second cleaning that changes nothing.
inline CleanEnvironment sound(const Environment& environment, const CleanOptions& options = {}) {
  const Result<CleanEnvironment> result = clean(environment, options);
  INFO(all(result.problems()));
  REQUIRE(result.ok());
  REQUIRE(all(verify_clean(*result)) == "");
  const Result<CleanEnvironment> again = clean(to_environment(*result));
  INFO("cleaned again: " << all(again.problems()));
  REQUIRE(again.ok());
  REQUIRE(again->hash() == result->hash());
  return *result;
}
inline CleanEnvironment sound(Sketch sketch) { return sound(std::move(sketch).take()); }

/// In square metres.
inline double free_area(const CleanEnvironment& clean, std::size_t layer = 0) {
  return area(clean.layers[layer].free, clean.grid);
}

inline std::size_t hole_count(const CleanEnvironment& clean, std::size_t layer = 0) {
  std::size_t count = 0;
  for (const GridPolygon& polygon : clean.layers[layer].free) count += polygon.holes.size();
  return count;
}

/// The messages of a refusal; empty when nothing was refused.
inline std::string refusal(const Environment& environment) {
  const Result<CleanEnvironment> result = clean(environment);
  return result.ok() ? "" : all(result.problems());
}
inline std::string refusal(Sketch sketch) { return refusal(std::move(sketch).take()); }

inline bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

/// Everything but the layers' ids and elevations, which cleaning only copies.
inline bool same(const CleanEnvironment& a, const CleanEnvironment& b) {
  if (!(a.grid == b.grid) || a.connections != b.connections || a.layers.size() != b.layers.size()) return false;
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    const CleanLayer &m = a.layers[i], &n = b.layers[i];
    if (m.free != n.free || m.walls != n.walls || m.regions != n.regions || m.areas != n.areas) return false;
  }
  return a.hash() == b.hash();
}

}  // namespace throng::environment
