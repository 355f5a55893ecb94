// `throng experiment mesh`: Jaklin's measurements of the mesh (2016, tables 11.1 and 11.2) again: what it consists of, and what it costs to build
// it, to put 100 squares of 2 x 2 m into it one after the other, to see from 1,000 places and to find 1,000 short routes at a clearance
// of 0.5 m. His City is not published: a generated one has its size, obstacles and vertices.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "environment/clean/changing_plan.hpp"
#include "environment/formats/formats.hpp"
#include "environment/sketch.hpp"
#include "geometry/elementary.hpp"
#include "geometry/random.hpp"
#include "navmesh/build.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility_polygon.hpp"
#include "routes/planner.hpp"

namespace throng::cli {
namespace {

using environment::ChangingPlan;
using Clock = std::chrono::steady_clock;

/// Milliseconds on a six-core machine of 2011; the build is the faster one of his two on the processor (Vroni).
struct Published {
  double vertices, edges, annotations, build_ms, insert_ms, view_ms, route_ms;
};
constexpr Published city_2016{1444, 1623, 6310, 84, 3.70, 0.15, 1.17};
constexpr Published station_2016{660, 768, 2804, 368, 1.25, 0.10, 0.85};

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// 500 x 500 m with 184 obstacles in rows; 2,098 vertices with the four of the border.
environment::Environment city(std::uint64_t seed) {
  constexpr int a_side = 14, obstacles = 184, with_twelve = 70;
  constexpr double block = 500.0 / a_side;
  environment::Sketch sketch("city");
  sketch.walkable({environment::rectangle({0, 0}, {500, 500}), {}});
  geometry::RandomStream random(seed, {.purpose = 2});
  for (int i = 0; i < obstacles; ++i) {
    const Vec2 centre{(i % a_side + 0.5) * block, (double(i / a_side) + 0.5) * block};
    const int corners = i < with_twelve ? 12 : 11;
    Ring ring;
    for (int k = 0; k < corners; ++k)
      ring.push_back(centre + random.uniform(0.2, 0.42) * block * geometry::unit_direction(double(k) / corners));
    sketch.obstacle({ring, {}});
  }
  return std::move(sketch).take();
}

struct Measured {
  ExperimentFigures& figures;
  std::string scene;
  const Published* paper;

