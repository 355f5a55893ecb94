// The floors of 3D models as environments: what people can stand on, each storey a layer, stairs and ramps between them
// (docs/imports.md is the walk-through).
//
// Words
//   floor   a triangle that faces up and is less steep than the limit
//   joined  two floors one can step between: `weld` outside an edge of one lies the other, no more than `climb` higher or lower
//
// Laws
// 1. Joined floors hang together as one surface. A surface that nowhere lies over itself and has no stairs is one layer. Others are
//    parted into levels (floors that are nearly flat), stairs (narrow floors joined by steps) and ramps (the rest), and these again
//    where one still lies over itself: no layer overlaps itself in plan.
// 2. Floor of a layer is blocked by what is above it: floors of other layers lower than `head_room`, other triangles between `climb` and
//    `head_room`. Edges of floor that join nothing are walls.
// 3. Layers are connected where their floors are joined along a straight edge from wall to wall; where they are joined otherwise they are
//    not, which is warned of.
// 4. A layer's height is that of its floor on average, or a ramp along the plane that fits it best, which ends at the height of
//    the levels it is connected to.
// 5. What is narrower than `least_width` and leads nowhere is left out: tops of walls, sills.
// Cost: near linear where triangles lie over few others.
#pragma once

#include "environment/formats/formats.hpp"
#include "environment/model/triangle_model.hpp"

namespace throng::environment {

/// Twice the area of a floor by the length of its border: below this nobody stands on it.
inline constexpr double least_width = 0.4;

[[nodiscard]] Result<Environment> import_obj(const ImportSource& source, const ImportOptions& options);
[[nodiscard]] Result<Environment> import_gltf(const ImportSource& source, const ImportOptions& options);

/// The floors of a model; `source` is what problems call it.
[[nodiscard]] Result<Environment> floors_of(const TriangleModel& model, const std::string& source,
                                            const SurfaceOptions& options);

}  // namespace throng::environment
