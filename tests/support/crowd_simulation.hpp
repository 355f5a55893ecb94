// A crowd as the shared harness sees it, and worlds to put crowds into.
#pragma once

#include <memory>
#include <vector>

#include "crowd/crowd.hpp"
#include "environment/environment.hpp"
#include "support/simulation_harness.hpp"

namespace throng::test {

/// Cleans and builds; a failure is a failure of the test.
[[nodiscard]] crowd::WorldPtr make_crowd_world(const environment::Environment& source);

/// People as the harness sees them, in order of serials.
class ShownPeople {
 public:
  void show(const crowd::Crowd& crowd);
  [[nodiscard]] AgentsView view() const { return {serials_, layers_, positions_, radii_}; }

 private:
  std::vector<std::uint64_t> serials_;
  std::vector<std::uint32_t> layers_;
  std::vector<Vec2> positions_;
  std::vector<double> radii_;
};

/// Steps of fixed length; validate() of the crowd is part of every step.
class CrowdSimulation : public Simulation {
 public:
  CrowdSimulation(std::unique_ptr<crowd::Crowd> crowd, double time_step);
  void step() override;
  [[nodiscard]] AgentsView agents() const override { return shown_.view(); }
  [[nodiscard]] crowd::Crowd& crowd() { return *crowd_; }

 private:
  std::unique_ptr<crowd::Crowd> crowd_;
  double time_step_;
  ShownPeople shown_;
};

/// Somebody who walks to a point and leaves there.
[[nodiscard]] crowd::AgentSpec walker(navmesh::Place from, navmesh::Place to);

/// Puts up to `count` people at random places that are free, each with a random place to go to. Every third has another
/// radius; methods go round by turns, so that every follower meets every way to avoid others. "" in `streams`: none.
void strew_people(crowd::Crowd& crowd, std::uint64_t seed, std::size_t count, const std::vector<std::string>& avoidance,
                  const std::vector<std::string>& streams = {});

}  // namespace throng::test
