#include "scenario/population_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "environment/shapes.hpp"
#include "scenario/groups_reader.hpp"
#include "scenario/limits.hpp"
#include "scenario/positions_csv.hpp"
#include "text/nearest_name.hpp"

namespace throng::scenario {
namespace {

using environment::in_quotes;

constexpr Member population_members[] = {{"name"},  {"profile"}, {"count"},        {"rate"},
                                         {"from"},  {"until"},   {"start"},        {"positions"},
                                         {"goals"}, {"at_goal"}, {"route_points"}, {"groups"}};
constexpr Member start_members[] = {{"area"}, {"polygon"}, {"layer"}};
constexpr Member goal_members[] = {{"area"},  {"polygon"}, {"nearest"}, {"quickest"}, {"choose"},
                                   {"point"}, {"radius"},  {"wait"},    {"layer"}};
constexpr std::array<std::string_view, 2> at_goal_names = {"leave", "stay"};

class PopulationReader {
 public:
  PopulationReader(JsonChecker& checker, const PopulationContext& context, const Scenario& scenario)
      : checker_(checker), context_(context), scenario_(scenario) {}

  PopulationSpec read(const Node& node) {
    PopulationSpec population;
    const std::size_t number = scenario_.populations.size();
    population.name = fmt::format("population-{}", number);
    if (!checker_.object(node, "a population", population_members)) return population;
    read_name(node, population);
    read_profile_name(node, population);
    read_who(node, population);
    read_goals(node, population);
    if (node.has("at_goal"))
      if (const auto choice = checker_.choice(node.at("at_goal"), "at_goal", at_goal_names))
        population.at_last = goals::AtLastGoal(*choice);
    read_route_points(node, population);
    read_groups_of(node, population);
    return population;
  }

 private:
  void read_name(const Node& node, PopulationSpec& population) {
    if (!node.has("name")) return;
    const auto name = checker_.text(node.at("name"), "a population's \"name\"");
    if (!name) return;
    const bool known = std::any_of(scenario_.populations.begin(), scenario_.populations.end(),
                                   [&](const PopulationSpec& other) { return other.name == *name; });
    if (known)
      checker_.error(ProblemCode::value, node.at("name").pointer, fmt::format("duplicate name {}", in_quotes(*name)));
    population.name = *name;
    population.named = true;
  }

  /// Left out: the profile "default", which the file may define.
  void read_profile_name(const Node& node, PopulationSpec& population) {
    std::vector<std::string_view> names;
    for (const ProfileSpec& profile : scenario_.profiles) names.push_back(profile.name);
    if (node.has("profile")) {
      if (const auto choice = checker_.choice(node.at("profile"), "profile", names)) population.profile = *choice;
      return;
    }
    population.profile = std::size_t(std::find(names.begin(), names.end(), "default") - names.begin());
  }

  void read_who(const Node& node, PopulationSpec& population) {
    const std::string_view kind = checker_.exactly_one(node, "a population", {"count", "rate", "positions"});
    if (kind == "count") {
      const auto people = checker_.whole_number(node.at(kind), 0, limits::count);
      population.who = Count{std::size_t(people.value_or(0))};
    } else if (kind == "rate") {
      population.who = read_rate(node);
    } else if (kind == "positions") {
      population.who = read_positions(node.at(kind));
    }
    for (const std::string_view member : {"from", "until"})
      if (!kind.empty() && kind != "rate" && node.has(member))
        checker_.error(ProblemCode::schema, node.at(member).pointer,
                       fmt::format("\"{}\" belongs to populations with a \"rate\" only", member));
    read_start(node, kind, population);
  }

  Rate read_rate(const Node& node) {
    Rate rate{0, 0, scenario_.duration};
    if (const auto value = checker_.number(node.at("rate"), limits::rate)) rate.per_second = *value;
    if (node.has("from")) rate.from = checker_.number(node.at("from"), limits::time).value_or(rate.from);
    if (node.has("until")) rate.until = checker_.number(node.at("until"), limits::time).value_or(rate.until);
    if (rate.from >= rate.until)
      checker_.error(ProblemCode::value, node.pointer,
                     fmt::format("nobody comes: \"from\" {:g} is not before \"until\" {:g}", rate.from, rate.until));
    return rate;
  }

