// Groups in scenario files: who is with whom, what is drawn for all of them, where they start, and what is refused.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "crowd/groups.hpp"
#include "navmesh/visibility.hpp"
#include "samples.hpp"
#include "scenario/check_scenario.hpp"
#include "scenario/company.hpp"
#include "scenario/simulation.hpp"
#include "text/fnv1a.hpp"

using namespace throng;
using namespace throng::scenario;
using namespace throng::scenario::test;

namespace {

Scenario scenario_of(const std::string& text, std::map<std::string, std::string> files = {}) {
  Result<Scenario> scenario = read(text, std::move(files), installed_methods());
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  return std::move(scenario).value();
}

Simulation simulation_of(const std::string& text, unsigned threads = 1, std::map<std::string, std::string> files = {}) {
  Result<Simulation> simulation = Simulation::make(scenario_of(text, std::move(files)), {.threads = threads});
  REQUIRE_MESSAGE(simulation.ok(), to_string(simulation.problems().front()));
  return std::move(simulation).value();
}

std::string people(const std::string& members, int count = 40) {
  return in_corridor(R"("populations":[{"name":"p","count":)" + std::to_string(count) +
                     R"(,"start":{"area":"west"},"goals":[{"area":"east"}])" + (members.empty() ? "" : ",") + members +
                     "}]");
}

/// How many groups of each size; people alone are groups of one.
std::map<std::size_t, std::size_t> sizes_of(const crowd::Crowd& crowd) {
  std::map<std::size_t, std::size_t> sizes;
  std::set<std::uint64_t> seen;
  for (const crowd::Slot slot : crowd.in_serial_order()) {
    const std::uint64_t group = crowd.group_of(slot);
    if (group == 0)
      ++sizes[1];
    else if (seen.insert(group).second)
      ++sizes[crowd.members_of_group(group).size()];
  }
  return sizes;
}

std::uint64_t hash_of(Simulation& simulation, int steps) {
  geometry::Fnv1a hash;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(simulation.step().ok());
    for (const crowd::Slot slot : simulation.crowd().in_serial_order()) {
      const Vec2 p = simulation.crowd().people().position[slot];
      hash.add(simulation.crowd().people().serial[slot]).add(p.x).add(p.y);
    }
  }
  return hash.value();
}

}  // namespace

TEST_CASE("groups of a population: sizes, cut to fit the count; members start in sight and personal distance") {
  for (const int count : {40, 41}) {
    Simulation simulation = simulation_of(people(R"("groups":{"size":4})", count));
    const crowd::Crowd& crowd = simulation.crowd();
    CHECK(crowd.size() == std::size_t(count));
    auto expected = std::map<std::size_t, std::size_t>{{4, 10}};
    if (count == 41) expected[1] = 1;
    CHECK(sizes_of(crowd) == expected);
    CHECK(crowd.validate().empty());
    const agents::People all = crowd.people();
    for (const std::uint64_t serial : crowd.groups()) {
      const auto group = *crowd.group(serial);
      for (std::size_t i = 1; i < group.members.size(); ++i) {
        double nearest = 99;
        for (std::size_t k = 0; k < i; ++k)
          nearest = std::min(nearest, distance(all.position[group.members[i]], all.position[group.members[k]]));
        CHECK(nearest <= 1 + 0.24 + 1e-9);
        CHECK(navmesh::visible(*all.mesh, all.place(group.members[0]), all.place(group.members[i]), 0));
      }
    }
  }
}

TEST_CASE("groups of a population: shares are of groups, and the Poisson distribution has no zero") {
  const PopulationSpec chosen =
      scenario_of(people(R"("groups":{"size":{"choose":{"1":35,"2":45,"3":14,"4":6}}})")).populations[0];
  const PopulationSpec poisson = scenario_of(people(R"("groups":{"size":{"poisson":0.83}})")).populations[0];
  std::map<std::uint32_t, double> shares, of_poisson;
  for (std::uint32_t group = 0; group < 20000; ++group) {
    shares[Company(chosen, 1).size_of(group)] += 1 / 20000.0;
    of_poisson[Company(poisson, 1).size_of(group)] += 1 / 20000.0;
  }
  CHECK(shares[1] == doctest::Approx(0.35).epsilon(0.05));
  CHECK(shares[2] == doctest::Approx(0.45).epsilon(0.05));
  CHECK(shares[4] == doctest::Approx(0.06).epsilon(0.1));
  CHECK(of_poisson[0] == 0);
  const double none = std::exp(-0.83);
  CHECK(of_poisson[1] == doctest::Approx(0.83 * none / (1 - none)).epsilon(0.05));
  CHECK(of_poisson[3] == doctest::Approx(0.83 * 0.83 * 0.83 / 6 * none / (1 - none)).epsilon(0.1));
}

