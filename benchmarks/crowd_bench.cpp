// `throng bench crowd`: what a step of the crowd costs, by its parts, on one thread and on two. People walk to random goals at
// least 200 m away (as far as the world allows); who arrives gets a new one, so the number of walkers stays. Measured after a
// minute of walking: the mean and the 99th percentile of 300 steps.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "benchmarks/bench.hpp"
#include "crowd/crowd.hpp"
#include "environment/clean.hpp"
#include "environment/formats.hpp"
#include "environment/generate_city.hpp"
#include "geometry/random.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"

namespace throng::bench {
namespace {

using crowd::Crowd;
using crowd::Stage;

constexpr double time_step = 0.1;
constexpr double radius = 0.24;

struct Setting {
  std::size_t people = 10000;
  double least_distance = 200;
  double warm_up = 60;  ///< simulated seconds
  int steps = 300;
};

/// Random places where a body fits, the same in every run.
class Places {
 public:
  Places(const navmesh::Mesh& mesh, std::uint64_t seed) : mesh_(mesh), random_(seed) {}
  navmesh::Place next() {
    for (;;) {
      const double u = random_.unit(), v = random_.unit();
      const auto place = navmesh::random_point(mesh_, 0, u, v, random_.unit());
      if (place && navmesh::locate(mesh_, *place).clearance >= radius + 0.05) return *place;
    }
  }
  navmesh::Place far_from(Vec2 p, double distance) {
    navmesh::Place best = next();
    for (int i = 0; i < 50 && squared_length(best.point - p) < distance * distance; ++i) {
      const navmesh::Place other = next();
      if (squared_length(other.point - p) > squared_length(best.point - p)) best = other;
    }
    return best;
  }

 private:
  const navmesh::Mesh& mesh_;
  geometry::RandomStream random_;
};

goals::ItineraryPtr to(const navmesh::Place& goal) {
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->goals.push_back({goal, 1.0, {}, 0});
  itinerary->at_last = goals::AtLastGoal::stay;
  return itinerary;
}

void fill(Crowd& crowd, Places& places, const Setting& setting, const std::string& avoidance) {
  geometry::RandomStream speeds(11);
  for (std::size_t i = 0; i < setting.people; ++i) {
    crowd::AgentSpec spec;
    spec.place = places.next();
    spec.radius = radius;
    spec.speed = std::clamp(speeds.normal(1.34, 0.26), 0.5, 2.2);
    spec.avoid.name = avoidance;
    spec.number = std::uint32_t(i);
    spec.itinerary = to(places.far_from(spec.place.point, setting.least_distance));
    keep(crowd.add(spec).ok());
  }
}

void send_on(Crowd& crowd, Places& places, double distance) {
  for (const crowd::Slot slot : crowd.in_serial_order()) {
    const crowd::Activity activity = crowd.activity(slot);
    if (activity != crowd::Activity::arrived && activity != crowd::Activity::lost) continue;
    keep(crowd.set_goals(crowd.id_of(slot), to(places.far_from(crowd.people().position[slot], distance))).ok());
  }
}

struct Times {
  double mean = 0, p99 = 0;
  std::array<double, std::size(crowd::stage_names)> stages{};  ///< mean milliseconds
  double bytes_an_agent = 0;
  std::size_t people = 0;
};

Times measure_steps(const crowd::WorldPtr& world, const Setting& setting, const std::string& avoidance,
                    unsigned threads) {
  Crowd crowd(world, {1, threads});
  Places places(*world->mesh, 5);
  fill(crowd, places, setting, avoidance);
  while (crowd.time() < setting.warm_up) {
    keep(crowd.step(time_step).ok());
    send_on(crowd, places, setting.least_distance);
  }
  Times times;
  std::vector<double> ms;
  for (int i = 0; i < setting.steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    keep(crowd.step(time_step).ok());
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    for (std::size_t s = 0; s < times.stages.size(); ++s)
      times.stages[s] += 1000 * crowd.seconds_of(Stage(s)) / setting.steps;
    send_on(crowd, places, setting.least_distance);
  }
  std::sort(ms.begin(), ms.end());
  times.mean = std::accumulate(ms.begin(), ms.end(), 0.0) / double(ms.size());
  times.p99 = ms[ms.size() * 99 / 100];
  times.bytes_an_agent = double(crowd.bytes()) / double(crowd.size());
  times.people = crowd.size();
  return times;
}

Result<crowd::WorldPtr> load_world(const Options& options, std::string& name) {
  Result<environment::Environment> source = [&]() -> Result<environment::Environment> {
    name = "kaiserslautern";
    if (!options.data.empty() && !options.quick)
      return environment::read_environment((options.data / "kaiserslautern.geojson").string());
    name = "generated city";
    return environment::generate_city(environment::city_of_vertices(options.quick ? 500 : 5000));
  }();
  if (!source) return source.problems();
  Result<environment::CleanEnvironment> clean = environment::clean(*source);
  if (!clean) return clean.problems();
  return crowd::make_world(std::move(clean).value());
}

int run(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = load_world(options, name);
  if (!world) return fmt::print(stderr, "{}\n", to_string(world.problems().front())), 1;
  if (options.data.empty()) fmt::print(stderr, "THRONG_DATA is not set: a generated city\n");
  Setting setting;
  if (options.quick) setting = {200, 50, 2, 20};
  std::vector<std::string> columns{"world",   "avoid",  "people",        "threads",
                                   "ms/step", "p99 ms", "agent-steps/s", "B/agent"};
  for (const std::string_view stage : crowd::stage_names) columns.push_back(fmt::format("{} ms", stage));
  Table table(columns);
  for (const char* avoidance : {"moussaid"}) {
    for (const unsigned threads : {1u, 2u}) {
      fmt::print(stderr, "{}, {} threads ...\n", avoidance, threads);
      const Times times = measure_steps(*world, setting, avoidance, threads);
      std::vector<Cell> row{name,
                            avoidance,
                            (long long)times.people,
                            (long long)threads,
                            Number{times.mean},
                            Number{times.p99},
                            Number{1000 * double(times.people) / times.mean, 0},
                            Number{times.bytes_an_agent, 0}};
      for (const double stage : times.stages) row.emplace_back(Number{stage, 2});
      table.add(std::move(row));
    }
  }
  table.print(options);
  return 0;
}

const Registration registration({"crowd", "a step of 10,000 people, by its parts, on one thread and on two", run});

}  // namespace
}  // namespace throng::bench
