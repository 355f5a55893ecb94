// `throng experiment pairs`: every follower with every avoidance method on five small scenes.
#include <fmt/format.h>

#include <mutex>

#include "analysis/scenes.hpp"
#include "analysis/trial.hpp"
#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "drawing/plot.hpp"
#include "following/follower.hpp"
#include "scenario/simulation.hpp"
#include "steering/avoider.hpp"

namespace throng::cli {
namespace {

using analysis::Trial;

struct Pair {
  std::string scene, follow, avoid;
  crowd::WorldPtr world;
  Trial trial;
  std::uint64_t people = 0;

  [[nodiscard]] std::string picture() const { return fmt::format("{}-{}-{}.svg", scene, follow, avoid); }
};

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// Every pair of methods in every scene; scenes share their world.
Result<std::vector<Pair>> all_pairs() {
  std::vector<Pair> pairs;
  for (const analysis::SceneInfo& scene : analysis::common_scenes()) {
    const Result<scenario::Scenario> drawn = analysis::make_scene({.scene = scene.name});
    if (!drawn) return drawn.problems();
    const Result<crowd::WorldPtr> world = scenario::make_world(*drawn);
    if (!world) return world.problems();
    for (const following::Follower* follower : following::followers())
      for (const steering::Avoider* avoider : steering::avoiders())
        pairs.push_back(
            {scene.name, std::string(follower->info().name), std::string(avoider->info().name), *world, {}, 0});
  }
  return pairs;
}

Problems run_pair(Pair& pair, const ExperimentOptions& options) {
  Result<scenario::Scenario> scene = analysis::make_scene({.scene = pair.scene,
                                                           .follow = pair.follow,
                                                           .avoid = pair.avoid,
                                                           .people = options.quick ? 0.25 : 1.0,
                                                           .duration = options.quick ? 40.0 : 0.0});
  if (!scene) return scene.problems();
  Result<Trial> trial =
      analysis::run_trial(std::make_shared<const scenario::Scenario>(std::move(scene).value()), pair.world,
                          {.seed = options.seed, .path_every = options.folder.empty() ? 0 : 0.5});
  if (!trial) return trial.problems();
  pair.trial = std::move(trial).value();
  if (options.folder.empty()) return {};
  const std::string title = fmt::format("{}: {} with {}, {} of {} arrived", pair.scene, pair.follow, pair.avoid,
                                        pair.trial.summary.arrived, pair.trial.summary.agents);
  const std::string picture = analysis::draw_paths(pair.world->environment, pair.trial.paths, title);
  pair.trial.paths.clear();
  return write_into(options, pair.picture(), picture);
}

std::vector<Json> row_of(const Pair& pair) {
  const analysis::Summary& s = pair.trial.summary;
  return {pair.scene,
          pair.follow,
          pair.avoid,
          s.agents,
          s.arrived,
          s.mean_travel_time,
          or_null(s.evacuated_95),
          or_null(s.evacuated_100),
          s.mean_distance,
          s.collisions,
          100 * s.max_overlap,
          s.mean_energy,
          pair.trial.ms_per_step,
          s.steps > 0 && s.agents > 0 ? 1000 * pair.trial.ms_per_step / double(s.agents) : 0.0,
          pair.trial.deadlocked,
          fmt::format("{:016x}", s.hash)};
}

/// One page: for each scene a table of pictures, followers across, avoidance methods down.
std::string overview(const std::vector<Pair>& pairs, const ExperimentOptions& options) {
  std::string page = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Every follower with every avoidance method</title><style>
body { font: 14px sans-serif; margin: 2em; } table { border-collapse: collapse; margin-bottom: 3em; }
th, td { border: 1px solid #ccc; padding: 4px; vertical-align: top; font-weight: normal; } th { background: #eee; font-weight: bold; }
img { width: 260px; display: block; } .bad { background: #fde0dc; } small { color: #444; }
</style></head><body><h1>Every follower with every avoidance method</h1>
)";
  page += fmt::format(
      "<p>Seed {}. Lines are the ways people walked, a colour a group; a dot is where somebody was last. Below each: "
      "who "
      "arrived, mean travel time, collisions (deepest overlap), energy a step. Red: not everybody arrived.</p>\n",
      options.seed);
  for (const analysis::SceneInfo& scene : analysis::common_scenes()) {
    page += fmt::format("<h2>{}</h2><p>{}</p>\n<table><tr><th></th>", scene.name, analysis::escaped(scene.about));
    for (const following::Follower* follower : following::followers())
      page += fmt::format("<th>{}</th>", follower->info().name);
    page += "</tr>\n";
    for (const steering::Avoider* avoider : steering::avoiders()) {
      page += fmt::format("<tr><th>{}</th>", avoider->info().name);
      for (const Pair& pair : pairs) {
        if (pair.scene != scene.name || pair.avoid != avoider->info().name) continue;
        const analysis::Summary& s = pair.trial.summary;
        page += fmt::format(
            R"(<td{}><a href="{}"><img src="{}" alt="{} with {}"></a><small>{} of {}, {:.1f} s, {} ({:.1f} cm), {:.2f} J{}</small></td>)",
            s.arrived < s.agents ? R"( class="bad")" : "", pair.picture(), pair.picture(), pair.follow, pair.avoid,
            s.arrived, s.agents, s.mean_travel_time, s.collisions, 100 * s.max_overlap, s.mean_energy,
            pair.trial.deadlocked ? ", deadlock" : "");
      }
      page += "</tr>\n";
    }
    page += "</table>\n";
  }
  return page + "</body></html>\n";
}

ExitCode run(const ExperimentOptions& options) {
  Result<std::vector<Pair>> made = all_pairs();
  if (!made) return refused(made.problems());
  std::vector<Pair> pairs = std::move(made).value();
  Problems problems;
  {
    TrialProgress progress(pairs.size());
    std::mutex mutex;
    analysis::side_by_side(pairs.size(), options.threads, [&](std::size_t i) {
      const Problems wrong = run_pair(pairs[i], options);
      progress.done(pairs[i].picture());
      if (wrong.empty()) return;
      const std::lock_guard lock(mutex);
      problems.insert(problems.end(), wrong.begin(), wrong.end());
    });
  }
  if (has_errors(problems)) return refused(problems);
  ExperimentTable table({"scene", "follow", "avoid", "people", "arrived", "mean_time_s", "time_95_s", "time_100_s",
                         "distance_m", "collisions", "overlap_cm", "energy_j", "step_ms", "step_us_a_person",
                         "deadlock", "hash"});
  for (const Pair& pair : pairs) table.add(row_of(pair));
  table.print(options.json);
  problems = write_into(options, "pairs.csv", table.csv());
  const Problems page = write_into(options, "index.html", overview(pairs, options));
  problems.insert(problems.end(), page.begin(), page.end());
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

const ExperimentRegistration registration(
    {"pairs", "every follower with every avoidance method: corridor, crossing, bottleneck, circle, hallway", run});

}  // namespace
}  // namespace throng::cli
