// What one person may cost the rest: people added, moved and removed one by one through the public interface, and one wide body among
// thousands, who once made everybody look as far as it does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <throng/crowd.hpp>
#include <throng/environment.hpp>
#include <throng/world.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/crowd_walkers.hpp"
#include "environment/formats/formats.hpp"

namespace throng::bench {
namespace {

double milliseconds(std::clock_t from) { return 1000 * double(std::clock() - from) / CLOCKS_PER_SEC; }

/// A square of the public interface.
Result<World> open_square(double side) {
  Environment square;
  square.layers.push_back({.id = "ground", .elevation = {}});
  Feature ground;
  ground.kind = Kind::walkable;
  ground.polygons.push_back({.outer = {{0, 0}, {side, 0}, {side, side}, {0, side}}, .holes = {}});
  square.features.push_back(ground);
  return World::make(square);
}

int one_by_one(const Options& options) {
  const int people = options.quick ? 500 : options.people > 0 ? int(options.people) : 100000;
  const int row = int(std::ceil(std::sqrt(double(people))));
  const Result<World> world = open_square(row + 1.0);
  if (!world) return fmt::print(stderr, "{}\n", to_string(world.problems().front())), 1;
  Crowd crowd(*world, {.seed = 1, .threads = 1});
  std::vector<AgentId> ids;
  const auto place = [&](int i, double aside) { return Position{{i % row + 1 + aside, i / row + 1.0}, 0}; };
  Table table({"one by one", "people", "processor ms", "us each"});
  const auto timed = [&](const char* what, const auto& work) {
    const std::clock_t start = std::clock();
    work();
    const double ms = milliseconds(start);
    table.add({what, static_cast<long long>(people), Number{ms, 0}, Number{1000 * ms / people, 2}});
  };
  timed("added", [&] {
    for (int i = 0; i < people; ++i)
      if (const auto id = crowd.add({.position = place(i, 0)})) ids.push_back(*id);
  });
  if (int(ids.size()) != people) return fmt::print(stderr, "only {} of {} could be added\n", ids.size(), people), 1;
  timed("teleported", [&] {
    for (int i = 0; i < people; ++i) keep(crowd.teleport(ids[std::size_t(i)], place(i, 0.1)).ok());
  });
  timed("removed", [&] {
    for (const AgentId id : ids) keep(crowd.remove(id));
  });
  table.print(options);
  return 0;
}

/// Two crowds of the same people step by turns; one of them has a body of 8 m in it.
int one_wide(const Options& options) {
  const std::size_t people = options.quick ? 200 : 4000;
  const double side = std::sqrt(double(people) / 0.44);
  const Result<environment::Environment> square = environment::parse_environment(
      "wkt", fmt::format("POLYGON((0 0, {0} 0, {0} {0}, 0 {0}, 0 0))", side + 40), "square");
  const Result<crowd::WorldPtr> world = world_of(*square);
  if (!world) return fmt::print(stderr, "{}\n", to_string(world.problems().front())), 1;
  Walk walk;
  walk.world = *world;
  walk.name = "square";
  walk.people = people;
  walk.square = side;
  walk.least_distance = side / 2;
  walk.warm_up = options.quick ? 1 : 20;
  Walkers plain(walk), with_wide(walk);
  crowd::AgentSpec wide;
  wide.place = {{side / 2 + 20, side / 2 + 20}, 0};
  wide.radius = 8;
  wide.methods[agents::Level::avoid] = {"none", {}};
  const auto lorry = with_wide.crowd().add(wide);
  if (!lorry) return fmt::print(stderr, "{}\n", to_string(lorry.problems().front())), 1;
  StepTimes without, with;
  for (int i = 0, steps = options.quick ? 10 : 300; i < steps; ++i) {
    without.add([&] { plain.step(); });
    with.add([&] { with_wide.step(); });
    plain.send_on();
    with_wide.send_on();
  }
  Table table({"people", "without a wide body, cpu ms/step", "with one of 8 m", "times"});
  table.add(
      {static_cast<long long>(people), Number{without.cpu()}, Number{with.cpu()}, Number{with.cpu() / without.cpu()}});
  table.print(options);
  return 0;
}

int run(const Options& options) { return std::max(one_by_one(options), one_wide(options)); }

const Registration registration({"crowd-single",
                                 "people added, moved and removed one by one; one wide body among thousands", run});

}  // namespace
}  // namespace throng::bench
