#include "following/route_sight.hpp"
#include "geometry/tolerances.hpp"

namespace throng::following {
namespace {

using routes::RoutePoint;

/// Ends of what is seen are found to this part of the sampling distance, and of the way to them.
constexpr double end_precision = 1.0 / 32, end_precision_near = 1.0 / 8;
/// Halvings that tell doubles apart at any scale of a world.
constexpr int most_halvings = 40;

}  // namespace

double RouteSight::next_after(double along, double until) const {
  const double limit = along + tolerance::distinct;
  double next = until;
  const auto consider = [&](double other) {
    if (other >= limit) next = std::min(next, other);
  };
  consider(reference_.along + step());
  consider((std::floor(along / sampling_) + 1) * sampling_);
  consider((std::floor(along / sampling_) + 2) * sampling_);
  return next;
}

RoutePoint RouteSight::end_of_sight(Mark seen, Mark hidden) const {
  const bool last = seen.at.along < hidden.at.along;
  for (int i = 0; i < most_halvings; ++i) {
    const double ahead = seen.at.along - reference_.along;
    const double precise =
        last ? std::min(end_precision * sampling_, end_precision_near * ahead) : end_precision * sampling_;
    if (std::abs(hidden.at.along - seen.at.along) <= precise) break;
    const Mark middle = mark((seen.at.along + hidden.at.along) / 2);
    (middle.seen ? seen : hidden) = middle;
  }
  return seen.at;
}

std::optional<RouteSight::Onward> RouteSight::go_on(Vec2 from, Vec2 direction, double distance, const RoutePoint& last,
                                                    double route_length) const {
  const double least = std::max(step() / 64, tolerance::distinct);
  for (double more = std::min(step() - distance, radius()); more > least; more /= 2) {
    const Vec2 point = from + direction * (distance + more);
    if (sees({point, last.layer})) return Onward{point, std::min(last.along + more, route_length)};
  }
  return std::nullopt;
}

}  // namespace throng::following
