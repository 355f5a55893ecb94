#include "analysis/exits.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "geometry/segment_distance.hpp"

namespace throng::analysis {
namespace {

/// 0 inside.
double squared_distance(const geometry::GridPolygon& polygon, const geometry::SnapGrid& grid, Vec2 p) {
  double nearest = std::numeric_limits<double>::infinity();
  bool inside = false;
  const auto take = [&](const geometry::GridRing& ring) {
    for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
      const Vec2 a = grid.to_world(ring[j]), b = grid.to_world(ring[i]);
      nearest = std::min(nearest, geometry::squared_distance_to_segment(p, a, b));
      if ((b.y > p.y) != (a.y > p.y) && p.x < (a.x - b.x) * (p.y - b.y) / (a.y - b.y) + b.x) inside = !inside;
    }
  };
  take(polygon.outer);
  for (const geometry::GridRing& hole : polygon.holes) take(hole);
  return inside ? 0 : nearest;
}

}  // namespace

std::string exit_at(const environment::CleanEnvironment& environment, std::uint32_t layer, Vec2 place) {
  std::string best;
  double nearest = exit_reach * exit_reach;
  if (layer >= environment.layers.size()) return best;
  for (const environment::CleanArea& area : environment.layers[layer].areas)
    for (const geometry::GridPolygon& polygon : area.polygons)
      if (const double d = squared_distance(polygon, environment.grid, place); d < nearest) {
        nearest = d;
        best = area.name;
      }
  return best;
}

std::vector<ExitFigures> exits_of(const RecordedRun& run) {
  std::map<std::string, ExitFigures> exits;
  for (const Person& person : run.people) {
    if (!person.arrived || !person.last_place) continue;
    ExitFigures& exit = exits[exit_at(run.environment, person.last_place->layer, person.last_place->point)];
    exit.first = exit.people == 0 ? *person.arrived : std::min(exit.first, *person.arrived);
    exit.last = exit.people == 0 ? *person.arrived : std::max(exit.last, *person.arrived);
    ++exit.people;
    exit.times.push_back(*person.arrived);
  }
  std::vector<ExitFigures> list;
  for (auto& [name, exit] : exits) {
    exit.name = name;
    std::ranges::sort(exit.times);
    list.push_back(exit);
  }
  return list;
}

}  // namespace throng::analysis
