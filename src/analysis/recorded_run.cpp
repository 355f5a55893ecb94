#include "analysis/recorded_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "analysis/figures.hpp"
#include "environment/formats/formats.hpp"

namespace throng::analysis {

namespace {

using Json = nlohmann::ordered_json;
using recording::AgentRow;
using recording::Frame;
using recording::Recording;

constexpr double wanted_sample_time = 0.5;  // seconds
constexpr std::uint64_t most_samples = 2400;
constexpr std::size_t most_tracks = 3000;  // people
constexpr double set_out = 0.3;            // metres from where somebody appeared: walks, and does not wait to

Problem damaged(const std::string& path, std::string what) {
  return {Severity::error, ProblemCode::syntax, path, std::move(what)};
}

Json parsed(const std::string& text) { return Json::parse(text, nullptr, false); }

bool is_number(const Json& object, const char* key) { return object.contains(key) && object[key].is_number(); }

std::optional<Vec2> point(const Json& array) {
  if (!array.is_array() || array.size() != 2 || !array[0].is_number() || !array[1].is_number()) return std::nullopt;
  return Vec2{array[0].get<double>(), array[1].get<double>()};
}

/// Reads one recording; every step says what was wrong.
class Reader {
 public:
  Reader(const std::string& path, Recording recording) : recording_(std::move(recording)) {
    run_.path = path;
    run_.name = std::filesystem::path(path).stem().string();
    run_.meta = recording_.meta();
  }

  Result<RecordedRun> read() && {
    for (const auto step : {&Reader::read_environment, &Reader::read_people, &Reader::read_measures,
                            &Reader::read_metrics, &Reader::read_changes, &Reader::read_frames}) {
      Problems wrong = (this->*step)();
      if (has_errors(wrong)) return wrong;
    }
    if (!run_.finished) derive_figures();
    return std::move(run_);
  }

 private:
  Problems read_environment() {
    if (recording_.frame_count() == 0) return {{Severity::error, ProblemCode::io, run_.path, "holds no frames"}};
    Result<environment::CleanEnvironment> clean = recording_.environment();
    if (!clean) return clean.problems();
    run_.environment = std::move(clean).value();
    return {};
  }

  Problems read_people() {
    const Result<std::vector<AgentRow>> rows = recording_.agents();
    if (!rows) return rows.problems();
    for (const AgentRow& row : *rows) {
      Person person{row.serial, row.population, row.profile, row.appears};
      if (!std::isnan(row.leaves)) person.arrived = row.leaves;
      run_.people.push_back(person);
    }
    return {};
  }

  /// What was to be counted where. Recordings of older versions do not say it: then there are no lines and areas.
  Problems read_measures() {
    run_.parameters = parsed(run_.meta.parameters_json);
    if (!run_.parameters.is_object()) run_.parameters = Json::object();
    if (!run_.parameters.contains("measures")) return {};
    const Json& measures = run_.parameters["measures"];
    const bool lists = measures.is_object() && measures.contains("lines") && measures["lines"].is_array() &&
                       measures.contains("areas") && measures["areas"].is_array();
    if (!lists) return {damaged(run_.path, "parameter 'measures' makes no sense")};
    for (const Json& line : measures["lines"])
      if (!add_line(line)) return {damaged(run_.path, "a measured line makes no sense")};
    for (const Json& area : measures["areas"])
      if (!add_area(area)) return {damaged(run_.path, "a measured area makes no sense")};
    return {};
  }

  bool add_line(const Json& json) {
    if (!json.is_object() || !json.contains("name") || !json["name"].is_string() || !json.contains("from") ||
        !json.contains("to") || !json.contains("layer") || !json["layer"].is_number_unsigned())
      return false;
    const std::optional<Vec2> from = point(json["from"]), to = point(json["to"]);
    const auto layer = json["layer"].get<std::uint64_t>();
    if (!from || !to || layer >= run_.meta.layers.size()) return false;
    run_.lines.push_back({{json["name"].get<std::string>(), *from, *to, Index(layer)}, {}});
    return true;
  }

  bool add_area(const Json& json) {
    if (!json.is_object() || !json.contains("name") || !json["name"].is_string() || !is_number(json, "every"))
      return false;
    Index layer = goals::none;
    if (json.contains("layer")) {
      if (!json["layer"].is_number_unsigned() || json["layer"].get<std::uint64_t>() >= run_.meta.layers.size())
        return false;
      layer = json["layer"].get<Index>();
    }
    const Result<goals::Area> area = area_of(json, layer);
    const auto every = json["every"].get<double>();
    if (!area || !(every > 0)) return false;
    measured_areas_.push_back({json["name"].get<std::string>(), *area, every});
    run_.areas.push_back({measured_areas_.back().name, area->square_metres(), {}});
    next_sample_.push_back(0);
    return true;
  }

