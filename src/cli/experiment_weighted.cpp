// `throng experiment weighted-small`, `weighted-pruning`: SPM, VBP and `weighted` on Jaklin's scenes (2016, 4.3), beside the published tables.
// What the document's text has lost is not compared.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <optional>

#include "cli/experiment.hpp"
#include "cli/experiment_scenes.hpp"
#include "cli/load_mesh.hpp"
#include "geometry/random.hpp"
#include "routes/ground_homotopy.hpp"

namespace throng::cli {
namespace {

using routes::GroundAnswer;
using routes::GroundMethod;
using routes::GroundNumbers;
using routes::GroundPlanner;
using routes::GroundVerdict;
using routes::PointPlacement;
using routes::Pruning;

/// Costs that differ by less, as a part of them, are the same.
constexpr double same_cost = 1e-9;

/// Of the processor: others on the machine do not count.
double milliseconds_of(const auto& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1000 * double(std::clock() - begin) / CLOCKS_PER_SEC;
}

struct Measured {
  GroundAnswer answer;
  double build_ms = 0, query_ms = 0;
};

/// Least times of several runs: what others on the machine add is not in all of them.
Measured measure(const GroundScene& scene, Vec2 from, Vec2 to, const GroundNumbers& numbers, std::size_t runs) {
  Measured best;
  for (std::size_t i = 0; i < runs; ++i) {
    GroundPlanner planner(scene.atlas);
    const routes::GroundQuery query = scene.query(from, to, numbers);
    Measured now;
    now.build_ms = milliseconds_of([&] { planner.prepare(query); });
    now.query_ms = milliseconds_of([&] { now.answer = planner.plan(query); });
    if (i == 0 || now.query_ms < best.query_ms) best.query_ms = now.query_ms;
    if (i == 0 || now.build_ms < best.build_ms) best.build_ms = now.build_ms;
    best.answer = std::move(now.answer);
  }
  return best;
}

/// A row of table 4.1: construction ms, query ms, nodes, cost; 0 where the text has lost it.
struct Published {
  std::string_view scene;
  double eps;
  std::array<double, 4> spm, vbp;
};
constexpr Published table_4_1[] = {
    {"puddle", 0.1, {49911.9, 222.3, 7441, 231.5}, {18396.8, 77.6, 3561, 231.5}},
    {"puddle", 0.2, {2943.4, 29.0, 2856, 231.5}, {1084.5, 10.7, 1367, 231.5}},
    {"puddle", 0.3, {617.7, 8.7, 1560, 231.8}, {283.1, 3.1, 751, 231.8}},
    {"puddle", 0.4, {255.3, 3.6, 986, 232.2}, {164.2, 1.4, 479, 232.2}},
    {"puddle", 0.5, {167.0, 1.8, 675, 232.3}, {125.0, 0.7, 331, 232.3}},
    {"bars", 0.1, {6993.7, 62.8, 4908, 273.6}, {5281.6, 48.5, 3957, 0}},
    {"bars", 0.2, {0, 8.4, 0, 0}, {0, 0, 0, 0}},
    {"bars", 0.3, {0, 0, 0, 0}, {0, 0, 0, 0}},
    {"bars", 0.4, {0, 0, 542, 0}, {136.5, 0.9, 475, 274.0}},
    {"bars", 0.5, {120.7, 0.5, 370, 0}, {131.5, 0.5, 329, 274.2}},
    {"high_low", 0.1, {127198.0, 471.1, 7887, 592.7}, {117328.3, 448.8, 7409, 592.7}},
    {"high_low", 0.2, {7895.9, 60.9, 3016, 592.8}, {7245.3, 59.9, 2721, 592.8}},
    {"high_low", 0.3, {1409.0, 17.7, 1648, 592.8}, {1335.7, 16.6, 1494, 592.8}},
    {"high_low", 0.4, {487.5, 7.3, 1039, 592.8}, {475.6, 6.9, 946, 592.8}},
    {"high_low", 0.5, {251.8, 3.5, 723, 592.9}, {252.2, 3.4, 662, 592.9}},
    {"zigzag", 0.1, {438767.4, 2238.3, 26245, 343.6}, {303882.8, 1789.0, 21004, 343.6}},
    {"zigzag", 0.2, {28167.3, 256.5, 10334, 0}, {19252.0, 203.3, 8333, 0}},
    {"zigzag", 0.3, {0, 0, 0, 0}, {0, 0, 0, 0}},
    {"zigzag", 0.4, {1501.8, 30.0, 3765, 0}, {1192.1, 24.2, 3096, 343.8}},
    {"zigzag", 0.5, {683.3, 15.3, 2645, 343.8}, {565.3, 12.4, 2199, 343.8}},
    {"forest", 0.1, {163325.0, 1141.1, 47969, 2461.2}, {16857.2, 224.6, 15413, 2461.2}},
    {"forest", 0.2, {9638.0, 127.8, 17710, 2461.4}, {1049.6, 26.8, 5700, 2461.4}},
    {"forest", 0.3, {1794.7, 34.3, 9370, 2461.9}, {351.9, 7.8, 3031, 2461.9}},
    {"forest", 0.4, {600.6, 13.4, 5744, 2462.5}, {245.0, 3.1, 1863, 2462.5}},
    {"forest", 0.5, {300.4, 6.4, 3826, 2464.2}, {225.4, 1.4, 1243, 2464.2}},
};

std::optional<double> known(double value) { return value == 0 ? std::nullopt : std::optional(value); }

bool wants(const ExperimentOptions& options, std::string_view scene) {
  return options.only.empty() || options.only == scene;
}

std::string misuse_of_only(const ExperimentOptions& options, const std::vector<std::string>& scenes) {
  if (options.only.empty() || std::find(scenes.begin(), scenes.end(), options.only) != scenes.end()) return "";
  return fmt::format("there is no scene '{}'; there are {}", options.only, fmt::join(scenes, ", "));
}

ExitCode refused_only(const std::string& what) {
  fmt::print(stderr, "throng experiment: {}\n", what);
  return ExitCode::misuse;
}

void add_measures(ExperimentFigures& figures, const std::string& scene, const std::string& method,
                  const std::string& variant, const Measured& measured, std::size_t runs,
                  const std::array<double, 4>& published) {
  const double values[] = {measured.build_ms, measured.query_ms, double(measured.answer.explored),
                           measured.answer.searched_cost};
  constexpr std::string_view names[] = {"construction ms", "query ms", "nodes explored", "cost"};
  for (std::size_t i = 0; i < 4; ++i)
    figures.add({scene, method, variant, std::string(names[i]), values[i], {}, runs, known(published[i])});
  figures.add({scene, method, variant, "cost pulled taut", measured.answer.cost, {}, runs, {}});
}

ExitCode run_small(const ExperimentOptions& options) {
  if (const std::string what = misuse_of_only(options, small_scenes()); !what.empty()) return refused_only(what);
  ExperimentFigures figures("weighted-small");
  const std::size_t runs = options.runs > 0 ? options.runs : options.quick ? 1 : 5;
  for (const std::string& name : small_scenes()) {
    if (!wants(options, name)) continue;
    const Result<GroundScene> scene = load_scene(name);
    if (!scene) return refused(scene.problems());
    std::vector<DrawnWay> ways;
    for (const Published& row : table_4_1) {
      if (row.scene != name || (options.quick && row.eps < 0.5)) continue;
      for (const PointPlacement points : {PointPlacement::published, PointPlacement::proven})
        for (const GroundMethod method : {GroundMethod::spm, GroundMethod::vbp}) {
          const bool spm = method == GroundMethod::spm, published = points == PointPlacement::published;
          const Measured measured =
              measure(*scene, scene->from, scene->to, {.method = method, .eps = row.eps, .points = points}, runs);
          add_measures(figures, name, spm ? "spm" : "vbp",
                       fmt::format("eps={:g}{}", row.eps, published ? ", published points" : ""), measured, runs,
                       !published ? std::array<double, 4>{}
                       : spm      ? row.spm
                                  : row.vbp);
          if (row.eps == 0.5 && published)
            ways.push_back({points_of(measured.answer.route), spm ? 200 : 0, spm ? 60 : 90, spm ? 0 : 170,
                            spm ? 2.5 : 1.2, spm ? 0.0 : 4.0});
        }
    }
    const Measured weighted = measure(*scene, scene->from, scene->to, {}, runs);
    add_measures(figures, name, "weighted", "", weighted, runs, {});
    const Problems wrong = write_into(
        options, name + ".svg", draw_scene(*scene, name + ": spm red, vbp blue dashes, eps 0.5, pulled taut", ways));
    if (!wrong.empty()) return refused(wrong);
  }
  const Problems wrong = figures.finish(options);
  return wrong.empty() ? ExitCode::done : refused(wrong);
}

/// Table 4.2: same costs in per cent by triangle, edge and vertex.
struct PublishedSame {
  std::string_view scene;
  std::size_t paths;
  std::array<double, 3> same;
};
constexpr PublishedSame table_4_2[] = {{"puddle", 6561, {99.7, 99.6, 99.6}},
                                       {"bars", 6561, {100, 100, 100}},
                                       {"high_low", 6561, {98.0, 98.0, 97.9}},
                                       {"zigzag", 6561, {92.4, 93.9, 96.9}},
                                       {"forest", 9000, {82.0, 93.4, 93.4}}};

using Pair = std::pair<Vec2, Vec2>;

/// Pairs of places: nine x and nine y at random give 81 starts and 81 goals; in Forest all are drawn (J 4.3.2).
std::vector<Pair> pairs_of(const GroundScene& scene, std::size_t count, std::uint64_t seed) {
  geometry::RandomStream random(seed, {});
  std::vector<Pair> pairs;
  const auto draw = [&] {
    const double u = random.unit();
    return Vec2{scene.size.x * (0.01 + 0.98 * u), scene.size.y * (0.01 + 0.98 * random.unit())};
  };
  if (scene.name != "forest") {
    std::vector<Vec2> grid;
    std::vector<Vec2> nine;
    for (int i = 0; i < 9; ++i) nine.push_back(draw());
    for (const Vec2 x : nine)
      for (const Vec2 y : nine) grid.push_back({x.x, y.y});
    for (const Vec2 from : grid)
      for (const Vec2 to : grid) pairs.emplace_back(from, to);
    // Fewer than all: spread over them.
    if (count < pairs.size()) {
      std::vector<Pair> some;
      for (std::size_t i = 0; i < count; ++i) some.push_back(pairs[i * pairs.size() / count]);
      pairs = std::move(some);
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const Vec2 from = draw();
      pairs.emplace_back(from, draw());
    }
  }
  return pairs;
}

struct SameCount {
  std::size_t paths = 0, different = 0, homotopic = 0;  ///< homotopic: of the different ones
  double more = 0, most = 0;                            ///< by how much these are dearer: sum and largest, in per cent
};

/// Ways that differ, listed and drawn.
struct Different {
  std::string list = "scene,pruning,from_x,from_y,to_x,to_y,spm,vbp,region_homotopic\n";
  std::map<std::string, std::vector<DrawnWay>> drawn;  ///< by scene and pruning
};
/// So many pairs are drawn of each.
constexpr std::size_t most_drawn = 4;

/// The grid path, the edges that a pruning keeps, and the points on them: figures 4.2 to 4.5.
Problems draw_prunings(const ExperimentOptions& options, const GroundScene& scene) {
  if (options.folder.empty()) return {};
  for (std::size_t p = 0; p < 3; ++p) {
    GroundPlanner planner(scene.atlas);
    const GroundAnswer answer = planner.plan(scene.query(
        scene.from, scene.to,
        {.method = GroundMethod::vbp, .eps = 0.5, .prune = Pruning(p), .points = PointPlacement::published}));
    std::vector<DrawnWay> ways;
    for (routes::Index e = 0; e < planner.kept().size(); ++e) {
      if (!planner.kept()[e]) continue;
      const auto& edge = planner.surface().edges()[e];
      ways.push_back({{planner.surface().point(edge.a), planner.surface().point(edge.b)}, 0, 0, 0, 0.8, 0});
    }
    ways.push_back({answer.grid_way, 0, 90, 170, 1.5, 3});
    ways.push_back({points_of(answer.route), 200, 60, 0, 1.5, 0});
    std::vector<Vec2> dots;
    for (routes::Index n = routes::Index(planner.surface().vertices().size()); n < planner.points().node_count(); ++n)
      dots.push_back(planner.points().position(n));
    const std::string name(routes::pruning_names[p]);
    Problems wrong = write_into(
        options, fmt::format("{}-{}.svg", scene.name, name),
        draw_scene(scene, fmt::format("{}, pruned by {}: kept edges black, grid path blue, way red", scene.name, name),
                   ways, dots));
    if (!wrong.empty()) return wrong;
  }
  return {};
}

/// One pair by spm and by vbp with each pruning.
void compare(const GroundScene& scene, const Pair& pair, GroundPlanner& spm_planner, GroundPlanner& vbp_planner,
             SameCount (&same)[3], Different& different) {
  const auto& [from, to] = pair;
  GroundNumbers numbers{.method = GroundMethod::spm, .eps = 0.5, .points = PointPlacement::published};
  const GroundAnswer spm = spm_planner.plan(scene.query(from, to, numbers));
  if (spm.verdict != GroundVerdict::found) return;
  for (std::size_t p = 0; p < 3; ++p) {
    numbers.method = GroundMethod::vbp, numbers.prune = Pruning(p);
    const GroundAnswer vbp = vbp_planner.plan(scene.query(from, to, numbers));
    SameCount& count = same[p];
    ++count.paths;
    if (vbp.searched_cost <= spm.searched_cost * (1 + same_cost)) continue;
    const bool homotopic = routes::region_homotopic(spm_planner.surface(), spm_planner.costs(), spm.legs, vbp.legs);
    const double more = 100 * (vbp.searched_cost / spm.searched_cost - 1);
    ++count.different;
    count.homotopic += homotopic;
    count.more += more, count.most = std::max(count.most, more);
    different.list +=
        fmt::format("{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.6f},{:.6f},{}\n", scene.name, routes::pruning_names[p],
                    from.x, from.y, to.x, to.y, spm.searched_cost, vbp.searched_cost, homotopic ? 1 : 0);
    auto& ways = different.drawn[fmt::format("{}-{}", scene.name, routes::pruning_names[p])];
    if (ways.size() >= 3 * most_drawn) continue;
    ways.push_back({points_of(spm.route), 200, 60, 0, 2, 0});
    ways.push_back({points_of(vbp.route), 0, 90, 170, 1.5, 4});
    ways.push_back({vbp.grid_way, 120, 120, 120, 0.7, 1.5});
  }
}

Problems write_different(const ExperimentOptions& options, const GroundScene& scene, const Different& different) {
  for (const auto& [name, ways] : different.drawn) {
    if (!name.starts_with(scene.name + "-")) continue;
    Problems wrong = write_into(options, name + "-different.svg",
                                draw_scene(scene, name + ": spm red, vbp blue dashes, its grid path grey", ways));
    if (!wrong.empty()) return wrong;
  }
  return write_into(options, "different.csv", different.list);
}

ExitCode run_pruning(const ExperimentOptions& options) {
  if (const std::string what = misuse_of_only(options, small_scenes()); !what.empty()) return refused_only(what);
  ExperimentFigures figures("weighted-pruning");
  SameCount all[3];
  Different different;
  for (const PublishedSame& row : table_4_2) {
    const std::string name(row.scene);
    if (!wants(options, name)) continue;
    const Result<GroundScene> scene = load_scene(name);
    if (!scene) return refused(scene.problems());
    const std::size_t count = options.runs > 0 ? options.runs : options.quick ? 25 : row.paths;
    const auto pairs = pairs_of(*scene, count, options.seed);
    TrialProgress progress(pairs.size());
    SameCount same[3];
    GroundPlanner spm_planner(scene->atlas), vbp_planner(scene->atlas);
    for (const Pair& pair : pairs) {
      compare(*scene, pair, spm_planner, vbp_planner, same, different);
      progress.done(name);
    }
    for (std::size_t p = 0; p < 3; ++p) {
      const std::string variant(routes::pruning_names[p]);
      const double share = 100 - 100 * double(same[p].different) / double(std::max<std::size_t>(1, same[p].paths));
      figures.add({name, "vbp", variant, "same cost %", share, {}, same[p].paths, row.same[p]});
      figures.add({name, "vbp", variant, "different", double(same[p].different), {}, same[p].paths, {}});
      figures.add(
          {name, "vbp", variant, "different, region-homotopic", double(same[p].homotopic), {}, same[p].paths, {}});
      if (same[p].different > 0) {
        const double mean = same[p].more / double(same[p].different);
        figures.add({name, "vbp", variant, "different, mean more %", mean, {}, same[p].different, {}});
        figures.add({name, "vbp", variant, "different, most more %", same[p].most, {}, same[p].different, {}});
      }
      all[p].paths += same[p].paths, all[p].different += same[p].different;
    }
    if (const Problems wrong = draw_prunings(options, *scene); !wrong.empty()) return refused(wrong);
    if (const Problems wrong = write_different(options, *scene, different); !wrong.empty()) return refused(wrong);
  }
  constexpr double published_all[] = {93.6, 96.8, 97.3};
  if (options.only.empty())
    for (std::size_t p = 0; p < 3; ++p)
      figures.add({"all",
                   "vbp",
                   std::string(routes::pruning_names[p]),
                   "same cost %",
                   100 - 100 * double(all[p].different) / double(std::max<std::size_t>(1, all[p].paths)),
                   {},
                   all[p].paths,
                   published_all[p]});
  const Problems wrong = figures.finish(options);
  return wrong.empty() ? ExitCode::done : refused(wrong);
}

const ExperimentRegistration small_registration(
    {"weighted-small",
     "cheapest ways over five scenes, by spm, vbp and weighted (Jaklin 2016, table 4.1)",
     run_small,
     {"only", "runs"}});
const ExperimentRegistration pruning_registration(
    {"weighted-pruning",
     "how often pruning by a grid path keeps the cost (Jaklin 2016, table 4.2)",
     run_pruning,
     {"only", "runs"}});
}  // namespace
}  // namespace throng::cli
