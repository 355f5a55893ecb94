#include "scenario/populate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "navmesh/locate.hpp"
#include "samples.hpp"

using namespace throng;
using namespace throng::scenario;
using namespace throng::scenario::test;

namespace {

struct Placed {
  Scenario scenario;
  crowd::World world;
  Result<std::vector<crowd::AgentSpec>> people;
};

Placed place(const std::string& text, std::uint64_t seed = 1, std::map<std::string, std::string> files = {}) {
  Result<Scenario> scenario = read(text, std::move(files));
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  crowd::World world = world_of(*scenario);
  const Result<Setup> setup = set_up(*scenario, world);
  REQUIRE_MESSAGE(setup.ok(), to_string(setup.problems().front()));
  auto people = populate(People(*setup, seed));
  return {std::move(scenario).value(), std::move(world), std::move(people)};
}

void check_places(const Placed& placed) {
  const std::vector<crowd::AgentSpec>& people = *placed.people;
  for (std::size_t i = 0; i < people.size(); ++i) {
    const navmesh::Located at = navmesh::locate(*placed.world.mesh, people[i].place);
    REQUIRE(at);
    REQUIRE(at.clearance >= people[i].radius);
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = std::sqrt(squared_length(people[i].place.point - people[j].place.point));
      REQUIRE(distance >= people[i].radius + people[j].radius);
    }
  }
}

std::string crowd_of(int count, const std::string& radius) {
  return in_corridor(R"("profiles":{"p":{"radius":)" + radius + R"(}},"populations":[{"profile":"p","count":)" +
                     std::to_string(count) + R"(,"start":{"area":"west"},"goals":[{"area":"east"}]}])");
}

}  // namespace

TEST_CASE("people stand in free space, apart from each other, in their start area") {
  const Placed placed = place(crowd_of(100, R"({"uniform":[0.15,0.3]})"));
  REQUIRE(placed.people.ok());
  REQUIRE(placed.people->size() == 100);
  check_places(placed);
  for (const crowd::AgentSpec& person : *placed.people) {
    CHECK(person.place.point.x <= 8.0001);
    CHECK(person.radius >= 0.15);
    CHECK(person.radius <= 0.3);
    CHECK(person.heading.x > 0);  // the goal is in the east
    CHECK(std::abs(squared_length(person.heading) - 1) < 1e-9);
  }
}

TEST_CASE("dense starts are packed: six persons a square metre on the ground that bodies can use") {
  // Centres keep 0.18 m from three walls: 7.82 x 9.64 m. 450 bodies of 0.18 m cover 0.61 of it, more than places drawn one
  // after the other ever reach (0.547).
  const Placed placed = place(crowd_of(450, "0.18"));
  REQUIRE_MESSAGE(placed.people.ok(), to_string(placed.people.problems().front()));
  REQUIRE(placed.people->size() == 450);
  check_places(placed);
}

TEST_CASE("people who do not fit are refused with population, how many fit, and the density") {
  const Placed placed = place(crowd_of(800, "0.24"));
  REQUIRE(!placed.people.ok());
  const Problem& problem = placed.people.problems().front();
  CHECK(problem.place == "run.json: /populations/0/start/area");
  CHECK(problem.message.find("'population-0'") != std::string::npos);
  CHECK(problem.message.find("of 800 people") != std::string::npos);
  CHECK(problem.message.find("10.00 persons a square metre") != std::string::npos);
  const auto at = problem.message.find("fit: ");
  REQUIRE(at != std::string::npos);
  CHECK(std::stoi(problem.message.substr(at + 5)) > 300);
}

TEST_CASE("a body that fits nowhere is refused, not placed") {
  const Placed placed = place(in_corridor(
      R"("profiles":{"p":{"radius":6}},"populations":[{"profile":"p","count":1,"start":{"area":"west"}}])"));
  CHECK(!placed.people.ok());
}

TEST_CASE("populations do not stand in each other's place, given positions first") {
  const Placed placed = place(in_corridor(R"("populations":[{"name":"a","count":120,"start":{"area":"west"}},
                           {"name":"b","count":120,"start":{"polygon":[[2,0],[12,0],[12,10],[2,10]]}},
                           {"name":"c","positions":"c.csv"}])"),
                              1, {{"c.csv", "x,y\n3,3\n3,4\n5,5\n"}});
  REQUIRE(placed.people.ok());
  REQUIRE(placed.people->size() == 243);
  check_places(placed);
  CHECK(placed.people->at(240).place.point == Vec2{3, 3});
  CHECK(placed.people->at(242).number == 2);
}

