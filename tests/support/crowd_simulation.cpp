#include "support/crowd_simulation.hpp"

#include <doctest/doctest.h>

#include "environment/clean/clean.hpp"
#include "following/follower.hpp"
#include "navmesh/random_point.hpp"
#include "support/random.hpp"

namespace throng::test {

crowd::WorldPtr make_crowd_world(const environment::Environment& source) {
  Result<environment::CleanEnvironment> clean = environment::clean(source);
  REQUIRE_MESSAGE(clean.ok(), to_string(clean.problems().front()));
  Result<crowd::WorldPtr> world = crowd::make_world(std::move(clean).value());
  REQUIRE_MESSAGE(world.ok(), to_string(world.problems().front()));
  return *world;
}

CrowdSimulation::CrowdSimulation(std::unique_ptr<crowd::Crowd> crowd, double time_step)
    : crowd_(std::move(crowd)), time_step_(time_step) {
  shown_.show(*crowd_);
}

void CrowdSimulation::step() {
  REQUIRE(crowd_->step(time_step_).ok());
  const Problems problems = crowd_->validate();
  REQUIRE_MESSAGE(problems.empty(), to_string(problems.front()));
  shown_.show(*crowd_);
}

void ShownPeople::show(const crowd::Crowd& crowd) {
  serials_.clear(), layers_.clear(), positions_.clear(), radii_.clear();
  const agents::People people = crowd.people();
  for (const crowd::Slot slot : crowd.in_serial_order()) {
    serials_.push_back(people.serial[slot]);
    layers_.push_back(people.layer[slot]);
    positions_.push_back(people.position[slot]);
    radii_.push_back(people.radius[slot]);
  }
}

crowd::AgentSpec walker(navmesh::Place from, navmesh::Place to) {
  crowd::AgentSpec spec;
  spec.place = from;
  const Vec2 ahead = to.point - from.point;
  if (squared_length(ahead) > 0) spec.heading = ahead;
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->goals.push_back({to, 0.5, {}, 0});
  spec.itinerary = itinerary;
  return spec;
}

void strew_people(crowd::Crowd& crowd, std::uint64_t seed, std::size_t count, const std::vector<std::string>& avoidance,
                  const std::vector<std::string>& streams) {
  const navmesh::Mesh& mesh = *crowd.world().mesh;
  Random random(seed);
  const auto place = [&] {
    const auto layer = navmesh::Index(random.below(mesh.layers.size()));
    return navmesh::random_point(mesh, layer, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = place();
    const auto to = place();
    if (!from || !to) continue;
    crowd::AgentSpec spec = walker(*from, *to);
    spec.radius = i % 3 == 2 ? 0.2 : 0.24;
    spec.speed = random.uniform(0.8, 2.0);
    spec.number = std::uint32_t(i);
    spec.methods[agents::Level::avoid] = {avoidance[i % avoidance.size()], {}};
    const auto& followers = following::followers();
    spec.methods[agents::Level::follow] = {std::string(followers[i / avoidance.size() % followers.size()]->info().name),
                                           {}};
    if (!streams.empty() && !streams[i % streams.size()].empty())
      spec.methods[agents::Level::coordinate] = {streams[i % streams.size()], {}};
    if (crowd.is_free(*from, spec.radius)) REQUIRE(crowd.add(spec).ok());
  }
}

}  // namespace throng::test
