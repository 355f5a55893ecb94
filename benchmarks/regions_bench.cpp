// `throng bench regions`: weighted ground. Surfaces beside meshes, the Steiner-point method and VBP beside Jaklin's figures, `weighted` routes
// through a city beside `short` ones, landmarks, threads.
//
// Processor time of one thread, nothing cached but what is said; queries count once each. Costs are what RegionMap says, relative to the
// cheapest known: the cheaper of `weighted` and `spm` at eps 0.1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "benchmarks/regions_world.hpp"
#include "crowd/crowd.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "geometry/random.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "routes/ground_planner.hpp"
#include "routes/ground_route.hpp"

namespace throng::bench {
namespace {

using routes::GroundAnswer;
using routes::GroundMethod;
using routes::GroundNumbers;
using routes::GroundPlanner;
using routes::GroundQuery;
using routes::GroundVerdict;

double mean(const std::vector<double>& v) {
  return v.empty() ? 0 : std::accumulate(v.begin(), v.end(), 0.0) / double(v.size());
}

double percentile(std::vector<double> v, double part) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, std::size_t(double(v.size()) * part))];
}

void measure_city(const Options& options, Table& table) {
  const World world = city_of(options.quick ? 1500 : 10'000);
  add(table, "city: mesh, ms", world.mesh_ms, 1, "");
  double surface_ms = 1e30;
  for (int i = 0; i < std::max(1, options.repetitions / 2); ++i)
    surface_ms = std::min(surface_ms, ms_of([&] { keep(ground::Surface::make(*world.clean, {radius, 0}).ok()); }));
  add(table, "city: surface for a radius, ms", surface_ms, 1, fmt::format("{:.2f} meshes", surface_ms / world.mesh_ms));
  const double body_ms = ms_of([&] { keep(ground::Surface::make(*world.clean, {radius, radius}).ok()); });
  add(table, "city: surface that bodies feel, ms", body_ms, 1, fmt::format("{:.2f} meshes", body_ms / world.mesh_ms));
  const auto pairs = pairs_of(world, options.quick ? 20 : 300);
  GroundPlanner planner(world.atlas), exact(world.atlas);
  routes::Planner plain(world.atlas->graph());
  routes::Route route;
  ground::RegionMap::Scratch scratch;
  std::vector<double> ms, alone_ms, short_ms, over_best, over_short, explored;
  for (const bool landmarks : {true, false}) {
    GroundQuery first = query_of(world, pairs[0].first, pairs[0].second, radius, {});
    first.landmarks = landmarks;
    planner.prepare(first);
    if (landmarks) {
      GroundPlanner fresh(std::make_shared<routes::GroundAtlas>(world.clean, world.atlas->graph()));
      GroundQuery without = first;
      without.landmarks = false;
      fresh.prepare(without);
      add(table, "city: landmarks for a row of weights, ms", ms_of([&] { fresh.prepare(first); }), 1, "");
    }
    for (const auto& [from, to] : pairs) {
      GroundQuery query = query_of(world, from, to, radius, {});
      query.landmarks = landmarks;
      GroundAnswer answer;
      (landmarks ? ms : alone_ms).push_back(ms_of([&] { answer = planner.plan(query); }));
      if (!landmarks || answer.verdict != GroundVerdict::found) continue;
      explored.push_back(double(answer.explored));
      short_ms.push_back(ms_of([&] { plain.plan({from, to, radius}, route); }));
      over_short.push_back(answer.cost /
                           routes::weigh_route(world.atlas->regions(), route, 0, world.weights.data(), scratch));
      if (over_best.size() >= (options.quick ? 3 : 10)) continue;
      const GroundAnswer best =
          exact.plan(query_of(world, from, to, radius,
                              {.method = GroundMethod::spm, .eps = 0.5, .points = routes::PointPlacement::published}));
      over_best.push_back(answer.cost / std::min(answer.cost, best.cost));
    }
  }
  add(table, "city: `weighted`, mean ms", mean(ms), 3, fmt::format("{:.1f} x short", mean(ms) / mean(short_ms)));
  add(table, "city: `weighted`, 99th percentile ms", percentile(ms, 0.99), 3, "");
  add(table, "city: `weighted`, points explored", mean(explored), 0, "");
  add(table, "city: `weighted` without landmarks, mean ms", mean(alone_ms), 3, "");
  add(table, "city: cost / best known", mean(over_best), 4,
      fmt::format("worst {:.3f}, of {}", percentile(over_best, 1), over_best.size()));
  add(table, "city: cost / cost of short", mean(over_short), 4, fmt::format("worst {:.3f}", percentile(over_short, 1)));
}

/// A crowd of `miran` without avoidance in the city: a step where all ground weighs the same, and where it does not; along `short` routes
/// in both, so that they differ by what following looks at only.
void measure_following(const Options& options, Table& table) {
  const environment::CityOptions city = environment::city_of_vertices(options.quick ? 1500 : 10'000);
  const auto world = crowd::make_world(environment::clean(environment::generate_city(city)).value());
  const std::size_t people = options.quick ? 100 : 2000;
  const int steps = options.quick ? 10 : 100;
  const std::map<std::string, GroundWeight> weights{
      {"road", 4}, {"crossing", 2}, {"grass", 30}, {"terrace", 3}, {"path", 1}};
  double us[2] = {0, 0}, follow_us[2] = {0, 0};
  for (const bool uneven : {false, true}) {
    crowd::Crowd crowd(*world, {.threads = 1, .contact = false});
    geometry::RandomStream random(11);
    std::size_t added = 0;
    for (int tries = 0; added < people && tries < 1'000'000; ++tries) {
      navmesh::Place ends[2];
      bool both = true;
      for (navmesh::Place& end : ends) {
        const double u = random.unit(), v = random.unit();
        const auto place = navmesh::random_point(*(*world)->mesh, 0, u, v, random.unit());
        both = both && place && navmesh::locate(*(*world)->mesh, *place).clearance >= radius;
        if (place) end = *place;
      }
      if (!both || distance(ends[0].point, ends[1].point) < apart) continue;
      crowd::AgentSpec spec;
      spec.place = ends[0];
      spec.radius = radius;
      spec.methods[agents::Level::avoid] = {"none", {}};
      if (uneven) spec.weights = ground::row_of((*world)->regions->kinds(), weights);
      auto itinerary = std::make_shared<goals::Itinerary>();
      itinerary->goals.push_back({ends[1], 0.5, {}, 0});
      spec.itinerary = std::move(itinerary);
      added += crowd.add(spec).ok();
    }
    for (int i = 0; i < 20; ++i) keep(crowd.step(0.1).ok());
    const double whole = ms_of([&] {
      for (int i = 0; i < steps; ++i) {
        keep(crowd.step(0.1).ok());
        follow_us[uneven ? 1 : 0] += 1e6 * crowd.seconds_of(crowd::Stage::follow);
      }
    });
    us[uneven ? 1 : 0] = 1e3 * whole / steps / double(std::max<std::size_t>(1, added));
    follow_us[uneven ? 1 : 0] /= double(steps) * double(std::max<std::size_t>(1, added));
  }
  add(table, "city: a step of miran, even ground, us a person", us[0], 2,
      fmt::format("following {:.2f}", follow_us[0]));
  add(table, "city: the same, uneven ground, us a person", us[1], 2,
      fmt::format("{:.2f} x even, following {:.2f}", us[1] / us[0], follow_us[1]));
}

/// Jaklin's Forest and tiles, as drawn in experiments/ where they are found.
void measure_scene(const Options& options, Table& table, const std::string& file, Vec2 from, Vec2 to, double eps,
                   const std::map<std::string, double>& weights, double built_ms, double query_ms, double nodes) {
  const auto read = environment::read_environment("experiments/" + file + ".geojson");
  if (!read.ok()) {
    fmt::print(stderr, "{}: not found from here; run from the project's folder\n", file);
    return;
  }
  const World world = world_of(*read, weights);
  const GroundNumbers numbers{.method = GroundMethod::spm, .eps = eps, .points = routes::PointPlacement::published};
  double build = 1e30, query = 1e30, whole = 1e30;
  GroundAnswer answer;
  for (int i = 0; i < std::max(1, options.repetitions); ++i) {
    GroundPlanner planner(std::make_shared<routes::GroundAtlas>(world.clean, world.atlas->graph()));
    const GroundQuery asked = query_of(world, {from, 0}, {to, 0}, 0, numbers);
    build = std::min(build, ms_of([&] { planner.prepare(asked); }));
    query = std::min(query, ms_of([&] { answer = planner.plan(asked); }));
    GroundNumbers pruned = numbers;
    pruned.method = GroundMethod::vbp, pruned.cell = 16;
    GroundPlanner fresh(world.atlas);
    whole = std::min(whole, ms_of([&] { keep(fresh.plan(query_of(world, {from, 0}, {to, 0}, 0, pruned)).cost); }));
  }
  const std::string name = fmt::format("{} eps {:g}", file, eps);
  add(table, name + ": spm built, ms", build, 2, fmt::format("J {:g}", built_ms));
  add(table, name + ": spm query, ms", query, 2, fmt::format("J {:g}", query_ms));
  add(table, name + ": spm points explored", double(answer.explored), 0, fmt::format("J {:g}", nodes));
  add(table, name + ": us a point", 1000 * query / double(std::max<std::size_t>(1, answer.explored)), 3,
      fmt::format("J {:.2f}", 1000 * query_ms / nodes));
  add(table, name + ": vbp whole, ms", whole, 2, fmt::format("{:.2f} spm queries", whole / query));
}

void measure_scenes(const Options& options, Table& table) {
  const std::map<std::string, double> forest{{"forest", 99}, {"path", 3}, {"puddle", 20}, {"view", 1}, {"log", 2}};
  const std::map<std::string, double> tiles{{"grey", 4},  {"dark_green", 30}, {"light_green", 3},
                                            {"blue", 30}, {"yellow", 6},      {"brown", 2}};
  measure_scene(options, table, "forest", {10, 60}, {400, 235}, options.quick ? 0.5 : 0.1, forest, 163325, 1141.1,
                47969);
  if (options.quick) return;
  measure_scene(options, table, "abstract_regions_16x16", {20, 700}, {700, 20}, 0.3, tiles, 38274, 1975.2, 298022);
  measure_scene(options, table, "abstract_regions_16x16", {10, 500}, {700, 10}, 0.3, tiles, 38103, 1968.6, 288428);
}

const Registration registrations[] = {
    Registration({"regions", "weighted ground: all of regions-*",
                  [](const Options& options) {
                    return run_parts(options, {measure_following, measure_city, measure_detour, measure_fields,
                                               measure_people, measure_triangulation, measure_scenes});
                  }}),
    Registration({"regions-following", "a step of miran on even and on uneven ground",
                  [](const Options& options) { return run_parts(options, {measure_following}); }}),
    Registration({"regions-city", "`weighted` routes through a city, surfaces beside meshes",
                  [](const Options& options) { return run_parts(options, {measure_city}); }}),
    Registration({"regions-scenes", "spm and vbp beside Jaklin's figures",
                  [](const Options& options) { return run_parts(options, {measure_scenes}); }}),
};

}  // namespace
}  // namespace throng::bench
