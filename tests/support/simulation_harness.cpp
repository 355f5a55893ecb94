#include "support/simulation_harness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

namespace throng::test {
namespace {

std::vector<std::size_t> by_serial(const AgentsView& agents) {
  std::vector<std::size_t> order(agents.serials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return agents.serials[a] < agents.serials[b]; });
  return order;
}

/// The hash after the start and after each step.
std::vector<std::uint64_t> run(const SimulationFactory& make, std::uint64_t seed, unsigned threads, int steps) {
  const std::unique_ptr<Simulation> simulation = make(seed, threads);
  TrajectoryHash hash;
  std::vector<std::uint64_t> hashes;
  for (int step = 0; step <= steps; ++step) {
    if (step > 0) simulation->step();
    hash.add(std::uint64_t(step), simulation->agents());
    hashes.push_back(hash.value());
  }
  return hashes;
}

std::string place_of(const AgentsView& agents, std::size_t i) {
  return fmt::format("({}, {}) in layer {}", agents.positions[i].x, agents.positions[i].y, agents.layers[i]);
}

/// The first agent in which two states differ.
std::string difference(const AgentsView& a, const AgentsView& b) {
  const std::vector<std::size_t> order_a = by_serial(a), order_b = by_serial(b);
  for (std::size_t k = 0; k < std::min(order_a.size(), order_b.size()); ++k) {
    const std::size_t i = order_a[k], j = order_b[k];
    if (a.serials[i] != b.serials[j])
      return fmt::format("agent {} is in one run only", std::min(a.serials[i], b.serials[j]));
    if (a.positions[i] != b.positions[j] || a.layers[i] != b.layers[j])
      return fmt::format("agent {} is at {} or at {}", a.serials[i], place_of(a, i), place_of(b, j));
  }
  if (order_a.size() != order_b.size()) return fmt::format("there are {} or {} agents", order_a.size(), order_b.size());
  return "run again, they agree there: the result changes from run to run";
}

std::string difference_at(const SimulationFactory& make, std::uint64_t seed, unsigned threads_a, unsigned threads_b,
                          std::ptrdiff_t step) {
  const std::unique_ptr<Simulation> a = make(seed, threads_a), b = make(seed, threads_b);
  for (std::ptrdiff_t i = 0; i < step; ++i) a->step(), b->step();
  return difference(a->agents(), b->agents());
}

}  // namespace

std::string complaints_of(const Complaints& complaints) { return fmt::format("{}", fmt::join(complaints, "\n")); }

void TrajectoryHash::add(std::uint64_t step, const AgentsView& agents) {
  assert(agents.layers.size() == agents.serials.size() && agents.positions.size() == agents.serials.size());
  for (std::size_t i = 0; i < agents.serials.size(); ++i)
    sum_ += geometry::Fnv1a()
                .add(step)
                .add(agents.serials[i])
                .add(std::uint64_t{agents.layers[i]})
                .add(agents.positions[i].x)
                .add(agents.positions[i].y)
                .value();
}

void Watched::look() {
  const AgentsView agents = subject_.agents();
  for (std::size_t i = 0; i < agents.serials.size(); ++i) {
    const auto [seen, is_new] = last_seen_.try_emplace(agents.serials[i], agents.positions[i]);
    walked_ += length(agents.positions[i] - seen->second);
    seen->second = agents.positions[i];
  }
}

Complaints check_life(std::size_t people, double walked, std::size_t least_people, double least_mean) {
  Complaints complaints;
  if (people < least_people)
    complaints.push_back(fmt::format("there were {} people where at least {} are expected", people, least_people));
  const double mean = people > 0 ? walked / double(people) : 0;
  if (mean < least_mean)
    complaints.push_back(fmt::format("people walked {} m on average where at least {} are expected", mean, least_mean));
  return complaints;
}

Complaints check_determinism(const SimulationFactory& make, const DeterminismOptions& options) {
  assert(!options.threads.empty());
  const unsigned first = options.threads.front();
  const std::vector<std::uint64_t> reference = run(make, options.seed, first, options.steps);
  std::vector<unsigned> others(options.threads.begin() + 1, options.threads.end());
  others.insert(others.begin(), std::size_t(options.reruns), first);

  Complaints complaints;
  for (const unsigned threads : others) {
    const std::vector<std::uint64_t> hashes = run(make, options.seed, threads, options.steps);
    const auto part = std::mismatch(reference.begin(), reference.end(), hashes.begin()).first;
    if (part == reference.end()) continue;
    const std::ptrdiff_t step = part - reference.begin();
    complaints.push_back(fmt::format("seed {}: a run on {} threads parts from the first on {} at step {}: {}",
                                     options.seed, threads, first, step,
                                     difference_at(make, options.seed, first, threads, step)));
  }
  if (options.other_seed != options.seed &&
      run(make, options.other_seed, first, options.steps).back() == reference.back())
    complaints.push_back(fmt::format("seeds {} and {} give the same run", options.seed, options.other_seed));
  return complaints;
}

Complaints check_hard_walls(Simulation& simulation, const environment::CleanEnvironment& environment, int steps) {
  WallChecker checker(environment);
  checker.add(simulation.agents());
  for (int step = 0; step < steps; ++step) {
    simulation.step();
    checker.add(simulation.agents());
  }
  Complaints complaints = checker.complaints();
  if (checker.complaint_count() > complaints.size())
    complaints.push_back(fmt::format("... {} complaints in all", checker.complaint_count()));
  return complaints;
}

}  // namespace throng::test
