// `throng bench navmesh`: building a mesh against the bare Boost.Polygon call on the same segments, and what queries cost.
// One thread; the validator of the diagram is part of the build.
#include <fmt/format.h>
#include <malloc.h>

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>
#include <cmath>
#include <cstdio>

#include "benchmarks/bench.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "navmesh/boundary.hpp"
#include "navmesh/build.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility.hpp"
#include "navmesh/visibility_polygon.hpp"

namespace throng::bench {
namespace {

using environment::CleanEnvironment;
using navmesh::Index;
using navmesh::Mesh;
using navmesh::MeshPtr;
using navmesh::Place;

struct World {
  std::string name;
  CleanEnvironment clean;
};

/// SplitMix64: places to ask about, the same in every run.
class Numbers {
 public:
  double next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  Vec2 direction() {
    for (;;) {
      const Vec2 v{2 * next() - 1, 2 * next() - 1};
      const double length2 = squared_length(v);
      if (length2 > 1e-4 && length2 <= 1) return v / std::sqrt(length2);
    }
  }

 private:
  std::uint64_t state_ = 1;
};

void complain(const std::string& name, const Problems& problems) {
  fmt::print(stderr, "{}: {}\n", name, to_string(problems.front()));
}

bool add_world(std::vector<World>& worlds, const std::string& name, const environment::Environment& source) {
  Result<CleanEnvironment> clean = environment::clean(source);
  if (!clean) return complain(name, clean.problems()), false;
  worlds.push_back({name, *std::move(clean)});
  return true;
}

bool add_file(std::vector<World>& worlds, const std::filesystem::path& file) {
  const Result<environment::Environment> source = environment::read_environment(file.string());
  if (!source) return complain(file.string(), source.problems()), false;
  return add_world(worlds, file.stem().string(), *source);
}

bool gather(const Options& options, std::vector<World>& worlds) {
  if (options.data.empty())
    fmt::print(stderr, "THRONG_DATA is not set: generated cities only\n");
  else if (!options.quick)
    for (const char* name : {"kaiserslautern.geojson", "Milan_1_512.poly", "Sydney_2_1024.poly"})
      if (!add_file(worlds, options.data / name)) return false;
  const std::vector<std::size_t> sizes =
      options.quick ? std::vector<std::size_t>{1000} : std::vector<std::size_t>{1000, 5000, 20000, 50000, 150000};
  for (const std::size_t size : sizes) {
    const auto city = environment::generate_city(environment::city_of_vertices(size));
    if (!add_world(worlds, fmt::format("city {}k", size / 1000), city)) return false;
  }
  return true;
}

double bare_boost_ms(const World& world, int repetitions) {
  std::vector<navmesh::VoronoiSegment> segments;
  for (Index layer = 0; layer < world.clean.layers.size(); ++layer) {
    const navmesh::Boundary boundary = navmesh::boundary_of(world.clean, layer);
    segments.insert(segments.end(), boundary.segments.begin(), boundary.segments.end());
  }
  return measure(repetitions,
                 [&] {
                   boost::polygon::voronoi_builder<std::int32_t> builder;
                   for (const navmesh::VoronoiSegment& s : segments) builder.insert_segment(s.a.x, s.a.y, s.b.x, s.b.y);
                   boost::polygon::voronoi_diagram<double> diagram;
                   builder.construct(&diagram);
                   keep(diagram.num_vertices());
                 })
      .min_ms;
}

struct Built {
  MeshPtr mesh;
  double ms = 0;
  double peak_bytes = 0;
};

/// How much memory the process takes at most while it builds one mesh, above what it held before.
double peak_of_build(const World& world) {
  malloc_trim(0);  // what earlier worlds freed would hide it
  if (!reset_peak_resident()) return 0;
  const double before = double(resident_bytes());
  keep(navmesh::build_mesh(world.clean).ok());
  return double(peak_resident_bytes()) - before;
}

Built build(const World& world, int repetitions) {
  Built built;
  built.peak_bytes = peak_of_build(world);
  built.ms = measure(repetitions, [&] {
               Result<MeshPtr> mesh = navmesh::build_mesh(world.clean);
               if (mesh) built.mesh = *mesh;
             }).min_ms;
  return built;
}

/// Nanoseconds a call, best of the repetitions.
template <class Work>
double ns_each(int repetitions, std::size_t count, Work&& work) {
  return measure(repetitions, work).min_ms * 1e6 / double(count);
}

struct Questions {
  std::vector<Place> places;
  std::vector<Vec2> targets;             ///< five metres from each place
  std::vector<std::vector<Vec2>> walks;  ///< ten steps of a person each
};

Questions make_questions(const Mesh& mesh, std::size_t count) {
  Numbers numbers;
  Questions questions;
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = navmesh::random_point(mesh, 0, numbers.next(), numbers.next(), numbers.next());
    if (!place) break;
    questions.places.push_back(*place);
    const Vec2 direction = numbers.direction();
    questions.targets.push_back(place->point + direction * 5);
    constexpr double step = 0.134;  // metres a tenth of a second
    std::vector<Vec2>& walk = questions.walks.emplace_back();
    for (int k = 1; k <= 10; ++k) walk.push_back(place->point + direction * (step * k));
  }
  return questions;
}

double known_cell_ns(const Mesh& mesh, const Questions& questions, int repetitions) {
  std::vector<Index> starts;
  for (const Place& place : questions.places) starts.push_back(navmesh::locate(mesh, place).cell);
  // Only the steps within the free space: agents do not walk into walls.
  std::vector<std::vector<Vec2>> walks = questions.walks;
  std::size_t steps = 0;
  for (std::vector<Vec2>& walk : walks) {
    std::size_t good = 0;
    while (good < walk.size() && navmesh::locate(mesh, {walk[good], 0})) ++good;
    walk.resize(good);
    steps += good;
  }
  return ns_each(repetitions, steps, [&] {
    double sum = 0;
    for (std::size_t i = 0; i < walks.size(); ++i) {
      Index cell = starts[i];
      for (const Vec2 p : walks[i]) {
        const navmesh::Located located = navmesh::locate_from(mesh, cell, {p, 0});
        cell = located.cell;
        sum += located.clearance;
      }
    }
    keep(sum);
  });
}

struct QueryTimes {
  double scratch_ns = 0, known_ns = 0, see_ns = 0, see_known_ns = 0, polygon_us = 0, segments_ns = 0;
};

QueryTimes ask(const Mesh& mesh, const Options& options) {
  const Questions questions = make_questions(mesh, options.quick ? 1000 : 100000);
  const std::size_t count = questions.places.size();
  QueryTimes times;
  times.scratch_ns = ns_each(options.repetitions, count, [&] {
    double sum = 0;
    for (const Place& place : questions.places) sum += navmesh::locate(mesh, place).clearance;
    keep(sum);
  });
  times.known_ns = known_cell_ns(mesh, questions, options.repetitions);
  std::vector<Index> cells;
  for (const Place& place : questions.places) cells.push_back(navmesh::locate(mesh, place).cell);
  const auto see = [&](bool known) {
    return ns_each(options.repetitions, count, [&] {
      std::size_t seen = 0;
      for (std::size_t i = 0; i < count; ++i)
        seen += navmesh::visible(mesh, questions.places[i], {questions.targets[i], 0}, 0.25,
                                 known ? cells[i] : navmesh::none);
      keep(seen);
    });
  };
  times.see_ns = see(false);
  times.see_known_ns = see(true);
  const std::size_t views = std::min<std::size_t>(count, options.quick ? 100 : 2000);
  navmesh::VisibilityPolygon polygon;
  times.polygon_us = ns_each(options.repetitions, views,
                             [&] {
                               for (std::size_t i = 0; i < views; ++i) keep(polygon.compute(mesh, questions.places[i]));
                             }) /
                     1000;
  navmesh::NearbySegments nearby;
  times.segments_ns = ns_each(options.repetitions, views, [&] {
    for (std::size_t i = 0; i < views; ++i) keep(nearby.compute(mesh, questions.places[i], 3, cells[i]).size());
  });
  return times;
}

int run(const Options& options) {
  std::vector<World> worlds;
  if (!gather(options, worlds)) return 1;
  Table building({"world", "vertices", "graph vertices", "edges", "event points", "boost ms", "build ms", "ratio",
                  "us/vertex", "B/vertex", "peak B/vertex"});
  Table asking({"world", "clearance ns", "known cell ns", "5 m disc ns", "5 m known ns", "visibility polygon us",
                "segments 3 m ns"});
  for (const World& world : worlds) {
    fmt::print(stderr, "{} ...\n", world.name);
    const auto vertices = double(world.clean.vertex_count());
    const int repetitions = std::max(1, vertices > 40000 ? options.repetitions / 2 : options.repetitions);
    const Built built = build(world, repetitions);
    if (!built.mesh) return fmt::print(stderr, "{}: no mesh\n", world.name), 3;
    const double boost = bare_boost_ms(world, repetitions);
    const Mesh& mesh = *built.mesh;
    long long graph = 0;
    for (const navmesh::Node& node : mesh.all_nodes()) graph += node.degree > 0;
    building.add({world.name, (long long)vertices, graph, (long long)mesh.edge_count(),
                  (long long)mesh.node_count() - graph, Number{boost}, Number{built.ms}, Number{built.ms / boost},
                  Number{1000 * built.ms / vertices}, Number{double(mesh.bytes()) / vertices, 0},
                  Number{built.peak_bytes / vertices, 0}});
    const QueryTimes times = ask(mesh, options);
    asking.add({world.name, Number{times.scratch_ns, 1}, Number{times.known_ns, 1}, Number{times.see_ns, 0},
                Number{times.see_known_ns, 0}, Number{times.polygon_us}, Number{times.segments_ns, 0}});
  }
  building.print(options);
  if (!options.json) fmt::print("\n");
  asking.print(options);
  return 0;
}

const Registration registration({"navmesh", "building meshes against bare Boost.Polygon, and what queries cost", run});

}  // namespace
}  // namespace throng::bench
