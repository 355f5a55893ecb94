// Names of DXF layers that say exactly what a feature is, so that an environment can be written as DXF and read back unchanged, and plans
// of several storeys drawn in a CAD program:
//
//   THRONG$LAYER$walkable, $obstacle, $wall, $opening        closed shapes, walls also lines
//   THRONG$LAYER$region$TYPE, THRONG$LAYER$area$NAME         closed shapes
//   THRONG$LAYER$connection$OTHER                            lines of two points
//   THRONG$LAYER$elevation                                   a POINT at the height of the layer
//   THRONG$LAYER$ramp, $stairs                               a LINE in space along a ramp or stair
//
// Characters that layer names may not hold, `$` and `%` are written as %XX, the byte's value. A comment "throng grid UNIT X Y" is the
// snap grid. Closed shapes inside others of their layer are holes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "environment/dxf/dxf_drawing.hpp"
#include "environment/environment.hpp"
#include "text/problem_list.hpp"

namespace throng::environment {

struct ThrongLayerName {
  std::string layer;
  std::string kind;  ///< "walkable", "ramp", ...
  std::string name;  ///< region's type, area's name, the connection's other layer
};

[[nodiscard]] bool is_throng_layer(std::string_view name);
/// Nothing where there is no kind.
[[nodiscard]] std::optional<ThrongLayerName> parse_throng_layer(std::string_view name);
[[nodiscard]] std::string to_string(const ThrongLayerName& name);

/// The environment that a drawing with such layers says, drawn out.
[[nodiscard]] Environment read_throng_layers(const DxfDrawing& drawing, const DrawnOut& drawn,
                                             const std::string& source, ProblemList& problems);

}  // namespace throng::environment
