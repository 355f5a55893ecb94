#include "scenario/number.hpp"

#include <algorithm>
#include <cassert>

namespace throng::scenario {

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

Number Number::choose(std::vector<Choice> choices) {
  assert(!choices.empty());
  Number number;
  number.kind_ = Kind::choose;
  number.choices_ = std::move(choices);
  return number;
}

double Number::draw(geometry::RandomStream& stream) const {
  switch (kind_) {
    case Kind::constant: return a_;
    case Kind::uniform: return std::min(stream.uniform(a_, b_), b_);
    case Kind::normal: return draw_normal(stream);
    case Kind::choose: return draw_choice(stream);
  }
  return a_;
}

double Number::draw_normal(geometry::RandomStream& stream) const {
  double value = a_;
  for (int i = 0; i < most_redraws; ++i) {
    value = stream.normal(a_, b_);
    if (value >= least_ && value <= most_) return value;
  }
  return std::clamp(value, least_, most_);
}

double Number::draw_choice(geometry::RandomStream& stream) const {
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
  if (kind_ == Kind::normal) return least_;
  if (kind_ != Kind::choose) return a_;
  return std::min_element(choices_.begin(), choices_.end(), [](auto& a, auto& b) { return a.value < b.value; })->value;
}

double Number::most() const {
  if (kind_ == Kind::normal) return most_;
  if (kind_ == Kind::uniform) return b_;
  if (kind_ != Kind::choose) return a_;
  return std::max_element(choices_.begin(), choices_.end(), [](auto& a, auto& b) { return a.value < b.value; })->value;
}

double Number::mean() const {
  if (kind_ == Kind::uniform) return a_ + (b_ - a_) / 2;
  if (kind_ != Kind::choose) return a_;
  double sum = 0, weight = 0;
  for (const Choice& choice : choices_) sum += choice.value * choice.weight, weight += choice.weight;
  return sum / weight;
}

}  // namespace throng::scenario
