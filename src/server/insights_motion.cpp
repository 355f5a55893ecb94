// What everybody's last step tells (docs/architecture.md, one step of the crowd): what somebody wanted, what avoidance chose, what pushed it.
#include <fmt/format.h>

#include <cmath>

#include "server/insights.hpp"

namespace throng::server {
namespace {

using crowd::Slot;
using scenario::Simulation;

/// Seconds: velocities are drawn as far as one gets in them; accelerations as the speed they give in that time.
constexpr double arrow_seconds = 1;
constexpr std::string_view wanted_colour = "#e69f00", intended_colour = "#cc79a7", chosen_colour = "#0072b2",
                           push_colour = "#d7191c";
/// Metres a second: what is smaller is not drawn.
constexpr double least_drawn = 0.02;

void note(const Simulation& simulation, Slot slot, PersonNote& out) {
  const crowd::LastMotion motion = simulation.crowd().motion_of(slot);
  const agents::People people = simulation.crowd().people();
  const Vec2 at = people.position[slot];
  const auto arrow = [&](Vec2 velocity, std::string_view colour, const char* text) {
    if (length(velocity) > least_drawn)
      out.marks.push_back({Mark::Shape::arrow, {at, at + velocity * arrow_seconds}, people.layer[slot], colour, text});
  };
  arrow(motion.preferred, wanted_colour, "wants");
  if (motion.intended != motion.preferred) arrow(motion.intended, intended_colour, "intends");
  arrow(motion.chosen, chosen_colour, "chooses");
  arrow(motion.acceleration, push_colour, "pushed");
  out.facts.emplace_back("wants", fmt::format("{:.2f} m/s", length(motion.preferred)));
  out.facts.emplace_back("chooses", fmt::format("{:.2f} m/s", length(motion.chosen)));
}

std::optional<double> given_way(const Simulation& simulation, Slot slot) {
  if (simulation.crowd().activity(slot) != crowd::Activity::walking) return std::nullopt;
  const crowd::LastMotion motion = simulation.crowd().motion_of(slot);
  return length(motion.chosen - motion.preferred);
}

bool always(const Simulation&) { return true; }

constexpr PersonFigure figures[] = {
    {"avoiding", "chosen off the wanted velocity", "m/s", 1, always, given_way},
};

}  // namespace

Insights motion_insights() { return {.figures = figures, .note = note}; }

}  // namespace throng::server
