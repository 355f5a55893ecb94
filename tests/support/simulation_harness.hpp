// What every test of something that moves people checks, in one place: the same bits for any number of threads, and nobody
// through a wall. Each check returns its complaints, so that it can be tested itself; a test writes
//
//   CHECK(complaints_of(check_determinism(make_crowd, {.steps = 100})) == "");
//   CHECK(complaints_of(check_hard_walls(*make_crowd(1, 2), environment, 100)) == "");
//
// Laws checked (docs/architecture.md, hard walls and numbers)
// 1. Two runs of one seed give the same hash, whatever the number of threads; two seeds give different ones.
// 2. At every step, every agent is in free space and its distance to the walls it can see in a straight line is at least its
//    radius - `tolerance::wall`. Walls are the edges of rings and thin walls, but not connections; those of the next layer are
//    seen through a connection (one, not two behind each other).
// 3. Between two steps the segment from an agent's old to its new centre touches no wall, decided exactly; its layer changes
//    with, and only with, the connections it crosses.
// 4. There are people, and they get on: a crowd that is empty or frozen keeps 1 to 3 whatever is wrong with it. Whoever checks them for
//    crowds that should walk wraps the crowd in a Watched one and asks check_life().
// Agents may come and go between steps; a serial that appears must be in free space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "environment/clean/clean.hpp"
#include "text/fnv1a.hpp"
#include "throng/vec2.hpp"
#include "validation/wall_checker.hpp"

namespace throng::test {

using validation::AgentsView;
using validation::Complaints;
using validation::WallChecker;
using validation::wall_tolerance;

/// What can be checked: anything that makes steps and shows its agents. A test wraps its subject in one.
class Simulation {
 public:
  virtual ~Simulation() = default;
  virtual void step() = 0;
  /// Valid until the next step.
  [[nodiscard]] virtual AgentsView agents() const = 0;
};

using SimulationFactory = std::function<std::unique_ptr<Simulation>(std::uint64_t seed, unsigned threads)>;

/// A line each; empty where there are none.
[[nodiscard]] std::string complaints_of(const Complaints& complaints);

/// The `hash` of docs/formats.md: the sum over all steps and people of FNV-1a 64 of step, serial, layer (64-bit integers) and x, y
/// (doubles), little-endian.
class TrajectoryHash {
 public:
  void add(std::uint64_t step, const AgentsView& agents);
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

struct DeterminismOptions {
  int steps = 50;
  std::uint64_t seed = 1;
  std::uint64_t other_seed = 2;
  std::vector<unsigned> threads = {1, 2, 3, 8};
  int reruns = 2;  ///< of the first number of threads
};

/// Law 1. Names the step and the agent where two runs part.
[[nodiscard]] Complaints check_determinism(const SimulationFactory& make, const DeterminismOptions& options = {});

/// A simulation that is watched while another check runs it: who was there, and how far they walked.
class Watched : public Simulation {
 public:
  explicit Watched(Simulation& subject) : subject_(subject) { look(); }
  void step() override { subject_.step(), look(); }
  [[nodiscard]] AgentsView agents() const override { return subject_.agents(); }

  /// All who were ever there.
  [[nodiscard]] std::size_t people() const { return last_seen_.size(); }
  /// Metres in all, from step to step.
  [[nodiscard]] double walked() const { return walked_; }

 private:
  void look();

  Simulation& subject_;
  std::unordered_map<std::uint64_t, Vec2> last_seen_;
  double walked_ = 0;
};

/// Law 4: at least so many people, who walked at least so many metres on average.
[[nodiscard]] Complaints check_life(std::size_t people, double walked, std::size_t least_people, double least_mean);

/// Laws 2 and 3 over this many steps, the state at the start included.
[[nodiscard]] Complaints check_hard_walls(Simulation& simulation, const environment::CleanEnvironment& environment,
                                          int steps);

}  // namespace throng::test
