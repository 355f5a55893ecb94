#include "benchmarks/orca_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace throng::bench {
namespace {

constexpr std::size_t most_in_leaf = 10;
constexpr double parallel = 1e-9;

double outside(double value, double low, double high) {
  return value < low ? low - value : value > high ? value - high : 0;
}

}  // namespace

void OrcaReference::build_tree() {
  order_.resize(people_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  tree_.clear();
  tree_.push_back({0, people_.size(), 0, 0, {}, {}});
  if (!people_.empty()) split(0);
}

void OrcaReference::split(std::size_t node) {
  const std::size_t begin = tree_[node].begin, end = tree_[node].end;
  Vec2 low = people_[order_[begin]].position, high = low;
  for (std::size_t i = begin; i < end; ++i) {
    const Vec2 p = people_[order_[i]].position;
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  tree_[node].low = low;
  tree_[node].high = high;
  if (end - begin <= most_in_leaf) return;
  const bool by_x = high.x - low.x > high.y - low.y;
  const double middle = by_x ? (low.x + high.x) / 2 : (low.y + high.y) / 2;
  const auto is_before = [&](std::size_t i) { return (by_x ? people_[i].position.x : people_[i].position.y) < middle; };
  auto cut = std::size_t(
      std::partition(order_.begin() + std::ptrdiff_t(begin), order_.begin() + std::ptrdiff_t(end), is_before) -
      order_.begin());
  if (cut == begin || cut == end) cut = (begin + end) / 2;  // all in one place
  const std::size_t left = tree_.size();
  tree_.push_back({begin, cut, 0, 0, {}, {}});
  tree_.push_back({cut, end, 0, 0, {}, {}});
  tree_[node].left = left;
  tree_[node].right = left + 1;
  split(left);
  split(left + 1);
}

void OrcaReference::consider(std::size_t person, std::size_t other, double& range2) {
  if (other == person) return;
  const double distance2 = squared_length(people_[other].position - people_[person].position);
  const auto nearer = [](const Neighbour& a, const Neighbour& b) {
    return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.person < b.person;
  };
  const Neighbour found{distance2, other};
  if (distance2 > range2) return;
  if (near_.size() == numbers_.neighbours) {
    if (!nearer(found, near_.back())) return;
    near_.pop_back();
  }
  near_.insert(std::upper_bound(near_.begin(), near_.end(), found, nearer), found);
  if (near_.size() == numbers_.neighbours) range2 = near_.back().distance2;
}

void OrcaReference::search(std::size_t node, std::size_t person, double& range2) {
  const Node& here = tree_[node];
  if (here.left == 0) {
    for (std::size_t i = here.begin; i < here.end; ++i) consider(person, order_[i], range2);
    return;
  }
  const Vec2 p = people_[person].position;
  const auto distance2_to = [&](std::size_t child) {
    const double x = outside(p.x, tree_[child].low.x, tree_[child].high.x);
    const double y = outside(p.y, tree_[child].low.y, tree_[child].high.y);
    return x * x + y * y;
  };
  std::size_t first = here.left, second = here.right;
  double to_first = distance2_to(first), to_second = distance2_to(second);
  if (to_second < to_first) std::swap(first, second), std::swap(to_first, to_second);
  if (to_first > range2) return;
  search(first, person, range2);
  if (to_second <= range2) search(second, person, range2);
}

OrcaReference::Plane OrcaReference::plane(const Person& self, const Person& other, double dt) const {
  const Vec2 offset = other.position - self.position;
  const Vec2 relative = self.velocity - other.velocity;
  const double radii = self.radius + other.radius;
  const double distance2 = squared_length(offset);
  Vec2 direction, change;
  const auto leave_disc = [&](double time) {
    const Vec2 from_centre = relative - offset / time;
    const double length = std::sqrt(squared_length(from_centre));
    const Vec2 outwards = from_centre / length;
    direction = -perpendicular(outwards);
    change = outwards * (radii / time - length);
  };
  if (distance2 <= radii * radii) {
    leave_disc(dt);
  } else {
    const Vec2 from_centre = relative - offset / numbers_.time_horizon;
    const double along = dot(from_centre, offset);
    if (along < 0 && along * along > radii * radii * squared_length(from_centre)) {
      leave_disc(numbers_.time_horizon);
    } else {
      const double leg = std::sqrt(distance2 - radii * radii);
      if (cross(offset, from_centre) > 0)
        direction = (offset * leg + perpendicular(offset) * radii) / distance2;
      else
        direction = -((offset * leg - perpendicular(offset) * radii) / distance2);
      change = direction * dot(relative, direction) - relative;
    }
  }
  return {self.velocity + change * 0.5, direction};
}

bool OrcaReference::on_line(const std::vector<Plane>& planes, std::size_t line, double fastest, Vec2 aim,
                            bool direction, Vec2& result) const {
  const Plane& own = planes[line];
  const double along = dot(own.point, own.direction);
  const double square = along * along + fastest * fastest - squared_length(own.point);
  if (square < 0) return false;
  double low = -along - std::sqrt(square), high = -along + std::sqrt(square);
  for (std::size_t i = 0; i < line; ++i) {
    const double sine = cross(own.direction, planes[i].direction);
    const double inside = cross(planes[i].direction, own.point - planes[i].point);
    if (std::abs(sine) <= parallel) {
      if (inside < 0) return false;
      continue;
    }
    const double where = inside / sine;
    if (sine >= 0)
      high = std::min(high, where);
    else
      low = std::max(low, where);
    if (low > high) return false;
  }
  if (direction)
    result = own.point + own.direction * (dot(aim, own.direction) > 0 ? high : low);
  else
    result = own.point + own.direction * std::clamp(dot(own.direction, aim - own.point), low, high);
  return true;
}

std::size_t OrcaReference::in_plane(const std::vector<Plane>& planes, double fastest, Vec2 aim, bool direction,
                                    Vec2& result) const {
  const double wanted = std::sqrt(squared_length(aim));
  result = direction ? aim * fastest : wanted > fastest ? aim * (fastest / wanted) : aim;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (cross(planes[i].direction, planes[i].point - result) <= 0) continue;
    const Vec2 before = result;
    if (!on_line(planes, i, fastest, aim, direction, result)) {
      result = before;
      return i;
    }
  }
  return planes.size();
}

void OrcaReference::in_space(const std::vector<Plane>& planes, std::size_t begin, double fastest, Vec2& result) {
  double worst = 0;
  for (std::size_t i = begin; i < planes.size(); ++i) {
    if (cross(planes[i].direction, planes[i].point - result) <= worst) continue;
    projected_.clear();
    for (std::size_t j = 0; j < i; ++j) {
      Plane between;
      const double sine = cross(planes[i].direction, planes[j].direction);
      if (std::abs(sine) <= parallel) {
        if (dot(planes[i].direction, planes[j].direction) > 0) continue;
        between.point = (planes[i].point + planes[j].point) / 2;
      } else {
        between.point = planes[i].point +
                        planes[i].direction * (cross(planes[j].direction, planes[i].point - planes[j].point) / sine);
      }
      const Vec2 turn = planes[j].direction - planes[i].direction;
      between.direction = turn / std::sqrt(squared_length(turn));
      projected_.push_back(between);
    }
    const Vec2 before = result;
    if (in_plane(projected_, fastest, perpendicular(planes[i].direction), true, result) < projected_.size())
      result = before;
    worst = cross(planes[i].direction, planes[i].point - result);
  }
}

void OrcaReference::step(double dt) {
  build_tree();
  chosen_.resize(people_.size());
  for (std::size_t person = 0; person < people_.size(); ++person) {
    near_.clear();
    double range2 = numbers_.range * numbers_.range;
    search(0, person, range2);
    const Person& self = people_[person];
    planes_.clear();
    for (const Neighbour& other : near_) planes_.push_back(plane(self, people_[other.person], dt));
    Vec2 found;
    const std::size_t kept = in_plane(planes_, self.fastest, self.preferred, false, found);
    if (kept < planes_.size()) in_space(planes_, kept, self.fastest, found);
    chosen_[person] = found;
  }
  for (std::size_t person = 0; person < people_.size(); ++person) {
    people_[person].velocity = chosen_[person];
    people_[person].position += chosen_[person] * dt;
  }
}

}  // namespace throng::bench
