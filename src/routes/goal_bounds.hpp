// How far it is to the goal, at least, from a circle around a corner: what the exact search goes by (shortest_finder.hpp). Whichever bound it takes, it finds the same
// way; they differ in what is looked at on the way there, and in what must be made before.
#pragma once

#include <memory>
#include <vector>

#include "routes/corner_distances.hpp"

namespace throng::routes {

enum class GoalBound {
  labels,  ///< what a body of hardly less width would have to walk around corners, turns included: hardly anything is looked at that is not on the way
  straight,  ///< the straight line: needs no labels, which take long to make
};

/// By labels of corners. Ways longer than `most` need not be told apart.
class LabelBound {
 public:
  /// Makes ready for discs of a radius.
  void use(std::shared_ptr<const CornerDistances> distances, double disc);
  /// There is a way of so many metres from a turn to the goal.
  void tell(Index turn, double ahead, double most);
  /// No way of the disc that arrives at a turn is shorter from there to the goal, but for the arrival's share of the turn. Infinite where any
  /// is longer than `most`.
  [[nodiscard]] double least_to(Index turn, double most) const { return unlifted(lifted_least_to(turn, most)); }
  /// The same, found once a search.
  [[nodiscard]] double ahead_of(Index turn, double most);
  [[nodiscard]] bool knows(Index turn) const { return ahead_[turn] != not_asked; }
  /// Metres that bounds may be too long.
  [[nodiscard]] double error() const { return error_; }
  /// All that was told, for another goal.
  void forget();

 private:
  using Ticks = CornerDistances::Ticks;
  static constexpr Ticks not_asked = ~Ticks{0};

  [[nodiscard]] Ticks most_bound(double most) const;
  [[nodiscard]] Ticks lifted_least_to(Index turn, double most) const {
    return distances_->least_sum(turn ^ 1, hub_distance_, most_bound(most));
  }
  [[nodiscard]] double unlifted(Ticks ticks) const;

  std::shared_ptr<const CornerDistances> distances_;
  double lift_ = 0;  ///< metres that keep distances positive
  double error_ = 0;
  std::vector<Ticks> hub_distance_;  ///< of the goal from each hub, and `lift_`
  std::vector<Index> known_hubs_;    ///< those with a distance, as many as are counted: room for all, and one more
  std::size_t known_count_ = 0;
  std::vector<Ticks> ahead_;  ///< of each turn, and `lift_`
  std::vector<Index> asked_turns_;
};

}  // namespace throng::routes
