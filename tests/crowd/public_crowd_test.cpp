// Every function of include/throng/crowd.hpp, and what it does with ids of nobody, numbers that are none, and people who left.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "throng/crowd.hpp"

namespace throng::test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

World hall(double width = 40, bool with_mud = false) {
  Feature ground{.kind = Kind::walkable};
  ground.polygons.push_back({.outer = {{0, 0}, {width, 0}, {width, 40}, {0, 40}}});
  Feature block{.kind = Kind::obstacle};
  block.polygons.push_back({.outer = {{18, 10}, {20, 10}, {20, 30}, {18, 30}}});
  std::vector<Feature> features{ground, block};
  if (with_mud) {
    Feature mud{.kind = Kind::region};
    mud.type = "mud";
    mud.polygons.push_back({.outer = {{5, 5}, {10, 5}, {10, 10}, {5, 10}}});
    features.push_back(mud);
  }
  Result<World> world = World::make({.layers = {{.id = "hall"}}, .features = features});
  REQUIRE(world.ok());
  return *world;
}

std::size_t row_of(const Crowd& crowd, AgentId id) {
  return std::size_t(std::ranges::find(crowd.ids(), id) - crowd.ids().begin());
}

TEST_CASE("public crowd: rows are appended, filled from the end, and written alone") {
  Crowd crowd(hall());
  std::vector<AgentId> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(*crowd.add({.position = {{2.0 + i, 2}, 0}}));
  CHECK(std::vector(crowd.ids().begin(), crowd.ids().end()) == ids);
  CHECK(crowd.remove(ids[1]));
  const std::vector<AgentId> after{ids[0], ids[4], ids[2], ids[3]};
  CHECK(std::vector(crowd.ids().begin(), crowd.ids().end()) == after);
  for (const AgentId id : after)
    CHECK(crowd.positions()[row_of(crowd, id)].x == 2.0 + double(std::ranges::find(ids, id) - ids.begin()));
  REQUIRE(crowd.teleport(ids[2], {{30, 30}, 0}).ok());
  CHECK(crowd.positions()[2] == Vec2{30, 30});
  CHECK(crowd.size() == 4);
  for (int i = 0; i < 20; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(std::vector(crowd.ids().begin(), crowd.ids().end()) == after);
  CHECK(crowd.positions()[2] == Vec2{30, 30});
  CHECK(crowd.positions().size() == 4);
  CHECK(crowd.velocities().size() == 4);
  CHECK(crowd.headings().size() == 4);
  CHECK(crowd.layers().size() == 4);
  CHECK(crowd.validate().empty());
}

TEST_CASE("public crowd: time is whole steps since the step last changed, without drift") {
  Crowd crowd(hall());
  for (int i = 0; i < 100000; ++i) REQUIRE(crowd.step(0.01).ok());
  CHECK(crowd.time() == 100000 * 0.01);
  REQUIRE(crowd.step(0.5).ok());
  CHECK(crowd.time() == 100000 * 0.01 + 0.5);
}

TEST_CASE("public crowd: wrong ids, numbers and steps are refused and change nothing") {
  const World world = hall();
  Crowd crowd(world);
  const AgentId id = *crowd.add({.position = {{2, 2}, 0}});
  const AgentId gone = *crowd.add({.position = {{4, 2}, 0}});
  REQUIRE(crowd.remove(gone));
  const AgentId again = *crowd.add({.position = {{4, 2}, 0}});  // in the same place of memory
  CHECK(again.index == gone.index);
  for (const AgentId wrong : {AgentId{}, gone, AgentId{7, 0}, AgentId{id.index, 9}}) {
    CHECK_FALSE(crowd.holds(wrong));
    CHECK_FALSE(crowd.remove(wrong));
    CHECK_FALSE(crowd.go_to(wrong, {{5, 5}, 0}).ok());
    CHECK_FALSE(crowd.follow(wrong, id).ok());
    CHECK_FALSE(crowd.follow(id, wrong).ok());
    CHECK_FALSE(crowd.teleport(wrong, {{5, 5}, 0}).ok());
    CHECK_FALSE(crowd.set_profile(wrong, {}).ok());
    CHECK_FALSE(crowd.steer(wrong, {1, 0}).ok());
    CHECK_FALSE(crowd.release(wrong).ok());
    CHECK_FALSE(crowd.think_again(wrong).ok());
    CHECK(crowd.doing(wrong) == Doing::standing);
  }
  CHECK_FALSE(crowd.go_to(id, {{nan, 5}, 0}).ok());
  CHECK_FALSE(crowd.go_to(id, {{5, 5}, 0}, nan).ok());
  CHECK_FALSE(crowd.follow(id, id).ok());
  CHECK_FALSE(crowd.go_to(id, {{5, 5}, 0}, -1).ok());
  CHECK_FALSE(crowd.go_to(id, {{5, 5}, 3}).ok());
  CHECK_FALSE(crowd.teleport(id, {{nan, 5}, 0}).ok());
  CHECK_FALSE(crowd.teleport(id, {{19, 20}, 0}).ok());
  CHECK_FALSE(crowd.teleport(id, {{5, 5}, 3}).ok());
  CHECK_FALSE(crowd.steer(id, {nan, 0}).ok());
  CHECK_FALSE(crowd.steer(id, {1e9, 0}).ok());
  CHECK_FALSE(crowd.add({.position = {{19, 20}, 0}}).ok());
  CHECK_FALSE(crowd.add({.position = {{5, 5}, 0}, .heading = {0, 0}}).ok());
  CHECK_FALSE(crowd.add({.position = {{5, 5}, 0}, .profile = {.radius = nan}}).ok());
  CHECK_FALSE(crowd.add({.position = {{5, 5}, 0}, .profile = {.speed = -1}}).ok());
  CHECK_FALSE(crowd.set_profile(id, {.radius = 30}).ok());
  for (const double dt : {0.0, -1.0, nan, std::numeric_limits<double>::infinity(), 1e9})
    CHECK_FALSE(crowd.step(dt).ok());
  CHECK(crowd.size() == 2);
  CHECK(crowd.time() == 0);
  CHECK(crowd.positions()[row_of(crowd, id)] == Vec2{2, 2});
  CHECK(crowd.validate().empty());
}

TEST_CASE("public crowd: somebody walks, is steered, released and arrives; who is lost is said to be") {
  Crowd crowd(hall());
  const AgentId id = *crowd.add({.position = {{2, 20}, 0}});
  CHECK(crowd.doing(id) == Doing::standing);
  REQUIRE(crowd.go_to(id, {{30, 20}, 0}).ok());
  REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.doing(id) == Doing::walking);  // the route is found in the step in which it is asked for
  REQUIRE(crowd.steer(id, {0, -1}).ok());
  for (int i = 0; i < 10; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.doing(id) == Doing::steered);
  CHECK(crowd.positions()[0].y < 19.5);
  REQUIRE(crowd.release(id).ok());
  for (int i = 0; i < 600 && crowd.doing(id) != Doing::standing; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(distance(crowd.positions()[0], {30, 20}) < 1);
  REQUIRE(crowd.go_to(id, {{19, 20}, 0}).ok());  // in the block
  REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.doing(id) == Doing::lost);
}

