// `throng bench crowd`: what a step of the crowd costs, by its parts, on one thread and on two. People walk to random goals at
// least 200 m away (as far as the world allows); who arrives gets a new one, so the number of walkers stays. Measured after a
// minute of walking: the mean and the 99th percentile of 300 steps. "cpu ms" is processor time of all threads a step; B/agent is what
// Crowd::bytes() says, beside it the growth of the process.
//
// Then the same with and without a recording (native, to a temporary file), 50 steps of each by turns.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>
#include <numeric>

#include "benchmarks/bench.hpp"
#include "crowd/crowd.hpp"
#include "environment/clean.hpp"
#include "environment/formats.hpp"
#include "environment/generate_city.hpp"
#include "geometry/random.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "recording/recorder.hpp"

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
  int steps_by_turns = 50;  ///< with a recording, and then without
};

struct Case {
  crowd::WorldPtr world;
  std::string name;
  std::string avoidance;
  unsigned threads = 1;
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

/// Wall-clock and processor time of steps, in milliseconds: beside other work the latter is what they cost.
class StepTimes {
 public:
  template <class Work>
  void add(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    work();
    wall_.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    cpu_ += 1000 * double(std::clock() - cpu) / CLOCKS_PER_SEC;
  }
  [[nodiscard]] double mean() const { return std::accumulate(wall_.begin(), wall_.end(), 0.0) / double(wall_.size()); }
  [[nodiscard]] double cpu() const { return cpu_ / double(wall_.size()); }
  [[nodiscard]] double p99() const {
    std::vector<double> sorted = wall_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() * 99 / 100];
  }

 private:
  std::vector<double> wall_;
  double cpu_ = 0;
};

/// A crowd that has walked for a while.
class Walkers {
 public:
  Walkers(const crowd::WorldPtr& world, const Setting& setting, const std::string& avoidance, unsigned threads)
      : setting_(setting), before_(resident()), crowd_(world, {1, threads}), places_(*world->mesh, 5) {
    fill(crowd_, places_, setting, avoidance);
    while (crowd_.time() < setting.warm_up) {
      step();
      send_on();
    }
  }
  void step() { keep(crowd_.step(time_step).ok()); }
  /// Those who arrived, to somewhere else: the benchmark's part, not the crowd's.
  void send_on() { bench::send_on(crowd_, places_, setting_.least_distance); }
  [[nodiscard]] Crowd& crowd() { return crowd_; }
  /// Growth of the process for each of the people: planners' buffers and what the allocator wastes included.
  [[nodiscard]] double resident_an_agent() const {
    return (double(resident()) - double(before_)) / double(crowd_.size());
  }

 private:
  /// Without what the crowd before this one left with the allocator.
  static std::size_t resident() {
    malloc_trim(0);
    return resident_bytes();
  }
  Setting setting_;
  std::size_t before_;
  Crowd crowd_;
  Places places_;
};

