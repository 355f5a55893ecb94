// What random numbers are drawn for, all of it, in one list: two purposes that shared a stream would make people's numbers hang on each other.
//
// A number hangs on the seed, the population's key, the person's number in it, the purpose, and a step that tells things of one purpose
// apart: goals by their place, numbers of methods and weights of ground by a hash of their names, so that a number that is added later shifts
// the draws of none.
#pragma once

#include <cstdint>
#include <string_view>

#include "agents/levels.hpp"
#include "geometry/random.hpp"
#include "text/fnv1a.hpp"

namespace throng::agents {

enum class Purpose : std::uint32_t {
  radius = 1,
  speed,
  premovement,
  stairs_up,
  stairs_down,
  place,          ///< where somebody starts; step: the simulation's
  arrival,        ///< the gap before somebody from a source
  lattice,        ///< of a population
  wait,           ///< step: goal
  choice,         ///< of one of several areas; step: goal
  weight,         ///< of a type of ground; step: hash of its name
  method_number,  ///< step: hash of level, method and name
  place_in_area,  ///< one's own place in a goal; step: goal
  group_size,     ///< number: of the group in its population
  group_number,   ///< number of a method for groups; number: of the group; step: hash of method and name
  member_place,   ///< where a member starts beside the first; step: the simulation's
  drawn,          ///< what other numbers go by: age, sex; step: hash of its name
};
inline constexpr std::uint32_t purpose_count = std::uint32_t(Purpose::drawn) + 1;

/// 32 bits of a name, for the step of a draw.
[[nodiscard]] constexpr std::uint32_t step_of(std::string_view name) {
  const std::uint64_t hash = geometry::Fnv1a().add(name).value();
  return std::uint32_t(hash ^ (hash >> 32));
}
[[nodiscard]] constexpr std::uint32_t step_of(Level level, std::string_view method, std::string_view number) {
  const std::uint64_t hash = geometry::Fnv1a().add(info_of(level).key).add(method).add(number).value();
  return std::uint32_t(hash ^ (hash >> 32));
}

/// The stream of one number of one person.
[[nodiscard]] constexpr geometry::RandomStream stream_for(std::uint64_t seed, std::uint32_t population,
                                                          std::uint32_t number, Purpose purpose,
                                                          std::uint32_t step = 0) {
  return geometry::RandomStream(seed, {population, std::uint32_t(purpose), number, step});
}

}  // namespace throng::agents