TEST_CASE("public crowd: release goes back to waiting where the person was waiting") {
  Crowd crowd(hall());
  const AgentId id = *crowd.add({.position = {{2, 20}, 0}});
  REQUIRE(crowd.step(0.1).ok());
  REQUIRE(crowd.steer(id, {0, -1}).ok());
  REQUIRE(crowd.step(0.1).ok());
  REQUIRE(crowd.release(id).ok());
  REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.doing(id) == Doing::standing);
}

TEST_CASE("public crowd: a snapshot goes on bit for bit, elsewhere or damaged it is refused") {
  const World world = hall(40, true);
  Crowd crowd(world, {.seed = 5});
  for (int i = 0; i < 30; ++i) {
    const AgentId id =
        *crowd.add({.position = {{1.0 + i, 2.0 + i % 7}, 0}, .profile = {.weights = {{"mud", 1.0 + i}}}});
    REQUIRE(crowd.go_to(id, {{38.0 - i, 35}, 0}).ok());
  }
  for (int i = 0; i < 50; ++i) REQUIRE(crowd.step(0.1).ok());
  REQUIRE(crowd.remove(crowd.ids()[3]));
  const std::string bytes = crowd.snapshot();
  Result<Crowd> other = Crowd::resume(world, bytes);
  REQUIRE_MESSAGE(other.ok(), to_string(other.problems()[0]));
  CHECK(other->time() == crowd.time());
  for (int i = 0; i < 100; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    REQUIRE(other->step(0.1).ok());
  }
  for (std::size_t row = 0; row < crowd.size(); ++row)
    CHECK(crowd.positions()[row] == other->positions()[row_of(*other, crowd.ids()[row])]);
  CHECK_FALSE(Crowd::resume(hall(50), bytes).ok());
  CHECK_FALSE(Crowd::resume(world, "").ok());
  for (std::size_t cut = 1; cut < bytes.size(); cut += bytes.size() / 97 + 1)
    CHECK_FALSE(Crowd::resume(world, std::string_view(bytes).substr(0, cut)).ok());
}

