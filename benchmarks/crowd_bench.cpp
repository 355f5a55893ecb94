// `throng bench crowd`: what a step of the crowd costs, by its parts. People walk to random goals at least 200 m away (as far as
// the world allows); who arrives gets a new one, so the number of walkers stays. Measured after a minute of walking: the mean and the
// 99th percentile of 300 steps. "cpu ms" is processor time of all threads a step; B/agent is what Crowd::bytes() says, beside it the
// growth of the process. The parts are benchmarks of their own (`crowd-steps`, ...).
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "benchmarks/crowd_walkers.hpp"
#include "drawing/plot.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "recording/recorder.hpp"
#include "text/output_file.hpp"

namespace throng::bench {
namespace {

using crowd::Crowd;

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
      recorder_->agent({.serial = crowd.people().serial[slot], .radius = body_radius});
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
    const agents::People people = crowd.people();
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

int failed(const Problems& problems) { return fmt::print(stderr, "{}\n", to_string(problems.front())), 1; }

/// A table of steps: who walks where, and what a step costs.
class StepTable {
 public:
  explicit StepTable(const Options& options) : table_(columns()), only_(options.row) {}
  /// Lets them walk, measures, and adds a row; returns milliseconds a step. 0 for a row that was not asked for.
  double add(const Walk& walk, int steps) { return add_in_turns({walk}, steps).front(); }
  /// The same for several crowds, a step of each by turns: so that their times can be compared whatever else the machine does.
  std::vector<double> add_in_turns(const std::vector<Walk>& walks, int steps) {
    std::vector<double> means;
    for (const StepTimes& times : times_in_turns(walks, steps)) means.push_back(times.count() > 0 ? times.mean() : 0);
    return means;
  }
  std::vector<StepTimes> times_in_turns(const std::vector<Walk>& walks, int steps) {
    std::vector<std::unique_ptr<Walkers>> crowds(walks.size());
    for (std::size_t i = 0; i < walks.size(); ++i) {
      if (++rows_; only_ != 0 && rows_ != only_) continue;
      const Walk& walk = walks[i];
      fmt::print(stderr, "{}: {} people, {} + {}{}{}, {} threads ...\n", walk.name, walk.people, walk.follow,
                 walk.stream, walk.stream.empty() ? "" : " + ", avoidance_of(walk), walk.threads);
      crowds[i] = std::make_unique<Walkers>(walk);
    }
    std::vector<StepCost> costs(walks.size());
    for (int step = 0; step < steps; ++step)
      for (std::size_t i = 0; i < walks.size(); ++i)
        if (crowds[i]) measure_step(*crowds[i], costs[i]);
    std::vector<StepTimes> times;
    for (std::size_t i = 0; i < walks.size(); ++i) {
      times.push_back(costs[i].times);
      if (crowds[i]) add_row(walks[i], *crowds[i], costs[i], steps);
    }
    return times;
  }
  void print(const Options& options) const { table_.print(options); }

