#include "server/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <set>
#include <thread>

#include "recording/recording.hpp"
#include "server/frame_pack.hpp"
#include "server/goal_labels.hpp"
#include "server/insights.hpp"
#include "server/local_density.hpp"
#include "server/scenario_edits.hpp"
#include "server/series.hpp"
#include "text/nearest_name.hpp"

namespace throng::server {
namespace {

using Clock = std::chrono::steady_clock;
using crowd::Slot;
using scenario::Simulation;

/// Of one socket, and of all: who sends faster than can be carried out is told so.
constexpr std::size_t most_orders_of_client = 16, most_waiting_orders = 1000;
constexpr std::size_t most_single_steps = 1000;
constexpr std::size_t most_obstacles = 2000, most_ways = 300;
constexpr std::size_t most_people_at_once = 1000;
/// Changes that can be taken back.
constexpr std::size_t most_undo = 100;
constexpr double least_obstacle = 0.05, largest_obstacle = 1000;
/// Simulated seconds a second; below, the next step would not come while anybody looks.
constexpr double least_speed = 1e-3, largest_speed = 1000;
constexpr std::string_view activity_names[] = {"not set out yet", "planning", "walking", "waiting",
                                               "arrived",         "lost",     "steered"};

/// Of those who wait with a thread of their own.
constexpr std::chrono::seconds longest_answer{30};

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

/// A member of an order, where it is a number.
std::optional<double> number_of(const Json& order, const char* name) {
  const auto found = order.find(name);
  if (found == order.end() || !found->is_number()) return std::nullopt;
  const double number = found->get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// A member that counts something, or names it by its number, below `end`.
std::optional<std::size_t> count_of(const Json& order, const char* name, std::size_t end) {
  const std::optional<double> number = number_of(order, name);
  if (!number || !(*number >= 0 && *number < double(end)) || *number != std::floor(*number)) return std::nullopt;
  return std::size_t(*number);
}

std::string text_of(const Json& order, const char* name) {
  const auto found = order.find(name);
  return found != order.end() && found->is_string() ? found->get<std::string>() : std::string();
}

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

std::string reasons(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems)
    if (problem.severity == Severity::error) text += (text.empty() ? "" : "; ") + problem.message;
  return text;
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

struct LiveView::Impl {
  Impl(LiveView& v, Simulation s, analysis::Metrics m, std::unique_ptr<RunObserver> o, LiveOptions l)
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
    metrics.begin(simulation.crowd());
    if (observer) observer->frame(simulation, metrics);
    take_series();
    describe();
  }

  // --- orders: what other threads want done between two steps

  static constexpr ClientId nobody = 0;

  struct Order {
    ClientId client = nobody;
    std::function<void()> what;
  };

  bool order(ClientId client, std::function<void()> what) {
    {
      const std::lock_guard lock(mutex);
      if (stop || orders.size() >= most_waiting_orders) return false;
      if (client != nobody && waiting_of[client] >= most_orders_of_client) return false;
      orders.push_back({client, std::move(what)});
      if (client != nobody) ++waiting_of[client];
    }
    wake.notify_one();
    return true;
  }

  /// Something only the simulation's thread knows, for a request that waits for it without holding up a thread.
  void ask(const Reply& reply, std::function<Response()> what) {
    const auto answer = [reply, what = std::move(what)] { reply(guarded(what)); };
    if (!order(nobody, answer)) reply(refusal(503, "the simulation does not answer"));
  }

  static Response guarded(const std::function<Response()>& what) {
    try {
      return what();
    } catch (const std::exception&) {
      return refusal(500, "the answer could not be made");
    }
  }

  // --- the run

  void run() {
    while (true) {
      std::size_t due_orders = 0;
      {
        std::unique_lock lock(mutex);
        wake.wait_until(lock, next_step(), [&] { return stop || !orders.empty(); });
        if (stop) return;
        due_orders = orders.size();
      }
      // One at a time, and no more than were there: neither an end nor the next step waits for all that comes.
      for (; due_orders > 0; --due_orders)
        if (!obey_next()) return;
      if (Clock::now() < next_step()) continue;
      if (!is_running()) continue;
      guarded_step();
    }
  }

  /// Whether to go on.
  bool obey_next() {
    Order next;
    {
      const std::lock_guard lock(mutex);
      if (stop) return false;
      if (orders.empty()) return true;
      next = std::move(orders.front());
      orders.pop_front();
      if (const auto count = waiting_of.find(next.client); count != waiting_of.end() && --count->second == 0)
        waiting_of.erase(count);
    }
    try {
      next.what();
    } catch (const std::exception& fault) {
      if (next.client != nobody) refuse(next.client, fmt::format("not possible: {}", fault.what()));
    }
    return true;
  }

  void guarded_step() {
    try {
      step();
    } catch (const std::exception& fault) {
      paused = true;
      say({{"type", "refused"}, {"what", fmt::format("the run cannot go on: {}", fault.what())}});
    }
  }

  [[nodiscard]] bool is_running() const { return !waiting && (!paused || single_steps > 0) && !simulation.finished(); }

  [[nodiscard]] Clock::time_point next_step() const {
    if (!is_running()) return Clock::now() + std::chrono::milliseconds(200);
    if (speed <= 0 || single_steps > 0) return Clock::now();
    return due;
  }

  void step() {
    const double dt = simulation.scenario().time_step;
    const Clock::time_point before = Clock::now();
    const Result<std::size_t> moved = simulation.step();
    if (!moved) {
      paused = true;
      say({{"type", "refused"}, {"what", "the run cannot go on: " + reasons(moved.problems())}});
      return;
    }
    metrics.observe(simulation.crowd(), dt);
    if (observer) observer->frame(simulation, metrics);
    if (simulation.crowd().time() + 1e-9 >= next_row) take_series();
    const bool single = single_steps > 0;
    if (single) --single_steps;
    // What is late is not made up for: a run that cannot keep up goes on as fast as it can.
    if (speed > 0)
      due = std::max(due + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(dt / speed)),
                     before);
    count_rate(dt);
    const bool over = simulation.finished();
    if (over) describe();
    if (simulation.crowd().step_count() >= simulation.total_steps()) series.complete();
    if (single || over || seconds(Clock::now() - last_frame) >= 1 / options.frames_a_second) publish();
  }

