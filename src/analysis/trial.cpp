#include "analysis/trial.hpp"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <map>
#include <thread>

#include "environment/formats/picture.hpp"
#include "scenario/simulation.hpp"

namespace throng::analysis {

namespace {

using scenario::Simulation;

/// Metres somebody must come nearer to its goal to count as getting on.
constexpr double progress = 0.5;

/// When anybody last got on.
class ProgressWatch {
 public:
  explicit ProgressWatch(const Simulation& simulation) { observe(simulation); }

  void observe(const Simulation& simulation) {
    const crowd::Crowd& crowd = simulation.crowd();
    bool any = !crowd.departures().empty();
    somebody_walks_ = simulation.somebody_due();
    for (const crowd::Slot slot : crowd.in_serial_order()) {
      const crowd::Activity activity = crowd.activity(slot);
      if (activity != crowd::Activity::walking) {
        any |= activity != crowd::Activity::arrived && activity != crowd::Activity::lost;
        continue;
      }
      somebody_walks_ = true;
      const double left = crowd.remaining(slot);
      const auto [entry, is_new] = nearest_.try_emplace(crowd.people().serial[slot], left);
      if (!is_new && left > entry->second - progress) continue;
      entry->second = left;
      any = true;
    }
    if (any) last_ = crowd.time();
  }
  [[nodiscard]] bool stands_still(double now, double longest) const {
    return somebody_walks_ && now - last_ >= longest;
  }

 private:
  std::map<std::uint64_t, double> nearest_;
  double last_ = 0;
  bool somebody_walks_ = false;
};

/// Gathers where people walk.
class PathKeeper {
 public:
  explicit PathKeeper(double every) : every_(every) {}

  void observe(const crowd::Crowd& crowd) {
    if (every_ <= 0 || crowd.time() + 1e-9 < next_) return;
    next_ = crowd.time() + every_;
    const agents::People people = crowd.people();
    for (const crowd::Slot slot : crowd.in_serial_order()) {
      const auto [entry, is_new] = current_.try_emplace(people.serial[slot], paths_.size());
      if (!is_new && paths_[entry->second].layer != people.layer[slot]) entry->second = paths_.size();
      if (entry->second == paths_.size()) paths_.push_back({crowd.population_of(slot), people.layer[slot], {}});
      std::vector<Vec2>& points = paths_[entry->second].points;
      // Who stands adds nothing.
      if (points.empty() || squared_length(points.back() - people.position[slot]) > 1e-4)
        points.push_back(people.position[slot]);
    }
  }
  [[nodiscard]] std::vector<WalkedPath> take() && { return std::move(paths_); }

 private:
  double every_;
  double next_ = 0;
  std::map<std::uint64_t, std::size_t> current_;  ///< by serial
  std::vector<WalkedPath> paths_;
};

/// That this thread has used: what else the machine does beside a trial does not count.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

}  // namespace

Result<Trial> run_trial(const std::shared_ptr<const scenario::Scenario>& scenario, const crowd::WorldPtr& world,
                        const TrialOptions& options) {
  Result<Simulation> made =
      Simulation::make(scenario, world, {.seed = options.seed, .threads = 1, .duration = std::nullopt});
  if (!made) return made.problems();
  Simulation simulation = std::move(made).value();
  Metrics metrics({}, {});
  metrics.begin(simulation.crowd());
  ProgressWatch watch(simulation);
  PathKeeper paths(options.path_every);
  paths.observe(simulation.crowd());
  Trial trial;
  double seconds = 0;
  while (!simulation.finished() && !trial.deadlocked) {
    const double start = processor_seconds();
    const Result<std::size_t> stepped = simulation.step();
    if (!stepped) return stepped.problems();
    seconds += processor_seconds() - start;
    metrics.observe(simulation.crowd(), scenario->time_step);
    watch.observe(simulation);
    paths.observe(simulation.crowd());
    trial.deadlocked = watch.stands_still(simulation.crowd().time(), options.deadlock_after);
  }
  trial.summary = metrics.summary();
  trial.ended = simulation.crowd().time();
  trial.ms_per_step = trial.summary.steps > 0 ? 1000 * seconds / double(trial.summary.steps) : 0;
  trial.paths = std::move(paths).take();
  return trial;
}

void side_by_side(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto serve = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i) others.emplace_back(serve);
  serve();
}

std::string draw_paths(const environment::CleanEnvironment& environment, const std::vector<WalkedPath>& paths,
                       const std::string& title) {
  const environment::Layout layout = environment::lay_out(environment);
  const auto canvas = environment::make_svg_canvas(layout.width, layout.height, title);
  environment::draw_environment(*canvas, environment, layout, title);
  for (const environment::Panel& panel : layout.panels) {
    canvas->set_view(panel.view);
    canvas->begin_group("ways " + environment.layers[panel.layer].layer.id);
    for (const WalkedPath& path : paths) {
      if (path.layer != panel.layer) continue;
      const environment::Colour colour = environment::palette(path.population);
      canvas->polyline(path.points, environment::Style::line(colour, 0.6));
      canvas->dot(path.points.back(), 1.4, environment::Style::area(colour));
    }
    canvas->end_group();
  }
  return canvas->finish();
}

}  // namespace throng::analysis
