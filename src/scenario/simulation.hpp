// A scenario that runs: world, crowd, the people of its populations and those still to come.
//
// Laws
// 1. The same scenario, seed and steps give the same bits, on any number of threads.
// 2. A run is finished at `duration` (rounded to whole steps), or once nobody is due or waits outside and everybody present has
//    arrived for good (stays at the last goal, or has none). Who is lost, waits or walks keeps it going.
// Thread-safety: one caller at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crowd/crowd.hpp"
#include "scenario/populate.hpp"
#include "scenario/scenario.hpp"
#include "scenario/setup.hpp"
#include "scenario/sources.hpp"
#include "text/archive.hpp"
#include "throng/result.hpp"

namespace throng::scenario {

struct SimulationOptions {
  std::optional<std::uint64_t> seed;  ///< instead of the scenario's
  unsigned threads = 0;               ///< 0: all the machine has
  std::optional<double> duration;     ///< instead of the scenario's
};

class Simulation {
 public:
  /// Cleans the environment, builds the world and places everybody who is there at the start. Warnings come along.
  [[nodiscard]] static Result<Simulation> make(Scenario scenario, const SimulationOptions& options = {});
  /// The same on a world that was made before, for runs that differ in their seed. It has to be this scenario's.
  [[nodiscard]] static Result<Simulation> make(std::shared_ptr<const Scenario> scenario, crowd::WorldPtr world,
                                               const SimulationOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Lets people in and moves everybody by one time step. How many entered.
  Result<std::size_t> step();
  [[nodiscard]] bool finished() const;

  /// Goes on in a changed scenario: another environment of the same layers, goals elsewhere; populations and profiles are the same
  /// in number and order. What is drawn for people stays; who is on the way plans anew (Crowd::change). Refused with nothing
  /// changed. How many had to step aside.
  Result<std::size_t> change(Scenario scenario);
  /// From now on all of a profile weigh these types of ground so, those still to come, too; types not named keep theirs. Whose way that
  /// touches plans again, all others keep their routes (Crowd::set_weights). Of what is drawn, people who are here get the mean.
  Result<std::size_t> set_weights(std::size_t profile, const std::map<std::string, WeightSpec>& weights);
  /// More people of a population, about a place and within sight of it, wherever there is room within a few metres; those who came. Of a
  /// population with groups whole groups come, the last cut to fit.
  /// Refused for populations that bring places of their own.
  Result<std::vector<crowd::AgentId>> add_people(std::size_t population, const navmesh::Place& about,
                                                 std::size_t count);

  /// The whole state, as bytes: what snapshots are made of.
  void save(geometry::ArchiveWriter& archive) const;
  /// Like make(), but at the step the bytes were saved at: it goes on bit for bit as that run would have. Refused where the bytes are
  /// damaged, or of another scenario. `options.seed` does not count: the snapshot's does.
  [[nodiscard]] static Result<Simulation> resume(Scenario scenario, const SimulationOptions& options,
                                                 geometry::ArchiveReader& archive);

  [[nodiscard]] const Scenario& scenario() const;
  [[nodiscard]] std::shared_ptr<const Scenario> shared_scenario() const;
  [[nodiscard]] const crowd::WorldPtr& world() const;
  [[nodiscard]] const Setup& setup() const;
  [[nodiscard]] crowd::Crowd& crowd();
  [[nodiscard]] const crowd::Crowd& crowd() const;
  [[nodiscard]] std::uint64_t seed() const;
  [[nodiscard]] double duration() const;
  [[nodiscard]] std::uint64_t total_steps() const;  ///< of a run that goes on to the end

  /// What happened at entrances, one for each population with a rate.
  [[nodiscard]] std::span<const Source> sources() const;
  [[nodiscard]] std::size_t waiting_outside() const;
  /// Whether somebody is still to come, or waits outside.
  [[nodiscard]] bool somebody_due() const;

 private:
  struct State;
  static Result<Simulation> make_empty(std::shared_ptr<const Scenario> scenario, crowd::WorldPtr world,
                                       const SimulationOptions& options);
  explicit Simulation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The world of a scenario: cleaned, verified to be consistent, meshed. The expensive part of starting a run.
[[nodiscard]] Result<crowd::WorldPtr> make_world(const Scenario& scenario);

}  // namespace throng::scenario