  Positions read_positions(const Node& node) {
    Positions positions;
    const auto path = checker_.text(node, "\"positions\"");
    if (!path) return positions;
    positions.file = context_.resolve(*path);
    const Result<std::string> text = context_.read_file(positions.file);
    if (!text) {
      for (const Problem& problem : text.problems()) checker_.error(problem.code, node.pointer, to_string(problem));
      return positions;
    }
    Result<std::vector<StartRow>> rows = parse_positions(*text, positions.file, context_.names);
    for (const Problem& problem : rows.problems()) checker_.problems().add(problem);
    if (rows) positions.rows = std::move(rows).value();
    return positions;
  }

  void read_start(const Node& node, std::string_view kind, PopulationSpec& population) {
    if (kind == "positions" && node.has("start"))
      return checker_.error(ProblemCode::schema, node.at("start").pointer,
                            "\"positions\" says where people start; \"start\" has no place beside it");
    if (!node.has("start")) {
      if (kind == "count" || kind == "rate")
        checker_.error(ProblemCode::schema, node.pointer, "a population wants a \"start\": an area or a polygon");
      return;
    }
    const Node start = node.at("start");
    if (!checker_.object(start, "\"start\"", start_members)) return;
    const std::string_view member = checker_.exactly_one(start, "\"start\"", {"area", "polygon"});
    if (!member.empty()) population.start = read_area(checker_, start, member, context_.names);
  }

  void read_goals(const Node& node, PopulationSpec& population) {
    if (!node.has("goals")) return;
    const Node list = node.at("goals");
    if (!checker_.array(list, "\"goals\"")) return;
    const auto* positions = std::get_if<Positions>(&population.who);
    if (positions != nullptr && !positions->rows.empty() && positions->rows.front().goal)
      checker_.error(ProblemCode::schema, list.pointer, "the columns gx and gy already say where people go");
    if (list.value->size() > limits::goals)
      return checker_.error(ProblemCode::limit, list.pointer,
                            fmt::format("{} goals; at most {} are possible", list.value->size(), limits::goals));
    for (std::size_t i = 0; i < list.value->size(); ++i) population.goals.push_back(read_goal(list.at(i)));
  }

  GoalSpec read_goal(const Node& node) {
    GoalSpec goal;
    goal.pointer = node.pointer;
    if (!checker_.object(node, "a goal", goal_members)) return goal;
    const std::string_view kind =
        checker_.exactly_one(node, "a goal", {"area", "nearest", "quickest", "choose", "point", "polygon"});
    if (kind == "area" || kind == "polygon") goal.areas.push_back(read_area(checker_, node, kind, context_.names));
    if (kind == "nearest") read_nearest(node, kind, goal);
    if (kind == "quickest") goal.quickest = true, read_nearest(node, kind, goal);
    if (kind == "choose") read_choose(node, goal);
    if (kind == "point") read_point(node, goal);
    if (node.has("wait"))
      if (auto wait = checker_.distribution(node.at("wait"), limits::wait)) goal.wait = std::move(wait).value();
    if (!kind.empty() && kind != "point" && node.has("radius"))
      checker_.error(ProblemCode::schema, node.at("radius").pointer, "\"radius\" belongs to a \"point\" only");
    return goal;
  }

  [[nodiscard]] AreaSpec named_area(const std::string& name, Index layer, const std::string& pointer) {
    AreaSpec area{name, {}, layer, pointer};
    if (context_.names != nullptr) context_.names->check_area(checker_, area);
    return area;
  }

  [[nodiscard]] Index layer_of(const Node& node) {
    return context_.names != nullptr ? context_.names->layer(checker_, node) : none;
  }

