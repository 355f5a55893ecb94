// The `.poly` maps of polyanya (Cui, Harabor, Grastien 2017): the word "poly", a version (1), the number of rings, then a ring a
// line: its number of points and that many x y pairs. Walkable is the exclusive-or of all rings.
//
// The exclusive-or is taken on the default snap grid of the rings' box, which is recorded in the environment; rings may touch,
// overlap and cross each other, but no ring may cross itself. Coordinates are kept as in the file, not flipped. Features are the
// resulting polygons, in canonical order.
#pragma once

#include <string>

#include "environment/environment.hpp"
#include "throng/result.hpp"

namespace throng::environment {

[[nodiscard]] Result<Environment> read_poly(std::string text, const std::string& source);

}  // namespace throng::environment
