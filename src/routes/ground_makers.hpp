// The methods over weighted ground (ground_planner.hpp) as route methods of profiles: `weighted`, `spm`, `vbp`, `grid`.
#pragma once

#include "routes/route_maker.hpp"

namespace throng::routes {

void add_ground_methods(agents::Registry<RouteMaker>& registry);

}  // namespace throng::routes
