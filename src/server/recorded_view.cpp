// A recording, played: frames by number, who everybody was, where they went, and the plots, which are gathered in the background.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <thread>

#include "analysis/crowd_maps.hpp"
#include "environment/formats/formats.hpp"
#include "recording/recording.hpp"
#include "server/frame_pack.hpp"
#include "server/goal_labels.hpp"
#include "server/insights.hpp"
#include "server/local_density.hpp"
#include "server/recorded_plans.hpp"
#include "server/series.hpp"
#include "server/view.hpp"

namespace throng::server {
namespace {

using recording::AgentRow;
using recording::Frame;
using recording::Recording;

/// Of somebody's way, and people whose ways are drawn at once.
constexpr std::uint64_t most_way_points = 600, most_ways = 300;
/// People whose ways are remembered: who is asked about is asked about again.
constexpr std::size_t most_known_ways = 64;
/// Of the plots, whatever the length of the recording; and of all ways together, whoever is in it.
constexpr std::uint64_t most_rows = 20'000, most_points_of_ways = 1'000'000;
/// Lines that are plotted.
constexpr std::size_t most_lines = 256;

/// Counts crossings of the measured lines, from the recording's own figures.
class Flows {
 public:
  explicit Flows(const std::vector<recording::RecordedMetric>& metrics, const std::vector<AgentRow>& agents) {
    for (const recording::RecordedMetric& metric : metrics) {
      if (!metric.name.starts_with("line ") || names_.size() >= most_lines) continue;
      const Json json = Json::parse(metric.json, nullptr, false);
      if (!json.is_object() || !json.contains("crossings") || !json["crossings"].is_array()) continue;
      std::vector<double> times;
      for (const Json& crossing : json["crossings"])
        if (crossing.is_array() && !crossing.empty() && crossing[0].is_number()) times.push_back(crossing[0]);
      add(metric.name.substr(5), std::move(times));
    }
    if (!names_.empty()) return;
    std::vector<double> times;
    for (const AgentRow& agent : agents)
      if (!std::isnan(agent.leaves)) times.push_back(agent.leaves);
    add("arrivals", std::move(times));
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Persons a second over the window that ends at `time`.
  [[nodiscard]] std::vector<double> at(double time) const {
    std::vector<double> flows;
    for (const std::vector<double>& times : times_)
      flows.push_back(double(std::upper_bound(times.begin(), times.end(), time) -
                             std::upper_bound(times.begin(), times.end(), time - flow_window)) /
                      flow_window);
    return flows;
  }

 private:
  void add(std::string name, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    names_.push_back(std::move(name));
    times_.push_back(std::move(times));
  }
  std::vector<std::string> names_;
  std::vector<std::vector<double>> times_;
};

/// Densities in the measured areas, from the recording's own figures.
class Densities {
 public:
  explicit Densities(const std::vector<recording::RecordedMetric>& metrics) {
    for (const recording::RecordedMetric& metric : metrics) {
      if (!metric.name.starts_with("area ") || names_.size() >= most_lines) continue;
      const Json json = Json::parse(metric.json, nullptr, false);
      if (!json.is_object() || !json.contains("samples") || !json["samples"].is_array()) continue;
      std::vector<std::pair<double, double>> samples;
      for (const Json& row : json["samples"])
        if (row.is_array() && row.size() > 2 && row[0].is_number() && row[2].is_number())
          samples.emplace_back(row[0].get<double>(), row[2].get<double>());
      std::stable_sort(samples.begin(), samples.end());
      names_.push_back(metric.name.substr(5));
      samples_.push_back(std::move(samples));
    }
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// As last measured up to `time`.
  [[nodiscard]] std::vector<double> at(double time) const {
    std::vector<double> densities;
    for (const auto& samples : samples_) {
      const auto after = std::upper_bound(samples.begin(), samples.end(),
                                          std::pair(time + 1e-9, std::numeric_limits<double>::infinity()));
      densities.push_back(after == samples.begin() ? 0 : std::prev(after)->second);
    }
    return densities;
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<std::pair<double, double>>> samples_;  ///< time, persons a square metre
};

/// Places that are told.
constexpr std::size_t most_tight = 5;

/// A frame that outlives the reader's next call.
struct KeptFrame {
  double time = 0;
  std::vector<std::uint64_t> serial;
  std::vector<Vec2> position;
};

KeptFrame keep(const Frame& frame) {
  return {frame.time, {frame.serial.begin(), frame.serial.end()}, {frame.position.begin(), frame.position.end()}};
}

/// Mean speed of those in both frames.
double mean_speed(const KeptFrame& before, const Frame& now) {
  double sum = 0;
  std::size_t people = 0;
  const double seconds = now.time - before.time;
  for (std::size_t i = 0, j = 0; i < before.serial.size() && j < now.serial.size();) {
    if (before.serial[i] == now.serial[j]) {
      sum += std::sqrt(squared_length(now.position[j++] - before.position[i++]));
      ++people;
    } else {
      before.serial[i] < now.serial[j] ? ++i : ++j;
    }
  }
  return people > 0 && seconds > 0 ? sum / double(people) / seconds : 0;
}

/// Of thousands a run: who takes another way, who loses their group. What was changed of the world are few.
bool is_of_people(std::string_view kind) { return kind == "changed" || kind == "parted" || kind == "rejoined"; }

class RecordedView : public WorldView {
 public:
  RecordedView(StaticFiles client, const std::string& path, crowd::WorldPtr world, Recording recording,
               Recording background, Recording for_ways, std::vector<AgentRow> agents,
               const std::vector<recording::RecordedMetric>& metrics,
               const std::vector<recording::RecordedEvent>& events)
      : WorldView(std::move(client), std::filesystem::path(path).filename().string(), std::move(world)),
        path_(path),
        recording_(std::move(recording)),
        background_(std::move(background)),
        for_ways_(std::move(for_ways)),
        agents_(std::move(agents)),
        flows_(metrics, agents_),
        densities_(metrics),
        plans_(recording_.meta(), agents_, this->world(), path),
        frames_(recording_.frame_count()),
        frame_time_(recording_.meta().frame_time()) {
    for (const AgentRow& agent : agents_)
      if (!std::isnan(agent.leaves)) arrivals_.push_back(agent.leaves);
    std::sort(arrivals_.begin(), arrivals_.end());
    label_goals();
    for (const recording::RecordedEvent& event : events) {
      if (is_of_people(event.kind)) continue;
      const Json what = Json::parse(event.json, nullptr, false);
      events_.push_back(
          {{"time", event.time}, {"kind", event.kind}, {"what", what.is_discarded() ? Json(nullptr) : what}});
    }
    series_.set_lines(flows_.names());
    series_.set_areas(densities_.names());
    gatherer_ = std::thread([this] {
      try {
        gather();
      } catch (const std::exception&) {  // no memory: the plots stay as far as they came
        series_.complete();
      }
    });
  }
  ~RecordedView() override {
    stop_ = true;
    gatherer_.join();
  }
  RecordedView(const RecordedView&) = delete;
  RecordedView& operator=(const RecordedView&) = delete;

 protected:
  Json session() override {
    const recording::Meta& meta = recording_.meta();
    Json json = WorldView::session();
    json["mode"] = "recording";
    json["program"] = meta.program;
    json["seed"] = meta.seed;
    json["frames"] = frames_;
    json["frame_time"] = frame_time_;
    json["duration"] = double(frames_ - 1) * frame_time_;
    json["people"] = agents_.size();
    json["populations"] = meta.populations;
    json["profiles"] = meta.profiles;
    json["goals"] = labels_.names();
    json["lines"] = flows_.names();
    json["areas"] = densities_.names();
    json["measured"] = describe_lines(plans_.lines(), origin());
    json["events"] = events_;
    return json;
  }

  std::optional<Response> answer_own(const Request& request) override {
    if (request.path == "/api/agents") return binary_response(pack_agents());
    if (request.path == "/api/frames") {
      const std::lock_guard lock(mutex_);
      return pack_frames(recording_, origin(), request);
    }
    if (request.path == "/api/person") return person(request);
    if (request.path == "/api/route") return route(request);
    if (request.path == "/api/series") return binary_response(series_.pack(count_in(request, "first").value_or(0)));
    if (request.path == "/api/ways") return ways();
    if (request.path == "/api/tight") return tight();
    if (request.path == "/api/count")
      return answer_count(request, path_, origin(), this->world()->environment.layers.size(), stop_);
    return std::nullopt;
  }

 private:
  void label_goals() {
    for (std::size_t i = 0; i < agents_.size(); ++i)
      goal_.push_back(plans_.known() ? labels_.number_of(plans_.itinerary_of(i), plans_.areas())
                                     : labels_.number_of(std::string("unknown")));
  }

  [[nodiscard]] std::string pack_agents() const {
    std::vector<std::uint32_t> serial;
    std::vector<std::uint16_t> population, profile;
    std::vector<float> radius, appears, leaves;
    for (const AgentRow& agent : agents_) {
      serial.push_back(std::uint32_t(agent.serial));
      population.push_back(std::uint16_t(agent.population));
      profile.push_back(std::uint16_t(agent.profile));
      radius.push_back(float(agent.radius));
      appears.push_back(float(agent.appears));
      leaves.push_back(float(agent.leaves));
    }
    Pack pack;
    pack.array("serial", serial);
    pack.array("population", population);
    pack.array("profile", profile);
    pack.array("goal", goal_);
    pack.array("radius", radius);
    pack.array("appears", appears);
    pack.array("leaves", leaves);
    return pack.finish(Json::object());
  }

  [[nodiscard]] std::uint64_t frame_at(double time) const {
    return std::uint64_t(std::clamp(std::round(time / frame_time_), 0.0, double(frames_ - 1)));
  }

  /// Where somebody was, about once a second, and what they were done with by then.
  struct KnownWay {
    std::vector<WayPoint> points;
    std::vector<double> goals_done;
  };

  [[nodiscard]] std::optional<std::size_t> row_of(const Request& request) const {
    const auto serial = count_in(request, "serial");
    const auto found = std::lower_bound(agents_.begin(), agents_.end(), serial.value_or(0),
                                        [](const AgentRow& row, std::uint64_t s) { return row.serial < s; });
    if (!serial || found == agents_.end() || found->serial != *serial) return std::nullopt;
    return std::size_t(found - agents_.begin());
  }

  /// Where somebody was at a frame of the recording; nothing where they were not there.
  std::optional<WayPoint> place_at(std::uint64_t number, std::uint64_t serial) {
    const Result<Frame> frame = for_ways_.frame(number);
    if (!frame) return std::nullopt;
    const auto found = std::lower_bound(frame->serial.begin(), frame->serial.end(), serial);
    if (found == frame->serial.end() || *found != serial) return std::nullopt;
    const auto i = std::size_t(found - frame->serial.begin());
    return WayPoint{{frame->position[i], frame->layer[i]}, frame->time};
  }

  /// Called with the mutex of ways held.
  const KnownWay& way_of(std::size_t row) {
    if (const auto found = known_ways_.find(row); found != known_ways_.end()) return found->second;
    if (known_ways_.size() >= most_known_ways) known_ways_.clear();
    const AgentRow& agent = agents_[row];
    const std::uint64_t from = frame_at(agent.appears);
    const std::uint64_t to = std::isnan(agent.leaves) ? frames_ - 1 : frame_at(agent.leaves);
    const auto a_second = std::uint64_t(std::max(1.0, std::round(1 / frame_time_)));
    const std::uint64_t stride = std::max(a_second, (to - from) / most_way_points + 1);
    KnownWay way;
    for (std::uint64_t number = from; number <= to; number += stride)
      if (const std::optional<WayPoint> point = place_at(number, agent.serial)) way.points.push_back(*point);
    way.goals_done = plans_.goals_done(row, way.points);
    return known_ways_.emplace(row, std::move(way)).first->second;
  }

  Response person(const Request& request) {
    const std::optional<std::size_t> row = row_of(request);
    if (!row) return refusal(404, "there is no such person");
    const AgentRow& agent = agents_[*row];
    const recording::Meta& meta = recording_.meta();
    Json goals = Json::array(), points = Json::array();
    if (const goals::ItineraryPtr itinerary = plans_.itinerary_of(*row))
      for (const goals::Goal& goal : itinerary->goals) goals.push_back(label_of(goal, plans_.areas()));
    {
      const std::lock_guard lock(person_mutex_);
      for (const WayPoint& point : way_of(*row).points)
        points.push_back(
            {point.place.point.x - origin().x, point.place.point.y - origin().y, point.place.layer, point.time});
    }
    const auto name_in = [](const std::vector<std::string>& names, std::uint32_t i) {
      return i < names.size() ? names[i] : std::string();
    };
    return json_response(dump({{"serial", agent.serial},
                               {"population", name_in(meta.populations, agent.population)},
                               {"profile", name_in(meta.profiles, agent.profile)},
                               {"radius", agent.radius},
                               {"appears", agent.appears},
                               {"leaves", std::isnan(agent.leaves) ? Json(nullptr) : Json(agent.leaves)},
                               {"goals", std::move(goals)},
                               {"way", std::move(points)}}));
  }

  /// The route somebody would plan from where they were at a time to the goal they had then.
  Response route(const Request& request) {
    const std::optional<std::size_t> row = row_of(request);
    if (!row) return refusal(404, "there is no such person");
    const std::optional<double> time = number_in(request, "time");
    if (!time) return refusal(400, "time says when");
    std::optional<WayPoint> here;
    std::size_t goal = 0;
    {
      const std::lock_guard lock(person_mutex_);
      here = place_at(frame_at(*time), agents_[*row].serial);
      const std::vector<double>& done = way_of(*row).goals_done;
      goal = std::size_t(std::upper_bound(done.begin(), done.end(), *time) - done.begin());
    }
    const goals::ItineraryPtr itinerary = plans_.itinerary_of(*row);
    const bool on_the_way = here && itinerary && goal < itinerary->goals.size();
    Json points = Json::array();
    if (on_the_way)
      for (const navmesh::Place& place : plans_.route_from(here->place, *row, goal))
        points.push_back({place.point.x - origin().x, place.point.y - origin().y, place.layer});
    return json_response(
        dump({{"serial", agents_[*row].serial},
              {"time", *time},
              {"goal", on_the_way ? Json(label_of(itinerary->goals[goal], plans_.areas())) : Json(nullptr)},
              {"points", std::move(points)}}));
  }

  Response ways() {
    const std::lock_guard lock(ways_mutex_);
    Json all = Json::array();
    for (const auto& [serial, way] : ways_) all.push_back({{"serial", serial}, {"points", way}});
    return json_response(dump({{"ways", std::move(all)}}));
  }

  /// Goes through the recording once, for the plots and the ways.
  void gather() {
    const std::uint64_t stride =
        std::max(std::uint64_t(std::max(1.0, std::round(1 / frame_time_))), frames_ / most_rows + 1);
    const std::uint64_t every = agents_.size() / most_ways + 1;
    std::optional<KeptFrame> before;
    analysis::CrowdMapper mapper(world()->environment);
    std::vector<analysis::Presence> present;
    for (std::uint64_t number = 0; number < frames_ && !stop_; number += stride) {
      if (number > 0 && stride > 1) {
        const Result<Frame> last = background_.frame(number - 1);
        if (!last) break;
        before = keep(*last);
      }
      const Result<Frame> frame = background_.frame(number);
      if (!frame) break;
      series_.add({frame->time, double(frame->serial.size()),
                   double(std::upper_bound(arrivals_.begin(), arrivals_.end(), frame->time) - arrivals_.begin()),
                   before ? mean_speed(*before, *frame) : 0, mean_local_density(frame->position, frame->layer),
                   flows_.at(frame->time), densities_.at(frame->time)});
      add_to_ways(*frame, every);
      present.clear();
      for (std::size_t i = 0; i < frame->serial.size(); ++i)
        present.push_back({frame->position[i], frame->layer[i], -1});
      mapper.add(frame->time, present, double(stride) * frame_time_);
      const std::lock_guard lock(ways_mutex_);
      tight_ = mapper.tight().worst(most_tight);
      if (stride == 1) before = keep(*frame);
    }
    series_.complete();
    const std::lock_guard lock(ways_mutex_);
    tight_known_ = true;
  }

  /// Where it was tight, as far as the recording was gone through.
  Response tight() {
    const std::lock_guard lock(ways_mutex_);
    Json places = Json::array();
    for (const analysis::TightPlace& place : tight_)
      places.push_back({{"x", place.at.x - origin().x},
                        {"y", place.at.y - origin().y},
                        {"layer", place.layer},
                        {"person_seconds", place.person_seconds},
                        {"from", place.from},
                        {"until", place.until},
                        {"highest", place.highest},
                        {"highest_time", place.highest_time}});
    return json_response(
        dump({{"complete", tight_known_}, {"density", analysis::tight_density}, {"places", std::move(places)}}));
  }

  void add_to_ways(const Frame& frame, std::uint64_t every) {
    const std::lock_guard lock(ways_mutex_);
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      if (frame.serial[i] % every != 0 || points_of_ways_ >= most_points_of_ways) continue;
      ++points_of_ways_;
      const Vec2 p = frame.position[i] - origin();
      ways_[frame.serial[i]].push_back({p.x, p.y, frame.layer[i]});
    }
  }

  const std::string path_;
  std::mutex mutex_;
  Recording recording_;
  Recording background_;     ///< the gatherer's own
  std::mutex person_mutex_;  ///< of the two below: who asks about a person holds nobody up who seeks
  Recording for_ways_;
  std::map<std::size_t, KnownWay> known_ways_;  ///< by row of agents
  std::vector<AgentRow> agents_;
  Flows flows_;
  Densities densities_;
  RecordedPlans plans_;
  GoalLabels labels_;
  std::vector<std::uint16_t> goal_;
  std::vector<double> arrivals_;
  Json events_ = Json::array();
  std::uint64_t frames_;
  double frame_time_;
  Series series_;
  std::mutex ways_mutex_;
  std::map<std::uint64_t, Json> ways_;
  std::uint64_t points_of_ways_ = 0;
  std::vector<analysis::TightPlace> tight_;  ///< under ways_mutex_, like what follows
  bool tight_known_ = false;
  std::atomic<bool> stop_{false};
  std::thread gatherer_;
};

Result<crowd::WorldPtr> world_of(const Recording& recording) {
  Result<environment::CleanEnvironment> clean = recording.environment();
  if (!clean) return clean.problems();
  return crowd::make_world(std::move(clean).value());
}

}  // namespace

Result<std::unique_ptr<Application>> view_recording(StaticFiles client, const std::string& path) {
  Result<Recording> recording = Recording::open(path), background = Recording::open(path);
  Result<Recording> for_ways = Recording::open(path);
  if (!recording) return recording.problems();
  if (!background) return background.problems();
  if (!for_ways) return for_ways.problems();
  if (recording->frame_count() == 0)
    return Problem{Severity::error, ProblemCode::io, path, "holds no frames: nothing to play"};
  Result<crowd::WorldPtr> world = world_of(*recording);
  if (!world) return world.problems();
  Result<std::vector<AgentRow>> agents = recording->agents();
  if (!agents) return agents.problems();
  if (!agents->empty() && agents->back().serial > std::numeric_limits<std::uint32_t>::max())
    return Problem{Severity::error, ProblemCode::limit, path,
                   fmt::format("person {} has a number beyond those that can be shown", agents->back().serial)};
  const Result<std::vector<recording::RecordedMetric>> metrics = recording->metrics();
  if (!metrics) return metrics.problems();
  const Result<std::vector<recording::RecordedEvent>> events = recording->events();
  if (!events) return events.problems();
  return std::unique_ptr<Application>(std::make_unique<RecordedView>(
      std::move(client), path, std::move(world).value(), std::move(recording).value(), std::move(background).value(),
      std::move(for_ways).value(), std::move(agents).value(), *metrics, *events));
}

}  // namespace throng::server