  [[nodiscard]] Result<goals::Area> area_of(const Json& json, Index layer) const {
    if (json.contains("area") && json["area"].is_string())
      return goals::Area::named(run_.environment, json["area"].get<std::string>(), layer);
    std::vector<Vec2> ring;
    if (json.contains("polygon") && json["polygon"].is_array())
      for (const Json& corner : json["polygon"])
        if (const std::optional<Vec2> p = point(corner)) ring.push_back(*p);
    return goals::Area::drawn(run_.environment, ring, layer == goals::none ? 0 : layer);
  }

  /// What the run counted itself.
  Problems read_metrics() {
    const Result<std::vector<recording::RecordedMetric>> metrics = recording_.metrics();
    if (!metrics) return metrics.problems();
    std::map<std::string, Json> named;
    for (const recording::RecordedMetric& metric : *metrics) named[metric.name] = parsed(metric.json);
    const auto summary = named.find("summary");
    if (summary == named.end()) return {};
    run_.figures = summary->second;
    bool usable = run_.figures.is_object();
    // What is counted apart (by ground, by exit) is an object or a list; the figures of all runs are none.
    for (const FigureOfRun& figure : figures())
      usable = usable && (figure.key == "ground" || !run_.figures.contains(figure.key) ||
                          run_.figures[figure.key].is_primitive());
    if (!usable || !is_number(run_.figures, "agents")) return {damaged(run_.path, "metric 'summary' makes no sense")};
    run_.finished = true;
    run_.stopped = run_.figures.value("stopped", Json(false)) == Json(true);
    if (named.contains("people") && !take_people(named["people"]))
      return {damaged(run_.path, "metric 'people' makes no sense")};
    for (LineResult& line : run_.lines)
      if (!take_crossings(line, named["line " + line.line.name]))
        return {damaged(run_.path, fmt::format("metric 'line {}' makes no sense", line.line.name))};
    for (AreaResult& area : run_.areas)
      if (!take_samples(area, named["area " + area.name]))
        return {damaged(run_.path, fmt::format("metric 'area {}' makes no sense", area.name))};
    if (named.contains("groups")) {
      auto groups = groups_from_json(named["groups"]);
      if (!groups) return {damaged(run_.path, "metric 'groups' makes no sense")};
      run_.groups = std::move(*groups);
    }
    return {};
  }

  Problems read_changes() {
    const Result<std::vector<recording::RecordedEvent>> events = recording_.events();
    if (!events) return events.problems();
    for (const recording::RecordedEvent& event : *events) {
      if (event.kind != change_kind) continue;
      const Json json = parsed(event.json);
      const bool is_sound = json.is_object() && json.contains("person") && json["person"].is_number_unsigned() &&
                            json.contains("why") && json["why"].is_string() && is_number(json, "x") &&
                            is_number(json, "y") && json.contains("layer") && json["layer"].is_number_unsigned() &&
                            json["layer"].get<std::uint64_t>() < run_.meta.layers.size();
      if (!is_sound) return {damaged(run_.path, "an event 'changed' makes no sense")};
      const auto name = [&](const char* key) {
        return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
      };
      run_.changes.push_back({event.time, json["person"].get<std::uint64_t>(), name("why"), name("from"), name("to"),
                              SeenAt{{json["x"].get<double>(), json["y"].get<double>()}, json["layer"].get<Index>()}});
    }
    return {};
  }

  bool take_people(const Json& json) {
    if (!json.is_object() || !json.contains("rows") || !json["rows"].is_array()) return false;
    std::size_t at = 0;
    for (const Json& row : json["rows"]) {
      if (!row.is_array() || row.size() < 5 || !row[0].is_number_unsigned()) return false;
      for (const std::size_t i : {2, 3, 4})
        if (!row[i].is_number()) return false;
      while (at < run_.people.size() && run_.people[at].serial < row[0].get<std::uint64_t>()) ++at;
      if (at == run_.people.size() || run_.people[at].serial != row[0].get<std::uint64_t>()) return false;
      Person& person = run_.people[at];
      person.arrived = row[1].is_number() ? std::optional(row[1].get<double>()) : std::nullopt;
      person.distance = row[2].get<double>();
      person.walked_for = row[3].get<double>();
      person.slow_time = row[4].get<double>();
    }
    return true;
  }

