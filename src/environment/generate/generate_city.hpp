// Cities to test, measure and show with: streets, blocks, courtyards, parks, by seed and size.
//
// The plan is an irregular grid of bent streets, cut by straight diagonal avenues. What is left between them are convex blocks;
// each becomes a perimeter of town houses round a courtyard, one large building with courts and passages, villas in
// gardens behind hedges, slabs on a lawn, a park or a square. Houses share walls, overlap or miss each other by millimetres, as
// surveyed footprints do.
//
// Features: one `walkable` rectangle; `obstacle` buildings, trees, ponds, kiosks; thin walls for fences, hedges, garden walls;
// `opening` passages through buildings; `region` of types road, crossing, grass, path, terrace; `area` north, south, west, east and
// square-1, square-2, ...
//
// Laws
// 1. The result is a pure function of the options, with the same bits on every machine.
// 2. A block depends on the seed, its place in the plan and its size only: blocks draw from streams of their own.
// 3. Coordinates are whole millimetres; the south-west corner is (0, 0).
// Cost: linear in the number of vertices. Units: metres.
#pragma once

#include <cstddef>
#include <cstdint>

#include "environment/environment.hpp"

namespace throng::environment {

struct CityOptions {
  std::uint64_t seed = 1;
  double width = 600;   ///< west to east; at least 60
  double height = 600;  ///< south to north; at least 60
  double block_length = 95;
  double street_width = 13;     ///< between house fronts; main streets are 1.7 times as wide
  double avenue_spacing = 800;  ///< one diagonal avenue for each of these in the longer side
  double park_share = 0.09;     ///< of the blocks
  double square_share = 0.05;
  double villa_share = 0.16;
  double slab_share = 0.10;
  double court_share = 0.18;  ///< the rest are perimeters of town houses
  bool street_trees = true;
};

/// Options of a square city that has about this many boundary vertices once cleaned (within 15 % from 10,000 on).
[[nodiscard]] CityOptions city_of_vertices(std::size_t vertices, std::uint64_t seed = 1);

[[nodiscard]] Environment generate_city(const CityOptions& options);

}  // namespace throng::environment
