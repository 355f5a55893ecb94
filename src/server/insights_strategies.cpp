// What strategies and guidance tell (crowd/guidance.hpp): on which side a person passes which obstacle, by its route and by its velocity, where the
// two disagree, and over the ground the obstacles that are guided and the signs with the half circles they are seen from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routes/chain_sides.hpp"
#include "server/insights.hpp"

namespace throng::server {
namespace {

using crowd::Slot;
using routes::Side;
using scenario::Simulation;

/// As in the paper's figures: via the left red, via the right blue.
constexpr std::string_view left_colour = "#d7301f", right_colour = "#2166ac", conflict_colour = "#e69f00",
                           sign_colour = "#7b3294";
std::string_view colour_of(Side side) { return side == Side::left ? left_colour : right_colour; }

bool has_strategies(const Simulation& simulation) {
  return std::ranges::any_of(simulation.scenario().profiles, [](const scenario::ProfileSpec& profile) {
    return !profile.methods[agents::Level::decide].name.empty();
  });
}

bool has_guidance(const Simulation& simulation) { return simulation.crowd().has_guidance(); }

std::optional<double> routes_of(const Simulation& simulation, Slot slot) {
  const auto marks = simulation.crowd().strategy_marks_of(slot);
  return marks ? std::optional(double(marks->routes)) : std::nullopt;
}

std::optional<double> conflicts_of(const Simulation& simulation, Slot slot) {
  const auto marks = simulation.crowd().strategy_marks_of(slot);
  return marks ? std::optional(double(marks->conflicts)) : std::nullopt;
}

constexpr PersonFigure figures[] = {
    {"strategy-conflicts", "conflicts of route and velocity", "so far", 10, has_strategies, conflicts_of},
    {"strategy-routes", "routes taken since conflicts", "so far", 5, has_strategies, routes_of},
};

/// The outline of an obstacle, layer by layer where it goes over several.
void add_outline(const Simulation& simulation, crowd::Index obstacle, std::string_view colour, const std::string& text,
                 Mark::Shape shape, std::vector<Mark>& marks) {
  const navmesh::Obstacles& obstacles = simulation.world()->graph->sides()->obstacles();
  const auto outline = obstacles.outline(obstacle);
  Mark mark{shape, {}, 0, colour, text};
  for (std::size_t i = 0; i <= outline.size() && !outline.empty(); ++i) {
    const navmesh::Place& place = outline[i % outline.size()];
    if (!mark.points.empty() && place.layer != mark.layer) {
      marks.push_back(mark);
      mark.points.clear(), mark.text.clear();
    }
    mark.layer = place.layer;
    mark.points.push_back(place.point);
  }
  if (mark.points.size() > 1) marks.push_back(std::move(mark));
}

std::string listed(const Simulation& simulation, const std::vector<routes::Decision>& decisions) {
  const navmesh::Obstacles& obstacles = simulation.world()->graph->sides()->obstacles();
  std::string text;
  for (const routes::Decision decision : decisions) {
    const Vec2 at = obstacles[decision.about].at.point;
    text +=
        fmt::format("{}{} of ({:.1f}, {:.1f})", text.empty() ? "" : ", ", routes::name_of(decision.side), at.x, at.y);
  }
  return text.empty() ? "nothing" : text;
}

void note(const Simulation& simulation, Slot slot, PersonNote& out) {
  const auto mine = simulation.crowd().strategy_of(slot);
  if (!mine) return;
  out.facts.emplace_back("passes, by its route", listed(simulation, mine->by_route));
  if (simulation.crowd().strategy_marks_of(slot)) {
    out.facts.emplace_back("passes, by its velocity", listed(simulation, mine->by_velocity));
    out.facts.emplace_back("conflicts, routes taken, refused",
                           fmt::format("{}, {}, {}", mine->conflict_count, mine->routes, mine->refused));
  }
  if (!mine->guided.empty()) out.facts.emplace_back("told to pass", listed(simulation, mine->guided));
  for (const routes::Decision decision : mine->by_route)
    add_outline(simulation, decision.about, colour_of(decision.side), "", Mark::Shape::area, out.marks);
  for (const routes::Decision decision : mine->by_velocity)
    add_outline(simulation, decision.about, colour_of(decision.side), "", Mark::Shape::line, out.marks);
  for (const crowd::Index obstacle : mine->conflicts)
    add_outline(simulation, obstacle, conflict_colour, "conflict", Mark::Shape::line, out.marks);
}

/// The half circle in front of a sign.
std::vector<Vec2> half_circle(const crowd::Sign& sign) {
  constexpr int corners = 24;
  std::vector<Vec2> ring;
  for (int i = 0; i <= corners; ++i) {
    const double angle = (double(i) / corners - 0.5) * std::numbers::pi;
    const Vec2 f = sign.facing;
    ring.push_back(sign.at.point +
                   Vec2{f.x * std::cos(angle) - f.y * std::sin(angle), f.x * std::sin(angle) + f.y * std::cos(angle)} *
                       sign.range);
  }
  return ring;
}

void draw_guidance(const Simulation& simulation, std::vector<Mark>& marks) {
  const crowd::Crowd& crowd = simulation.crowd();
  const auto told = crowd.guidance();
  const auto counts = crowd.guidance_counts();
  const auto obstacles = crowd.guided_obstacles();
  for (std::size_t i = 0; i < told.size(); ++i) {
    for (const crowd::Index obstacle : obstacles[i])
      add_outline(simulation, obstacle, colour_of(told[i].pass), "", Mark::Shape::area, marks);
    if (!told[i].sign) continue;
    const crowd::Sign& sign = *told[i].sign;
    marks.push_back({Mark::Shape::area, half_circle(sign), sign.at.layer, sign_colour});
    marks.push_back({Mark::Shape::arrow, {sign.at.point, sign.at.point + sign.facing}, sign.at.layer, sign_colour});
    marks.push_back(
        {Mark::Shape::text,
         {sign.at.point},
         sign.at.layer,
         sign_colour,
         fmt::format("pass {}: {} saw, {} obeyed", routes::name_of(told[i].pass), counts[i].saw, counts[i].obeyed)});
  }
}

constexpr GroundLayer layers[] = {{"guidance", "signs and guided obstacles", has_guidance, draw_guidance}};

}  // namespace

Insights strategy_insights() { return {.figures = figures, .note = note, .layers = layers}; }

}  // namespace throng::server
