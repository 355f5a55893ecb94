// Cleaning in pieces: the same bytes and the same warnings as cleaning of the whole, through sequences of changes.
#include "environment/clean/changing_plan.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "environment/generate/random_changes.hpp"
#include "environment/generate/random_scenes.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

struct Count {
  int changes = 0, refused = 0, whole = 0, contents = 0;
  std::size_t pieces = 0;
};

std::string text_of(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) text += to_string(problem) + "\n";
  return text;
}

void check_same(const ChangingPlan& plan) {
  const Result<CleanEnvironment> whole = clean(plan.plan());
  REQUIRE(whole.ok());
  for (std::size_t layer = 0; layer < whole->layers.size(); ++layer) {
    CAPTURE(layer);
    REQUIRE(plan.clean().layers[layer].free == whole->layers[layer].free);
    REQUIRE(plan.clean().layers[layer].walls == whole->layers[layer].walls);
    REQUIRE(plan.clean().layers[layer].regions == whole->layers[layer].regions);
    REQUIRE(plan.clean().layers[layer].areas == whole->layers[layer].areas);
  }
  REQUIRE(plan.clean().connections == whole->connections);
  REQUIRE(plan.clean().hash() == whole->hash());
  REQUIRE(text_of(plan.warnings()) == text_of(whole.problems()));
}

ChangingPlan plan_of(Environment source) {
  name_obstacles(source);
  Result<ChangingPlan> plan = ChangingPlan::make(std::move(source));
  REQUIRE(plan.ok());
  return *std::move(plan);
}

void change_at_random(std::uint64_t seed, Environment source, int steps, Count& count, int compared = 1) {
  CAPTURE(seed);
  ChangingPlan plan = plan_of(std::move(source));
  const std::uint64_t first = plan.clean().hash();
  RandomChanges changes(seed, plan.plan());
  for (int step = 0; step < steps; ++step) {
    CAPTURE(step);
    const Change change = changes.next(plan.clean());
    REQUIRE(check_changes(plan.plan(), {change}).empty());
    Result<ChangingPlan> next = plan.after({change});
    ++count.changes;
    if (!next) {
      ++count.refused;
      Environment refused = plan.plan();
      apply(refused, change);
      REQUIRE_FALSE(clean(refused).ok());
      changes.undo();
      continue;
    }
    plan = *std::move(next);
    count.whole += plan.redone().whole;
    count.pieces += plan.redone().pieces;
    count.contents += int(plan.redone().contents);
    if (step % compared == 0) check_same(plan);
  }
  Result<ChangingPlan> last = plan.after(changes.taking_all_away());
  REQUIRE(last.ok());
  CHECK(last->clean().hash() == first);
}

void say(const std::string& what, const Count& count) {
  MESSAGE(what << ": " << count.changes << " changes, " << count.refused << " refused, " << count.whole
               << " cleaned whole, " << count.contents << " with regions or areas, " << count.pieces << " pieces");
}

Feature square(const char* id, double x, double y, double half) {
  Feature feature{.kind = Kind::obstacle};
  feature.id = id;
  feature.polygons = {{{{x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}}, {}}};
  return feature;
}

}  // namespace

TEST_CASE("plans changed in pieces clean to the same bytes, with the same warnings, as whole ones") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  Count count;
  for (const SceneKind kind : all_scene_kinds) {
    CAPTURE(std::string(name_of(kind)));
    change_at_random(random.next(), random_scene(random.next() % 1000, kind), 12, count);
  }
  CHECK(count.whole < count.changes / 2);
}

TEST_CASE("a change far from everything is one piece, and its way back, too") {
  Environment yard;
  yard.layers = {{"yard", {}}};
  Feature ground{.kind = Kind::walkable};
  ground.polygons = {{{{0, 0}, {100, 0}, {100, 100}, {0, 100}}, {}}};
  yard.features = {ground};
  for (int i = 0; i < 20; ++i) yard.features.push_back(square(("shed" + std::to_string(i)).c_str(), 5 + 4 * i, 20, 1));
  for (std::size_t i = 0; i < yard.features.size(); ++i) yard.features[i].number = i;
  const ChangingPlan plan = plan_of(yard);
  const Result<ChangingPlan> with = plan.after({{Change::Kind::insert, {square("van", 50, 60, 1)}, {}}});
  REQUIRE(with.ok());
  CHECK_FALSE(with->redone().whole);
  CHECK(with->redone().pieces == 1);
  check_same(*with);
  const Result<ChangingPlan> without = with->after({{Change::Kind::remove, {}, {"van"}}});
  REQUIRE(without.ok());
  CHECK_FALSE(without->redone().whole);
  CHECK(without->redone().pieces == 0);
  CHECK(without->clean().hash() == plan.clean().hash());
  CHECK(plan.clean().hash() != with->clean().hash());
}

TEST_CASE("long: thousands of changes in pieces of scenes of every kind") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  for (const SceneKind kind : all_scene_kinds) {
    CAPTURE(std::string(name_of(kind)));
    Count count;
    for (int scene = 0; scene < 20; ++scene)
      change_at_random(random.next(), random_scene(random.next() % 1000, kind), 100, count);
    say(std::string(name_of(kind)), count);
  }
}

TEST_CASE("long: changes in pieces of real plans and a city, each twentieth compared") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  Count of_city;
  change_at_random(random.next(), generate_city({}), 200, of_city, 20);
  say("city", of_city);
  for (const char* name : {"kaiserslautern.geojson", "Milan_1_512.poly", "Sydney_2_1024.poly"}) {
    const auto file = data_file(name);
    if (!file) return;
    const auto source = read_environment(file->string());
    REQUIRE(source.ok());
    Count count;
    change_at_random(random.next(), *source, 200, count, 20);
    say(name, count);
  }
}
