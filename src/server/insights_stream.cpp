// What streams (steering/stream.hpp) tell: how dense it is as people see it, how much they go their own way, and of a person whom it sees, who
// counts, and the velocities that come of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "crowd/methods.hpp"
#include "navmesh/visibility.hpp"
#include "server/insights.hpp"
#include "steering/field_of_view.hpp"
#include "steering/stream.hpp"

namespace throng::server {
namespace {

using crowd::Slot;
using scenario::Simulation;

/// Seconds: velocities are drawn as far as one gets in them.
constexpr double arrow_seconds = 1;
constexpr std::string_view view_colour = "#8b95a1", counts_colour = "#56b4e9", stream_colour = "#009e73";

bool is_used(const Simulation& simulation) {
  return std::ranges::any_of(simulation.scenario().profiles, [](const scenario::ProfileSpec& profile) {
    const std::string& name = profile.methods[agents::Level::coordinate].name;
    return !name.empty() && name != "none";
  });
}

std::optional<double> incentive_of(const Simulation& simulation, Slot slot) {
  const auto intent = simulation.crowd().intent_of(slot);
  return intent ? std::optional(intent->by.incentive) : std::nullopt;
}

std::optional<double> density_of(const Simulation& simulation, Slot slot) {
  const auto intent = simulation.crowd().intent_of(slot);
  return intent ? std::optional(intent->by.density) : std::nullopt;
}

constexpr PersonFigure figures[] = {
    {"incentive", "own way (incentive)", "0: goes with the stream, 1: its own way", 1, is_used, incentive_of},
    {"density-in-view", "density in view", "part of the densest", 1, is_used, density_of},
};

/// A number of the person's method by its name.
double number(const crowd::MethodChoice& choice, std::string_view name) {
  const agents::MethodInfo* info = crowd::built_in_methods()->find(agents::Level::coordinate, choice.name);
  for (std::size_t i = 0; info != nullptr && i < info->parameters.size(); ++i)
    if (info->parameters[i].name == name) return choice.parameters[i];
  return 0;
}

/// Whom the person sees, nearest first, ties to the lower serial.
std::vector<Slot> seen_by(const Simulation& simulation, Slot slot, double far, double half_view_degrees) {
  const agents::People people = simulation.crowd().people();
  const double cosine = steering::half_view_cosine(half_view_degrees);
  std::vector<std::pair<double, Slot>> near;
  for (const Slot other : simulation.crowd().in_serial_order()) {
    const Vec2 offset = people.position[other] - people.position[slot];
    if (other == slot || squared_length(offset) > far * far || !steering::in_view(people.heading[slot], offset, cosine))
      continue;
    if (navmesh::visible(*people.mesh, people.place(slot), people.place(other), 0, people.cell[slot]))
      near.emplace_back(squared_length(offset), other);
  }
  std::ranges::stable_sort(near, {}, [](const auto& entry) { return entry.first; });
  std::vector<Slot> seen;
  for (const auto& [distance, other] : near) seen.push_back(other);
  return seen;
}

std::vector<Vec2> sector(Vec2 at, Vec2 heading, double far, double half_view_degrees) {
  constexpr int corners = 24;
  std::vector<Vec2> ring{at};
  for (int i = 0; i <= corners; ++i) {
    const double angle = half_view_degrees * (2.0 * i / corners - 1) / 180 * std::numbers::pi;
    ring.push_back(at + Vec2{heading.x * std::cos(angle) - heading.y * std::sin(angle),
                             heading.x * std::sin(angle) + heading.y * std::cos(angle)} *
                            far);
  }
  return ring;
}

void note(const Simulation& simulation, Slot slot, PersonNote& out) {
  const std::optional<crowd::Intent> intent = simulation.crowd().intent_of(slot);
  if (!intent) return;
  const agents::People people = simulation.crowd().people();
  const crowd::MethodChoice choice = simulation.crowd().method_of(agents::Level::coordinate, slot);
  const double far = number(choice, "view_distance"), half = number(choice, "half_view_degrees");
  const Vec2 at = people.position[slot];
  const crowd::Index layer = people.layer[slot];
  out.facts.emplace_back("own way", fmt::format("{:.0f} %", 100 * intent->by.incentive));
  out.facts.emplace_back("density in view", fmt::format("{:.2f}", intent->by.density));
  out.marks.push_back({Mark::Shape::area, sector(at, people.heading[slot], far, half), layer, view_colour});
  std::size_t counted = 0;
  const std::vector<Slot> seen = seen_by(simulation, slot, far, half);
  for (const Slot other : seen) {
    const steering::Perceived moving = steering::motion_of(people, other, number(choice, "least_speed"));
    if (!steering::goes_along(people.heading[slot], moving)) continue;
    if (double(++counted) > number(choice, "neighbours")) break;
    out.marks.push_back({Mark::Shape::line, {at, people.position[other]}, layer, counts_colour});
  }
  out.facts.emplace_back("stream", fmt::format("{} of {} in view count", counted, seen.size()));
  // The wanted and the intended velocity are drawn of everybody (insights_motion.cpp).
  if (squared_length(intent->by.stream) > 0)
    out.marks.push_back(
        {Mark::Shape::arrow, {at, at + intent->by.stream * arrow_seconds}, layer, stream_colour, "stream"});
}

}  // namespace

Insights stream_insights() { return {.figures = figures, .note = note}; }

}  // namespace throng::server
