// `throng experiment weighted-grid`: how much dearer than the best ways over grids are, on random weights aligned to the grid (Jaklin 2016,
// theorem 1; figures 3.1 and 3.2), and on even ground for grids of other shapes (J 3.1, after Nash).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/experiment.hpp"
#include "cli/experiment_scenes.hpp"
#include "cli/load_mesh.hpp"
#include "environment/sketch.hpp"
#include "geometry/random.hpp"
#include "routes/ground_homotopy.hpp"

namespace throng::cli {
namespace {

using environment::rectangle;
using routes::GridNodes;
using routes::GroundAnswer;
using routes::GroundMethod;
using routes::GroundPlanner;

/// Random weights of a few types on n x n cells of a metre.
Result<GroundScene> random_cells(geometry::RandomStream& random, int n) {
  environment::Sketch sketch("cells");
  sketch.walkable({rectangle({0, 0}, {double(n), double(n)}), {}});
  std::map<std::string, double> weights;
  constexpr int types = 6;
  for (int t = 0; t < types; ++t) weights[fmt::format("t{}", t)] = 1 + 29 * random.unit() * random.unit();
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      sketch.region(fmt::format("t{}", int(random.unit() * types)),
                    {rectangle({double(x), double(y)}, {x + 1.0, y + 1.0}), {}});
  return scene_of("cells", std::move(sketch).take(), weights);
}

/// Figure 3.1: an obstacle-like dear wall with a gap narrower than a cell. The grid goes round it, at a price that grows with its height.
Result<GroundScene> gap_scene(double height) {
  environment::Sketch sketch("gap");
  sketch.walkable({rectangle({0, 0}, {12, height + 12}), {}});
  sketch.region("dear", {rectangle({5, 0}, {7, 2.1}), {}});
  sketch.region("dear", {rectangle({5, 2.4}, {7, height}), {}});
  return scene_of("gap", std::move(sketch).take(), {{"dear", 1e4}});
}

/// Figure 3.2: the cheapest way of the grid goes through grey ground below a block, the best way over white ground above it, since on white
/// ground the grid's ways are longer than they need be. Weights are J's; the layout is ours, since his is lost. `grey` is what that ground
/// weighs: forbiddingly much leads the grid to the other side.
Result<GroundScene> two_sides_scene(double grey) {
  environment::Sketch sketch("two_sides");
  sketch.walkable({rectangle({0, 0}, {24, 14}), {}});
  sketch.region("grey", {rectangle({8, 6}, {16, 7}), {}});
  sketch.region("block", {rectangle({8, 7}, {16, 9}), {}});
  sketch.region("block", {rectangle({8, 0}, {16, 6}), {}});
  return scene_of("two_sides", std::move(sketch).take(), {{"grey", grey}, {"block", 1e4}});
}

/// Moves of a lattice whose every node has the same ones, and the worst ratio of a way over it to the straight line.
double worst_ratio(const std::vector<Vec2>& moves) {
  // On even ground a cheapest way uses two neighbouring directions; the worst lies between them.
  double worst = 1;
  for (const Vec2 a : moves)
    for (const Vec2 b : moves) {
      if (!(cross(a, b) > 1e-12)) continue;
      const bool neighbours =
          std::none_of(moves.begin(), moves.end(), [&](Vec2 c) { return cross(a, c) > 1e-12 && cross(c, b) > 1e-12; });
      if (!neighbours) continue;
      // u a/|a| + v b/|b| of length 1: u + v is largest in the middle.
      const Vec2 middle = a / length(a) + b / length(b);
      worst = std::max(worst, 2 / length(middle));
    }
  return worst;
}

void add_shapes(ExperimentFigures& figures) {
  const double s = std::sqrt(3.0);
  const std::vector<Vec2> four{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  std::vector<Vec2> eight = four;
  eight.insert(eight.end(), {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}});
  const std::vector<Vec2> hexagon{{1, 0}, {0.5, s / 2}, {-0.5, s / 2}, {-1, 0}, {-0.5, -s / 2}, {0.5, -s / 2}};
  std::vector<Vec2> twelve = hexagon;
  for (std::size_t i = 0; i < 6; ++i) twelve.push_back(hexagon[i] + hexagon[(i + 1) % 6]);
  // At each node three ways on, 120 degrees apart.
  const std::vector<Vec2> three{{1, 0}, {-0.5, s / 2}, {-0.5, -s / 2}};
  const auto add = [&](const char* shape, const char* neighbours, double value, double published) {
    figures.add({shape, "grid", neighbours, "longest way / straight", value, {}, 1, published});
  };
  add("triangles", "3 neighbours", worst_ratio(three), 2.00);
  add("triangles", "6 neighbours", worst_ratio(hexagon), 1.15);
  add("squares", "4 neighbours", worst_ratio(four), 1.41);
  add("squares", "8 neighbours", worst_ratio(eight), 1.08);
  add("hexagons", "6 neighbours", worst_ratio(hexagon), 1.15);
  add("hexagons", "12 neighbours", worst_ratio(twelve), 1.04);
}

Problems add_random(ExperimentFigures& figures, const ExperimentOptions& options) {
  const std::size_t runs = options.runs > 0 ? options.runs : options.quick ? 5 : 200;
  double worst[2] = {1, 1}, sum[2] = {0, 0};
  constexpr int n = 8;
  TrialProgress progress(runs);
  for (std::size_t run = 0; run < runs; ++run) {
    geometry::RandomStream random(options.seed, {.number = std::uint32_t(run)});
    const Result<GroundScene> scene = random_cells(random, n);
    if (!scene) return scene.problems();
    const auto cell = [&] { return std::floor(random.unit() * n); };
    const double x = cell(), y = cell();
    const Vec2 from{x, y}, to{n - 1 - x, std::fmod(y + 4, n)};
    for (const GridNodes nodes : {GridNodes::centres, GridNodes::corners}) {
      const Vec2 shift = nodes == GridNodes::centres ? Vec2{0.5, 0.5} : Vec2{};
      GroundPlanner planner(scene->atlas);
      const GroundAnswer grid =
          planner.plan(scene->query(from + shift, to + shift, {.method = GroundMethod::grid, .nodes = nodes}));
      const GroundAnswer best = planner.plan(scene->query(from + shift, to + shift, {.method = GroundMethod::spm}));
      const double ratio = grid.searched_cost / std::min(best.cost, grid.cost);
      const auto i = std::size_t(nodes);
      worst[i] = std::max(worst[i], ratio), sum[i] += ratio;
    }
    progress.done("cells");
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string nodes(routes::grid_nodes_names[i]);
    figures.add({"cells",
                 "grid",
                 nodes,
                 "dearest / best",
                 worst[i],
                 {},
                 runs,
                 i == 0 ? std::optional(2 * std::sqrt(2.0)) : std::nullopt});
    figures.add({"cells", "grid", nodes, "mean / best", sum[i] / double(runs), {}, runs, {}});
  }
  return {};
}

/// Costs of the grid's ways and of the best one, and whether they are of one class.
Problems add_pair(ExperimentFigures& figures, const ExperimentOptions& options, const Result<GroundScene>& scene,
                  const std::string& variant, const std::string& picture, Vec2 from, Vec2 to) {
  if (!scene) return scene.problems();
  GroundPlanner best_planner(scene->atlas);
  const GroundAnswer best = best_planner.plan(scene->query(from, to, {.method = GroundMethod::spm}));
  std::vector<DrawnWay> ways;
  for (const GridNodes nodes : {GridNodes::centres, GridNodes::corners}) {
    GroundPlanner planner(scene->atlas);
    const GroundAnswer grid = planner.plan(scene->query(from, to, {.method = GroundMethod::grid, .nodes = nodes}));
    const std::string how = variant + std::string(routes::grid_nodes_names[std::size_t(nodes)]);
    const bool same = routes::region_homotopic(planner.surface(), planner.costs(), best.legs, grid.legs);
    figures.add({scene->name, "grid", how, "cost", grid.searched_cost, {}, 1, {}});
    figures.add({scene->name, "grid", how, "region-homotopic to the best", same ? 1.0 : 0.0, {}, 1, {}});
    ways.push_back({points_of(grid.route), 0, nodes == GridNodes::centres ? 90 : 140, 170, 1.5,
                    nodes == GridNodes::centres ? 0.0 : 3.0});
  }
  figures.add({scene->name, "spm", variant, "cost", best.cost, {}, 1, {}});
  ways.push_back({points_of(best.route), 200, 60, 0, 1.5, 0});
  if (picture.empty()) return {};
  return write_into(options, picture,
                    draw_scene(*scene, scene->name + ": grid ways blue (corners dashed), best red", ways));
}

/// Figure 3.1 by growing heights, figure 3.2.
Problems add_classes(ExperimentFigures& figures, const ExperimentOptions& options) {
  Problems problems;
  for (const double height : {10.0, 20.0, 40.0})
    if (problems.empty())
      problems = add_pair(figures, options, gap_scene(height), fmt::format("height={:g} ", height),
                          height == 10 ? "figure_3_1_gap.svg" : "", {2.5, 2.5}, {9.5, 2.5});
  if (problems.empty())
    problems = add_pair(figures, options, two_sides_scene(1.3), "grey=1.3 ", "figure_3_2_two_sides.svg", {0.5, 6.5},
                        {23.5, 6.5});
  if (problems.empty())
    problems = add_pair(figures, options, two_sides_scene(1e4), "grey closed ", "", {0.5, 6.5}, {23.5, 6.5});
  return problems;
}

ExitCode run(const ExperimentOptions& options) {
  ExperimentFigures figures("weighted-grid");
  Problems problems = add_random(figures, options);
  if (problems.empty()) add_shapes(figures);
  if (problems.empty()) problems = add_classes(figures, options);
  if (problems.empty()) problems = figures.finish(options);
  return problems.empty() ? ExitCode::done : refused(problems);
}

const ExperimentRegistration registration(
    {"weighted-grid",
     "how much dearer ways over grids are than the best (Jaklin 2016, theorem 1, figures 3.1, 3.2)",
     run,
     {"runs"}});

}  // namespace
}  // namespace throng::cli
