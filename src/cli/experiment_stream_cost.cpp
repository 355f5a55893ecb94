// `throng experiment stream-profiles` (Jaklin 2016, figure 9.7) and `stream-cost` (figure 9.10): what somebody does who has to cross a stream,
// and what streams cost in large crowds.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "analysis/spread.hpp"
#include "analysis/trial.hpp"
#include "cli/experiment.hpp"
#include "cli/experiment_scenes.hpp"
#include "cli/load_mesh.hpp"
#include "environment/formats/formats.hpp"
#include "environment/sketch.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using analysis::Spread;
using analysis::Trial;

Result<std::shared_ptr<const scenario::Scenario>> scenario_of(const std::string& text, const std::string& name) {
  Result<scenario::Scenario> read = scenario::parse_scenario(text, name, scenario::installed_methods(), {});
  if (!read) return read.problems();
  return std::make_shared<const scenario::Scenario>(std::move(read).value());
}

// --- profiles -----------------------------------------------------------------------------------------------------------------------------

constexpr std::uint64_t usual_profile_runs = 20;
constexpr Vec2 profile_from{4, 1}, profile_to{36, 19};
/// When the stream fills the hall.
constexpr double set_out = 35;

/// A hall of 40 x 20 m, a stream 12 m wide at 1 person/m2 and 1.34 m/s, and one person who has to get across it.
Result<std::string> profile_scene(double motivation, bool as_published, double duration) {
  environment::Sketch sketch("profiles");
  sketch.walkable({environment::rectangle({0, 0}, {40, 20}), {}});
  sketch.area("in", environment::rectangle({0.3, 4}, {3, 16}));
  sketch.area("out", environment::rectangle({39, 4}, {40, 16}));
  const Result<std::string> map = environment::write_environment("geojson", sketch.environment());
  if (!map) return map.problems();
  const auto profile = [&](double own_way, double premovement) {
    return fmt::format(
        R"({{"radius": 0.24, "speed": 1.34, "premovement": {}, "follow": {{"method": "irm"}}, {}, "stream": {{"method": "view", "motivation": {}, "time_spent": 0{}}}}})",
        premovement,
        as_published ? R"("avoid": {"method": "moussaid", "as": "published"}, "move": {"method": "published"})"
                     : R"("avoid": {"method": "moussaid"})",
        own_way, as_published ? R"(, "headway": 0)" : "");
  };
  return fmt::format(
      R"({{"throng": 1, "duration": {}, "environment": {}, "profiles": {{"stream": {}, "one": {}}}, "populations": [
          {{"name": "stream", "profile": "stream", "rate": 16, "from": 0, "until": {}, "start": {{"area": "in"}}, "goals": [{{"area": "out"}}]}},
          {{"name": "one", "profile": "one", "count": 1, "start": {{"polygon": [[3.7, 0.7], [4.3, 0.7], [4.3, 1.3], [3.7, 1.3]]}}, "goals": [{{"point": [{}, {}]}}]}}]}})",
      duration, *map, profile(0, 0), profile(motivation, set_out), duration, profile_to.x, profile_to.y);
}

/// How far downstream of its straight way somebody was at most.
double carried(const std::vector<analysis::WalkedPath>& paths) {
  double most = 0;
  for (const analysis::WalkedPath& path : paths)
    if (path.population == 1)
      for (const Vec2 p : path.points)
        most = std::max(most,
                        p.x - profile_from.x -
                            (p.y - profile_from.y) * (profile_to.x - profile_from.x) / (profile_to.y - profile_from.y));
  return most;
}

