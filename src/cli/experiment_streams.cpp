// `throng experiment streams` and `stream-measures`: Jaklin's scenes (2016, 9.4) with streams and without, beside its tables 9.1 and 9.2 and
// the deadlocks its text tells of; and the three measures of density (9.3.1) on the same scenes.
#include <fmt/format.h>

#include <array>
#include <mutex>
#include <optional>

#include "analysis/rank_test.hpp"
#include "analysis/scenes.hpp"
#include "analysis/spread.hpp"
#include "analysis/trial.hpp"
#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using analysis::Spread;
using analysis::Trial;

constexpr std::uint64_t usual_runs = 5;

/// Jaklin 2016: collisions (tables 9.1 and 9.2), runs of 50 in which not everybody got through (9.4.3, 9.4.4).
struct Published {
  std::string_view scene, method;
  bool with_stream = false;
  std::optional<double> collisions, not_through_of_50;
};
constexpr std::array<Published, 22> published{{{"crossing-streams", "karamouzas", true, 17.5, {}},
                                               {"hallway1", "karamouzas", true, 5.9, {}},
                                               {"hallway2", "karamouzas", true, 5.3, {}},
                                               {"merging-streams", "karamouzas", true, 95.7, {}},
                                               {"narrow-50", "karamouzas", true, 32.4, 50},
                                               {"crossing-streams", "orca", true, 1970.9, {}},
                                               {"hallway1", "orca", true, 612.2, {}},
                                               {"hallway2", "orca", true, 138.6, {}},
                                               {"merging-streams", "orca", true, 16555.8, {}},
                                               {"narrow-50", "orca", true, 3876.7, {}},
                                               {"crossing-streams", "moussaid", true, 111.9, 0},
                                               {"hallway1", "moussaid", true, 28.7, 0},
                                               {"hallway2", "moussaid", true, 16.6, 0},
                                               {"merging-streams", "moussaid", true, 290.4, 0},
                                               {"narrow-50", "moussaid", true, 170.3, 0},
                                               {"narrow-100", "moussaid", true, 4787.3, 15},
                                               {"crossing-streams", "moussaid", false, 34.7, 0},
                                               {"hallway1", "moussaid", false, 10.5, 40},
                                               {"hallway2", "moussaid", false, 13.0, 40},
                                               {"merging-streams", "moussaid", false, 677.9, 0},
                                               {"narrow-50", "moussaid", false, 15799.2, 49},
                                               {"narrow-100", "moussaid", false, 43070.9, 50}}};

const Published* published_for(std::string_view scene, std::string_view method, bool with_stream) {
  if (scene == "crossing-wide") scene = "crossing-streams";
  for (const Published& row : published)
    if (row.scene == scene && row.method == method && row.with_stream == with_stream) return &row;
  return nullptr;
}

/// What is run with every seed.
struct Variant {
  std::string scene, avoid, name;
  bool as_published = false;
  std::string stream;         ///< a block; empty: none
  std::string avoid_numbers;  ///< further ones
  std::string move_numbers;
  bool is_as_jaklin = false;  ///< published figures belong beside it
  crowd::WorldPtr world;
  std::vector<Trial> trials;

  [[nodiscard]] analysis::SceneRequest request(bool quick) const {
    return {.scene = scene,
            .follow = "irm",
            .avoid = avoid,
            .as_published = as_published,
            .stream = stream,
            .avoid_numbers = avoid_numbers,
            .move_numbers = move_numbers,
            .people = quick ? 0.1 : 1.0,
            .duration = quick ? 20.0 : 0.0};
  }
};

