// A person as it is put into a crowd: every number drawn, every method named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agents/levels.hpp"
#include "agents/people.hpp"
#include "goals/itinerary.hpp"
#include "routes/route.hpp"

namespace throng::crowd {

using agents::Index;
using agents::Level;
using agents::none;

/// A method of a level and its numbers, in the order its MethodInfo lists them; empty: all at their defaults. No name: the level is off.
struct MethodChoice {
  std::string name;
  std::vector<double> parameters;
  friend bool operator==(const MethodChoice&, const MethodChoice&) = default;
};

/// Every level's default.
[[nodiscard]] inline agents::PerLevel<MethodChoice> default_methods() {
  agents::PerLevel<MethodChoice> methods;
  for (const agents::LevelInfo& level : agents::levels) methods[level.level].name = level.otherwise;
  return methods;
}

struct AgentSpec {
  navmesh::Place place;
  Vec2 heading{1, 0};  ///< any length but 0
  double radius = 0.24;
  double speed = 1.34;
  agents::PerLevel<MethodChoice> methods = default_methods();
  double premovement = 0;                      ///< seconds until the person sets out
  double stairs_up = 0.5, stairs_down = 0.65;  ///< speed on stairs, as a part of that on the level
  std::vector<double> weights;                 ///< a row for RegionMap's kinds (ground/kinds.hpp); empty: all 1
  goals::ItineraryPtr itinerary;               ///< none: stands where it is
  routes::RoutePtr given_route;                ///< walked to the first goal instead of a planned one
  Index population = 0, profile = 0;           ///< what recordings and tables call the person
  std::uint32_t draws = 0;                     ///< below 2^20: the population as random draws know it
  std::uint32_t number = 0;                    ///< in its population: what its random draws hang on
};

}  // namespace throng::crowd
