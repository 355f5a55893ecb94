#include "scenario/number.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "geometry/elementary.hpp"

namespace throng::scenario {
namespace {

using geometry::RandomStream;

/// Gamma of scale 1 (Marsaglia, Tsang 2000), shapes below 1 by the power of a uniform number.
double draw_gamma(double shape, RandomStream& stream) {
  if (shape < 1) {
    const double u = 1 - stream.unit();
    return draw_gamma(shape + 1, stream) * geometry::exponential(geometry::natural_log(u) / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (int i = 0; i < Number::most_redraws; ++i) {
    const double x = stream.normal(0, 1), u = 1 - stream.unit();
    const double v = (1 + c * x) * (1 + c * x) * (1 + c * x);
    if (v > 0 && geometry::natural_log(u) < 0.5 * x * x + d - d * v + d * geometry::natural_log(v)) return d * v;
  }
  return d;
}

/// Linear between rows, constant beyond them.
double read_off(const std::vector<Vec2>& rows, double at) {
  const auto after = std::upper_bound(rows.begin(), rows.end(), at, [](double x, Vec2 row) { return x < row.x; });
  if (after == rows.begin()) return rows.front().y;
  if (after == rows.end()) return rows.back().y;
  const Vec2 low = *(after - 1), high = *after;
  return low.y + (high.y - low.y) * (at - low.x) / (high.x - low.x);
}

}  // namespace

Number Number::uniform(double from, double to) {
  assert(from <= to);
  Number number;
  number.kind_ = Kind::uniform;
  number.a_ = from, number.b_ = to;
  return number;
}

Number Number::normal(double mean, double deviation, double least, double most) {
  assert(deviation >= 0 && least <= most);
  Number number;
  number.kind_ = Kind::normal;
  number.a_ = mean, number.b_ = deviation;
  number.least_ = least, number.most_ = most;
  return number;
}

Number Number::cut(Kind kind, double a, double b, double least, double most) {
  assert(least <= most);
  Number number;
  number.kind_ = kind;
  number.a_ = a, number.b_ = b;
  number.least_ = least, number.most_ = most;
  return number;
}

Number Number::lognormal(double mean, double deviation, double least, double most) {
  assert(deviation >= 0);
  return cut(Kind::lognormal, mean, deviation, least, most);
}

Number Number::gamma(double shape, double scale, double least, double most) {
  assert(shape > 0 && scale > 0);
  return cut(Kind::gamma, shape, scale, least, most);
}

Number Number::weibull(double shape, double scale, double least, double most) {
  assert(shape > 0 && scale > 0);
  return cut(Kind::weibull, shape, scale, least, most);
}

Number Number::table(std::string by, std::vector<Vec2> rows, Number times, double deviation, double least,
                     double most) {
  assert(!rows.empty() && deviation >= 0);
  Number number = cut(Kind::table, deviation, 0, least, most);
  number.by_ = std::move(by);
  number.rows_ = std::move(rows);
  number.times_.push_back(std::move(times));
  return number;
}

Number Number::choose(std::vector<Choice> choices) {
  assert(!choices.empty());
  Number number;
  number.kind_ = Kind::choose;
  number.choices_ = std::move(choices);
  return number;
}

double Number::draw(RandomStream& stream, const Drawn& drawn) const {
  if (kind_ == Kind::constant) return a_;
  if (kind_ == Kind::uniform) return std::min(stream.uniform(a_, b_), b_);
  if (kind_ == Kind::choose) return draw_choice(stream);
  double value = least_;
  for (int i = 0; i < most_redraws; ++i) {
    value = draw_freely(stream, drawn);
    if (value >= least_ && value <= most_) return value;
    // The same again, for ever.
    if (kind_ == Kind::table && a_ == 0 && times_.front().is_constant()) break;
  }
  return std::clamp(value, least_, most_);
}

double Number::draw_freely(RandomStream& stream, const Drawn& drawn) const {
  switch (kind_) {
    case Kind::lognormal: return geometry::exponential(stream.normal(a_, b_));
    case Kind::gamma: return b_ * draw_gamma(a_, stream);
    case Kind::weibull: {
      // A uniform number in (0, 1], and so a logarithm that is not positive.
      const double hazard = -geometry::natural_log(1 - stream.unit());
      return hazard > 0 ? b_ * geometry::exponential(geometry::natural_log(hazard) / a_) : 0;
    }
    case Kind::table: {
      const auto other = drawn.find(by_);
      assert(other != drawn.end());
      const double value = read_off(rows_, other->second) * times_.front().draw(stream, drawn);
      return a_ > 0 ? value * stream.normal(1, a_) : value;
    }
    default: return stream.normal(a_, b_);
  }
}

double Number::draw_choice(RandomStream& stream) const {
  double sum = 0;
  for (const Choice& choice : choices_) sum += choice.weight;
  double rest = stream.unit() * sum;
  const Choice* last = &choices_.front();
  for (const Choice& choice : choices_) {
    if (choice.weight <= 0) continue;
    last = &choice;  // taken where rounding leaves a rest behind the end
    rest -= choice.weight;
    if (rest < 0) break;
  }
  return last->value;
}

double Number::least() const {
  if (kind_ == Kind::constant || kind_ == Kind::uniform) return a_;
  if (kind_ != Kind::choose) return least_;
  return std::min_element(choices_.begin(), choices_.end(), [](auto& a, auto& b) { return a.value < b.value; })->value;
}

double Number::most() const {
  if (kind_ == Kind::constant) return a_;
  if (kind_ == Kind::uniform) return b_;
  if (kind_ != Kind::choose) return most_;
  return std::max_element(choices_.begin(), choices_.end(), [](auto& a, auto& b) { return a.value < b.value; })->value;
}

double Number::mean() const {
  switch (kind_) {
    case Kind::uniform: return a_ + (b_ - a_) / 2;
    case Kind::lognormal: return geometry::exponential(a_ + b_ * b_ / 2);
    case Kind::gamma: return a_ * b_;
    case Kind::weibull: return b_ * geometry::exponential(geometry::natural_log(0.69314718055994531) / a_);
    case Kind::table: {
      const auto [low, high] =
          std::minmax_element(rows_.begin(), rows_.end(), [](Vec2 a, Vec2 b) { return a.y < b.y; });
      return (low->y + high->y) / 2 * times_.front().mean();
    }
    case Kind::choose: break;
    default: return a_;
  }
  double sum = 0, weight = 0;
  for (const Choice& choice : choices_) sum += choice.value * choice.weight, weight += choice.weight;
  return sum / weight;
}

}  // namespace throng::scenario
