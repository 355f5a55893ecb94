// `throng bench behaviour`: how crowds behave, beside what is published: lanes in a corridor walked both ways, flow through doors
// against their width, speed against density, the circle of antipodal goals (behaviour_scenes.hpp). Not a measurement of time.
#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/behaviour_scenes.hpp"
#include "benchmarks/bench.hpp"

namespace throng::bench {
namespace {

/// Metres a second: two streams that get on slower than this have jammed.
constexpr double jam_speed = 0.35;

constexpr const char* all_methods[] = {"moussaid", "moussaid+view", "moussaid_jaklin", "orca", "orca+view"};
/// Each with streams behind itself without.
constexpr const char* with_and_without[] = {"moussaid", "moussaid+view", "orca", "orca+view"};
using Methods = std::span<const char* const>;

void heading(const std::string& text) { fmt::print(stderr, "\n{}\n", text); }

void lanes(const Options& options, Methods methods) {
  heading(
      "Lane order in a corridor walked both ways: 1 = perfect lanes, asked for: at least 0.7 as the mean of 10 seeds");
  Table table({"avoid", "corridor m", "seed", "order at the start", "order from 90 to 120 s", "m/s", "jammed"});
  for (const char* method : methods)
    for (const double length : {12.0, 24.0}) {
      double start = 0, end = 0, speed = 0;
      long long jams = 0;
      const int seeds = options.quick ? 1 : 10;
      for (int seed = 1; seed <= seeds; ++seed) {
        const LaneOrder order = lane_order(method, std::uint64_t(seed), options.quick ? 10 : 120, length);
        const bool is_jam = order.speed < jam_speed;
        start += order.at_start / seeds, end += order.at_end / seeds, speed += order.speed / seeds, jams += is_jam;
        table.add({method, Number{length, 0}, std::to_string(seed), Number{order.at_start}, Number{order.at_end},
                   Number{order.speed}, (long long)is_jam});
      }
      table.add({method, Number{length, 0}, "mean", Number{start}, Number{end}, Number{speed}, jams});
    }
  table.print(options);
}

void doors(const Options& options, Methods methods) {
  heading("Flow through a passage, a hundred people; published: linear in the width, about 1.9 /(m s)");
  Table table({"avoid", "radius m", "width m", "people/s", "people/(m s)", "published", "came through", "overlap cm"});
  for (const char* method : methods)
    for (const double radius : {0.20, 0.24})
      for (const double width : {0.8, 1.0, 1.2, 1.6, 2.0}) {
        if (options.quick && (radius != 0.24 || width != 1.2)) continue;
        const BottleneckFlow flow = bottleneck_flow(method, width, radius, 1, options.quick ? 20 : 100);
        table.add({method, Number{radius}, Number{width, 1}, Number{flow.a_second}, Number{flow.a_metre_second},
                   Number{1.9, 1}, (long long)flow.came_through, Number{100 * flow.most_overlap, 1}});
      }
  table.print(options);
}

void densities(const Options& options, Methods methods) {
  heading("Speed against density in a corridor of 4 m; a model belongs between the two curves. 0: not published");
  Table table({"avoid", "radius m", "people/m2", "m/s", "Weidmann m/s", "HERMES m/s", "flow /(m s)", "overlap cm"});
  for (const char* method : methods)
    for (const double radius : {0.20, 0.24})
      for (const double density : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0}) {
        if (options.quick && (radius != 0.24 || density != 1.0)) continue;
        const SpeedAtDensity at = speed_at_density(method, density, radius, 1);
        table.add({method, Number{radius}, Number{at.density}, Number{at.speed}, Number{weidmann_speed(at.density)},
                   Number{hermes_speed(at.density)}, Number{at.density * at.speed}, Number{100 * at.most_overlap, 1}});
      }
  table.print(options);
}

void circles(const Options& options) {
  heading(
      "A hundred people on a circle of 20 m, each to the opposite point; asked for: 3 x the free time, 5 cm of "
      "overlap");
  Table table({"avoid", "people", "arrived", "last arrival s", "free time s", "times the free time", "overlap cm"});
  for (const char* method : all_methods) {
    const Circle circle = antipodal_circle(method, options.quick ? 20 : 100, options.quick ? 8 : 20);
    table.add({method, (long long)(options.quick ? 20 : 100), (long long)circle.arrived, Number{circle.last_arrival, 1},
               Number{circle.free_time, 1}, Number{circle.last_arrival / circle.free_time},
               Number{100 * circle.most_overlap, 1}});
  }
  table.print(options);
}

/// Mean and deviation of some values.
struct Spread {
  double mean = 0, deviation = 0;
  explicit Spread(const std::vector<double>& values) {
    for (const double value : values) mean += value / double(values.size());
    for (const double value : values) deviation += (value - mean) * (value - mean);
    deviation = values.size() > 1 ? std::sqrt(deviation / double(values.size() - 1)) : 0;
  }
};

void time_steps(const Options& options) {
  heading(
      "The same at other time steps, means over seeds; asked for: at 0.02 and 0.1 s within two deviations of 0.05 s");
  const int seeds = options.quick ? 2 : 10;
  Table table({"avoid", "what", "step s", "mean", "deviation", "deviations off 0.05 s"});
  for (const char* method : all_methods) {
    const auto rows = [&](const char* what, const auto& measure) {
      const auto over_seeds = [&](double step) {
        std::vector<double> values;
        for (int seed = 1; seed <= seeds; ++seed) values.push_back(measure(std::uint64_t(seed), step));
        return Spread(values);
      };
      const Spread middle = over_seeds(0.05);
      for (const double step : {0.02, 0.05, 0.1}) {
        const Spread spread = step == 0.05 ? middle : over_seeds(step);
        table.add({method, what, Number{step}, Number{spread.mean, 3}, Number{spread.deviation, 3},
                   Number{middle.deviation > 0 ? std::abs(spread.mean - middle.mean) / middle.deviation : 0}});
      }
    };
    rows("circle of 50, times the free time", [&](std::uint64_t seed, double step) {
      const Circle circle = antipodal_circle(method, options.quick ? 10 : 50, 10, step, seed);
      return circle.last_arrival / circle.free_time;
    });
    rows("door of 1.2 m, people/s", [&](std::uint64_t seed, double step) {
      return bottleneck_flow(method, 1.2, 0.24, seed, options.quick ? 20 : 100, step).a_second;
    });
    rows("lanes, order", [&](std::uint64_t seed, double step) {
      return lane_order(method, seed, options.quick ? 5 : 60, 12, step).at_end;
    });
  }
  table.print(options);
}

void narrow_lanes(const Options& options) {
  heading("Two ways in a corridor of 3 m; real ones flow at 1.0 to 1.4 /(m s) with a lane order of 0.65 to 0.9");
  const int seeds = options.quick ? 1 : 20;
  Table table({"avoid", "people/m2", "seeds", "order", "m/s", "flow /(m s)", "least flow", "jammed"});
  for (const char* method : {"moussaid", "moussaid+view"})
    for (const double density : {1.0, 1.5, 2.0}) {
      double order = 0, speed = 0, least = 10;
      long long jams = 0;
      for (int seed = 1; seed <= seeds; ++seed) {
        const LaneOrder one = lane_order_at(method, std::uint64_t(seed), options.quick ? 10 : 120, 24, 3, density);
        order += one.at_end / seeds, speed += one.speed / seeds, jams += one.speed < jam_speed / 2;
        least = std::min(least, one.speed * density);
      }
      table.add({method, Number{density, 1}, (long long)seeds, Number{order}, Number{speed}, Number{density * speed},
                 Number{least}, jams});
    }
  table.print(options);
}

void restarts(const Options& options) {
  heading("One way round a ring of 3 m, held for 10 s and let go: m/s before, and 25 to 30 s after");
  const int seeds = options.quick ? 1 : 3;
  Table table({"avoid", "people/m2", "seeds", "before", "after", "after / without streams"});
  for (const double density : {2.0, 2.5, 3.0}) {
    double without = 0;
    for (const char* method : {"moussaid", "moussaid+view", "moussaid+view:time_spent=0", "moussaid+view:headway=0",
                               "moussaid+view:headway=0,time_spent=0"}) {
      double before = 0, after = 0;
      for (int seed = 1; seed <= seeds; ++seed) {
        const Restart one = ring_restart(method, density, std::uint64_t(seed));
        before += one.before / seeds, after += one.after / seeds;
      }
      if (method == std::string_view("moussaid")) without = after;
      table.add({method, Number{density, 1}, (long long)seeds, Number{before, 3}, Number{after, 3},
                 Number{without > 0 ? after / without : 0}});
    }
  }
  table.print(options);
}

int run(const Options& options) {
  lanes(options, all_methods);
  narrow_lanes(options);
  restarts(options);
  doors(options, all_methods);
  densities(options, all_methods);
  circles(options);
  time_steps(options);
  return 0;
}

int run_streams(const Options& options) {
  lanes(options, with_and_without);
  narrow_lanes(options);
  restarts(options);
  doors(options, with_and_without);
  densities(options, with_and_without);
  return 0;
}

const Registration registrations[] = {
    Registration({"behaviour", "lanes, doors, speed against density, the circle, beside published figures", run}),
    Registration({"behaviour-streams", "of it what is walked with streams and without, and a ring that was held up",
                  run_streams}),
};

}  // namespace
}  // namespace throng::bench
