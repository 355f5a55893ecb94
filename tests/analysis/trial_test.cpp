// Trials and scenes: what experiments are made of.
#include "analysis/trial.hpp"

#include <doctest/doctest.h>

#include <atomic>

#include "analysis/scenes.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"

namespace throng::test {
namespace {

using analysis::Trial;

std::shared_ptr<const scenario::Scenario> shared(Result<scenario::Scenario> made) {
  REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : to_string(made.problems().front())));
  return std::make_shared<const scenario::Scenario>(std::move(made).value());
}

Trial tried(const std::shared_ptr<const scenario::Scenario>& scene, const analysis::TrialOptions& options) {
  const Result<crowd::WorldPtr> world = scenario::make_world(*scene);
  REQUIRE(world.ok());
  Result<Trial> trial = analysis::run_trial(scene, *world, options);
  REQUIRE(trial.ok());
  return std::move(trial).value();
}

TEST_CASE("every scene of the experiments can be walked, and its people are as many as it says") {
  for (const auto* scenes : {&analysis::common_scenes(), &analysis::stream_scenes()})
    for (const analysis::SceneInfo& info : *scenes) {
      CAPTURE(info.name);
      const auto scene = shared(analysis::make_scene({.scene = info.name, .people = 0.1, .duration = 200}));
      const Trial trial = tried(scene, {.seed = 3});
      CHECK(trial.summary.agents >= 2);
      CHECK(trial.summary.lost == 0);
      CHECK(trial.summary.arrived * 10 >= trial.summary.agents * 7);
    }
  CHECK_FALSE(analysis::make_scene({.scene = "nowhere"}).ok());
  CHECK_FALSE(analysis::make_scene({.scene = "circle", .avoid = "magic"}).ok());
}

TEST_CASE("the scene of eight buildings is the example of that name, and has 46 corners") {
  const auto example = environment::read_environment(THRONG_SOURCE_DIR "/examples/eight_buildings.geojson");
  REQUIRE(example.ok());
  const auto drawn = environment::clean(analysis::eight_buildings()), read = environment::clean(*example);
  REQUIRE((drawn.ok() && read.ok()));
  CHECK(drawn->hash() == read->hash());
  std::size_t corners = 0;
  for (const auto& polygon : drawn->layers[0].free) {
    corners += polygon.outer.size();
    for (const auto& hole : polygon.holes) corners += hole.size();
    CHECK(polygon.holes.size() == 8);
  }
  CHECK(corners == 46);
}

TEST_CASE("a trial is the same every time, keeps paths where asked, and draws them") {
  const auto scene = shared(analysis::make_scene({.scene = "crossing", .follow = "flow", .people = 0.2}));
  const Trial one = tried(scene, {.seed = 5, .path_every = 0.5});
  const Trial two = tried(scene, {.seed = 5});
  CHECK(one.summary.hash == two.summary.hash);
  CHECK(tried(scene, {.seed = 6}).summary.hash != one.summary.hash);
  CHECK(two.paths.empty());
  REQUIRE(one.paths.size() == one.summary.agents);
  for (const analysis::WalkedPath& path : one.paths) CHECK(path.points.size() > 20);
  const Result<crowd::WorldPtr> world = scenario::make_world(*scene);
  const std::string picture = analysis::draw_paths((*world)->environment, one.paths, "crossing");
  CHECK(picture.find("<svg") != std::string::npos);
  CHECK(picture == analysis::draw_paths((*world)->environment, one.paths, "crossing"));
}

TEST_CASE("people who face each other in a corridor too narrow to pass are a deadlock, people who wait are not") {
  const auto scenario_of = [](const std::string& goals) {
    return shared(scenario::parse_scenario(
        R"({"throng": 1, "duration": 200, "environment": {"type": "FeatureCollection", "features": [
          {"type": "Feature", "properties": {"kind": "walkable"},
           "geometry": {"type": "Polygon", "coordinates": [[[0,0],[20,0],[20,0.6],[0,0.6],[0,0]]]}}]},
          "populations": [{"count": 1, "start": {"polygon": [[1,0],[3,0],[3,0.6],[1,0.6]]}, "goals": [)" +
            goals + R"(]},
            {"count": 1, "start": {"polygon": [[15,0],[17,0],[17,0.6],[15,0.6]]}, "goals": [{"point": [16, 0.3], "wait": 60},
             {"point": [2, 0.3]}]}]})",
        "narrow", scenario::installed_methods()));
  };
  const Trial stuck = tried(scenario_of(R"({"point": [19, 0.3]})"), {});
  CHECK(stuck.deadlocked);
  CHECK(stuck.ended >= 30);
  CHECK(stuck.ended < 150);
  const Trial waiting = tried(scenario_of(R"({"point": [4, 0.3]})"), {.deadlock_after = 20});
  CHECK_FALSE(waiting.deadlocked);
  CHECK(waiting.summary.arrived == 2);
}

TEST_CASE("work side by side is done once each, for any number of threads") {
  for (const unsigned threads : {1u, 2u, 7u}) {
    std::vector<std::atomic<int>> done(25);
    analysis::side_by_side(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    for (const std::atomic<int>& times : done) CHECK(times == 1);
  }
}

}  // namespace
}  // namespace throng::test
