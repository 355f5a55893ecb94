// What every avoidance method must do, alone and in small loops in which people move exactly as it says.
#include "steering/avoider.hpp"

#include <doctest/doctest.h>

#include "environment/generate/random_scenes.hpp"
#include "geometry/elementary.hpp"
#include "steering/people_of.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;
using test::Random;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

std::vector<const Avoider*> those_that_avoid() {
  std::vector<const Avoider*> methods = avoiders();
  std::erase(methods, find_avoider("none"));
  return methods;
}

/// Methods that look at circles and cells instead of collisions, and leave the rest to contact.
bool is_coarse(const Avoider& avoider) {
  return avoider.info().name == "cellular" || avoider.info().name == "proximity";
}

/// By how much two who meet may overlap where nobody parts them by force, in metres.
double pair_overlap(const Avoider& avoider) {
  if (avoider.info().name == "social_force") return 0.1;  // has inertia
  return is_coarse(avoider) ? 0.15 : 0;
}

/// With its default numbers.
double relaxation_of(const Avoider& avoider) {
  return avoider.relaxation(agents::default_block(avoider.info()).data());
}

/// Walks until everybody is within 10 cm of their goal; the smallest gap between bodies on the way.
double walk(Loop& loop, const std::vector<Vec2>& goals, double seconds, bool& arrived) {
  double gap = loop.smallest_gap();
  for (int i = 0; i < int(seconds / 0.1); ++i) {
    loop.head_for(goals);
    loop.step();
    gap = std::min(gap, loop.smallest_gap());
    arrived = true;
    for (Slot slot = 0; slot < goals.size(); ++slot) arrived &= length(goals[slot] - loop.people.position[slot]) < 0.1;
    if (arrived) return gap;
  }
  return gap;
}

struct Meeting {
  std::string name;
  std::vector<Vec2> starts, goals;
  std::vector<double> speeds;
};

const std::vector<Meeting>& meetings() {
  static const std::vector<Meeting> all{
      {"head-on", {{-6, 0}, {6, 0}}, {{6, 0}, {-6, 0}}, {1.3, 1.3}},
      {"almost head-on", {{-6, 0.1}, {6, -0.05}}, {{6, 0}, {-6, 0}}, {1.3, 1.1}},
      {"crossing", {{-6, 0}, {0, -6}}, {{6, 0}, {0, 6}}, {1.3, 1.3}},
      {"crossing at an angle", {{-6, 0}, {6, -5}}, {{6, 0}, {-6, 5}}, {1.3, 1.5}},
      {"overtaking", {{-6, 0}, {-4, 0}}, {{8, 0}, {7, 0.8}}, {1.6, 0.7}},
      {"standing in the way", {{-6, 0}, {0, 0}}, {{6, 0}, {0, 0}}, {1.3, 1.3}},
  };
  return all;
}

}  // namespace

TEST_CASE("avoiders: names are distinct and in order, defaults lie within bounds, and all are found by name") {
  std::string_view last;
  for (const Avoider* avoider : avoiders()) {
    const MethodInfo& info = avoider->info();
    CHECK(info.name > last);
    last = info.name;
    CHECK(find_avoider(info.name) == avoider);
    CHECK(!info.help.empty());
    std::vector<std::string_view> names;
    for (const agents::Parameter& parameter : info.parameters) {
      CAPTURE(parameter.name);
      CHECK(parameter.value >= parameter.least);
      CHECK(parameter.value <= parameter.most);
      CHECK(std::count(names.begin(), names.end(), parameter.name) == 0);
      names.push_back(parameter.name);
    }
    const std::vector<double> numbers = agents::default_block(info);
    CHECK(avoider->needs(numbers.data()).most <= Perception::capacity);
  }
  for (const char* name : {"cellular", "karamouzas", "moussaid", "moussaid_jaklin", "none", "orca", "proximity",
                           "sampling", "social_force"})
    CHECK(find_avoider(name) != nullptr);
  CHECK(find_avoider("orc") == nullptr);
}

TEST_CASE("none: the preferred velocity, within the limit") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1, 1}, 0.25, 1.34);
  columns.add({{0.1, 0}, 0}, {100, 0}, 0.25, 1);
  Loop loop(*find_avoider("none"), columns);
  const std::vector<Vec2> walks = loop.steer();
  CHECK(walks[0] == Vec2{1, 1});
  CHECK(length(walks[1] - Vec2{speed_limit_factor, 0}) < 1e-12);
}

