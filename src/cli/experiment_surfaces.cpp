// `throng experiment surfaces`: Parsons's comparison. Two ways to plan over waypoints with two ways to avoid each other, for 100 to 10,000
// people among eight buildings, beside Parsons's tables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "analysis/metrics.hpp"
#include "analysis/scenes.hpp"
#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "crowd/crowd.hpp"
#include "environment/formats/picture.hpp"
#include "geometry/random.hpp"
#include "navmesh/random_point.hpp"
#include "routes/waypoints.hpp"

namespace throng::cli {
namespace {

using routes::RouteMethod;
using Clock = std::chrono::steady_clock;

constexpr double radius = 0.24;
constexpr double time_step = 0.1;
constexpr std::array<RouteMethod, 2> surfaces{RouteMethod::visibility, RouteMethod::voronoi_sites};
constexpr std::array<std::string_view, 2> avoiders{"proximity", "cellular"};

/// Parsons's tables 1 to 12: milliseconds.
struct Published {
  std::size_t people;
  double proximity, cellular;
};
constexpr std::array<Published, 5> published{{{100, 0.2652, 0.0167},
                                              {500, 4.7802, 0.0923},
                                              {1000, 14.443, 0.2327},
                                              {5000, 129.5757, 1.5409},
                                              {10000, 295.2625, 3.0885}}};
constexpr double published_visibility_ms = 6.3815, published_voronoi_ms = 0.1574;

std::string name_of(RouteMethod method) { return std::string(routes::route_method_names[std::size_t(method)]); }

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Places a body can stand on, drawn one after the other.
class Places {
 public:
  Places(const navmesh::Mesh& mesh, std::uint64_t seed) : mesh_(mesh), random_(seed, {}) {}
  navmesh::Place next() {
    for (;;) {
      const double u = random_.unit(), v = random_.unit();
      const auto place = navmesh::random_point(mesh_, 0, u, v, random_.unit());
      if (place && navmesh::locate(mesh_, *place).clearance >= radius) return *place;
    }
  }

