// `throng bench steering`: what looking around and avoiding cost a person. One thread.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <numeric>

#include "benchmarks/bench.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "geometry/elementary.hpp"
#include "geometry/random.hpp"
#include "navmesh/build.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "steering/avoider.hpp"

namespace throng::bench {
namespace {

using navmesh::Index;
using navmesh::Place;
using steering::Avoider;
using steering::Needs;
using steering::Perception;
using steering::Slot;

struct Crowd {
  std::string name;
  navmesh::MeshPtr mesh;
  std::vector<std::uint8_t> present;
  std::vector<std::uint64_t> serial;
  std::vector<Vec2> position, velocity, heading;
  std::vector<Index> layer, cell;
  std::vector<double> clearance, radius, speed;

  void add(const Place& place, double turns) {
    const navmesh::Located located = navmesh::locate(*mesh, place);
    constexpr double body = 0.24;
    if (!located || located.clearance < body) return;
    present.push_back(1);
    serial.push_back(serial.size() + 1);
    position.push_back(place.point);
    heading.push_back(geometry::unit_direction(turns));
    speed.push_back(1.34);
    velocity.push_back(heading.back() * speed.back());
    layer.push_back(place.layer);
    cell.push_back(located.cell);
    clearance.push_back(located.clearance);
    radius.push_back(body);
  }
  [[nodiscard]] agents::People people() const {
    return {.mesh = mesh.get(),
            .present = present,
            .serial = serial,
            .position = position,
            .velocity = velocity,
            .walking = velocity,
            .heading = heading,
            .layer = layer,
            .cell = cell,
            .clearance = clearance,
            .radius = radius,
            .speed = speed};
  }
};

/// People anywhere, walking anywhere.
Crowd strewn(const navmesh::MeshPtr& mesh, const std::string& name, std::size_t count) {
  Crowd crowd{.name = fmt::format("{}, {} strewn", name, count), .mesh = mesh};
  geometry::RandomStream numbers(1, {});
  while (crowd.position.size() < count) {
    const double u = numbers.unit(), v = numbers.unit(), w = numbers.unit();
    if (const auto place = navmesh::random_point(*mesh, 0, u, v, w)) crowd.add(*place, numbers.unit());
  }
  return crowd;
}

/// Everybody in one crowd of so many a square metre, around the middle of the world, walking anywhere.
Crowd packed(const navmesh::MeshPtr& mesh, const std::string& name, std::size_t count, double density) {
  Crowd crowd{.name = fmt::format("{}, {} at {}/m2", name, count, density), .mesh = mesh};
  geometry::RandomStream numbers(2, {});
  Vec2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
  for (const navmesh::Node& node : mesh->all_nodes()) {
    low = {std::min(low.x, node.point.x), std::min(low.y, node.point.y)};
    high = {std::max(high.x, node.point.x), std::max(high.y, node.point.y)};
  }
  const Vec2 middle = (low + high) / 2;
  const double spacing = 1 / std::sqrt(density);
  // Rings of a lattice, until enough of them stand on free ground.
  for (int ring = 0; crowd.position.size() < count && ring * spacing < high.x - low.x; ++ring)
    for (int i = -ring; i <= ring; ++i)
      for (int j = -ring; j <= ring; ++j) {
        if (std::max(std::abs(i), std::abs(j)) != ring || crowd.position.size() == count) continue;
        const Vec2 jitter{numbers.unit() - 0.5, numbers.unit() - 0.5};
        crowd.add({middle + Vec2{i * spacing, j * spacing} + jitter * (0.4 * spacing), 0}, numbers.unit());
      }
  return crowd;
}

class Bench {
 public:
  Bench(const Crowd& crowd, int repetitions) : crowd_(crowd), repetitions_(repetitions), people_(crowd.people()) {
    perception_.index(people_);
    who_.assign(perception_.in_grid_order().begin(), perception_.in_grid_order().end());
  }
  double index() {
    return measure(repetitions_, [&] { perception_.index(people_); }).min_ms * 1e6 / double(who_.size());
  }
  double perceive(const Needs& needs) {
    const std::vector<Needs> all(who_.size(), needs);
    perception_.index(people_);
    return each(
        [&](std::span<const Slot> who) { perception_.perceive(people_, who, std::span(all).first(who.size())); });
  }
  /// Distances computed a person.
  double distances(const Needs& needs) {
    const std::vector<Needs> all(who_.size(), needs);
    perception_.index(people_);
    perception_.perceive(people_, who_, all);
    return double(perception_.distances_computed()) / double(who_.size());
  }
  double avoid(const Avoider& avoider) {
    const std::vector<double> numbers = agents::default_block(avoider.info());
    const std::vector<Index> first(crowd_.position.size(), 0);
    const std::vector<Needs> all(who_.size(), avoider.needs(numbers.data()));
    perception_.perceive(people_, who_, all);
    std::vector<Vec2> walks(crowd_.position.size());
    const steering::AvoidView view{.people = people_,
                                   .preferred_velocity = crowd_.velocity,
                                   .perception = &perception_,
                                   .parameters = {numbers.data(), first}};
    const double ns = each([&](std::span<const Slot> who) { avoider.run(view, who, walks); });
    keep(walks);
    return ns;
  }

