// Parts of `throng bench regions`: weighted ground beside Detour's areas, fields beside plain ones, a crowd's first routes, triangulation
// against its size.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>

#include "benchmarks/detour_peer.hpp"
#include "benchmarks/regions_world.hpp"
#include "crowd/crowd.hpp"
#include "geometry/snap_rounding.hpp"
#include "geometry/triangulation.hpp"
#include "routes/flow_field.hpp"
#include "routes/ground_field.hpp"
#include "routes/ground_route.hpp"

namespace throng::bench {

namespace {

using routes::GroundAnswer;
using routes::GroundPlanner;
using routes::GroundQuery;
using routes::GroundVerdict;

/// Width of Recast's cells, in metres, as in `throng bench routes`; areas are told at their centres.
constexpr double detour_cell = 0.3;

double cost_of(const World& world, const std::vector<Vec2>& points) {
  ground::RegionMap::Scratch scratch;
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    sum += world.atlas->regions().weighted_length({points[i - 1], 0}, {points[i], 0}, 0, world.weights.data(), scratch);
  return sum;
}

struct Beside {
  double ours_ms = 0, theirs_ms = 0, gain = 0, least_gain = 1e30;
  std::size_t both = 0, theirs = 0, ours = 0, dearer = 0;
};

/// Costs of both by the same judge; Detour's ways with the legs from and to the ends that were asked for.
Beside compare(const World& world, DetourPeer& peer,
               const std::vector<std::pair<navmesh::Place, navmesh::Place>>& pairs) {
  Beside beside;
  GroundPlanner planner(world.atlas);
  GroundQuery first = query_of(world, pairs[0].first, pairs[0].second, radius, {});
  first.landmarks = true;
  planner.prepare(first);
  for (const auto& [from, to] : pairs) {
    GroundQuery query = query_of(world, from, to, radius, {});
    query.landmarks = true;
    GroundAnswer answer;
    const double ours_ms = ms_of([&] { answer = planner.plan(query); });
    const bool ours = answer.verdict == GroundVerdict::found;
    bool theirs = false;
    const double theirs_ms = ms_of([&] { theirs = peer.locate(from.point, to.point) && peer.find(); });
    beside.ours += ours, beside.theirs += theirs;
    if (!ours || !theirs) continue;
    std::vector<Vec2> points = peer.points();
    points.insert(points.begin(), from.point);
    points.push_back(to.point);
    const double gain = 1 - answer.cost / cost_of(world, points);
    ++beside.both;
    beside.ours_ms += ours_ms, beside.theirs_ms += theirs_ms, beside.gain += gain;
    beside.least_gain = std::min(beside.least_gain, gain);
    beside.dearer += gain < -0.01;
  }
  return beside;
}

/// So many people of three profiles with goals of their own.
std::size_t add_people(crowd::Crowd& crowd, const crowd::WorldPtr& world, std::size_t people) {
  const std::map<std::string, GroundWeight> rows[] = {
      {{"road", 4}, {"crossing", 2}, {"grass", 30}, {"terrace", 3}},
      {{"road", 10}, {"crossing", 1}, {"grass", 5}, {"terrace", 2}},
      {{"road", 2}, {"crossing", 1}, {"grass", GroundWeight::never()}, {"terrace", 1}}};
  geometry::RandomStream random(13);
  std::size_t added = 0;
  for (int tries = 0; added < people && tries < 10'000'000; ++tries) {
    navmesh::Place ends[2];
    bool both = true;
    for (navmesh::Place& end : ends) {
      const double u = random.unit(), v = random.unit();
      const auto place = navmesh::random_point(*world->mesh, 0, u, v, random.unit());
      both = both && place && navmesh::locate(*world->mesh, *place).clearance >= radius;
      if (place) end = *place;
    }
    if (!both || distance(ends[0].point, ends[1].point) > apart) continue;
    crowd::AgentSpec spec;
    spec.place = ends[0];
    spec.radius = radius;
    spec.methods[agents::Level::route].name = "weighted";
    spec.weights = ground::row_of(world->regions->kinds(), rows[added % 3]);
    auto itinerary = std::make_shared<goals::Itinerary>();
    itinerary->goals.push_back({ends[1], 0.5, {}, 0});
    spec.itinerary = std::move(itinerary);
    added += crowd.add(spec).ok();
  }
  return added;
}

double process_ms() { return 1000 * double(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

void measure_detour(const Options& options, Table& table) {
  if (!has_detour()) {
    fmt::print(stderr, "librecast-dev was not there when this was built: no comparison with Detour\n");
    return;
  }
  const World world = city_of(options.quick ? 1500 : 10'000);
  ground::RegionMap::Scratch scratch;
  DetourSettings settings{detour_cell, true, radius};
  settings.kind_at = [&](Vec2 p) { return world.atlas->regions().type_at({p, 0}, scratch); };
  settings.weight_of_kind = world.weights;
  std::string reason;
  const auto peer = DetourPeer::build(*world.mesh, settings, reason);
  if (!peer) {
    fmt::print(stderr, "Detour: {}\n", reason);
    return;
  }
  const auto pairs = pairs_of(world, options.quick ? 20 : 200);
  const Beside beside = compare(world, *peer, pairs);
  const double both = double(std::max<std::size_t>(1, beside.both));
  add(table, "Detour with areas: pairs answered", double(beside.theirs), 0,
      fmt::format("ours {} of {}", beside.ours, pairs.size()));
  add(table, "Detour with areas: mean ms", beside.theirs_ms / both, 3,
      fmt::format("ours {:.3f}", beside.ours_ms / both));
  add(table, "Detour with areas: `weighted` is cheaper by, %", 100 * beside.gain / both, 2,
      fmt::format("least {:.2f}; {} pairs over 1 % dearer", 100 * beside.least_gain, beside.dearer));
}

void measure_fields(const Options& options, Table& table) {
  const World world = city_of(options.quick ? 1500 : 10'000);
  const auto tiles = std::make_shared<const routes::CorridorTiles>(world.atlas->graph());
  const auto pairs = pairs_of(world, 1);
  const routes::FlowGoal goal{pairs[0].first, 0};
  const auto sheet = world.atlas->sheet(radius, false);
  if (!sheet.ok()) return;
  const routes::GroundRow row = routes::row_of(world.weights, world.atlas->regions().kinds());
  double plain = 1e30, weighted = 1e30;
  for (int i = 0; i < std::max(2, options.repetitions); ++i) {
    plain = std::min(plain, ms_of([&] { keep(routes::FlowField(tiles, {&goal, 1}, radius).window_count()); }));
    weighted = std::min(weighted, ms_of([&] { keep(routes::GroundField(*sheet, row, {&goal, 1}).bytes()); }));
  }
  add(table, "city: a flow field over even ground, ms", plain, 2, "");
  add(table, "city: over weighted ground, ms", weighted, 2, fmt::format("{:.2f} plain ones", weighted / plain));
}

void measure_people(const Options& options, Table& table) {
  const auto city = environment::generate_city(environment::city_of_vertices(options.quick ? 1500 : 10'000));
  const Result<crowd::WorldPtr> made = crowd::make_world(environment::clean(city).value());
  if (!made.ok()) return;
  const crowd::WorldPtr& world = *made;
  const std::size_t people = options.people > 0 ? options.people : options.quick ? 60 : 10'000;
  crowd::Crowd crowd(world, {.threads = 2, .contact = false});
  const std::size_t added = add_people(crowd, world, people);
  const double begin = process_ms();
  const auto start = std::chrono::steady_clock::now();
  keep(crowd.step(0.1).ok());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double processor = process_ms() - begin;
  add(table, fmt::format("city: first step of {} people of three profiles, two threads, s", added), seconds, 2,
      fmt::format("{:.2f} s of processors", processor / 1000));
}

void measure_triangulation(const Options& options, Table& table) {
  double least = 0;
  for (const std::size_t vertices :
       options.quick ? std::vector<std::size_t>{1500, 3000} : std::vector<std::size_t>{10'000, 40'000, 150'000}) {
    const auto clean = environment::clean(environment::generate_city(environment::city_of_vertices(vertices))).value();
    std::vector<geometry::GridSegment> segments;
    const auto take = [&](const geometry::GridRing& ring) {
      for (std::size_t i = 0; i < ring.size(); ++i) segments.push_back({ring[i], ring[(i + 1) % ring.size()]});
    };
    for (const auto& polygon : clean.layers[0].free) {
      take(polygon.outer);
      for (const auto& hole : polygon.holes) take(hole);
    }
    std::vector<geometry::GridSegment> links;
    for (const geometry::Link& link : geometry::snap_round(segments)) links.push_back({link.a, link.b});
    double ms = 1e30;
    std::size_t points = 0;
    for (int i = 0; i < 2; ++i)
      ms = std::min(ms, ms_of([&] { points = geometry::triangulate(links).value().points.size(); }));
    const double unit = ms / (double(points) * std::log2(double(points)));
    if (least == 0) least = unit;
    add(table, fmt::format("triangulation of {} points, ms", points), ms, 1,
        fmt::format("{:.2f} x n log n of the first", unit / least));
  }
}

namespace {

const Registration registrations[] = {
    Registration({"regions-detour", "`weighted` routes beside Detour with the same ground as areas",
                  [](const Options& options) { return run_parts(options, {measure_detour}); }}),
    Registration({"regions-fields", "flow fields over weighted ground beside plain ones",
                  [](const Options& options) { return run_parts(options, {measure_fields}); }}),
    Registration({"regions-people", "first routes of 10,000 people of three profiles, on two threads",
                  [](const Options& options) { return run_parts(options, {measure_people}); }}),
    Registration({"regions-triangulation", "constrained Delaunay triangulation against its size",
                  [](const Options& options) { return run_parts(options, {measure_triangulation}); }}),
};

}  // namespace
}  // namespace throng::bench
