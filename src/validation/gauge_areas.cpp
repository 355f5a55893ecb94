// Gauges of areas: who is in them, how densely, how fast.
#include <algorithm>
#include <cmath>
#include <optional>

#include "validation/gauge.hpp"
#include "validation/statistics.hpp"
#include "validation/voronoi_measure.hpp"

namespace throng::validation {
namespace {

class AreaGauge : public Gauge {
 public:
  explicit AreaGauge(const Json& arguments) : arguments_(arguments), whose_(arguments) {}
  [[nodiscard]] Problems begin(const Scene& scene) override {
    Result<goals::Area> area = area_of(arguments_, *scene.environment);
    if (!area) return area.problems();
    area_ = std::move(area).value();
    return whose_.begin(scene);
  }

 protected:
  [[nodiscard]] std::vector<const Walker*> inside(const Frame& frame) const {
    std::vector<const Walker*> found;
    for (const Walker& walker : frame.people)
      if (whose_(walker) && area_->contains({walker.position, walker.layer})) found.push_back(&walker);
    return found;
  }
  [[nodiscard]] double square_metres() const { return area_->square_metres(); }

 private:
  Json arguments_;
  OfPopulation whose_;
  std::optional<goals::Area> area_;
};

/// The last time anybody was in it; nothing where somebody still is, or nobody ever was.
class EmptiesGauge final : public AreaGauge {
 public:
  using AreaGauge::AreaGauge;
  void see(const Frame& frame) override {
    const bool is_full = !inside(frame).empty();
    if (was_full_ && !is_full) last_ = frame.time;
    was_full_ = is_full;
  }
  void end() override {
    if (was_full_) last_ = not_measured;
  }
  [[nodiscard]] double value() const override { return last_; }

 private:
  bool was_full_ = false;
  double last_ = not_measured;
};

/// Density second by second; the value is the mean of the ten densest seconds, a jam.
class JamGauge final : public AreaGauge {
 public:
  explicit JamGauge(const Json& arguments) : AreaGauge(arguments), clock_(arguments) {}
  [[nodiscard]] Problems begin(const Scene& scene) override {
    clock_.begin();
    return AreaGauge::begin(scene);
  }
  void see(const Frame& frame) override {
    if (clock_.is_due(frame.time)) samples_.push_back({frame.time, double(inside(frame).size()) / square_metres()});
  }
  [[nodiscard]] double value() const override {
    std::vector<double> densities;
    for (const Vec2 sample : samples_) densities.push_back(sample.y);
    if (densities.empty()) return not_measured;
    std::ranges::sort(densities, std::greater<>());
    densities.resize(std::min<std::size_t>(10, densities.size()));
    return mean_of(densities);
  }
  [[nodiscard]] std::vector<Vec2> curve() const override { return samples_; }

 private:
  Clock clock_;
  std::vector<Vec2> samples_;
};

/// Where the speed counts: how fast anybody moves, or along a direction.
class SpeedOf {
 public:
  explicit SpeedOf(const Json& arguments) {
    if (arguments.contains("along")) along_ = points_of(Json::array({arguments.at("along")}))[0];
  }
  [[nodiscard]] double operator()(const Walker& walker) const {
    return along_ ? dot(walker.velocity, *along_) : length(walker.velocity);
  }

 private:
  std::optional<Vec2> along_;  ///< unit vector
};

/// Persons in an area over its size, and the mean speed of those who have one: samples (density, speed).
class ClassicalGauge final : public AreaGauge {
 public:
  explicit ClassicalGauge(const Json& arguments)
      : AreaGauge(arguments),
        clock_(arguments),
        speed_(arguments),
        of_density_(arguments.value("value", "speed") == "density") {}
  [[nodiscard]] Problems begin(const Scene& scene) override {
    clock_.begin();
    return AreaGauge::begin(scene);
  }
  void see(const Frame& frame) override {
    if (!clock_.is_due(frame.time)) return;
    const std::vector<const Walker*> people = inside(frame);
    double sum = 0, count = 0;
    for (const Walker* walker : people)
      if (walker->has_speed) sum += speed_(*walker), ++count;
    densities_.push_back(double(people.size()) / square_metres());
    if (count > 0) samples_.push_back({double(people.size()) / square_metres(), sum / count});
  }
  /// Mean over the times, of the density or, where anybody had one, of the speed.
  [[nodiscard]] double value() const override {
    if (densities_.empty() || (!of_density_ && samples_.empty())) return not_measured;
    if (of_density_) return mean_of(densities_);
    double sum = 0;
    for (const Vec2 sample : samples_) sum += sample.y / double(samples_.size());
    return sum;
  }
  [[nodiscard]] std::vector<Vec2> curve() const override { return samples_; }

