// Which people of a population are a group: by their numbers, drawn or from a file.
//
// Laws
// 1. Where sizes are drawn, members have consecutive numbers, and groups are numbered in their order: who is with whom depends on the seed,
//    the population and numbers below one's own only, so that sources may ask for whoever comes next.
// 2. The last group of a count is cut to fit it.
// Thread-safety: one caller at a time; a table grows as far as it is asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "scenario/scenario.hpp"

namespace throng::scenario {

class Company {
 public:
  Company(const PopulationSpec& population, std::uint64_t seed);

  /// Whether anybody may be with anybody.
  [[nodiscard]] bool any() const { return population_->groups.has_value(); }

  struct Place {
    std::uint32_t group = 0;  ///< number of the group in the population
    std::uint32_t first = 0;  ///< the lowest number of its members: what is decided for all is drawn with that
    std::uint32_t place = 0;  ///< among the members
    std::uint32_t size = 1;
  };
  /// Of somebody. Numbers from `no_population` on are alone: they were put in from outside.
  [[nodiscard]] Place of(std::uint32_t number) const;
  /// Of a group with this number, wherever it comes from.
  [[nodiscard]] std::uint32_t size_of(std::uint32_t group) const;

  static constexpr std::uint32_t no_population = 1u << 30;

 private:
  void grow_to(std::uint32_t number) const;

  const PopulationSpec* population_;
  std::uint64_t seed_;
  mutable std::vector<std::uint32_t> firsts_;  ///< of drawn groups, and one more: where the next begins
  std::vector<Place> rows_;                    ///< of a file that says it
};

}  // namespace throng::scenario
