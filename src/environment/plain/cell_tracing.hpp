// From a raster of walkable cells to polygons: a part is a maximal set of cells joined over sides.
//
// Laws
// 1. Cell (x, y) is the square [x, x + 1] x [y, y + 1]. The polygons cover exactly the walkable cells.
// 2. One polygon a part; parts are ordered by their first cell, row by row.
// 3. Outer rings run counterclockwise, holes clockwise (y up); rings have corners only, no straight vertices. A ring may touch
//    itself at a corner, never cross itself.
// Cost: linear in cells.
#pragma once

#include <cstddef>
#include <vector>

#include "environment/environment.hpp"

namespace throng::environment {

/// Corners of all polygons together, without making them.
[[nodiscard]] std::size_t count_corners(const std::vector<bool>& walkable, std::size_t width, std::size_t height);

/// `walkable[y * width + x]`.
[[nodiscard]] std::vector<Polygon> trace_cells(const std::vector<bool>& walkable, std::size_t width,
                                               std::size_t height);

}  // namespace throng::environment
