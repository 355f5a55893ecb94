// Closed shapes that were drawn one by one, as polygons with holes.
#pragma once

#include <vector>

#include "environment/environment.hpp"

namespace throng::environment {

/// A ring inside an odd number of others is a hole of the smallest of them; rings that overlap partly are polygons of their own. The
/// order of polygons is that of their outer rings. Indexed by boxes: O(n log n) but where rings lie in many others.
[[nodiscard]] std::vector<Polygon> nest_rings(std::vector<Ring> rings);

}  // namespace throng::environment
