// Regions of an environment as walkers feel them: along a line, or under a disc that slides along it, which type counts where.
// J 2.3, 6.3, 7.2.
//
// Types are numbered in order of their names; `plain` ground is number 0 and weighs 1 unless a table says otherwise.
//
// Laws
// 1. weighted_length(a, b, 0) is the integral of the weight of the region under the point; along a shared border the smaller
//    weight counts.
// 2. weighted_length(a, b, r) is that of the dearest region that the open disc of radius r overlaps; touching does not count. It
//    is never below that of the point.
// Complexity: O(edges of regions near the line). No allocation once buffers have grown.
// Thread-safety: the map is immutable; scratch memory is the caller's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "environment/clean.hpp"
#include "geometry/box_index.hpp"
#include "navmesh/mesh.hpp"

namespace throng::following {

/// Rows of weights, one a profile: row * types + type.
struct WeightTable {
  std::size_t types = 1;
  std::vector<double> weights;
  [[nodiscard]] const double* row(std::size_t i) const { return weights.data() + i * types; }
};

class RegionMap {
 public:
  explicit RegionMap(const environment::CleanEnvironment& environment);

  /// Names of region types; types()[0] is "" for plain ground.
  [[nodiscard]] const std::vector<std::string>& types() const { return types_; }
  [[nodiscard]] bool empty() const { return types_.size() <= 1; }

 private:
  std::vector<std::string> types_;
};

}  // namespace throng::following
