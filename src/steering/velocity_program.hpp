// The velocity nearest to a wanted one that keeps to half planes and a speed limit; where none does, the one that breaks the worst
// of the soft half planes least. Randomised incremental linear programming (de Berg et al., Computational Geometry, chapter 4), with
// the fallback of van den Berg et al. 2011, section 5.3: a three-dimensional program, in which all soft lines move at equal speed.
// Lines are taken in the order given instead of a random one: the same answer every time, and a dozen lines at most.
//
// Laws
// 1. If the half planes and the disc have a common point, the answer is the one of them nearest to `wanted`, to rounding.
// 2. Otherwise, if the first `hard` ones and the disc have one, the answer keeps to these and makes the largest distance by which
//    another is broken as small as possible, to rounding.
// 3. Otherwise the answer is 0. It is finite and within the limit in any case, to rounding.
// Complexity: expected O(n), at worst O(n^2), O(n^3) in the fallback. No allocation once `scratch` has grown.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] Vec2 nearest_velocity(std::span<const HalfPlane> planes, std::size_t hard, double speed_limit,
                                    Vec2 wanted, std::vector<HalfPlane>& scratch);

}  // namespace throng::steering
