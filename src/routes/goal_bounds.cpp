#include "routes/goal_bounds.hpp"

#include <algorithm>
#include <utility>

#include "routes/tangent_table.hpp"

namespace throng::routes {

namespace {

/// Bends of a way whose turns may each be off by rounding.
constexpr double most_bends = 1000;

}  // namespace

void LabelBound::use(std::shared_ptr<const CornerDistances> distances, double disc) {
  distances_ = std::move(distances);
  hub_distance_.assign(distances_->hub_count(), CornerDistances::unreachable_ticks);
  known_hubs_.assign(distances_->hub_count() + 1, none);
  known_count_ = 0;
  ahead_.assign(distances_->turn_count(), not_asked);
  asked_turns_.clear();
  lift_ = CornerDistances::most_by * disc;
  error_ = CornerDistances::least_error + most_bends * TangentTable::straight_on * disc;
}

/// No bound above this is of any use, whatever is taken off it for turns and rounding.
LabelBound::Ticks LabelBound::most_bound(double most) const {
  constexpr double rounding = 8 * CornerDistances::float_error;
  return distances_->ticks((most + 4 * lift_ + error_) * (1 + rounding)) + 1;
}

void LabelBound::tell(Index turn, double ahead, double most) {
  const Ticks lifted = distances_->ticks(ahead + lift_);
  const Ticks farthest = most_bound(most);
  if (lifted > farthest) return;
  Index* known = known_hubs_.data() + known_count_;
  Ticks* const to_goal = hub_distance_.data();
  distances_->for_each_hub(turn, farthest - lifted, [&](Index hub, Ticks distance) {
    Ticks& best = to_goal[hub ^ 1];
    *known = hub ^ 1;  // nothing foretells whether it is new: without a branch
    known += best == CornerDistances::unreachable_ticks ? 1 : 0;
    best = std::min(best, distance + lifted);
  });
  known_count_ = std::size_t(known - known_hubs_.data());
}

double LabelBound::ahead_of(Index turn, double most) {
  Ticks& known = ahead_[turn];
  if (known == not_asked) {
    known = lifted_least_to(turn, most);
    asked_turns_.push_back(turn);
  }
  return unlifted(known);
}

double LabelBound::unlifted(Ticks ticks) const {
  if (ticks >= CornerDistances::unreachable_ticks) return unreachable;
  return ticks * distances_->tick() * (1 - CornerDistances::float_error) - lift_;
}

void LabelBound::forget() {
  for (std::size_t i = 0; i < known_count_; ++i) hub_distance_[known_hubs_[i]] = CornerDistances::unreachable_ticks;
  known_count_ = 0;
  for (const Index turn : asked_turns_) ahead_[turn] = not_asked;
  asked_turns_.clear();
}

}  // namespace throng::routes
