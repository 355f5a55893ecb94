// A distance to who walks ahead that grows with speed, by every method that has the number.
#include "steering/headway.hpp"

#include <doctest/doctest.h>

#include "crowd/crowd.hpp"
#include "environment/sketch.hpp"

using namespace throng;
using namespace throng::steering;

namespace {

constexpr double radius = 0.2, slow = 0.6;

/// Two behind each other in a corridor in which nobody can overtake: metres from centre to centre after half a minute.
double distance_behind(const Avoider& avoider, double headway, double standstill) {
  environment::Sketch sketch("corridor");
  sketch.walkable({environment::rectangle({0, 0}, {80, 0.7}), {}});
  const crowd::WorldPtr world = *crowd::make_world(*environment::clean(std::move(sketch).take()));
  crowd::Crowd crowd(world, {1, 1});
  for (const bool is_ahead : {false, true}) {
    crowd::AgentSpec spec;
    spec.place = {{is_ahead ? 5.0 : 1.0, 0.35}, 0};
    spec.radius = radius;
    spec.speed = is_ahead ? slow : 1.4;
    spec.methods[agents::Level::avoid].name = std::string(avoider.info().name);
    std::vector<double>& numbers = spec.methods[agents::Level::avoid].parameters;
    numbers = agents::default_block(avoider.info());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (avoider.info().parameters[i].name == "headway") numbers[i] = headway;
      if (avoider.info().parameters[i].name == "standstill") numbers[i] = standstill;
    }
    auto itinerary = std::make_shared<goals::Itinerary>();
    itinerary->goals.push_back({{{79, 0.35}, 0}, 0.5, {}, 0});
    spec.itinerary = itinerary;
    REQUIRE(crowd.add(spec).ok());
  }
  while (crowd.time() < 30) REQUIRE(crowd.step(0.1).ok());
  const agents::People people = crowd.people();
  return people.position[crowd.in_serial_order()[1]].x - people.position[crowd.in_serial_order()[0]].x;
}

}  // namespace

TEST_CASE("headway: who follows somebody slow keeps the distance at rest and so many seconds more") {
  for (const Avoider* avoider : avoiders()) {
    if (avoider->info().parameter("headway") == nullptr) continue;
    CAPTURE(avoider->info().name);
    CHECK(distance_behind(*avoider, 0.83, 0) == doctest::Approx(2 * radius + 0.83 * slow).epsilon(0.08));
    // It turns away from whoever is that far ahead, and then has nobody in its way.
    if (avoider->info().name == "proximity") continue;
    CHECK(distance_behind(*avoider, 2, 0.3) > 2 * radius + 0.3 + 0.95 * 2 * slow);
  }
}

TEST_CASE("headway: the methods that avoid people all have it, off by default") {
  for (const char* name :
       {"moussaid", "moussaid_jaklin", "orca", "karamouzas", "sampling", "social_force", "proximity"}) {
    CAPTURE(name);
    const agents::Parameter* headway = find_avoider(name)->info().parameter("headway");
    REQUIRE(headway != nullptr);
    CHECK(headway->value == 0);
    CHECK(headway->published_value() == 0);
  }
}
