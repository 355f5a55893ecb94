#include "validation/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <mutex>

#include "analysis/run_metrics.hpp"
#include "scenario/simulation.hpp"
#include "text/fnv1a.hpp"
#include "validation/statistics.hpp"

namespace throng::validation {
namespace {

/// Of ten seeds as many have to show the direction.
constexpr double direction_part = 0.9;

using analysis::WalkedPath;

/// Where people walk, a point every half second.
class WayKeeper {
 public:
  void see(const Frame& frame) {
    if (frame.time + 1e-9 < next_) return;
    next_ = frame.time + 0.5;
    for (const Walker& walker : frame.people) {
      const auto [entry, is_new] = current_.try_emplace(walker.serial, paths_.size());
      if (!is_new && paths_[entry->second].layer != walker.layer) entry->second = paths_.size();
      if (entry->second == paths_.size()) paths_.push_back({walker.population, walker.layer, {}});
      std::vector<Vec2>& points = paths_[entry->second].points;
      if (points.empty() || distance(points.back(), walker.position) > 0.05) points.push_back(walker.position);
    }
  }
  /// At most so many ways: more make a page of many megabytes that shows no more.
  [[nodiscard]] std::vector<WalkedPath> take(std::size_t most) && {
    if (paths_.size() <= most) return std::move(paths_);
    std::vector<WalkedPath> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(std::move(paths_[i * paths_.size() / most]));
    return some;
  }

 private:
  double next_ = 0;
  std::map<std::uint64_t, std::size_t> current_;
  std::vector<WalkedPath> paths_;
};

/// A run of a case with all gauges that look at it.
class CaseRun {
 public:
  CaseRun(const Case& one, const RunSpec& run, const std::map<std::string, GaugePtr>& gauges, SeedOutcome& outcome)
      : one_(one), run_(run), outcome_(outcome) {
    for (const FigureSpec& figure : one.figures) {
      const std::vector<std::string> runs = runs_of(figure, one);
      if (std::ranges::find(runs, run.name) != runs.end()) gauges_.push_back(gauges.at(figure.name).get());
    }
  }

  Problems go(const std::shared_ptr<const scenario::Scenario>& scenario, const crowd::WorldPtr& world,
              std::uint64_t seed, bool draw) {
    Result<scenario::Simulation> made =
        scenario::Simulation::make(scenario, world, {.seed = seed, .threads = 1, .duration = std::nullopt});
    if (!made) return made.problems();
    scenario::Simulation simulation = std::move(made).value();
    const Scene scene{&world->environment, &simulation, scenario->time_step};
    for (Gauge* gauge : gauges_)
      if (Problems wrong = gauge->begin(scene); has_errors(wrong)) return wrong;
    WayKeeper ways;
    look(simulation, draw ? &ways : nullptr);
    while (!simulation.finished()) {
      if (const Result<std::size_t> stepped = simulation.step(); !stepped) return stepped.problems();
      look(simulation, draw ? &ways : nullptr);
    }
    for (Gauge* gauge : gauges_) gauge->end();
    if (!run_.open) note_who_is_left(simulation);
    if (draw) {
      constexpr std::size_t most_ways = 150;
      outcome_.drawn.push_back(
          {run_.name, analysis::draw_paths(world->environment, std::move(ways).take(most_ways), one_.name)});
    }
    return {};
  }

 private:
  void look(const scenario::Simulation& simulation, WayKeeper* ways) {
    const Frame frame = frame_of(simulation);
    for (Gauge* gauge : gauges_) gauge->see(frame);
    if (ways != nullptr) ways->see(frame);
    for (const Walker& walker : frame.people)
      outcome_.hash += geometry::Fnv1a()
                           .add(simulation.crowd().step_count())
                           .add(walker.serial)
                           .add(std::uint64_t{walker.layer})
                           .add(walker.position.x)
                           .add(walker.position.y)
                           .value();
  }

  void note_who_is_left(const scenario::Simulation& simulation) {
    std::size_t left = 0;
    const crowd::Crowd& crowd = simulation.crowd();
    for (const crowd::Slot slot : crowd.in_serial_order())
      left += crowd.activity(slot) != crowd::Activity::arrived ? 1 : 0;
    if (left == 0 && !simulation.somebody_due()) return;
    outcome_.is_complete = false;
    if (!outcome_.incomplete.empty()) outcome_.incomplete += "; ";
    outcome_.incomplete += fmt::format("{}: {} of {} did not arrive by {:g} s", run_.name, left, crowd.last_serial(),
                                       simulation.crowd().time());
  }