TEST_CASE(
    "groups of a population: of size 1 they have the hash of people alone, and leave others' draws as they were") {
  Simulation alone = simulation_of(people("")), ones = simulation_of(people(R"("groups":{"size":1})"));
  CHECK(hash_of(alone, 60) == hash_of(ones, 60));
  const Scenario plain = scenario_of(in_corridor(
      R"("profiles":{"d":{"speed":{"normal":[1.3,0.2]},"radius":{"uniform":[0.2,0.3]}}},"populations":[
        {"name":"a","count":9,"profile":"d","start":{"area":"west"},"goals":[{"area":"east"}]},
        {"name":"b","count":9,"profile":"d","start":{"area":"east"},"goals":[{"area":"west"}]}])"));
  const Scenario grouped = scenario_of(in_corridor(
      R"("profiles":{"d":{"speed":{"normal":[1.3,0.2]},"radius":{"uniform":[0.2,0.3]}}},"populations":[
        {"name":"a","count":9,"profile":"d","start":{"area":"west"},"groups":{"size":3},"goals":[{"area":"east"}]},
        {"name":"b","count":9,"profile":"d","start":{"area":"east"},"goals":[{"area":"west"}]}])"));
  Simulation one = Simulation::make(plain, {.threads = 1}).value();
  Simulation other = Simulation::make(grouped, {.threads = 1}).value();
  for (std::size_t i = 0; i < 18; ++i) {
    const crowd::Slot a = one.crowd().in_serial_order()[i], b = other.crowd().in_serial_order()[i];
    CHECK(one.crowd().people().radius[a] == other.crowd().people().radius[b]);
    CHECK(one.crowd().people().speed[a] == other.crowd().people().speed[b]);
    if (i >= 9) CHECK(one.crowd().people().position[a] == other.crowd().people().position[b]);
  }
}

