#include "scenario/schema.hpp"

#include <cmath>

#include "environment/environment.hpp"
#include "scenario/json_checker.hpp"
#include "scenario/limits.hpp"
#include "scenario/shipped_profiles.hpp"
#include "steering/companions.hpp"

namespace throng::scenario {
namespace {

using agents::MethodInfo;

Json ref(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }

Json plain_number(Bounds bounds) {
  Json schema = {{"type", "number"}};
  if (std::isfinite(bounds.least)) schema["minimum"] = bounds.least;
  if (std::isfinite(bounds.most)) schema["maximum"] = bounds.most;
  return schema;
}

/// A constant or a distribution.
Json number(Bounds bounds) { return {{"anyOf", {plain_number(bounds), ref("distribution")}}}; }

Json described(Json schema, std::string_view text) {
  if (!text.empty()) schema["description"] = text;
  return schema;
}

Json with_default(Json schema, const Json& value) {
  schema["default"] = value;
  return schema;
}

Json text() { return {{"type", "string"}, {"minLength", 1}}; }

Json object(Json properties, const Json& required = Json::array()) {
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

Json list(Json items, std::size_t least = 0) {
  Json schema = {{"type", "array"}, {"items", std::move(items)}};
  if (least > 0) schema["minItems"] = least;
  return schema;
}

Json one_of(std::initializer_list<const char*> members) {
  Json options = Json::array();
  for (const char* member : members) options.push_back({{"required", {member}}});
  return options;
}

Json parameter_schema(const agents::Parameter& parameter) {
  const std::string unit = parameter.unit.empty() ? "" : " [" + std::string(parameter.unit) + "]";
  if (parameter.choices.empty())
    return with_default(described(number({parameter.least, parameter.most}), std::string(parameter.help) + unit),
                        parameter.value);
  return with_default(described({{"enum", parameter.choices}}, parameter.help),
                      parameter.choices[std::size_t(parameter.value)]);
}

/// {"method": name, "as": "published", parameter: number}, one shape a method; that of the default may leave its name out.
Json methods(const MethodCatalogue& catalogue, const agents::LevelInfo& level) {
  Json shapes = Json::array();
  const MethodInfo* otherwise = agents::default_method(catalogue, level.level);
  for (const MethodInfo& info : catalogue[level.level]) {
    Json properties = {{"method", {{"enum", {info.name}}}},
                       {"as", described({{"enum", {"published"}}}, "numbers left out are those of the paper")}};
    for (const agents::Parameter& parameter : info.parameters)
      properties[std::string(parameter.name)] = parameter_schema(parameter);
    const Json required = otherwise->name == info.name ? Json::array() : Json::array({"method"});
    shapes.push_back(described(object(std::move(properties), required), info.help));
  }
  return described({{"anyOf", std::move(shapes)}}, level.help);
}

Json distribution() {
  const Json pair = {{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 2}, {"maxItems", 2}};
  const Json weights = {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", plain_number({0, 1e9})}};
  const Json any = {{"type", "number"}};
  Json schema = {{"description", "a number that everybody draws for themselves"}};
  schema["anyOf"] = {
      object({{"normal", described(pair, "mean, standard deviation")}, {"min", any}, {"max", any}}, {"normal"}),
      object({{"uniform", described(pair, "from, to")}}, {"uniform"}),
      object({{"choose", described(weights, "values and their weights")}}, {"choose"}),
      object({{"lognormal", described(pair, "mean, standard deviation of the logarithm")}, {"min", any}, {"max", any}},
             {"lognormal"}),
      object({{"gamma", described(pair, "shape, scale")}, {"min", any}, {"max", any}}, {"gamma"}),
      object({{"weibull", described(pair, "shape, scale")}, {"min", any}, {"max", any}}, {"weibull"}),
      object({{"by", described(text(), "a number that the profile draws")},
              {"table", described(list(pair, 1), "drawn, value: linear between rows")},
              {"times", {{"anyOf", {plain_number({0, 1e6}), ref("distribution")}}}},
              {"deviation", described(plain_number({0, 10}), "normal, as a part of the value")},
              {"min", any},
              {"max", any}},
             {"by", "table"})};
  return schema;
}

Json weight_table() {
  Json by_direction = object({{"up", plain_number(limits::weight)},
                              {"across", plain_number(limits::weight)},
                              {"down", plain_number(limits::weight)}},
                             {"up", "across", "down"});
  const Json never = described({{"enum", {"never"}}}, "no route enters it");
  const Json one = {{"anyOf",
                     {number(limits::weight), never,
                      described(std::move(by_direction), "on ground that slopes; up + down at least twice across")}}};
  return {{"type", "object"}, {"additionalProperties", one}};
}

Json event() {
  const Json of_profiles = {{"type", "object"}, {"additionalProperties", weight_table()}};
  return object({{"at", plain_number({0, limits::duration.most})},
                 {"weights", described(of_profiles, "by profile: the weights that change for all of it")}},
                {"at", "weights"});
}

Json profile(const MethodCatalogue& catalogue) {
  Json names = Json::array();
  for (const std::string_view name : shipped_profile_names()) names.push_back(name);
  const Json drawn = {{"type", "object"},
                      {"maxProperties", limits::drawn},
                      {"additionalProperties", number(limits::drawn_value)},
                      {"description", "numbers by which others are read off tables: age, sex"}};
  Json members = {{"like", described({{"enum", names}}, "what is left out is as in this profile that ships")},
                  {"drawn", drawn},
                  {"radius", described(with_default(number(limits::radius), 0.24), "of the body [m]")},
                  {"speed", described(number(limits::speed), "preferred on the level [m/s]")},
                  {"premovement", described(with_default(number(limits::premovement), 0), "until setting out [s]")},
                  {"stairs", object({{"up", with_default(number(limits::stairs), 0.5)},
                                     {"down", with_default(number(limits::stairs), 0.65)}})},
                  {"weights", described(weight_table(), "of types of ground; those left out weigh 1")}};
  for (const agents::LevelInfo& level : agents::levels)
    if (!catalogue[level.level].empty()) members[std::string(level.key)] = methods(catalogue, level);
  return object(std::move(members));
}

Json start() {
  Json schema = object({{"area", text()}, {"polygon", list(ref("point"), 3)}, {"layer", text()}});
  schema["oneOf"] = one_of({"area", "polygon"});
  return schema;
}

Json goal() {
  const Json weights = {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", plain_number({0, 1e9})}};
  Json schema = object({{"area", text()},
                        {"polygon", list(ref("point"), 3)},
                        {"nearest", list(text(), 1)},
                        {"quickest", list(text(), 1)},
                        {"choose", weights},
                        {"point", ref("point")},
                        {"radius", with_default(plain_number(limits::goal_radius), 0.5)},
                        {"wait", with_default(number(limits::wait), 0)},
                        {"layer", text()}});
  schema["oneOf"] = one_of({"area", "nearest", "quickest", "choose", "point", "polygon"});
  schema["dependencies"] = {{"radius", {"point"}}};
  return schema;
}

/// Sizes, or the profiles of members, and a method with its numbers.
Json groups() {
  const Json share = {{"type", "object"},
                      {"minProperties", 1},
                      {"propertyNames", {{"pattern", "^[0-9]{1,2}$"}}},
                      {"additionalProperties", plain_number({0, 1e9})}};
  const Json size = {
      {"anyOf",
       {Json{{"type", "integer"}, {"minimum", 1}, {"maximum", steering::most_members}},
        object({{"choose", described(share, "sizes and their shares of all groups")}}, {"choose"}),
        object({{"poisson", described(plain_number(limits::group_poisson), "the mean, 0 counted in")}}, {"poisson"})}}};
  Json members = list(text(), 1);
  members["maxItems"] = steering::most_members;
  Json shapes = Json::array();
  const std::vector<MethodInfo>& all = installed_group_methods();
  for (const MethodInfo& info : all) {
    Json properties = {{"method", {{"enum", {info.name}}}},
                       {"as", described({{"enum", {"published"}}}, "numbers left out are those of the paper")},
                       {"size", described(size, "people in a group")},
                       {"members", described(members, "the profile of each member")}};
    for (const agents::Parameter& parameter : info.parameters)
      properties[std::string(parameter.name)] = parameter_schema(parameter);
    const Json required = info.name == all.front().name ? Json::array() : Json::array({"method"});
    shapes.push_back(described(object(std::move(properties), required), info.help));
  }
  return described({{"anyOf", std::move(shapes)}, {"not", {{"required", {"size", "members"}}}}}, "who walks with whom");
}

Json population() {
  Json schema = object({{"name", text()},
                        {"profile", text()},
                        {"count", {{"type", "integer"}, {"minimum", 0}, {"maximum", limits::count}}},
                        {"rate", described(plain_number(limits::rate), "persons a second")},
                        {"from", with_default(plain_number(limits::time), 0)},
                        {"until", described(plain_number(limits::time), "default: the duration")},
                        {"start", start()},
                        {"positions", described(text(), "a CSV file: x,y[,layer][,gx,gy[,glayer]], or with a heading")},
                        {"groups", groups()},
                        {"goals", {{"type", "array"}, {"items", ref("goal")}, {"maxItems", limits::goals}}},
                        {"at_goal", {{"enum", {"leave", "stay"}}, {"default", "leave"}}},
                        {"route_points", list(ref("point"), 2)}});
  schema["oneOf"] = one_of({"count", "rate", "positions"});
  schema["anyOf"] = {{{"required", {"start"}}, {"not", {{"required", {"positions"}}}}},
                     {{"required", {"positions"}}, {"not", {{"required", {"start"}}}}}};
  schema["dependencies"] = {{"from", {"rate"}}, {"until", {"rate"}}, {"route_points", {"goals"}}};
  return schema;
}

Json guidance() {
  const Json near = object({{"near", ref("point")}, {"layer", text()}}, {"near"});
  const Json obstacles =
      list(described({{"anyOf", {text(), near}}}, "by the name or id of a feature, or the one nearest to a point"), 1);
  const Json sign = object({{"at", ref("point")},
                            {"layer", text()},
                            {"facing", described(plain_number(limits::degrees), "degrees, counterclockwise from +x")},
                            {"range", described(plain_number(limits::sign_range), "of sight [m]")}},
                           {"at", "facing", "range"});
  return object({{"obstacles", obstacles},
                 {"pass", {{"enum", {"left", "right"}}, {"description", "on which side of them"}}},
                 {"populations", described(list(text(), 1), "whom; everybody where it is left out")},
                 {"sign", described(sign, "who sees it knows from then on; without it everybody knows")}},
                {"obstacles", "pass"});
}

Json measure() {
  Json ends = list(ref("point"), 2);
  ends["maxItems"] = 2;
  Json line = object({{"line", ends}, {"name", text()}, {"layer", text()}}, {"line"});
  Json area = object({{"area", text()},
                      {"polygon", list(ref("point"), 3)},
                      {"name", text()},
                      {"layer", text()},
                      {"every", with_default(plain_number(limits::every), 1)}});
  area["oneOf"] = one_of({"area", "polygon"});
  return {{"anyOf",
           {described(line, "counts who crosses it, positive from its left to its right"),
            described(area, "density: persons / free square metres")}}};
}

}  // namespace

std::string scenario_schema(const MethodCatalogue& catalogue) {
  const Json coordinate = plain_number({-environment::max_metres, environment::max_metres});
  const Json environment_member = {{"anyOf",
                                    {text(),
                                     {{"type", "object"},
                                      {"properties", {{"type", {{"enum", {"FeatureCollection"}}}}}},
                                      {"required", {"type", "features"}}}}}};
  const Json profiles = {{"type", "object"}, {"additionalProperties", ref("profile")}};
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"$id", "scenario.schema.json"},
                 {"title", "Throng scenario"},
                 {"description", "Who walks where, and what is counted; docs/scenarios.md explains every member."}};
  schema.update(object(
      {{"throng", {{"enum", {1}}, {"description", "the version of the format"}}},
       {"environment", described(environment_member, "a file, relative to this one, or a FeatureCollection")},
       {"duration", with_default(plain_number(limits::duration), 120)},
       {"time_step", with_default(plain_number(limits::time_step), 0.1)},
       {"seed", {{"type", "integer"}, {"minimum", 0}, {"default", 1}}},
       {"contact", {{"type", "boolean"}, {"default", true}, {"description", "false: bodies pass through each other"}}},
       {"profiles", profiles},
       {"populations", {{"type", "array"}, {"items", ref("population")}, {"maxItems", limits::populations}}},
       {"events", list(event())},
       {"measure", list(ref("measure"))},
       {"guidance", {{"type", "array"}, {"items", guidance()}, {"maxItems", limits::guidance}}},
       {"record", object({{"every",
                           {{"type", "integer"},
                            {"minimum", 1},
                            {"maximum", limits::record_every},
                            {"default", 1},
                            {"description", "steps"}}}})}},
      {"throng", "environment", "populations"}));
  schema["definitions"] = {{"point", {{"type", "array"}, {"items", coordinate}, {"minItems", 2}, {"maxItems", 2}}},
                           {"distribution", distribution()},
                           {"profile", profile(catalogue)},
                           {"goal", goal()},
                           {"population", population()},
                           {"measure", measure()}};
  return schema.dump(2) + "\n";
}

}  // namespace throng::scenario
