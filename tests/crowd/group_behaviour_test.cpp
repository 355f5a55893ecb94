// How groups walk, as people do: abreast where there is room, slower with every member, together again after a pillar, passed as one; and in
// random worlds nobody is stuck for want of a companion.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "crowd/groups.hpp"
#include "crowd/methods.hpp"
#include "environment/generate/random_scenes.hpp"
#include "environment/sketch.hpp"
#include "navmesh/random_point.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using crowd::Activity;
using crowd::AgentSpec;
using crowd::Companionship;
using crowd::Crowd;
using crowd::GroupEvent;
using crowd::GroupMode;
using crowd::Level;
using crowd::Slot;
using environment::Sketch;

crowd::WorldPtr corridor(double length, double width) {
  Sketch sketch("corridor");
  sketch.walkable({environment::rectangle({0, 0}, {length, width}), {}});
  return make_crowd_world(std::move(sketch).take());
}

/// Groups of one size all along a corridor, on their way to the right end.
void fill(Crowd& crowd, const std::string& method, std::size_t size, double length, double width, double density,
          std::uint64_t seed) {
  Random random(seed);
  const auto groups = std::size_t(density * length * width / double(size));
  for (std::size_t g = 0, tries = 0; g < groups && tries < 20 * groups; ++tries) {
    const Vec2 at{random.uniform(1, 0.6 * length), random.uniform(0.4, width - 0.4)};
    std::vector<AgentSpec> specs;
    for (std::size_t i = 0; i < size; ++i) {
      const Vec2 place = at + Vec2{0.55 * double(i / 2), 0.55 * double(i % 2)};
      if (place.y > width - 0.3) break;
      specs.push_back(walker({place, 0}, {{length - 1, std::clamp(at.y, 1.0, width - 1)}, 0}));
      specs.back().speed = std::clamp(random.uniform(0.8, 1.9), 0.8, 1.9);
      specs.back().number = std::uint32_t(g * 8 + i);
      if (!crowd.is_free({place, 0}, 0.24)) break;
    }
    if (specs.size() < size) continue;
    REQUIRE(crowd.add_group(specs, {{method, {}}}).ok());
    ++g;
  }
}

struct Walk {
  std::vector<double> nearest;
  double abreast = 0, steps = 0, speed = 0, middle_back = 0, middles = 0;
  std::map<steering::Shape, int> shapes;
  [[nodiscard]] double median() {
    std::ranges::sort(nearest);
    return nearest.empty() ? 0 : nearest[nearest.size() / 2];
  }
};

Walk observe(const std::string& method, std::size_t size, double density, std::uint64_t seed) {
  constexpr double length_of_corridor = 60, width = 6;
  Crowd crowd(corridor(length_of_corridor, width), {.seed = seed, .threads = 2});
  fill(crowd, method, size, length_of_corridor, width, density, seed);
  Walk walk;
  for (int i = 0; i < 250; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    if (i < 60) continue;
    const agents::People people = crowd.people();
    for (const std::uint64_t serial : crowd.groups()) {
      const auto group = *crowd.group(serial);
      if (group.mode != GroupMode::walks && method != "moussaid_2010") continue;
      if (group.shape) ++walk.shapes[*group.shape];
      std::vector<Slot> in;
      for (const Slot slot : group.members)
        if (crowd.activity(slot) == Activity::walking && people.position[slot].x < 50) in.push_back(slot);
      if (in.size() < 2) continue;
      for (const Slot slot : in) {
        Slot nearest = in.front() == slot ? in[1] : in.front();
        for (const Slot other : in)
          if (other != slot && distance(people.position[other], people.position[slot]) <
                                   distance(people.position[nearest], people.position[slot]))
            nearest = other;
        const Vec2 between = people.position[nearest] - people.position[slot];
        walk.nearest.push_back(length(between));
        walk.abreast += std::abs(between.y) > 1.7320508 * std::abs(between.x) ? 1 : 0;
        walk.speed += length(people.velocity[slot]);
        ++walk.steps;
      }
      if (in.size() == 3) {
        std::ranges::sort(in, {}, [&](Slot slot) { return people.position[slot].y; });
        walk.middle_back += (people.position[in[0]].x + people.position[in[2]].x) / 2 - people.position[in[1]].x;
        ++walk.middles;
      }
    }
  }
  return walk;
}

