// Changes to try a changing world with: obstacles of every shape over anything that is there, by seed.
//
// What is drawn looks for trouble on purpose: corners on edges, walls along walls, a unit apart, corners on circles about a corner,
// over connections, across passages (rooms are sealed and joined again), rings with courts, thinner than the grid, the same twice,
// over everything, many at once.
//
// Laws
// 1. A sequence is a pure function of the seed and of the worlds handed in, with the same bits on every machine.
// 2. check_changes() accepts every change that next() gives.
// 3. After what taking_all_away() gives, the plan is the first one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "environment/clean/change.hpp"
#include "environment/clean/clean.hpp"
#include "geometry/random.hpp"

namespace throng::environment {

/// Gives every obstacle that has no id of its own, or that of another, the id "file-N", so that it can be changed.
void name_obstacles(Environment& plan);

class RandomChanges {
 public:
  /// `plan` is fixed (change.hpp), and every obstacle of it has an id. At most so many obstacles are there beside the file's.
  RandomChanges(std::uint64_t seed, const Environment& plan, std::size_t most = 20);

  /// A change of the plan as it is now, whose cleaned world is `clean`. Counts as done: call undo() where it is refused.
  [[nodiscard]] Change next(const CleanEnvironment& clean);
  /// What next() gave last was refused.
  void undo();
  /// The change that leaves the plan as it was at first; nothing in it where nothing has to be done.
  [[nodiscard]] std::vector<Change> taking_all_away();

  /// A single obstacle of any shape, with an id that none has had.
  [[nodiscard]] Feature obstacle(const CleanEnvironment& clean);

 private:
  struct Edge {
    Vec2 a, b;
  };

  void look_at(const CleanEnvironment& clean, std::size_t layer);
  void shape(Feature& feature, const CleanEnvironment& clean);
  void shape_on_boundary(Feature& feature, double unit);
  [[nodiscard]] Vec2 anywhere();
  [[nodiscard]] const Edge& some_edge();

  geometry::RandomStream random_;
  std::size_t most_;
  std::size_t made_ = 0;
  std::map<std::string, Feature> present_;   ///< inserted
  std::map<std::string, Feature> drawn_;     ///< the file's
  std::map<std::string, Feature> replaced_;  ///< of the file's, as they were
  std::map<std::string, Feature> present_before_, replaced_before_;
  std::vector<Edge> edges_;  ///< of the layer looked at
  Vec2 low_, high_;
};

}  // namespace throng::environment
