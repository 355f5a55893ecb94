// `throng bench dynamic`: what it costs to put a square of 2 x 2 m into a world and to take it out again, against building the
// world. A change is cleaning, axis, graph, passages and locator; what routes keep beside the mesh is not in it. One thread.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include "benchmarks/bench.hpp"
#include "environment/clean/changing_plan.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "geometry/random.hpp"
#include "navmesh/build.hpp"
#include "navmesh/random_point.hpp"

namespace throng::bench {
namespace {

using environment::Change;
using environment::ChangingPlan;
using environment::CleanEnvironment;
using environment::Environment;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A world in one version.
struct Version {
  ChangingPlan drawn;
  navmesh::MeshBuild build;
};

std::optional<Version> first_version(const std::string& name, const Environment& source) {
  const auto complain = [&](const Problems& problems) {
    fmt::print(stderr, "{}: {}\n", name, to_string(problems.front()));
    return std::nullopt;
  };
  Result<ChangingPlan> drawn = ChangingPlan::make(source);
  if (!drawn) return complain(drawn.problems());
  Result<navmesh::MeshBuild> build = navmesh::first_build(drawn->clean());
  if (!build) return complain(build.problems());
  return Version{*std::move(drawn), *std::move(build)};
}

/// Milliseconds of changes of one kind.
struct Times {
  std::vector<double> all, cleaning;
  int whole = 0;  ///< changes for which the plan was cleaned as a whole
};

/// The version after a change and the milliseconds it took; nothing where it is refused.
std::optional<Version> changed(const Version& before, const Change& change, Times& times) {
  const Clock::time_point start = Clock::now();
  Result<ChangingPlan> drawn = before.drawn.after({change});
  if (!drawn) return std::nullopt;
  const double cleaning = ms_since(start);
  Result<navmesh::MeshBuild> build = navmesh::rebuild_mesh(drawn->clean(), before.drawn.clean(), before.build);
  if (!build) return std::nullopt;
  times.all.push_back(ms_since(start));
  times.cleaning.push_back(cleaning);
  times.whole += drawn->redone().whole;
  return Version{*std::move(drawn), *std::move(build)};
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
    const Result<CleanEnvironment> clean = environment::clean(world->drawn.plan());
    if (clean) keep(navmesh::build_mesh(*clean).ok());
  });
  const Timing cleaning = measure(options.repetitions, [&] { keep(environment::clean(world->drawn.plan()).ok()); });
  Times insert, remove;
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
    if (i == 0 && without) {  // the first change cuts the boundary into pieces, which later versions share
      world = *without;
      insert = remove = {};
    }
  }
  table.add({name, (long long)world->drawn.clean().vertex_count(), Number{build.median_ms},
             Number{percentile(insert.all, 0.5)}, Number{percentile(insert.all, 0.99)},
             Number{percentile(remove.all, 0.5)}, Number{percentile(insert.all, 0.5) / build.median_ms, 3},
             Number{cleaning.median_ms}, Number{percentile(insert.cleaning, 0.5)}, (long long)insert.whole,
             std::string(same ? "yes" : "NO")});
}

int run(const Options& options) {
  Table table({"world", "vertices", "build ms", "insert ms", "99 % ms", "remove ms", "insert/build", "clean ms",
               "insert: clean", "whole", "back"});
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