  static bool take_crossings(LineResult& line, const Json& json) {
    if (!json.is_object() || !json.contains("crossings") || !json["crossings"].is_array()) return false;
    for (const Json& row : json["crossings"]) {
      if (!row.is_array() || row.size() != 3 || !row[0].is_number() || !row[1].is_number_unsigned() ||
          !row[2].is_number_integer())
        return false;
      line.crossings.push_back({row[0].get<double>(), row[1].get<std::uint64_t>(), row[2].get<int>() > 0 ? 1 : -1});
    }
    return true;
  }

  static bool take_samples(AreaResult& area, const Json& json) {
    if (!json.is_object() || !json.contains("samples") || !json["samples"].is_array()) return false;
    for (const Json& row : json["samples"]) {
      if (!row.is_array() || row.size() != 3 || !row[0].is_number() || !row[1].is_number_unsigned() ||
          !row[2].is_number())
        return false;
      area.samples.push_back({row[0].get<double>(), row[1].get<std::uint64_t>(), row[2].get<double>()});
    }
    return true;
  }

  Problems read_frames() {
    const double frame_time = run_.meta.frame_time();
    run_.frames = recording_.frame_count();
    const auto frames = std::uint64_t(std::clamp(std::round(wanted_sample_time / frame_time), 1.0, 1e6));
    stride_ = std::max(frames, (run_.frames + most_samples - 1) / most_samples);
    run_.sample_time = frame_time * double(stride_);
    choose_tracks();
    CrowdMapper mapper(run_.environment);
    SpeedDensity speed_density(run_.environment);
    Problems wrong = recording_.each_frame([&](const Frame& frame) {
      if (frame.number == 0) run_.begin = frame.time;
      run_.end = frame.time;
      if (!run_.finished) measure(frame);
      note_places(frame);
      if (frame.number % stride_ != 0) return true;
      take_sample(frame);
      mapper.add(frame.time, people_now_, run_.sample_time);
      speed_density.add(people_now_);
      return true;
    });
    if (!wrong.empty()) return wrong;
    run_.maps = std::move(mapper).finish();
    run_.speed_density = speed_density.result();
    close_tracks();
    return {};
  }

  /// Everybody's last place: serials ascend in frames and rows.
  void note_places(const Frame& frame) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      while (row < run_.people.size() && run_.people[row].serial < frame.serial[i]) ++row;
      if (row < run_.people.size() && run_.people[row].serial == frame.serial[i])
        run_.people[row].last_place = SeenAt{frame.position[i], frame.layer[i]};
    }
  }

  struct Seen {
    std::uint64_t serial = 0;
    Vec2 position, first;
    bool walks = false;
  };

