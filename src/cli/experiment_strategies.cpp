// `throng experiment strategies`: the scenes of van Toll, Pettre 2019, 6.3, beside its table 1 and what its figures 6 to 9 tell.
#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <optional>
#include <vector>

#include "analysis/metrics.hpp"
#include "analysis/spread.hpp"
#include "analysis/strategy_scenes.hpp"
#include "analysis/trial.hpp"
#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using analysis::AgentRecord;
using analysis::Spread;

constexpr std::uint64_t usual_runs = 3, few_runs = 3;
/// Persons a second of the u-turns: the paper's, and one at which ours is as crowded as the paper's (docs/strategies.md).
constexpr double usual_rate = 3, lower_rate = 2;
/// Seconds: who comes before, or arrives after, does not count in the u-turn.
constexpr double counted_from = 50, counted_until = 300;
/// Seconds in which nobody gets on: a deadlock.
constexpr double deadlock_after = 30;
constexpr double progress = 0.5;

constexpr const char* coarse = R"({"replan_every": 2, "detour": 1.2, "strict": 0})";
constexpr const char* fine = R"({"replan_every": 0.5, "detour": 1.2, "strict": 1})";

/// Table 1 of the paper: variant, people, metres, seconds, metres a second, seconds below 0.5 m/s.
struct Published {
  std::string_view variant;
  double people, distance, time, speed, slow;
};
constexpr Published table[] = {{"standard", 513, 72.31, 76.71, 0.96, 5.30},
                               {"coarse", 555, 74.11, 63.83, 1.16, 0.12},
                               {"fine", 556, 73.95, 64.17, 1.15, 0.10}};

struct Variant {
  std::string scene, method, name = {};
  analysis::StrategySceneRequest request = {};
  const Published* paper = nullptr;
  bool few = false;  ///< a few runs tell
};

/// What came of one run.
struct Run {
  Spread distance, time, speed, slow;  ///< of the people who count
  std::uint64_t people = 0, agents = 0, arrived = 0;
  bool is_deadlocked = false;
  crowd::StrategyCounts counts;
  std::uint64_t changes_of_one = 0;
  bool has_one_arrived = false;
  double ms = 0, decide_ms = 0;  ///< a step
};

bool is_uturn(const std::string& scene) { return scene.starts_with("uturn"); }

Result<Run> run_once(const Variant& variant, std::uint64_t seed) {
  Result<scenario::Scenario> made = analysis::make_strategy_scene(variant.request);
  if (!made) return made.problems();
  auto scene = std::make_shared<const scenario::Scenario>(std::move(made).value());
  const Result<crowd::WorldPtr> world = scenario::make_world(*scene);
  if (!world) return world.problems();
  Result<scenario::Simulation> begun =
      scenario::Simulation::make(scene, *world, {.seed = seed, .threads = 1, .duration = {}});
  if (!begun) return begun.problems();
  scenario::Simulation& simulation = *begun;
  analysis::Metrics metrics({}, {});
  metrics.begin(simulation.crowd());
  Run run;
  std::vector<double> nearest;  // by serial
  double last_progress = 0;
  double seconds = 0, deciding = 0;
  std::uint64_t steps = 0;
  while (!simulation.finished() && !run.is_deadlocked) {
    if (const Result<std::size_t> stepped = simulation.step(); !stepped) return stepped.problems();
    const crowd::Crowd& people = simulation.crowd();
    metrics.observe(people, scene->time_step);
    ++steps;
    for (std::size_t stage = 0; stage < std::size(crowd::stage_names); ++stage)
      seconds += people.seconds_of(crowd::Stage(stage));
    deciding += people.seconds_of(crowd::Stage::decide);
    if (!people.departures().empty()) last_progress = people.time();
    nearest.resize(people.last_serial() + 1, 1e18);
    bool any_walks = false;
    for (const crowd::Slot slot : people.in_serial_order()) {
      if (people.activity(slot) != crowd::Activity::walking) continue;
      any_walks = true;
      double& least = nearest[people.people().serial[slot]];
      const double left = people.remaining(slot);
      if (left > least - progress) continue;
      least = left;
      last_progress = people.time();
    }
    if (!any_walks) last_progress = people.time();
    run.is_deadlocked = people.time() - last_progress >= deadlock_after;
    if (variant.scene != "single") continue;
    for (const crowd::Slot slot : people.in_serial_order())
      if (people.population_of(slot) == 0)
        if (const auto own = people.strategy_of(slot)) run.changes_of_one = own->routes;
  }
  run.counts = simulation.crowd().strategy_counts();
  run.ms = steps > 0 ? 1000 * seconds / double(steps) : 0;
  run.decide_ms = steps > 0 ? 1000 * deciding / double(steps) : 0;
  for (const AgentRecord& agent : metrics.agents()) {
    ++run.agents;
    run.arrived += agent.arrived;
    if (variant.scene == "single") {
      if (agent.population == 0) run.has_one_arrived = agent.arrived;
      if (agent.population != 0) continue;
    }
    if (!agent.arrived || (is_uturn(variant.scene) && (agent.appeared < counted_from || agent.left >= counted_until)))
      continue;
    ++run.people;
    const double time = agent.left - agent.appeared;
    run.distance.values.push_back(agent.distance);
    run.time.values.push_back(time);
    run.speed.values.push_back(time > 0 ? agent.distance / time : 0);
    run.slow.values.push_back(agent.slow_time);
  }
  return run;
}

