// Writes cleaned environments as ASCII DXF (release 12 and its successors read it), in metres, on the layers of
// dxf_throng_layers.hpp: what is written reads back as the same cleaned environment.
#pragma once

#include <string>

#include "environment/formats/formats.hpp"

namespace throng::environment {

[[nodiscard]] Result<std::string> write_clean_dxf(const CleanEnvironment& environment, const WriteOptions& options);

}  // namespace throng::environment