TEST_CASE(
    "long: groups: pairs walk abreast, half a metre to a metre apart; the middle one of three walks behind in "
    "formation") {
  for (const std::string method : {"sgn", "formation"}) {
    CAPTURE(method);
    Walk pairs = observe(method, 2, 0.15, 1);
    REQUIRE(pairs.steps > 1000);
    MESSAGE(method << ": pairs, median distance " << pairs.median() << " m, abreast " << pairs.abreast / pairs.steps);
    CHECK(pairs.median() >= 0.5);
    CHECK(pairs.median() <= 1.1);
    CHECK(pairs.abreast / pairs.steps >= 0.6);
    std::vector<double> speeds;
    for (const std::size_t size : {2, 3, 4}) {
      Walk walk;
      for (const std::uint64_t seed : {1, 2, 3}) {
        const Walk one = observe(method, size, 0.15, seed);
        walk.speed += one.speed, walk.steps += one.steps;
        walk.middle_back += one.middle_back, walk.middles += one.middles;
      }
      speeds.push_back(walk.speed / walk.steps);
      if (size != 3) continue;
      MESSAGE(method << ": the middle one of three is " << walk.middle_back / walk.middles << " m behind");
      if (method == "formation") CHECK(walk.middle_back / walk.middles >= 0);
    }
    MESSAGE(method << ": speeds by size " << speeds[0] << " " << speeds[1] << " " << speeds[2]);
    CHECK((speeds[0] - speeds[2]) / 2 >= 0.03);
    CHECK((speeds[0] - speeds[2]) / 2 <= 0.12);
  }
}

TEST_CASE("long: groups: at a person a square metre formations are V or river") {
  const Walk dense = observe("formation", 3, 1.0, 1);
  int all = 0;
  for (const auto& [shape, times] : dense.shapes) all += times;
  REQUIRE(all > 500);
  MESSAGE(
      "abreast " << (dense.shapes.contains(steering::Shape::abreast) ? dense.shapes.at(steering::Shape::abreast) : 0)
                 << " of " << all);
  CHECK((dense.shapes.contains(steering::Shape::abreast) ? dense.shapes.at(steering::Shape::abreast) : 0) < 0.25 * all);
}

TEST_CASE("long: groups: split by a pillar, a group is together again within 20 s of open ground, 20 of 20 seeds") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Sketch sketch("pillar");
    sketch.walkable({environment::rectangle({0, 0}, {70, 14}), {}});
    sketch.obstacle({environment::rectangle({15, 4}, {25, 10}), {}});
    Crowd crowd(make_crowd_world(std::move(sketch).take()), {.seed = seed, .threads = 1});
    std::vector<AgentSpec> specs;
    for (int i = 0; i < 4; ++i) {
      specs.push_back(walker({{2 + random.uniform(0, 0.3), 6.0 + 0.7 * i}, 0}, {{68, 7}, 0}));
      specs.back().speed = random.uniform(1.0, 1.6);
    }
    const auto ids = crowd.add_group(specs, {});
    REQUIRE(ids.ok());
    // Two are pushed round the other side.
    for (int i = 0; i < 50; ++i) REQUIRE(crowd.step(0.1).ok());
    REQUIRE(crowd.teleport((*ids)[0], {{14, 11.5}, 0}).ok());
    REQUIRE(crowd.teleport((*ids)[1], {{14, 2.5}, 0}).ok());
    double open = 0, together = 0;
    while (crowd.time() < 100 && together == 0 && crowd.size() == 4) {
      REQUIRE(crowd.step(0.1).ok());
      const agents::People people = crowd.people();
      double least = 1e9, most = 0;
      for (const auto id : *ids) {
        const Vec2 p = people.position[crowd.slot_of(id)];
        least = std::min(least, p.x), most = std::max(most, p.x);
      }
      if (open == 0 && most > 26) open = crowd.time();
      bool all_together = open > 0 && least > 25;
      for (const auto id : *ids) {
        all_together = all_together && crowd.companionship_of(crowd.slot_of(id)) != Companionship::parted;
        double nearest = 1e9;
        for (const auto other : *ids)
          if (!(other == id))
            nearest =
                std::min(nearest, distance(people.position[crowd.slot_of(id)], people.position[crowd.slot_of(other)]));
        all_together = all_together && nearest < 3;
      }
      if (all_together) together = crowd.time();
    }
    CHECK(together > 0);
    CHECK(together - open < 20);
  }
}