  void read_nearest(const Node& node, std::string_view kind, GoalSpec& goal) {
    const Node list = node.at(kind);
    const Index layer = layer_of(node);
    if (!list.value->is_array() || list.value->empty())
      return checker_.error(ProblemCode::schema, list.pointer,
                            fmt::format("\"{}\" wants the names of areas: [\"a\", \"b\"]", kind));
    for (std::size_t i = 0; i < list.value->size(); ++i)
      if (const auto name = checker_.text(list.at(i), "an area's name"))
        goal.areas.push_back(named_area(*name, layer, list.at(i).pointer));
  }

  void read_choose(const Node& node, GoalSpec& goal) {
    goal.kind = GoalSpec::Kind::choose;
    const Node list = node.at("choose");
    const Index layer = layer_of(node);
    const auto weights = checker_.weights(list);
    if (!weights) return;
    for (const auto& [name, weight] : *weights) {
      goal.areas.push_back(named_area(name, layer, list.at(name).pointer));
      goal.weights.push_back(weight);
    }
  }

  void read_point(const Node& node, GoalSpec& goal) {
    goal.kind = GoalSpec::Kind::point;
    const auto point = checker_.point(node.at("point"));
    goal.point = {point.value_or(Vec2{}), layer_of(node), node.pointer};
    if (node.has("radius")) goal.radius = checker_.number(node.at("radius"), limits::goal_radius).value_or(goal.radius);
  }

  void read_route_points(const Node& node, PopulationSpec& population) {
    const bool wanted =
        population.profile < scenario_.profiles.size() && scenario_.profiles[population.profile].route_given();
    if (!node.has("route_points")) {
      if (wanted)
        checker_.error(ProblemCode::schema, node.pointer,
                       fmt::format("profile {} has route method 'given': \"route_points\" are wanted",
                                   in_quotes(scenario_.profiles[population.profile].name)));
      return;
    }
    const Node list = node.at("route_points");
    const auto points = checker_.points(list, 2);
    if (!points) return;
    for (std::size_t i = 0; i < points->size(); ++i)
      population.route_points.push_back({(*points)[i], none, list.at(i).pointer});
    if (population.goals.empty())
      checker_.error(ProblemCode::schema, list.pointer,
                     "\"route_points\" lead to the first of the \"goals\", and there are none");
  }

  void read_groups_of(const Node& node, PopulationSpec& population) {
    const auto* positions = std::get_if<Positions>(&population.who);
    const bool rows_say_it = positions != nullptr && !positions->rows.empty() && !positions->rows.front().group.empty();
    if (node.has("groups"))
      population.groups = read_groups(checker_, node.at("groups"), *context_.group_methods, population, scenario_);
    else if (rows_say_it)
      population.groups = default_groups(*context_.group_methods);
    if (population.groups && !population.groups->members.empty()) {
      if (node.has("profile"))
        checker_.error(ProblemCode::schema, node.at("profile").pointer,
                       "\"members\" of the groups say which profiles there are; \"profile\" has no place beside them");
      population.profile = population.groups->members.front();
    }
  }

  JsonChecker& checker_;
  const PopulationContext& context_;
  const Scenario& scenario_;
};

}  // namespace

AreaSpec read_area(JsonChecker& checker, const Node& parent, std::string_view member, const EnvironmentNames* names) {
  AreaSpec area;
  const Node node = parent.at(member);
  area.pointer = node.pointer;
  area.layer = names != nullptr ? names->layer(checker, parent) : none;
  if (member == "area") {
    area.name = checker.text(node, "an area's name").value_or("");
    if (!area.name.empty() && names != nullptr) names->check_area(checker, area);
    return area;
  }
  const auto points = checker.points(node, 3);
  if (!points) return area;
  environment::ClosedRing closed;
  if (const auto complaint = environment::make_ring(*points, closed))
    checker.error(complaint->code, node.pointer, complaint->message);
  area.ring = std::move(closed.ring);
  return area;
}

PopulationSpec read_population(JsonChecker& checker, const Node& node, const PopulationContext& context,
                               const Scenario& scenario) {
  return PopulationReader(checker, context, scenario).read(node);
}

}  // namespace throng::scenario