 private:
  const navmesh::Mesh& mesh_;
  geometry::RandomStream random_;
};

Result<crowd::WorldPtr> scene_world() {
  Result<environment::CleanEnvironment> clean = environment::clean(analysis::eight_buildings());
  if (!clean) return clean.problems();
  return crowd::make_world(std::move(clean).value());
}

std::string draw_graph(const crowd::World& world, const routes::WaypointGraph& graph, const std::string& title) {
  const environment::Layout layout = environment::lay_out(world.environment);
  const auto canvas = environment::make_svg_canvas(layout.width, layout.height, title);
  environment::draw_environment(*canvas, world.environment, layout, title);
  for (const environment::Panel& panel : layout.panels) {
    canvas->set_view(panel.view);
    canvas->begin_group("waypoints");
    for (routes::Index i = 0; i < graph.node_count(); ++i)
      graph.for_each_neighbour(i, [&](routes::Index to, double, routes::Index) {
        if (i < to)
          canvas->segment(graph.points()[i].point, graph.points()[to].point,
                          environment::Style::line({0, 90, 170}, 0.4));
      });
    for (const navmesh::Place& place : graph.points())
      canvas->dot(place.point, 1.6, environment::Style::area({180, 60, 0}));
    canvas->end_group();
  }
  return canvas->finish();
}

/// What making a graph and planning on it costs, and how long its routes are.
std::vector<Json> measure_surface(const crowd::World& world, RouteMethod method, const ExperimentOptions& options,
                                  Problems& problems) {
  double best_ms = routes::unreachable;
  for (int i = 0; i < (options.quick ? 1 : 10); ++i) {
    const Clock::time_point start = Clock::now();
    const routes::WaypointGraph graph(world.mesh, method, radius);
    best_ms = std::min(best_ms, milliseconds_since(start));
  }
  routes::WaypointGraphs graphs;
  graphs.make(world.mesh, method, radius);
  const routes::WaypointGraph& graph = *graphs.find(method, radius);
  const Problems wrong = write_into(
      options, name_of(method) + ".svg",
      draw_graph(world, graph,
                 fmt::format("{}: {} points, {} lines", name_of(method), graph.points().size(), graph.line_count())));
  problems.insert(problems.end(), wrong.begin(), wrong.end());
  routes::Planner planner(world.graph);
  routes::Search search;
  routes::Route route, tight;
  Places places(*world.mesh, options.seed);
  const int pairs = options.quick ? 50 : 2000;
  int by_waypoints = 0;
  double length = 0, shortest = 0, ms = 0;
  for (int i = 0; i < pairs; ++i) {
    const navmesh::Place from = places.next(), to = places.next();
    const Clock::time_point start = Clock::now();
    const bool found = graph.plan({.from = from, .to = to, .radius = radius, .method = method}, search, route) ==
                       routes::NoRoute::found;
    ms += milliseconds_since(start);
    if (!found || planner.plan({.from = from, .to = to, .radius = radius}, tight) != routes::NoRoute::found) continue;
    ++by_waypoints;
    length += route.length;
    shortest += tight.length;
  }
  return {name_of(method),
          graph.points().size(),
          graph.line_count(),
          double(graph.bytes()) / 1000,
          best_ms,
          method == RouteMethod::visibility ? published_visibility_ms : published_voronoi_ms,
          ms / pairs,
          100.0 * by_waypoints / pairs,
          length / shortest};
}

/// Of the step that was disturbed least by whatever else the machine does.
struct Cost {
  double local_ms = 0;  ///< who is around, and what to do about them
  double step_ms = 0;
  double collisions = 0;  ///< a person and minute
  std::size_t people = 0;
};

Result<Cost> measure_crowd(const crowd::WorldPtr& world, RouteMethod surface, std::string_view avoid,
                           std::size_t people, const ExperimentOptions& options) {
  crowd::Crowd crowd(world, {.seed = options.seed, .threads = 1});
  Places places(*world->mesh, options.seed);
  while (crowd.size() < people) {
    crowd::AgentSpec spec;
    spec.place = places.next();
    if (!crowd.is_free(spec.place, radius)) continue;
    auto itinerary = std::make_shared<goals::Itinerary>();
    for (int i = 0; i < 4; ++i) itinerary->goals.push_back({places.next(), 1.0, {}, 0});
    spec.itinerary = std::move(itinerary);
    spec.methods[crowd::Level::route] = {std::string(routes::route_method_names[std::size_t(surface)]), {}};
    spec.methods[crowd::Level::follow] = {"lookahead", {}};
    spec.methods[crowd::Level::avoid] = {std::string(avoid), {}};
    spec.number = std::uint32_t(crowd.size());
    if (const Result<crowd::AgentId> added = crowd.add(spec); !added) return added.problems();
  }
  const int settling = options.quick ? 5 : 30, steps = options.quick ? 5 : 60;
  for (int i = 0; i < settling; ++i)
    if (const auto stepped = crowd.step(time_step); !stepped) return stepped.problems();
  analysis::Metrics metrics({}, {});
  metrics.begin(crowd);
  Cost cost{.local_ms = routes::unreachable, .step_ms = routes::unreachable, .people = people};
  for (int i = 0; i < steps; ++i) {
    const Clock::time_point start = Clock::now();
    if (const auto stepped = crowd.step(time_step); !stepped) return stepped.problems();
    cost.step_ms = std::min(cost.step_ms, milliseconds_since(start));
    cost.local_ms = std::min(cost.local_ms,
                             1000 * (crowd.seconds_of(crowd::Stage::perceive) + crowd.seconds_of(crowd::Stage::avoid)));
    metrics.observe(crowd, time_step);
  }
  cost.collisions = double(metrics.summary().collisions) / double(people) / (steps * time_step) * 60;
  return cost;
}

ExitCode run(const ExperimentOptions& options) {
  const Result<crowd::WorldPtr> world = scene_world();
  if (!world) return refused(world.problems());
  Problems problems;
  ExperimentTable making(
      {"surface", "points", "lines", "kB", "make_ms", "P_make_ms", "route_ms", "found_%", "of_short"});
  for (const RouteMethod surface : surfaces) making.add(measure_surface(**world, surface, options, problems));
  if (has_errors(problems)) return refused(problems);
  making.print(options.json, "surfaces", {.scene = {}, .method = {"surface"}, .published = {{"make_ms", "P_make_ms"}}});
  if (!options.json) fmt::print("\n");
  ExperimentTable walking(
      {"surface", "avoid", "people", "local_ms", "P_ms", "P_by_ours", "step_ms", "collisions_a_minute"});
  for (const RouteMethod surface : surfaces)
    for (const std::string_view avoid : avoiders)
      for (const Published& paper : published) {
        if (options.quick && paper.people > 500) continue;
        const Result<Cost> cost = measure_crowd(*world, surface, avoid, paper.people, options);
        if (!cost) return refused(cost.problems());
        const double published_ms = avoid == "proximity" ? paper.proximity : paper.cellular;
        walking.add({name_of(surface), std::string(avoid), paper.people, cost->local_ms, published_ms,
                     published_ms / cost->local_ms, cost->step_ms, cost->collisions});
      }
  walking.print(
      options.json, "surfaces",
      {.scene = {}, .method = {"surface", "avoid"}, .variant = {"people"}, .published = {{"local_ms", "P_ms"}}});
  for (const auto& [name, table] : {std::pair("surfaces.csv", &making), std::pair("surfaces_crowds.csv", &walking)}) {
    const Problems wrong = write_into(options, name, table->csv());
    problems.insert(problems.end(), wrong.begin(), wrong.end());
  }
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

const ExperimentRegistration registration(
    {"surfaces",
     "Parsons's comparison (2010): waypoint surfaces and avoidance for 100 to 10,000 people among eight buildings",
     run});

}  // namespace
}  // namespace throng::cli
