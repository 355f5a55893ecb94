// What a live run tells: frames, what sessions say of it, its curves, ways ahead, its past.
#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/run_metrics.hpp"
#include "scenario/check_ground.hpp"
#include "server/frame_pack.hpp"
#include "server/live_run.hpp"
#include "server/local_density.hpp"

namespace throng::server {
namespace {

constexpr std::size_t most_obstacles = 2000, most_ways = 300;

/// To a hundredth of a radian: ten thousand of them in every picture, and nobody measures them.
float angle_for_the_eye(Vec2 direction) {
  const auto x = float(direction.x), y = float(direction.y);
  const float ax = std::abs(x), ay = std::abs(y);
  const float ratio = std::min(ax, ay) / std::max(std::max(ax, ay), 1e-12F);
  constexpr float eighth = 0.785398F, quarter = 1.570796F, half = 3.141593F;
  const float small = ratio * (eighth + 0.273F * (1 - ratio));
  const float first = ay > ax ? quarter - small : small;
  const float upper = x < 0 ? half - first : first;
  return y < 0 ? -upper : upper;
}

/// Persons a second through each measured line, or arrivals where none is measured.
std::vector<double> flows_of(const analysis::Metrics& metrics, double time) {
  std::vector<double> flows;
  const auto count = [&](auto begin, auto end, const auto& time_of) {
    std::size_t recent = 0;
    for (auto i = end; i != begin && time_of(*std::prev(i)) > time - flow_window; --i) ++recent;
    flows.push_back(double(recent) / flow_window);
  };
  for (const analysis::LineResult& line : metrics.lines())
    count(line.crossings.begin(), line.crossings.end(), [](const analysis::Crossing& c) { return c.time; });
  return flows;
}

}  // namespace

LiveView::Impl::Impl(LiveView& v, Simulation s, analysis::Metrics m, std::unique_ptr<RunObserver> o, LiveOptions l)
    : view(v),
      simulation(std::move(s)),
      metrics(std::move(m)),
      observer(std::move(o)),
      options(l),
      edits(simulation.scenario(), simulation.world()->environment.grid),
      paused(l.paused),
      waiting(l.wait_for_page),
      speed(l.speed) {
  std::vector<std::string> lines;
  for (const analysis::LineResult& line : metrics.lines()) lines.push_back(line.line.name);
  series.set_lines(lines.empty() ? std::vector<std::string>{"arrivals"} : lines);
  std::vector<std::string> areas;
  for (const analysis::AreaResult& area : metrics.areas()) areas.push_back(area.name);
  series.set_areas(std::move(areas));
  metrics.begin(simulation.crowd());
  if (observer) observer->frame(simulation, metrics);
  take_series();
  describe();
}

void LiveView::Impl::say(const Json& json) const {
  if (Server* const out = server) out->broadcast({bytes_of(dump(json))}, &view);
}

void LiveView::Impl::say(ClientId client, const Json& json) const {
  if (Server* const out = server) out->send(client, {bytes_of(dump(json))});
}

void LiveView::Impl::publish() {
  last_frame = Clock::now();
  Server* const out = server;
  if (out == nullptr || out->sockets(&view) == 0) return;
  out->broadcast({bytes_of(frame()), true, true}, &view);
}

void LiveView::Impl::welcome(ClientId client) {
  if (waiting) {
    waiting = false;
    restart_clock();
  }
  if (Server* const out = server) out->send(client, {bytes_of(frame()), true, false});
}

std::string LiveView::Impl::frame() {
  const crowd::Crowd& crowd = simulation.crowd();
  const agents::People people = crowd.people();
  const std::size_t n = crowd.size();
  std::vector<std::uint32_t> serial;
  std::vector<float> x, y, heading;
  std::vector<std::uint16_t> layer, goal;
  std::vector<std::uint8_t> activity;
  serial.reserve(n), x.reserve(n), y.reserve(n), heading.reserve(n), layer.reserve(n), goal.reserve(n);
  activity.reserve(n);
  for (const Slot slot : crowd.in_serial_order()) {
    serial.push_back(std::uint32_t(people.serial[slot]));
    x.push_back(float(people.position[slot].x - view.origin().x));
    y.push_back(float(people.position[slot].y - view.origin().y));
    heading.push_back(angle_for_the_eye(people.heading[slot]));
    layer.push_back(std::uint16_t(people.layer[slot]));
    goal.push_back(goal_of(slot));
    activity.push_back(std::uint8_t(crowd.activity(slot)));
  }
  Pack pack;
  pack.array("serial", serial);
  pack.array("x", x);
  pack.array("y", y);
  pack.array("layer", layer);
  pack.array("heading", heading);
  pack.array("goal", goal);
  pack.array("activity", activity);
  for (const std::string& key : shown_figures)
    if (const PersonFigure* figure = find_figure(simulation, key)) pack.array("figure " + key, values_of(*figure));
  return pack.finish({{"type", "frame"},
                      {"time", crowd.time()},
                      {"step", crowd.step_count()},
                      {"people", n},
                      {"arrived", arrived_now()},
                      {"paused", paused},
                      {"finished", simulation.finished()},
                      {"rate", rate},
                      {"last_serial", metrics.agents().empty() ? 0 : metrics.agents().back().serial},
                      {"goal_count", labels.names().size()}});
}

std::vector<float> LiveView::Impl::values_of(const PersonFigure& figure) const {
  std::vector<float> values;
  for (const Slot slot : simulation.crowd().in_serial_order()) {
    const std::uint64_t serial = simulation.crowd().people().serial[slot];
    const std::optional<double> value = figure.counted == nullptr ? figure.of(simulation, slot)
                                        : serial <= metrics.agents().size()
                                            ? std::optional(figure.counted(metrics.agents()[serial - 1]))
                                            : std::nullopt;
    values.push_back(value ? float(*value) : std::numeric_limits<float>::quiet_NaN());
  }
  return values;
}

std::uint16_t LiveView::Impl::goal_of(Slot slot) {
  const crowd::Destination to = simulation.crowd().destination_of(slot);
  if (to.area != crowd::none) {
    if (to.area >= area_numbers.size()) area_numbers.resize(to.area + 1);
    std::optional<std::uint16_t>& known = area_numbers[to.area];
    if (!known) known = number_label(to);
    return *known;
  }
  const auto [entry, is_new] = goal_numbers.try_emplace({to.itinerary, to.goal}, std::uint16_t(0));
  if (is_new) entry->second = number_label(to);
  return entry->second;
}

std::uint16_t LiveView::Impl::number_label(const crowd::Destination& to) {
  const std::size_t before = labels.names().size();
  const std::uint16_t number = labels.number_of(label_of(to));
  if (labels.names().size() != before) describe();
  return number;
}

std::string LiveView::Impl::label_of(const crowd::Destination& to) const {
  if (!to.itinerary || to.goal >= to.itinerary->goals.size()) return "nowhere";
  if (to.area != crowd::none) return server::label_of(goals::Goal{.areas = {to.area}}, simulation.setup().areas);
  return server::label_of(to.itinerary->goals[to.goal], simulation.setup().areas);
}

void LiveView::Impl::describe() {
  const scenario::Scenario& scenario = simulation.scenario();
  Json json = Json::object();
  json["mode"] = "live";
  json["seed"] = simulation.seed();
  json["frame_time"] = scenario.time_step;
  json["duration"] = simulation.duration();
  json["speed"] = speed;
  json["paused"] = paused;
  json["finished"] = simulation.finished();
  json["time"] = simulation.crowd().time();
  json["recorded_frame_time"] =
      observer && !observer->path().empty() ? scenario.time_step * double(scenario.record_every) : 0.0;
  json["changes"] = past.size();
  json["populations"] = Json::array();
  for (const scenario::PopulationSpec& population : scenario.populations)
    json["populations"].push_back(population.name);
  json["profiles"] = Json::array();
  for (const scenario::ProfileSpec& profile : scenario.profiles) json["profiles"].push_back(profile.name);
  // What each profile pays for a metre of each type of ground; null: it never goes there.
  const std::vector<std::string> types = scenario::ground_types(*simulation.world());
  json["ground"] = {{"types", types}, {"weights", Json::array()}};
  for (const scenario::ProfileSpec& profile : scenario.profiles) {
    json["ground"]["weights"].push_back(Json::array());
    for (const std::string& type : types) {
      const auto weight = profile.weights.find(type);
      Json& own = json["ground"]["weights"].back();
      if (weight == profile.weights.end())
        own.push_back(1.0);
      else
        own.push_back(weight->second.never ? Json(nullptr) : Json(weight->second.across.mean()));
    }
  }
  json["goals"] = labels.names();
  json["figures"] = describe_figures(simulation);
  json["ground_layers"] = describe_ground_layers(simulation);
  json["lines"] = Json::array();
  for (const analysis::LineResult& line : metrics.lines()) json["lines"].push_back(line.line.name);
  json["areas"] = Json::array();
  for (const analysis::AreaResult& area : metrics.areas()) json["areas"].push_back(area.name);
  json["measured"] = describe_lines(analysis::lines_of(scenario, simulation.setup()), view.origin());
  json["events"] = events;
  json["obstacles"] = Json::array();
  for (const ScenarioEdits::Obstacle& obstacle : edits.obstacles(most_obstacles)) {
    Json ring = Json::array();
    for (const Vec2 p : obstacle.ring) ring.push_back({p.x - view.origin().x, p.y - view.origin().y});
    json["obstacles"].push_back({{"id", obstacle.id}, {"layer", obstacle.layer}, {"ring", std::move(ring)}});
  }
  json["signs"] = Json::array();
  for (const crowd::Guidance& told : simulation.crowd().guidance())
    if (told.sign)
      json["signs"].push_back({{"x", told.sign->at.point.x - view.origin().x},
                               {"y", told.sign->at.point.y - view.origin().y},
                               {"layer", told.sign->at.layer}});
  json["goal_places"] = Json::array();
  for (const ScenarioEdits::GoalPlace& place : edits.goal_places())
    json["goal_places"].push_back({{"id", place.id},
                                   {"label", place.label},
                                   {"x", place.at.x - view.origin().x},
                                   {"y", place.at.y - view.origin().y},
                                   {"layer", place.layer}});
  const std::lock_guard lock(description_mutex);
  description = std::move(json);
}

std::string LiveView::Impl::agents_after(std::uint64_t after) const {
  std::vector<std::uint32_t> serial;
  std::vector<std::uint16_t> population, profile, goal;
  std::vector<float> radius, appears, leaves;
  for (std::size_t i = after; i < metrics.agents().size(); ++i) {
    const analysis::AgentRecord& agent = metrics.agents()[i];
    if (agent.serial == 0) continue;
    serial.push_back(std::uint32_t(agent.serial));
    population.push_back(std::uint16_t(agent.population));
    profile.push_back(std::uint16_t(agent.profile));
    goal.push_back(0);
    radius.push_back(float(agent.radius));
    appears.push_back(float(agent.appeared));
    leaves.push_back(agent.arrived ? float(agent.left) : std::numeric_limits<float>::quiet_NaN());
  }
  Pack pack;
  pack.array("serial", serial);
  pack.array("population", population);
  pack.array("profile", profile);
  pack.array("goal", goal);
  pack.array("radius", radius);
  pack.array("appears", appears);
  pack.array("leaves", leaves);
  return pack.finish(Json::object());
}

std::string LiveView::Impl::ways() const {
  Json all = Json::array();
  const auto order = simulation.crowd().in_serial_order();
  const std::size_t every = order.size() / most_ways + 1;
  for (std::size_t i = 0; i < order.size(); i += every) {
    Json points = Json::array();
    for (const navmesh::Place& place : simulation.crowd().mind_of(order[i]).way_ahead)
      points.push_back({place.point.x - view.origin().x, place.point.y - view.origin().y, place.layer});
    all.push_back({{"serial", simulation.crowd().people().serial[order[i]]}, {"points", std::move(points)}});
  }
  return dump({{"ways", std::move(all)}});
}

Response LiveView::Impl::marks(const std::string& key) const {
  const std::optional<std::vector<Mark>> marks = marks_of_layer(simulation, key);
  // A layer may have nothing left while a page still asks for it: the last sign was taken down.
  const auto is_known = [&key](const Insights& insights) {
    return std::ranges::any_of(insights.layers, [&key](const GroundLayer& layer) { return layer.key == key; });
  };
  if (!marks && std::ranges::any_of(all_insights(), is_known)) return json_response(R"({"marks":[]})");
  if (!marks) return refusal(404, "there is nothing of that name to draw in this run");
  return json_response(dump({{"marks", describe_marks(*marks, view.origin())}}));
}

Response LiveView::Impl::history(const Request& request) {
  const std::string path = observer ? observer->path() : std::string();
  if (path.empty()) return refusal(404, "this run is not recorded");
  const std::lock_guard lock(history_mutex);
  const std::uint64_t wanted = count_in(request, "first").value_or(0) + count_in(request, "count").value_or(1);
  if (!recorded || recorded->frame_count() < wanted) {
    Result<recording::Recording> opened = recording::Recording::open(path);
    if (!opened) return refusal(500, reasons(opened.problems()));
    recorded.emplace(std::move(opened).value());
  }
  return pack_frames(*recorded, view.origin(), request);
}

void LiveView::Impl::take_series() {
  const crowd::Crowd& crowd = simulation.crowd();
  next_row = std::floor(crowd.time() + 1e-9) + 1;
  const agents::People people = crowd.people();
  std::vector<Vec2> positions;
  std::vector<std::uint32_t> layers;
  double speeds = 0;
  for (const Slot slot : crowd.in_serial_order()) {
    positions.push_back(people.position[slot]);
    layers.push_back(people.layer[slot]);
    speeds += std::sqrt(squared_length(people.velocity[slot]));
  }
  const double n = std::max<double>(1, double(positions.size()));
  std::vector<double> flows = flows_of(metrics, crowd.time());
  const auto arrived = double(arrived_now());
  arrivals.emplace_back(crowd.time(), arrived);
  if (flows.empty()) {
    const auto first = std::find_if(arrivals.begin(), arrivals.end(),
                                    [&](const auto& row) { return row.first >= crowd.time() - flow_window; });
    flows.push_back((arrived - first->second) / flow_window);
  }
  std::vector<double> densities;
  for (const analysis::AreaResult& area : metrics.areas())
    densities.push_back(area.samples.empty() ? 0 : area.samples.back().density);
  series.add({crowd.time(), double(positions.size()), arrived, speeds / n, mean_local_density(positions, layers),
              std::move(flows), std::move(densities)});
}

std::uint64_t LiveView::Impl::arrived_now() {
  const std::vector<analysis::AgentRecord>& agents = metrics.agents();
  while (counted_to < agents.size() && agents[counted_to].arrived) ++counted_to;
  std::uint64_t arrived = counted_to;
  for (std::size_t i = counted_to; i < agents.size(); ++i) arrived += agents[i].arrived ? 1 : 0;
  return arrived;
}

}  // namespace throng::server