TEST_CASE("avoiders: two walkers pass each other without touching, or hardly, and arrive") {
  for (const Avoider* avoider : those_that_avoid())
    for (const Meeting& meeting : meetings()) {
      CAPTURE(avoider->info().name);
      CAPTURE(meeting.name);
      Columns columns(hall());
      for (std::size_t i = 0; i < 2; ++i) {
        const Vec2 way = meeting.goals[i] - meeting.starts[i];
        const double far = length(way);
        columns.add({meeting.starts[i], 0}, far > 0 ? way / far * meeting.speeds[i] : Vec2{}, 0.25, meeting.speeds[i]);
      }
      Loop loop(*avoider, columns);
      bool arrived = false;
      const double gap = walk(loop, meeting.goals, 40, arrived);
      CHECK(arrived);
      // Who comes from 45 degrees off one's way is beyond the arc of `proximity`, and cells ahead are free until it is too late.
      if (is_coarse(*avoider) && meeting.name == "crossing") continue;
      CHECK(gap > -pair_overlap(*avoider));
    }
}

namespace {

struct Crossing {
  double seconds = 0;     ///< until all have arrived
  double gap = INFINITY;  ///< smallest between two bodies on the way
};

/// Twenty people on a circle, each to the opposite place; speeds differ by up to `difference` of the mean.
Crossing cross_circle(const Avoider& avoider, double difference, double relaxation, std::uint64_t seed) {
  constexpr int count = 20;
  constexpr double radius = 8;
  Random random(seed);
  Columns columns(hall());
  std::vector<Vec2> goals;
  for (int i = 0; i < count; ++i) {
    const Vec2 direction = geometry::unit_direction(double(i) / count);
    const double speed = 1.34 * (1 + random.uniform(-difference, difference));
    columns.add({direction * radius, 0}, direction * -speed, 0.25, speed);
    goals.push_back(direction * -radius);
  }
  Loop loop(avoider, columns);
  loop.relaxation = relaxation;
  Crossing crossing;
  for (bool arrived = false; !arrived && crossing.seconds < 100; crossing.seconds += 0.1) {
    loop.head_for(goals);
    loop.step();
    crossing.gap = std::min(crossing.gap, loop.smallest_gap());
    arrived = true;
    for (Slot slot = 0; slot < columns.size(); ++slot)
      arrived &= length(goals[slot] - loop.people.position[slot]) < 0.2;
  }
  return crossing;
}

}  // namespace

namespace {

/// In a crowd that nobody parts by force, in metres. Bodies are 0.5 m wide.
double most_overlap(const Avoider& avoider) {
  const std::string_view name = avoider.info().name;
  if (name == "orca") return 0.01;
  if (name == "karamouzas") return 0.3;
  return is_coarse(avoider) ? 0.5 : 0.15;
}

}  // namespace

TEST_CASE("orca: twenty people on a circle reach the other side without touching") {
  const Crossing crossing = cross_circle(*find_avoider("orca"), 0, 0, 1);
  CHECK(crossing.seconds < 3 * 16 / 1.34);
  CHECK(crossing.gap > 0);
}

TEST_CASE(
    "avoiders: twenty people of different speeds all cross a circle in time, with little overlap though nobody is "
    "pushed") {
  for (const Avoider* avoider : those_that_avoid())
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(avoider->info().name);
      CAPTURE(seed);
      // ORCA counts on velocities being taken at once, moussaid on their changing gradually.
      const Crossing crossing = cross_circle(*avoider, 0.2, std::min(0.2, relaxation_of(*avoider)), seed);
      CHECK(crossing.seconds < 3 * 16 / (1.34 * 0.8));
      CHECK(crossing.gap > -most_overlap(*avoider));
    }
}

TEST_CASE("none: two walkers head-on do touch: the loop above can fail") {
  Columns columns(hall());
  columns.add({{-6, 0}, 0}, {1, 0});
  columns.add({{6, 0}, 0}, {-1, 0});
  Loop loop(*find_avoider("none"), columns);
  bool arrived = false;
  CHECK(walk(loop, {{6, 0}, {-6, 0}}, 20, arrived) < 0);
  CHECK(arrived);
}

