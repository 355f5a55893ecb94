// Meshes of worlds that change: to the last bit those that would be built from scratch.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "environment/clean/change.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/random_changes.hpp"
#include "environment/generate/random_scenes.hpp"
#include "navmesh/build.hpp"
#include "navmesh/validate.hpp"
#include "support/data.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;
using environment::Change;
using environment::Feature;
using environment::RandomChanges;

namespace {

/// A world, and what changes it went through.
struct Changing {
  Environment plan;
  CleanEnvironment clean;
  MeshBuild build;
  std::size_t refused = 0;

  explicit Changing(Environment source) {
    environment::name_obstacles(source);
    auto cleaned = environment::clean(source);
    REQUIRE(cleaned.ok());
    clean = *cleaned;
    plan = environment::fixed_plan(source, clean.grid);
    auto built = first_build(clean);
    REQUIRE_MESSAGE(built.ok(), to_string(built.problems()[0]));
    build = *built;
  }

  [[nodiscard]] std::uint64_t hash() const { return build.mesh->hash(); }

  /// False where cleaning refuses the changed plan (the ends of a connection hang in the air): then nothing happens.
  bool apply(const std::vector<Change>& changes) {
    const Problems wrong = environment::check_changes(plan, changes);
    REQUIRE_MESSAGE(wrong.empty(), (wrong.empty() ? "" : to_string(wrong[0])));
    Environment next = plan;
    for (const Change& change : changes) environment::apply(next, change);
    auto cleaned = environment::clean(next);
    if (!cleaned) return ++refused, false;
    auto built = rebuild_mesh(*cleaned, clean, build);
    REQUIRE_MESSAGE(built.ok(), to_string(built.problems()[0]));
    plan = std::move(next), clean = *cleaned, build = *built;
    return true;
  }

  void compare_with_scratch() const {
    const auto scratch = environment::clean(plan);
    REQUIRE(scratch.ok());
    REQUIRE(scratch->hash() == clean.hash());
    REQUIRE(test::build(*scratch)->hash() == hash());
  }
};

struct Steps {
  std::size_t count = 0;
  std::size_t compared = 1;   ///< each so many steps
  std::size_t validated = 4;  ///< each so many steps
  std::size_t most = 20;      ///< obstacles there at one time
};

/// At least one change in two is carried out.
void change_at_random(std::uint64_t seed, Changing& world, Steps steps) {
  CAPTURE(seed);
  const std::uint64_t first = world.hash();
  RandomChanges changes(seed, world.plan, steps.most);
  for (std::size_t step = 0; step < steps.count; ++step) {
    CAPTURE(step);
    if (!world.apply({changes.next(world.clean)})) {
      changes.undo();
      continue;
    }
    if (step % steps.compared == 0) world.compare_with_scratch();
    if (step % steps.validated == 0) {
      const Problems problems = validate(*world.build.mesh, world.clean);
      CHECK_MESSAGE(problems.empty(), (problems.empty() ? "" : to_string(problems[0])));
    }
  }
  CHECK(2 * world.refused <= steps.count);
  REQUIRE(world.apply(changes.taking_all_away()));
  CHECK(world.hash() == first);
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
    change_at_random(random.next(), world, {.count = 16});
  }
}

TEST_CASE("changes that come in any order, or all at once, make one world") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  for (const environment::SceneKind kind :
       {environment::SceneKind::overlapping_polygons, environment::SceneKind::two_layers}) {
    CAPTURE(std::string(environment::name_of(kind)));
    const Changing first(environment::random_scene(random.next() % 1000, kind));
    RandomChanges changes(random.next(), first.plan);
    Changing forth = first, back = first, at_once = first;
    std::vector<Change> steps;
    while (steps.size() < 6) {
      const Change step{Change::Kind::insert, {changes.obstacle(forth.clean)}, {}};
      if (forth.apply({step})) steps.push_back(step);
    }
    if (!at_once.apply(steps)) continue;
    std::reverse(steps.begin(), steps.end());
    bool all = true;  // alone, one that seals a connection may be refused where with another it is not
    for (const Change& step : steps) all = back.apply({step}) && all;
    CHECK(at_once.hash() == forth.hash());
    if (all) CHECK(back.hash() == forth.hash());
  }
}

TEST_CASE("layers that a change does not touch keep their axis") {
  Changing world(environment::random_scene(3, environment::SceneKind::stairs));
  REQUIRE(world.plan.layers.size() >= 2);
  const auto before = world.build.axes;
  Feature pillar;
  pillar.id = "pillar";
  pillar.layer = world.plan.layers.size() - 1;
  const auto& sites = world.build.mesh->sites;
  const auto site =
      std::find_if(sites.begin(), sites.end(), [&](const Site& s) { return s.layer == pillar.layer && s.is_corner(); });
  REQUIRE(site != sites.end());
  const Vec2 c = site->a;
  pillar.polygons = {{box(c.x - 0.1, c.y - 0.1, c.x + 0.1, c.y + 0.1), {}}};
  REQUIRE(world.apply({{Change::Kind::insert, {pillar}, {}}}));
  CHECK(world.build.rebuilt.size() < world.plan.layers.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < before.size(); ++i) kept += world.build.axes[i] == before[i];
  CHECK(kept + world.build.rebuilt.size() == before.size());
}

TEST_CASE("long: small scenes of every kind through hundreds of changes, each compared") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    CAPTURE(std::string(environment::name_of(kind)));
    for (const std::size_t most : {1, 10, 100}) {
      Changing world(environment::random_scene(random.next() % 1000, kind));
      change_at_random(random.next(), world, {.count = 200, .validated = 10, .most = most});
    }
  }
}

TEST_CASE("long: degenerate worlds through hundreds of changes, each compared") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  for (const Environment& source : degenerate_worlds()) {
    CAPTURE(source.source);
    Changing world(source);
    change_at_random(random.next(), world, {.count = 300, .validated = 10});
  }
}

TEST_CASE("long: real plans through a thousand changes, each twentieth compared") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  for (const char* name : {"kaiserslautern.geojson", "Milan_1_512.poly", "Sydney_2_1024.poly"}) {
    CAPTURE(std::string(name));
    const auto file = data_file(name);
    if (!file) return;
    const auto source = environment::read_environment(file->string());
    REQUIRE(source.ok());
    Changing world(*source);
    change_at_random(random.next(), world, {.count = 1000, .compared = 20, .validated = 100, .most = 100});
  }
}