  void count_rate(double dt) {
    simulated += dt;
    const double passed = seconds(Clock::now() - rate_since);
    if (passed < 0.5) return;
    rate = simulated / passed;
    simulated = 0;
    rate_since = Clock::now();
  }

  void restart_clock() {
    due = rate_since = Clock::now();
    simulated = 0;
  }

  void take_series() {
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
    series.add({crowd.time(), double(positions.size()), arrived, speeds / n, mean_local_density(positions, layers),
                std::move(flows)});
  }

  /// Counted as people leave: going through everybody who ever was would cost more with every hour.
  [[nodiscard]] std::uint64_t arrived_now() {
    const std::vector<analysis::AgentRecord>& agents = metrics.agents();
    while (counted_to < agents.size() && agents[counted_to].arrived) ++counted_to;
    std::uint64_t arrived = counted_to;
    for (std::size_t i = counted_to; i < agents.size(); ++i) arrived += agents[i].arrived ? 1 : 0;
    return arrived;
  }

  // --- what goes out

  void say(const Json& json) const {
    if (Server* const out = server) out->broadcast({bytes_of(dump(json))}, &view);
  }
  void say(ClientId client, const Json& json) const {
    if (Server* const out = server) out->send(client, {bytes_of(dump(json))});
  }

  void publish() {
    last_frame = Clock::now();
    Server* const out = server;
    if (out == nullptr || out->sockets(&view) == 0) return;
    out->broadcast({bytes_of(frame()), true, true}, &view);
  }

  /// Who comes sees what there is, also where nothing moves; the first sets the run going.
  void welcome(ClientId client) {
    if (waiting) {
      waiting = false;
      restart_clock();
    }
    if (Server* const out = server) out->send(client, {bytes_of(frame()), true, false});
  }

