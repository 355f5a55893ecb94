// Well-known text out: one GEOMETRYCOLLECTION of walkable POLYGONs and of LINESTRINGs for thin walls, of one layer. Regions and
// named areas are left out with a warning. Source features with obstacle areas, openings or connections are refused: WKT cannot
// say them; cleaned environments have none of the first two.
#pragma once

#include "environment/formats/formats.hpp"

namespace throng::environment {

[[nodiscard]] Result<std::string> write_wkt(const Environment& environment, const WriteOptions& options);
[[nodiscard]] Result<std::string> write_clean_wkt(const CleanEnvironment& environment, const WriteOptions& options);

}  // namespace throng::environment
