// `throng bench dynamic`: what it costs to put a square of 2 x 2 m into a world and to take it out again, against building the
// world. A change is cleaning, axis, graph, passages and locator; what routes keep beside the mesh is not in it. One thread.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include "benchmarks/bench.hpp"
#include "environment/clean/change.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "geometry/random.hpp"
#include "navmesh/build.hpp"
#include "navmesh/random_point.hpp"

namespace throng::bench {
namespace {

using environment::Change;
using environment::CleanEnvironment;
using environment::Environment;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A world in one version.
struct Version {
  Environment plan;
  CleanEnvironment clean;
  navmesh::MeshBuild build;
};

std::optional<Version> first_version(const std::string& name, const Environment& source) {
  const auto complain = [&](const Problems& problems) {
    fmt::print(stderr, "{}: {}\n", name, to_string(problems.front()));
    return std::nullopt;
  };
  Result<CleanEnvironment> clean = environment::clean(source);
  if (!clean) return complain(clean.problems());
  Result<navmesh::MeshBuild> build = navmesh::first_build(*clean);
  if (!build) return complain(build.problems());
  Environment plan = environment::fixed_plan(source, clean->grid);
  return Version{std::move(plan), *std::move(clean), *std::move(build)};
}

/// The version after a change and the milliseconds it took; nothing where it is refused.
std::optional<Version> changed(const Version& before, const Change& change, std::vector<double>& times) {
  const Clock::time_point start = Clock::now();
  Version after{before.plan, {}, {}};
  environment::apply(after.plan, change);
  Result<CleanEnvironment> clean = environment::clean(after.plan);
  if (!clean) return std::nullopt;
  Result<navmesh::MeshBuild> build = navmesh::rebuild_mesh(*clean, before.clean, before.build);
  if (!build) return std::nullopt;
  times.push_back(ms_since(start));
  after.clean = *std::move(clean);
  after.build = *std::move(build);
  return after;
}

double percentile(std::vector<double> times, double share) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  return times[std::min(times.size() - 1, std::size_t(share * double(times.size())))];
}

void measure_world(const std::string& name, const Environment& source, const Options& options, Table& table) {
  std::optional<Version> world = first_version(name, source);
  if (!world) return;
  const Timing build = measure(options.repetitions, [&] {
    const Result<CleanEnvironment> clean = environment::clean(world->plan);
    if (clean) keep(navmesh::build_mesh(*clean).ok());
  });
  std::vector<double> insert, remove;
  bool same = true;
  const std::uint64_t first = world->build.mesh->hash();
  geometry::RandomStream stream(1, {.purpose = 1});
  for (int i = 0; i < 4 * options.repetitions; ++i) {
    const double u = stream.unit(), v = stream.unit(), w = stream.unit();
    const std::optional<navmesh::Place> place = navmesh::random_point(*world->build.mesh, 0, u, v, w);
    if (!place) break;
    const Vec2 p = place->point;
    environment::Feature square;
    square.id = "throng bench dynamic";
    square.polygons = {{{{p.x - 1, p.y - 1}, {p.x + 1, p.y - 1}, {p.x + 1, p.y + 1}, {p.x - 1, p.y + 1}}, {}}};
    const std::optional<Version> with = changed(*world, {Change::Kind::insert, {square}, {}}, insert);
    if (!with) continue;
    const std::optional<Version> without = changed(*with, {Change::Kind::remove, {}, {square.id}}, remove);
    same = same && without && without->build.mesh->hash() == first;
  }
  table.add({name, (long long)world->clean.vertex_count(), Number{build.median_ms}, Number{percentile(insert, 0.5)},
             Number{percentile(insert, 0.99)}, Number{percentile(remove, 0.5)},
             Number{percentile(insert, 0.5) / build.median_ms, 3}, std::string(same ? "yes" : "NO")});
}

int run(const Options& options) {
  Table table({"world", "vertices", "build ms", "insert ms", "99 % ms", "remove ms", "insert/build", "back"});
  if (options.data.empty()) fmt::print(stderr, "THRONG_DATA is not set: generated cities only\n");
  if (!options.data.empty() && !options.quick) {
    const Result<Environment> map = environment::read_environment((options.data / "kaiserslautern.geojson").string());
    if (map)
      measure_world("kaiserslautern", *map, options, table);
    else
      fmt::print(stderr, "{}\n", to_string(map.problems().front()));
  }
  for (const std::size_t size : options.quick ? std::vector<std::size_t>{1000} : std::vector<std::size_t>{5000, 150000})
    measure_world(fmt::format("city {}k", size / 1000), environment::generate_city(environment::city_of_vertices(size)),
                  options, table);
  table.print(options);
  return 0;
}

const Registration registration({"dynamic", "a square of 2 x 2 m put in and taken out, against a build", run});

}  // namespace
}  // namespace throng::bench
