#include "agents/draws.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "crowd/methods.hpp"

using namespace throng;
using namespace throng::agents;

namespace {

/// Everything that a person's numbers are drawn for, steps included.
std::vector<std::pair<std::uint32_t, std::uint32_t>> all_streams() {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (std::uint32_t purpose = 1; purpose < purpose_count; ++purpose)
    if (Purpose(purpose) != Purpose::method_number && Purpose(purpose) != Purpose::weight)
      for (std::uint32_t goal = 0; goal < 16; ++goal) all.emplace_back(purpose, goal);
  for (const char* type : {"", "road", "grass", "mud", "steps", "ramp", "water", "pavement"})
    all.emplace_back(std::uint32_t(Purpose::weight), step_of(type));
  const Catalogue catalogue = crowd::built_in_methods()->catalogue();
  for (const LevelInfo& level : levels)
    for (const MethodInfo& method : catalogue[level.level])
      for (const Parameter& number : method.parameters)
        all.emplace_back(std::uint32_t(Purpose::method_number), step_of(level.level, method.name, number.name));
  return all;
}

}  // namespace

TEST_CASE("draws: no two purposes share a stream, goals, numbers of methods and ground included") {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
  for (const auto& stream : all_streams()) CHECK(++seen[stream] == 1);
  CHECK(seen.size() > 200);
}

TEST_CASE("draws: numbers of different purposes are independent") {
  // Every pair of streams over 500 people: how often both lie in the same half. Of n tosses of a fair coin, six deviations off happen
  // twice in a billion pairs.
  constexpr std::uint32_t people = 500;
  const auto streams = all_streams();
  std::vector<std::vector<bool>> upper(streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i)
    for (std::uint32_t person = 0; person < people; ++person)
      upper[i].push_back(stream_for(1, 77, person, Purpose(streams[i].first), streams[i].second).unit() >= 0.5);
  const double deviation = std::sqrt(people) / 2;
  for (std::size_t i = 0; i < streams.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      int same = 0;
      for (std::uint32_t person = 0; person < people; ++person) same += upper[i][person] == upper[k][person];
      if (std::abs(same - people / 2.0) > 6 * deviation) FAIL_CHECK("streams ", i, " and ", k, ": ", same);
    }
}