/// Of people who meet groups, how many go between two members.
std::pair<int, double> go_between(double around, double density, std::size_t size, std::uint64_t seed) {
  constexpr double long_side = 50, width = 10;
  Crowd crowd(corridor(long_side, width), {.seed = seed, .threads = 2});
  Random random(seed);
  const auto count = int(density * long_side * width / 2);
  const auto with_number = [&](AgentSpec& spec) {
    const agents::MethodInfo& info = *crowd::built_in_methods()->find(Level::avoid, "moussaid");
    std::vector<double> numbers = agents::default_block(info);
    numbers[std::size_t(info.parameter("around_groups") - info.parameters.data())] = around;
    spec.methods[Level::avoid] = {"moussaid", numbers};
  };
  std::vector<std::uint64_t> alone;
  for (int i = 0; i < count; ++i) {
    const Vec2 at{random.uniform(26, 49), random.uniform(0.5, width - 0.5)};
    AgentSpec spec = walker({at, 0}, {{1, at.y}, 0});
    with_number(spec);
    if (crowd.is_free({at, 0}, 0.26)) REQUIRE(crowd.add(spec).ok());
  }
  for (int g = 0; g * int(size) < count; ++g) {
    const Vec2 at{random.uniform(1, 24), random.uniform(0.5, width - 0.6 - 0.8 * double(size - 1))};
    std::vector<AgentSpec> specs;
    bool fits = true;
    for (std::size_t i = 0; i < size; ++i) {
      specs.push_back(
          walker({at + Vec2{0, 0.8 * double(i)}, 0}, {{49, std::clamp(at.y + 0.8 * double(i), 1.0, 9.0)}, 0}));
      with_number(specs.back());
      fits = fits && crowd.is_free(specs.back().place, 0.26);
    }
    if (fits) REQUIRE(crowd.add_group(specs, {{"formation", {}}}).ok());
  }
  int between = 0;
  double arrivals = 0, arrived = 0;
  std::map<std::uint64_t, Vec2> before;
  for (int i = 0; i < 900 && crowd.size() > 0; ++i) {
    before.clear();
    for (const Slot slot : crowd.in_serial_order()) before[crowd.people().serial[slot]] = crowd.people().position[slot];
    REQUIRE(crowd.step(0.1).ok());
    for (const auto& gone : crowd.departures()) arrivals += gone.time, ++arrived;
    const agents::People people = crowd.people();
    for (const std::uint64_t serial : crowd.groups()) {
      const auto group = *crowd.group(serial);
      if (group.mode != GroupMode::walks) continue;
      for (std::size_t a = 0; a < group.members.size(); ++a)
        for (std::size_t b = a + 1; b < group.members.size(); ++b) {
          const Vec2 p = people.position[group.members[a]], q = people.position[group.members[b]];
          if (distance(p, q) > 4 * 0.24 + 0.5) continue;  // farther apart they are not passed as one
          const Vec2 p0 = before[people.serial[group.members[a]]], q0 = before[people.serial[group.members[b]]];
          for (const Slot slot : crowd.in_serial_order()) {
            if (crowd.group_of(slot) != 0) continue;
            const Vec2 x = people.position[slot], x0 = before[people.serial[slot]];
            const double now = cross(q - p, x - p), then = cross(q0 - p0, x0 - p0);
            const double along = dot(x - p, q - p) / squared_length(q - p);
            if ((now > 0) != (then > 0) && along > 0 && along < 1) ++between;
          }
        }
    }
  }
  return {between, arrived > 0 ? arrivals / arrived : 1e9};
}