TEST_CASE("public crowd: companions walk together, are joined and left, and follow a player") {
  const World world = hall();
  Crowd crowd(world, {.threads = 1});
  std::vector<Agent> family;
  for (int i = 0; i < 3; ++i) family.push_back({.position = {{2, 3 + 0.7 * i}, 0}});
  const auto ids = crowd.add_group(family, {.name = "formation"});
  REQUIRE(ids.ok());
  CHECK(crowd.group_of(ids->front()) == 1);
  CHECK(crowd.members(1) == *ids);
  CHECK(crowd.positions().size() == 3);
  CHECK_FALSE(crowd.add_group(family, {.name = "swarm"}).ok());
  CHECK_FALSE(crowd.add_group(family, {.numbers = {{"patiense", 3}}}).ok());
  CHECK(crowd.size() == 3);
  REQUIRE(crowd.group_go_to(1, {{18, 5}, 0}).ok());
  CHECK_FALSE(crowd.group_go_to(9, {{18, 5}, 0}).ok());
  for (int i = 0; i < 300; ++i) REQUIRE(crowd.step(0.1).ok());
  for (const Vec2 p : crowd.positions()) CHECK(length(p - Vec2{18, 5}) < 3);
  const AgentId other = *crowd.add({.position = {{2, 8}, 0}});
  REQUIRE(crowd.join(other, ids->front()).ok());
  CHECK(crowd.members(1).size() == 4);
  REQUIRE(crowd.leave(ids->back()).ok());
  CHECK(crowd.group_of(ids->back()) == 0);
  const std::string bytes = crowd.snapshot();
  const auto resumed = Crowd::resume(world, bytes, {.threads = 1});
  REQUIRE(resumed.ok());
  CHECK(resumed->members(1) == crowd.members(1));
  CHECK(crowd.make_group(std::vector{other, ids->back()}).ok());
  CHECK(crowd.group_of(other) == 2);
  CHECK(crowd.validate().empty());
}

TEST_CASE("public crowd: twenty thousand people one by one take seconds, not hours") {
  // Not a time that is asserted: with a cost of the whole crowd for each, this test would take hours.
  Crowd crowd(hall(1000));
  std::vector<AgentId> ids;
  for (int i = 0; i < 20000; ++i) {
    const Result<AgentId> id = crowd.add({.position = {{21.0 + (i % 900) * 1.0, 1.0 + (i / 900) * 1.5}, 0}});
    REQUIRE(id.ok());
    ids.push_back(*id);
  }
  for (const AgentId id : ids) REQUIRE(crowd.teleport(id, {{900, 20}, 0}).ok());
  for (const AgentId id : ids) REQUIRE(crowd.remove(id));
  CHECK(crowd.size() == 0);
}

TEST_CASE("public crowd: density, expected times, and why somebody last changed its way") {
  Crowd crowd(hall());
  Profile profile;
  profile.levels["congestion"] = {.name = "quickest"};
  const AgentId anna = *crowd.add({.position = {{5, 20}, 0}, .profile = profile});
  const AgentId other = *crowd.add({.position = {{5.6, 20}, 0}});
  for (int i = 0; i < 12; ++i) REQUIRE(crowd.add({.position = {{25 + 0.6 * (i % 4), 20 + 0.6 * (i / 4)}, 0}}).ok());
  REQUIRE(crowd.go_to(anna, {{35, 20}, 0}).ok());
  CHECK_FALSE(crowd.expected_time(anna).has_value());  // it has not set out
  for (int i = 0; i < 5; ++i) REQUIRE(crowd.step(0.1).ok());
  const auto expected = crowd.expected_time(anna);
  REQUIRE(expected.has_value());
  CHECK(expected->walking > 30 / 1.34 - 3);
  CHECK(expected->waiting < 1);
  CHECK_FALSE(crowd.expected_time(other).has_value());
  CHECK_FALSE(crowd.expected_time({}).has_value());
  CHECK_FALSE(crowd.last_change(anna).has_value());
  CHECK_FALSE(crowd.last_change({}).has_value());
  const auto crowded = crowd.density_at({{26, 20.6}, 0}), empty = crowd.density_at({{35, 5}, 0});
  REQUIRE(crowded.has_value());
  REQUIRE(empty.has_value());
  CHECK(crowded->persons > 1);
  CHECK(empty->persons == 0);
  CHECK_FALSE(crowd.density_at({{19, 20}, 0}).has_value());  // in the block
  CHECK_FALSE(crowd.density_at({{5, 5}, 7}).has_value());
  CHECK_FALSE(crowd.density_at({{nan, 5}, 0}).has_value());
  // A wall of people across one of its two ways, nobody of whom moves.
  for (double y = 30.3; y < 40; y += 0.5)
    for (double x = 18.2; x < 20; x += 0.5) {
      const Result<AgentId> standing = crowd.add({.position = {{x, y}, 0}, .profile = {.radius = 0.2}});
      if (standing) REQUIRE(crowd.steer(*standing, {}).ok());
    }
  REQUIRE(crowd.teleport(anna, {{16, 34}, 0}).ok());
  for (int i = 0; i < 300 && !crowd.last_change(anna); ++i) REQUIRE(crowd.step(0.1).ok());
  const auto change = crowd.last_change(anna);
  REQUIRE(change.has_value());
  CHECK(change->why == "stuck");
  CHECK(change->time > 4);
  CHECK(crowd.validate().empty());
}

}  // namespace
}  // namespace throng::test
