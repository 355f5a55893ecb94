// What is looked at while people walk: a gauge sees every frame of a run, or of several, and gives a number or a curve.
//
// Laws
// 1. A gauge changes nothing in what it looks at.
// 2. What was not measured is not a number: no gauge guesses.
// 3. A run that is repeated is seen by the same gauges one after the other: begin, frames, end, begin, ...; numbers are of all together.
// Thread-safety: one thread a gauge.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "goals/area.hpp"
#include "throng/result.hpp"
#include "validation/case.hpp"
#include "validation/observation.hpp"

namespace throng::validation {

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

class Gauge {
 public:
  virtual ~Gauge() = default;
  [[nodiscard]] virtual Problems begin(const Scene& /*scene*/) { return {}; }
  virtual void see(const Frame& frame) = 0;
  virtual void end() {}
  [[nodiscard]] virtual double value() const { return not_measured; }
  /// Samples (x, y).
  [[nodiscard]] virtual std::vector<Vec2> curve() const { return {}; }
};

using GaugePtr = std::unique_ptr<Gauge>;
/// Throws what nlohmann throws where the arguments are not what they should be.
using MakeGauge = GaugePtr (*)(const Json& arguments);

struct GaugeKind {
  std::string_view name;
  MakeGauge make;
};

/// Each in the file its gauges are in.
[[nodiscard]] const std::vector<GaugeKind>& line_gauges();
[[nodiscard]] const std::vector<GaugeKind>& area_gauges();
[[nodiscard]] const std::vector<GaugeKind>& people_gauges();

// --- what gauges share

/// {"area": NAME} or {"polygon": [[x, y], ...], "layer": ID}.
[[nodiscard]] Result<goals::Area> area_of(const Json& arguments, const environment::CleanEnvironment& environment);
/// The number of a layer; that of the first where the arguments name none.
[[nodiscard]] Result<Index> layer_of(const Json& arguments, const environment::CleanEnvironment& environment);
[[nodiscard]] std::vector<Vec2> points_of(const Json& list);

/// Whose population is asked for; everybody where the arguments name none.
class OfPopulation {
 public:
  explicit OfPopulation(const Json& arguments) : name_(arguments.value("population", "")) {}
  [[nodiscard]] Problems begin(const Scene& scene);
  [[nodiscard]] bool operator()(const Walker& walker) const { return name_.empty() || walker.population == number_; }

 private:
  std::string name_;
  Index number_ = 0;
};

/// True in frames that are `every` seconds apart, from `from` to `until`.
class Clock {
 public:
  explicit Clock(const Json& arguments, double every = 1)
      : every_(arguments.value("every", every)),
        from_(arguments.value("from", 0.0)),
        until_(arguments.value("until", std::numeric_limits<double>::infinity())) {
    begin();
  }
  void begin() { next_ = from_; }
  [[nodiscard]] bool is_due(double time) {
    if (time + 1e-9 < next_ || time > until_ + 1e-9) return false;
    while (next_ <= time + 1e-9) next_ += every_;
    return true;
  }

 private:
  double every_, from_, until_, next_ = 0;
};

}  // namespace throng::validation
