// What weighted ground tells: the ground as a profile weighs it, what a metre costs people where they are, and of a person what the way ahead
// leads over and costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scenario/check_ground.hpp"
#include "server/insights.hpp"

namespace throng::server {
namespace {

using crowd::Slot;
using scenario::Simulation;

/// From cheap to dear, by factors of about three.
constexpr std::string_view shades[] = {"#2b83ba", "#66c2a5", "#abdda4", "#fdae61", "#f46d43", "#d7191c"};
constexpr std::string_view never_colour = "#40004b";

std::string_view colour_of(double weight, double least) {
  if (!std::isfinite(weight)) return never_colour;
  const double steps = std::log(weight / least) / std::log(3.0);
  return shades[std::size_t(std::clamp(steps, 0.0, double(std::size(shades) - 1)))];
}

bool is_used(const Simulation& simulation) {
  const auto& regions = simulation.world()->regions;
  return regions && !regions->empty();
}

std::vector<double> row_of(const Simulation& simulation, const scenario::ProfileSpec& profile) {
  return scenario::mean_row(profile, simulation.world()->regions->kinds());
}

double least_of(std::span<const double> row) { return *std::min_element(row.begin(), row.end()); }

std::optional<double> weight_here(const Simulation& simulation, Slot slot) {
  const agents::People people = simulation.crowd().people();
  ground::RegionMap::Scratch scratch;
  const crowd::Index kind = simulation.world()->regions->type_at(people.place(slot), scratch);
  const double weight = simulation.crowd().weights_of(slot)[kind];
  return std::isfinite(weight) ? std::optional(weight) : std::nullopt;
}

constexpr PersonFigure figures[] = {
    {"ground-weight", "price of the ground", "a metre, by the person's weights", 30, is_used, weight_here}};

void note(const Simulation& simulation, Slot slot, PersonNote& out) {
  if (!is_used(simulation)) return;
  const ground::RegionMap& regions = *simulation.world()->regions;
  const std::span<const double> row = simulation.crowd().weights_of(slot);
  const double least = least_of(row);
  ground::RegionMap::Scratch scratch;
  std::vector<double> metres(regions.kinds().size(), 0);
  const std::vector<navmesh::Place> way = simulation.crowd().mind_of(slot).way_ahead;
  double cost = 0;
  for (std::size_t i = 1; i < way.size(); ++i) {
    std::vector<double> of_piece(metres.size(), 0);
    const double piece = regions.weighted_length(way[i - 1], way[i], 0, row.data(), scratch, of_piece);
    cost += piece;
    const double size = distance(way[i - 1].point, way[i].point);
    for (std::size_t k = 0; k < metres.size(); ++k) metres[k] += of_piece[k];
    if (size > 0)
      out.marks.push_back(
          {Mark::Shape::line, {way[i - 1].point, way[i].point}, way[i - 1].layer, colour_of(piece / size, least)});
  }
  if (way.size() < 2) return;
  out.facts.emplace_back("cost of the way ahead",
                         std::isfinite(cost) ? fmt::format("{:.1f}", cost) : "over ground it never enters");
  std::map<std::string, double> by_type;
  for (std::size_t k = 0; k < metres.size(); ++k)
    if (metres[k] > 0) by_type[k == 0 ? ground::plain_type : regions.types()[k]] += metres[k];
  constexpr double least_metres = 0.05;  // less is printed as nothing: ways run along borders
  for (const auto& [type, length] : by_type)
    if (length >= least_metres) out.facts.emplace_back("of which on " + type, fmt::format("{:.1f} m", length));
}

std::vector<std::string> names_of_profiles(const Simulation& simulation) {
  std::vector<std::string> names;
  for (const scenario::ProfileSpec& profile : simulation.scenario().profiles) names.push_back(profile.name);
  return names;
}

/// As a profile weighs it now.
void draw_ground(const Simulation& simulation, std::size_t number, std::vector<Mark>& marks) {
  const std::vector<double> row = row_of(simulation, simulation.scenario().profiles[number]);
  const double least = least_of(row);
  const environment::CleanEnvironment& world = simulation.world()->environment;
  const ground::GroundKinds& kinds = simulation.world()->regions->kinds();
  for (std::size_t layer = 0; layer < world.layers.size(); ++layer)
    for (const environment::CleanRegion& region : world.layers[layer].regions)
      for (const environment::GridPolygon& polygon : region.polygons) {
        const auto ring_of = [&](const environment::GridRing& points) {
          std::vector<Vec2> ring;
          for (const environment::GridPoint p : points) ring.push_back(world.grid.to_world(p));
          return ring;
        };
        marks.push_back(
            {Mark::Shape::area, ring_of(polygon.outer), crowd::Index(layer), colour_of(row[kinds.of(region)], least)});
        for (const environment::GridRing& hole : polygon.holes) marks.back().holes.push_back(ring_of(hole));
      }
}

constexpr GroundLayer layers[] = {{"ground-price", "ground (blue cheap, red dear, violet never) as weighed by", is_used,
                                   nullptr, names_of_profiles, draw_ground}};

}  // namespace

Insights ground_insights() { return {.figures = figures, .note = note, .layers = layers}; }

}  // namespace throng::server