/// What a variant is made of, beside its scene.
struct Wanted {
  std::string name;
  std::string strategy = {};  ///< as JSON; empty: none
  bool published = false, guided = false;
  std::string follow = "lookahead", avoid = "sampling", congestion = {};
  double rate = usual_rate;
  bool few = false;  ///< a few runs tell
};

Variant variant_of(const std::string& scene, Wanted wanted, const ExperimentOptions& options) {
  Variant variant{.scene = scene, .method = wanted.avoid, .few = wanted.few};
  for (const Published& row : table)
    if (scene == "uturn" && wanted.rate == usual_rate && wanted.avoid == "sampling" && row.variant == wanted.name)
      variant.paper = &row;
  variant.name = wanted.name;
  if (wanted.guided) variant.name += "+guided";
  if (wanted.rate != usual_rate) variant.name += fmt::format(" {:g}/s", wanted.rate);
  variant.name += wanted.published ? " published" : " default";
  variant.request = {.scene = scene,
                     .follow = std::move(wanted.follow),
                     .avoid = std::move(wanted.avoid),
                     .as_published = wanted.published,
                     .strategy = std::move(wanted.strategy),
                     .congestion = std::move(wanted.congestion),
                     .is_guided = wanted.guided,
                     .rate = wanted.rate,
                     .duration = options.quick ? 20.0 : 0.0};
  return variant;
}

/// Standard, coarse, fine.
void add_three(std::vector<Wanted>& all, const Wanted& like) {
  for (const auto& [name, strategy] :
       {std::pair{"standard", ""}, std::pair{"coarse", coarse}, std::pair{"fine", fine}}) {
    Wanted one = like;
    one.name = name, one.strategy = strategy;
    all.push_back(std::move(one));
  }
}

