// `throng experiment avoidance`: Jaklin's comparison (2016, 9.4.3) of three avoidance methods, without streams, beside its tables.
#include <fmt/format.h>

#include <array>
#include <mutex>
#include <optional>

#include "analysis/scenes.hpp"
#include "analysis/trial.hpp"
#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using analysis::Trial;

constexpr std::array<std::string_view, 3> methods{"moussaid", "karamouzas", "orca"};
constexpr std::uint64_t usual_runs = 5;

/// Collisions as Jaklin prints them: with streams for all three (table 9.1), without for Moussaid's only (table 9.2); how many of 50 runs
/// were deadlocked without (9.4.4).
struct Published {
  std::string_view scene, method;
  double with_streams = 0;
  std::optional<double> without;
  std::optional<int> deadlocked_of_50;
};
constexpr std::array<Published, 16> published{{{"crossing-streams", "karamouzas", 17.5, {}, {}},
                                               {"crossing-streams", "moussaid", 111.9, 34.7, 0},
                                               {"crossing-streams", "orca", 1970.9, {}, {}},
                                               {"hallway1", "karamouzas", 5.9, {}, {}},
                                               {"hallway1", "moussaid", 28.7, 10.5, 40},
                                               {"hallway1", "orca", 612.2, {}, {}},
                                               {"hallway2", "karamouzas", 5.3, {}, {}},
                                               {"hallway2", "moussaid", 16.6, 13.0, 40},
                                               {"hallway2", "orca", 138.6, {}, {}},
                                               {"merging-streams", "karamouzas", 95.7, {}, {}},
                                               {"merging-streams", "moussaid", 290.4, 677.9, 0},
                                               {"merging-streams", "orca", 16555.8, {}, {}},
                                               {"narrow-50", "karamouzas", 32.4, {}, {}},
                                               {"narrow-50", "moussaid", 170.3, 15799.2, 49},
                                               {"narrow-50", "orca", 3876.7, {}, {}},
                                               {"narrow-100", "moussaid", 4787.3, 43070.9, 50}}};

const Published* published_for(std::string_view scene, std::string_view method) {
  for (const Published& row : published)
    if (row.scene == scene && row.method == method) return &row;
  return nullptr;
}

struct Case {
  std::string scene, avoid;
  bool as_published = false;
  std::uint64_t seed = 1;
  crowd::WorldPtr world;
  Trial trial;
};

/// Cases of one scene, method and variant lie together, `runs` of them.
Result<std::vector<Case>> all_cases(const ExperimentOptions& options, std::uint64_t runs) {
  std::vector<Case> cases;
  for (const analysis::SceneInfo& scene : analysis::stream_scenes()) {
    const Result<scenario::Scenario> drawn = analysis::make_scene({.scene = scene.name});
    if (!drawn) return drawn.problems();
    const Result<crowd::WorldPtr> world = scenario::make_world(*drawn);
    if (!world) return world.problems();
    for (const std::string_view method : methods)
      for (const bool as_published : {true, false})
        for (std::uint64_t i = 0; i < runs; ++i)
          cases.push_back({scene.name, std::string(method), as_published, options.seed + i, *world, {}});
  }
  return cases;
}

Problems run_case(Case& one, bool quick) {
  Result<scenario::Scenario> scene = analysis::make_scene({.scene = one.scene,
                                                           .follow = "irm",
                                                           .avoid = one.avoid,
                                                           .as_published = one.as_published,
                                                           .people = quick ? 0.1 : 1.0,
                                                           .duration = quick ? 20.0 : 0.0});
  if (!scene) return scene.problems();
  Result<Trial> trial = analysis::run_trial(std::make_shared<const scenario::Scenario>(std::move(scene).value()),
                                            one.world, {.seed = one.seed});
  if (!trial) return trial.problems();
  one.trial = std::move(trial).value();
  return {};
}

/// Means over the runs of one scene and method.
std::vector<Json> row_of(std::span<const Case> runs) {
  double collisions = 0, energy = 0, time = 0, distance = 0, arrived = 0;
  int deadlocked = 0, unfinished = 0;
  for (const Case& one : runs) {
    const analysis::Summary& s = one.trial.summary;
    collisions += double(s.collisions), energy += s.mean_energy, time += s.mean_travel_time;
    distance += s.mean_distance, arrived += double(s.arrived);
    deadlocked += one.trial.deadlocked;
    unfinished += !one.trial.deadlocked && s.arrived < s.agents;
  }
  const auto n = double(runs.size());
  const Published* paper = published_for(runs[0].scene, runs[0].avoid);
  return {runs[0].scene,
          runs[0].avoid,
          runs[0].as_published ? "published" : "default",
          runs[0].trial.summary.agents,
          runs.size(),
          arrived / n,
          collisions / n,
          paper && paper->without ? Json(*paper->without) : Json(nullptr),
          paper ? Json(paper->with_streams) : Json(nullptr),
          energy / n,
          time / n,
          distance / n,
          deadlocked,
          paper && paper->deadlocked_of_50 ? Json(*paper->deadlocked_of_50 / 50.0 * n) : Json(nullptr),
          unfinished};
}

ExitCode run(const ExperimentOptions& options) {
  const std::uint64_t runs = options.runs > 0 ? options.runs : options.quick ? 1 : usual_runs;
  Result<std::vector<Case>> made = all_cases(options, runs);
  if (!made) return refused(made.problems());
  std::vector<Case> cases = std::move(made).value();
  Problems problems;
  {
    TrialProgress progress(cases.size());
    std::mutex mutex;
    analysis::side_by_side(cases.size(), options.threads, [&](std::size_t i) {
      const Problems wrong = run_case(cases[i], options.quick);
      progress.done(fmt::format("{} {} seed {}", cases[i].scene, cases[i].avoid, cases[i].seed));
      if (wrong.empty()) return;
      const std::lock_guard lock(mutex);
      problems.insert(problems.end(), wrong.begin(), wrong.end());
    });
  }
  if (has_errors(problems)) return refused(problems);
  ExperimentTable table({"scene", "avoid", "variant", "people", "runs", "arrived", "collisions",
                         "J_9.2_without_streams", "J_9.1_with_streams", "energy_j", "time_s", "distance_m",
                         "deadlocked", "J_deadlocked", "unfinished"});
  for (std::size_t i = 0; i < cases.size(); i += runs) table.add(row_of(std::span(cases).subspan(i, runs)));
  table.print(options.json, "avoidance",
              {.scene = {"scene"},
               .method = {"avoid"},
               .variant = {"variant"},
               .runs = "runs",
               .published = {{"collisions", "J_9.2_without_streams"},
                             {"collisions with streams", "J_9.1_with_streams"},
                             {"deadlocked", "J_deadlocked"}}});
  problems = write_into(options, "avoidance.csv", table.csv());
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

const ExperimentRegistration registration({"avoidance",
                                           "moussaid, karamouzas and orca, as published and by default, without "
                                           "streams in the scenes of Jaklin 2016 (9.4.1), beside its tables",
                                           run,
                                           {"runs"}});

}  // namespace
}  // namespace throng::cli