 private:
  static std::string avoidance_of(const Walk& walk) { return walk.contact ? walk.avoid : walk.avoid + ", no contact"; }
  void add_row(const Walk& walk, Walkers& walkers, const StepCost& cost, int steps) {
    const Crowd& crowd = walkers.crowd();
    const auto people = double(crowd.size());
    std::vector<Cell> row{walk.name,
                          walk.follow,
                          avoidance_of(walk),
                          walk.stream,
                          (long long)crowd.size(),
                          (long long)walk.threads,
                          Number{cost.times.mean()},
                          Number{cost.times.p99()},
                          Number{cost.times.worst()},
                          Number{cost.times.cpu()},
                          Number{1e6 * cost.times.cpu() / people, 0},
                          Number{double(crowd.bytes()) / people, 0},
                          Number{walkers.resident_an_agent(), 0}};
    for (const double stage : cost.stage_ms) row.emplace_back(Number{stage / steps, 2});
    table_.add(std::move(row));
  }
  static std::vector<std::string> columns() {
    std::vector<std::string> names{"world",        "follow",  "avoid",           "stream",   "people",
                                   "threads",      "ms/step", "p99 ms",          "worst ms", "cpu ms",
                                   "cpu ns/agent", "B/agent", "resident B/agent"};
    for (const std::string_view stage : crowd::stage_names) names.push_back(fmt::format("{} ms", stage));
    return names;
  }
  Table table_;
  int only_, rows_ = 0;
};

Walk usual_walk(const Options& options, const crowd::WorldPtr& world, const std::string& name) {
  Walk walk{.world = world, .name = name};
  walk.people = options.people > 0 ? options.people : 10000;
  if (options.warm_up > 0) walk.warm_up = options.warm_up;
  if (options.quick) walk.people = 200, walk.least_distance = 50, walk.warm_up = 2;
  return walk;
}

int steps_of(const Options& options) { return options.steps > 0 ? options.steps : options.quick ? 20 : 300; }

int run_steps(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = town(options, name);
  if (!world) return failed(world.problems());
  StepTable table(options);
  Walk walk = usual_walk(options, *world, name);
  for (const char* avoidance : {"moussaid", "orca"}) {
    walk.avoid = avoidance;
    for (walk.threads = 1; walk.threads <= 2; ++walk.threads) table.add(walk, steps_of(options));
  }
  table.print(options);
  return 0;
}

/// The same people with and without a recording, by turns: what disturbs the machine disturbs both.
int run_recording(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = town(options, name);
  if (!world) return failed(world.problems());
  Walk walk = usual_walk(options, *world, name);
  walk.threads = 2;
  fmt::print(stderr, "{}: {} people, recorded by turns ...\n", name, walk.people);
  Walkers walkers(walk);
  const Crowd& crowd = walkers.crowd();
  Recording recording(crowd);
  if (!recording) return fmt::print(stderr, "no recording can be made in the temporary folder\n"), 1;
  StepTimes with, without;
  const int turn = options.quick ? 10 : 50;
  for (int i = 0; i < 2 * steps_of(options); ++i) {
    if (i / turn % 2 == 0)
      without.add([&] { walkers.step(); });
    else
      with.add([&] { walkers.step(), recording.frame(crowd); });
    walkers.send_on();
  }
  Table table({"world", "avoid", "people", "threads", "ms/step", "recorded ms/step", "recording %",
               "recording % of cpu", "B/agent frame"});
  table.add({name, walk.avoid, (long long)crowd.size(), (long long)walk.threads, Number{without.mean()},
             Number{with.mean()}, Number{100 * (with.mean() / without.mean() - 1), 1},
             Number{100 * (with.cpu() / without.cpu() - 1), 1}, Number{recording.finish(crowd.size()), 3}});
  table.print(options);
  return 0;
}

/// Many people in a town, with everything on, with flow fields, and without avoidance, with bodies and as was published without.
int run_many(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = town(options, name);
  if (!world) return failed(world.problems());
  StepTable table(options);
  Walk walk = usual_walk(options, *world, name);
  walk.threads = 2;
  const std::size_t most = options.quick ? 400 : options.people > 0 ? options.people : 100000;
  for (const std::size_t people : {most / 2, most}) {
    walk.people = people;
    table.add(walk, steps_of(options));
  }
  walk.avoid = "orca";
  walk.follow = "flow";
  walk.shared_goals = options.quick ? 4 : 32;
  table.add(walk, steps_of(options));
  walk.avoid = "none";
  walk.follow = "miran";
  walk.shared_goals = 0;
  for (const bool contact : {true, false}) {
    walk.contact = contact;
    table.add(walk, steps_of(options));
  }
  table.print(options);
  return 0;
}

/// A million people without avoidance, with bodies and without: what they need in memory.
int run_memory(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = town(options, name);
  if (!world) return failed(world.problems());
  Walk walk = usual_walk(options, *world, name);
  walk.people = options.quick ? 2000 : options.people > 0 ? options.people : 1000000;
  walk.avoid = "none";
  walk.threads = 2;
  walk.warm_up = options.quick ? 1 : options.warm_up > 0 ? options.warm_up : 20;
  StepTable table(options);
  for (const bool contact : {true, false}) {
    walk.contact = contact;
    table.add(walk, options.quick ? 5 : options.steps > 0 ? options.steps : 30);
  }
  table.print(options);
  return 0;
}

/// A step's time against the number of people, for one thread and two.
Problems draw_scaling(const std::string& file, const std::vector<Vec2>& one, const std::vector<Vec2>& two) {
  const analysis::Plot plot{.title = "A step of a crowd that grows with its city",
                            .x_label = "people (thousands)",
                            .y_label = "time a step (ms)",
                            .series = {{"one thread", one},
                                       {"two threads", two},
                                       {"", one, analysis::Mark::dots, {}, 0},
                                       {"", two, analysis::Mark::dots, {}, 1}},
                            .x_from = 0,
                            .description = "Time a step against the number of people, on one thread and on two."};
  return environment::replace_file(file, analysis::draw_plot(plot));
}

/// An empty square.
Result<crowd::WorldPtr> square_world(double side) {
  const Result<environment::Environment> square =
      environment::parse_environment("wkt", fmt::format("POLYGON((0 0, {0} 0, {0} {0}, 0 {0}, 0 0))", side), "square");
  if (!square) return square.problems();
  return world_of(*square);
}

/// Cities of one density that grow with the crowd; a crowd in one square beside the same people all over the place.
int run_scaling(const Options& options) {
  StepTable table(options);
  Table ratios({"what", "ratio"});
  const int steps = steps_of(options);
  std::vector<double> ns;
  std::vector<Vec2> one, two;
  const std::vector<std::size_t> sizes = options.quick ? std::vector<std::size_t>{50, 200}
                                         : options.plot.empty()
                                             ? std::vector<std::size_t>{1000, 10000, 100000}
                                             : std::vector<std::size_t>{1000, 10000, 25000, 50000, 75000, 100000};
  for (const std::size_t people : sizes) {
    const Result<crowd::WorldPtr> city =
        world_of(environment::generate_city(environment::city_of_vertices(people / 5)));
    if (!city) return failed(city.problems());
    Walk walk{.world = *city,
              .name = "city",
              .people = people,
              .least_distance = 50,
              .warm_up = options.quick         ? 2.0
                         : options.warm_up > 0 ? options.warm_up
                                               : 20.0};
    Walk with_two = walk;
    with_two.threads = 2;
    const std::vector<double> times = table.add_in_turns({walk, with_two}, steps);
    const double alone = times[0], together = times[1];
    ns.push_back(1e6 * alone / double(people));
    ratios.add({fmt::format("one thread / two, {} people", people), Number{alone / together}});
    one.push_back({double(people) / 1000, alone});
    two.push_back({double(people) / 1000, together});
  }
  ratios.add({"time a person, most people / fewest", Number{ns.back() / ns.front()}});
  if (!options.plot.empty())
    if (const Problems problems = draw_scaling(options.plot, one, two); !problems.empty()) return failed(problems);

  const Result<crowd::WorldPtr> plaza = square_world(400);
  if (!plaza) return failed(plaza.problems());
  Walk walk{.world = *plaza,
            .name = "square",
            .people = options.quick ? std::size_t{200} : std::size_t{5000},
            .least_distance = 20,
            .warm_up = 5};
  const double spread = table.add(walk, steps / 3);
  walk.name = "one corner of it";
  walk.square = options.quick ? 10 : 45;
  ratios.add({"people in one small square / all over a large one", Number{table.add(walk, steps / 3) / spread}});
  table.print(options);
  ratios.print(options);
  return 0;
}

/// The square in the middle of a plaza that a crowd crosses to and fro.
struct Cluster {
  double plaza = 400, square = 45;  ///< sides, metres
  std::size_t people = 5000;
};

/// What streams add to a step, by each measure of density: a town, and a crowd in one square.
int run_streams(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = town(options, name);
  if (!world) return failed(world.problems());
  const Cluster cluster = options.quick ? Cluster{.plaza = 400, .square = 10, .people = 200} : Cluster{};
  const Result<crowd::WorldPtr> plaza = square_world(cluster.plaza);
  if (!plaza) return failed(plaza.problems());
  Walk crowded{.world = *plaza, .name = "one square", .people = cluster.people, .least_distance = 20, .warm_up = 5};
  crowded.square = cluster.square;
  StepTable table(options);
  Table ratios({"world", "stream", "median ms", "times without, median of steps", "times without, cpu", "asked for"});
  for (const Walk& walk : {usual_walk(options, *world, name), crowded}) {
    std::vector<Walk> walks(4, walk);
    walks[1].stream = "view", walks[2].stream = "cells", walks[3].stream = "grid";
    const std::vector<StepTimes> times = table.times_in_turns(walks, steps_of(options));
    if (times[0].count() == 0) continue;
    for (std::size_t i = 1; i < walks.size(); ++i)
      if (times[i].count() > 0)
        ratios.add({walk.name, walks[i].stream, Number{times[i].median()},
                    Number{times[i].median() / times[0].median(), 3}, Number{times[i].cpu() / times[0].cpu(), 3},
                    Number{walk.square > 0 ? 1.3
                           : i == 1        ? 1.25
                                           : 1.1}});
  }
  table.print(options);
  ratios.print(options);
  return 0;
}

int run(const Options& options) {
  for (const auto& part : {run_steps, run_recording, run_many, run_memory, run_scaling, run_streams})
    if (const int code = part(options); code != 0) return code;
  return 0;
}

const Registration registrations[] = {
    Registration({"crowd", "a step of the crowd, by its parts: all of crowd-*", run}),
    Registration({"crowd-steps", "10,000 people on one thread and on two", run_steps}),
    Registration({"crowd-recording", "what a recording adds to a step", run_recording}),
    Registration({"crowd-many", "50,000 and 100,000 people in a town", run_many}),
    Registration({"crowd-memory", "a million people without avoidance", run_memory}),
    Registration({"crowd-scaling", "time a person against the number of people, threads and clusters", run_scaling}),
    Registration({"crowd-streams", "what streams add to a step, by each measure of density", run_streams}),
};

}  // namespace
}  // namespace throng::bench
