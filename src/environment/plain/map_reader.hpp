// The grid maps of the MovingAI benchmark set (Sturtevant 2012): "type octile", "height H", "width W", "map", then H lines of W
// characters. Walkable are '.', 'G' (ground) and 'S' (shallow water); '@', 'O' (out of bounds), 'T' (trees) and 'W' (water) are
// not.
//
// A cell is one square metre; x is the column and y the row, as in the file, not flipped. Cells that share a side are joined: each
// connected part becomes one walkable feature, with straight borders and with holes. Cells that touch at a corner only are not
// joined, for obstacles are closed.
// Cost: linear in the number of cells.
#pragma once

#include <string>

#include "environment/environment.hpp"
#include "throng/result.hpp"

namespace throng::environment {

[[nodiscard]] Result<Environment> read_map(std::string text, const std::string& source);

}  // namespace throng::environment