std::vector<Variant> variants_of(const std::string& scene, const ExperimentOptions& options) {
  std::vector<Wanted> all;
  for (const bool published : {false, true}) {
    if (scene == "uturn-bare") {
      all.push_back({.name = "standard", .published = published, .few = true});
      continue;
    }
    all.push_back({.name = "ca_only", .published = published, .follow = "direct", .few = true});
    if (scene == "single") {
      all.push_back({.name = "standard", .published = published});
      for (const char* detour : {"1000", "1"})
        all.push_back({.name = fmt::format("coarse detour={}", detour),
                       .strategy = fmt::format(R"({{"replan_every": 2, "detour": {}}})", detour),
                       .published = published});
      continue;
    }
    add_three(all, {.published = published});
    if (scene == "uturn")
      add_three(all, {.published = published, .rate = lower_rate, .few = true});
    else
      add_three(all, {.published = published, .guided = true});
  }
  if (scene == "uturn")
    for (const char* avoid : {"moussaid", "orca", "karamouzas"})
      for (const auto& [name, strategy] : {std::pair{"standard", ""}, std::pair{"coarse", coarse}})
        all.push_back({.name = name, .strategy = strategy, .avoid = avoid, .few = true});
  if (scene == "uturn" || scene == "uturn-both")
    for (const auto& [name, strategy] : {std::pair{"density", ""}, std::pair{"density+coarse", coarse}})
      all.push_back({.name = name, .strategy = strategy, .congestion = R"({"method": "density"})", .few = true});
  std::vector<Variant> variants;
  for (Wanted& one : all) variants.push_back(variant_of(scene, std::move(one), options));
  return variants;
}

/// Welch's t of two sets of numbers; 0 where either has fewer than two.
double welch(const Spread& a, const Spread& b) {
  if (a.values.size() < 2 || b.values.size() < 2) return 0;
  const double variance =
      a.deviation() * a.deviation() / double(a.values.size()) + b.deviation() * b.deviation() / double(b.values.size());
  return variance > 0 ? (a.mean() - b.mean()) / std::sqrt(variance) : 0;
}

void add_figures(const Variant& variant, const std::vector<Run>& runs, ExperimentFigures& figures) {
  const auto of_people = [&](const std::string& measure, const auto& of, std::optional<double> theirs) {
    Spread all;
    for (const Run& run : runs) all.values.insert(all.values.end(), of(run).values.begin(), of(run).values.end());
    if (!all.values.empty())
      figures.add(
          {variant.scene, variant.method, variant.name, measure, all.mean(), all.deviation(), runs.size(), theirs});
  };
  const auto of_runs = [&](const std::string& measure, const auto& of, std::optional<double> theirs = {}) {
    Spread all;
    for (const Run& run : runs) all.values.push_back(double(of(run)));
    figures.add(
        {variant.scene, variant.method, variant.name, measure, all.mean(), all.deviation(), runs.size(), theirs});
  };
  const Published* paper = variant.paper;
  const auto published = [&](double Published::*member) {
    return paper != nullptr ? std::optional(paper->*member) : std::nullopt;
  };
  of_runs(
      "people", [](const Run& run) { return run.people; }, published(&Published::people));
  of_people(
      "distance", [](const Run& run) -> const Spread& { return run.distance; }, published(&Published::distance));
  of_people(
      "time", [](const Run& run) -> const Spread& { return run.time; }, published(&Published::time));
  of_people(
      "speed", [](const Run& run) -> const Spread& { return run.speed; }, published(&Published::speed));
  of_people(
      "slow_time", [](const Run& run) -> const Spread& { return run.slow; }, published(&Published::slow));
  of_runs("arrived_share",
          [](const Run& run) { return run.agents > 0 ? double(run.arrived) / double(run.agents) : 1; });
  // The paper's figures 8 and 9: opposite streams lock without guidance, and do not with it; nor do people who cross a circle.
  const bool has_figure = (variant.scene == "uturn-both" || variant.scene == "circle") &&
                          variant.method == "sampling" && variant.request.congestion.empty() &&
                          variant.request.follow == "lookahead" &&
                          (variant.request.is_guided || variant.scene == "uturn-both");
  of_runs(
      "deadlocked", [](const Run& run) { return run.is_deadlocked ? 1 : 0; },
      has_figure ? std::optional(variant.request.is_guided ? 0.0 : 1.0) : std::nullopt);
  if (variant.scene == "single") {
    const bool endless = variant.name.find("detour=1000") != std::string::npos;
    of_runs(
        "one_arrived", [](const Run& run) { return run.has_one_arrived ? 1 : 0; }, endless ? 1.0 : 0.0);
    of_runs(
        "routes_of_one", [](const Run& run) { return run.changes_of_one; },
        endless ? std::optional(4.0) : std::nullopt);
  }
  of_runs("step_ms", [](const Run& run) { return run.ms; });
  if (variant.request.strategy.empty()) return;
  of_runs("conflicts", [](const Run& run) { return run.counts.conflicts; });
  of_runs("strategy_routes", [](const Run& run) { return run.counts.routes; });
  of_runs("strategy_refused", [](const Run& run) { return run.counts.refused; });
  of_runs("strict_velocities", [](const Run& run) { return run.counts.strict; });
  of_runs("decide_ms", [](const Run& run) { return run.decide_ms; });
}

