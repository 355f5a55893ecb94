// Gauges of people one by one: when they set out and arrive, how fast they walk, whether they keep out of walls.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "validation/gauge.hpp"
#include "validation/statistics.hpp"
#include "validation/wall_checker.hpp"

namespace throng::validation {
namespace {

/// When the last arrived; nothing where somebody never does.
class LastOutGauge final : public Gauge {
 public:
  explicit LastOutGauge(const Json& arguments) : whose_(arguments) {}
  [[nodiscard]] Problems begin(const Scene& scene) override { return whose_.begin(scene); }
  void see(const Frame& frame) override {
    bool is_anybody_left = false;
    for (const Walker& walker : frame.people) is_anybody_left |= whose_(walker) && !walker.arrived;
    if (was_left_ && !is_anybody_left) last_ = frame.time;
    was_left_ = is_anybody_left;
  }
  void end() override {
    if (was_left_) last_ = not_measured;
  }
  [[nodiscard]] double value() const override { return last_; }

 private:
  OfPopulation whose_;
  bool was_left_ = false;
  double last_ = not_measured;
};

/// Seconds between the first and the last arrival of a population.
class ArrivalSpreadGauge final : public Gauge {
 public:
  explicit ArrivalSpreadGauge(const Json& arguments) : whose_(arguments) {}
  [[nodiscard]] Problems begin(const Scene& scene) override { return whose_.begin(scene); }
  void see(const Frame& frame) override {
    for (const Walker& walker : frame.people)
      if (whose_(walker)) last_seen_[walker.serial] = frame.time;
    is_anybody_left_ = std::ranges::any_of(frame.people, whose_);
  }
  [[nodiscard]] double value() const override {
    if (last_seen_.size() < 2 || is_anybody_left_) return not_measured;
    const auto [low, high] =
        std::ranges::minmax_element(last_seen_, {}, [](const auto& entry) { return entry.second; });
    return high->second - low->second;
  }

 private:
  OfPopulation whose_;
  std::map<std::uint64_t, double> last_seen_;
  bool is_anybody_left_ = false;
};

/// What everybody drew, by serial: who was put in first has the number 0 of the first population, and so on.
class DrawnPeople {
 public:
  void begin(const scenario::Simulation& simulation) {
    people_.clear(), drawn_.clear();
    const scenario::People people(simulation.setup(), simulation.seed());
    const auto& populations = simulation.scenario().populations;
    for (std::size_t p = 0; p < populations.size(); ++p) {
      const auto* count = std::get_if<scenario::Count>(&populations[p].who);
      for (std::uint32_t i = 0; count != nullptr && i < count->people; ++i) {
        people_.push_back(people.draw(p, i));
        drawn_.push_back(people.drawn(p, i));
      }
    }
  }
  /// Null for who came later.
  [[nodiscard]] const crowd::AgentSpec* spec(std::uint64_t serial) const {
    return serial - 1 < people_.size() ? &people_[serial - 1] : nullptr;
  }
  [[nodiscard]] const scenario::Drawn* drawn(std::uint64_t serial) const {
    return serial - 1 < drawn_.size() ? &drawn_[serial - 1] : nullptr;
  }