TEST_CASE("adding a population leaves the draws of the others unchanged") {
  const std::string base = R"({"name":"a","count":50,"start":{"area":"west"},
      "goals":[{"choose":{"east":1,"west":1},"wait":{"uniform":[1,9]}}]})";
  const std::string other = R"({"name":"b","count":40,"start":{"area":"east"}})";
  const Placed alone = place(in_corridor(R"("populations":[)" + base + "]"));
  const Placed before = place(in_corridor(R"("populations":[)" + other + "," + base + "]"));
  const Placed after = place(in_corridor(R"("populations":[)" + base + "," + other + "]"));
  REQUIRE(alone.people.ok());
  REQUIRE(before.people.ok());
  REQUIRE(after.people.ok());
  for (std::size_t i = 0; i < 50; ++i) {
    const crowd::AgentSpec &a = (*alone.people)[i], &b = (*before.people)[i + 40], &c = (*after.people)[i];
    for (const crowd::AgentSpec* same : {&b, &c}) {
      CHECK(same->place == a.place);
      CHECK(same->speed == a.speed);
      CHECK(same->itinerary->goals[0].wait == a.itinerary->goals[0].wait);
      CHECK(same->number == a.number);
    }
  }
}

TEST_CASE("seeds differ, and the same seed gives the same bits") {
  const std::string text = crowd_of(60, "0.2");
  const Placed one = place(text, 1), again = place(text, 1), two = place(text, 2);
  int same = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    CHECK((*one.people)[i].place == (*again.people)[i].place);
    CHECK((*one.people)[i].speed == (*again.people)[i].speed);
    same += (*one.people)[i].speed == (*two.people)[i].speed ? 1 : 0;
  }
  CHECK(same == 0);
}

TEST_CASE("every number of a profile may be a distribution, and each is drawn on its own") {
  const Placed placed = place(in_corridor(R"("profiles":{"p":{"radius":{"uniform":[0.15,0.3]},"speed":{"uniform":[1,2]},
        "premovement":{"uniform":[0,10]},"route":{"method":"left","clearance":{"uniform":[0.3,0.9]}},
        "follow":{"shortcut":{"uniform":[2,6]},"sampling":0.5},"avoid":{"method":"none"},"stairs":{"up":{"uniform":[0.4,0.6]}}}},
        "populations":[{"profile":"p","count":150,"start":{"area":"west"}}])"));
  REQUIRE(placed.people.ok());
  double sum = 0, sum_squares_a = 0, sum_squares_b = 0, product = 0;
  for (const crowd::AgentSpec& person : *placed.people) {
    CHECK(person.methods[agents::Level::route].name == "left");
    CHECK(person.methods[agents::Level::avoid].name == "none");
    CHECK(person.methods[agents::Level::avoid].parameters.empty());
    REQUIRE(person.methods[agents::Level::follow].parameters.size() == 2);
    CHECK(person.methods[agents::Level::follow].parameters[0] >= 2);
    CHECK(person.methods[agents::Level::follow].parameters[0] <= 6);
    CHECK(person.methods[agents::Level::follow].parameters[1] == 0.5);
    CHECK(person.stairs_down == 0.65);
    sum += person.premovement;
    const double a = person.radius - 0.225, b = person.speed - 1.5;
    product += a * b, sum_squares_a += a * a, sum_squares_b += b * b;
  }
  CHECK(sum / 150 == doctest::Approx(5).epsilon(0.2));
  CHECK(std::abs(product / std::sqrt(sum_squares_a * sum_squares_b)) < 0.25);  // not correlated
}

TEST_CASE("chosen goals come with their weights; waits are drawn; shared itineraries are shared") {
  const Placed placed = place(in_corridor(R"("populations":[
     {"name":"a","count":150,"start":{"area":"west"},"goals":[{"choose":{"east":3,"west":1}}]},
     {"name":"b","count":20,"start":{"polygon":[[10,0],[18,0],[18,10],[10,10]]},"goals":[{"area":"east","wait":4},{"point":[1,1]}],"at_goal":"stay"}])"));
  REQUIRE(placed.people.ok());
  int east = 0;
  for (std::size_t i = 0; i < 150; ++i) {
    REQUIRE((*placed.people)[i].itinerary->goals.size() == 1);
    const auto& areas = (*placed.people)[i].itinerary->goals[0].areas;
    REQUIRE(areas.size() == 1);
    east += areas[0] == 1 ? 1 : 0;  // west is the start and was named first
  }
  CHECK(east / 150.0 == doctest::Approx(0.75).epsilon(0.15));
  const crowd::AgentSpec& b = (*placed.people)[150];
  CHECK(b.itinerary == (*placed.people)[151].itinerary);
  CHECK(b.itinerary->at_last == goals::AtLastGoal::stay);
  CHECK(b.itinerary->goals[0].wait == 4);
  CHECK(b.itinerary->goals[1].point == navmesh::Place{{1, 1}, 0});
  CHECK(b.itinerary->goals[1].radius == 0.5);
}