TEST_CASE(
    "groups of a population: goals that are drawn, waits and premovement are the first member's; members' profiles") {
  Simulation simulation = simulation_of(in_corridor(
      R"("profiles":{"adult":{"premovement":{"uniform":[0,20]}},"child":{"radius":0.18,"speed":0.9,"premovement":5}},
      "populations":[{"name":"families","count":30,"start":{"area":"west"},"groups":{"members":["adult","adult","child"]},
      "goals":[{"choose":{"east":1,"west":1},"wait":{"uniform":[1,9]}},{"area":"east"}]}])"));
  const crowd::Crowd& crowd = simulation.crowd();
  CHECK(crowd.groups().size() == 10);
  std::set<crowd::Index> areas;
  for (const std::uint64_t serial : crowd.groups()) {
    const auto group = *crowd.group(serial);
    CHECK(crowd.profile_of(group.members[0]) == crowd.profile_of(group.members[1]));
    CHECK(crowd.profile_of(group.members[0]) != crowd.profile_of(group.members[2]));
    CHECK(crowd.people().radius[group.members[2]] == 0.18);
    const auto& first = *crowd.destination_of(group.members[0]).itinerary;
    areas.insert(first.goals[0].areas.front());
    for (const crowd::Slot slot : group.members) {
      const auto& goals = *crowd.destination_of(slot).itinerary;
      CHECK(goals.goals[0].areas == first.goals[0].areas);
      CHECK(goals.goals[0].wait == first.goals[0].wait);
    }
  }
  CHECK(areas.size() == 2);
}

TEST_CASE("groups of a population: a dense one stands on neighbouring places") {
  Simulation simulation = simulation_of(people(R"("groups":{"size":2})", 330));
  const crowd::Crowd& crowd = simulation.crowd();
  CHECK(crowd.groups().size() == 165);
  std::size_t near = 0;
  for (const std::uint64_t serial : crowd.groups()) {
    const auto group = *crowd.group(serial);
    near +=
        distance(crowd.people().position[group.members[0]], crowd.people().position[group.members[1]]) < 1.3 ? 1 : 0;
  }
  CHECK(near > 150);
}

TEST_CASE("groups of a file: rows of one group, in any order; what does not fit is refused with its line") {
  const std::string rows = "x,y,group\n1,1,a\n1,3,b\n2,1,a\n5,5,c\n2,3,b\n3,1,a\n";
  const auto text = [](const std::string& more = "") {
    return in_corridor(R"("populations":[{"positions":"p.csv","goals":[{"area":"east"}])" + more + "}]");
  };
  Simulation simulation = simulation_of(text(R"(,"groups":{"method":"formation"})"), 1, {{"p.csv", rows}});
  CHECK(sizes_of(simulation.crowd()) == std::map<std::size_t, std::size_t>{{1, 1}, {2, 1}, {3, 1}});
  CHECK(simulation.crowd().group(1)->method == "formation");
  CHECK(simulation_of(text(), 1, {{"p.csv", rows}}).crowd().group(1)->method == "sgn");
  const auto refusal = [&](const std::string& csv, const std::string& more = "") {
    const Result<Scenario> read_it = read(text(more), {{"p.csv", csv}});
    if (!read_it) return to_string(read_it.problems().front());
    const auto made = Simulation::make(*read_it, {.threads = 1});
    return made.ok() ? std::string() : to_string(made.problems().front());
  };
  CHECK(refusal("x,y,group\n1,1,a\n1,2,\n").find("p.csv:3: the group is empty") != std::string::npos);
  CHECK(refusal(rows, R"(,"groups":{"size":2})").find("the column group already says") != std::string::npos);
  std::string many = "x,y,group\n";
  for (int i = 0; i < 65; ++i) many += fmt::format("{},{},a\n", 1 + 0.6 * (i % 11), 1 + 0.6 * (i / 11));
  CHECK(refusal(many).find("65 members") != std::string::npos);
  const auto goals = refusal("x,y,gx,gy,group\n1,1,30,1,a\n1,2,30,5,a\n");
  CHECK(goals.find("goals") != std::string::npos);  // beside "goals" gx and gy have no place
  const auto two_goals = [&](const std::string& csv) {
    const auto made = Simulation::make(
        scenario_of(in_corridor(R"("populations":[{"positions":"p.csv"}])"), {{"p.csv", csv}}), {.threads = 1});
    return made.ok() ? std::string() : to_string(made.problems().front());
  };
  CHECK(two_goals("x,y,gx,gy,group\n1,1,30,1,a\n1,2,30,5,a\n").find("different goals") != std::string::npos);
  CHECK(two_goals("x,y,gx,gy,group\n1,1,30,1,a\n1,2,30,1,a\n") == "");
  // Two storeys that are not joined.
  const auto storeys_run =
      Simulation::make(*read(R"({"throng":1,"environment":"storeys.geojson","populations":[{"positions":"p.csv"}]})",
                             {{"p.csv", "x,y,layer,group\n1,1,ground,a\n1,1,upper,a\n"}}),
                       {.threads = 1});
  REQUIRE_FALSE(storeys_run.ok());
  CHECK(to_string(storeys_run.problems().front()).find("p.csv:3") != std::string::npos);
  CHECK(to_string(storeys_run.problems().front()).find("no way") != std::string::npos);
}

TEST_CASE("groups from a source enter whole, at the rate of people, and come back from a snapshot") {
  const std::string text = in_corridor(
      R"("duration":200,"populations":[{"name":"s","rate":1.5,"start":{"area":"west"},"goals":[{"area":"east"}],"groups":{"size":{"choose":{"2":1,"3":1}}}}])");
  Simulation simulation = simulation_of(text);
  std::map<std::uint64_t, std::size_t> size_at_first;
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(simulation.step().ok());
    for (const std::uint64_t serial : simulation.crowd().groups())
      size_at_first.try_emplace(serial, simulation.crowd().members_of_group(serial).size());
    if (i == 500) {
      geometry::ArchiveWriter bytes;
      simulation.save(bytes);
      geometry::ArchiveReader reader(bytes.bytes());
      Result<Simulation> resumed = Simulation::resume(scenario_of(text), {.threads = 2}, reader);
      REQUIRE_MESSAGE(resumed.ok(), to_string(resumed.problems().front()));
      CHECK(resumed->crowd().groups() == simulation.crowd().groups());
      simulation = std::move(resumed).value();
    }
  }
  for (const auto& [serial, size] : size_at_first) CHECK((size == 2 || size == 3));
  CHECK(double(simulation.sources()[0].counts().due) == doctest::Approx(150).epsilon(0.25));
  CHECK(size_at_first.size() > 40);
}

TEST_CASE("groups in a world that changes, and groups that are added to a run") {
  const std::string text = people(R"("groups":{"size":3})", 12);
  Simulation simulation = simulation_of(text);
  for (int i = 0; i < 30; ++i) REQUIRE(simulation.step().ok());
  REQUIRE(simulation.change(scenario_of(text)).ok());
  CHECK(simulation.crowd().groups().size() == 4);
  const auto came = simulation.add_people(0, {{30, 5}, 0}, 7);
  REQUIRE(came.ok());
  CHECK(came->size() == 7);
  CHECK(sizes_of(simulation.crowd()) == std::map<std::size_t, std::size_t>{{1, 1}, {3, 6}});
  for (int i = 0; i < 600 && !simulation.finished(); ++i) REQUIRE(simulation.step().ok());
  CHECK(simulation.finished());
}