Problems run_all(std::vector<Variant>& variants, const ExperimentOptions& options, std::uint64_t runs) {
  Problems problems;
  std::mutex mutex;
  for (Variant& variant : variants) variant.trials.resize(runs);
  TrialProgress progress(variants.size() * runs);
  analysis::side_by_side(variants.size() * runs, options.threads, [&](std::size_t i) {
    Variant& variant = variants[i / runs];
    const std::uint64_t seed = options.seed + i % runs;
    const auto run_one = [&]() -> Problems {
      Result<scenario::Scenario> scene = analysis::make_scene(variant.request(options.quick));
      if (!scene) return scene.problems();
      const bool is_drawn = !options.folder.empty() && seed == options.seed;
      Result<Trial> trial = analysis::run_trial(std::make_shared<const scenario::Scenario>(std::move(scene).value()),
                                                variant.world, {.seed = seed, .path_every = is_drawn ? 0.5 : 0});
      if (!trial) return trial.problems();
      Trial& done = variant.trials[i % runs];
      done = std::move(trial).value();
      if (!is_drawn) return {};
      const std::string title = fmt::format("{}: {}, {}, {} of {} arrived", variant.scene, variant.avoid, variant.name,
                                            done.summary.arrived, done.summary.agents);
      const std::string picture = analysis::draw_paths(variant.world->environment, done.paths, title);
      done.paths.clear();
      return write_into(options, fmt::format("{}-{}-{}.svg", variant.scene, variant.avoid, variant.name), picture);
    };
    const Problems wrong = run_one();
    progress.done(fmt::format("{} {} {} seed {}", variant.scene, variant.avoid, variant.name, seed));
    const std::lock_guard lock(mutex);
    problems.insert(problems.end(), wrong.begin(), wrong.end());
  });
  return problems;
}

bool is_through(const Trial& trial) { return !trial.deadlocked && trial.summary.arrived == trial.summary.agents; }

void add_figures(const Variant& variant, ExperimentFigures& figures) {
  const Published* paper =
      variant.is_as_jaklin ? published_for(variant.scene, variant.avoid, !variant.stream.empty()) : nullptr;
  const std::size_t runs = variant.trials.size();
  const auto count = [&](const std::string& measure, const auto& of, std::optional<double> theirs = {}) {
    double sum = 0;
    for (const Trial& trial : variant.trials) sum += of(trial) ? 1 : 0;
    figures.add({variant.scene, variant.avoid, variant.name, measure, sum, {}, runs, theirs});
  };
  const auto mean = [&](const std::string& measure, const auto& of, std::optional<double> theirs = {}) {
    Spread spread;
    for (const Trial& trial : variant.trials) spread.values.push_back(double(of(trial.summary)));
    figures.add({variant.scene, variant.avoid, variant.name, measure, spread.mean(), spread.deviation(), runs, theirs});
  };
  using analysis::Summary;
  std::optional<double> theirs;
  if (paper != nullptr && paper->not_through_of_50) theirs = paper->not_through_of_50.value_or(0) / 50 * double(runs);
  count("deadlocked", [](const Trial& t) { return t.deadlocked; });
  count("unfinished", [](const Trial& t) { return !t.deadlocked && t.summary.arrived < t.summary.agents; });
  count(
      "not_through", [](const Trial& t) { return !is_through(t); }, theirs);
  mean("arrived", [](const Summary& s) { return s.arrived; });
  mean(
      "collisions", [](const Summary& s) { return s.collisions; }, paper != nullptr ? paper->collisions : std::nullopt);
  mean("collision_steps", [](const Summary& s) { return s.collision_steps; });
  mean("energy", [](const Summary& s) { return s.mean_energy; });
  mean("time", [](const Summary& s) { return s.mean_travel_time; });
  mean("distance", [](const Summary& s) { return s.mean_distance; });
  if (variant.stream.empty()) return;
  mean("mean_incentive", [](const Summary& s) { return s.mean_incentive.value_or(1); });
  mean("stream_share", [](const Summary& s) { return s.stream_share.value_or(0); });
}

