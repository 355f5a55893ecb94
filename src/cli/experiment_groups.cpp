// `throng experiment groups` (Jaklin 2016, tables 10.1 to 10.3), `groups-evacuation` (10.4, 10.5) and `groups-nist` (NIST TN 1822, 2.9): groups by
// each method, beside the published figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <optional>

#include "analysis/group_scenes.hpp"
#include "analysis/spread.hpp"
#include "analysis/trial.hpp"
#include "analysis/welch.hpp"
#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "cli/standard_cases.hpp"
#include "scenario/simulation.hpp"
#include "validation/case.hpp"

namespace throng::cli {
namespace {

using analysis::GroupSceneRequest;
using analysis::Spread;
using analysis::Trial;

constexpr std::uint64_t usual_runs = 100, usual_building_runs = 20, usual_evacuation_runs = 20;
constexpr std::size_t published_runs = 100;

/// Of one measure: mean and deviation in percent.
struct Percent {
  double mean = 0, deviation = 0;
};
/// Jaklin 2016, tables 10.1, 10.2 and 10.3, of SGN and of "Moussaid et al.".
struct PublishedGroups {
  std::string_view scene;
  std::size_t size = 0;
  Percent coherence[2], partial[2], total[2];
};
constexpr std::array<PublishedGroups, 12> published{{
    {"corridor", 2, {{100, 0}, {100, 0}}, {{91.7, 2.2}, {89.0, 2.6}}, {{91.7, 2.2}, {89.0, 2.6}}},
    {"corridor", 3, {{100, 0}, {100, 0}}, {{77.4, 5.1}, {51.1, 13.2}}, {{66.7, 6.4}, {25.1, 10.7}}},
    {"corridor", 4, {{100, 0}, {100, 0}}, {{64.3, 5.3}, {21.9, 6.7}}, {{41.5, 7.3}, {0.3, 1.0}}},
    {"bottleneck", 2, {{100, 0}, {100, 0}}, {{92.4, 1.0}, {90.4, 1.2}}, {{92.4, 1.0}, {90.4, 1.2}}},
    {"bottleneck", 3, {{99.9, 0.2}, {100, 0}}, {{82.5, 3.6}, {61.0, 9.6}}, {{75.5, 4.2}, {27.2, 10.1}}},
    {"bottleneck", 4, {{100, 0}, {100, 0}}, {{72.2, 4.6}, {20.5, 6.0}}, {{56.2, 6.0}, {0.6, 1.2}}},
    {"corners", 2, {{100, 0}, {100, 0}}, {{91.3, 2.5}, {89.6, 2.7}}, {{91.3, 2.5}, {89.6, 2.7}}},
    {"corners", 3, {{100, 0}, {100, 0}}, {{80.5, 4.7}, {52.7, 19.0}}, {{71.6, 5.5}, {25.4, 15.2}}},
    {"corners", 4, {{100, 0}, {100, 0}}, {{70.7, 4.7}, {19.4, 8.0}}, {{50.4, 6.5}, {0.2, 1.3}}},
    {"building", 2, {{96.0, 0.4}, {92.7, 0.6}}, {{54.5, 0.9}, {50.4, 1.0}}, {{54.5, 0.9}, {50.4, 1.0}}},
    {"building", 3, {{90.6, 0.8}, {84.1, 0.9}}, {{31.2, 0.8}, {15.6, 0.7}}, {{26.5, 0.7}, {7.2, 0.4}}},
    {"building", 4, {{83.3, 0.9}, {75.7, 1.0}}, {{20.5, 0.7}, {6.9, 0.4}}, {{12.4, 0.6}, {0.5, 0.1}}},
}};

/// Runs of one request that differ in their seed.
struct Case {
  GroupSceneRequest request;
  std::string variant;
  std::uint64_t runs = 0;
  std::vector<Trial> trials = {};
};

/// NIST's scene is a case of `throng validate`; here its group goes by the method asked for, and people avoid each other as in the other
/// scenes.
Result<scenario::Scenario> make_nist_scene(const GroupSceneRequest& request) {
  const Result<std::vector<validation::Case>> cases = validation::read_cases(standard_cases());
  if (!cases) return cases.problems();
  const auto nist = std::ranges::find(*cases, "nist-2.9", &validation::Case::name);
  validation::RunSpec run = nist->runs.front();
  run.set["/populations/0/groups/method"] = request.method;
  validation::CaseOptions options;
  options.profile["avoid"] = request.method == "moussaid_2010"
                                 ? validation::Json{{"method", "moussaid"}, {"as", "published"}}
                                 : validation::Json{{"method", "moussaid_jaklin"}, {"half_view_degrees", 90}};
  return validation::scenario_of(standard_cases(), *nist, run, options);
}

Problems run_all(std::vector<Case>& cases, const ExperimentOptions& options) {
  std::vector<std::pair<std::size_t, std::uint64_t>> work;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].trials.resize(cases[i].runs);
    for (std::uint64_t run = 0; run < cases[i].runs; ++run) work.emplace_back(i, run);
  }
  Problems problems;
  std::mutex mutex;
  TrialProgress progress(work.size());
  analysis::side_by_side(work.size(), options.threads, [&](std::size_t i) {
    Case& one = cases[work[i].first];
    const std::uint64_t run = work[i].second;
    const auto run_one = [&]() -> Problems {
      GroupSceneRequest request = one.request;
      request.seed = options.seed + run;
      request.quick = options.quick;
      Result<scenario::Scenario> scene =
          request.scene == "nist" ? make_nist_scene(request) : analysis::make_group_scene(request);
      if (!scene) return scene.problems();
      const auto shared = std::make_shared<const scenario::Scenario>(std::move(scene).value());
      const Result<crowd::WorldPtr> world = scenario::make_world(*shared);
      if (!world) return world.problems();
      const bool is_drawn = !options.folder.empty() && run == 0;
      Result<Trial> trial = analysis::run_trial(
          shared, *world, {.seed = request.seed, .path_every = is_drawn ? 0.5 : 0, .deadlock_after = 60});
      if (!trial) return trial.problems();
      one.trials[run] = std::move(trial).value();
      if (!is_drawn) return {};
      const std::string name =
          fmt::format("groups-{}-{}-{}-{}", request.scene, request.method, request.size, one.variant);
      const std::string picture = analysis::draw_paths((*world)->environment, one.trials[run].paths, name);
      one.trials[run].paths.clear();
      return write_into(options, name + ".svg", picture);
    };
    const Problems wrong = run_one();
    progress.done(
        fmt::format("{} {} size {} {}", one.request.scene, one.request.method, one.request.size, one.variant));
    const std::lock_guard lock(mutex);
    problems.insert(problems.end(), wrong.begin(), wrong.end());
  });
  return problems;
}