ExitCode run(const ExperimentOptions& options) {
  const std::uint64_t runs = options.runs > 0 ? options.runs : options.quick ? 1 : usual_runs;
  std::vector<Variant> variants;
  // A scene, or SCENE:PART of the variants whose names have that part.
  const std::size_t colon = options.only.find(':');
  const std::string only = options.only.substr(0, colon);
  const std::string part = colon == std::string::npos ? "" : options.only.substr(colon + 1);
  for (const std::string& scene : analysis::strategy_scenes()) {
    if (!only.empty() && only != scene) continue;
    for (Variant& variant : variants_of(scene, options))
      if ((variant.method + " " + variant.name).find(part) != std::string::npos) variants.push_back(std::move(variant));
  }
  if (variants.empty())
    return refused(
        {{Severity::error, ProblemCode::value, "experiment", "there is no scene or variant '" + options.only + "'"}});
  struct Job {
    std::size_t variant, run;
  };
  std::vector<std::vector<Run>> done(variants.size());
  std::vector<Job> jobs;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    done[v].resize(variants[v].few ? std::min(runs, few_runs) : runs);
    for (std::size_t r = 0; r < done[v].size(); ++r) jobs.push_back({v, r});
  }
  Problems problems;
  std::mutex mutex;
  TrialProgress progress_line(jobs.size());
  analysis::side_by_side(jobs.size(), options.threads, [&](std::size_t i) {
    const Variant& variant = variants[jobs[i].variant];
    const std::uint64_t seed = options.seed + jobs[i].run;
    Result<Run> one = run_once(variant, seed);
    progress_line.done(fmt::format("{} {} {} seed {}", variant.scene, variant.method, variant.name, seed));
    if (one) {
      done[jobs[i].variant][jobs[i].run] = std::move(one).value();
      return;
    }
    const std::lock_guard lock(mutex);
    problems.insert(problems.end(), one.problems().begin(), one.problems().end());
  });
  if (has_errors(problems)) return refused(problems);
  ExperimentFigures figures("strategies");
  for (std::size_t i = 0; i < variants.size(); ++i) {
    add_figures(variants[i], done[i], figures);
    // Standard against the coarse one of the same kind.
    if (i == 0 || !variants[i].name.starts_with("coarse") || !variants[i - 1].name.starts_with("standard")) continue;
    if (variants[i].method != variants[i - 1].method) continue;
    Spread times[2];
    for (int k = 0; k < 2; ++k)
      for (const Run& one : done[i - std::size_t(k)])
        times[k].values.insert(times[k].values.end(), one.time.values.begin(), one.time.values.end());
    figures.add({variants[i].scene,
                 variants[i].method,
                 variants[i].name,
                 "welch_t_of_standard_slower",
                 welch(times[1], times[0]),
                 {},
                 done[i].size(),
                 {}});
  }
  const Problems written = figures.finish(options);
  return has_errors(written) ? refused(written) : ExitCode::done;
}

const ExperimentRegistration registration({"strategies",
                                           "left or right of obstacles: the scenes of van Toll, Pettre 2019, beside "
                                           "its table 1",
                                           run,
                                           {"only", "runs"}});

}  // namespace
}  // namespace throng::cli