  const Case& one_;
  const RunSpec& run_;
  SeedOutcome& outcome_;
  std::vector<Gauge*> gauges_;
};

Problems run_all(const CaseFiles& files, const Case& one, const ValidateOptions& options,
                 const std::map<std::string, GaugePtr>& gauges, SeedOutcome& outcome) {
  for (const RunSpec& run : one.runs) {
    Result<scenario::Scenario> read = scenario_of(files, one, run, options.cases);
    if (!read) return read.problems();
    const auto shared = std::make_shared<const scenario::Scenario>(std::move(read).value());
    const Result<crowd::WorldPtr> world = scenario::make_world(*shared);
    if (!world) return world.problems();
    std::uint32_t repeat = run.repeat;
    if (options.cases.quick && one.quick_repeat > 0) repeat = std::min(repeat, one.quick_repeat);
    CaseRun runner(one, run, gauges, outcome);
    for (std::uint32_t i = 0; i < repeat; ++i) {
      const std::uint64_t seed = outcome.seed + i * std::uint64_t{1000};
      if (Problems wrong = runner.go(shared, *world, seed, options.draw && i == 0); !wrong.empty()) return wrong;
    }
  }
  return {};
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  static constexpr std::array<std::string_view, 4> names{"pass", "fail", "measured", "not built"};
  return names[std::size_t(verdict)];
}

bool is_kept(const Case& one, const SeedOutcome& outcome) {
  if (!outcome.is_complete) return false;
  for (const std::string& name : one.shown) {
    const auto found = outcome.figures.find(name);
    if (found == outcome.figures.end() || !std::isfinite(found->second)) return false;
  }
  return std::ranges::all_of(one.checks, [&](const Check& check) { return holds(check, outcome.figures) == true; });
}

Verdict Outcome::verdict_of(const Case& judged) const {
  if (judged.kind == Kind::not_built) return Verdict::not_built;
  const auto count = std::ranges::count_if(seeds, [&](const SeedOutcome& seed) { return is_kept(judged, seed); });
  const bool is_direction = judged.kind == Kind::direction;
  const double wanted = double(seeds.size()) * (is_direction ? direction_part : 1);
  if (seeds.empty() || double(count) < wanted - 1e-9) return Verdict::fail;
  return judged.kind == Kind::measured ? Verdict::measured : Verdict::pass;
}

std::size_t Outcome::kept() const {
  return std::size_t(std::ranges::count_if(seeds, [&](const SeedOutcome& seed) { return is_kept(*one, seed); }));
}

double Outcome::seconds() const {
  double sum = 0;
  for (const SeedOutcome& seed : seeds) sum += seed.seconds;
  return sum;
}

std::uint64_t Outcome::hash() const {
  std::uint64_t sum = 0;
  for (const SeedOutcome& seed : seeds) sum += seed.hash;
  return sum;
}

std::vector<double> Outcome::values(const std::string& figure) const {
  std::vector<double> all;
  for (const SeedOutcome& seed : seeds)
    if (const auto found = seed.figures.find(figure); found != seed.figures.end() && std::isfinite(found->second))
      all.push_back(found->second);
  return all;
}

Result<SeedOutcome> run_seed(const CaseFiles& files, const Case& one, std::uint64_t seed,
                             const ValidateOptions& options) {
  using WallClock = std::chrono::steady_clock;
  const WallClock::time_point start = WallClock::now();
  SeedOutcome outcome;
  outcome.seed = seed;
  std::map<std::string, GaugePtr> gauges;
  for (const FigureSpec& figure : one.figures) {
    Result<GaugePtr> gauge = gauge_of(figure);
    if (!gauge) return gauge.problems();
    if (*gauge) gauges[figure.name] = std::move(gauge).value();
  }
  if (Problems wrong = run_all(files, one, options, gauges, outcome); !wrong.empty()) return wrong;
  for (const auto& [name, gauge] : gauges) {
    outcome.figures[name] = gauge->value();
    if (std::vector<Vec2> curve = gauge->curve(); !curve.empty()) outcome.curves[name] = std::move(curve);
  }
  if (Problems wrong = reckon(one, outcome.figures, outcome.curves); !wrong.empty()) return wrong;
  outcome.seconds = std::chrono::duration<double>(WallClock::now() - start).count();
  return outcome;
}

Result<std::vector<Outcome>> validate(const CaseFiles& files, const std::vector<const Case*>& cases,
                                      const ValidateOptions& options) {
  std::vector<Outcome> outcomes;
  struct Work {
    std::size_t at = 0, seed = 0;
  };
  std::vector<Work> work;
  for (const Case* one : cases) {
    Outcome outcome{one, options.cases.quick, {}};
    if (one->kind != Kind::not_built) outcome.seeds.resize(std::min(options.seeds, one->most_seeds));
    for (std::size_t seed = 0; seed < outcome.seeds.size(); ++seed) work.push_back({outcomes.size(), seed});
    outcomes.push_back(std::move(outcome));
  }
  Problems problems;
  std::mutex mutex;
  analysis::side_by_side(work.size(), options.threads, [&](std::size_t i) {
    const Case& one = *cases[work[i].at];
    ValidateOptions own = options;
    own.draw = options.draw && work[i].seed == 0;
    Result<SeedOutcome> outcome = run_seed(files, one, options.first_seed + work[i].seed, own);
    const std::lock_guard lock(mutex);
    if (!outcome) {
      for (Problem wrong : outcome.problems()) {
        wrong.place = one.name + ": " + wrong.place;
        problems.push_back(std::move(wrong));
      }
      return;
    }
    if (options.done) options.done(one, *outcome);
    outcomes[work[i].at].seeds[work[i].seed] = std::move(outcome).value();
  });
  if (has_errors(problems)) return problems;
  return outcomes;
}

}  // namespace throng::validation
