#include "analysis/group_measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/elementary.hpp"

namespace throng::analysis {
namespace {

bool in_one_place(const MemberState& a, const MemberState& b, const JoinedLayers& joined) {
  return a.layer == b.layer || joined(a, b);
}

}  // namespace

bool is_visible(const MemberState& from, const MemberState& other, double view) {
  const Vec2 offset = other.position - from.position;
  const double r = other.radius, ahead = dot(from.heading, offset);
  if (ahead < -r) return false;
  const double apart = length(offset);
  if (apart <= r) return true;
  if (ahead >= 0) return apart - r <= view;
  // Of a disc whose centre is behind, the nearest point in view lies on the line across one's own place.
  return std::abs(cross(from.heading, offset)) - std::sqrt(std::max(0.0, r * r - ahead * ahead)) <= view;
}

FirstAndLast first_and_last(std::span<const MemberState> members) {
  FirstAndLast found;
  for (std::size_t i = 1; i < members.size(); ++i) {
    if (members[i].way_left < members[found.first].way_left) found.first = i;
    if (members[i].way_left > members[found.last].way_left) found.last = i;
  }
  return found;
}

bool is_coherent(std::span<const MemberState> members, double view, const JoinedLayers& joined) {
  if (members.size() < 2) return true;
  const FirstAndLast ends = first_and_last(members);
  const MemberState &first = members[ends.first], &last = members[ends.last];
  return distance(first.position, last.position) <= view + first.radius && in_one_place(first, last, joined);
}

Sociality sociality(std::span<const MemberState> members, double view, double social_distance,
                    const JoinedLayers& joined) {
  Sociality is{true, true};
  for (std::size_t i = 0; i < members.size(); ++i) {
    bool has_somebody = false;
    for (std::size_t k = 0; k < members.size(); ++k) {
      if (k == i) continue;
      const MemberState &a = members[i], &b = members[k];
      const bool see_each_other = in_one_place(a, b, joined) && is_visible(a, b, view) && is_visible(b, a, view);
      if (!see_each_other) is.total = false;
      has_somebody =
          has_somebody || (see_each_other && distance(a.position, b.position) <= social_distance + a.radius + b.radius);
    }
    if (!has_somebody) is.partial = false;
  }
  is.total = is.total && is.partial;
  return is;
}

double dispersion(std::span<const MemberState> members) {
  Vec2 centroid;
  for (const MemberState& member : members) centroid += member.position / double(members.size());
  double sum = 0;
  for (const MemberState& member : members) sum += distance(member.position, centroid);
  return sum / double(members.size());
}

double degrees_to_way(Vec2 between, Vec2 way) {
  const double along = std::abs(dot(between, way)), across = std::abs(cross(between, way));
  return geometry::arc_tangent(across, along) * 180 / std::numbers::pi;
}

}  // namespace throng::analysis
