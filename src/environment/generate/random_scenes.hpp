// Small worlds by seed, for the tests of every layer: random ones, and each kind of degeneracy that geometry code trips over.
//
// Laws
// 1. A scene is a pure function of kind and seed, with the same bits on every machine.
// 2. clean() accepts every scene, and gives it free space.
// 3. Coordinates are whole millimetres, the extent is at most 250 m, so the snap unit is 1 mm.
// Cost: linear in the vertices, at most a few thousand.
#pragma once

#include <cstdint>
#include <string_view>

#include "environment/environment.hpp"

namespace throng::environment {

enum class SceneKind {
  overlapping_polygons,  ///< star-shaped polygons, some with holes, walls, openings, regions, areas, all over each other
  rotated_rectangles,    ///< a dense heap of rectangles at every angle
  grid_of_squares,       ///< equal squares at equal distances: four-way ties everywhere
  stars,                 ///< many-pointed stars, sharp tips and sharp notches
  cocircular,            ///< corners on circles about common centres, exactly
  thin_combs,            ///< long teeth whose edges are a unit or two off the axis
  touching_corners,      ///< a chequerboard: squares that touch in their corners only
  nested_holes,          ///< courtyards with islands with courtyards, some touching
  single_wall,           ///< one thin wall in a room
  empty_room,            ///< nothing in a room of three to nine corners
  wall_maze,             ///< a maze of thin walls that meet in their ends
  crossing_walls,        ///< long thin walls through each other and through a few obstacles
  slivers,               ///< obstacles a few units apart, overlapping by a few units, a few units thick
  two_layers,            ///< a room and another one beside it on a second layer, with one to three doors
  stairs,                ///< two floors over each other and a stair on a layer of its own
  spiral_ramp,           ///< a ramp that passes over itself
};

inline constexpr SceneKind all_scene_kinds[] = {SceneKind::overlapping_polygons,
                                                SceneKind::rotated_rectangles,
                                                SceneKind::grid_of_squares,
                                                SceneKind::stars,
                                                SceneKind::cocircular,
                                                SceneKind::thin_combs,
                                                SceneKind::touching_corners,
                                                SceneKind::nested_holes,
                                                SceneKind::single_wall,
                                                SceneKind::empty_room,
                                                SceneKind::wall_maze,
                                                SceneKind::crossing_walls,
                                                SceneKind::slivers,
                                                SceneKind::two_layers,
                                                SceneKind::stairs,
                                                SceneKind::spiral_ramp};

/// "wall_maze"
[[nodiscard]] std::string_view name_of(SceneKind kind);

[[nodiscard]] Environment random_scene(std::uint64_t seed, SceneKind kind);

}  // namespace throng::environment
