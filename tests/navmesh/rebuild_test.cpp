// Meshes of worlds that change: to the last bit those that would be built from scratch.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "environment/clean/change.hpp"
#include "environment/generate/random_scenes.hpp"
#include "navmesh/build.hpp"
#include "navmesh/validate.hpp"
#include "support/random.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;
using environment::Change;
using environment::Feature;

namespace {

Ring box_about(Vec2 c, double half) { return box(c.x - half, c.y - half, c.x + half, c.y + half); }

/// A world, and what changes it went through.
struct Changing {
  Environment plan;
  CleanEnvironment clean;
  MeshBuild build;

  explicit Changing(const Environment& source) {
    auto cleaned = environment::clean(source);
    REQUIRE(cleaned.ok());
    clean = *cleaned;
    plan = environment::fixed_plan(source, clean.grid);
    auto built = first_build(clean);
    REQUIRE_MESSAGE(built.ok(), to_string(built.problems()[0]));
    build = *built;
  }

  /// False where the changed plan is refused (an obstacle on a connection): then nothing happens.
  bool apply(const Change& change) {
    REQUIRE(environment::check_changes(plan, {change}).empty());
    Environment next = plan;
    environment::apply(next, change);
    auto cleaned = environment::clean(next);
    if (!cleaned) return false;
    auto built = rebuild_mesh(*cleaned, clean, build);
    REQUIRE_MESSAGE(built.ok(), to_string(built.problems()[0]));
    plan = std::move(next), clean = *cleaned, build = *built;
    return true;
  }
};

/// Any of the shapes a change may bring, near the middle of a world, sometimes on what is there already.
Feature random_obstacle(Random& random, const Changing& world, int number) {
  Feature feature;
  feature.id = "o" + std::to_string(number);
  feature.layer = random.below(world.plan.layers.size());
  const geometry::Box box = bounds(*world.build.mesh);
  Vec2 c{random.uniform(box.min.x, box.max.x), random.uniform(box.min.y, box.max.y)};
  if (random.chance(0.3)) c = world.build.mesh->sites[random.below(world.build.mesh->sites.size())].a;
  const double size = random.uniform(0.05, 0.15) * (box.max.x - box.min.x);
  const Vec2 d{random.uniform(-size, size), random.uniform(-size, size)};
  if (random.chance(0.3))
    feature.lines = {{c, c + d, c + perpendicular(d)}};
  else if (random.chance(0.5))
    feature.polygons = {{box_about(c, size), {}}};
  else if (random.chance(0.3))  // a ring with a court inside
    feature.polygons = {{box_about(c, size), {box_about(c, size / 2)}}};
  else
    feature.polygons = {{{c, c + d, c + d + perpendicular(d), c + perpendicular(d) * 0.5}, {}}};
  return feature;
}

void change_at_random(Random& random, Changing& world, int steps) {
  const std::uint64_t first = world.build.mesh->hash();
  std::set<std::string> present;
  for (int step = 0; step < steps; ++step) {
    CAPTURE(step);
    Change change;
    if (!present.empty() && random.chance(0.45)) {
      change.kind = Change::Kind::remove;
      change.ids = {*std::next(present.begin(), std::ptrdiff_t(random.below(present.size())))};
    } else {
      change.obstacles = {random_obstacle(random, world, step)};
    }
    if (!world.apply(change)) continue;
    for (const std::string& id : change.ids) present.erase(id);
    for (const Feature& o : change.obstacles) present.insert(o.id);
    const auto scratch = environment::clean(world.plan);
    REQUIRE(scratch.ok());
    REQUIRE(build(*scratch)->hash() == world.build.mesh->hash());
    if (step % 4 == 0) CHECK(validate(*world.build.mesh, world.clean).empty());
  }
  for (const std::string& id : present) REQUIRE(world.apply({Change::Kind::remove, {}, {id}}));
  CHECK(world.build.mesh->hash() == first);
}

}  // namespace

TEST_CASE("worlds changed at random have the hash of a build from scratch, and the first one when all is taken away") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  for (const environment::SceneKind kind :
       {environment::SceneKind::empty_room, environment::SceneKind::grid_of_squares, environment::SceneKind::cocircular,
        environment::SceneKind::wall_maze, environment::SceneKind::two_layers, environment::SceneKind::stairs,
        environment::SceneKind::spiral_ramp}) {
    CAPTURE(std::string(environment::name_of(kind)));
    Changing world(environment::random_scene(random.next() % 1000, kind));
    change_at_random(random, world, 12);
  }
}

TEST_CASE("layers that a change does not touch keep their axis") {
  Changing world(environment::random_scene(3, environment::SceneKind::stairs));
  REQUIRE(world.plan.layers.size() >= 2);
  const auto before = world.build.axes;
  Feature pillar;
  pillar.id = "pillar";
  pillar.layer = world.plan.layers.size() - 1;
  const Index site = [&] {
    for (Index i = 0; i < world.build.mesh->sites.size(); ++i)
      if (world.build.mesh->sites[i].layer == pillar.layer && world.build.mesh->sites[i].is_corner()) return i;
    return Index{0};
  }();
  pillar.polygons = {{box_about(world.build.mesh->sites[site].a, 0.1), {}}};
  REQUIRE(world.apply({Change::Kind::insert, {pillar}, {}}));
  CHECK(world.build.rebuilt.size() < world.plan.layers.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < before.size(); ++i) kept += world.build.axes[i] == before[i];
  CHECK(kept + world.build.rebuilt.size() == before.size());
}

TEST_CASE("long: small scenes of every kind through hundreds of changes") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    CAPTURE(std::string(environment::name_of(kind)));
    Changing world(environment::random_scene(random.next() % 1000, kind));
    change_at_random(random, world, 300);
  }
}
