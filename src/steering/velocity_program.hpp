// The velocity nearest to a wanted one that keeps to half planes and a speed limit; where none does, the one that breaks the worst
// of the soft half planes least. Randomised incremental linear programming (de Berg et al., Computational Geometry, chapter 4), with
// the fallback of van den Berg et al. 2011, section 5.3: a three-dimensional program, in which all soft lines move at equal speed.
// Lines are taken in the order given instead of a random one: the same answer every time, and a dozen lines at most.
//
// The programs of several people are solved side by side, each in a lane of a vector: what one of them does not need is computed for
// nothing, but there are hardly any branches, which nobody could foretell.
//
// Laws
// 1. If the half planes and the disc have a common point, the answer is the one of them nearest to `wanted`, to rounding.
// 2. Otherwise, if the hard ones and the disc have one, the answer keeps to these and makes the largest distance by which
//    another is broken as small as possible, to rounding.
// 3. Otherwise the answer is 0. It is finite and within the limit in any case, to rounding.
// 4. Rules are softest: where hard and soft ones have a common point with the disc, these are kept to, and of the rules that which is
//    broken most is broken as little as can be; where they have none, the rules do not count.
// 5. Nobody's answer depends on what is in the other lanes, nor on the processor.
// Complexity: expected O(n), at worst O(n^2), O(n^3) in the fallback. No allocation once buffers have grown. Thread-safety: one a thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "steering/avoider.hpp"
#include "steering/four_people.hpp"

namespace throng::steering {

class VelocityPrograms {
 public:
  static constexpr std::size_t lanes = four;
  /// A half plane of everybody.
  struct Row {
    FourVecs point{}, direction{};
  };

  /// Nobody has any half planes.
  void clear() { counts_ = hard_ = rules_ = {}; }
  /// Hard ones before soft ones.
  void add_hard(std::size_t lane, const HalfPlane& plane) {
    add_soft(lane, plane);
    hard_[lane] = counts_[lane];
  }
  void add_soft(std::size_t lane, const HalfPlane& plane) {
    const std::size_t row = counts_[lane]++;
    if (row == rows_.size()) rows_.emplace_back();
    put(row, lane, plane);
  }
  /// After all others.
  void add_rule(std::size_t lane, const HalfPlane& plane) {
    add_soft(lane, plane);
    ++rules_[lane];
  }
  void put(std::size_t row, std::size_t lane, const HalfPlane& plane) {
    rows_[row].point.x[lane] = plane.point.x;
    rows_[row].point.y[lane] = plane.point.y;
    rows_[row].direction.x[lane] = plane.direction.x;
    rows_[row].direction.y[lane] = plane.direction.y;
  }
  /// How many half planes everybody has: the row of the next.
  [[nodiscard]] const std::array<std::size_t, lanes>& counts() const { return counts_; }
  /// Everybody gets so many soft ones more, which the caller puts into the rows returned.
  [[nodiscard]] std::span<Row> make_room(const std::array<std::size_t, lanes>& more) {
    std::size_t rows = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) rows = std::max(rows, counts_[lane] += more[lane]);
    if (rows_.size() < rows) rows_.resize(rows);
    return std::span(rows_).first(rows);
  }

  struct Question {
    bool is_asked = false;
    double limit = 0;
    Vec2 wanted;
  };
  /// The answers, to those who ask.
  [[nodiscard]] std::array<Vec2, lanes> nearest(const std::array<Question, lanes>& questions);

 private:
  /// The same with so many half planes, of which so many are hard. Sets is_stuck for those whom the hard ones leave nothing.
  [[nodiscard]] std::array<Vec2, lanes> solve(const std::array<Question, lanes>& questions,
                                              const std::array<std::size_t, lanes>& hard,
                                              const std::array<std::size_t, lanes>& counts,
                                              std::array<bool, lanes>& is_stuck);

  std::vector<Row> rows_;     ///< what a lane holds beyond its count is of no matter
  std::vector<Row> scratch_;  ///< of the fallback
  std::array<std::size_t, lanes> counts_{}, hard_{}, rules_{};
};

}  // namespace throng::steering
