// Who of a population is with whom, as a scenario file says it: sizes or profiles of members, the method they go by and its numbers.
//
// Laws
// 1. Weights of sizes are not negative, one is positive, and there are at most 64 (steering::most_members).
// 2. Shares are of groups, not of people: of {"1": 1, "3": 1} a quarter of the people is alone.
// Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "geometry/random.hpp"
#include "scenario/method_spec.hpp"

namespace throng::scenario {

struct GroupsSpec {
  MethodSpec method;                      ///< one draw of its numbers a group
  std::vector<double> sizes;              ///< weights of 1, 2, ...; empty: `members`, or the rows of a file, say it
  std::vector<std::size_t> members = {};  ///< profiles of each member of every group; empty: all have the population's
  std::string pointer = {};               ///< where it stands in the file

  [[nodiscard]] std::size_t draw_size(geometry::RandomStream stream) const {
    if (!members.empty()) return members.size();
    double sum = 0;
    for (const double weight : sizes) sum += weight;
    double left = stream.unit() * sum;
    std::size_t last = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (!(sizes[i] > 0)) continue;
      last = i + 1;
      if (left < sizes[i]) break;
      left -= sizes[i];
    }
    return last;
  }
  /// Of any group.
  [[nodiscard]] std::size_t largest() const {
    std::size_t most = members.empty() ? 1 : members.size();
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] > 0) most = i + 1;
    return most;
  }
};

}  // namespace throng::scenario
