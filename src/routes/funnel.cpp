#include "routes/funnel.hpp"

#include <cmath>

namespace throng::routes {

namespace {

/// Relative: discs that touch within this still have a tangent.
constexpr double touching = 1e-12;

/// Whether one of two discs on the same side lies in the other (or both are one point).
bool nested(const Bend& a, const Bend& b) {
  const double difference = b.radius - a.radius;
  return squared_length(b.centre - a.centre) <= difference * difference;
}

}  // namespace

Vec2 tangent(const Bend& a, const Bend& b) {
  const Vec2 d = b.centre - a.centre;
  const double difference = b.radius - a.radius;
  const double square = squared_length(d);
  const double rest = square - difference * difference;
  if (square == 0 || rest < -touching * square) return {};
  const double along = rest > 0 ? std::sqrt(rest) : 0;
  return (d * along - perpendicular(d) * difference) / square;
}

void Funnel::begin(Vec2 start) {
  left_.clear();
  right_.clear();
  path_.assign(1, Bend{start, 0});
  consistent_ = true;
}

void Funnel::add_left(Vec2 centre, double radius) { add(left_, right_, 1, {centre, radius}); }
void Funnel::add_right(Vec2 centre, double radius) { add(right_, left_, -1, {centre, -radius}); }

void Funnel::add(Side& side, Side& other, double sign, const Bend& bend) {
  // Links that the path to the new disc no longer bends around go.
  while (!side.empty()) {
    const Link& last = side.links.back();
    if (nested(last.bend, bend)) {
      if (std::abs(bend.radius) <= std::abs(last.bend.radius)) return;
    } else {
      const Vec2 direction = tangent(last.bend, bend);
      if (sign * cross(last.direction, direction) > 0) {
        side.links.push_back({bend, direction});
        return;
      }
    }
    side.links.pop_back();
  }
  side.clear();
  // Nothing left on this side: the new disc is seen from the apex, unless the other side is in the way.
  const Bend& apex = path_.back();
  if (sign * apex.radius >= 0 && nested(apex, bend)) {
    if (std::abs(bend.radius) <= std::abs(apex.radius)) return;
    const double difference = bend.radius - apex.radius;
    if (squared_length(bend.centre - apex.centre) < difference * difference * (1 - touching)) consistent_ = false;
  }
  Vec2 direction = tangent(path_.back(), bend);
  while (!other.empty() && sign * cross(other.links[other.first].direction, direction) < 0) {
    path_.push_back(other.links[other.first++].bend);
    direction = tangent(path_.back(), bend);
  }
  if (direction == Vec2{}) consistent_ = false;
  side.links.push_back({bend, direction});
}

void Funnel::finish(Vec2 goal) {
  add(left_, right_, 1, {goal, 0});
  for (std::size_t i = left_.first; i < left_.links.size(); ++i) path_.push_back(left_.links[i].bend);
  if (squared_length(path_.back().centre - goal) > 0 || path_.size() == 1) path_.push_back({goal, 0});
}

}  // namespace throng::routes
