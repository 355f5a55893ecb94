// One run of a scenario, judged and, where asked for, drawn: what experiments are made of.
//
// Laws
// 1. The crowd uses one thread; trials may run side by side. All figures but `ms_per_step` depend on scenario and seed only.
// 2. A trial ends with its scenario, or once it is deadlocked: people are on their way, and for `deadlock_after` seconds nobody arrived
//    or came 0.5 m nearer to its goal than ever before. Jaklin (2016, 9.4) calls every run deadlocked in which not everybody gets to its goal:
//    compare with those that are deadlocked or not finished in time.
// Units: metres, seconds. Thread-safety: free functions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/metrics.hpp"
#include "crowd/world.hpp"
#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::analysis {

struct TrialOptions {
  std::uint64_t seed = 1;
  double path_every = 0;  ///< seconds between points of paths; 0: no paths are kept
  double deadlock_after = 30;
};

/// Where somebody walked in one layer.
struct WalkedPath {
  Index population = 0, layer = 0;
  std::vector<Vec2> points;
};

struct Trial {
  Summary summary;
  double ms_per_step = 0;  ///< processor time of the crowd's step alone
  double ended = 0;        ///< seconds simulated
  bool deadlocked = false;
  std::vector<WalkedPath> paths;
};

[[nodiscard]] Result<Trial> run_trial(const std::shared_ptr<const scenario::Scenario>& scenario,
                                      const crowd::WorldPtr& world, const TrialOptions& options);

/// Calls work(0), ..., work(count - 1), so many at the same time.
void side_by_side(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

/// An SVG of everybody's way over the plan, a colour a population, a dot where a way ends.
[[nodiscard]] std::string draw_paths(const environment::CleanEnvironment& environment,
                                     const std::vector<WalkedPath>& paths, const std::string& title);

}  // namespace throng::analysis
