#include "steering/velocity_program.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "steering/speed_limit.hpp"

namespace throng::steering {
namespace {

/// Sine of the angle below which two lines count as parallel.
constexpr double parallel = 1e-9;

/// What is to be made best within the half planes: nearness to a point, or the way in a direction.
struct Aim {
  Vec2 target;  ///< a velocity, or a unit vector
  bool direction = false;
};

/// How far outside a half plane a velocity lies; negative inside.
double broken_by(const HalfPlane& plane, Vec2 velocity) { return cross(velocity - plane.point, plane.direction); }

/// The best point of a plane's border within the planes before it and the disc.
std::optional<Vec2> best_on_border(std::span<const HalfPlane> planes, std::size_t i, double limit, const Aim& aim) {
  const auto [point, direction] = planes[i];
  const double along = dot(point, direction);
  const double square = along * along + limit * limit - squared_length(point);
  if (!(square >= 0)) return std::nullopt;
  const double root = std::sqrt(square);
  double low = -along - root;
  double high = -along + root;
  for (std::size_t j = 0; j < i; ++j) {
    const double sine = cross(direction, planes[j].direction);
    const double inside = cross(planes[j].direction, point - planes[j].point);
    if (std::abs(sine) <= parallel) {
      if (inside < 0) return std::nullopt;
      continue;
    }
    if (sine > 0)
      high = std::min(high, inside / sine);
    else
      low = std::max(low, inside / sine);
    if (low > high) return std::nullopt;
  }
  if (aim.direction) return point + direction * (dot(aim.target, direction) > 0 ? high : low);
  return point + direction * std::clamp(dot(direction, aim.target - point), low, high);
}

/// Puts the best velocity into `best`; returns how many planes could be kept to: all, or those before the first that could not.
std::size_t solve(std::span<const HalfPlane> planes, double limit, const Aim& aim, Vec2& best) {
  best = aim.direction ? aim.target * limit : limited(aim.target, limit);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (broken_by(planes[i], best) <= 0) continue;
    const std::optional<Vec2> moved = best_on_border(planes, i, limit, aim);
    if (!moved) return i;
    best = *moved;
  }
  return planes.size();
}

/// Where two soft planes are broken by the same distance: the half plane in which the second is broken less than the first.
std::optional<HalfPlane> bisecting(const HalfPlane& first, const HalfPlane& second) {
  const Vec2 turn = second.direction - first.direction;
  const double length2 = squared_length(turn);
  if (length2 <= parallel * parallel) return std::nullopt;  // side by side: whichever is broken more stays so
  const double sine = cross(first.direction, second.direction);
  if (std::abs(sine) <= parallel) return HalfPlane{(first.point + second.point) / 2, turn / std::sqrt(length2)};
  const double where = cross(second.direction, first.point - second.point) / sine;
  return HalfPlane{first.point + first.direction * where, turn / std::sqrt(length2)};
}

/// From plane `begin` on, in order: wherever one is broken more than any before, lets it be broken as little as can be while
/// those before it are broken no more than it is.
Vec2 break_least(std::span<const HalfPlane> planes, std::size_t hard, std::size_t begin, double limit, Vec2 best,
                 std::vector<HalfPlane>& scratch) {
  double worst = 0;
  for (std::size_t i = begin; i < planes.size(); ++i) {
    if (broken_by(planes[i], best) <= worst) continue;
    scratch.assign(planes.begin(), planes.begin() + std::ptrdiff_t(hard));
    for (std::size_t j = hard; j < i; ++j)
      if (const std::optional<HalfPlane> between = bisecting(planes[i], planes[j])) scratch.push_back(*between);
    Vec2 better;
    const Aim into{perpendicular(planes[i].direction), true};
    // Only rounding lets this fail: the point found so far keeps to all of these.
    if (solve(scratch, limit, into, better) == scratch.size()) best = better;
    worst = broken_by(planes[i], best);
  }
  return best;
}

}  // namespace

Vec2 nearest_velocity(std::span<const HalfPlane> planes, std::size_t hard, double speed_limit, Vec2 wanted,
                      std::vector<HalfPlane>& scratch) {
  Vec2 best;
  const std::size_t kept = solve(planes, speed_limit, {wanted}, best);
  if (kept < hard) return {};
  if (kept < planes.size()) best = break_least(planes, hard, kept, speed_limit, best, scratch);
  return limited(best, speed_limit);
}

}  // namespace throng::steering
