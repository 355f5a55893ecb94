// Lengths of shortest ways, held to the oracle that knows boundary edges only (support/shortest_oracle.hpp).
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "navmesh/mesh.hpp"
#include "support/shortest_oracle.hpp"

namespace throng::routes::test_worlds {

/// How many lengths were held to the oracle: one that finishes none proves nothing.
struct OracleTally {
  std::size_t asked = 0, finished = 0, ways = 0;
  double worst = 0;  ///< largest difference, in metres
};

/// Metres: a point's way is planned around discs of 1e-8 m, which every turn adds to.
inline constexpr double same_as_oracle = 1e-6;

/// Whether there is a way at all. From both ends in turns, and not far at first: one of them may lie in a small yard.
inline test::ShortestOracle::Answer ask_for_any_way(test::ShortestOracle& oracle, test::ShortestOracle::Query query) {
  using Outcome = test::ShortestOracle::Outcome;
  const std::size_t most_lines = query.most_lines;
  test::ShortestOracle::Answer answer{Outcome::gave_up};
  for (query.most_lines = 1000; query.most_lines <= most_lines; query.most_lines *= 4)
    for (int end = 0; end < 2; ++end, std::swap(query.from, query.to))
      if (answer = oracle.find(query); answer.outcome != Outcome::gave_up) return answer;
  return answer;
}

/// A length that is claimed to be that of the shortest way, infinite where there is none: there is a way of this length, and the oracle,
/// which looks no farther than this length lets it, finds none shorter.
inline void hold_to_oracle(test::ShortestOracle& oracle, const navmesh::Place& from, const navmesh::Place& to,
                           double claimed, std::size_t most_lines, OracleTally& tally) {
  const bool there_is = claimed < INFINITY;
  test::ShortestOracle::Query query{{from.point, from.layer}, {to.point, to.layer}};
  // Each line costs more without a limit, which every corner of the world is within.
  query.most_lines = there_is ? most_lines : most_lines / 10;
  if (there_is) query.limit = claimed + same_as_oracle;
  const auto answer = there_is ? oracle.find(query) : ask_for_any_way(oracle, query);
  ++tally.asked;
  if (answer.outcome == test::ShortestOracle::Outcome::gave_up) return;
  ++tally.finished;
  tally.ways += there_is;
  if (!there_is || answer.length == INFINITY) {
    CHECK(claimed == answer.length);
    return;
  }
  CHECK(std::abs(claimed - answer.length) <= same_as_oracle);
  tally.worst = std::max(tally.worst, std::abs(claimed - answer.length));
}

/// Prints what was compared; fails where the oracle gave up on more than a fifth of it, or nothing was a way.
inline void report(const OracleTally& tally) {
  MESSAGE(tally.finished << " of " << tally.asked << " lengths held to the oracle, " << tally.ways
                         << " of them of ways, to " << tally.worst << " m");
  CHECK(tally.finished * 5 >= tally.asked * 4);
  CHECK(tally.ways > 0);
}

}  // namespace throng::routes::test_worlds