TEST_CASE("positions in walls are refused by line; overlapping ones are warned of; goal columns are goals") {
  const std::string text = in_corridor(R"("populations":[{"positions":"p.csv"}])");
  const Placed bad = place(text, 1, {{"p.csv", "x,y\n1,1\n0.1,5\n"}});
  REQUIRE(!bad.people.ok());
  CHECK(bad.people.problems()[0].place == "p.csv:3");
  const Placed near = place(text, 1, {{"p.csv", "1,1\n1.2,1\n"}});
  REQUIRE(near.people.ok());
  REQUIRE(near.people.problems().size() == 1);
  CHECK(near.people.problems()[0].place == "p.csv:2");
  const Placed goals = place(text, 1, {{"p.csv", "x,y,gx,gy\n1,1,39,9\n39,9,1,1\n"}});
  REQUIRE(goals.people.ok());
  CHECK((*goals.people)[0].itinerary->goals[0].point == navmesh::Place{{39, 9}, 0});
  CHECK((*goals.people)[1].itinerary->goals[0].point == navmesh::Place{{1, 1}, 0});
}

TEST_CASE("given routes are checked against walls and given to everybody of the population") {
  const auto route = [](const std::string& points) {
    return population(R"("goals":[{"area":"east"}],"route_points":)" + points);
  };
  const Placed placed = place(route("[[1,1],[20,2],[39,9]]"));
  REQUIRE(placed.people.ok());
  REQUIRE((*placed.people)[0].given_route);
  CHECK((*placed.people)[0].given_route == (*placed.people)[2].given_route);
  CHECK((*placed.people)[0].given_route->length > 38);
  const Result<Scenario> through_the_pillar = read(route("[[1,5],[39,5]]"));
  REQUIRE(through_the_pillar.ok());
  const crowd::World world = world_of(*through_the_pillar);
  const Result<Setup> setup = set_up(*through_the_pillar, world);
  REQUIRE(!setup.ok());
  CHECK(setup.problems()[0].place == "run.json: /populations/0/route_points/0");
}

TEST_CASE("speeds are read off a table by the age that is drawn, and an age changes no other draw") {
  const auto text = [](const std::string& members) {
    return in_corridor(
        R"("profiles":{"p":{)" + members +
        R"("radius":{"uniform":[0.1,0.2]}}},"populations":[{"profile":"p","count":50,"start":{"area":"west"}}])");
  };
  const Placed plain = place(text(""));
  const Placed aged =
      place(text(R"("drawn":{"age":{"uniform":[20,80]}},"speed":{"by":"age","table":[[20,1.6],[80,0.4]]},)"));
  REQUIRE(plain.people.ok());
  REQUIRE(aged.people.ok());
  const Result<Setup> setup = set_up(aged.scenario, aged.world);
  REQUIRE(setup.ok());
  const People people(*setup, 1);
  for (std::uint32_t i = 0; i < 50; ++i) {
    const crowd::AgentSpec& person = (*aged.people)[i];
    const double age = people.drawn(0, person.number).at("age");
    CHECK(age >= 20);
    CHECK(age <= 80);
    CHECK(person.speed == doctest::Approx(1.6 - 1.2 * (age - 20) / 60));
    CHECK(person.radius == (*plain.people)[i].radius);
    CHECK(person.place.point == (*plain.people)[i].place.point);
  }
}

TEST_CASE("populations that ship have the speeds of their guidelines") {
  struct Expected {
    const char* name;
    double mean, least, most;
  };
  // RiMEA's means: of the curve over the ages, from a numerical integral; IMO's: of the groups by their shares.
  for (const Expected& e : {Expected{"rimea-standard", 1.401, 0.2, 3}, Expected{"rimea-adults", 1.319, 0.2, 3},
                            Expected{"imo-men-30-50", 1.295, 0.97, 1.62}, Expected{"imo-crew", 1.36, 0.93, 1.85},
                            Expected{"imo-passengers", 0.911, 0.37, 1.85}}) {
    CAPTURE(e.name);
    Result<Scenario> scenario = read(in_corridor(std::string(R"("populations":[{"profile":")") + e.name +
                                                 R"(","count":1,"start":{"area":"west"}}])"));
    REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
    const crowd::World world = world_of(*scenario);
    const Result<Setup> setup = set_up(*scenario, world);
    REQUIRE(setup.ok());
    const People people(*setup, 1);
    double sum = 0;
    constexpr std::uint32_t count = 4000;
    for (std::uint32_t i = 0; i < count; ++i) {
      const double speed = people.draw(0, i).speed;
      CHECK(speed >= e.least);
      CHECK(speed <= e.most);
      sum += speed;
    }
    CHECK(sum / count == doctest::Approx(e.mean).epsilon(0.02));
  }
}

TEST_CASE("a profile that is like one that ships says what is different") {
  const Result<Scenario> scenario = read(profile(R"("like":"rimea-standard","radius":0.2,"drawn":{"age":30})"));
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  CHECK(scenario->profiles[0].radius == Number(0.2));
  CHECK(scenario->profiles[0].drawn.at("age") == Number(30));
  CHECK(scenario->profiles[0].drawn.contains("man"));
  CHECK(scenario->profiles[0].speed.kind() == Number::Kind::table);
}
