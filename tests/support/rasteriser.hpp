// A second opinion on cleaning: free space, regions and areas straight from the source features, by their definition in
// docs/formats.md, in plain doubles and without any of the project's geometry.
//
// Scanlines go over the world. On each, every source polygon covers some spans (even-odd); walking along it, the file order of
// obstacles and openings decides what is free, and the last region what kind of ground it is. The cleaned polygons give spans of
// their own. Where the two differ, the place must be next to a source edge: rounding moves edges, and nothing else.
#pragma once

#include <cstdint>
#include <string>

#include "environment/clean/clean.hpp"
#include "environment/environment.hpp"

namespace throng::test {

struct Difference {
  double area = 0;         ///< estimated, in square metres: length of the differing spans times the lines' spacing
  double edge_length = 0;  ///< of all source edges, in metres: area / edge_length is how far edges moved on average
  double worst = 0;        ///< the largest distance of a differing place from the source's edges, in units
  std::string where;       ///< of the worst: layer, coordinates, and what either side says
};

/// Compares all layers on so many scanlines each, at heights drawn from the seed.
[[nodiscard]] Difference compare_with_source(const environment::Environment& source,
                                             const environment::CleanEnvironment& clean, int scanlines,
                                             std::uint64_t seed);

struct BoundaryDistance {
  double clean_to_source =
      0;  ///< the farthest that a sampled place of the cleaned boundary lies from a source edge, in units
  double source_to_clean =
      0;  ///< the farthest that a sampled place of the source's boundary lies from the cleaned one, in units
  std::string where;  ///< of the larger
};

/// Hausdorff distance of the boundary of free space (rings and walls) from the source's, by samples. Source edges that do not
/// bound free space, because they lie in obstacles or were opened, do not count.
[[nodiscard]] BoundaryDistance boundary_distance(const environment::Environment& source,
                                                 const environment::CleanEnvironment& clean, int samples,
                                                 std::uint64_t seed);

}  // namespace throng::test