ExitCode finish(const ExperimentFigures& figures, const ExperimentOptions& options) {
  const Problems problems = figures.finish(options);
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

// --- tables 10.1 to 10.3

using Measure = std::function<double(const analysis::GroupSummary&)>;

struct NamedMeasure {
  std::string name;
  Measure of;
  const Percent* (*published)(const PublishedGroups&, bool is_baseline);
};

const std::vector<NamedMeasure>& measures() {
  using Group = analysis::GroupSummary;
  static const std::vector<NamedMeasure> all{{"coherence", [](const Group& g) { return 100 * g.coherence; },
                                              [](const PublishedGroups& p, bool base) { return &p.coherence[base]; }},
                                             {"partial_sociality", [](const Group& g) { return 100 * g.partial; },
                                              [](const PublishedGroups& p, bool base) { return &p.partial[base]; }},
                                             {"total_sociality", [](const Group& g) { return 100 * g.total; },
                                              [](const PublishedGroups& p, bool base) { return &p.total[base]; }}};
  return all;
}

Spread spread_of(const Case& one, const Measure& measure) {
  Spread spread;
  for (const Trial& trial : one.trials)
    if (!trial.summary.groups.empty()) spread.values.push_back(measure(trial.summary.groups.front()));
  return spread;
}

analysis::Sample sample_of(const Spread& spread) { return {spread.mean(), spread.deviation(), spread.values.size()}; }

const PublishedGroups* published_for(const GroupSceneRequest& request) {
  for (const PublishedGroups& row : published)
    if (row.scene == request.scene && row.size == request.size) return &row;
  return nullptr;
}

void add_measures(const Case& one, const Case* baseline, ExperimentFigures& figures) {
  const GroupSceneRequest& r = one.request;
  const std::string name = fmt::format("{} {}", r.size, one.variant);
  const bool is_baseline = r.method == "moussaid_2010";
  const PublishedGroups* paper = r.method == "formation" ? nullptr : published_for(r);
  for (const NamedMeasure& measure : measures()) {
    const Spread spread = spread_of(one, measure.of);
    const Percent* theirs = paper != nullptr ? measure.published(*paper, is_baseline) : nullptr;
    figures.add({r.scene, r.method, name, measure.name, spread.mean(), spread.deviation(), spread.values.size(),
                 theirs != nullptr ? std::optional(theirs->mean) : std::nullopt});
    if (r.method == "sgn" && theirs != nullptr)
      figures.add(
          {r.scene,
           r.method,
           name,
           "p_lower_than_published " + measure.name,
           analysis::chance_of_being_lower(sample_of(spread), {theirs->mean, theirs->deviation, published_runs}),
           {},
           spread.values.size(),
           {}});
    if (r.method != "sgn" || baseline == nullptr) continue;
    const Spread base = spread_of(*baseline, measure.of);
    figures.add({r.scene,
                 r.method,
                 name,
                 "p_lower_than_baseline " + measure.name,
                 analysis::chance_of_being_lower(sample_of(spread), sample_of(base)),
                 {},
                 spread.values.size(),
                 {}});
    figures.add({r.scene,
                 r.method,
                 name,
                 "p_baseline_lower " + measure.name,
                 analysis::chance_of_being_lower(sample_of(base), sample_of(spread)),
                 {},
                 spread.values.size(),
                 {}});
  }
  const auto add = [&](const char* what, const Measure& of) {
    const Spread spread = spread_of(one, of);
    if (!spread.values.empty())
      figures.add({r.scene, r.method, name, what, spread.mean(), spread.deviation(), spread.values.size(), {}});
  };
  using Group = analysis::GroupSummary;
  add("median_nearest", [](const Group& g) { return g.median_nearest.value_or(0); });
  add("abreast", [](const Group& g) { return 100 * g.abreast.value_or(0); });
  add("mean_speed", [](const Group& g) { return g.speed.value_or(0); });
  add("parted", [](const Group& g) { return double(g.parted); });
  double unfinished = 0;
  for (const Trial& trial : one.trials) unfinished += trial.summary.arrived < trial.summary.agents ? 1 : 0;
  figures.add({r.scene, r.method, name, "unfinished", unfinished, {}, one.trials.size(), {}});
}

ExitCode run_groups(const ExperimentOptions& options) {
  std::vector<Case> cases;
  for (const std::string& scene : analysis::group_scenes()) {
    if (!options.only.empty() && options.only != scene) continue;
    const std::uint64_t runs = options.quick         ? 1
                               : options.runs > 0    ? options.runs
                               : scene == "building" ? usual_building_runs
                                                     : usual_runs;
    for (const std::size_t size : {2, 3, 4})
      for (const bool as_published : {true, false})
        for (const char* method : {"moussaid_2010", "sgn", "formation"}) {
          if (as_published && method == std::string_view("formation")) continue;  // it is ours
          cases.push_back({{.scene = scene, .method = method, .size = size, .as_published = as_published},
                           as_published ? "published" : "default",
                           runs});
        }
  }
  if (cases.empty())
    return refused({{Severity::error, ProblemCode::value, "experiment", "there is no scene '" + options.only + "'"}});
  if (const Problems problems = run_all(cases, options); has_errors(problems)) return refused(problems);
  ExperimentFigures figures("groups");
  const Case* baseline = nullptr;
  for (const Case& one : cases) {
    if (one.request.method == "moussaid_2010") baseline = &one;
    add_measures(one, baseline, figures);
  }
  return finish(figures, options);
}

// --- tables 10.4 and 10.5

/// Jaklin 2016, table 10.5, by radius (0: mixed) and size from 1 on; mixed sizes of table 10.4 last.
struct PublishedTimes {
  double radius = 0;
  std::array<std::optional<double>, 5> times;
};
constexpr std::array<PublishedTimes, 6> published_times{{{0.20, {73.5, 98.1, 112.2, 115.7, 99.2}},
                                                         {0.21, {82.9, 103.6, 120.8, 129.6, {}}},
                                                         {0.22, {86.5, 113.8, 135.9, 135.0, {}}},
                                                         {0.23, {93.8, 293.2, 145.0, 151.6, {}}},
                                                         {0.24, {98.9, 337.7, 170.7, 251.8, {}}},
                                                         {0, {86.3, 112.5, 131.8, 142.8, {}}}}};

ExitCode run_evacuation(const ExperimentOptions& options) {
  const std::uint64_t runs = options.quick ? 1 : options.runs > 0 ? options.runs : usual_evacuation_runs;
  std::vector<Case> cases;
  for (const PublishedTimes& row : published_times)
    for (const bool as_published : {true, false})
      for (const std::size_t size : {1, 2, 3, 4, 0})
        cases.push_back(
            {{.scene = "room", .method = "sgn", .size = size, .as_published = as_published, .radius = row.radius},
             as_published ? "published" : "default",
             runs});
  for (const std::size_t size : {2, 3, 4, 0})
    cases.push_back({{.scene = "room", .method = "moussaid_2010", .size = size, .as_published = true, .radius = 0.20},
                     "published",
                     runs});
  if (const Problems problems = run_all(cases, options); has_errors(problems)) return refused(problems);
  ExperimentFigures figures("groups-evacuation");
  for (const Case& one : cases) {
    const GroupSceneRequest& r = one.request;
    std::optional<double> theirs;
    for (const PublishedTimes& row : published_times)
      if (row.radius == r.radius && r.method == "sgn") theirs = row.times[r.size == 0 ? 4 : r.size - 1];
    Spread spread;
    double longest = 0;
    std::size_t unfinished = 0;
    for (const Trial& trial : one.trials) {
      if (!trial.summary.evacuated_100) {
        ++unfinished;
        continue;
      }
      spread.values.push_back(*trial.summary.evacuated_100);
      longest = std::max(longest, *trial.summary.evacuated_100);
    }
    const std::string name = fmt::format("size {}, radius {} {}", r.size == 0 ? "mixed" : std::to_string(r.size),
                                         r.radius > 0 ? fmt::format("{:.2f}", r.radius) : "mixed", one.variant);
    figures.add(
        {r.scene, r.method, name, "evacuated_100", spread.mean(), spread.deviation(), spread.values.size(), theirs});
    figures.add({r.scene, r.method, name, "longest", longest, {}, spread.values.size(), {}});
    figures.add({r.scene, r.method, name, "unfinished", double(unfinished), {}, one.trials.size(), {}});
  }
  return finish(figures, options);
}

// --- NIST 2.9

ExitCode run_nist(const ExperimentOptions& options) {
  const std::uint64_t runs = options.quick ? 1 : options.runs > 0 ? options.runs : usual_evacuation_runs;
  std::vector<Case> cases;
  for (const char* method : {"sgn", "formation", "moussaid_2010"})
    cases.push_back({{.scene = "nist", .method = method}, "default", runs});
  ExperimentOptions whole = options;
  whole.quick = false;  // fifteen people
  if (const Problems problems = run_all(cases, whole); has_errors(problems)) return refused(problems);
  ExperimentFigures figures("groups-nist");
  for (const Case& one : cases) {
    Spread spread = spread_of(one, [](const analysis::GroupSummary& g) { return g.arrival_spread.value_or(-1); });
    double within = 0, longest = 0;
    for (const double value : spread.values) {
      within += value >= 0 && value <= 10 ? 1 : 0;
      longest = std::max(longest, value);
    }
    figures.add({"nist-2.9",
                 one.request.method,
                 one.variant,
                 "arrival_spread",
                 spread.mean(),
                 spread.deviation(),
                 spread.values.size(),
                 {}});
    figures.add({"nist-2.9", one.request.method, one.variant, "longest_spread", longest, {}, spread.values.size(), {}});
    figures.add({"nist-2.9", one.request.method, one.variant, "within_10_s", within, {}, one.trials.size(), {}});
  }
  return finish(figures, options);
}

const ExperimentRegistration registrations[] = {
    ExperimentRegistration({"groups",
                            "groups of two to four by each method, beside Jaklin 2016, tables 10.1 to 10.3",
                            run_groups,
                            {"only", "runs"}}),
    ExperimentRegistration({"groups-evacuation",
                            "180 people leave a room in groups, beside Jaklin 2016, tables 10.4 and 10.5",
                            run_evacuation,
                            {"runs"}}),
    ExperimentRegistration({"groups-nist", "a group with one slow member (NIST TN 1822, 2.9)", run_nist, {"runs"}}),
};

}  // namespace
}  // namespace throng::cli
