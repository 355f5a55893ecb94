// A method of a test's own at two levels, with a number and a column: everything that knows of methods knows of these without a list.
#include <doctest/doctest.h>

#include "crowd/methods.hpp"
#include "environment/sketch.hpp"
#include "scenario/schema.hpp"
#include "support/crowd_simulation.hpp"
#include "throng/crowd.hpp"

namespace throng::test {
namespace {

/// Counts the steps of each person, and walks towards x the faster the more there were.
class Counting final : public FollowMethod {
 public:
  const MethodInfo& info() const override { return info_; }
  void run(const PeopleView& people, const OwnNumbers& own, WayAhead&, std::span<const std::uint32_t> rows,
           std::span<Vec2> preferred) const override {
    for (const std::uint32_t row : rows) {
      own.column(row, 0) += own.number(row, 0);
      preferred[row] = {std::min(people.speeds[row], 0.01 * own.column(row, 0)), 0};
    }
  }

 private:
  MethodInfo info_{.name = "counting",
                   .numbers = {{.name = "pace", .value = 1, .least = 0, .most = 9, .published = 4}},
                   .columns = {{.name = "steps", .initial = 3}}};
};

class Straying final : public AvoidMethod {
 public:
  const MethodInfo& info() const override { return info_; }
  void run(const PeopleView&, const OwnNumbers& own, const AroundView& around, std::span<const Vec2> preferred,
           std::span<const std::uint32_t> rows, std::span<Vec2> chosen) const override {
    for (const std::uint32_t row : rows) {
      own.column(row, 0) += double(around.people(row).size());
      chosen[row] = preferred[row] + Vec2{0, 0.001 * own.column(row, 0)};
    }
  }

