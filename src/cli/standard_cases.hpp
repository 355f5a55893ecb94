// The cases of experiments/standards, which are part of the program, so that `throng validate` runs anywhere.
#pragma once

#include "validation/case.hpp"

namespace throng::cli {

/// Texts by "CASE/FILE" (made by src/CMakeLists.txt).
[[nodiscard]] const validation::CaseFiles& standard_cases();

}  // namespace throng::cli
