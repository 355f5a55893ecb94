// `throng experiment exits`: two doors shared out by a thousand people. The best of 21 fixed splits, the nearest door, and doors chosen by time: by every kind of
// follower, with capacities that are wrong at first, with a door that closes on the way; and RiMEA's test 11.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "analysis/exit_scenes.hpp"
#include "analysis/metrics.hpp"
#include "analysis/spread.hpp"
#include "analysis/trial.hpp"
#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "crowd/queues.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using analysis::Spread;

constexpr int splits = 21;
constexpr double closes_at = 60;  ///< seconds
/// Parts of the first guess: by half too much at the near door, by half too little at the far one.
constexpr double near_guess = 1.5, far_guess = 0.5;

struct Variant {
  std::string name;
  analysis::ExitSceneRequest request;
  bool wrong_capacities = false, closes = false;
};

struct Run {
  double last_out = 0;
  std::uint64_t people = 0, out = 0, near = 0, far = 0, changes = 0, most_changes = 0, most_a_minute = 0;
};

/// Of everything before the wall with the doors, by where it is.
void guess_wrong(scenario::Simulation& simulation) {
  crowd::Crowd& crowd = simulation.crowd();
  const navmesh::Mesh& mesh = *crowd.world().mesh;
  std::map<crowd::Index, double> widths;
  for (crowd::Index i = 0; i < mesh.passage_count(); ++i) {
    const navmesh::Passage& passage = mesh.passage(i);
    widths[i] = distance(passage.left, passage.right) * (passage.point.x < 20 ? near_guess : far_guess);
  }
  for (const auto& [queue, width] : widths) (void)crowd.expect_capacity(queue, width * crowd::Queues::usual_flow);
}

Result<Run> run_once(const Variant& variant, std::uint64_t seed) {
  Result<scenario::Scenario> made = analysis::make_exit_scene(variant.request);
  if (!made) return made.problems();
  Result<scenario::Simulation> begun =
      scenario::Simulation::make(std::move(made).value(), {.seed = seed, .threads = 1, .duration = {}});
  if (!begun) return begun.problems();
  scenario::Simulation& simulation = *begun;
  if (variant.wrong_capacities) guess_wrong(simulation);
  analysis::Metrics metrics({}, {});
  metrics.begin(simulation.crowd());
  bool is_open = true;
  while (!simulation.finished()) {
    if (variant.closes && is_open && simulation.crowd().time() >= closes_at) {
      analysis::ExitSceneRequest closed = variant.request;
      closed.near_is_open = false;
      Result<scenario::Scenario> next = analysis::make_exit_scene(closed);
      if (!next) return next.problems();
      // Somebody may stand in the door: it closes behind them.
      is_open = !simulation.change(std::move(next).value()).ok();
    }
    if (const Result<std::size_t> stepped = simulation.step(); !stepped) return stepped.problems();
    metrics.observe(simulation.crowd(), simulation.scenario().time_step);
  }
  Run run;
  for (const analysis::AgentRecord& agent : metrics.agents()) {
    ++run.people;
    run.changes += agent.exit_changes;
    run.most_changes = std::max(run.most_changes, agent.exit_changes);
    run.most_a_minute = std::max(run.most_a_minute, agent.most_changes_a_minute);
    if (!agent.arrived) continue;
    ++run.out;
    run.last_out = std::max(run.last_out, agent.left);
  }
  for (const analysis::ExitSummary& exit : metrics.summary().exits)
    (exit.name == "near" ? run.near : run.far) = exit.people;
  if (variant.request.near_share) run.near = std::uint64_t(*variant.request.near_share * double(run.people) + 0.5);
  return run;
}

std::vector<Variant> variants_of(const std::string& scene, bool quick) {
  std::vector<Variant> variants;
  const auto add = [&](std::string name, const char* goal, const char* congestion, const char* follow = "miran") {
    analysis::ExitSceneRequest request{.scene = scene, .goal = goal, .follow = follow, .congestion = congestion};
    if (quick) request.people = 60;
    variants.push_back({std::move(name), std::move(request)});
  };
  add("nearest", "nearest", "");
  constexpr const char* quickest = R"({"method": "quickest"})";
  add("quickest", "quickest", quickest);
  if (scene == "rimea-11") return variants;
  add("quickest, when setting out only", "quickest", R"({"method": "quickest", "every": 0})");
  add("density", "quickest", R"({"method": "density"})");
  add("density, when setting out only", "quickest", R"({"method": "density", "every": 0})");
  add("quickest, lookahead", "quickest", quickest, "lookahead");
  add("quickest, flow", "quickest", quickest, "flow");
  add("quickest, capacities wrong at first", "quickest", quickest);
  variants.back().wrong_capacities = true;
  add("quickest, near door closed at 60 s", "quickest", quickest);
  variants.back().closes = true;
  for (int i = 0; i < splits; i += quick ? splits / 2 : 1) {
    const double share = double(i) / (splits - 1);
    add(fmt::format("split {:.2f}", share), "quickest", "");
    variants.back().request.near_share = share;
  }
  return variants;
}