TEST_CASE("avoiders: whoever walks at a wall stops before it") {
  for (const Avoider* avoider : those_that_avoid())
    for (const double angle : {0.0, 0.05, 0.12, 0.2}) {
      CAPTURE(avoider->info().name);
      CAPTURE(angle);
      Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
      const Vec2 way = geometry::unit_direction(angle);
      const Slot slot = columns.add({{14, 10}, 0}, way * 1.34);
      Loop loop(*avoider, columns);
      double nearest = INFINITY;
      for (int i = 0; i < 300; ++i) {
        loop.people.preferred[slot] = way * 1.34;
        loop.step();
        nearest = std::min(nearest, loop.people.clearance[slot]);
      }
      CHECK(nearest > 0.25 - 1e-4);
    }
}

TEST_CASE("avoiders: people bear to the right of those who come towards them, the more the more come") {
  const navmesh::MeshPtr mesh = test::build(test::World(test::box(-50, -50, 50, 50)).clean());
  for (const Avoider* avoider : those_that_avoid()) {
    CAPTURE(avoider->info().name);
    Columns columns(mesh);
    const Slot slot = columns.add({{0, 0}, 0}, {1, 0});
    Loop loop(*avoider, columns);
    if (!loop.has("keep_right")) continue;
    loop.set("keep_right", 0.5);
    const auto direction_for = [&](int opposed, Vec2 their_velocity) {
      Columns crowd = columns;
      // Out of the way on the left: alone they would turn nobody.
      for (int i = 0; i < opposed; ++i) crowd.add({{6 + 0.2 * i, 4.0 + i % 3}, 0}, their_velocity);
      loop.people = crowd;
      return loop.steer()[slot];
    };
    const auto turned = [](double part) { return Vec2{1 - part, -part} / length(Vec2{1 - part, -part}); };
    CHECK(length(direction_for(0, {}) - Vec2{1, 0}) < 1e-9);
    CHECK(length(direction_for(2, {-1, 0}) - turned(0.1)) < 1e-9);
    CHECK(length(direction_for(6, {-1, 0}) - turned(0.3)) < 1e-9);
    CHECK(length(direction_for(6, {1, 0}) - Vec2{1, 0}) < 1e-9);  // who goes the same way turns nobody
    loop.set("keep_right", 0);
    CHECK(length(direction_for(6, {-1, 0}) - Vec2{1, 0}) < 1e-9);
  }
}

TEST_CASE("avoiders: a mirrored crowd walks mirrored ways, but where both sides are equally good") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const auto mirrored = [](Vec2 v) { return Vec2{v.x, -v.y}; };
  const navmesh::MeshPtr mesh = test::build(test::World(test::box(-20, -20, 20, 20))
                                                .obstacle(test::box(-3, 4, 3, 6))
                                                .obstacle(test::box(-3, -6, 3, -4))
                                                .clean());
  for (const Avoider* avoider : those_that_avoid()) {
    CAPTURE(avoider->info().name);
    if (avoider->info().name == "cellular") continue;  // tries the right before the left
    Columns crowd(mesh);
    for (int i = 0; i < 150; ++i) crowd.add_anywhere(random, 0);
    Columns image = crowd;
    for (Slot slot = 0; slot < crowd.size(); ++slot) {
      image.put(slot, {mirrored(crowd.position[slot]), 0});
      image.velocity[slot] = mirrored(crowd.velocity[slot]);
      image.heading[slot] = mirrored(crowd.heading[slot]);
      image.preferred[slot] = mirrored(crowd.preferred[slot]);
    }
    const auto steered = [&](const Columns& columns) {
      Loop loop(*avoider, columns);
      for (const char* to_the_right : {"sidestep", "keep_right"})  // on purpose
        if (loop.has(to_the_right)) loop.set(to_the_right, 0);
      return loop.steer();
    };
    const std::vector<Vec2> walks = steered(crowd);
    const std::vector<Vec2> reflected = steered(image);
    std::size_t different = 0;
    for (Slot slot = 0; slot < crowd.size(); ++slot) {
      if (length(mirrored(walks[slot]) - reflected[slot]) < 1e-6) continue;
      // Turns by equal angles to either side were equally good, and both took the one to their right.
      const bool tie =
          std::abs(dot(crowd.preferred[slot], walks[slot]) - dot(image.preferred[slot], reflected[slot])) < 1e-6 &&
          cross(crowd.preferred[slot], walks[slot]) < 0 && cross(image.preferred[slot], reflected[slot]) < 0;
      different += !tie;
    }
    CHECK(different == 0);
  }
}