ExitCode run_profiles(const ExperimentOptions& options) {
  const std::uint64_t runs = options.runs > 0 ? options.runs : options.quick ? 1 : usual_profile_runs;
  struct Case {
    double motivation = 0;
    bool as_published = false;
    std::vector<double> carried = {};
    std::vector<Trial> trials = {};
    [[nodiscard]] std::string name() const {
      return fmt::format("{} motivation={}", as_published ? "published" : "default", motivation);
    }
  };
  std::vector<Case> cases;
  for (const bool as_published : {true, false})
    for (const double motivation : {0.0, 0.5, 1.0}) cases.push_back({motivation, as_published});
  for (Case& one : cases) one.carried.resize(runs), one.trials.resize(runs);
  Problems problems;
  std::mutex mutex;
  TrialProgress progress(cases.size() * runs);
  analysis::side_by_side(cases.size() * runs, options.threads, [&](std::size_t i) {
    Case& one = cases[i / runs];
    const std::uint64_t seed = options.seed + i % runs;
    const auto work = [&]() -> Problems {
      const Result<std::string> text = profile_scene(one.motivation, one.as_published, options.quick ? 45 : 110);
      if (!text) return text.problems();
      const auto scene = scenario_of(*text, "profiles");
      if (!scene) return scene.problems();
      const Result<crowd::WorldPtr> world = scenario::make_world(**scene);
      if (!world) return world.problems();
      Result<Trial> trial = analysis::run_trial(*scene, *world, {.seed = seed, .path_every = 0.5});
      if (!trial) return trial.problems();
      Trial& done = one.trials[i % runs];
      done = std::move(trial).value();
      one.carried[i % runs] = carried(done.paths);
      std::erase_if(done.paths, [](const analysis::WalkedPath& path) { return path.population != 1; });
      if (seed != options.seed) return {};
      return write_into(options,
                        fmt::format("profiles-{}-{}.svg", one.as_published ? "published" : "default", one.motivation),
                        analysis::draw_paths((*world)->environment, done.paths, "profiles: " + one.name()));
    };
    const Problems wrong = work();
    progress.done(fmt::format("{} seed {}", one.name(), seed));
    const std::lock_guard lock(mutex);
    problems.insert(problems.end(), wrong.begin(), wrong.end());
  });
  if (has_errors(problems)) return refused(problems);
  ExperimentFigures figures("stream-profiles");
  for (const Case& one : cases) {
    Spread spread;
    spread.values = one.carried;
    double arrived = 0;
    for (const Trial& trial : one.trials) {
      const bool ends_there = !trial.paths.empty() && length(trial.paths.back().points.back() - profile_to) < 1.5;
      arrived += ends_there ? 1 : 0;
    }
    const auto add = [&](const char* measure, double value, std::optional<double> deviation = {}) {
      figures.add({"profiles", "moussaid", one.name(), measure, value, deviation, std::size_t(runs), {}});
    };
    add("carried_m", spread.mean(), spread.deviation());
    add("least_carried_m", *std::min_element(one.carried.begin(), one.carried.end()));
    add("most_carried_m", *std::max_element(one.carried.begin(), one.carried.end()));
    add("arrived", arrived);
  }
  const Problems written = figures.finish(options);
  return has_errors(written) ? refused(written) : ExitCode::done;
}

// --- cost ---------------------------------------------------------------------------------------------------------------------------------

constexpr std::uint64_t usual_cost_runs = 1;

struct CostScene {
  std::string name, map, populations;  ///< `{}` stands for people of a group
  std::size_t groups = 0;
  std::vector<std::size_t> people;
};

