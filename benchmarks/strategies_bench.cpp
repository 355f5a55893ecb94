// `throng bench strategies`: what strategies cost beside the same crowd without, in a town and in the u-turns of van Toll, Pettre 2019; routes
// under decisions beside plain ones; obstacles and the order of passages beside the mesh. Ratios of processor time in one run.
#include <fmt/format.h>

#include <array>
#include <ctime>

#include "analysis/strategy_scenes.hpp"
#include "benchmarks/bench.hpp"
#include "benchmarks/crowd_walkers.hpp"
#include "navmesh/build.hpp"
#include "navmesh/obstacles.hpp"
#include "routes/decided_route.hpp"
#include "scenario/simulation.hpp"

namespace throng::bench {
namespace {

constexpr const char* coarse = R"({"replan_every": 2, "detour": 1.2, "strict": 0})";
constexpr const char* fine = R"({"replan_every": 0.5, "detour": 1.2, "strict": 1})";
const std::vector<double> coarse_numbers{2, 1.2, 0, 5, 5, 0}, fine_numbers{0.5, 1.2, 1, 5, 5, 0};

double processor_ms() { return 1000 * double(std::clock()) / CLOCKS_PER_SEC; }

/// Steps of crowds that are alike but for the strategy, by turns, so that what disturbs one disturbs all.
void bench_town(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = town(options, name);
  if (!world) return (void)fmt::print(stderr, "{}\n", to_string(world.problems().front()));
  const std::size_t people = options.people > 0 ? options.people : options.quick ? 200 : 10000;
  const double warm_up = options.warm_up > 0 ? options.warm_up : options.quick ? 2 : 20;
  const int steps = options.steps > 0 ? options.steps : options.quick ? 5 : 60;
  struct Kind {
    const char* name;
    std::vector<double> numbers;
  };
  const Kind kinds[] = {{"none", {}}, {"coarse", coarse_numbers}, {"fine", fine_numbers}};
  Table table({"world", "people", "avoid", "strategy", "step ms", "ratio", "decide ms"});
  for (const char* avoid : {"moussaid", "sampling"}) {
    std::array<double, 3> cost{}, deciding{};
    for (std::size_t k = 0; k < 3; ++k) {
      Walkers walkers({.world = *world,
                       .name = name,
                       .people = people,
                       .avoid = avoid,
                       .follow = "lookahead",
                       .warm_up = 0.1,
                       .strategy = kinds[k].numbers});
      for (int i = 0; i < int(warm_up / time_step); ++i) walkers.step(), walkers.send_on();
      for (int i = 0; i < steps; ++i) {
        const double begin = processor_ms();
        walkers.step();
        cost[k] += (processor_ms() - begin) / steps;
        deciding[k] += 1000 * walkers.crowd().seconds_of(crowd::Stage::decide) / steps;
        walkers.send_on();
      }
      table.add({name, (long long)people, avoid, kinds[k].name, Number{cost[k], 2}, Number{cost[k] / cost[0], 2},
                 Number{deciding[k], 2}});
    }
  }
  table.print(options);
}

/// Mean over 50 to 300 s, as the paper's figure 10.
void bench_uturns(const Options& options) {
  Table table({"scene", "guided", "strategy", "people", "step ms", "decide ms", "avoid ms", "plan ms"});
  for (const char* scene : {"uturn", "uturn-both"})
    for (const auto& [name, block] : {std::pair{"coarse", coarse}, std::pair{"fine", fine}}) {
      const bool guided = scene != std::string("uturn");
      auto made = analysis::make_strategy_scene(
          {.scene = scene, .strategy = block, .is_guided = guided, .duration = options.quick ? 10.0 : 150.0});
      if (!made) return (void)fmt::print(stderr, "{}\n", to_string(made.problems().front()));
      auto begun = scenario::Simulation::make(std::move(made).value(), {.seed = 1, .threads = 2, .duration = {}});
      if (!begun) return (void)fmt::print(stderr, "{}\n", to_string(begun.problems().front()));
      double people = 0, step = 0, deciding = 0, avoiding = 0, planning = 0;
      int counted = 0;
      const double from = options.quick ? 5 : 50;
      while (!begun->finished()) {
        if (!begun->step()) break;
        const crowd::Crowd& crowd = begun->crowd();
        if (crowd.time() < from) continue;
        ++counted;
        people += double(crowd.size());
        for (std::size_t stage = 0; stage < std::size(crowd::stage_names); ++stage)
          step += 1000 * crowd.seconds_of(crowd::Stage(stage));
        deciding += 1000 * crowd.seconds_of(crowd::Stage::decide);
        avoiding += 1000 * crowd.seconds_of(crowd::Stage::avoid);
        planning += 1000 * crowd.seconds_of(crowd::Stage::plan);
      }
      const auto mean = [&](double sum) { return Number{counted > 0 ? sum / counted : 0, 3}; };
      table.add({scene, guided ? "right" : "no", name, mean(people), mean(step), mean(deciding), mean(avoiding),
                 mean(planning)});
    }
  table.print(options);
}

void bench_planning(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = town(options, name);
  if (!world) return (void)fmt::print(stderr, "{}\n", to_string(world.problems().front()));
  const navmesh::Mesh& mesh = *(*world)->mesh;
  Table table({"world", "what", "ms", "ratio"});
  const Timing build =
      measure(options.quick ? 1 : 3, [&] { keep(navmesh::build_mesh((*world)->environment).value()->hash()); });
  const Timing obstacles = measure(options.quick ? 1 : 5, [&] { keep(navmesh::Obstacles(mesh).count()); });
  table.add({name, "mesh", Number{build.min_ms, 2}, Number{1, 2}});
  table.add({name, "obstacles and order of passages", Number{obstacles.min_ms, 2},
             Number{obstacles.min_ms / build.min_ms, 3}});
  const routes::RouteGraph& graph = *(*world)->graph;
  const auto& sides = *graph.sides();
  Places places(mesh, 3);
  std::vector<routes::RouteQuery> queries;
  for (int i = 0; i < (options.quick ? 20 : 500); ++i) {
    const navmesh::Place from = places.next();
    queries.push_back({.from = from, .to = places.far_from(from.point, 200), .radius = 0.25, .clearance = 0.5});
  }
  routes::Planner planner((*world)->graph);
  routes::DecidedPlanner decided(graph);
  routes::Route route;
  // Each is told the opposite of what it would do about the first obstacle it passes: a way that has to be looked for.
  std::vector<routes::Strategy> told;
  for (const routes::RouteQuery& query : queries) {
    routes::Strategy one;
    if (planner.plan(query, route) == routes::NoRoute::found)
      if (const auto its = routes::decisions_of(mesh, sides.obstacles(), route); its && !its->empty())
        one.set({its->decisions()[0].about, routes::other_side(its->decisions()[0].side)});
    told.push_back(std::move(one));
  }
  const int repetitions = options.quick ? 1 : 5;
  const Timing plain = measure(repetitions, [&] {
    for (const routes::RouteQuery& query : queries) keep(planner.plan(query, route));
  });
  const Timing with_none = measure(repetitions, [&] {
    std::size_t expansions = 0;
    for (const routes::RouteQuery& query : queries)
      keep(decided.plan(query, routes::Strategy(), planner, route, expansions, 1u << 20));
  });
  const Timing under = measure(repetitions, [&] {
    std::size_t expansions = 0;
    for (std::size_t i = 0; i < queries.size(); ++i)
      keep(decided.plan(queries[i], told[i], planner, route, expansions, 1u << 20));
  });
  const double count = double(queries.size());
  table.add({name, "plain route", Number{plain.min_ms / count, 4}, Number{1, 2}});
  table.add(
      {name, "under no decision", Number{with_none.min_ms / count, 4}, Number{with_none.min_ms / plain.min_ms, 2}});
  table.add({name, "under one that it goes against", Number{under.min_ms / count, 4},
             Number{under.min_ms / plain.min_ms, 2}});
  table.print(options);
}

int run(const Options& options) {
  if (options.row == 0 || options.row == 1) bench_planning(options);
  if (options.row == 0 || options.row == 2) bench_uturns(options);
  if (options.row == 0 || options.row == 3) bench_town(options);
  return 0;
}

const Registration registration({"strategies", "strategies in a town and in u-turns, routes under decisions", run});

}  // namespace
}  // namespace throng::bench
