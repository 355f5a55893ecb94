// `throng experiment detours`: Zwerver's scenes (2018, 5) for plain MIRAN, MIRANDA, ID3 and quickest, as published and by default, beside its tables 2 to 6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "analysis/detour_scenes.hpp"
#include "analysis/spread.hpp"
#include "analysis/trial.hpp"
#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "crowd/world.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "geometry/random.hpp"

namespace throng::cli {
namespace {

using analysis::DetourMethod;
using analysis::DetourRun;
using analysis::DetourScene;
using analysis::Spread;

constexpr std::uint64_t usual_runs = 10;
constexpr double quick_duration = 40;  ///< seconds

/// Tables 2 and 3: means of ten runs; nothing where the goal was not reached.
struct Published {
  std::string_view scene, method;
  bool arrives;
  double time, length, detours;
};
constexpr Published table[] = {{"busy-corner", "", false, 0, 0, 0},
                               {"busy-corner", "miranda", true, 20.2, 26.7, 1},
                               {"busy-corner", "id3", true, 20.1, 26.9, 1},
                               {"blocked-path", "", false, 0, 0, 0},
                               {"blocked-path", "miranda", true, 30.8, 40.5, 1},
                               {"blocked-path", "id3", true, 30.9, 40.7, 1},
                               {"many-corners", "", false, 0, 0, 0},
                               {"many-corners", "miranda", true, 64.2, 86.1, 1},
                               {"many-corners", "id3", true, 64.0, 86.2, 1},
                               {"random", "", true, 20.1, 23.1, 0},
                               {"random", "miranda", false, 0, 0, 0},
                               {"random", "id3", false, 0, 0, 0},
                               {"memory-reverse", "", true, 61.3, 26.4, 0},
                               {"memory-reverse", "miranda", true, 72.8, 86.4, 10},
                               {"memory-reverse", "id3", true, 60.4, 45.3, 2}};
/// Tables 4 and 5: time and combined length of `corners`, MIRAN and with four of nineteen by ID3.
struct PublishedCorners {
  bool reversed, own_clearance, id3;
  double time, length;
};
constexpr PublishedCorners corners_table[] = {{false, false, false, 30.1, 394.4}, {false, false, true, 24.8, 397.4},
                                              {false, true, false, 19.4, 395.3},  {false, true, true, 22.0, 409.8},
                                              {true, false, false, 31.1, 403.2},  {true, false, true, 25.5, 406.8},
                                              {true, true, false, 22.5, 414.8},   {true, true, true, 21.6, 415.3}};

const std::vector<DetourMethod>& methods() {
  static const std::vector<DetourMethod> all = {
      {.name = "miran"},
      {.name = "miranda", .congestion = "miranda"},
      {.name = "miranda published", .congestion = "miranda", .as_published = true},
      {.name = "id3", .congestion = "id3"},
      {.name = "id3 published", .congestion = "id3", .as_published = true},
      {.name = "quickest", .congestion = "quickest"}};
  return all;
}

Result<crowd::WorldPtr> world_of(const DetourScene& scene) {
  Result<environment::CleanEnvironment> clean = environment::clean(scene.drawn);
  if (!clean) return clean.problems();
  return crowd::make_world(std::move(clean).value());
}

Spread over(const std::vector<DetourRun>& runs, const auto& of) {
  Spread all;
  for (const DetourRun& run : runs)
    for (const DetourRun::One& one : run.walkers)
      if (one.has_arrived) all.values.push_back(double(of(one)));
  return all;
}

/// A scene, all methods.
Problems run_scene(const std::string& name, const ExperimentOptions& options, std::uint64_t runs,
                   ExperimentFigures& figures) {
  std::vector<DetourScene> scenes;
  std::vector<crowd::WorldPtr> worlds;
  std::vector<std::optional<double>> shortest;
  // Of one that is drawn at random every run has its own.
  const std::uint64_t count = name == "random" ? runs : 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    Result<DetourScene> scene = analysis::make_detour_scene(name, options.seed + i);
    if (!scene) return scene.problems();
    const Result<crowd::WorldPtr> world = world_of(*scene);
    if (!world) return world.problems();
    worlds.push_back(*world);
    shortest.push_back(analysis::shortest_way_round(*scene, 0, 0));
    scenes.push_back(std::move(scene).value());
    if (options.quick) scenes.back().duration = std::min(scenes.back().duration, quick_duration);
  }
  const std::vector<DetourMethod>& all = methods();
  std::vector<std::vector<DetourRun>> done(all.size(), std::vector<DetourRun>(runs));
  Problems problems;
  std::mutex mutex;
  TrialProgress progress(all.size() * runs);
  analysis::side_by_side(all.size() * runs, options.threads, [&](std::size_t i) {
    const std::size_t k = i % runs;
    Result<DetourRun> run =
        analysis::run_detour_scene(scenes[k % count], worlds[k % count], all[i / runs], options.seed + k);
    progress.done(fmt::format("{} {}", name, all[i / runs].name));
    if (run) {
      done[i / runs][k] = std::move(run).value();
      return;
    }
    const std::lock_guard lock(mutex);
    problems.insert(problems.end(), run.problems().begin(), run.problems().end());
  });
  if (has_errors(problems)) return problems;
  for (std::size_t m = 0; m < all.size(); ++m) {
    const Published* paper = nullptr;
    for (const Published& row : table)
      if (row.scene == name && row.method == all[m].congestion) paper = &row;
    const auto add = [&](const char* measure, double value, std::optional<double> deviation,
                         std::optional<double> published) {
      figures.add({name, all[m].name, "", measure, value, deviation, runs, published});
    };
    std::size_t arrived = 0;
    for (const DetourRun& run : done[m]) arrived += run.walkers[0].has_arrived ? 1 : 0;
    add("arrived_share", double(arrived) / double(runs), {},
        paper != nullptr ? std::optional(paper->arrives ? 1.0 : 0.0) : std::nullopt);
    const auto add_of = [&](const char* measure, const auto& of, double Published::*member) {
      const Spread values = over(done[m], of);
      if (values.values.empty()) return;
      const bool known = member != nullptr && paper != nullptr && paper->arrives;
      add(measure, values.mean(), values.deviation(), known ? std::optional(paper->*member) : std::nullopt);
    };
    add_of(
        "time", [](const DetourRun::One& one) { return one.time; }, &Published::time);
    add_of(
        "length", [](const DetourRun::One& one) { return one.length; }, &Published::length);
    add_of(
        "detours", [](const DetourRun::One& one) { return one.detours; }, &Published::detours);
    add_of(
        "back", [](const DetourRun::One& one) { return one.back; }, nullptr);
    const Spread drag = over(done[m], [](const DetourRun::One& one) {
      return one.length > 0 ? one.time * analysis::detour_speed / one.length : 0;
    });
    if (!drag.values.empty())
      add("time x speed / length", drag.mean(), drag.deviation(),
          paper != nullptr && paper->arrives ? std::optional(paper->time * analysis::detour_speed / paper->length)
                                             : std::nullopt);
    Spread longer;
    for (std::size_t k = 0; k < runs; ++k)
      if (done[m][k].walkers[0].has_arrived && shortest[k % count])
        longer.values.push_back(done[m][k].walkers[0].length / *shortest[k % count]);
    if (!longer.values.empty()) add("length / shortest way round", longer.mean(), longer.deviation(), {});
    Spread ahead;
    for (const DetourRun& run : done[m])
      if (run.walkers[0].first_detour_ahead) ahead.values.push_back(*run.walkers[0].first_detour_ahead);
    if (!ahead.values.empty()) add("first detour, metres before people", ahead.mean(), ahead.deviation(), {});
    if (options.folder.empty()) continue;
    std::vector<analysis::WalkedPath> paths;
    for (const DetourScene::Standing& one : scenes[0].standing)
      if (one.from <= 0) paths.push_back({1, 0, {one.place, one.place + Vec2{0.01, 0}}});
    for (std::size_t k = 0; k < runs; ++k)
      if (k % count == 0 && !done[m][k].walkers[0].path.empty()) paths.push_back({0, 0, done[m][k].walkers[0].path});
    const std::string picture = analysis::draw_paths(worlds[0]->environment, paths, name + ", " + all[m].name);
    if (Problems wrong = write_into(options, fmt::format("{}-{}.svg", name, all[m].name), picture); has_errors(wrong))
      return wrong;
  }
  return {};
}

/// Nineteen people round a corner.
Problems run_corners(const ExperimentOptions& options, std::uint64_t runs, ExperimentFigures& figures) {
  struct Mixed {
    std::string name;
    DetourMethod method;
    bool four;
  };
  const std::vector<Mixed> mixes = {
      {"miran", {.name = "miran"}, false},
      {"id3 4 of 19", {.name = "id3", .congestion = "id3"}, true},
      {"id3 published 4 of 19", {.name = "id3", .congestion = "id3", .as_published = true}, true},
      {"id3 all", {.name = "id3", .congestion = "id3"}, false},
      {"quickest", {.name = "quickest", .congestion = "quickest"}, false},
      {"miran with streams", {.name = "miran", .stream = "view"}, false},
      {"id3 with streams", {.name = "id3", .congestion = "id3", .stream = "view"}, false}};
  for (const bool reversed : {false, true})
    for (const bool own_clearance : {false, true}) {
      const DetourScene scene = analysis::corner_scene(reversed, own_clearance);
      const Result<crowd::WorldPtr> world = world_of(scene);
      if (!world) return world.problems();
      for (const Mixed& mix : mixes) {
        std::vector<DetourRun> done(runs);
        Problems problems;
        std::mutex mutex;
        analysis::side_by_side(runs, options.threads, [&](std::size_t k) {
          std::vector<bool> chosen;
          if (mix.four) {
            chosen.assign(scene.walkers.size(), false);
            geometry::RandomStream random(options.seed + k);
            for (int left = 4; left > 0;) {
              const auto who = std::size_t(random.unit() * double(chosen.size()));
              if (who < chosen.size() && !chosen[who]) chosen[who] = true, --left;
            }
          }
          Result<DetourRun> run = analysis::run_detour_scene(scene, *world, mix.method, options.seed + k, chosen);
          if (run) {
            done[k] = std::move(run).value();
            return;
          }
          const std::lock_guard lock(mutex);
          problems.insert(problems.end(), run.problems().begin(), run.problems().end());
        });
        if (has_errors(problems)) return problems;
        const PublishedCorners* paper = nullptr;
        for (const PublishedCorners& row : corners_table)
          if (row.reversed == reversed && row.own_clearance == own_clearance &&
              row.id3 == mix.name.starts_with("id3") && !mix.name.ends_with("streams"))
            paper = &row;
        const std::string variant = own_clearance ? "own clearance" : "equal clearance";
        Spread last, combined, share, arrived;
        for (const DetourRun& run : done) {
          double latest = 0, metres = 0;
          std::size_t there = 0;
          for (const DetourRun::One& one : run.walkers) {
            there += one.has_arrived ? 1 : 0;
            latest = std::max(latest, one.has_arrived ? one.time : scene.duration);
            metres += one.length;
            // Where it crosses the corner's bisector, as a share of the width there.
            for (std::size_t i = 1; i < one.path.size(); ++i) {
              const double before = one.path[i - 1].x - one.path[i - 1].y, after = one.path[i].x - one.path[i].y;
              if ((before < 0) == (after < 0)) continue;
              share.values.push_back((one.path[i].x - 11) / 6);
              break;
            }
          }
          arrived.values.push_back(double(there) / double(run.walkers.size()));
          last.values.push_back(latest), combined.values.push_back(metres);
        }
        const auto add = [&](const char* measure, const Spread& values, std::optional<double> published) {
          if (!values.values.empty())
            figures.add({scene.name, mix.name, variant, measure, values.mean(), values.deviation(), runs, published});
        };
        add("arrived_share", arrived, {});
        add("time", last, paper != nullptr ? std::optional(paper->time) : std::nullopt);
        add("combined_length", combined, paper != nullptr ? std::optional(paper->length) : std::nullopt);
        add("share_of_width_at_bisector", share, {});
      }
    }
  return {};
}

/// Table 6: milliseconds a step in all, and in all but moving people, which is none of the methods'.
struct PublishedCity {
  std::string_view method;
  double all, without_moving;
};
constexpr PublishedCity city_table[] = {{"", 42.68, 5.01}, {"miranda", 515.07, 478.75}, {"id3", 149.25, 111.74}};

/// Kaiserslautern where its map is at hand, else a town that is made.
Result<crowd::WorldPtr> city(bool quick) {
  const char* const data = std::getenv("THRONG_DATA");
  if (data == nullptr) fmt::print(stderr, "THRONG_DATA is not set: a generated city\n");
  const Result<environment::Environment> source =
      data != nullptr && !quick
          ? environment::read_environment((std::filesystem::path(data) / "kaiserslautern.geojson").string())
          : environment::generate_city(environment::city_of_vertices(quick ? 500 : 5000));
  if (!source) return source.problems();
  Result<environment::CleanEnvironment> clean = environment::clean(*source);
  if (!clean) return clean.problems();
  return crowd::make_world(std::move(clean).value());
}

/// Timed one after the other, so that they do not disturb each other.
Problems run_city(const ExperimentOptions& options, ExperimentFigures& figures) {
  const Result<crowd::WorldPtr> world = city(options.quick);
  if (!world) return world.problems();
  std::vector<DetourMethod> all = methods();
  all.push_back({.name = "miran with streams", .stream = "view"});
  all.push_back({.name = "id3 with streams", .congestion = "id3", .stream = "view"});
  analysis::CityRun how;
  if (options.quick) how = {.people_a_second = 2, .filling = 5, .measured = 2};
  std::optional<double> plain, plain_unmoved;
  for (const DetourMethod& method : all) {
    const Result<analysis::CityFigures> run = analysis::run_city(*world, how, method, options.seed);
    if (!run) return run.problems();
    const double unmoved = run->ms_a_step - run->stage_ms[std::size_t(crowd::Stage::move)];
    if (!plain) plain = run->ms_a_step, plain_unmoved = unmoved;
    const PublishedCity* paper = nullptr;
    for (const PublishedCity& row : city_table)
      if (row.method == method.congestion && method.stream.empty()) paper = &row;
    const auto add = [&](const char* measure, double value, std::optional<double> published) {
      figures.add({"city", method.name, "", measure, value, {}, 1, published});
    };
    add("people", double(run->people), {});
    add("ms_a_step", run->ms_a_step, paper != nullptr ? std::optional(paper->all) : std::nullopt);
    add("ms_a_step / miran", run->ms_a_step / *plain,
        paper != nullptr ? std::optional(paper->all / city_table[0].all) : std::nullopt);
    add("without moving people / miran", unmoved / *plain_unmoved,
        paper != nullptr ? std::optional(paper->without_moving / city_table[0].without_moving) : std::nullopt);
    for (const crowd::Stage stage : {crowd::Stage::index, crowd::Stage::plan, crowd::Stage::follow})
      add(fmt::format("ms_{}", crowd::stage_names[std::size_t(stage)]).c_str(), run->stage_ms[std::size_t(stage)], {});
    add("detours", double(run->detours), {});
    add("searches_in_vain", double(run->fruitless), {});
  }
  return {};
}

ExitCode run(const ExperimentOptions& options) {
  const std::uint64_t runs = options.runs > 0 ? options.runs : options.quick ? 1 : usual_runs;
  ExperimentFigures figures("detours");
  bool any = false;
  for (const std::string& name : analysis::detour_scenes()) {
    if (!options.only.empty() && options.only != name) continue;
    any = true;
    const std::uint64_t of_scene = name == "random" && options.runs == 0 && !options.quick ? 20 : runs;
    if (const Problems problems = run_scene(name, options, of_scene, figures); has_errors(problems))
      return refused(problems);
  }
  if (options.only.empty() || options.only == "corners") {
    any = true;
    if (const Problems problems = run_corners(options, runs, figures); has_errors(problems)) return refused(problems);
  }
  if (options.only.empty() || options.only == "city") {
    any = true;
    if (const Problems problems = run_city(options, figures); has_errors(problems)) return refused(problems);
  }
  if (!any)
    return refused({{Severity::error, ProblemCode::value, "experiment", "there is no scene '" + options.only + "'"}});
  const Problems written = figures.finish(options);
  return has_errors(written) ? refused(written) : ExitCode::done;
}

const ExperimentRegistration registration(
    {"detours", "round people who stand: Zwerver's scenes (2018), beside its tables 2 to 6", run, {"only", "runs"}});

}  // namespace
}  // namespace throng::cli
