// From populations to people: every number drawn, everybody in a place of their own.
//
// What is drawn for a person depends on the seed, the population's draw key, the person's number in it and what the number is for,
// and on nothing else. The draw key is a hash of the population's name, or its place in the file where it has none: adding a
// population leaves the draws of named ones as they are, and of unnamed ones before it.
//
// Laws
// 1. Everybody placed in a start area has their centre in it, keeps the radius from walls, and overlaps nobody.
// 2. People with given positions stand there, or are refused where they would stand in a wall. They are placed first; then
//    populations by their profile's mean radius, widest first, else in the order of the file. Who is in the way can change where
//    others stand, never what else is drawn for them.
// 3. Places are drawn one after the other until they get rare (random sequential adsorption: up to about half of the ground covered);
//    the rest of a dense population stands on a jittered hexagonal lattice as wide as their number allows (up to 0.9 covered).
// 4. Members of a group start in sight of its first member and in its personal distance, or of another one's where that is full; on a
//    lattice they have places beside each other. Goals that are drawn, waits and premovement are the first member's.
// Complexity: O(people) a population where it is not dense. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agents/draws.hpp"
#include "crowd/agent_spec.hpp"
#include "crowd/crowd.hpp"
#include "geometry/random.hpp"
#include "scenario/company.hpp"
#include "scenario/setup.hpp"
#include "throng/result.hpp"

namespace throng::scenario {

using agents::Purpose;

/// The stream of one number of one person.
[[nodiscard]] geometry::RandomStream stream_for(std::uint64_t seed, const PopulationSpec& population, Purpose purpose,
                                                std::uint32_t number, std::uint32_t step = 0);

/// Metres between bodies that are placed side by side, at least.
inline constexpr double placing_gap = 1e-3;

class People {
 public:
  People(const Setup& setup, std::uint64_t seed);

  /// Somebody of a population, everything but the place.
  [[nodiscard]] crowd::AgentSpec draw(std::size_t population, std::uint32_t number) const;
  /// The same for a member of a group that the population does not have: put in from outside.
  [[nodiscard]] crowd::AgentSpec draw_member(std::size_t population, std::uint32_t number,
                                             const Company::Place& company) const;
  [[nodiscard]] const Company& company(std::size_t population) const { return companies_[population]; }
  /// What was drawn for somebody for other numbers to go by.
  [[nodiscard]] Drawn drawn(std::size_t population, std::uint32_t number) const;
  /// How a group of a population goes.
  [[nodiscard]] crowd::GroupSpec group(std::size_t population, std::uint32_t group) const;
  /// Metres between the centres of two of a group that start together, at most.
  [[nodiscard]] double personal_distance(std::size_t population, std::uint32_t group) const;
  /// A place to try for a member beside another one.
  [[nodiscard]] navmesh::Place beside(std::size_t population, std::uint32_t number, std::uint32_t step,
                                      std::uint32_t attempt, const navmesh::Place& other, double least,
                                      double most) const;
  /// Sets place, given route and heading (along it, or towards the first goal). Who is too wide for a given route gets none and
  /// plans one.
  void put(crowd::AgentSpec& person, const navmesh::Place& place) const;
  /// A place in the start area to try; `step` and `attempt` make it another one.
  [[nodiscard]] navmesh::Place candidate(std::size_t population, std::uint32_t number, std::uint32_t step,
                                         std::uint32_t attempt) const;

  /// From now on whoever is drawn of a profile has these weights of ground, whatever the profile says.
  void set_weights(std::size_t profile, const std::map<std::string, WeightSpec>& weights);

  [[nodiscard]] const Setup& setup() const { return setup_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  /// The profile of a member of a group, or of who is alone.
  [[nodiscard]] std::size_t profile_of(std::size_t population, const Company::Place& company) const;
  [[nodiscard]] Drawn drawn_of(std::size_t population, std::uint32_t number, const ProfileSpec& profile) const;
  [[nodiscard]] goals::ItineraryPtr itinerary(std::size_t population, std::uint32_t number) const;
  [[nodiscard]] Vec2 heading(const crowd::AgentSpec& person) const;
  [[nodiscard]] routes::RoutePtr given_route(std::size_t population, double radius) const;

  const Setup& setup_;
  std::uint64_t seed_;
  std::vector<Company> companies_;                                  ///< by population
  std::vector<goals::ItineraryPtr> shared_;                         ///< by population, where nothing of it is drawn
  std::vector<std::map<std::string, WeightSpec>> changed_weights_;  ///< by profile
  std::vector<routes::RoutePtr> shared_routes_;                     ///< by population, where its radius is a constant
};

/// Everybody who is there when the run starts, in the order of the file. Refused where people do not fit, with how many would.
[[nodiscard]] Result<std::vector<crowd::AgentSpec>> populate(const People& people);

/// The mean radius of a profile's bodies, for those who ask whether they fit somewhere.
[[nodiscard]] double typical_radius(const ProfileSpec& profile);

}  // namespace throng::scenario
