#include "navmesh/layer_walk.hpp"

#include <cmath>

#include "navmesh/axis_draft.hpp"

namespace throng::navmesh {
namespace {

constexpr double on_door = 1e-3;  ///< units: farther than rounding moves a node, nearer than any two features are

}  // namespace

LayerWalk::LayerWalk(const environment::CleanEnvironment& environment)
    : doors_(environment.layers.size()), door_count_(2 * environment.connections.size()) {
  for (Index i = 0; i < environment.connections.size(); ++i) {
    const environment::CleanConnection& c = environment.connections[i];
    doors_[c.left_layer].push_back({to_vec(c.a), to_vec(c.b), Index(c.right_layer), i});
    doors_[c.right_layer].push_back({to_vec(c.b), to_vec(c.a), Index(c.left_layer), i});
  }
}

Index LayerWalk::layer_after(Vec2 from, Index layer, Vec2 to) const {
  const Vec2 d = to - from;
  double walked = 0;
  Index passed = none;
  // Where several doors meet in one point, rounding might send us round and round; nobody passes more doors than there
  // are.
  for (std::size_t step = 0; step < door_count_; ++step) {
    const Door* next = nullptr;
    double at_next = INFINITY;
    for (const Door& door : doors_[layer]) {
      if (door.connection == passed) continue;  // a straight line passes a door once
      const Vec2 e = door.b - door.a;
      const double before = cross(e, from - door.a), after = cross(e, to - door.a);
      // One starts on the near side, or on the door itself and then by rounding perhaps a little behind it.
      if (after >= 0 || before < -on_door * length(e)) continue;
      if (cross(d, door.a - from) * cross(d, door.b - from) > 0) continue;
      const double at = before <= 0 ? 0 : before / (before - after);
      if (at >= walked && at < at_next) next = &door, at_next = at;
    }
    if (!next) break;
    walked = at_next;
    passed = next->connection;
    layer = next->beyond;
  }
  return layer;
}

}  // namespace throng::navmesh