TEST_CASE("long: groups: pairs and threes are passed as one where there is room, at little price where there is none") {
  int with = 0, without = 0;
  for (const std::size_t size : {2, 3})
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      with += go_between(1, 0.1, size, seed).first;
      without += go_between(0, 0.1, size, seed).first;
    }
  MESSAGE("between two members: " << with << " with around_groups, " << without << " without");
  CHECK(without >= 10);
  CHECK(4 * with <= without);  // a fifth was aimed at: docs/groups.md
  double time[2]{};
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const int around : {0, 1}) time[around] += go_between(around, 1.5, 2, seed).second / 3;
  MESSAGE("travel times at 1.5 persons/m2: " << time[1] << " and " << time[0]);
  CHECK(std::abs(time[1] / time[0] - 1) <= 0.15);  // 0.03 was aimed at: docs/groups.md
}

TEST_CASE(
    "long: groups: in random worlds nobody waits for a companion longer than patience and 30 s; no walls are crossed") {
  const char* many = std::getenv("THRONG_GROUP_SCENARIOS");
  const std::uint64_t scenarios = many != nullptr ? std::strtoull(many, nullptr, 10) : 1000;
  std::size_t members = 0, parted = 0;
  for (std::uint64_t seed = 1; seed <= scenarios; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const auto cleaned = environment::clean(
        environment::random_scene(seed, environment::all_scene_kinds[seed % std::size(environment::all_scene_kinds)]));
    if (!cleaned.ok()) continue;
    const auto made = crowd::make_world(*cleaned);
    if (!made.ok()) continue;
    const crowd::WorldPtr world = *made;
    if (world->mesh->layers.empty() || world->mesh->cell_count() == 0) continue;
    auto crowd = std::make_unique<Crowd>(world, crowd::CrowdOptions{.seed = seed, .threads = 2});
    const auto place = [&]() {
      const auto layer = navmesh::Index(random.below(world->mesh->layers.size()));
      return navmesh::random_point(*world->mesh, layer, random.uniform(0, 1), random.uniform(0, 1),
                                   random.uniform(0, 1));
    };
    const double patience = 10;
    for (int g = 0; g < 8; ++g) {
      const auto from = place(), to = place();
      if (!from || !to) continue;
      std::vector<AgentSpec> specs;
      const std::size_t size = 2 + random.below(4);
      for (std::size_t tries = 0; tries < 60 && specs.size() < size; ++tries) {
        // Some start anywhere, most beside the first.
        const auto at = random.below(8) == 0
                            ? place()
                            : std::optional(navmesh::Place{
                                  from->point + Vec2{random.uniform(-2, 2), random.uniform(-2, 2)}, from->layer});
        if (!at || !crowd->is_free(*at, 0.24)) continue;
        specs.push_back(walker(*at, *to));
        specs.back().radius = random.uniform(0.18, 0.24);
        specs.back().speed = random.uniform(0.8, 1.6);
      }
      if (specs.size() < 2) continue;
      crowd::GroupSpec spec{{random.below(3) == 0 ? "formation" : "sgn", {}}};
      const auto& info = crowd::built_in_methods()->group.find(spec.method.name)->info();
      spec.method.parameters = agents::default_block(info);
      spec.method.parameters[std::size_t(info.parameter("patience") - info.parameters.data())] = patience;
      if (crowd->add_group(specs, spec).ok()) members += specs.size();
    }
    CrowdSimulation simulation(std::move(crowd), 0.1);
    WallChecker walls(world->environment);
    std::map<std::uint64_t, double> waiting_since;
    for (int i = 0; i < 900 && simulation.crowd().size() > 0; ++i) {
      simulation.step();
      walls.add(simulation.agents());
      const Crowd& c = simulation.crowd();
      parted += c.group_events().size();
      for (const Slot slot : c.in_serial_order()) {
        const std::uint64_t serial = c.people().serial[slot];
        const bool waits =
            c.companionship_of(slot) == Companionship::stands || c.companionship_of(slot) == Companionship::comes;
        if (!waits)
          waiting_since.erase(serial);
        else if (const auto [since, is_new] = waiting_since.try_emplace(serial, c.time()); !is_new)
          REQUIRE_MESSAGE(c.time() - since->second <= patience + 30, "person " << serial);
      }
    }
    CHECK(complaints_of(walls.complaints()) == "");
  }
  MESSAGE(members << " members, " << parted << " times parted or found again");
  CHECK(members > 5 * scenarios);
}

}  // namespace
}  // namespace throng::test
