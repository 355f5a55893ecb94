#include "crowd/flow_fields.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "navmesh/locate.hpp"
#include "routes/ground_field.hpp"

namespace throng::crowd {

namespace {

using navmesh::Index;
using navmesh::Place;
using routes::FlowGoal;

/// Goals of an area: metres between those along its border where there are not too many, and how many are strewn over it.
constexpr double border_spacing = 0.5;
constexpr double most_on_border = 200;
constexpr double fewest_inside = 8, most_inside = 32;

/// The n-th of a sequence that fills the unit interval evenly, for each n another number; `step` is its irrational stride.
double spread(std::size_t n, double step) {
  const double at = 0.5 + double(n + 1) * step;
  return at - std::floor(at);
}

/// Places of an area where a body has room; where there is none, those with the most.
void add_goals(const navmesh::Mesh& mesh, const goals::Area& area, double radius, Index tag,
               std::vector<FlowGoal>& goals) {
  std::vector<Place> candidates = area.border(std::max(border_spacing, area.border_length() / most_on_border));
  const auto inside = std::size_t(std::clamp(std::ceil(area.square_metres() / 2), fewest_inside, most_inside));
  for (std::size_t i = 0; i < inside; ++i)
    // Strides of the sequence of least discrepancy in three dimensions: powers of the root of x^4 = x + 1.
    candidates.push_back(
        area.sample(spread(i, 0.8191725133961645), spread(i, 0.6710436067037893), spread(i, 0.5497004779019703)));
  double most = -1;
  std::vector<std::pair<Place, double>> places;
  for (const Place& place : candidates) {
    const navmesh::Located at = navmesh::locate(mesh, place);
    if (!at) continue;
    places.emplace_back(place, at.clearance);
    most = std::max(most, at.clearance);
  }
  for (const auto& [place, clearance] : places)
    if (clearance >= std::min(most, radius)) goals.push_back({place, tag});
}

std::vector<FlowGoal> goals_of(const World& world, const std::vector<goals::Area>& areas, const goals::Goal& goal,
                               double radius) {
  std::vector<FlowGoal> goals;
  if (goal.areas.empty()) goals.push_back({goal.point, 0});
  for (std::size_t i = 0; i < goal.areas.size(); ++i)
    add_goals(*world.mesh, areas[goal.areas[i]], radius, Index(i), goals);
  return goals;
}

}  // namespace

FlowFields::Key FlowFields::key_of(const Wish& wish) {
  const goals::Goal& goal = *wish.goal;
  std::vector<double> weights(wish.weights.begin(), wish.weights.end());
  if (!goal.areas.empty()) return {goal.areas, 0, 0, 0, wish.radius, std::move(weights)};
  return {{}, goal.point.point.x, goal.point.point.y, goal.point.layer, wish.radius, std::move(weights)};
}

void FlowFields::make(const World& world, const std::vector<goals::Area>& areas, std::span<const Wish> wishes,
                      Executor& executor, const routes::GroundAtlas* ground) {
  if (!tiles_ || &tiles_->graph() != world.graph.get()) {
    if (wishes.empty()) return;
    fields_.clear();
    tiles_ = std::make_shared<const routes::CorridorTiles>(world.graph);
  }
  std::vector<Wish> missing;
  std::set<Key> seen;
  for (const Wish& wish : wishes) {
    Key key = key_of(wish);
    if (!fields_.contains(key) && seen.insert(std::move(key)).second) missing.push_back(wish);
  }
  if (missing.empty()) return;
  std::vector<FlowFieldPtr> made(missing.size());
  executor.for_chunks(missing.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) made[i] = field_for(world, areas, missing[i], ground);
  });
  drop_unused();
  for (std::size_t i = 0; i < missing.size(); ++i) fields_.emplace(key_of(missing[i]), std::move(made[i]));
}

/// Where no surface can be made, all ground is even.
FlowFieldPtr FlowFields::field_for(const World& world, const std::vector<goals::Area>& areas, const Wish& wish,
                                   const routes::GroundAtlas* ground) const {
  const std::vector<FlowGoal> goals = goals_of(world, areas, *wish.goal, wish.radius);
  if (ground != nullptr && !wish.weights.empty())
    if (const Result<routes::GroundSheetPtr> sheet = ground->sheet(wish.radius, false); sheet.ok())
      return std::make_shared<const routes::FlowField>(
          tiles_,
          std::make_shared<const routes::GroundField>(*sheet, routes::row_of(wish.weights, ground->regions().kinds()),
                                                      goals),
          wish.radius);
  return std::make_shared<const routes::FlowField>(tiles_, goals, wish.radius);
}

FlowFieldPtr FlowFields::find(const Wish& wish) const {
  const auto found = fields_.find(key_of(wish));
  return found == fields_.end() ? nullptr : found->second;
}

void FlowFields::drop_unused() {
  if (bytes() > most_bytes) std::erase_if(fields_, [](const auto& entry) { return entry.second.use_count() == 1; });
}

std::size_t FlowFields::bytes() const {
  std::size_t bytes = tiles_ ? tiles_->bytes() : 0;
  for (const auto& [key, field] : fields_) bytes += field->bytes();
  return bytes;
}

}  // namespace throng::crowd
