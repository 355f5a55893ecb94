// polyanya's `.poly` out: the rings of a cleaned environment's free space, of one layer. The format has no walls: an environment
// with thin walls is refused. Regions and named areas are left out with a warning.
#pragma once

#include "environment/formats/formats.hpp"

namespace throng::environment {

[[nodiscard]] Result<std::string> write_clean_poly(const CleanEnvironment& environment, const WriteOptions& options);

}  // namespace throng::environment
