// `none`: the new velocity is the preferred one. For people steered from outside, for measuring what avoidance does.
#pragma once

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] const Avoider& no_avoidance();

}  // namespace throng::steering
