// The laws of environment.hpp, checked: what every reader establishes and clean() relies on.
#pragma once

#include "environment/environment.hpp"
#include "throng/result.hpp"

namespace throng::environment {

/// One problem for each broken law and feature; empty for a well-formed environment. O(n).
[[nodiscard]] Problems check_environment(const Environment& environment);

}  // namespace throng::environment
