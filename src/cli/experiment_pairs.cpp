// `throng experiment pairs`: every follower with every avoidance method on five small scenes; with --stream each of them with that method for
// streams, too, and which of them then bring fewer people to their goals.
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
#include "steering/coordinator.hpp"

namespace throng::cli {
namespace {

using analysis::Trial;

struct Pair {
  std::string scene, follow, avoid, stream;
  crowd::WorldPtr world;
  Trial trial;
  std::uint64_t people = 0;

  [[nodiscard]] std::string name() const {
    return fmt::format("{}-{}-{}{}{}", scene, follow, avoid, stream.empty() ? "" : "-", stream);
  }
  [[nodiscard]] std::string picture() const { return name() + ".svg"; }
};

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// Every pair of methods in every scene, each without and then with the method for streams where one is asked for; scenes share their world.
Result<std::vector<Pair>> all_pairs(const std::string& stream) {
  std::vector<Pair> pairs;
  for (const analysis::SceneInfo& scene : analysis::common_scenes()) {
    const Result<scenario::Scenario> drawn = analysis::make_scene({.scene = scene.name});
    if (!drawn) return drawn.problems();
    const Result<crowd::WorldPtr> world = scenario::make_world(*drawn);
    if (!world) return world.problems();
    for (const following::Follower* follower : following::followers())
      for (const steering::Avoider* avoider : steering::avoiders())
        for (const std::string& with :
             stream.empty() ? std::vector<std::string>{""} : std::vector<std::string>{"", stream})
          pairs.push_back(
              {scene.name, std::string(follower->info().name), std::string(avoider->info().name), with, *world, {}, 0});
  }
  return pairs;
}

std::string names_of_streams() {
  std::string names;
  for (const steering::Coordinator* method : steering::coordinators())
    names += (names.empty() ? "" : ", ") + std::string(method->info().name);
  return names;
}

std::string block_of(const std::string& stream) {
  return stream.empty() ? std::string() : fmt::format(R"({{"method": "{}"}})", stream);
}

Problems run_pair(Pair& pair, const ExperimentOptions& options) {
  Result<scenario::Scenario> scene = analysis::make_scene({.scene = pair.scene,
                                                           .follow = pair.follow,
                                                           .avoid = pair.avoid,
                                                           .stream = block_of(pair.stream),
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
          pair.stream,
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
        if (pair.scene != scene.name || pair.avoid != avoider->info().name || !pair.stream.empty()) continue;
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

/// Says where fewer arrive with streams than without.
void compare(const std::vector<Pair>& pairs) {
  std::size_t cases = 0, as_many = 0;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const std::uint64_t without = pairs[i].trial.summary.arrived, with = pairs[i + 1].trial.summary.arrived;
    ++cases, as_many += with >= without ? 1 : 0;
    if (with < without)
      fmt::print(stderr, "{}: {} of {} arrive, without {}\n", pairs[i + 1].name(), with,
                 pairs[i + 1].trial.summary.agents, without);
  }
  fmt::print(stderr, "in {} of {} cases ({:.1f} %) at least as many arrive as without streams\n", as_many, cases,
             100.0 * double(as_many) / double(cases));
}

ExitCode run(const ExperimentOptions& options) {
  if (!options.stream.empty() && steering::find_coordinator(options.stream) == nullptr)
    return refused({{Severity::error, ProblemCode::value, "--stream",
                     "there is no method '" + options.stream + "' for streams; there are " + names_of_streams()}});
  Result<std::vector<Pair>> made = all_pairs(options.stream);
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
  ExperimentTable table({"scene", "follow", "avoid", "stream", "people", "arrived", "mean_time_s", "time_95_s",
                         "time_100_s", "distance_m", "collisions", "overlap_cm", "energy_j", "step_ms",
                         "step_us_a_person", "deadlock", "hash"});
  for (const Pair& pair : pairs) table.add(row_of(pair));
  table.print(options.json, "pairs", {.scene = {"scene"}, .method = {"follow", "avoid"}, .variant = {"stream"}});
  if (!options.stream.empty()) compare(pairs);
  problems = write_into(options, "pairs.csv", table.csv());
  const Problems page = write_into(options, "index.html", overview(pairs, options));
  problems.insert(problems.end(), page.begin(), page.end());
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

const ExperimentRegistration registration(
    {"pairs",
     "every follower with every avoidance method: corridor, crossing, bottleneck, circle, hallway",
     run,
     {"stream"}});

}  // namespace
}  // namespace throng::cli
