// Reads CAD plans, ASCII DXF, as environments (docs/imports.md is the walk-through).
//
// Laws
// 1. Layers mean what dxf_layers.hpp says. Lines of walls and doors become rooms as line_plan.hpp says; on the other layers closed shapes
//    count, and lines that enclose something together; a closed shape in another of its layer is a hole in it.
// 2. People walk on what is drawn as walkable; without that, in all that walls and doors enclose, and `outside` metres around it.
// 3. Closed shapes on door layers are openings: they cut walls. Every room is an area, called what is written in it, or "room 1", ...
// 4. Units are those of the header. A drawing without: a longer side of more than `largest_in_metres` is in millimetres, else in metres; it is
//    warned of.
// 5. A drawing with layers of dxf_throng_layers.hpp, such as the writer's, is read exactly, by these alone.
// Cost: near linear in the file and what its blocks make when inserted.
#pragma once

#include <string>
#include <vector>

#include "environment/dxf/line_plan.hpp"
#include "environment/environment.hpp"
#include "environment/formats/formats.hpp"
#include "throng/result.hpp"

namespace throng::environment {

inline constexpr double largest_in_metres = 1500;

/// A plan as it was understood, for pictures of what could not be closed.
struct DxfPlan {
  std::vector<PlanLine> lines;  ///< walls and doors, in metres
  std::vector<OpenEnd> open_ends;
};

[[nodiscard]] Result<Environment> import_dxf(const ImportSource& source, const ImportOptions& options);

/// A layer of a drawing, as it would be read.
struct DxfLayerUse {
  std::string name;
  DxfRole role = DxfRole::ignored;
  std::size_t shapes = 0;
  bool hidden = false;
};
/// Every layer, for those who choose what each means.
[[nodiscard]] Result<std::vector<DxfLayerUse>> read_dxf_layers(const ImportSource& source,
                                                               const ImportOptions& options);

/// The lines and open ends of a plan, also of one that import_dxf() refuses because nothing is closed.
[[nodiscard]] Result<DxfPlan> read_dxf_plan(const ImportSource& source, const ImportOptions& options);

}  // namespace throng::environment
