// Gauges of who crosses lines: how many, how fast one after the other, how long nobody.
#include <algorithm>
#include <map>
#include <optional>

#include "analysis/metrics.hpp"
#include "validation/gauge.hpp"

namespace throng::validation {
namespace {

/// Crossings of a line from its left to its right, each person once, whatever they do later.
class LineGauge : public Gauge {
 public:
  explicit LineGauge(const Json& arguments, const char* member = "line") : whose_(arguments) {
    const std::vector<Vec2> ends = points_of(arguments.at(member));
    line_.from = ends.at(0), line_.to = ends.at(1);
    arguments_ = arguments;
  }
  [[nodiscard]] Problems begin(const Scene& scene) override {
    before_.clear();
    const Result<Index> layer = layer_of(arguments_, *scene.environment);
    if (!layer) return layer.problems();
    line_.layer = *layer;
    return whose_.begin(scene);
  }
  void see(const Frame& frame) override {
    for (const Walker& walker : frame.people) {
      if (!whose_(walker)) continue;
      const auto [was, is_new] = before_.try_emplace(walker.serial, walker);
      if (!is_new && was->second.layer == walker.layer && walker.layer == line_.layer)
        cross(was->second, walker, frame);
      was->second = walker;
    }
    last_time_ = frame.time;
  }
  void end() override {
    for (const auto& [serial, crossing] : crossed_) times_.push_back(crossing.at_step);
    crossed_.clear();
    std::ranges::sort(times_);
  }

 protected:
  struct Crossing {
    double at_step = 0;  ///< of the frame in which somebody is behind the line
    double exact = 0;    ///< between the frames
  };
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] const std::map<std::uint64_t, Crossing>& crossed() const { return crossed_; }

 private:
  void cross(const Walker& was, const Walker& is, const Frame& frame) {
    if (analysis::crossing(line_, was.position, is.position) != 1) return;
    const Vec2 along = line_.to - line_.from;
    const double from = cross_of(along, was.position), to = cross_of(along, is.position);
    const double part = from != to ? from / (from - to) : 1;
    crossed_.try_emplace(is.serial, Crossing{frame.time, last_time_ + part * (frame.time - last_time_)});
  }
  [[nodiscard]] double cross_of(Vec2 along, Vec2 p) const { return throng::cross(along, p - line_.from); }

  OfPopulation whose_;
  analysis::MeasuredLine line_;
  Json arguments_;
  std::map<std::uint64_t, Walker> before_;
  std::map<std::uint64_t, Crossing> crossed_;
  std::vector<double> times_;
  double last_time_ = 0;
};

/// Persons a second between the first and the last of them; with `width` a metre of it, too.
class FlowGauge final : public LineGauge {
 public:
  explicit FlowGauge(const Json& arguments) : LineGauge(arguments), width_(arguments.value("width", 1.0)) {}
  [[nodiscard]] double value() const override {
    if (times().size() < 2 || !(times().back() > times().front())) return not_measured;
    return double(times().size() - 1) / (times().back() - times().front()) / width_;
  }
  /// How many had crossed by when.
  [[nodiscard]] std::vector<Vec2> curve() const override {
    std::vector<Vec2> points;
    for (std::size_t i = 0; i < times().size(); ++i) points.push_back({times()[i], double(i + 1)});
    return points;
  }

 private:
  double width_;
};

class CrossingsGauge final : public LineGauge {
 public:
  using LineGauge::LineGauge;
  [[nodiscard]] double value() const override { return double(times().size()); }
};

/// When the last, or with `count` the so many-th, crossed.
class CrossedByGauge final : public LineGauge {
 public:
  explicit CrossedByGauge(const Json& arguments) : LineGauge(arguments), count_(arguments.value("count", 0u)) {}
  [[nodiscard]] double value() const override {
    if (times().empty() || count_ > times().size()) return not_measured;
    return count_ > 0 ? times()[count_ - 1] : times().back();
  }

 private:
  std::size_t count_;
};

/// The longest time between two crossings while somebody stands within a metre of the line, on its left: an arch.
class LongestGapGauge final : public LineGauge {
 public:
  explicit LongestGapGauge(const Json& arguments) : LineGauge(arguments) {
    const std::vector<Vec2> ends = points_of(arguments.at("line"));
    from_ = ends[0], to_ = ends[1];
  }
  void see(const Frame& frame) override {
    const std::size_t before = crossed().size();
    LineGauge::see(frame);
    const bool is_anybody_near = std::ranges::any_of(frame.people, [&](const Walker& walker) {
      const Vec2 along = to_ - from_, off = walker.position - from_;
      const double part = std::clamp(dot(off, along) / squared_length(along), 0.0, 1.0);
      return throng::cross(along, off) > 0 && distance(off, along * part) < 1;
    });
    if (crossed().size() > before || !is_anybody_near || !since_) since_ = frame.time;
    longest_ = std::max(longest_, frame.time - *since_);
  }
  void end() override {
    LineGauge::end();
    since_.reset();
  }
  [[nodiscard]] double value() const override { return times().empty() ? not_measured : longest_; }

 private:
  Vec2 from_, to_;
  std::optional<double> since_;
  double longest_ = 0;
};

/// Shows its crossings.
class ShownLineGauge final : public LineGauge {
 public:
  using LineGauge::LineGauge;
  [[nodiscard]] const std::map<std::uint64_t, Crossing>& all() const { return crossed(); }
};

/// Seconds from one line to the other, mean over those who crossed both.
class BetweenGauge final : public Gauge {
 public:
  explicit BetweenGauge(const Json& arguments) : first_(arguments, "from_line"), second_(arguments, "to_line") {}
  [[nodiscard]] Problems begin(const Scene& scene) override {
    Problems problems = first_.begin(scene);
    const Problems more = second_.begin(scene);
    problems.insert(problems.end(), more.begin(), more.end());
    return problems;
  }
  void see(const Frame& frame) override { first_.see(frame), second_.see(frame); }
  void end() override {
    for (const auto& [serial, crossing] : first_.all())
      if (const auto other = second_.all().find(serial); other != second_.all().end())
        times_.push_back(other->second.exact - crossing.exact);
    first_.end(), second_.end();
  }
  [[nodiscard]] double value() const override {
    if (times_.empty()) return not_measured;
    double sum = 0;
    for (const double time : times_) sum += time / double(times_.size());
    return sum;
  }

 private:
  ShownLineGauge first_, second_;
  std::vector<double> times_;
};

template <class T>
GaugePtr make(const Json& arguments) {
  return std::make_unique<T>(arguments);
}

}  // namespace

const std::vector<GaugeKind>& line_gauges() {
  static const std::vector<GaugeKind> kinds{{"flow", make<FlowGauge>},
                                            {"crossings", make<CrossingsGauge>},
                                            {"crossed_by", make<CrossedByGauge>},
                                            {"longest_gap", make<LongestGapGauge>},
                                            {"between", make<BetweenGauge>}};
  return kinds;
}

}  // namespace throng::validation
