// What somebody has in mind, for those who look on.
#include <algorithm>
#include <cmath>

#include "crowd/state.hpp"
#include "fields/density_field.hpp"
#include "following/route_window.hpp"

namespace throng::crowd {
namespace {

/// Metres between points of an arc.
constexpr double arc_step = 0.25;

/// The points of a stretch of lines and arcs from a distance along the route on.
std::vector<navmesh::Place> points_of(const routes::Route& route, double from) {
  std::vector<navmesh::Place> points;
  for (std::size_t i = 0; i < route.pieces.size(); ++i) {
    const routes::Piece& piece = route.pieces[i];
    const double begin = std::max(0.0, from - route.prefix[i]);
    if (begin > piece.length) continue;
    const int steps = piece.is_arc() ? std::max(1, int(std::ceil((piece.length - begin) / arc_step))) : 1;
    for (int k = points.empty() ? 0 : 1; k <= steps; ++k)
      points.push_back({piece.at(begin + (piece.length - begin) * k / steps), piece.layer});
  }
  return points;
}

}  // namespace

Destination Crowd::destination_of(Slot slot) const {
  const Errand& errand = state_->errand_of(slot);
  return {errand.itinerary, errand.goal, errand.area};
}

std::optional<Intent> Crowd::intent_of(Slot slot) const {
  State& s = *state_;
  LevelUse& use = s.level(Level::coordinate);
  const agents::MethodNumber method = use.method(slot);
  if (method == LevelUse::off || !s.intended || s.activity[slot] != Activity::walking) return std::nullopt;
  const std::optional<steering::Coordination> by = s.methods->coordinate[method].shown(use.own_columns()[method], slot);
  if (!by) return std::nullopt;
  return Intent{s.preferred[slot], (*s.intended)[slot], *by};
}

LastMotion Crowd::motion_of(Slot slot) const {
  const State& s = *state_;
  return {s.preferred[slot], s.intended ? (*s.intended)[slot] : s.preferred[slot], s.chosen[slot], s.acceleration[slot],
          s.way[slot]};
}

std::optional<ThoughtsShown> Crowd::thoughts_of(Slot slot) const {
  const State& s = *state_;
  if (!s.considered && !s.stuck_clocks && !s.jams) return std::nullopt;
  ThoughtsShown shown;
  if (const SecondThoughts* own = s.known_thoughts_of(slot)) {
    shown.last = own->last();
    shown.route_changes = own->changes(), shown.exit_changes = own->exit_changes();
    shown.most_changes_a_minute = own->most_a_minute(), shown.searches = own->searches();
  }
  if (s.stuck_clocks) shown.jam_time = double((*s.stuck_clocks)[slot].stuck_time), shown.is_stuck = s.is_stuck(slot);
  return shown;
}

std::span<const ChangeEvent> Crowd::changes() const { return state_->changes; }

Index Crowd::area_of(Slot slot) const { return state_->errand_of(slot).area; }

std::optional<ExpectedTime> Crowd::expected_time_of(Slot slot) const {
  const State& s = *state_;
  const bool foresees = s.jams && s.activity[slot] == Activity::walking && s.journey_of(slot) != nullptr &&
                        s.congestion_kind(slot) != CongestionKind::detector;
  if (!foresees) return std::nullopt;
  const State::Expected expected =
      s.congestion_kind(slot) == CongestionKind::quickest ? s.expected_time(slot) : s.expected_in_density(slot);
  return ExpectedTime{expected.walking, expected.waiting};
}

std::vector<QueueShown> Crowd::queues() const {
  const State& s = *state_;
  std::vector<QueueShown> shown;
  if (!s.jams) return shown;
  const navmesh::Mesh& mesh = *s.world->mesh;
  s.jams->queues.for_each_used([&](Index queue) {
    QueueShown one{.number = queue};
    if (queue < mesh.passage_count()) {
      const navmesh::Passage& passage = mesh.passage(queue);
      one.at = {passage.point, navmesh::layer_at(mesh, 2 * passage.arc, passage.point)};
    } else {
      one.area = queue - Index(mesh.passage_count());
      one.at = s.areas[one.area].sample(0.5, 0.5, 0.5);
    }
    one.capacity = s.jams->queues.capacity(queue);
    one.waiting = s.jams->queues.waiting(queue, s.jams->queues.now(), Queues::not_announced);
    one.people = s.jams->queues.due_now(queue);
    shown.push_back(one);
  });
  return shown;
}

Result<std::size_t> Crowd::expect_capacity(Index queue, double persons_a_second) {
  State& s = *state_;
  s.keep_jams();
  if (queue >= s.jams->queues.size() || !(persons_a_second > 0) || !std::isfinite(persons_a_second))
    return Problem{Severity::error, ProblemCode::value, "queue", "not a queue, or not a positive number"};
  s.jams->queues.expect(queue, persons_a_second);
  return s.jams->queues.size();
}

std::optional<Crowd::Density> Crowd::density_at(const navmesh::Place& place) const {
  const State& s = *state_;
  if (!navmesh::locate(*s.world->mesh, place)) return std::nullopt;
  fields::DensityField field(s.world->mesh);
  const double reach = fields::kernel_reach + 2 * fields::square_side;
  for (const Slot slot : s.order)
    if (squared_length(s.position[slot] - place.point) <= reach * reach)
      field.add(field.stamp_of({s.position[slot], s.layer[slot]}, s.velocity[slot]));
  const fields::Square square = field.square_of(place);
  return Density{field.density(square), field.velocity(square)};
}

Mind Crowd::mind_of(Slot slot) const {
  const State& s = *state_;
  const Errand& errand = s.errand_of(slot);
  Mind mind{errand.itinerary, errand.goal, errand.area, {}, {}, {}};
  // Nothing is known yet of who came since everybody was last looked at.
  if (std::find(s.since_index.begin(), s.since_index.end(), slot) == s.since_index.end() && s.steps > 0)
    for (const Slot other : s.perception.neighbours(slot))
      if (s.present[other] != 0) mind.neighbours.push_back(s.serial[other]);
  if (!s.route[slot] || s.activity[slot] != Activity::walking) return mind;
  const routes::PackedRoute& route = s.route[slot]->way;
  following::RouteWindow window;
  window.open(route, s.memory[slot].reference);
  window.reach(route.length());
  mind.way_ahead = points_of(window.pieces(), s.memory[slot].reference);
  if (!window.pieces().pieces.empty())
    mind.attraction = window.pieces().at(std::min(s.memory[slot].attraction, route.length())).point;
  return mind;
}

}  // namespace throng::crowd
