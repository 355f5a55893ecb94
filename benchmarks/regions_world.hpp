// What the benchmarks on weighted ground share: worlds with a row of weights, pairs of places, rows of the table.
#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/bench.hpp"
#include "environment/clean/clean.hpp"
#include "environment/generate/generate_city.hpp"
#include "geometry/random.hpp"
#include "navmesh/build.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "routes/ground_planner.hpp"

namespace throng::bench {

/// Of bodies, and of the ends of pairs, in metres.
inline constexpr double radius = 0.24, apart = 200;

inline double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

template <class Work>
double ms_of(Work&& work) {
  const double begin = processor_ms();
  work();
  return processor_ms() - begin;
}

struct World {
  std::shared_ptr<const environment::CleanEnvironment> clean;
  navmesh::MeshPtr mesh;
  std::shared_ptr<const routes::GroundAtlas> atlas;
  std::vector<double> weights;
  double mesh_ms = 0;
};

inline World world_of(const environment::Environment& drawn, const std::map<std::string, double>& weights) {
  World world;
  world.clean = std::make_shared<environment::CleanEnvironment>(environment::clean(drawn).value());
  world.mesh_ms = ms_of([&] { world.mesh = navmesh::build_mesh(*world.clean).value(); });
  world.atlas = std::make_shared<routes::GroundAtlas>(world.clean, std::make_shared<routes::RouteGraph>(world.mesh));
  for (const std::string& type : world.atlas->regions().types())
    world.weights.push_back(weights.contains(type) ? weights.at(type) : 1.0);
  return world;
}

inline routes::GroundQuery query_of(const World& world, navmesh::Place from, navmesh::Place to, double r,
                                    const routes::GroundNumbers& numbers) {
  routes::GroundQuery query;
  query.from = from, query.to = to;
  query.radius = r;
  query.row.weight = world.weights;
  query.numbers = numbers;
  return query;
}

/// Pairs of places with room for the body, between which there is a way.
inline std::vector<std::pair<navmesh::Place, navmesh::Place>> pairs_of(const World& world, std::size_t count) {
  geometry::RandomStream random(7);
  routes::Planner planner(world.atlas->graph());
  routes::Route route;
  std::vector<std::pair<navmesh::Place, navmesh::Place>> pairs;
  const auto valid = [&](const navmesh::Place& place) {
    const navmesh::Located at = navmesh::locate(*world.mesh, place);
    return at.cell != navmesh::none && at.clearance >= radius;
  };
  for (int tries = 0; pairs.size() < count && tries < 1'000'000; ++tries) {
    const double u = random.unit(), v = random.unit();
    const auto from = navmesh::random_point(*world.mesh, 0, u, v, random.unit());
    const double angle = 6.283185307179586 * random.unit();
    if (!from) continue;
    const navmesh::Place to{from->point + Vec2{std::cos(angle), std::sin(angle)} * apart, 0};
    if (!valid(*from) || !valid(to)) continue;
    if (planner.plan({*from, to, radius}, route) == routes::NoRoute::found) pairs.emplace_back(*from, to);
  }
  return pairs;
}

/// What people pay in a generated city.
inline const std::map<std::string, double> city_weights{
    {"road", 4}, {"crossing", 2}, {"grass", 30}, {"terrace", 3}, {"path", 1}};

inline World city_of(std::size_t vertices) {
  return world_of(environment::generate_city(environment::city_of_vertices(vertices)), city_weights);
}

inline void add(Table& table, std::string what, double value, int digits, std::string beside) {
  table.add({std::move(what), Number{value, digits}, std::move(beside)});
}

using Part = void (*)(const Options&, Table&);

inline int run_parts(const Options& options, std::initializer_list<Part> parts) {
  Table table({"what", "value", "beside"});
  for (const Part part : parts) part(options, table);
  table.print(options);
  return 0;
}

/// `weighted` beside Detour with the same ground as areas.
void measure_detour(const Options& options, Table& table);
/// Flow fields over weighted ground beside plain ones.
void measure_fields(const Options& options, Table& table);
/// First routes of a crowd of three profiles.
void measure_people(const Options& options, Table& table);
/// Time against the number of vertices.
void measure_triangulation(const Options& options, Table& table);

}  // namespace throng::bench