 private:
  MethodInfo info_{.name = "straying", .columns = {{.name = "met"}}};
};

Methods with_both() {
  Methods methods;
  REQUIRE(methods.add(std::make_shared<Counting>()).ok());
  REQUIRE(methods.add(std::make_shared<Straying>()).ok());
  return methods;
}

World hall() {
  Feature ground{.kind = Kind::walkable};
  ground.polygons.push_back({.outer = {{0, 0}, {60, 0}, {60, 20}, {0, 20}}});
  Result<World> world = World::make({.layers = {{.id = "hall"}}, .features = {ground}});
  REQUIRE(world.ok());
  return *world;
}

Profile mine(double pace) {
  return {.levels = {{"follow", {.name = "counting", .numbers = {{"pace", pace}}}}, {"avoid", {.name = "straying"}}}};
}

std::vector<AgentId> fill(Crowd& crowd, bool mixed) {
  std::vector<AgentId> ids;
  for (int i = 0; i < 60; ++i) {
    const Result<AgentId> id = crowd.add({.position = {{2.0 + (i * 7) % 20, 1.0 + (i * 13) % 18}, 0},
                                          .profile = mixed && i % 2 == 0 ? Profile{} : mine(i % 5)});
    REQUIRE(id.ok());
    REQUIRE(crowd.go_to(*id, {{58, 10}, 0}).ok());
    ids.push_back(*id);
  }
  return ids;
}

TEST_CASE("levels: a method from outside is named, drawn from, checked and described like any other") {
  const Methods methods = with_both();
  const std::vector<std::string> names = methods.names("follow");
  CHECK(std::ranges::find(names, "counting") != names.end());
  CHECK(methods.names("nothing").empty());
  const std::string schema = scenario::scenario_schema(methods.inside()->catalogue());
  CHECK(schema.find("\"counting\"") != std::string::npos);
  CHECK(schema.find("\"pace\"") != std::string::npos);
  Crowd crowd(hall(), {.methods = methods});
  CHECK_FALSE(crowd.add({.position = {{2, 2}, 0}, .profile = mine(10)}).ok());  // out of its bounds
  Profile wrong = mine(1);
  wrong.levels["follow"].numbers["speed"] = 1;
  CHECK_FALSE(crowd.add({.position = {{2, 2}, 0}, .profile = wrong}).ok());
  wrong = mine(1);
  wrong.levels["dance"] = {};
  CHECK_FALSE(crowd.add({.position = {{2, 2}, 0}, .profile = wrong}).ok());
  Crowd without(hall());
  CHECK_FALSE(without.add({.position = {{2, 2}, 0}, .profile = mine(1)}).ok());
}

TEST_CASE("levels: names are taken once, defaults lie within their bounds") {
  Methods methods = with_both();
  CHECK_FALSE(methods.add(std::make_shared<Counting>()).ok());
  class Badly final : public FollowMethod {
   public:
    explicit Badly(MethodInfo info) : info_(std::move(info)) {}
    const MethodInfo& info() const override { return info_; }
    void run(const PeopleView&, const OwnNumbers&, WayAhead&, std::span<const std::uint32_t>,
             std::span<Vec2>) const override {}

   private:
    MethodInfo info_;
  };
  CHECK_FALSE(methods.add(std::make_shared<Badly>(MethodInfo{.name = "miran"})).ok());
  CHECK_FALSE(methods.add(std::make_shared<Badly>(MethodInfo{.name = ""})).ok());
  CHECK_FALSE(
      methods.add(std::make_shared<Badly>(MethodInfo{.name = "a", .numbers = {{.name = "n", .value = 5, .most = 1}}}))
          .ok());
  CHECK_FALSE(
      methods.add(std::make_shared<Badly>(MethodInfo{.name = "a", .columns = {{.name = "c"}, {.name = "c"}}})).ok());
  CHECK_FALSE(methods.add(std::shared_ptr<const FollowMethod>()).ok());
  CHECK(methods.add(std::make_shared<Badly>(MethodInfo{.name = "a"})).ok());
}

TEST_CASE("levels: what a method remembers follows people through sorting, snapshots and profiles") {
  for (const bool mixed : {false, true}) {
    CAPTURE(mixed);
    const World world = hall();
    Crowd whole(world, {.threads = 1, .methods = with_both()});
    fill(whole, mixed);
    Crowd other(world, {.threads = 3, .methods = with_both()});
    fill(other, mixed);
    for (int i = 0; i < 60; ++i) {
      REQUIRE(whole.step(0.1).ok());
      REQUIRE(other.step(0.1).ok());
      if (i % 7 != 3) continue;
      Result<Crowd> resumed = Crowd::resume(world, other.snapshot(), {.methods = with_both()});
      REQUIRE_MESSAGE(resumed.ok(), to_string(resumed.problems()[0]));
      other = std::move(resumed).value();
    }
    REQUIRE(whole.size() == other.size());
    for (std::size_t row = 0; row < whole.size(); ++row) {
      const AgentId id = whole.ids()[row];
      const auto at = std::ranges::find(other.ids(), id) - other.ids().begin();
      CHECK(whole.positions()[row] == other.positions()[std::size_t(at)]);
    }
    CHECK(whole.validate().empty());
    const Result<Crowd> refused = Crowd::resume(world, whole.snapshot());
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.problems()[0].message.find("counting") != std::string::npos);
  }
}

TEST_CASE("levels: as published is the second column of defaults, and numbers written beside it win") {
  Crowd crowd(hall(), {.methods = with_both()});
  Profile published = mine(0);
  published.levels["follow"] = {.name = "counting", .as_published = true};
  Profile beside = published;
  beside.levels["follow"].numbers["pace"] = 0;
  const AgentId first = *crowd.add({.position = {{5, 5}, 0}, .profile = published});
  const AgentId second = *crowd.add({.position = {{5, 15}, 0}, .profile = beside});
  for (const AgentId id : {first, second}) REQUIRE(crowd.go_to(id, {{58, 10}, 0}).ok());
  for (int i = 0; i < 20; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.positions()[0].x > 5.5);                             // four a step: 0.03 + 0.04 i m/s
  CHECK(crowd.positions()[1].x == doctest::Approx(5 + 2 * 0.03));  // stays at 3: 0.03 m/s
}

TEST_CASE("levels: a method that nobody uses takes no memory for what it remembers") {
  const crowd::WorldPtr world = hall().inside();
  crowd::Crowd crowd(world, {.methods = with_both().inside()});
  std::vector<crowd::AgentId> ids;
  for (int i = 0; i < 50; ++i) {
    crowd::AgentSpec spec = walker({{2.0 + i % 10, 2.0 + i / 10}, 0}, {{50, 10}, 0});
    ids.push_back(*crowd.add(spec));
  }
  REQUIRE(crowd.step(0.1).ok());
  const std::size_t before = crowd.bytes();
  crowd::AgentSpec spec = walker({}, {{50, 10}, 0});
  spec.methods[crowd::Level::follow] = {"counting", {}};
  REQUIRE(crowd.set_profile(ids[0], spec).ok());
  CHECK(crowd.bytes() > before);
  spec.methods[crowd::Level::follow] = {"miran", {}};
  REQUIRE(crowd.set_profile(ids[0], spec).ok());
  CHECK(crowd.bytes() <= before + 256);
}

/// Makes room for whoever comes near, though it stands.
class Yielding final : public AvoidMethod {
 public:
  explicit Yielding(bool while_standing)
      : info_{.name = while_standing ? "yielding" : "rigid", .steers_standing = while_standing} {}
  const MethodInfo& info() const override { return info_; }
  void run(const PeopleView& people, const OwnNumbers&, const AroundView& around, std::span<const Vec2> preferred,
           std::span<const std::uint32_t> rows, std::span<Vec2> chosen) const override {
    for (const std::uint32_t row : rows) {
      chosen[row] = preferred[row];
      for (const std::uint32_t other : around.people(row))
        if (length(people.positions[other] - people.positions[row]) < 2) chosen[row] += Vec2{0, 0.5};
    }
  }

 private:
  MethodInfo info_;
};

TEST_CASE("levels: who has arrived or waits stands, unless one of its methods steers those who stand") {
  for (const bool steers : {false, true}) {
    CAPTURE(steers);
    Methods methods;
    REQUIRE(methods.add(std::make_shared<Yielding>(steers)).ok());
    Crowd crowd(hall(), {.threads = 1, .methods = methods});
    const Profile profile{.levels = {{"avoid", {.name = steers ? "yielding" : "rigid"}}}};
    const AgentId there = *crowd.add({.position = {{30, 10}, 0}, .profile = profile});
    const AgentId near = *crowd.add({.position = {{31.5, 10}, 0}});
    for (int i = 0; i < 10; ++i) REQUIRE(crowd.step(0.1).ok());
    const auto at = [&](AgentId id) {
      return crowd.positions()[std::size_t(std::ranges::find(crowd.ids(), id) - crowd.ids().begin())];
    };
    CHECK(at(near) == Vec2{31.5, 10});
    CHECK((at(there).y > 10.2) == steers);
    if (!steers) CHECK(at(there) == Vec2{30, 10});
  }
}

}  // namespace
}  // namespace throng::test
