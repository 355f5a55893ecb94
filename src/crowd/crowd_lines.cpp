#include "crowd/crowd_lines.hpp"

#include <algorithm>
#include <cmath>

#include "crowd/gap_search.hpp"
#include "geometry/segment_distance.hpp"

namespace throng::crowd {

using fields::Square;
using navmesh::Place;

bool Crowd::State::is_in_gap(Slot slot) const {
  return stuck_clocks && (*stuck_clocks)[slot].is_in_gap(metres_left(slot));
}

bool Crowd::State::is_stood_on(Slot slot, const Place& from, const Place& to) const {
  if (from.layer != to.layer) return false;
  const double half = distance(from.point, to.point) / 2;
  bool is_taken = false;
  perception.for_each_within((from.point + to.point) / 2, half + radius[slot] + widest, [&](Slot other) {
    if (is_taken || other == slot || layer[other] != from.layer || !stands_still(other)) return;
    const double apart = std::min(radius[slot] + radius[other] - GapSearch::touch,
                                  distance(position[other], position[slot]) - GapSearch::nearer);
    is_taken = geometry::distance_to_segment(position[other], from.point, to.point) < apart;
  });
  return is_taken;
}

bool Crowd::State::CrowdLines::is_free(Slot slot, const Place& from, const Place& to) const {
  if (s_.is_in_gap(slot) && s_.is_stood_on(slot, from, to)) return false;
  if (!s_.detours || !s_.congestion_method_detours(slot)) return true;
  fields::DensityField::Look look(s_.detours->now, (*s_.detours->stamps)[slot].now);
  const auto is_taken = [&](Index layer) {
    return fields::for_each_square_under(
        from.point, to.point, layer, fields::square_side,
        [&](const Square& square, double, double) { return look.density(square) > 0; });
  };
  return !is_taken(from.layer) && (to.layer == from.layer || !is_taken(to.layer));
}

double Crowd::State::CrowdLines::along(Slot slot, const Place& from, const Place& to) const {
  if (s_.is_in_gap(slot) && s_.is_stood_on(slot, from, to)) return routes::unreachable;
  return s_.detours && s_.congestion_method_detours(slot) ? through_jams(slot, from, to) : 0;
}

double Crowd::State::CrowdLines::through_jams(Slot slot, const Place& from, const Place& to) const {
  const DetourNumbers numbers = s_.detour_numbers(slot);
  JamSight sight = s_.jam_sight(slot, numbers);
  const Vec2 way = to.point - from.point;
  const double length = std::sqrt(squared_length(way));
  const Square own = fields::square_at(from, fields::square_side);
  double sum = 0;
  const auto is_blocked = [&](Index layer) {
    return fields::for_each_square_under(from.point, to.point, layer, fields::square_side,
                                         [&](const Square& square, double begin, double end) {
                                           if (square == own) return false;
                                           const JamSight::Seen seen = sight.at(square, begin);
                                           sum += (end - begin) * seen.density;
                                           return length > 0 && sight.is_blocked(seen, way / length);
                                         });
  };
  if (is_blocked(from.layer) || (to.layer != from.layer && is_blocked(to.layer))) return routes::unreachable;
  return numbers.scale * sum;
}

double Crowd::State::CrowdLines::most_rejected(Slot slot) const {
  return s_.congestion_method_detours(slot) ? s_.detour_numbers(slot).reject : 1;
}

}  // namespace throng::crowd