  /// Speeds since the last sample; whoever has not set out yet, or has arrived and stays, says nothing of how one walks.
  void take_sample(const Frame& frame) {
    people_now_.clear(), seen_now_.clear();
    std::size_t before = 0, row = 0;
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      const std::uint64_t serial = frame.serial[i];
      const Vec2 p = frame.position[i];
      while (before < seen_.size() && seen_[before].serial < serial) ++before;
      const bool known = before < seen_.size() && seen_[before].serial == serial;
      Seen seen = known ? seen_[before] : Seen{serial, p, p, false};
      Presence now{p, frame.layer[i]};
      now.speed = known && frame.time > last_time_
                      ? std::sqrt(squared_length(p - seen.position)) / (frame.time - last_time_)
                      : -1;
      seen.walks = seen.walks || squared_length(p - seen.first) > set_out * set_out;
      while (row < run_.people.size() && run_.people[row].serial < serial) ++row;
      const bool has_row = row < run_.people.size() && run_.people[row].serial == serial;
      now.on_the_way = seen.walks && !(has_row && run_.people[row].arrived && *run_.people[row].arrived <= frame.time);
      seen.position = p;
      people_now_.push_back(now);
      seen_now_.push_back(seen);
      if (has_row) add_to_track(row, p, frame.layer[i]);
    }
    std::swap(seen_, seen_now_);
    last_time_ = frame.time;
    run_.presence.push_back({frame.time, double(frame.serial.size())});
  }

  /// Everybody, or every second, third, ... of many.
  void choose_tracks() {
    track_stride_ = std::max<std::size_t>(1, (run_.people.size() + most_tracks - 1) / most_tracks);
    open_tracks_.resize(run_.people.size() / track_stride_ + 1);
  }

  void add_to_track(std::size_t person, Vec2 p, std::uint32_t layer) {
    if (person % track_stride_ != 0) return;
    Track& track = open_tracks_[person / track_stride_];
    if (!track.points.empty() && track.layer != layer) {
      const Vec2 door = track.points.back();
      run_.tracks.push_back(std::exchange(track, {}));
      track.points.push_back(door);  // no gap where the layer changes
    }
    run_.people_with_tracks += track.points.empty();
    track.walker = person / track_stride_;
    track.layer = layer;
    track.population = run_.people[person].population;
    track.points.push_back(p);
  }

  void close_tracks() {
    for (Track& track : open_tracks_)
      if (!track.points.empty()) run_.tracks.push_back(std::move(track));
  }

  /// Crossings and densities of a run that was cut short.
  void measure(const Frame& frame) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      while (before < last_serial_.size() && last_serial_[before] < frame.serial[i]) ++before;
      if (before == last_serial_.size() || last_serial_[before] != frame.serial[i]) continue;
      for (LineResult& result : run_.lines) {
        if (result.line.layer != last_layer_[before] && result.line.layer != frame.layer[i]) continue;
        const int direction = crossing(result.line, last_position_[before], frame.position[i]);
        if (direction != 0) result.crossings.push_back({frame.time, frame.serial[i], direction});
      }
    }
    if (!run_.lines.empty()) {
      last_serial_.assign(frame.serial.begin(), frame.serial.end());
      last_position_.assign(frame.position.begin(), frame.position.end());
      last_layer_.assign(frame.layer.begin(), frame.layer.end());
    }
    for (std::size_t a = 0; a < measured_areas_.size(); ++a) measure_area(frame, a);
  }

  void measure_area(const Frame& frame, std::size_t a) {
    constexpr double time_rounding = 1e-9;
    if (frame.time + time_rounding < next_sample_[a]) return;
    std::uint64_t inside = 0;
    for (std::size_t i = 0; i < frame.serial.size(); ++i)
      inside += measured_areas_[a].area.contains({frame.position[i], frame.layer[i]});
    run_.areas[a].samples.push_back({frame.time, inside, double(inside) / run_.areas[a].square_metres});
    next_sample_[a] += measured_areas_[a].every;
  }

  void derive_figures() {
    const std::vector<double> arrivals = run_.arrivals();
    RunEnd end{.seed = run_.meta.seed};
    Summary& s = end.summary;
    s.agents = run_.people.size();
    s.arrived = arrivals.size();
    s.steps = std::uint64_t(std::round(std::max(0.0, run_.end) / run_.meta.time_step));
    s.sim_time = run_.end;
    s.evacuated_50 = evacuated(arrivals, run_.people.size(), 0.5);
    s.evacuated_95 = evacuated(arrivals, run_.people.size(), 0.95);
    s.evacuated_100 = evacuated(arrivals, run_.people.size(), 1);
    for (const Person& person : run_.people) s.mean_travel_time += person.travel_time().value_or(0);
    if (!arrivals.empty()) s.mean_travel_time /= double(arrivals.size());
    run_.figures = to_json_from_frames(end);
  }

  Recording recording_;
  RecordedRun run_;
  std::vector<MeasuredArea> measured_areas_;
  std::vector<double> next_sample_;
  std::uint64_t stride_ = 1;
  std::vector<Presence> people_now_;
  std::vector<Seen> seen_, seen_now_;  ///< of the last sample, of this one
  double last_time_ = 0;
  std::size_t track_stride_ = 1;
  std::vector<Track> open_tracks_;
  std::vector<std::uint64_t> last_serial_;  ///< of the last frame: these three side by side
  std::vector<Vec2> last_position_;
  std::vector<std::uint32_t> last_layer_;
};

}  // namespace

std::vector<double> RecordedRun::arrivals() const {
  std::vector<double> times;
  for (const Person& person : people)
    if (person.arrived) times.push_back(*person.arrived);
  std::sort(times.begin(), times.end());
  return times;
}

std::optional<double> RecordedRun::figure(const std::string& key) const {
  const auto found = figures.find(key);
  return found != figures.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

Result<RecordedRun> read_run(const std::string& path) {
  Result<Recording> recording = Recording::open(path);
  if (!recording) return recording.problems();
  return Reader(path, std::move(recording).value()).read();
}

}  // namespace throng::analysis
