// `throng experiment weighted-small`, `weighted-pruning`, `weighted-large`: SPM, VBP and `weighted` on Jaklin's scenes (2016, 4.3), beside the
// published tables. What the document's text has lost is not compared.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
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

double milliseconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
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

/// Pairs of places: nine x and nine y at random give 81 starts and 81 goals; in Forest all are drawn (J 4.3.2).
std::vector<std::pair<Vec2, Vec2>> pairs_of(const GroundScene& scene, std::size_t count, std::uint64_t seed) {
  geometry::RandomStream random(seed, {});
  std::vector<std::pair<Vec2, Vec2>> pairs;
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
      std::vector<std::pair<Vec2, Vec2>> some;
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
};

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

ExitCode run_pruning(const ExperimentOptions& options) {
  if (const std::string what = misuse_of_only(options, small_scenes()); !what.empty()) return refused_only(what);
  ExperimentFigures figures("weighted-pruning");
  SameCount all[3];
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
    for (const auto& [from, to] : pairs) {
      GroundNumbers numbers{.method = GroundMethod::spm, .eps = 0.5, .points = PointPlacement::published};
      const GroundAnswer spm = spm_planner.plan(scene->query(from, to, numbers));
      if (spm.verdict != GroundVerdict::found) continue;
      for (std::size_t p = 0; p < 3; ++p) {
        numbers.method = GroundMethod::vbp, numbers.prune = Pruning(p);
        const GroundAnswer vbp = vbp_planner.plan(scene->query(from, to, numbers));
        ++same[p].paths;
        if (vbp.searched_cost <= spm.searched_cost * (1 + same_cost)) continue;
        ++same[p].different;
        same[p].homotopic += routes::region_homotopic(spm_planner.surface(), spm_planner.costs(), spm.legs, vbp.legs);
      }
      progress.done(name);
    }
    for (std::size_t p = 0; p < 3; ++p) {
      const std::string variant(routes::pruning_names[p]);
      const double share = 100 - 100 * double(same[p].different) / double(std::max<std::size_t>(1, same[p].paths));
      figures.add({name, "vbp", variant, "same cost %", share, {}, same[p].paths, row.same[p]});
      figures.add({name, "vbp", variant, "different", double(same[p].different), {}, same[p].paths, {}});
      figures.add(
          {name, "vbp", variant, "different, region-homotopic", double(same[p].homotopic), {}, same[p].paths, {}});
      all[p].paths += same[p].paths, all[p].different += same[p].different;
    }
    if (const Problems wrong = draw_prunings(options, *scene); !wrong.empty()) return refused(wrong);
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

/// Table 4.3 at eps 0.3: construction, query, nodes of SPM and VBP, and how much dearer VBP is in per cent. Its costs are below the
/// smallest weight times the distance, so they are of another setting: not compared.
struct PublishedLarge {
  Vec2 from, to;
  std::array<double, 3> spm, vbp;
  double more;
};
const PublishedLarge table_4_3[] = {{{10, 10}, {10, 400}, {38004.1, 135.2, 34383}, {1324.0, 5.7, 1997}, 10.2},
                                    {{10, 10}, {10, 700}, {38087, 460.6, 95648}, {1380.4, 15.9, 3455}, 15.6},
                                    {{20, 700}, {700, 20}, {38274, 1975.2, 298022}, {1608.8, 35.8, 7299}, 8.6},
                                    {{10, 500}, {700, 10}, {38103, 1968.6, 288428}, {1795.1, 42.8, 8603}, 6.1}};

/// 20 candidate points on a grid (lost but for some coordinates), the four pairs of the table and 61 at random.
std::vector<std::pair<Vec2, Vec2>> large_pairs(double side, std::uint64_t seed, std::size_t count) {
  std::vector<std::pair<Vec2, Vec2>> pairs;
  for (const PublishedLarge& row : table_4_3) pairs.emplace_back(row.from * (side / 800), row.to * (side / 800));
  std::vector<Vec2> candidates;
  for (const double x : {10.0, 20.0, 400.0, 500.0, 700.0})
    for (const double y : {10.0, 20.0, 400.0, 700.0}) candidates.push_back(Vec2{x, y} * (side / 800));
  geometry::RandomStream random(seed, {});
  while (pairs.size() < count) {
    const auto draw = [&] { return candidates[std::size_t(random.unit() * double(candidates.size()))]; };
    const Vec2 from = draw(), to = draw();
    if (distance(from, to) > side / 10) pairs.emplace_back(from, to);
  }
  pairs.resize(count);
  return pairs;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / double(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return values.size() < 2 ? 0 : std::sqrt(sum / double(values.size() - 1));
}

/// Why a vbp path is over half as dear again: what a search over the same edges makes of it when it is weighed on the whole scene.
struct Causes {
  std::size_t outliers = 0, hidden = 0, rounding = 0, lost_side = 0;
};

ExitCode run_large(const ExperimentOptions& options) {
  const unsigned tiles = options.quick ? 4 : options.tiles;
  const Result<GroundScene> scene = tiled_scene(tiles);
  if (!scene) return refused(scene.problems());
  const double side = 50.0 * tiles;
  ExperimentFigures figures("weighted-large");
  const std::size_t count = options.runs > 0 ? options.runs : options.quick ? 6 : 65;
  const auto pairs = large_pairs(side, options.seed, count);
  GroundPlanner spm_planner(scene->atlas), planner(scene->atlas), other(scene->atlas);
  for (const double eps : options.quick ? std::vector{0.5} : std::vector{0.3, 0.4, 0.5}) {
    std::vector<double> lead, more_weighted;
    std::map<double, std::vector<double>> more;
    Causes causes;
    TrialProgress progress(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto& [from, to] = pairs[i];
      GroundNumbers numbers{.method = GroundMethod::spm, .eps = eps, .points = PointPlacement::published};
      const routes::GroundQuery asked = scene->query(from, to, numbers);
      const double build = milliseconds_of([&] { spm_planner.prepare(asked); });
      GroundAnswer spm;
      const double query = milliseconds_of([&] { spm = spm_planner.plan(asked); });
      const std::string variant = fmt::format("eps={:g}", eps);
      const std::string pair = fmt::format("({:g},{:g})-({:g},{:g})", from.x, from.y, to.x, to.y);
      const bool in_table = i < std::size(table_4_3) && eps == 0.3 && tiles == 16;
      if (i < std::size(table_4_3)) {
        const auto& p = table_4_3[i];
        figures.add({pair, "spm", variant, "query ms", query, {}, 1, in_table ? known(p.spm[1]) : std::nullopt});
        figures.add({pair,
                     "spm",
                     variant,
                     "nodes explored",
                     double(spm.explored),
                     {},
                     1,
                     in_table ? known(p.spm[2]) : std::nullopt});
        if (build > 0.01)
          figures.add(
              {pair, "spm", variant, "construction ms", build, {}, 1, in_table ? known(p.spm[0]) : std::nullopt});
      }
      for (const double cell : eps == 0.3 || options.quick ? std::vector{16.0, 8.0, 4.0, 2.0} : std::vector{16.0}) {
        numbers.method = GroundMethod::vbp, numbers.cell = cell;
        GroundAnswer vbp;
        const double whole = milliseconds_of([&] {
          GroundPlanner fresh(scene->atlas);
          vbp = fresh.plan(scene->query(from, to, numbers));
          if (cell == 16.0) {
            if (vbp.searched_cost > 1.5 * spm.searched_cost) {
              ++causes.outliers;
              causes.rounding += vbp.cost < vbp.searched_cost / 1.5;
              causes.hidden += !routes::region_homotopic(fresh.surface(), fresh.costs(), spm.legs, vbp.legs);
            }
          }
        });
        const double dearer = 100 * (vbp.searched_cost / spm.searched_cost - 1);
        more[cell].push_back(dearer);
        if (i < std::size(table_4_3) && cell == 16.0) {
          figures.add({pair,
                       "vbp",
                       variant,
                       "whole ms",
                       whole,
                       {},
                       1,
                       in_table ? known(table_4_3[i].vbp[0] + table_4_3[i].vbp[1]) : std::nullopt});
          figures.add(
              {pair, "vbp", variant, "more cost %", dearer, {}, 1, in_table ? known(table_4_3[i].more) : std::nullopt});
          lead.push_back(query / whole);
        }
      }
      const GroundAnswer weighted = other.plan(scene->query(from, to, {.eps = eps}));
      more_weighted.push_back(100 * (weighted.cost / std::min(spm.cost, weighted.cost) - 1));
      if (i == 0 && eps >= 0.5) {
        const Problems wrong = write_into(
            options, "large.svg",
            draw_scene(*scene, "spm red, weighted blue dashes",
                       {{points_of(spm.route), 200, 60, 0, 2.5, 0}, {points_of(weighted.route), 0, 90, 170, 1.2, 4}}));
        if (!wrong.empty()) return refused(wrong);
      }
      progress.done(pair);
    }
    const std::string variant = fmt::format("eps={:g}", eps);
    constexpr std::pair<double, double> table_4_4[] = {{0.3, 21.3}, {0.4, 21.2}, {0.5, 20.9}};
    for (const auto& [cell, values] : more) {
      std::optional<double> published;
      for (const auto& [e, p] : table_4_4)
        if (e == eps && cell == 16.0 && tiles == 16) published = p;
      figures.add({scene->name, "vbp", fmt::format("{}, cell={:g}", variant, cell), "more cost %", mean_of(values),
                   deviation_of(values), values.size(), published});
    }
    figures.add({scene->name, "vbp", variant, "pairs over 50 % dearer", double(causes.outliers), {}, pairs.size(), {}});
    figures.add(
        {scene->name, "vbp", variant, "of which the grid hid the class", double(causes.hidden), {}, pairs.size(), {}});
    figures.add({scene->name,
                 "vbp",
                 variant,
                 "of which mended by pulling taut",
                 double(causes.rounding),
                 {},
                 pairs.size(),
                 {}});
    figures.add({scene->name, "vbp", variant, "spm query / vbp whole", mean_of(lead), {}, lead.size(), {}});
    figures.add({scene->name,
                 "weighted",
                 variant,
                 "more cost %",
                 mean_of(more_weighted),
                 deviation_of(more_weighted),
                 more_weighted.size(),
                 {}});
    figures.add({scene->name,
                 "weighted",
                 variant,
                 "most cost %",
                 *std::max_element(more_weighted.begin(), more_weighted.end()),
                 {},
                 more_weighted.size(),
                 {}});
  }
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
const ExperimentRegistration large_registration({"weighted-large",
                                                 "spm against vbp on 16 x 16 tiles (Jaklin 2016, tables 4.3 and 4.4)",
                                                 run_large,
                                                 {"only", "runs", "tiles"}});

}  // namespace
}  // namespace throng::cli
