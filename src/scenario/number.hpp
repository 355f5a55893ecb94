// A number of a scenario file: a constant, or a distribution that every person draws their own from.
//
// Laws
// 1. draw() depends on the stream only, and lies within [least, most].
// 2. normal: values outside [least, most] are drawn again (a truncated normal distribution), at most `most_redraws` times; after
//    that the nearest bound is taken. Readers refuse distributions for which that would be usual.
// 3. choose: values by their weights, which need not sum to 1.
// Thread-safety: a plain value.
#pragma once

#include <limits>
#include <vector>

#include "geometry/random.hpp"

namespace throng::scenario {

class Number {
 public:
  struct Choice {
    double value = 0;
    double weight = 0;
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  enum class Kind { constant, uniform, normal, choose };
  static constexpr double unbounded = std::numeric_limits<double>::infinity();
  static constexpr int most_redraws = 1000;

  Number(double value = 0) : a_(value) {}
  static Number uniform(double from, double to);
  static Number normal(double mean, double deviation, double least = -unbounded, double most = unbounded);
  /// Weights are not negative, and one of them is positive.
  static Number choose(std::vector<Choice> choices);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_constant() const { return kind_ == Kind::constant; }
  [[nodiscard]] double draw(geometry::RandomStream& stream) const;
  [[nodiscard]] double least() const;  ///< no draw is below
  [[nodiscard]] double most() const;   ///< no draw is above
  [[nodiscard]] double mean() const;   ///< of the distribution before it is cut to its bounds

  friend bool operator==(const Number&, const Number&) = default;

 private:
  [[nodiscard]] double draw_normal(geometry::RandomStream& stream) const;
  [[nodiscard]] double draw_choice(geometry::RandomStream& stream) const;

  Kind kind_ = Kind::constant;
  double a_ = 0, b_ = 0;  ///< the constant; from and to; mean and deviation
  double least_ = -unbounded, most_ = unbounded;
  std::vector<Choice> choices_;
};

}  // namespace throng::scenario