Result<std::vector<CostScene>> cost_scenes() {
  environment::Sketch sketch("hallway-stress");
  sketch.walkable({environment::rectangle({0, 0}, {300, 30}), {}});
  sketch.area("all", environment::rectangle({0.5, 0.5}, {299.5, 29.5}));
  sketch.area("west", environment::rectangle({0, 0}, {1, 30}));
  sketch.area("east", environment::rectangle({299, 0}, {300, 30}));
  const Result<std::string> hallway = environment::write_environment("geojson", sketch.environment());
  if (!hallway) return hallway.problems();
  const auto group = [](const char* name, const char* from, const char* to) {
    return fmt::format(
        R"({{"name": "{}", "profile": "person", "count": COUNT, "start": {{"area": "{}"}}, "goals": [{{"area": "{}"}}]}})",
        name, from, to);
  };
  return std::vector<CostScene>{
      {"military",
       std::string(experiment_scene_texts().at("military")),
       group("eastbound", "west", "east") + "," + group("westbound", "east", "west") + "," +
           group("northbound", "south", "north") + "," + group("southbound", "north", "south"),
       4,
       {1700, 5000, 10000, 17000}},
      {"hallway-stress",
       *hallway,
       group("eastbound", "all", "east") + "," + group("westbound", "all", "west"),
       2,
       {1100, 3000, 6000, 11000}}};
}

std::string with_count(std::string text, std::size_t count) {
  const std::string digits = fmt::format("{}", count);
  for (std::size_t at = text.find("COUNT"); at != std::string::npos; at = text.find("COUNT", at))
    text.replace(at, 5, digits);
  return text;
}

ExitCode run_cost(const ExperimentOptions& options) {
  const std::uint64_t runs = options.runs > 0 ? options.runs : usual_cost_runs;
  const auto scenes = cost_scenes();
  if (!scenes) return refused(scenes.problems());
  if (!options.only.empty() &&
      std::none_of(scenes->begin(), scenes->end(), [&](const CostScene& s) { return s.name == options.only; }))
    return refused({{Severity::error, ProblemCode::value, "experiment", "there is no scene '" + options.only + "'"}});
  ExperimentFigures figures("stream-cost");
  for (const CostScene& scene : *scenes) {
    if (!options.only.empty() && options.only != scene.name) continue;
    std::vector<std::size_t> counts = scene.people;
    if (options.quick) counts = {40};
    crowd::WorldPtr world;
    TrialProgress progress(counts.size() * runs * 2);
    for (const std::size_t people : counts)
      for (const bool with : {false, true}) {
        Spread ms;
        for (std::uint64_t run = 0; run < runs; ++run) {
          const auto read = scenario_of(
              fmt::format(
                  R"({{"throng": 1, "duration": {}, "environment": {}, "profiles": {{"person": {{"radius": 0.24, "speed": {{"uniform": [0.85, 2.05]}}, "follow": {{"method": "irm"}}, "avoid": {{"method": "moussaid"}}{}}}}}, "populations": [{}]}})",
                  options.quick ? 1 : 10, scene.map, with ? R"(, "stream": {"method": "view"})" : "",
                  with_count(scene.populations, people / scene.groups)),
              scene.name);
          if (!read) return refused(read.problems());
          if (!world) {
            const Result<crowd::WorldPtr> made = scenario::make_world(**read);
            if (!made) return refused(made.problems());
            world = *made;
          }
          const Result<Trial> trial = analysis::run_trial(*read, world, {.seed = options.seed + run});
          if (!trial) return refused(trial.problems());
          ms.values.push_back(trial->ms_per_step);
          progress.done(fmt::format("{} {} people", scene.name, people));
        }
        figures.add({scene.name,
                     with ? "view" : "none",
                     fmt::format("{} people", people),
                     "step_ms",
                     ms.mean(),
                     ms.deviation(),
                     std::size_t(runs),
                     {}});
      }
  }
  const Problems written = figures.finish(options);
  return has_errors(written) ? refused(written) : ExitCode::done;
}

const ExperimentRegistration registrations[] = {
    ExperimentRegistration({"stream-profiles",
                            "somebody who has to cross a stream, by motivation (Jaklin 2016, figure 9.7)",
                            run_profiles,
                            {"runs"}}),
    ExperimentRegistration({"stream-cost",
                            "ms a step with streams and without, one thread, in military and hallway-stress (Jaklin "
                            "2016, figure 9.10)",
                            run_cost,
                            {"only", "runs"}}),
};

}  // namespace
}  // namespace throng::cli
