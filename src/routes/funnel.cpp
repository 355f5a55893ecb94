#include "routes/funnel.hpp"
#include "geometry/tolerances.hpp"

#include <cmath>

namespace throng::routes {

namespace {

/// Cosine of the angle by which a path around the end of a wall may turn back on itself and more: about 50 degrees.
constexpr double almost_back = 0.64;

/// Whether one of two discs on the same side lies in the other (or both are one).
bool nested(const Bend& a, const Bend& b) {
  const double reach = std::abs(b.radius - a.radius) + tolerance::same;
  return squared_length(b.centre - a.centre) <= reach * reach;
}

}  // namespace

void Funnel::begin(Vec2 start) {
  left_.clear();
  right_.clear();
  path_.assign(1, Bend{start, 0});
  consistent_ = true;
  finishing_ = false;
}

namespace {

/// Whether the straight way from one bend to another cuts into a disc between them. The turn alone does not tell: near a disc
/// of another radius a tangent can point anywhere.
bool is_in_the_way(const Bend& from, const Bend& disc, const Bend& to, double sign) {
  const double to_the_left = from.radius + cross(tangent(from, to), disc.centre - from.centre);
  return sign * (to_the_left - disc.radius) < 0;
}

}  // namespace

void Funnel::add(Side& side, Side& other, double sign, const Bend& bend, bool wall) {
  // Links that the path to the new disc no longer bends around go.
  while (!side.empty()) {
    const Link& last = side.links.back();
    if (nested(last.bend, bend)) {
      if (std::abs(bend.radius) <= std::abs(last.bend.radius) && !finishing_) return;
    } else {
      const Vec2 direction = tangent(last.bend, bend);
      const Bend& before = side.links.size() - side.first > 1 ? side.links[side.links.size() - 2].bend : path_.back();
      if (sign * cross(last.direction, direction) > 0 && is_in_the_way(before, last.bend, bend, sign)) {
        side.links.push_back({bend, direction, wall});
        return;
      }
    }
    side.links.pop_back();
  }
  side.clear();
  // Nothing left on this side: the new disc is seen from the apex, unless the other side is in the way.
  const Bend& apex = path_.back();
  if (sign * apex.radius >= 0 && nested(apex, bend) && !finishing_) {
    if (std::abs(bend.radius) <= std::abs(apex.radius)) return;
    const double difference = std::abs(bend.radius - apex.radius) - tolerance::same;
    if (squared_length(bend.centre - apex.centre) < difference * difference) consistent_ = false;
  }
  if (pass_other_side(other, sign, bend, wall)) return;
  const Vec2 direction = tangent(path_.back(), bend);
  if (direction == Vec2{} && !finishing_) consistent_ = false;
  side.links.push_back({bend, direction, wall});
}

/// Moves the apex along the other side as far as that is in the way of a new disc. Says whether the new disc became the apex: in
/// a narrow gate seen aslant the path must bend around the new disc before it comes to the other side's. (A wall there is
/// passed over.)
bool Funnel::pass_other_side(Side& other, double sign, const Bend& bend, bool wall) {
  while (!other.empty()) {
    const Link& first = other.links[other.first];
    const Bend& apex = path_.back();
    const Vec2 direction = tangent(apex, bend);
    if (sign * cross(first.direction, direction) >= 0) return false;
    const bool comes_first =
        dot(direction, first.bend.centre - apex.centre) < dot(direction, bend.centre - apex.centre);
    if (first.wall) {
      drop_first(other);
    } else if (comes_first || finishing_) {
      path_.push_back(first.bend);
      ++other.first;
    } else {
      if (wall) return true;
      path_.push_back(bend);
      other.links[other.first].direction = tangent(bend, other.links[other.first].bend);
      return true;
    }
  }
  return false;
}

void Funnel::drop_first(Side& side) {
  if (++side.first < side.links.size())
    side.links[side.first].direction = tangent(path_.back(), side.links[side.first].bend);
}

void Funnel::finish(Vec2 goal) {
  finishing_ = true;
  add(left_, right_, 1, {goal, 0}, false);
  for (std::size_t i = left_.first; i < left_.links.size(); ++i)
    if (!left_.links[i].wall) path_.push_back(left_.links[i].bend);
  if (squared_length(path_.back().centre - goal) > 0 || path_.size() == 1) path_.push_back({goal, 0});
  drop_slack();  // of discs that became the apex early, in gates seen aslant
}

namespace {

/// How deep the straight way between two bends cuts into a disc that it passes; nothing where it does not.
double depth_of_cut(const Bend& from, const Bend& to, const Bend& disc) {
  const Vec2 direction = tangent(from, to);
  const double along = dot(direction, disc.centre - from.centre);
  if (along <= 0 || along >= dot(direction, to.centre - from.centre)) return 0;
  const double to_the_left = from.radius + cross(direction, disc.centre - from.centre);
  return std::abs(disc.radius) - std::abs(to_the_left);
}

/// Metres: shallower cuts are rounding.
constexpr double shallow = 1e-10;

}  // namespace

void Funnel::bend_around(std::span<const Bend> discs, bool at_start) {
  // Only the ways beside the end point are concerned: the last one and those that this adds.
  std::size_t ways = 1;
  for (std::size_t i = 0; i < ways && ways <= discs.size();) {
    const std::size_t from = at_start ? i : path_.size() - 2 - i;
    const Bend* deepest = nullptr;
    double depth = shallow;
    for (const Bend& disc : discs) {
      const double cut = depth_of_cut(path_[from], path_[from + 1], disc);
      if (cut > depth) depth = cut, deepest = &disc;
    }
    if (deepest == nullptr) {
      ++i;
      continue;
    }
    path_.insert(path_.begin() + std::ptrdiff_t(from) + 1, *deepest);
    ++ways;
    i = 0;
    drop_slack();
  }
}

/// Removes bends that the path does not turn around the right way. The other way round it would be a turn of more than half a
/// circle, which happens at the ends of walls only, and there by little.
void Funnel::drop_slack() {
  for (std::size_t i = 1; i + 1 < path_.size(); ++i) {
    const Vec2 in = tangent(path_[i - 1], path_[i]);
    const Vec2 out = tangent(path_[i], path_[i + 1]);
    const double side = path_[i].radius < 0 ? -1 : 1;
    const bool wrong_way = path_[i].radius != 0 && side * cross(in, out) < 0;
    if (!wrong_way || dot(in, out) < -almost_back) continue;
    path_.erase(path_.begin() + std::ptrdiff_t(i));
    i = 0;
  }
}

}  // namespace throng::routes