/// With and without: whether collisions are fewer, and how much longer times and distances are in runs in which all get through.
void compare(const Variant& without, const Variant& with, ExperimentFigures& figures) {
  const std::size_t runs = without.trials.size();
  const auto add = [&](const std::string& measure, double value, std::size_t of) {
    figures.add({with.scene, with.avoid, with.name, measure, value, {}, of, {}});
  };
  std::vector<double> collisions[2], steps[2];
  Spread time, distance;
  for (std::size_t i = 0; i < runs; ++i) {
    const Trial* pair[] = {&without.trials[i], &with.trials[i]};
    for (int k = 0; k < 2; ++k) {
      collisions[k].push_back(double(pair[k]->summary.collisions));
      steps[k].push_back(double(pair[k]->summary.collision_steps));
    }
    if (!is_through(*pair[0]) || !is_through(*pair[1]) || pair[0]->summary.arrived == 0) continue;
    time.values.push_back(pair[1]->summary.mean_travel_time / pair[0]->summary.mean_travel_time);
    distance.values.push_back(pair[1]->summary.mean_distance / pair[0]->summary.mean_distance);
  }
  add("p_fewer_collisions", analysis::chance_of_being_smaller(collisions[1], collisions[0]), runs);
  add("p_fewer_collision_steps", analysis::chance_of_being_smaller(steps[1], steps[0]), runs);
  if (time.values.empty()) return;
  add("time_ratio", time.mean(), time.values.size());
  add("distance_ratio", distance.mean(), distance.values.size());
}