  std::string frame() {
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

  /// In order of serials; who has none, not a number.
  [[nodiscard]] std::vector<float> values_of(const PersonFigure& figure) const {
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

  /// The label of where somebody walks to now; looked up by what it hangs on, since texts are slow.
  std::uint16_t goal_of(Slot slot) {
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

  std::uint16_t number_label(const crowd::Destination& to) {
    const std::size_t before = labels.names().size();
    const std::uint16_t number = labels.number_of(label_of(to));
    if (labels.names().size() != before) describe();
    return number;
  }

  [[nodiscard]] std::string label_of(const crowd::Destination& to) const {
    if (!to.itinerary || to.goal >= to.itinerary->goals.size()) return "nowhere";
    if (to.area != crowd::none) return server::label_of(goals::Goal{.areas = {to.area}}, simulation.setup().areas);
    return server::label_of(to.itinerary->goals[to.goal], simulation.setup().areas);
  }

  /// What sessions say of the run, for threads that may not look at it.
  void describe() {
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
    json["goals"] = labels.names();
    json["figures"] = describe_figures(simulation);
    json["ground_layers"] = describe_ground_layers(simulation);
    json["lines"] = Json::array();
    for (const analysis::LineResult& line : metrics.lines()) json["lines"].push_back(line.line.name);
    json["obstacles"] = Json::array();
    for (const ScenarioEdits::Obstacle& obstacle : edits.obstacles(most_obstacles)) {
      Json ring = Json::array();
      for (const Vec2 p : obstacle.ring) ring.push_back({p.x - view.origin().x, p.y - view.origin().y});
      json["obstacles"].push_back({{"id", obstacle.id}, {"layer", obstacle.layer}, {"ring", std::move(ring)}});
    }
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

  // --- orders from the browser, on the simulation's thread

  void obey(ClientId client, const Json& order) {
    const std::string what = text_of(order, "do");
    if (what == "play" || what == "pause") return set_paused(what == "pause");
    if (what == "step") return paused = true, single_steps = std::min(single_steps + 1, most_single_steps), void();
    if (what == "speed") return set_speed(client, order);
    if (what == "inspect") return inspect(client, order);
    if (what == "figure") return show_figure(client, order);
    if (what == "add_obstacle") return add_obstacle(client, order);
    if (what == "remove_obstacle") return remove_obstacle(client, order);
    if (what == "add_people") return add_people(client, order);
    if (what == "move_goal") return move_goal(client, order);
    if (what == "undo") return undo(client);
    refuse(client, "there is no order " + environment::in_quotes(what));
  }

  void refuse(ClientId client, const std::string& what) const { say(client, {{"type", "refused"}, {"what", what}}); }

  void set_paused(bool value) {
    paused = value;
    single_steps = 0;
    restart_clock();
    describe();
    publish();
  }

  void set_speed(ClientId client, const Json& order) {
    const std::optional<double> value = number_of(order, "value");
    if (!value || !(*value == 0 || (*value >= least_speed && *value <= largest_speed)))
      return refuse(client, "speed is 0, or 0.001 to 1000");
    speed = *value;
    restart_clock();
    describe();
    say({{"type", "speed"}, {"value", speed}});
  }

  /// From now on frames bring this number of everybody, too: for whoever colours people by it.
  void show_figure(ClientId client, const Json& order) {
    const std::string key = text_of(order, "key");
    if (find_figure(simulation, key) == nullptr)
      return refuse(client, "people have no figure " + environment::in_quotes(key) + " in this run");
    shown_figures.insert(key);
    publish();
  }

  /// The place an order names; nothing, with the reason told, where it names none.
  std::optional<navmesh::Place> place_of(ClientId client, const Json& order) const {
    const auto x = number_of(order, "x"), y = number_of(order, "y");
    const auto layer = count_of(order, "layer", simulation.world()->mesh->layers.size());
    if (x && y && layer) return navmesh::Place{Vec2{*x, *y} + view.origin(), navmesh::Index(*layer)};
    refuse(client, "x, y and layer say where");
    return std::nullopt;
  }

  void add_obstacle(ClientId client, const Json& order) {
    const std::optional<navmesh::Place> place = place_of(client, order);
    if (!place) return;
    const double size = number_of(order, "size").value_or(0);
    if (!(size >= least_obstacle && size <= largest_obstacle))
      return refuse(client, "an obstacle is 0.05 to 1000 m wide");
    ScenarioEdits changed = edits;
    const std::string id = changed.add_obstacle(place->point, place->layer, size);
    apply(client, std::move(changed), "obstacle",
          {{"id", id}, {"x", place->point.x}, {"y", place->point.y}, {"layer", place->layer}, {"size", size}});
  }

  void remove_obstacle(ClientId client, const Json& order) {
    ScenarioEdits changed = edits;
    std::string id = text_of(order, "id");
    if (id.empty()) {
      const std::optional<navmesh::Place> place = place_of(client, order);
      if (!place) return;
      id = changed.obstacle_at(place->point, place->layer);
      if (id.empty()) return refuse(client, "there is no obstacle to remove here");
    }
    if (!changed.remove_obstacle(id)) return refuse(client, "there is no obstacle " + environment::in_quotes(id));
    apply(client, std::move(changed), "removed", {{"id", id}});
  }

  void move_goal(ClientId client, const Json& order) {
    const std::optional<navmesh::Place> place = place_of(client, order);
    if (!place) return;
    ScenarioEdits changed = edits;
    const std::string id = text_of(order, "id");
    if (!changed.move_goal(id, place->point, place->layer))
      return refuse(client, "there is no goal " + environment::in_quotes(id));
    apply(client, std::move(changed), "goal",
          {{"id", id}, {"x", place->point.x}, {"y", place->point.y}, {"layer", place->layer}});
  }

  /// Goes on with a changed scenario, or says why not.
  void apply(ClientId client, ScenarioEdits changed, std::string_view kind, const Json& what, bool undoes = false) {
    Result<scenario::Scenario> scenario = changed.scenario();
    if (!scenario) return refuse(client, "not possible: " + reasons(scenario.problems()));
    const Result<std::size_t> aside = simulation.change(std::move(scenario).value());
    if (!aside) return refuse(client, "not possible: " + reasons(aside.problems()));
    if (undoes)
      past.pop_back();
    else
      past.push_back(std::move(edits));
    if (past.size() > most_undo) past.erase(past.begin());
    edits = std::move(changed);
    goal_numbers.clear();
    area_numbers.clear();
    if (observer) observer->event(simulation.crowd().time(), kind, dump(what));
    view.set_world(simulation.world());
    describe();
    restart_clock();
    say({{"type", "world"}, {"version", view.world_version()}, {"stepped_aside", *aside}, {"kind", kind}});
    publish();
  }

  /// People who were put in stay; what was changed of the world goes back.
  void undo(ClientId client) {
    if (past.empty()) return refuse(client, "there is nothing to take back");
    apply(client, past.back(), "undone", Json::object(), true);
  }

  void add_people(ClientId client, const Json& order) {
    const std::optional<navmesh::Place> place = place_of(client, order);
    if (!place) return;
    const auto count = count_of(order, "count", most_people_at_once + 1);
    const auto population = count_of(order, "population", simulation.scenario().populations.size());
    if (!count || *count == 0 || !population)
      return refuse(client, fmt::format("count is 1 to {}, population one of the scenario's", most_people_at_once));
    const Result<std::vector<crowd::AgentId>> came = simulation.add_people(*population, *place, *count);
    if (!came) return refuse(client, "not possible: " + reasons(came.problems()));
    if (came->empty()) return refuse(client, "there is no room for anybody here");
    note_added(*population, *came, place->layer);
    if (came->size() < *count)
      refuse(client, fmt::format("there was room for {} of {}", came->size(), *count));
    else
      say(client, {{"type", "done"}, {"what", fmt::format("{} people came", came->size())}});
    publish();
  }

  void note_added(std::size_t population, const std::vector<crowd::AgentId>& came, navmesh::Index layer) {
    const agents::People people = simulation.crowd().people();
    Vec2 low = people.position[simulation.crowd().slot_of(came.front())], high = low;
    for (const crowd::AgentId id : came) {
      const crowd::Slot slot = simulation.crowd().slot_of(id);
      const Vec2 p = people.position[slot];
      // Wide enough for them also where others start near by.
      const double r = people.radius[slot] + 1;
      low = {std::min(low.x, p.x - r), std::min(low.y, p.y - r)};
      high = {std::max(high.x, p.x + r), std::max(high.y, p.y + r)};
    }
    edits.add_people(population, came.size(), low, high, layer);
    if (observer)
      observer->event(simulation.crowd().time(), "people",
                      dump({{"population", population},
                            {"count", came.size()},
                            {"low", {low.x, low.y}},
                            {"high", {high.x, high.y}}}));
  }

  void inspect(ClientId client, const Json& order) {
    const std::optional<double> serial = number_of(order, "serial");
    const crowd::Crowd& crowd = simulation.crowd();
    const agents::People people = crowd.people();
    const auto all = crowd.in_serial_order();
    const auto found = std::lower_bound(all.begin(), all.end(), serial.value_or(0),
                                        [&](Slot slot, double s) { return double(people.serial[slot]) < s; });
    if (!serial || found == all.end() || double(people.serial[*found]) != *serial)
      return say(client, {{"type", "person"}, {"serial", serial.value_or(0)}, {"person", nullptr}});
    say(client, describe_person(*found));
  }

  [[nodiscard]] Json describe_person(Slot slot) const {
    const crowd::Crowd& crowd = simulation.crowd();
    const agents::People people = crowd.people();
    const scenario::Scenario& scenario = simulation.scenario();
    const crowd::Mind mind = crowd.mind_of(slot);
    const auto from_origin = [&](Vec2 p) { return Json{p.x - view.origin().x, p.y - view.origin().y}; };
    Json goals = Json::array(), way = Json::array();
    if (mind.itinerary)
      for (std::size_t i = mind.goal; i < mind.itinerary->goals.size(); ++i)
        goals.push_back(label_of({mind.itinerary, crowd::Index(i), i == mind.goal ? mind.area : crowd::none}));
    for (const navmesh::Place& place : mind.way_ahead)
      way.push_back({place.point.x - view.origin().x, place.point.y - view.origin().y, place.layer});
    const std::uint64_t serial = people.serial[slot];
    const bool known = serial <= metrics.agents().size();
    const Json note = describe_note(simulation, slot, view.origin());
    return {{"type", "person"},
            {"serial", serial},
            {"facts", note["facts"]},
            {"marks", note["marks"]},
            {"activity", activity_names[std::size_t(crowd.activity(slot))]},
            {"speed", std::sqrt(squared_length(people.velocity[slot]))},
            {"attraction", mind.attraction ? from_origin(*mind.attraction) : Json(nullptr)},
            {"neighbours", mind.neighbours},
            {"person",
             {{"serial", serial},
              {"population", scenario.populations[crowd.population_of(slot)].name},
              {"profile", scenario.profiles[crowd.profile_of(slot)].name},
              {"radius", people.radius[slot]},
              {"appears", known ? metrics.agents()[serial - 1].appeared : crowd.time()},
              {"leaves", nullptr},
              {"goals", std::move(goals)},
              {"way", std::move(way)}}}};
  }

  // --- what browsers ask for

  [[nodiscard]] std::string agents_after(std::uint64_t after) const {
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

  [[nodiscard]] std::string ways() const {
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

  /// What a level draws over the ground now.
  [[nodiscard]] Response marks(const std::string& key) const {
    const GroundLayer* layer = find_ground_layer(simulation, key);
    if (layer == nullptr) return refusal(404, "there is nothing of that name to draw in this run");
    std::vector<Mark> marks;
    layer->draw(simulation, marks);
    return json_response(dump({{"marks", describe_marks(marks, view.origin())}}));
  }

  /// The past, as far as complete chunks were written of it; opened again when more is asked for.
  Response history(const Request& request) {
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

  LiveView& view;
  Simulation simulation;
  analysis::Metrics metrics;
  std::unique_ptr<RunObserver> observer;
  LiveOptions options;
  ScenarioEdits edits;
  std::vector<ScenarioEdits> past;  ///< before each change that can be taken back
  GoalLabels labels;
  std::vector<std::optional<std::uint16_t>> area_numbers;  ///< of labels, by area
  std::map<std::pair<goals::ItineraryPtr, crowd::Index>, std::uint16_t>
      goal_numbers;  ///< of those not decided, or points
  Series series;
  std::vector<std::pair<double, double>> arrivals;  ///< time, arrived
  std::set<std::string> shown_figures;              ///< keys of those that frames bring
  double next_row = 0;
  std::size_t counted_to = 0;
  bool paused = false;
  bool waiting = false;  ///< for the first page
  std::mutex history_mutex;
  std::optional<recording::Recording> recorded;
  std::size_t single_steps = 0;
  double speed = 1, rate = 0, simulated = 0;
  Clock::time_point due = Clock::now(), rate_since = Clock::now(), last_frame;
  std::atomic<Server*> server{nullptr};  ///< set once; clients may speak before
  std::mutex description_mutex;
  Json description;
  std::mutex mutex;  ///< of the four below
  std::condition_variable wake;
  std::deque<Order> orders;
  std::map<ClientId, std::size_t> waiting_of;  ///< orders of each socket
  bool stop = false;
  std::thread thread;
};

LiveView::LiveView(StaticFiles client, std::string name, Simulation simulation, analysis::Metrics metrics,
                   std::unique_ptr<RunObserver> observer, LiveOptions options)
    : WorldView(std::move(client), std::move(name), simulation.world()),
      impl_(std::make_unique<Impl>(*this, std::move(simulation), std::move(metrics), std::move(observer), options)) {}

LiveView::~LiveView() { end(); }

void LiveView::begin(Server& server) {
  impl_->server = &server;
  impl_->restart_clock();
  impl_->thread = std::thread([this] { impl_->run(); });
}

void LiveView::end() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stop = true;
    // Whoever waits for an answer gets none.
    impl_->orders.clear();
    impl_->waiting_of.clear();
  }
  impl_->wake.notify_one();
  if (impl_->thread.joinable()) impl_->thread.join();
}

void LiveView::greeted(ClientId client) {
  impl_->order(Impl::nobody, [this, client] { impl_->welcome(client); });
}

void LiveView::said(ClientId client, std::string_view text) {
  Json order = Json::parse(text, nullptr, false);
  if (!order.is_object()) return impl_->refuse(client, "orders are JSON objects");
  if (!impl_->order(client, [this, client, order = std::move(order)] { impl_->obey(client, order); }))
    impl_->refuse(client, "too many orders at once");
}

Json LiveView::session() {
  Json json = WorldView::session();
  const std::lock_guard lock(impl_->description_mutex);
  json.update(impl_->description);
  return json;
}

Response LiveView::answer(const Request& request) {
  const auto promise = std::make_shared<std::promise<Response>>();
  std::future<Response> answer = promise->get_future();
  answer_later(request, [promise](Response response) { promise->set_value(std::move(response)); });
  if (answer.wait_for(longest_answer) != std::future_status::ready)
    return refusal(503, "the simulation does not answer");
  return answer.get();
}

void LiveView::answer_later(const Request& request, Reply reply) {
  Impl& impl = *impl_;
  const std::string& path = request.path;
  if (path == "/api/agents")
    return impl.ask(reply, [&impl, after = count_in(request, "after").value_or(0)] {
      return binary_response(impl.agents_after(after));
    });
  if (path == "/api/ways") return impl.ask(reply, [&impl] { return json_response(impl.ways()); });
  if (path == "/api/marks") {
    const auto key = request.query.find("key");
    return impl.ask(
        reply, [&impl, key = key == request.query.end() ? std::string() : key->second] { return impl.marks(key); });
  }
  // The last frame as JSON would say it: what tests compare the picture with.
  if (path == "/api/state") return impl.ask(reply, [&impl] { return binary_response(impl.frame()); });
  if (path == "/download/scenario.json")
    return impl.ask(reply, [&impl] {
      const Result<std::string> text = impl.edits.text();
      return text ? Response{200, "application/json", bytes_of(*text), "scenario.json"}
                  : refusal(500, reasons(text.problems()));
    });
  reply(WorldView::answer(request));
}

std::optional<Response> LiveView::answer_own(const Request& request) {
  if (request.path == "/api/series") return binary_response(impl_->series.pack(count_in(request, "first").value_or(0)));
  if (request.path == "/api/frames") return impl_->history(request);
  if (request.path == "/download/recording.throng") {
    if (!impl_->observer) return refusal(404, "this run is not recorded");
    const Result<Bytes> bytes = impl_->observer->recording();
    if (!bytes) return refusal(500, reasons(bytes.problems()));
    return Response{200, "application/octet-stream", *bytes, "recording.throng"};
  }
  return std::nullopt;
}

}  // namespace throng::server