 private:
  Clock clock_;
  SpeedOf speed_;
  bool of_density_;
  std::vector<double> densities_;
  std::vector<Vec2> samples_;
};

/// The same by Voronoi cells: {"polygon", "walls", "reach": 1}. Both convex, in one layer.
class VoronoiGauge final : public Gauge {
 public:
  explicit VoronoiGauge(const Json& arguments)
      : clock_(arguments),
        speed_(arguments),
        area_(points_of(arguments.at("polygon"))),
        walls_(points_of(arguments.at("walls"))),
        reach_(arguments.value("reach", 1.0)),
        of_density_(arguments.value("value", "speed") == "density") {}
  [[nodiscard]] Problems begin(const Scene&) override {
    clock_.begin();
    return {};
  }
  void see(const Frame& frame) override {
    if (!clock_.is_due(frame.time)) return;
    std::vector<MovingPoint> people;
    for (const Walker& walker : frame.people)
      people.push_back({walker.position, walker.has_speed ? std::optional(speed_(walker)) : std::nullopt});
    const DensityAndSpeed found = voronoi_measure(people, walls_, area_, reach_);
    if (found.speed) samples_.push_back({found.density, *found.speed});
  }
  [[nodiscard]] double value() const override {
    if (samples_.empty()) return not_measured;
    Vec2 sum;
    for (const Vec2 sample : samples_) sum = sum + sample / double(samples_.size());
    return of_density_ ? sum.x : sum.y;
  }
  [[nodiscard]] std::vector<Vec2> curve() const override { return samples_; }

 private:
  Clock clock_;
  SpeedOf speed_;
  std::vector<Vec2> area_, walls_;
  double reach_;
  bool of_density_;
  std::vector<Vec2> samples_;
};

/// People behind each other on a closed line: samples (persons a metre about somebody, its speed along the line).
class SingleFileGauge final : public Gauge {
 public:
  explicit SingleFileGauge(const Json& arguments) : clock_(arguments), line_(points_of(arguments.at("ring"))) {
    for (std::size_t i = 0; i < line_.size(); ++i) {
      starts_.push_back(length_);
      length_ += distance(line_[i], line_[(i + 1) % line_.size()]);
    }
  }
  [[nodiscard]] Problems begin(const Scene&) override {
    clock_.begin();
    return {};
  }
  void see(const Frame& frame) override {
    if (!clock_.is_due(frame.time) || frame.people.size() < 2) return;
    struct OnLine {
      double at = 0, speed = 0;
    };
    std::vector<OnLine> all;
    for (const Walker& walker : frame.people) {
      const auto [at, along] = foot(walker.position);
      all.push_back({at, dot(walker.velocity, along)});
    }
    std::ranges::sort(all, {}, &OnLine::at);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double ahead = std::fmod(all[(i + 1) % all.size()].at - all[i].at + length_, length_);
      const double behind = std::fmod(all[i].at - all[(i + all.size() - 1) % all.size()].at + length_, length_);
      const double cell = all.size() == 2 ? length_ / 2 : (ahead + behind) / 2;
      if (cell > 0) samples_.push_back({1 / cell, all[i].speed});
    }
  }
  [[nodiscard]] double value() const override {
    if (samples_.empty()) return not_measured;
    double sum = 0;
    for (const Vec2 sample : samples_) sum += sample.y / double(samples_.size());
    return sum;
  }
  [[nodiscard]] std::vector<Vec2> curve() const override { return samples_; }

 private:
  /// Where on the line, and which way it leads there.
  [[nodiscard]] std::pair<double, Vec2> foot(Vec2 p) const {
    double nearest = 1e300, at = 0;
    Vec2 direction;
    for (std::size_t i = 0; i < line_.size(); ++i) {
      const Vec2 a = line_[i], d = line_[(i + 1) % line_.size()] - a;
      const double part = std::clamp(dot(p - a, d) / squared_length(d), 0.0, 1.0);
      const double off = squared_length(p - (a + d * part));
      if (off < nearest) nearest = off, at = starts_[i] + part * length(d), direction = d / length(d);
    }
    return {at, direction};
  }

  Clock clock_;
  std::vector<Vec2> line_;
  std::vector<double> starts_;
  double length_ = 0;
  std::vector<Vec2> samples_;
};

/// Mean over rows across the way of ((one way - other way) / people)^2, weighted by people (docs/crowd.md); 1/n beside it is chance.
class LaneOrderGauge final : public AreaGauge {
 public:
  explicit LaneOrderGauge(const Json& arguments)
      : AreaGauge(arguments),
        clock_(arguments),
        row_(arguments.value("row", 0.6)),
        is_chance_(arguments.value("chance", false)) {}
  [[nodiscard]] Problems begin(const Scene& scene) override {
    clock_.begin();
    return AreaGauge::begin(scene);
  }
  void see(const Frame& frame) override {
    if (!clock_.is_due(frame.time)) return;
    std::map<long, Vec2> rows;  // of each population
    double people = 0;
    for (const Walker* walker : inside(frame)) {
      Vec2& row = rows[std::lround(std::floor(walker->position.y / row_))];
      (walker->population == 0 ? row.x : row.y) += 1;
      ++people;
    }
    if (people < 2) return;
    double order = 0;
    for (const auto& [number, row] : rows)
      order += is_chance_ ? 1 : (row.x - row.y) * (row.x - row.y) / (row.x + row.y);
    values_.push_back(order / people);
  }
  [[nodiscard]] double value() const override { return values_.empty() ? not_measured : mean_of(values_); }

 private:
  Clock clock_;
  double row_;
  bool is_chance_;
  std::vector<double> values_;
};

template <class T>
GaugePtr make(const Json& arguments) {
  return std::make_unique<T>(arguments);
}

}  // namespace

const std::vector<GaugeKind>& area_gauges() {
  static const std::vector<GaugeKind> kinds{
      {"empties", make<EmptiesGauge>},        {"jam", make<JamGauge>},
      {"classical", make<ClassicalGauge>},    {"voronoi", make<VoronoiGauge>},
      {"single_file", make<SingleFileGauge>}, {"lane_order", make<LaneOrderGauge>}};
  return kinds;
}

}  // namespace throng::validation
