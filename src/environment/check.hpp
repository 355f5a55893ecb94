// Whether an environment keeps the laws of environment.hpp. Readers establish them; tests and fuzzers ask here.
#pragma once

#include "environment/environment.hpp"
#include "throng/result.hpp"

namespace throng::environment {

/// Every law that is broken, with the feature it is broken by; empty where all is well. Cost: linear.
[[nodiscard]] Problems check_environment(const Environment& environment);

}  // namespace throng::environment
