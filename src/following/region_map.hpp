// The map of weighted ground lives in ground/region_map.hpp, where routes can see it too; followers know it by these names.
#pragma once

#include "geometry/tolerances.hpp"
#include "ground/region_map.hpp"

namespace throng::following {

using ground::RegionMap;
using ground::WeightTable;
using tolerance::distinct;

}  // namespace throng::following
