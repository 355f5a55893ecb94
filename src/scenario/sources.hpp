// Sources: people who come one after the other while a run goes on.
//
// Gaps between arrivals are exponential (a Poisson process of the given rate), one drawn for each number, so that arrivals depend on
// the seed and the population only. Whoever is due enters where a body of their size stands free in the start area; where none is
// found they wait outside, and those behind them too: first come, first in.
//
// A group comes as a whole: its gap is so many times as long as it has members, and it waits outside until there is room for all.
//
// Laws
// 1. Nobody is due before `from`, nor at or after `until`. Numbers count up from 0 in order of arrival.
// 2. Who enters overlaps nobody and keeps the radius from walls at that moment.
// 3. Results depend on the state of the crowd only, not on threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "crowd/crowd.hpp"
#include "scenario/populate.hpp"
#include "text/archive.hpp"
#include "throng/result.hpp"

namespace throng::scenario {

/// What happened at the entrance of a population so far.
struct EntranceCounts {
  std::size_t due = 0;      ///< people who came
  std::size_t entered = 0;  ///< of whom are in
  std::size_t longest_queue = 0;
  double waited = 0;  ///< seconds, over everybody who entered
  [[nodiscard]] std::size_t waiting() const { return due - entered; }
};

class Source {
 public:
  /// `population` is one with a rate.
  Source(const People& people, std::size_t population);

  [[nodiscard]] std::size_t population() const { return population_; }
  /// Takes in everybody due by the crowd's time, and lets in whom there is room for. How many entered.
  Result<std::size_t> run(crowd::Crowd& crowd);
  [[nodiscard]] const EntranceCounts& counts() const { return counts_; }
  /// Whether nobody will come any more, and nobody waits.
  [[nodiscard]] bool exhausted() const { return queue_.empty() && next_time_ >= rate_.until; }
  [[nodiscard]] double next_arrival() const { return next_time_; }

  /// As bytes, and back into a source of the same population.
  void save(geometry::ArchiveWriter& archive) const;
  void load(geometry::ArchiveReader& archive);
  /// Whether what was loaded can have come about by this time: a file may say that billions came, or that the next one is due since
  /// for ever.
  [[nodiscard]] bool fits(double time, double time_step) const;

 private:
  struct Waiting {
    std::uint32_t number = 0;
    double since = 0;
  };

  void draw_next();
  /// How many entered: somebody with all of their group, or nobody.
  Result<std::size_t> let_in(crowd::Crowd& crowd, std::uint32_t number) const;
  [[nodiscard]] std::vector<crowd::AgentSpec> place(const crowd::Crowd& crowd, const Company::Place& company) const;

  const People& people_;
  std::size_t population_;
  Rate rate_;
  std::deque<Waiting> queue_;
  std::uint32_t next_number_ = 0;
  double next_time_ = 0;
  EntranceCounts counts_;
};

}  // namespace throng::scenario
