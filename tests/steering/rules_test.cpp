// Rules from outside: which velocities may be chosen (Admits), and half planes to keep to (Constraints).
#include <doctest/doctest.h>

#include <atomic>

#include "steering/avoider.hpp"
#include "steering/people_of.hpp"
#include "steering/time_to_collision.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;
using test::Random;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

std::vector<const Avoider*> those_that_weigh() {
  return {find_avoider("karamouzas"), find_avoider("moussaid"), find_avoider("moussaid_jaklin"),
          find_avoider("sampling")};
}

/// Straight ahead is forbidden, and so is what is slow: neither what is allowed nor what is not is convex.
class NotStraight : public Admits {
 public:
  static bool is_allowed(Vec2 v) { return std::abs(v.y) >= 0.35 && length(v) >= 0.5; }
  void admit(Slot slot, std::span<const Vec2> velocities, std::span<std::uint8_t> allowed) const override {
    asked += velocities.size();
    if (slot != 0) return;
    for (std::size_t i = 0; i < velocities.size(); ++i)
      if (!is_allowed(velocities[i])) allowed[i] = 0;
  }
  mutable std::atomic<std::size_t> asked{0};
};

class Nothing : public Admits {
 public:
  void admit(Slot, std::span<const Vec2> velocities, std::span<std::uint8_t> allowed) const override {
    for (std::size_t i = 0; i < velocities.size(); ++i) allowed[i] = 0;
  }
};

class Everything : public Admits {
 public:
  void admit(Slot, std::span<const Vec2>, std::span<std::uint8_t>) const override {}
};

/// A crowd in a room with a pillar.
Columns throng_of(int count) {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  Columns columns(test::build(test::World(test::box(-8, -8, 8, 8)).obstacle(test::box(-1, -1, 1, 1)).clean()));
  for (int i = 0; i < count; ++i) columns.add_anywhere(random, 0);
  return columns;
}

const std::vector<HalfPlane> leftwards{{{0, 0.4}, {1, 0}}};  // y at least 0.4

}  // namespace

TEST_CASE("rules: of the candidates only those admitted are taken, and the best of them") {
  const NotStraight rule;
  for (const Avoider* avoider : those_that_weigh()) {
    CAPTURE(avoider->info().name);
    Columns columns(hall());
    columns.add({{0, 0}, 0}, {1.3, 0});
    columns.add({{20, 0}, 0}, {1.3, 0});
    Loop loop(*avoider, columns);
    REQUIRE(length(loop.steer()[0] - Vec2{1.3, 0}) < 1e-9);
    loop.admits = &rule;
    const std::vector<Vec2> walks = loop.steer();
    CHECK(NotStraight::is_allowed(walks[0]));
    // Not far off what one wants: the best of those that are left, not any.
    CHECK(walks[0].x > 1);
    CHECK(walks[1] == loop.people.preferred[1]);
  }
  CHECK(rule.asked > 0);
}

TEST_CASE("rules: where nothing is admitted, and where everything is, people walk as without a rule") {
  const Nothing nothing;
  const Everything everything;
  for (const Avoider* avoider : avoiders()) {
    CAPTURE(avoider->info().name);
    Loop loop(*avoider, throng_of(120));
    const std::vector<Vec2> walks = loop.steer();
    loop.admits = &everything;
    CHECK(loop.steer() == walks);
    loop.admits = &nothing;
    // karamouzas spreads wider where it may not walk as it wants, and may find something better there.
    if (avoider->info().name != "karamouzas") CHECK(loop.steer() == walks);
    loop.admits = nullptr;
    loop.constraints.by_slot.resize(loop.people.size());  // nobody has any
    CHECK(loop.steer() == walks);
  }
}

TEST_CASE("rules: in a throng whoever can keeps to a rule, and stepping aside does not break it") {
  const NotStraight rule;
  for (const Avoider* avoider : those_that_weigh()) {
    CAPTURE(avoider->info().name);
    // Somebody stands in the way, facing the walker: it is slowed down and steps aside, which needs the rule, too.
    Columns columns(hall());
    columns.add({{0, 0}, 0}, {1.3, 0});
    for (const double y : {-0.3, 0.3}) columns.heading[columns.add({{0.52, y}, 0})] = {-1, 0};
    Loop loop(*avoider, columns);
    loop.admits = &rule;
    const Vec2 walks = loop.steer()[0];
    CHECK((NotStraight::is_allowed(walks) || length(walks) < 0.5));
    CHECK(walks.y <= 0.0);
  }
}

TEST_CASE("rules: every method keeps to half planes where nothing is in the way") {
  for (const Avoider* avoider : avoiders()) {
    CAPTURE(avoider->info().name);
    Columns columns(hall());
    columns.add({{0, 0}, 0}, {1.3, 0});
    columns.add({{20, 0}, 0}, {1.3, 0});
    Loop loop(*avoider, columns);
    loop.constraints.by_slot = {leftwards};
    const std::vector<Vec2> walks = loop.steer();
    CHECK(walks[0].y >= 0.4 - 1e-6);
    CHECK(walks[0].x > 0.9);
    CHECK(length(walks[1] - Vec2{1.3, 0}) < 1e-9);
  }
}

TEST_CASE("rules: walls win over half planes, in every method that knows walls") {
  for (const Avoider* avoider : avoiders()) {
    CAPTURE(avoider->info().name);
    if (avoider->info().name == "none") continue;
    Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
    columns.add({{10, 19.75}, 0}, {1.3, 0});
    Loop loop(*avoider, columns);
    loop.constraints.by_slot = {leftwards};
    const Vec2 walks = loop.steer()[0];
    CHECK(walks.y < 1e-4);
    CHECK(length(walks) <= 1.3 * 1.34 * (1 + 1e-9));
  }
}

TEST_CASE("rules: bodies win over half planes where a method computes one velocity") {
  for (const std::string name : {"social_force", "proximity"}) {
    CAPTURE(name);
    Columns columns(hall());
    columns.add({{0, 0}, 0}, {1.3, 0});
    columns.add({{1.2, 0.2}, 0}, {-1, 0});  // comes a little to the left
    Loop loop(*find_avoider(name), columns);
    const Vec2 freely = loop.steer()[0];
    REQUIRE(freely.y < -0.05);
    loop.constraints.by_slot = {{{{0, 0}, {1, 0}}}};  // y at least 0
    CHECK(loop.steer()[0].y < -0.05);
  }
}

TEST_CASE("rules: orca breaks nothing that people ask for to keep to a half plane, though it comes as near as it can") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1.3, 0});
  columns.add({{0, 0.65}, 0});  // stands to the left, 15 cm away
  Loop loop(*find_avoider("orca"), columns);
  for (const char* number : {"margin", "keep_right", "sidestep"}) loop.set(number, 0);
  loop.set("responsibility", 1);
  loop.constraints.by_slot = {{{{0, 0.5}, {1, 0}}}};
  const Vec2 walks = loop.steer()[0];
  CHECK(walks.y > 0.01);  // towards the half plane
  CHECK(time_to_disc({0, 0.65}, walks, 0.5) >= 3 - 1e-6);
}

TEST_CASE("rules: cellular makes for a free cell within the half planes, where there is one") {
  Columns columns(hall());
  columns.add({{0.25, 0.25}, 0}, {1.3, 0});
  columns.add({{0.8, 0.25}, 0});
  Loop loop(*find_avoider("cellular"), columns);
  REQUIRE(loop.steer()[0].y < 0);  // the right one is first
  loop.constraints.by_slot = {{{{0, 0}, {1, 0}}}};
  CHECK(loop.steer()[0].y > 0);
}
