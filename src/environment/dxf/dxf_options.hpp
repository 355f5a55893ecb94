// What the reader of CAD plans (dxf_reader.hpp) is told: which layers of the drawing are what, and how far lines may be bent to
// meet. docs/imports.md explains each with pictures.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace throng::environment {

/// What the lines of a drawing's layer mean.
enum class DxfRole {
  walls,      ///< nobody walks through; lines that enclose something thin are solid
  doors,      ///< lines that part rooms but stop nobody; closed shapes cut walls
  walkable,   ///< closed shapes: the floor, in place of what the walls enclose
  obstacles,  ///< closed shapes: solid, however thick (columns, machines)
  regions,    ///< closed shapes: ground of a type, named by the layer
  areas,      ///< closed shapes: named places
  ignored,
};
inline constexpr std::string_view dxf_role_names[] = {"walls",   "doors", "walkable", "obstacles",
                                                      "regions", "areas", "ignored"};
[[nodiscard]] constexpr std::string_view name_of(DxfRole role) { return dxf_role_names[std::size_t(role)]; }

/// Layers whose name matches the pattern (`*` any letters, `?` one; upper and lower case are the same) have the role.
struct DxfLayerRule {
  std::string pattern;
  DxfRole role = DxfRole::walls;
};

struct DxfOptions {
  std::vector<DxfLayerRule>
      rules;                    ///< looked at before the usual names (dxf_layers.hpp); the first that matches counts
  double unit = 0;              ///< metres a drawing unit; 0: what the drawing says
  double flatness = 0.005;      ///< how far the lines that stand for a curve may lie from it
  double gap = 0.02;            ///< line ends nearer than this to each other or to a line are joined
  double wall_thickness = 0.4;  ///< what walls enclose is solid below this thickness, and a room from it on
  double outside = 0;           ///< so far around the drawing people may walk too; 0: inside only
  bool rooms = true;            ///< every room becomes an area
};

}  // namespace throng::environment