 private:
  std::vector<crowd::AgentSpec> people_;
  std::vector<scenario::Drawn> drawn_;
};

/// P(X <= x) of {"uniform": [a, b]}, {"normal": [m, s]}, "lognormal", "gamma", "weibull", or {"by": NAME, "table": ..., "deviation": d}.
double part_below(const Json& of, double x, const scenario::Drawn* drawn) {
  const auto two = [&](const char* name) {
    return std::pair(of.at(name).at(0).get<double>(), of.at(name).at(1).get<double>());
  };
  if (of.contains("uniform")) {
    const auto [a, b] = two("uniform");
    return std::clamp((x - a) / (b - a), 0.0, 1.0);
  }
  if (of.contains("normal")) return normal_below(x, two("normal").first, two("normal").second);
  if (of.contains("lognormal")) return lognormal_below(x, two("lognormal").first, two("lognormal").second);
  if (of.contains("gamma")) return gamma_below(x, two("gamma").first, two("gamma").second);
  if (of.contains("weibull")) return weibull_below(x, two("weibull").first, two("weibull").second);
  const std::vector<Vec2> rows = points_of(of.at("table"));
  const double by = drawn == nullptr ? 0 : drawn->at(of.at("by").get<std::string>());
  double mean = by < rows.front().x ? rows.front().y : rows.back().y;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    if (by >= rows[i].x && by <= rows[i + 1].x)
      mean = rows[i].y + (rows[i + 1].y - rows[i].y) * (by - rows[i].x) / (rows[i + 1].x - rows[i].x);
  return normal_below(x, mean, mean * of.at("deviation").get<double>());
}

/// Setting out: the beginning of the first step in which somebody's legs move. `error` is the largest difference to what was drawn; with a
/// distribution ("of") the value is its Kolmogorov-Smirnov distance, half a step before that: people set out in the first step that begins after
/// what they drew.
class StartsGauge final : public Gauge {
 public:
  explicit StartsGauge(const Json& arguments) : of_(arguments.value("of", Json())) {}
  [[nodiscard]] Problems begin(const Scene& scene) override {
    if (scene.simulation != nullptr) drawn_.begin(*scene.simulation);
    set_out_.clear(), places_.clear();
    last_time_ = 0, step_ = scene.time_step;
    return {};
  }
  void see(const Frame& frame) override {
    for (const Walker& walker : frame.people) {
      const auto [place, is_new] = places_.try_emplace(walker.serial, walker.position);
      const bool moves = !is_new && !walker.waits && distance(place->second, walker.position) > 1e-9;
      if (walker.waits) place->second = walker.position;
      if (!moves || set_out_.contains(walker.serial)) continue;
      set_out_[walker.serial] = last_time_;
      if (const crowd::AgentSpec* spec = drawn_.spec(walker.serial); spec != nullptr)
        error_ = std::max(error_, std::abs(last_time_ - spec->premovement));
      if (!of_.is_null()) parts_.push_back(part_below(of_, last_time_ - step_ / 2, drawn_.drawn(walker.serial)));
    }
    last_time_ = frame.time;
  }
  void end() override {
    if (set_out_.size() < places_.size()) error_ = not_measured;
  }
  [[nodiscard]] double value() const override {
    if (places_.empty()) return not_measured;
    if (of_.is_null()) return error_;
    return parts_.empty() ? not_measured : kolmogorov_smirnov(parts_);
  }
  [[nodiscard]] std::vector<Vec2> curve() const override {
    std::vector<Vec2> points;
    for (const double part : parts_) points.push_back({part, 0});
    return points;
  }

 private:
  Json of_;
  DrawnPeople drawn_;
  std::map<std::uint64_t, Vec2> places_;
  std::map<std::uint64_t, double> set_out_;
  std::vector<double> parts_;
  double error_ = 0, last_time_ = 0, step_ = 0.1;
};

/// How fast everybody walks: metres over seconds from 3 s after setting out until last seen. "what": mean, deviation, least, most, or the
/// Kolmogorov-Smirnov distance to a distribution ("of").
class WalkedSpeedGauge final : public Gauge {
 public:
  explicit WalkedSpeedGauge(const Json& arguments)
      : whose_(arguments), what_(arguments.value("what", "mean")), of_(arguments.value("of", Json())) {}
  [[nodiscard]] Problems begin(const Scene& scene) override {
    if (scene.simulation != nullptr) drawn_.begin(*scene.simulation);
    ways_.clear();
    return whose_.begin(scene);
  }
  void see(const Frame& frame) override {
    for (const Walker& walker : frame.people) {
      if (!whose_(walker) || walker.waits) continue;
      Way& way = ways_.try_emplace(walker.serial, Way{frame.time, frame.time, 0, 0, walker.position}).first->second;
      if (frame.time - way.began > settling) {
        way.metres += distance(way.at, walker.position);
        way.seconds += frame.time - way.last;
      }
      way.at = walker.position;
      way.last = frame.time;
    }
  }
  void end() override {
    for (const auto& [serial, way] : ways_) {
      if (!(way.seconds > 0)) continue;
      const double speed = way.metres / way.seconds;
      speeds_.push_back(speed);
      if (!of_.is_null()) parts_.push_back(part_below(of_, speed, drawn_.drawn(serial)));
    }
  }
  [[nodiscard]] double value() const override {
    if (speeds_.empty()) return not_measured;
    if (!of_.is_null()) return kolmogorov_smirnov(parts_);
    if (what_ == "deviation") return deviation_of(speeds_);
    if (what_ == "least") return std::ranges::min(speeds_);
    if (what_ == "most") return std::ranges::max(speeds_);
    return mean_of(speeds_);
  }