 private:
  /// Nanoseconds a person. Everybody, chunk by chunk, again and again; each chunk counts at its best, so that what else the
  /// machine does matters little.
  template <class Work>
  double each(Work&& work) {
    using Clock = std::chrono::steady_clock;
    constexpr std::size_t chunk = 256;
    std::vector<double> best((who_.size() + chunk - 1) / chunk, INFINITY);
    for (int i = 0; i < repetitions_; ++i)
      for (std::size_t c = 0; c < best.size(); ++c) {
        const auto who = std::span<const Slot>(who_).subspan(c * chunk, std::min(chunk, who_.size() - c * chunk));
        const Clock::time_point start = Clock::now();
        work(who);
        best[c] = std::min(best[c], std::chrono::duration<double, std::nano>(Clock::now() - start).count());
      }
    return std::accumulate(best.begin(), best.end(), 0.0) / double(who_.size());
  }

  const Crowd& crowd_;
  int repetitions_;
  agents::People people_;
  Perception perception_;
  std::vector<Slot> who_;
};

Result<navmesh::MeshPtr> mesh_of(const Options& options, std::string& name) {
  environment::Environment source;
  if (options.data.empty() || options.quick) {
    fmt::print(stderr, "a generated city: {}\n", options.quick ? "--quick" : "THRONG_DATA is not set");
    source = environment::generate_city(environment::city_of_vertices(options.quick ? 1000 : 5000));
    name = "city";
  } else {
    auto read = environment::read_environment((options.data / "kaiserslautern.geojson").string());
    if (!read) return read.problems();
    source = *std::move(read);
    name = "kaiserslautern";
  }
  auto clean = environment::clean(source);
  if (!clean) return clean.problems();
  return navmesh::build_mesh(*clean);
}

int run(const Options& options) {
  std::string name;
  const Result<navmesh::MeshPtr> mesh = mesh_of(options, name);
  if (!mesh) return fmt::print(stderr, "{}\n", to_string(mesh.problems().front())), 1;
  const std::size_t count = options.quick ? 1000 : 10000;
  std::vector<std::string> columns{"crowd, ns a person", "index",     "people ahead", "distances",
                                   "people around",      "walls 3 m", "walls 5 m"};
  for (const Avoider* avoider : steering::avoiders()) columns.emplace_back(avoider->info().name);
  Table table(columns);
  for (const Crowd& crowd :
       {strewn(*mesh, name, count), packed(*mesh, name, count, 2), packed(*mesh, name, count, 5)}) {
    Bench bench(crowd, 3 * options.repetitions);
    const Needs ahead{.most = 10, .range = 10, .view_cosine = geometry::unit_direction(75.0 / 360).x};
    std::vector<Cell> row{crowd.name,
                          Number{bench.index(), 0},
                          Number{bench.perceive(ahead), 0},
                          Number{bench.distances(ahead), 1},
                          Number{bench.perceive({.most = 10, .range = 10}), 0},
                          Number{bench.perceive({.wall_range = 3}), 0},
                          Number{bench.perceive({.wall_range = 5}), 0}};
    for (const Avoider* avoider : steering::avoiders()) row.emplace_back(Number{bench.avoid(*avoider), 0});
    table.add(row);
  }
  table.print(options);
  return 0;
}

const Registration registration({"steering", "looking around and avoiding, nanoseconds a person", run});

}  // namespace
}  // namespace throng::bench
