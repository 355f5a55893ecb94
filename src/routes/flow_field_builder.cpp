#include "routes/flow_field_builder.hpp"

#include <algorithm>
#include <numeric>

#include "geometry/tolerances.hpp"
#include "navmesh/queries.hpp"

namespace throng::routes {

FlowFieldBuilder::FlowFieldBuilder(FlowField& field)
    : field_(field), measures_(field.disc_tiles_), spread_(field.disc_tiles_, measures_) {}

void FlowFieldBuilder::run(std::span<const FlowGoal> goals) {
  for (const FlowGoal& goal : goals) start_at(goal);
  while (!open_.empty()) {
    const WindowSpread::Entry next = open_.pop().entry;
    if (spread_.is_hopeless(next)) continue;
    kept_.push_back({next.tile, next.window});
    entries_.clear();
    spread_.expand(next, entries_);
    for (const WindowSpread::Entry& entry : entries_) push(entry);
  }
  store();
}

void FlowFieldBuilder::start_at(const FlowGoal& goal) {
  const navmesh::Mesh& mesh = field_.disc_tiles_.mesh();
  const double disc = field_.disc_tiles_.disc();
  const navmesh::Located at = navmesh::locate(mesh, goal.place);
  if (!at) return;
  Vec2 point = goal.place.point;
  if (at.clearance < disc) {
    const navmesh::Retraction on_axis = navmesh::retract(mesh, at, point);
    if (on_axis.clearance < disc - tolerance::same || on_axis.clearance == 0) return;
    point = at.nearest + (on_axis.point - at.nearest) * (disc / on_axis.clearance);
  }
  push(spread_.begin(point, at.cell, goal.tag));
}

void FlowFieldBuilder::push(const WindowSpread::Entry& entry) {
  if (spread_.is_hopeless(entry)) return;
  open_.push({entry, serial_++});
}

void FlowFieldBuilder::store() {
  const std::size_t tiles = field_.disc_tiles_.tiles().size();
  std::stable_sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.tile < b.tile; });
  field_.first_window_.assign(tiles + 1, 0);
  for (const Kept& kept : kept_) ++field_.first_window_[kept.tile + 1];
  std::partial_sum(field_.first_window_.begin(), field_.first_window_.end(), field_.first_window_.begin());
  field_.windows_.reserve(kept_.size());
  for (const Kept& kept : kept_) field_.windows_.push_back(kept.window);
  field_.roots_ = spread_.take_roots();
}

}  // namespace throng::routes
