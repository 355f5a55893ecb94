// Everybody, as methods see them: read-only columns of the state at the start of a step, by slot.
//
// State n stays as it is while state n + 1 is computed, so no method sees half of a step, and the order in which people are
// looked at does not matter. Slots are places in the columns; they are used again when somebody left. `present` tells which are
// in use. Where two people are equally good, the lower serial wins.
// Units: metres, seconds.
#pragma once

#include <cstdint>
#include <span>

#include "navmesh/mesh.hpp"
#include "navmesh/visibility.hpp"
#include "throng/vec2.hpp"

namespace throng::agents {

using Slot = std::uint32_t;
using navmesh::Index;
using navmesh::none;

struct People {
  const navmesh::Mesh* mesh = nullptr;
  double time_step = 0.1;
  const void* host = nullptr;  ///< what whoever embeds the crowd gave it, for methods of their own
  std::span<const std::uint8_t> present;
  std::span<const std::uint64_t> serial;
  std::span<const Vec2> position;
  std::span<const Vec2> velocity;  ///< how the body moved in the last step
  std::span<const Vec2> walking;   ///< the part of it that was walked, without pushes
  std::span<const Vec2> heading;   ///< unit vector
  std::span<const Index> layer;
  std::span<const Index> cell;
  std::span<const double> clearance;  ///< of the position
  std::span<const double> radius;
  std::span<const double> speed;  ///< preferred here and now: stairs are counted in

  [[nodiscard]] navmesh::Place place(Slot slot) const { return {position[slot], layer[slot]}; }
  [[nodiscard]] navmesh::Standpoint standpoint(Slot slot) const { return {place(slot), cell[slot], clearance[slot]}; }
};

/// Numbers of a method for each person: where their block begins in the pool.
struct Blocks {
  const double* pool = nullptr;
  std::span<const Index> first;  ///< by slot
  [[nodiscard]] const double* of(Slot slot) const { return pool + first[slot]; }
};

}  // namespace throng::agents
