// What browsers order of a live run, on the run's thread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenario/check_ground.hpp"
#include "server/live_run.hpp"
#include "text/nearest_name.hpp"

namespace throng::server {
namespace {

constexpr std::size_t most_single_steps = 1000;
constexpr std::size_t most_people_at_once = 1000;
/// Changes that can be taken back.
constexpr std::size_t most_undo = 100;
/// Of the list of changes.
constexpr std::size_t most_events = 1000;
/// Metres around a click in which a sign is meant.
constexpr double sign_reach = 1;
constexpr double least_obstacle = 0.05, largest_obstacle = 1000;
/// Simulated seconds a second; below, the next step would not come while anybody looks.
constexpr double least_speed = 1e-3, largest_speed = 1000;
constexpr std::string_view activity_names[] = {"not set out yet", "planning", "walking", "waiting",
                                               "arrived",         "lost",     "steered"};

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

/// As orders give weights of ground.
std::optional<scenario::WeightSpec> weight_of(const Json& weight) {
  scenario::WeightSpec spec;
  if (weight.is_number() && ground::misfit_of(GroundWeight(weight.get<double>())).empty())
    return spec.across = weight.get<double>(), spec;
  if (weight.is_string() && weight.get<std::string>() == "never") return spec.never = true, spec;
  return std::nullopt;
}

std::string text_of(const Json& order, const char* name) {
  const auto found = order.find(name);
  return found != order.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

void LiveView::Impl::obey(ClientId client, const Json& order) {
  const std::string what = text_of(order, "do");
  if (what == "play" || what == "pause") return set_paused(what == "pause");
  if (what == "step") return paused = true, single_steps = std::min(single_steps + 1, most_single_steps), void();
  if (what == "speed") return set_speed(client, order);
  if (what == "inspect") return inspect(client, order);
  if (what == "figure") return show_figure(client, order);
  if (what == "add_obstacle") return add_obstacle(client, order);
  if (what == "remove_obstacle") return remove_obstacle(client, order);
  if (what == "add_people") return add_people(client, order);
  if (what == "add_sign") return add_sign(client, order);
  if (what == "remove_sign") return remove_sign(client, order);
  if (what == "move_goal") return move_goal(client, order);
  if (what == "set_weight") return set_weight(client, order);
  if (what == "undo") return undo(client);
  refuse(client, "there is no order " + environment::in_quotes(what));
}

void LiveView::Impl::set_paused(bool value) {
  paused = value;
  single_steps = 0;
  restart_clock();
  describe();
  publish();
}

void LiveView::Impl::set_speed(ClientId client, const Json& order) {
  const std::optional<double> value = number_of(order, "value");
  if (!value || !(*value == 0 || (*value >= least_speed && *value <= largest_speed)))
    return refuse(client, "speed is 0, or 0.001 to 1000");
  speed = *value;
  restart_clock();
  describe();
  say({{"type", "speed"}, {"value", speed}});
}

void LiveView::Impl::show_figure(ClientId client, const Json& order) {
  const std::string key = text_of(order, "key");
  if (find_figure(simulation, key) == nullptr)
    return refuse(client, "people have no figure " + environment::in_quotes(key) + " in this run");
  shown_figures.insert(key);
  publish();
}

std::optional<navmesh::Place> LiveView::Impl::place_of(ClientId client, const Json& order) const {
  const auto x = number_of(order, "x"), y = number_of(order, "y");
  const auto layer = count_of(order, "layer", simulation.world()->mesh->layers.size());
  if (x && y && layer) return navmesh::Place{Vec2{*x, *y} + view.origin(), navmesh::Index(*layer)};
  refuse(client, "x, y and layer say where");
  return std::nullopt;
}

void LiveView::Impl::add_obstacle(ClientId client, const Json& order) {
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

void LiveView::Impl::remove_obstacle(ClientId client, const Json& order) {
  ScenarioEdits changed = edits;
  std::string id = text_of(order, "id");
  if (id.empty()) {
    const std::optional<navmesh::Place> place = place_of(client, order);
    if (!place) return;
    id = changed.obstacle_at(place->point, place->layer);
    if (id.empty()) return refuse(client, "there is no obstacle to remove here");
  }
  // Who looks at the recording sees the world of its start: what went is told by its shape.
  Json what{{"id", id}};
  for (const ScenarioEdits::Obstacle& obstacle : changed.obstacles(std::numeric_limits<std::size_t>::max())) {
    if (obstacle.id != id) continue;
    what["layer"] = obstacle.layer;
    what["ring"] = Json::array();
    for (const Vec2 p : obstacle.ring) what["ring"].push_back({p.x, p.y});
    break;
  }
  if (!changed.remove_obstacle(id)) return refuse(client, "there is no obstacle " + environment::in_quotes(id));
  apply(client, std::move(changed), "removed", what);
}

void LiveView::Impl::add_sign(ClientId client, const Json& order) {
  const std::optional<navmesh::Place> place = place_of(client, order);
  if (!place) return;
  const auto facing = number_of(order, "facing"), range = number_of(order, "range");
  const std::string pass = text_of(order, "pass");
  if (!facing || !range || (pass != "left" && pass != "right"))
    return refuse(client, "a sign has a facing in degrees, a range in metres, and says pass left or right");
  const auto x = number_of(order, "about_x"), y = number_of(order, "about_y");
  const Vec2 about = x && y ? Vec2{*x, *y} + view.origin() : place->point;
  ScenarioEdits changed = edits;
  changed.add_sign({place->point, place->layer, *facing, *range, pass, about});
  apply(client, std::move(changed), "sign",
        {{"x", place->point.x}, {"y", place->point.y}, {"layer", place->layer}, {"pass", pass}});
}

void LiveView::Impl::remove_sign(ClientId client, const Json& order) {
  const std::optional<navmesh::Place> place = place_of(client, order);
  if (!place) return;
  ScenarioEdits changed = edits;
  if (!changed.remove_sign(place->point, place->layer, sign_reach)) return refuse(client, "there is no sign here");
  apply(client, std::move(changed), "sign_removed",
        {{"x", place->point.x}, {"y", place->point.y}, {"layer", place->layer}});
}

void LiveView::Impl::move_goal(ClientId client, const Json& order) {
  const std::optional<navmesh::Place> place = place_of(client, order);
  if (!place) return;
  ScenarioEdits changed = edits;
  const std::string id = text_of(order, "id");
  if (!changed.move_goal(id, place->point, place->layer))
    return refuse(client, "there is no goal " + environment::in_quotes(id));
  std::string label = id;
  for (const ScenarioEdits::GoalPlace& goal : changed.goal_places())
    if (goal.id == id) label = goal.label;
  apply(client, std::move(changed), "goal",
        {{"id", id}, {"label", label}, {"x", place->point.x}, {"y", place->point.y}, {"layer", place->layer}});
}

void LiveView::Impl::set_weight(ClientId client, const Json& order) {
  const std::vector<scenario::ProfileSpec>& profiles = simulation.scenario().profiles;
  const auto profile = count_of(order, "profile", profiles.size());
  if (!profile) return refuse(client, "profile is the number of one of the scenario's");
  const std::string type = text_of(order, "type");
  const std::vector<std::string> types = scenario::ground_types(*simulation.world());
  if (std::ranges::find(types, type) == types.end())
    return refuse(client, "there is no ground of the type " + environment::in_quotes(type) + " here");
  const auto weight = order.find("weight");
  const std::optional<scenario::WeightSpec> spec = weight == order.end() ? std::nullopt : weight_of(*weight);
  if (!spec) return refuse(client, "a weight is a number from 0.001 to 1e6, or \"never\"");
  const std::string name = profiles[*profile].name;
  const auto told = simulation.set_weights(*profile, {{type, *spec}});
  if (!told) return refuse(client, "not possible: " + reasons(told.problems()));
  past.push_back(edits);
  if (past.size() > most_undo) past.erase(past.begin());
  edits.set_weight(name, type, *weight);
  note("weight", {{"profile", name}, {"type", type}, {"weight", *weight}});
  describe();
  say({{"type", "weights"},
       {"what", fmt::format("{}: {} weighs {}", name, type, spec->never ? "never" : dump(*weight))}});
  publish();
}

/// After the scenario was read anew: what was set on the way, and what was and is no more.
void LiveView::Impl::weigh_again(const scenario::Scenario& before) {
  for (std::size_t p = 0; p < before.profiles.size(); ++p) {
    std::map<std::string, scenario::WeightSpec> wanted = simulation.scenario().profiles[p].weights, told;
    if (const auto set = edits.weights().find(before.profiles[p].name); set != edits.weights().end())
      for (const auto& [type, weight] : set->second) told[type] = wanted[type] = *weight_of(weight);
    for (const auto& [type, weight] : before.profiles[p].weights) wanted.try_emplace(type);
    // Types that stay as they are keep what was drawn for each person.
    for (const auto& [type, weight] : wanted) {
      const auto old = before.profiles[p].weights.find(type);
      if (!(weight == (old == before.profiles[p].weights.end() ? scenario::WeightSpec{} : old->second)))
        told[type] = weight;
    }
    if (!told.empty()) (void)simulation.set_weights(p, told);
  }
}

void LiveView::Impl::apply(ClientId client, ScenarioEdits changed, std::string_view kind, const Json& what,
                           bool undoes) {
  Result<scenario::Scenario> scenario = changed.scenario();
  if (!scenario) return refuse(client, "not possible: " + reasons(scenario.problems()));
  const std::shared_ptr<const scenario::Scenario> before = simulation.shared_scenario();
  const Result<std::size_t> aside = simulation.change(std::move(scenario).value());
  if (!aside) return refuse(client, "not possible: " + reasons(aside.problems()));
  if (undoes)
    past.pop_back();
  else
    past.push_back(std::move(edits));
  if (past.size() > most_undo) past.erase(past.begin());
  edits = std::move(changed);
  weigh_again(*before);
  goal_numbers.clear();
  area_numbers.clear();
  note(kind, what);
  view.set_world(simulation.world());
  describe();
  restart_clock();
  say({{"type", "world"}, {"version", view.world_version()}, {"stepped_aside", *aside}, {"kind", kind}});
  publish();
}

void LiveView::Impl::undo(ClientId client) {
  if (past.empty()) return refuse(client, "there is nothing to take back");
  apply(client, past.back(), "undone", Json::object(), true);
}

void LiveView::Impl::add_people(ClientId client, const Json& order) {
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

void LiveView::Impl::note_added(std::size_t population, const std::vector<crowd::AgentId>& came, navmesh::Index layer) {
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
  // Who came stays, whatever is taken back later.
  for (ScenarioEdits& before : past) before.add_people(population, came.size(), low, high, layer);
  note("people",
       {{"population", population}, {"count", came.size()}, {"low", {low.x, low.y}}, {"high", {high.x, high.y}}});
  describe();
}

void LiveView::Impl::note(std::string_view kind, const Json& what) {
  const double time = simulation.crowd().time();
  if (observer) observer->event(time, kind, dump(what));
  if (events.size() < most_events) events.push_back({{"time", time}, {"kind", kind}, {"what", what}});
}

void LiveView::Impl::inspect(ClientId client, const Json& order) {
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

Json LiveView::Impl::describe_person(Slot slot) const {
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

}  // namespace throng::server