ExitCode finish(const ExperimentFigures& figures, const ExperimentOptions& options) {
  const Problems problems = figures.finish(options);
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

/// The scenes asked for, each with its world.
Result<std::vector<std::pair<std::string, crowd::WorldPtr>>> scenes_of(const ExperimentOptions& options) {
  std::vector<std::pair<std::string, crowd::WorldPtr>> scenes;
  for (const analysis::SceneInfo& scene : analysis::stream_scenes()) {
    if (!options.only.empty() && options.only != scene.name) continue;
    const Result<scenario::Scenario> drawn = analysis::make_scene({.scene = scene.name});
    if (!drawn) return drawn.problems();
    const Result<crowd::WorldPtr> world = scenario::make_world(*drawn);
    if (!world) return world.problems();
    scenes.emplace_back(scene.name, *world);
  }
  if (scenes.empty())
    return Problem{Severity::error, ProblemCode::value, "experiment", "there is no scene '" + options.only + "'"};
  return scenes;
}

/// Jaklin's formulas with the one guard that narrow-100 needs; `headway` is for crowds that fell asleep.
constexpr std::string_view by_view = R"({"method": "view"})",
                           by_view_as_published = R"({"method": "view", "headway": 0, "head_on_degrees": 120})",
                           by_formulas_alone = R"({"method": "view", "headway": 0, "give_way": 1})";
/// And the one that walls need with a method that goes nowhere but ahead: whom others pushed against one while it looked there would stand before
/// it for ever.
constexpr std::string_view turns_while_standing = R"("turning": 4)";

std::string_view turning_for(std::string_view avoid) { return avoid == "moussaid" ? turns_while_standing : ""; }

std::string name_of(bool as_published, bool with) {
  return fmt::format("{}{}", as_published ? "published" : "default", with ? "+view" : "");
}

/// Streams by view with another number: "motivation=0.4".
std::string with_number(std::string_view number) {
  const std::size_t equals = number.find('=');
  return fmt::format(R"({{"method": "view", "{}": {}}})", number.substr(0, equals), number.substr(equals + 1));
}

/// What is run in a scene, those without streams before the same with them.
std::vector<Variant> variants_of(const std::string& scene, const crowd::WorldPtr& world) {
  std::vector<Variant> variants;
  const auto add_published = [&](const std::string& avoid, std::string name, std::string_view stream) -> Variant& {
    return variants.emplace_back(Variant{.scene = scene,
                                         .avoid = avoid,
                                         .name = std::move(name),
                                         .as_published = true,
                                         .stream = std::string(stream),
                                         .avoid_numbers = {},
                                         .move_numbers = std::string(turning_for(avoid)),
                                         .is_as_jaklin = false,
                                         .world = world,
                                         .trials = {}});
  };
  const auto add_usual = [&](const std::string& avoid, std::string name, std::string_view stream) {
    Variant& usual = add_published(avoid, std::move(name), stream);
    usual.as_published = false;
    usual.move_numbers.clear();
  };
  for (const char* avoid : {"moussaid", "karamouzas", "orca"}) {
    if (scene == "narrow-100" && avoid != std::string_view("moussaid")) continue;  // as in the tables
    for (const bool with : {false, true})
      add_published(avoid, name_of(true, with), with ? by_view_as_published : "").is_as_jaklin = true;
    for (const bool with : {false, true}) add_usual(avoid, name_of(false, with), with ? by_view : "");
  }
  for (const bool with : {false, true})
    add_published("moussaid", name_of(true, with) + " turning=0", with ? by_view_as_published : "")
        .move_numbers.clear();
  add_published("moussaid", "published+view give_way=1", by_formulas_alone);
  if (scene.starts_with("crossing"))
    for (const char* number : {"deviation_degrees=22.5", "motivation=0.4", "least_speed=0.5"})
      add_usual("moussaid", fmt::format("default+view {}", number), with_number(number));
  if (scene == "narrow-50")
    for (const double space : {0.5, 0.4, 0.3, 0.24})
      add_published("karamouzas", fmt::format("published+view personal_space={}", space), by_view_as_published)
          .avoid_numbers = fmt::format(R"("personal_space": {})", space);
  return variants;
}

ExitCode run_streams(const ExperimentOptions& options) {
  const std::uint64_t runs = options.runs > 0 ? options.runs : options.quick ? 1 : usual_runs;
  const auto scenes = scenes_of(options);
  if (!scenes) return refused(scenes.problems());
  std::vector<Variant> variants;
  for (const auto& [scene, world] : *scenes) {
    std::vector<Variant> more = variants_of(scene, world);
    for (Variant& variant : more)
      if (options.avoid.empty() || options.avoid == variant.avoid) variants.push_back(std::move(variant));
  }
  if (variants.empty())
    return refused(
        {{Severity::error, ProblemCode::value, "--avoid",
          "'" + options.avoid + "' is not run there: moussaid, karamouzas or orca, in narrow-100 moussaid"}});
  if (const Problems problems = run_all(variants, options, runs); has_errors(problems)) return refused(problems);
  ExperimentFigures figures("streams");
  for (std::size_t i = 0; i < variants.size(); ++i) {
    add_figures(variants[i], figures);
    if (i > 0 && variants[i].name == variants[i - 1].name + "+view" && variants[i].avoid == variants[i - 1].avoid)
      compare(variants[i - 1], variants[i], figures);
  }
  if (!options.json)
    fmt::print(stderr, "motivation 0, deviation_degrees 45 (Jaklin gives neither for the tables); follower irm\n");
  return finish(figures, options);
}

ExitCode run_measures(const ExperimentOptions& options) {
  const std::uint64_t runs = options.runs > 0 ? options.runs : options.quick ? 1 : usual_runs;
  const auto scenes = scenes_of(options);
  if (!scenes) return refused(scenes.problems());
  std::vector<Variant> variants;
  for (const auto& [scene, world] : *scenes)
    for (const auto& [name, block] :
         {std::pair{"view", R"({"method": "view"})"}, std::pair{"cells", R"({"method": "cells"})"},
          std::pair{"grid 1 m", R"({"method": "grid", "cell": 1})"},
          std::pair{"grid 2 m", R"({"method": "grid", "cell": 2})"},
          std::pair{"grid 3 m", R"({"method": "grid", "cell": 3})"}})
      for (const bool as_published : {true, false})
        variants.push_back({scene,
                            "moussaid",
                            fmt::format("{}+{}", as_published ? "published" : "default", name),
                            as_published,
                            block,
                            "",
                            std::string(as_published ? turning_for("moussaid") : ""),
                            false,
                            world,
                            {}});
  if (const Problems problems = run_all(variants, options, runs); has_errors(problems)) return refused(problems);
  ExperimentFigures figures("stream-measures");
  for (const Variant& variant : variants) add_figures(variant, figures);
  return finish(figures, options);
}

const ExperimentRegistration registrations[] = {
    ExperimentRegistration({"streams",
                            "with streams and without, in the scenes of Jaklin 2016 (9.4), beside its tables 9.1 "
                            "and 9.2 and its deadlocks",
                            run_streams,
                            {"only", "runs", "avoid"}}),
    ExperimentRegistration({"stream-measures",
                            "the three measures of density of streams (Jaklin 2016, 9.3.1) on the same scenes",
                            run_measures,
                            {"only", "runs"}}),
};

}  // namespace
}  // namespace throng::cli