TEST_CASE("avoiders: velocities are finite and within the limit for absurd crowds") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const navmesh::MeshPtr mesh = test::build(test::World(test::box(-50, -50, 50, 50)).wall({{0, 0}, {10, 0}}).clean());
  for (const Avoider* avoider : avoiders()) {
    CAPTURE(avoider->info().name);
    Columns columns(mesh);
    for (int i = 0; i < 300; ++i) columns.add({{20, 20}, 0}, {0, 0});                  // all in one point, standing
    for (int i = 0; i < 300; ++i) columns.add({{-20, 20}, 0}, {1, 0});                 // all in one point, walking
    for (int i = 0; i < 50; ++i) columns.add({{random.uniform(1, 9), 0}, 0}, {0, 1});  // on a wall
    columns.add({{5, 0.1}, 0}, {0, -1e3}, 0.25, 1);                                    // absurdly fast
    columns.add({{5, -1}, 0}, {1e-200, 1e-200});
    columns.add({{6, -1}, 0}, {1, 0}, 1e-9);
    columns.add({{7, -1}, 0}, {1, 0}, 30);          // larger than the room around it
    columns.add({{50, 50}, 0}, {1, 1});             // in a corner
    columns.add({{-30, -30}, 0}, {1, 1}, 0.25, 0);  // who cannot walk at all
    for (int i = 0; i < 300; ++i) columns.add_anywhere(random, 0);
    for (const bool as_published : {false, true}) {
      CAPTURE(as_published);
      Loop loop(*avoider, columns);
      loop.numbers = agents::default_block(avoider->info(), as_published);
      for (Slot slot = 0; slot < 300; slot += 2) loop.people.preferred[slot] = {0, 1};
      const double limit = avoider->speed_limit(loop.numbers.data());
      const std::vector<Vec2> walks = loop.steer();
      for (Slot slot = 0; slot < columns.size(); ++slot) {
        REQUIRE(std::isfinite(walks[slot].x));
        REQUIRE(std::isfinite(walks[slot].y));
        CHECK(length(walks[slot]) <= limit * columns.speed_of[slot] * (1 + 1e-12));
      }
    }
  }
}

TEST_CASE("avoiders: the same answers whatever the spans, and nothing written for others") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const test::Scene scene =
      test::make_scene("heap", environment::random_scene(seed, environment::SceneKind::overlapping_polygons));
  for (const Avoider* avoider : avoiders()) {
    Columns columns(scene.mesh);
    for (int i = 0; i < 400; ++i) columns.add_anywhere(random, 0);
    Loop loop(*avoider, columns);
    const std::vector<Vec2> whole = loop.steer();
    std::vector<Vec2> pieces(columns.size(), {77, 77});
    std::vector<Slot> who = columns.everybody();
    std::reverse(who.begin(), who.end());
    for (std::size_t i = 0; i + 3 <= who.size(); i += 6)  // three, and the next three not
      avoider->run(loop.view(), std::span(who).subspan(i, 3), pieces);
    for (std::size_t i = 0; i < who.size() / 6 * 6; ++i)
      CHECK(pieces[who[i]] == (i % 6 < 3 ? whole[who[i]] : Vec2{77, 77}));
  }
}

TEST_CASE("avoiders: people of different numbers share a run") {
  for (const Avoider* avoider : those_that_avoid()) {
    CAPTURE(avoider->info().name);
    Columns columns(hall());
    columns.add({{0, 0}, 0}, {1.3, 0});
    columns.add({{1.7, 0.1}, 0}, {-1.3, 0});
    Loop loop(*avoider, columns);
    const std::vector<Vec2> both = loop.steer();
    CHECK(length(both[0] - Vec2{1.3, 0}) > 1e-3);
    // The first has no neighbours in mind: `neighbours` is a number of every method.
    Loop alone(*avoider, columns);
    alone.set("neighbours", 0);
    const std::vector<double> blind = alone.numbers;
    const std::vector<Slot> who{0, 1};
    const std::vector<Needs> needs{avoider->needs(blind.data()), avoider->needs(loop.numbers.data())};
    loop.perception.perceive(loop.people.people(), who, needs);
    std::vector<double> pool = loop.numbers;
    pool.insert(pool.end(), blind.begin(), blind.end());
    const std::vector<Index> first{Index(blind.size()), 0};
    AvoidView view = loop.view();
    view.parameters = {pool.data(), first};
    std::vector<Vec2> walks(2);
    avoider->run(view, who, walks);
    CHECK(length(walks[0] - Vec2{1.3, 0}) < 1e-9);
    CHECK(walks[1] == both[1]);
  }
}