ExitCode run(const ExperimentOptions& options) {
  const std::uint64_t runs = options.runs > 0 ? options.runs : 1;
  std::vector<Variant> variants;
  // A scene, or "SCENE/" and how a variant begins.
  const std::size_t slash = std::min(options.only.find('/'), options.only.size());
  const std::string only_scene = options.only.substr(0, slash);
  const std::string only_variant = slash < options.only.size() ? options.only.substr(slash + 1) : "";
  for (const std::string& scene : analysis::exit_scenes())
    if (only_scene.empty() || only_scene == scene)
      for (Variant& variant : variants_of(scene, options.quick))
        if (variant.name.starts_with(only_variant)) variants.push_back(std::move(variant));
  if (variants.empty())
    return refused({{Severity::error, ProblemCode::value, "experiment", "there is no scene '" + options.only + "'"}});
  std::vector<std::vector<Run>> done(variants.size(), std::vector<Run>(runs));
  Problems problems;
  std::mutex mutex;
  TrialProgress progress(variants.size() * runs);
  analysis::side_by_side(variants.size() * runs, options.threads, [&](std::size_t i) {
    Result<Run> one = run_once(variants[i / runs], options.seed + i % runs);
    progress.done(variants[i / runs].name);
    if (one) {
      done[i / runs][i % runs] = *one;
      return;
    }
    const std::lock_guard lock(mutex);
    problems.insert(problems.end(), one.problems().begin(), one.problems().end());
  });
  if (has_errors(problems)) return refused(problems);
  ExperimentFigures figures("exits");
  const auto mean_of = [&](std::size_t i, const auto& of) {
    Spread all;
    for (const Run& one : done[i]) all.values.push_back(double(of(one)));
    return all;
  };
  std::map<std::string, std::pair<double, std::string>> best;  // by scene
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (!variants[i].request.near_share) continue;
    const double last = mean_of(i, [](const Run& one) { return one.last_out; }).mean();
    const bool all_out = std::ranges::all_of(done[i], [](const Run& one) { return one.out == one.people; });
    auto& least = best.try_emplace(variants[i].request.scene, 1e9, "").first->second;
    if (all_out && last < least.first) least = {last, variants[i].name};
  }
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Variant& variant = variants[i];
    const auto add = [&](const char* measure, const auto& of) {
      const Spread all = mean_of(i, of);
      figures.add({variant.request.scene,
                   variant.request.follow,
                   variant.name,
                   measure,
                   all.mean(),
                   all.deviation(),
                   runs,
                   {}});
      return all.mean();
    };
    const double last = add("last_out", [](const Run& one) { return one.last_out; });
    add("left", [](const Run& one) { return one.out; });
    if (variant.request.near_share) continue;
    add("by_near", [](const Run& one) { return one.near; });
    add("by_far", [](const Run& one) { return one.far; });
    add("exit_changes_a_person", [](const Run& one) { return double(one.changes) / double(one.people); });
    add("most_exit_changes", [](const Run& one) { return one.most_changes; });
    add("most_changes_a_minute", [](const Run& one) { return one.most_a_minute; });
    if (const auto least = best.find(variant.request.scene); least != best.end())
      figures.add({variant.request.scene,
                   variant.request.follow,
                   variant.name,
                   "last_out / " + least->second.second,
                   last / least->second.first,
                   {},
                   runs,
                   {}});
  }
  const Problems written = figures.finish(options);
  return has_errors(written) ? refused(written) : ExitCode::done;
}

const ExperimentRegistration registration({"exits",
                                           "two doors shared by a thousand people, beside the best of 21 fixed "
                                           "splits; RiMEA 11",
                                           run,
                                           {"only", "runs"}});

}  // namespace
}  // namespace throng::cli
