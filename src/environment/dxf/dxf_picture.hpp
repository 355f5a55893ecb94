// A picture of the lines of a CAD plan, with what could not be closed in red: what to mend in the drawing.
#pragma once

#include <string>

#include "environment/dxf/dxf_reader.hpp"

namespace throng::environment {

/// An SVG: walls dark, doors blue; every open end a numbered red ring, with a dashed line to the next one.
[[nodiscard]] std::string draw_open_ends(const DxfPlan& plan, const std::string& title);

}  // namespace throng::environment