 private:
  static constexpr double settling = 3;  // s: speeding up takes half a second; then 0.2 % of it are left
  struct Way {
    double began = 0, last = 0, metres = 0, seconds = 0;
    Vec2 at;
  };

  OfPopulation whose_;
  std::string what_;
  Json of_;
  DrawnPeople drawn_;
  std::map<std::uint64_t, Way> ways_;
  std::vector<double> speeds_, parts_;
};

/// The mean of what people would walk alone on the level: their drawn speeds.
class FreeSpeedGauge final : public Gauge {
 public:
  explicit FreeSpeedGauge(const Json&) {}
  [[nodiscard]] Problems begin(const Scene& scene) override {
    if (scene.simulation == nullptr) return {};
    const agents::People people = scene.simulation->crowd().people();
    for (const crowd::Slot slot : scene.simulation->crowd().in_serial_order()) speeds_.push_back(people.speed[slot]);
    return {};
  }
  void see(const Frame&) override {}
  [[nodiscard]] double value() const override { return speeds_.empty() ? not_measured : mean_of(speeds_); }

 private:
  std::vector<double> speeds_;
};

/// How many complaints the exact checker has: walls touched or crossed (wall_checker.hpp).
class WallsGauge final : public Gauge {
 public:
  explicit WallsGauge(const Json&) {}
  [[nodiscard]] Problems begin(const Scene& scene) override {
    checker_ = std::make_unique<WallChecker>(*scene.environment);
    return {};
  }
  void see(const Frame& frame) override {
    std::vector<std::uint64_t> serials;
    std::vector<std::uint32_t> layers;
    std::vector<Vec2> positions;
    std::vector<double> radii;
    for (const Walker& walker : frame.people) {
      serials.push_back(walker.serial), layers.push_back(walker.layer);
      positions.push_back(walker.position), radii.push_back(walker.radius);
    }
    seen_ += frame.people.size();
    checker_->add({serials, layers, positions, radii});
  }
  void end() override { complaints_ += checker_->complaint_count(); }
  [[nodiscard]] double value() const override { return seen_ > 0 ? double(complaints_) : not_measured; }

 private:
  std::unique_ptr<WallChecker> checker_;
  std::size_t complaints_ = 0, seen_ = 0;
};

/// People who were ever there.
class PeopleGauge final : public Gauge {
 public:
  explicit PeopleGauge(const Json&) {}
  void see(const Frame& frame) override {
    for (const Walker& walker : frame.people) most_ = std::max(most_, walker.serial);
  }
  [[nodiscard]] double value() const override { return double(most_); }

 private:
  std::uint64_t most_ = 0;
};

template <class T>
GaugePtr make(const Json& arguments) {
  return std::make_unique<T>(arguments);
}

}  // namespace

const std::vector<GaugeKind>& people_gauges() {
  static const std::vector<GaugeKind> kinds{
      {"last_out", make<LastOutGauge>},     {"arrival_spread", make<ArrivalSpreadGauge>},
      {"starts", make<StartsGauge>},        {"walked_speed", make<WalkedSpeedGauge>},
      {"free_speed", make<FreeSpeedGauge>}, {"walls", make<WallsGauge>},
      {"people", make<PeopleGauge>}};
  return kinds;
}

}  // namespace throng::validation
