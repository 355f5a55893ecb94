// World::with: nobody can tell a world that was made by changes from the same one built anew, whatever they ask of it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "crowd/world.hpp"
#include "environment/generate/random_changes.hpp"
#include "environment/generate/random_scenes.hpp"
#include "support/random.hpp"
#include "throng/crowd.hpp"

namespace throng::test {
namespace {

using environment::SceneKind;

struct Twins {
  World changed, anew;
};

WorldChange public_change(const environment::Change& change) {
  WorldChange result{change.ids, {}, {}};
  for (const Feature& feature : change.obstacles) {
    Obstacle obstacle{.id = feature.id, .layer = std::uint32_t(feature.layer), .polygon = {}, .wall = {}};
    if (!feature.polygons.empty()) {
      obstacle.polygon.push_back(feature.polygons[0].outer);
      for (const Ring& hole : feature.polygons[0].holes) obstacle.polygon.push_back(hole);
    }
    if (!feature.lines.empty()) obstacle.wall = feature.lines[0];
    const bool replaces = change.kind == environment::Change::Kind::replace;
    (replaces ? result.replace : result.insert).push_back(obstacle);
  }
  return result;
}

/// Replacements of the file's obstacles with more than one part cannot be written as changes; those drawn here have one.
Twins changed_and_anew(std::uint64_t seed, SceneKind kind, int steps) {
  environment::Environment source = environment::random_scene(seed, kind);
  environment::name_obstacles(source);
  Result<World> world = World::make(source);
  REQUIRE(world.ok());
  environment::RandomChanges changes(seed, world->inside()->changeable->plan, 10);
  int done = 0;
  for (int step = 0; step < 20 * steps && done < steps; ++step) {
    Result<World> next = world->with({public_change(changes.next(world->inside()->environment))});
    const bool is_free = next.ok() && next->random_point(0, 0.5, 0.5, 0.5).has_value();  // nobody can ask on no ground
    if (!is_free) {
      changes.undo();
      continue;
    }
    world = std::move(next);
    ++done;
  }
  REQUIRE(done == steps);
  Result<World> anew = World::make(world->inside()->changeable->plan);
  REQUIRE(anew.ok());
  return {*world, *anew};
}

Position some_place(const World& world, Random& random) {
  for (;;) {
    const auto layer = std::uint32_t(random.below(world.layer_count()));
    const double u = random.uniform(0, 1), v = random.uniform(0, 1), w = random.uniform(0, 1);
    if (const std::optional<Position> place = world.random_point(layer, u, v, w)) return *place;
  }
}

void check_queries(const Twins& twins, Random& random, int count) {
  for (int i = 0; i < count; ++i) {
    const auto layer = std::uint32_t(random.below(twins.changed.layer_count()));
    const double u = random.uniform(0, 1), v = random.uniform(0, 1), w = random.uniform(0, 1);
    REQUIRE(twins.changed.random_point(layer, u, v, w) == twins.anew.random_point(layer, u, v, w));
    const Position from = some_place(twins.changed, random), to = some_place(twins.changed, random);
    const auto near = twins.changed.nearest(from), near_too = twins.anew.nearest(from);
    REQUIRE(near.has_value() == near_too.has_value());
    if (near) REQUIRE((near->clearance == near_too->clearance && near->obstacle == near_too->obstacle));
    const Ray ray = twins.changed.ray(from, to.point), ray_too = twins.anew.ray(from, to.point);
    REQUIRE((ray.blocked == ray_too.blocked && ray.end == ray_too.end && ray.fraction == ray_too.fraction));
    REQUIRE(twins.changed.sees(from, to, 0.2) == twins.anew.sees(from, to, 0.2));
  }
}

/// How many were found.
int check_routes(const Twins& twins, Random& random, const RouteOptions& options, int count) {
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const Position from = some_place(twins.changed, random), to = some_place(twins.changed, random);
    const Result<Way> way = twins.changed.route(from, to, options), too = twins.anew.route(from, to, options);
    REQUIRE(way.ok() == too.ok());
    if (!way.ok()) {
      REQUIRE(to_string(way.problems()[0]) == to_string(too.problems()[0]));
      continue;
    }
    ++found;
    REQUIRE(way->points == too->points);
    REQUIRE(way->length == too->length);
    REQUIRE(way->cost == too->cost);
    REQUIRE(way->bound == too->bound);
  }
  return found;
}

int check_all_routes(const Twins& twins, Random& random, int count) {
  int found = 0;
  for (const char* method : {"short", "shortest", "medial", "left", "right", "weighted", "vbp", "grid"}) {
    CAPTURE(std::string(method));
    RouteOptions options;
    options.method = method;
    options.radius = 0.15;
    found += check_routes(twins, random, options, count);
  }
  return found;
}

/// People who start alike; the same random numbers for either world.
Crowd crowd_on(const World& world, std::uint64_t seed, int people) {
  Crowd crowd(world, {.seed = seed, .threads = 1});
  Random random(seed);
  for (int i = 0; i < people; ++i) {
    const Position at = some_place(world, random), goal = some_place(world, random);
    const Result<AgentId> id = crowd.add({.position = at});
    if (id) (void)crowd.go_to(*id, goal);
  }
  return crowd;
}

bool same_people(const Crowd& a, const Crowd& b) {
  const auto equal = [](const auto& left, const auto& right) { return std::ranges::equal(left, right); };
  return equal(a.ids(), b.ids()) && equal(a.positions(), b.positions()) && equal(a.velocities(), b.velocities()) &&
         equal(a.layers(), b.layers());
}

void check_runs(const Twins& twins, std::uint64_t seed, int people) {
  Crowd one = crowd_on(twins.changed, seed, people), other = crowd_on(twins.anew, seed, people);
  REQUIRE(one.size() == other.size());
  for (int i = 0; i < 100; ++i) REQUIRE((one.step(0.1).ok() && other.step(0.1).ok()));
  REQUIRE(same_people(one, other));
  Result<Crowd> resumed = Crowd::resume(twins.anew, one.snapshot(), {.threads = 1});
  REQUIRE_MESSAGE(resumed.ok(), (resumed.ok() ? "" : to_string(resumed.problems()[0])));
  for (int i = 0; i < 100; ++i) REQUIRE((one.step(0.1).ok() && other.step(0.1).ok() && resumed->step(0.1).ok()));
  CHECK(same_people(one, other));
  CHECK(same_people(one, *resumed));
}

void check_world(std::uint64_t seed, SceneKind kind, int steps, int asked) {
  INFO("THRONG_TEST_SEED=" << test_seed());
  CAPTURE(std::string(environment::name_of(kind)));
  CAPTURE(seed);
  const Twins twins = changed_and_anew(seed, kind, steps);
  REQUIRE(twins.changed.mesh_hash() == twins.anew.mesh_hash());
  Random random(seed);
  check_queries(twins, random, 5 * asked);
  CHECK(check_all_routes(twins, random, asked) > 0);
  check_runs(twins, seed, 12);
}

TEST_CASE("a world made by changes answers, leads and carries crowds like one built anew, bit for bit") {
  check_world(test_seed(), SceneKind::overlapping_polygons, 8, 5);
  check_world(test_seed() + 1, SceneKind::stairs, 8, 5);
}

TEST_CASE("long: worlds of every kind made by changes answer, lead and carry crowds like those built anew") {
  for (std::uint64_t i = 0; i < 3; ++i)
    for (const SceneKind kind : environment::all_scene_kinds) check_world(test_seed() + i, kind, 30, 60);
}

TEST_CASE("a changed world leaves the one it came from as it was, and refuses what cannot be as a whole") {
  Feature ground{.kind = Kind::walkable};
  ground.polygons.push_back({.outer = {{0, 0}, {20, 0}, {20, 10}, {0, 10}}});
  const Result<World> hall = World::make({.layers = {{.id = "hall"}}, .features = {ground}});
  REQUIRE(hall.ok());
  const std::uint64_t before = hall->mesh_hash();
  const Obstacle van{.id = "van", .polygon = {{{4, 4}, {6, 4}, {6, 6}, {4, 6}}}, .wall = {}};
  const Result<World> with_van = hall->with({{.remove = {}, .replace = {}, .insert = {van}}});
  REQUIRE(with_van.ok());
  CHECK(hall->is_walkable({{5, 5}, 0}));
  CHECK_FALSE(with_van->is_walkable({{5, 5}, 0}));
  CHECK(hall->mesh_hash() == before);
  const Result<World> without = with_van->with({{.remove = {"van"}, .replace = {}, .insert = {}}});
  REQUIRE(without.ok());
  CHECK(without->mesh_hash() == before);
  CHECK_FALSE(with_van->with({{.remove = {"van", "cart"}, .replace = {}, .insert = {}}}).ok());
  CHECK_FALSE(with_van->with({{.remove = {}, .replace = {}, .insert = {van}}}).ok());
}

}  // namespace
}  // namespace throng::test
