// What groups (crowd/groups.hpp) tell: who is with whom, who leads, who waits and who has lost the others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "crowd/groups.hpp"
#include "server/insights.hpp"

namespace throng::server {
namespace {

using crowd::Companionship;
using crowd::GroupMode;
using crowd::Slot;
using scenario::Simulation;

/// Colours are told apart by this many steps of the scale.
constexpr std::uint64_t colours = 12;
/// Metres: the ring around a leader, beyond its body.
constexpr double ring = 0.12;
constexpr int ring_corners = 16;
constexpr std::string_view together_colour = "#0072b2", apart_colour = "#d62728", leader_colour = "#e69f00",
                           place_colour = "#009e73";
constexpr std::array<std::string_view, 3> mode_names = {"waits for each other", "walks together",
                                                        "follows who is steered"};
constexpr std::array<std::string_view, 4> doing_names = {"walks with the others", "goes to the leader",
                                                         "stands for the others", "has lost the others"};

bool is_used(const Simulation& simulation) {
  return std::ranges::any_of(simulation.scenario().populations,
                             [](const scenario::PopulationSpec& population) { return population.groups.has_value(); });
}

std::optional<double> group_of(const Simulation& simulation, Slot slot) {
  const std::uint64_t group = simulation.crowd().group_of(slot);
  return group > 0 ? std::optional(double((group - 1) % colours)) : std::nullopt;
}

std::optional<double> distance_to_others(const Simulation& simulation, Slot slot) {
  const crowd::Crowd& crowd = simulation.crowd();
  const auto group = crowd.group(crowd.group_of(slot));
  if (!group) return std::nullopt;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Slot other : group->members)
    if (other != slot)
      nearest = std::min(nearest, distance(crowd.people().position[slot], crowd.people().position[other]));
  return nearest;
}

constexpr PersonFigure figures[] = {
    {"group", "group", "a colour a group", double(colours - 1), is_used, group_of},
    {"apart", "distance to the nearest companion", "m", 5, is_used, distance_to_others},
};

std::vector<Vec2> circle(Vec2 at, double radius) {
  std::vector<Vec2> points;
  for (int i = 0; i <= ring_corners; ++i) {
    const double angle = 6.283185307179586 * i / ring_corners;
    points.push_back(at + Vec2{std::cos(angle), std::sin(angle)} * radius);
  }
  return points;
}

/// A line from every member to the nearest of those before it: as many as there are gaps. Red where somebody is parted or out of view.
void draw_group(const Simulation& simulation, const crowd::GroupView& group, std::vector<Mark>& marks) {
  const crowd::Crowd& crowd = simulation.crowd();
  const agents::People people = crowd.people();
  for (std::size_t i = 1; i < group.members.size(); ++i) {
    const Slot slot = group.members[i];
    Slot nearest = group.members.front();
    for (std::size_t k = 1; k < i; ++k)
      if (distance(people.position[slot], people.position[group.members[k]]) <
          distance(people.position[slot], people.position[nearest]))
        nearest = group.members[k];
    const bool is_apart = crowd.companionship_of(slot) == Companionship::parted ||
                          crowd.companionship_of(nearest) == Companionship::parted ||
                          distance(people.position[slot], people.position[nearest]) > group.rules->view;
    if (people.layer[slot] != people.layer[nearest]) continue;
    marks.push_back({Mark::Shape::line,
                     {people.position[slot], people.position[nearest]},
                     people.layer[slot],
                     is_apart ? apart_colour : together_colour});
  }
  if (group.leader != crowd::none)
    marks.push_back({Mark::Shape::line, circle(people.position[group.leader], people.radius[group.leader] + ring),
                     people.layer[group.leader], leader_colour});
}

void draw_groups(const Simulation& simulation, std::vector<Mark>& marks) {
  for (const std::uint64_t serial : simulation.crowd().groups())
    draw_group(simulation, *simulation.crowd().group(serial), marks);
}

constexpr GroundLayer layers[] = {{"groups", "groups: lines between companions", is_used, draw_groups}};

void note(const Simulation& simulation, Slot slot, PersonNote& out) {
  const crowd::Crowd& crowd = simulation.crowd();
  const auto group = crowd.group(crowd.group_of(slot));
  if (!group) return;
  const agents::People people = crowd.people();
  std::string members;
  for (const Slot member : group->members)
    members += fmt::format("{}{}{}", members.empty() ? "" : ", ", people.serial[member],
                           member == group->leader ? " (leads)" : "");
  out.facts.emplace_back("group", fmt::format("{}, by {}", group->serial, group->method));
  out.facts.emplace_back("members", members);
  out.facts.emplace_back("the group", std::string(mode_names[std::size_t(group->mode)]));
  out.facts.emplace_back("this one", std::string(doing_names[std::size_t(crowd.companionship_of(slot))]));
  if (group->shape) out.facts.emplace_back("formation", std::string(steering::shape_names[std::size_t(*group->shape)]));
  draw_group(simulation, *group, out.marks);
  if (const auto place = crowd.place_in_formation(slot))
    out.marks.push_back(
        {Mark::Shape::arrow, {people.position[slot], *place}, people.layer[slot], place_colour, "place"});
}

}  // namespace

Insights group_insights() { return {.figures = figures, .note = note, .layers = layers}; }

}  // namespace throng::server
