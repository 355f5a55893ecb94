// A number of a scenario file: a constant, or a distribution that every person draws their own from.
//
// Laws
// 1. draw() depends on the stream only, and lies within [least, most].
// 2. normal: values outside [least, most] are drawn again (a truncated normal distribution), at most `most_redraws` times; after
//    that the nearest bound is taken. Readers refuse distributions for which that would be usual.
// 3. choose: values by their weights, which need not sum to 1.
// 4. lognormal, gamma, weibull: cut to [least, most] as normal is.
// 5. table: what it says at another number that was drawn for the same person, linear between its rows and constant beyond them, times a
//    number of its own and a normal factor of mean 1. Readers make sure that the other number is drawn.
// Thread-safety: a plain value.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "geometry/random.hpp"
#include "throng/vec2.hpp"

namespace throng::scenario {

/// What was drawn for a person for others of its numbers to go by, by name: age, sex.
using Drawn = std::map<std::string, double, std::less<>>;

class Number {
 public:
  struct Choice {
    double value = 0;
    double weight = 0;
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  enum class Kind { constant, uniform, normal, choose, lognormal, gamma, weibull, table };
  static constexpr double unbounded = std::numeric_limits<double>::infinity();
  static constexpr int most_redraws = 1000;

  Number(double value = 0) : a_(value) {}
  static Number uniform(double from, double to);
  static Number normal(double mean, double deviation, double least = -unbounded, double most = unbounded);
  /// Weights are not negative, and one of them is positive.
  static Number choose(std::vector<Choice> choices);

  /// e to the power of a normal number of this mean and deviation.
  static Number lognormal(double mean, double deviation, double least, double most);
  static Number gamma(double shape, double scale, double least, double most);
  static Number weibull(double shape, double scale, double least, double most);
  /// Rows (what was drawn, value) ascend; at least one. `deviation` is a part of the value.
  static Number table(std::string by, std::vector<Vec2> rows, Number times, double deviation, double least,
                      double most);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_constant() const { return kind_ == Kind::constant; }
  [[nodiscard]] double draw(geometry::RandomStream& stream, const Drawn& drawn = {}) const;
  [[nodiscard]] double least() const;  ///< no draw is below
  [[nodiscard]] double most() const;   ///< no draw is above
  [[nodiscard]] double mean()
      const;  ///< before it is cut to its bounds; of weibull the median, of a table the middle of its values

  friend bool operator==(const Number&, const Number&) = default;

 private:
  /// Of normal, lognormal, gamma, weibull and tables, bounds not looked at.
  [[nodiscard]] double draw_freely(geometry::RandomStream& stream, const Drawn& drawn) const;
  [[nodiscard]] double draw_choice(geometry::RandomStream& stream) const;
  static Number cut(Kind kind, double a, double b, double least, double most);

  Kind kind_ = Kind::constant;
  double a_ = 0, b_ = 0;  ///< the constant; from and to; mean and deviation; shape and scale; of a table the deviation
  double least_ = -unbounded, most_ = unbounded;
  std::vector<Choice> choices_;
  std::string by_;
  std::vector<Vec2> rows_;
  std::vector<Number> times_;  ///< of a table: one
};

}  // namespace throng::scenario
