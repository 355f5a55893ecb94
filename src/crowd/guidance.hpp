// Guidance: on which side a crowd passes chosen obstacles (van Toll, Pettre 2019, 6.3), and signs that tell those who see them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agents/people.hpp"
#include "navmesh/obstacle_names.hpp"
#include "routes/strategy.hpp"

namespace throng::crowd {

using agents::Index;

/// It is seen from the half circle in front of it, in a straight line, by who looks its way (180 degrees).
struct Sign {
  navmesh::Place at;
  Vec2 facing{1, 0};  ///< any length but 0
  double range = 10;  ///< metres
};

struct Guidance {
  std::vector<navmesh::ObstacleRef> obstacles;
  routes::Side pass = routes::Side::right;
  std::vector<Index> populations;  ///< empty: everybody
  std::optional<Sign> sign;        ///< none: everybody knows from the start
};

/// More cannot be told apart by those who remember which they saw.
inline constexpr std::size_t most_guidance = 32;

/// What became of guidance: of those who saw its sign, who passed one of its obstacles on the side told, the first time they came to one.
struct GuidanceCount {
  std::uint64_t saw = 0, obeyed = 0;
};

/// What strategies did in a crowd so far.
struct StrategyCounts {
  std::uint64_t conflicts = 0;         ///< times that route and velocity began to disagree about an obstacle
  std::uint64_t people_conflicts = 0;  ///< the same about a neighbour
  std::uint64_t routes = 0;            ///< taken
  std::uint64_t refused = 0;           ///< second thoughts that found none, or a way that was too long
  std::uint64_t strict = 0;            ///< steps in which a velocity was chosen anew
  std::uint64_t unheeded = 0;          ///< plans for which there was no way under guidance
};

/// What its strategy did for one person so far.
struct StrategyMarks {
  std::uint32_t conflicts = 0, routes = 0, refused = 0, strict = 0;
};

/// Of one person.
struct StrategyOf {
  std::vector<routes::Decision> by_route;     ///< of the rest of its route
  std::vector<routes::Decision> by_velocity;  ///< as it walks now, over the window of the last step
  std::vector<Index> conflicts;               ///< obstacles that the two speak of differently
  std::vector<routes::Decision> guided;       ///< that it knows of
  std::uint32_t conflict_count = 0, routes = 0, refused = 0, strict = 0;
};

}  // namespace throng::crowd
