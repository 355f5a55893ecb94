// What the level of jams tells (docs/congestion.md): of everybody how long it expects to wait and for how long it was stuck, of a person why it last
// changed its way, and over the ground the queues that are foreseen and how dense the crowd is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "fields/density_field.hpp"
#include "server/insights.hpp"

namespace throng::server {
namespace {

using crowd::Slot;
using scenario::Simulation;

/// Metres of a queue's mark for each of the people who stand there, and at least.
constexpr double side_a_person = 0.05, least_side = 0.4;
/// Seconds of waiting from which a queue is drawn, and from which it is drawn as long.
constexpr double worth_drawing = 3, long_wait = 30;
/// Persons a square metre from which squares are drawn, and of the next colours.
constexpr double dense = 0.7, denser = 1.4, densest = 2.8;
/// Metres a second from which a stream has an arrow.
constexpr double moving = 0.2;

template <class Uses>
bool any_profile(const Simulation& simulation, const Uses& uses) {
  return std::ranges::any_of(simulation.scenario().profiles, [&](const scenario::ProfileSpec& profile) {
    return uses(profile.methods[agents::Level::congestion].name);
  });
}

bool foresees(const Simulation& simulation) {
  return any_profile(simulation, [](const std::string& name) { return name == "quickest" || name == "density"; });
}
bool is_used(const Simulation& simulation) {
  return any_profile(simulation, [](const std::string& name) { return !name.empty(); });
}
bool always(const Simulation&) { return true; }

bool goes_round(const Simulation& simulation) {
  return any_profile(simulation, [](const std::string& name) { return name == "id3" || name == "miranda"; });
}

std::optional<double> waiting_of(const Simulation& simulation, Slot slot) {
  const auto expected = simulation.crowd().expected_time_of(slot);
  return expected ? std::optional(expected->waiting) : std::nullopt;
}

std::optional<double> jam_time_of(const Simulation& simulation, Slot slot) {
  const auto thoughts = simulation.crowd().thoughts_of(slot);
  return thoughts ? std::optional(thoughts->jam_time) : std::nullopt;
}

std::optional<double> detours_of(const Simulation& simulation, Slot slot) {
  const auto shown = simulation.crowd().detours_of(slot);
  return shown ? std::optional(double(shown->local + shown->global)) : std::nullopt;
}

constexpr PersonFigure figures[] = {
    {"expected-waiting", "expects to wait", "s", 60, foresees, waiting_of},
    {"jam-time", "stuck so far", "s", 30, is_used, jam_time_of},
    {"detours", "detours round jams so far", "", 4, goes_round, detours_of},
};

/// Where a detour comes back to the way, and where a decision binds up to.
void note_detours(const crowd::Crowd& crowd, Slot slot, PersonNote& out) {
  const auto shown = crowd.detours_of(slot);
  if (!shown) return;
  out.facts.emplace_back("detours", fmt::format("{} near, {} another way, {} back, {} sought in vain", shown->local,
                                                shown->global, shown->back, shown->fruitless));
  if (shown->last != crowd::DetourKind::nothing)
    out.facts.emplace_back("last detour", crowd::detour_kind_names[std::size_t(shown->last)]);
  if (shown->remembered > 0) out.facts.emplace_back("remembers", fmt::format("{} jams", shown->remembered));
  const Vec2 here = crowd.people().position[slot];
  if (shown->goal) {
    out.marks.push_back({Mark::Shape::line, {here, shown->goal->point}, shown->goal->layer, "#009e73"});
    out.marks.push_back({Mark::Shape::text, {shown->goal->point}, shown->goal->layer, "#009e73", "back on its way"});
  }
  if (!shown->decision) return;
  out.marks.push_back(
      {Mark::Shape::text, {shown->decision->point}, shown->decision->layer, "#cc79a7", "decides again"});
  out.facts.emplace_back("bound to its decision",
                         std::isfinite(shown->committed_until)
                             ? fmt::format("until {:.0f} s at the latest", shown->committed_until)
                             : std::string("until it is there"));
}

void note(const Simulation& simulation, Slot slot, PersonNote& out) {
  const crowd::Crowd& crowd = simulation.crowd();
  note_detours(crowd, slot, out);
  if (const auto expected = crowd.expected_time_of(slot))
    out.facts.emplace_back(
        "expects to be there in",
        fmt::format("{:.0f} s, {:.0f} s of them waiting", expected->walking + expected->waiting, expected->waiting));
  const auto thoughts = crowd.thoughts_of(slot);
  if (!thoughts) return;
  if (thoughts->last.why != crowd::Reason::nothing)
    out.facts.emplace_back("last changed its way", fmt::format("at {:.0f} s: {}", thoughts->last.at,
                                                               crowd::reason_names[std::size_t(thoughts->last.why)]));
  out.facts.emplace_back("changes", fmt::format("{} of the way, {} of the exit, {} searches", thoughts->route_changes,
                                                thoughts->exit_changes, thoughts->searches));
  if (thoughts->is_stuck) out.facts.emplace_back("stuck", "now");
}

std::vector<Vec2> square_around(Vec2 p, double side) {
  const double half = side / 2;
  return {p + Vec2{-half, -half}, p + Vec2{half, -half}, p + Vec2{half, half}, p + Vec2{-half, half}};
}

void draw_queues(const Simulation& simulation, std::vector<Mark>& marks) {
  for (const crowd::QueueShown& queue : simulation.crowd().queues()) {
    if (queue.waiting < worth_drawing) continue;
    const std::string_view colour = queue.waiting < long_wait ? "#e69f00" : "#d55e00";
    const double side = std::max(least_side, side_a_person * double(queue.people));
    marks.push_back({Mark::Shape::area, square_around(queue.at.point, side), queue.at.layer, colour});
    marks.push_back({Mark::Shape::text,
                     {queue.at.point},
                     queue.at.layer,
                     colour,
                     fmt::format("{:.0f} s, {} people, {:.1f} /s", queue.waiting, queue.people, queue.capacity)});
  }
}

/// In an order that hangs on where they are alone.
void sort_by_place(std::vector<Mark>& marks) {
  std::ranges::sort(
      marks, {}, [](const Mark& mark) { return std::tuple(mark.layer, mark.points.front().y, mark.points.front().x); });
}

/// Everybody's stamp as they are now.
fields::DensityField field_of(const crowd::Crowd& crowd) {
  fields::DensityField field(crowd.world().mesh);
  const agents::People people = crowd.people();
  for (const Slot slot : crowd.in_serial_order()) field.add(field.stamp_of(people.place(slot), people.velocity[slot]));
  return field;
}

void draw_density(const Simulation& simulation, std::vector<Mark>& marks) {
  field_of(simulation.crowd()).for_each([&](const fields::Square& square, double density) {
    if (density < dense) return;
    const std::string_view colour = density >= densest ? "#a50f15" : density >= denser ? "#de2d26" : "#fcae91";
    marks.push_back({Mark::Shape::area,
                     square_around(fields::middle_of(square, fields::square_side), fields::square_side), square.layer,
                     colour});
  });
  sort_by_place(marks);
}

/// An arrow a metre and a half, where people move.
void draw_flow(const Simulation& simulation, std::vector<Mark>& marks) {
  const fields::DensityField field = field_of(simulation.crowd());
  constexpr int every = 5;  // squares
  field.for_each([&](const fields::Square& square, double density) {
    if (square.column % every != 0 || square.row % every != 0 || density < dense / 2) return;
    const Vec2 velocity = field.velocity(square);
    if (squared_length(velocity) < moving * moving) return;
    const Vec2 at = fields::middle_of(square, fields::square_side);
    marks.push_back({Mark::Shape::arrow, {at, at + velocity}, square.layer, "#0072b2"});
  });
  sort_by_place(marks);
}

void draw_squares(const std::vector<crowd::DenseSquare>& squares, std::vector<Mark>& marks) {
  for (const crowd::DenseSquare& square : squares) {
    const std::string_view colour = square.persons >= densest  ? "#4a1486"
                                    : square.persons >= denser ? "#807dba"
                                                               : "#cbc9e2";
    marks.push_back(
        {Mark::Shape::area, square_around(square.middle.point, fields::square_side), square.middle.layer, colour});
  }
}
void draw_foreseen(const Simulation& simulation, std::vector<Mark>& marks) {
  draw_squares(simulation.crowd().dense_squares(dense, 8), marks);
}
/// What nobody walks into: the default threshold.
void draw_blocked(const Simulation& simulation, std::vector<Mark>& marks) {
  draw_squares(simulation.crowd().dense_squares(denser, 0), marks);
}
void draw_remembered(const Simulation& simulation, std::vector<Mark>& marks) {
  for (const navmesh::Place& place : simulation.crowd().remembered_squares())
    marks.push_back({Mark::Shape::area, square_around(place.point, fields::square_side), place.layer, "#cc79a7"});
}

constexpr GroundLayer layers[] = {
    {"queues", "queues and how long one waits there", foresees, draw_queues},
    {"crowd-density", "density, spread between walls", always, draw_density},
    {"crowd-flow", "how the crowd moves", always, draw_flow},
    {"density-foreseen", "density as it will be in 8 s, by people's ways", goes_round, draw_foreseen},
    {"jams", "squares that are taken for jams", goes_round, draw_blocked},
    {"jams-remembered", "jams that people remember", goes_round, draw_remembered},
};

}  // namespace

Insights congestion_insights() { return {.figures = figures, .note = note, .layers = layers}; }

}  // namespace throng::server
