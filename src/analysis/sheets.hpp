// Layers on sheets, as an architect draws storeys: layers of one height side by side where they lie, stairs and ramps in the gaps of the
// storey above that they lead to (or below, or on a sheet of their own where there is no gap).
//
// Laws
// 1. Every layer is on one sheet; layers of one sheet overlap nowhere by more than a fiftieth of the smaller.
// 2. Sheets come from the highest to the lowest.
// 3. All sheets are drawn at one scale, one below the other.
#pragma once

#include <string>
#include <vector>

#include "analysis/crowd_maps.hpp"
#include "environment/clean/clean.hpp"

namespace throng::analysis {

struct Sheet {
  std::string title;  ///< names of its storeys and their height; empty where there is one sheet only
  double height = 0;  ///< metres above zero
  std::vector<std::size_t> layers;
  geometry::Box world;  ///< of all its layers
};

/// `maps` of this environment: their rasters say what overlaps what.
[[nodiscard]] std::vector<Sheet> sheets_of(const environment::CleanEnvironment& environment, const CrowdMaps& maps);

}  // namespace throng::analysis
