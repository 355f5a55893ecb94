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

constexpr std::uint64_t usual_runs = 3;
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
  std::string scene, method, name;
  analysis::StrategySceneRequest request;
  const Published* paper = nullptr;
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

std::vector<Variant> variants_of(const std::string& scene, const ExperimentOptions& options) {
  std::vector<Variant> variants;
  const auto paper_of = [&](std::string_view name) -> const Published* {
    for (const Published& row : table)
      if (scene == "uturn" && row.variant == name) return &row;
    return nullptr;
  };
  const auto add = [&](std::string name, const char* strategy, bool published, bool guided = false,
                       std::string follow = "lookahead", std::string avoid = "sampling") {
    analysis::StrategySceneRequest request{.scene = scene,
                                           .follow = std::move(follow),
                                           .avoid = avoid,
                                           .as_published = published,
                                           .strategy = strategy,
                                           .is_guided = guided};
    if (options.quick) request.duration = 20;
    const Published* paper = paper_of(name);
    name += std::string(guided ? "+guided" : "") + (published ? " published" : " default");
    variants.push_back({scene, std::move(avoid), std::move(name), std::move(request), paper});
  };
  for (const bool published : {false, true}) {
    add("ca_only", "", published, false, "direct");
    add("standard", "", published);
    if (scene == "single") {
      add("coarse detour=1000", R"({"replan_every": 2, "detour": 1000})", published);
      add("coarse detour=1", R"({"replan_every": 2, "detour": 1})", published);
      continue;
    }
    add("coarse", coarse, published);
    add("fine", fine, published);
    if (scene == "uturn") continue;
    add("standard", "", published, true);
    add("coarse", coarse, published, true);
    add("fine", fine, published, true);
  }
  if (scene == "uturn")
    for (const char* avoid : {"moussaid", "orca", "karamouzas"}) {
      add("standard", "", false, false, "lookahead", avoid);
      add("coarse", coarse, false, false, "lookahead", avoid);
    }
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
  of_runs("deadlocked", [](const Run& run) { return run.is_deadlocked ? 1 : 0; });
  if (variant.scene == "single") {
    const bool endless = variant.name.find("detour=1000") != std::string::npos;
    of_runs("one_arrived", [](const Run& run) { return run.has_one_arrived ? 1 : 0; });
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
  for (const std::string& scene : analysis::strategy_scenes()) {
    if (!options.only.empty() && options.only != scene) continue;
    const std::vector<Variant> some = variants_of(scene, options);
    variants.insert(variants.end(), some.begin(), some.end());
  }
  if (variants.empty())
    return refused({{Severity::error, ProblemCode::value, "experiment", "there is no scene '" + options.only + "'"}});
  std::vector<std::vector<Run>> done(variants.size(), std::vector<Run>(runs));
  Problems problems;
  std::mutex mutex;
  TrialProgress progress_line(variants.size() * runs);
  analysis::side_by_side(variants.size() * runs, options.threads, [&](std::size_t i) {
    const std::uint64_t seed = options.seed + i % runs;
    Result<Run> one = run_once(variants[i / runs], seed);
    progress_line.done(fmt::format("{} {} {} seed {}", variants[i / runs].scene, variants[i / runs].method,
                                   variants[i / runs].name, seed));
    if (one) {
      done[i / runs][i % runs] = std::move(one).value();
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
                 runs,
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