  void add(const char* measure, double value, double Published::*in_paper, std::size_t runs = 1) const {
    ExperimentFigures::Figure figure;
    figure.scene = scene, figure.method = "ecm", figure.measure = measure, figure.value = value, figure.runs = runs;
    if (paper != nullptr && in_paper != nullptr) figure.published = paper->*in_paper;
    figures.add(std::move(figure));
  }
};

/// Places all over the world, layer by layer in turn.
std::vector<navmesh::Place> places_in(const navmesh::Mesh& mesh, std::size_t count, std::uint64_t seed) {
  geometry::RandomStream random(seed, {.purpose = 3});
  std::vector<navmesh::Place> places;
  for (std::size_t i = 0; places.size() < count && i < 100 * count; ++i) {
    const double u = random.unit(), v = random.unit(), w = random.unit();
    const auto place = navmesh::random_point(mesh, navmesh::Index(i % mesh.layers.size()), u, v, w);
    if (place) places.push_back(*place);
  }
  return places;
}

void count_parts(const navmesh::Mesh& mesh, const Measured& measured) {
  std::size_t vertices = 0;
  for (const navmesh::Node& node : mesh.all_nodes()) vertices += node.degree > 0;
  measured.add("vertices", double(vertices), &Published::vertices);
  measured.add("edges", double(mesh.edge_count()), &Published::edges);
  measured.add("annotations", double(mesh.arc_count() + mesh.edge_count()), &Published::annotations);
}

/// One after the other, each into what the one before left. Cleaning, axis, graph, passages and locator; nothing that only routes know.
void insert_squares(ChangingPlan drawn, navmesh::MeshBuild build, std::size_t count, std::uint64_t seed,
                    const Measured& measured) {
  double ms = 0;
  std::size_t inserted = 0, whole = 0;
  for (const navmesh::Place& place : places_in(*build.mesh, 2 * count, seed + 1)) {
    if (inserted == count) break;
    const Vec2 p = place.point;
    environment::Feature square;
    square.id = fmt::format("square-{}", inserted);
    square.layer = place.layer;
    square.polygons = {{environment::rectangle({p.x - 1, p.y - 1}, {p.x + 1, p.y + 1}), {}}};
    const Clock::time_point start = Clock::now();
    Result<ChangingPlan> next = drawn.after({{environment::Change::Kind::insert, {square}, {}}});
    if (!next) continue;
    Result<navmesh::MeshBuild> rebuilt = navmesh::rebuild_mesh(next->clean(), drawn.clean(), build);
    if (!rebuilt) continue;
    ms += ms_since(start);
    ++inserted, whole += next->redone().whole;
    drawn = *std::move(next), build = *std::move(rebuilt);
  }
  if (inserted == 0) return;
  measured.add("insert_ms", ms / double(inserted), &Published::insert_ms, inserted);
  measured.add("inserted_cleaned_whole", double(whole), nullptr, inserted);
}

void look_around(const navmesh::Mesh& mesh, std::size_t count, std::uint64_t seed, const Measured& measured) {
  navmesh::VisibilityPolygon view;
  const std::vector<navmesh::Place> places = places_in(mesh, count, seed + 2);
  const Clock::time_point start = Clock::now();
  for (const navmesh::Place& place : places) (void)view.compute(mesh, place);
  measured.add("visibility_polygon_ms", ms_since(start) / double(count), &Published::view_ms, count);
}

void find_routes(const navmesh::MeshPtr& mesh, std::size_t count, std::uint64_t seed, const Measured& measured) {
  routes::Planner planner(std::make_shared<routes::RouteGraph>(mesh));
  const std::vector<navmesh::Place> places = places_in(*mesh, 2 * count, seed + 3);
  routes::Route route;
  std::size_t found = 0;
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
    routes::RouteQuery query{.from = places[i], .to = places[i + 1], .radius = 0.25, .clearance = 0.5};
    found += planner.plan(query, route) == routes::NoRoute::found;
  }
  measured.add("short_route_ms", ms_since(start) / double(count), &Published::route_ms, count);
  measured.add("routes_found", double(found), nullptr, count);
}

Problems measure(const std::string& scene, environment::Environment source, const Published* paper,
                 const ExperimentOptions& options, ExperimentFigures& figures) {
  const Measured measured{figures, scene, paper};
  Result<ChangingPlan> drawn = ChangingPlan::make(std::move(source));
  if (!drawn) return drawn.problems();
  measured.add("obstacle_vertices", double(drawn->clean().vertex_count()), nullptr);
  const Clock::time_point start = Clock::now();
  Result<navmesh::MeshBuild> build = navmesh::first_build(drawn->clean());
  if (!build) return build.problems();
  const double build_ms = ms_since(start);
  count_parts(*build->mesh, measured);
  measured.add("build_ms", build_ms, &Published::build_ms);
  const navmesh::MeshPtr mesh = build->mesh;
  insert_squares(*std::move(drawn), *std::move(build), options.quick ? 5 : 100, options.seed, measured);
  look_around(*mesh, options.quick ? 50 : 1000, options.seed, measured);
  find_routes(mesh, options.quick ? 50 : 1000, options.seed, measured);
  return {};
}

/// A file that may not be there: then its scene is left out, with a word.
Problems measure_file(const std::string& scene, const std::filesystem::path& file, const Published* paper,
                      const ExperimentOptions& options, ExperimentFigures& figures) {
  if (!std::filesystem::exists(file)) {
    fmt::print(stderr, "throng experiment mesh: no {}: its figures are left out\n", file.string());
    return {};
  }
  Result<environment::Environment> source = environment::read_environment(file.string());
  if (!source) return source.problems();
  return measure(scene, std::move(source).value(), paper, options, figures);
}

ExitCode run(const ExperimentOptions& options) {
  ExperimentFigures figures("mesh");
  if (const Problems wrong = measure("city", city(options.seed), &city_2016, options, figures); has_errors(wrong))
    return refused(wrong);
  if (const Problems wrong = measure_file("station", "examples/station.geojson", &station_2016, options, figures);
      has_errors(wrong))
    return refused(wrong);
  const char* const data = std::getenv("THRONG_DATA");
  if (data != nullptr && !options.quick) {
    const auto file = std::filesystem::path(data) / "kaiserslautern.geojson";
    if (const Problems wrong = measure_file("kaiserslautern", file, nullptr, options, figures); has_errors(wrong))
      return refused(wrong);
  }
  const Problems problems = figures.finish(options);
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

const ExperimentRegistration registration(
    {"mesh", "Jaklin's figures of the mesh (2016): building, insertions, views and routes beside ours", run});

}  // namespace
}  // namespace throng::cli