/// Writes what a crowd does into a file that nobody keeps.
class Recording {
 public:
  explicit Recording(const Crowd& crowd)
      : path_(std::filesystem::temp_directory_path() / fmt::format("throng-bench-crowd-{}.throng", ::getpid())) {
    recording::Meta meta;
    meta.time_step = time_step;
    for (const environment::Layer& layer : crowd.world().mesh->layers) meta.layers.push_back(layer.id);
    meta.populations = meta.profiles = {"all"};
    Result<std::unique_ptr<recording::Recorder>> recorder = recording::create_native(path_.string(), meta);
    if (!recorder) return;
    recorder_ = std::move(recorder).value();
    for (const crowd::Slot slot : crowd.in_serial_order())
      recorder_->agent({.serial = crowd.people().serial[slot], .radius = radius});
  }
  ~Recording() {
    recorder_.reset();
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  explicit operator bool() const { return recorder_ != nullptr; }
  void frame(const Crowd& crowd) {
    serial_.clear(), position_.clear(), layer_.clear();
    const following::People people = crowd.people();
    for (const crowd::Slot slot : crowd.in_serial_order()) {
      serial_.push_back(people.serial[slot]);
      position_.push_back(people.position[slot]);
      layer_.push_back(people.layer[slot]);
    }
    recorder_->frame({frames_++, crowd.time(), serial_, position_, layer_});
  }
  /// Closes the file; bytes for each of the people and frame.
  double finish(std::size_t people) {
    const Result<recording::Written> written = recorder_->finish();
    return written ? double(written->bytes) / double(frames_ * people) : 0;
  }

 private:
  std::filesystem::path path_;
  std::unique_ptr<recording::Recorder> recorder_;
  std::uint64_t frames_ = 0;
  std::vector<std::uint64_t> serial_;
  std::vector<Vec2> position_;
  std::vector<std::uint32_t> layer_;
};

void measure_steps(const Case& what, const Setting& setting, Table& table) {
  Walkers walkers(what.world, setting, what.avoidance, what.threads);
  Crowd& crowd = walkers.crowd();
  StepTimes times;
  std::array<double, std::size(crowd::stage_names)> stages{};
  for (int i = 0; i < setting.steps; ++i) {
    times.add([&] { walkers.step(); });
    walkers.send_on();
    for (std::size_t s = 0; s < stages.size(); ++s) stages[s] += 1000 * crowd.seconds_of(Stage(s)) / setting.steps;
  }
  const auto people = double(crowd.size());
  std::vector<Cell> row{what.name,
                        what.avoidance,
                        (long long)crowd.size(),
                        (long long)what.threads,
                        Number{times.mean()},
                        Number{times.p99()},
                        Number{times.cpu()},
                        Number{1000 * people / times.mean(), 0},
                        Number{double(crowd.bytes()) / people, 0},
                        Number{walkers.resident_an_agent(), 0}};
  for (const double stage : stages) row.emplace_back(Number{stage, 2});
  table.add(std::move(row));
}

/// The same people with and without a recording, by turns: what disturbs the machine disturbs both.
bool measure_recording(const Case& what, const Setting& setting, Table& table) {
  Walkers walkers(what.world, setting, what.avoidance, what.threads);
  const Crowd& crowd = walkers.crowd();
  Recording recording(crowd);
  if (!recording) return fmt::print(stderr, "no recording can be made in the temporary folder\n"), false;
  StepTimes with, without;
  for (int i = 0; i < 2 * setting.steps; ++i) {
    if (i / setting.steps_by_turns % 2 == 0)
      without.add([&] { walkers.step(); });
    else
      with.add([&] { walkers.step(), recording.frame(crowd); });
    walkers.send_on();
  }
  table.add({what.name, what.avoidance, (long long)crowd.size(), (long long)what.threads, Number{without.mean()},
             Number{with.mean()}, Number{100 * (with.mean() / without.mean() - 1), 1},
             Number{100 * (with.cpu() / without.cpu() - 1), 1}, Number{recording.finish(crowd.size()), 3}});
  return true;
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
  if (options.quick) setting = {200, 50, 2, 20, 10};
  std::vector<std::string> columns{"world",  "avoid",  "people",        "threads", "ms/step",
                                   "p99 ms", "cpu ms", "agent-steps/s", "B/agent", "resident B/agent"};
  for (const std::string_view stage : crowd::stage_names) columns.push_back(fmt::format("{} ms", stage));
  Table steps(columns);
  for (const char* avoidance : {"moussaid", "orca"}) {
    for (const unsigned threads : {1u, 2u}) {
      fmt::print(stderr, "{}, {} threads ...\n", avoidance, threads);
      measure_steps({*world, name, avoidance, threads}, setting, steps);
    }
  }
  Table recordings({"world", "avoid", "people", "threads", "ms/step", "recorded ms/step", "recording %",
                    "recording % of cpu", "B/agent frame"});
  fmt::print(stderr, "moussaid, 2 threads, recorded by turns ...\n");
  const bool recorded = measure_recording({*world, name, "moussaid", 2}, setting, recordings);
  steps.print(options);
  recordings.print(options);
  return recorded ? 0 : 1;
}

const Registration registration({"crowd", "a step of 10,000 people, by its parts, on one thread and on two", run});

}  // namespace
}  // namespace throng::bench
