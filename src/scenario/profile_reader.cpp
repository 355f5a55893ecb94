#include "scenario/profile_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "scenario/limits.hpp"
#include "text/nearest_name.hpp"

namespace throng::scenario {
namespace {

using environment::in_quotes;
using agents::MethodInfo;

constexpr Member profile_members[] = {{"radius"},        {"speed"},        {"route"},           {"follow"},
                                      {"avoid"},         {"premovement"},  {"stairs"},          {"weights"},
                                      {"stream", false}, {"group", false}, {"strategy", false}, {"congestion", false}};
constexpr Member stairs_members[] = {{"up"}, {"down"}};

// Methods that are planned: refused as not available, not as misspelt.
constexpr std::string_view planned_routes[] = {"shortest", "weighted", "flow"};
constexpr std::string_view planned_followers[] = {"irm", "look_ahead", "direct", "miranda"};
constexpr std::string_view planned_avoiders[] = {"karamouzas", "social_force", "sampling", "proximity", "cellular"};

const std::map<std::string, Number>& default_weights() {
  static const std::map<std::string, Number> weights = {{"road", 4}, {"grass", 30}};
  return weights;
}

MethodSpec with_defaults(const MethodInfo& info) {
  MethodSpec spec{std::string(info.name), {}};
  for (const agents::Parameter& parameter : info.parameters) spec.parameters.emplace_back(parameter.value);
  return spec;
}

MethodSpec default_method(const std::vector<MethodInfo>& methods, std::string_view name) {
  const MethodInfo* info = find_method(methods, name);
  return info != nullptr ? with_defaults(*info) : MethodSpec{std::string(name), {}};
}

class ProfileReader {
 public:
  ProfileReader(JsonChecker& checker, const MethodCatalogue& catalogue) : checker_(checker), catalogue_(catalogue) {}

  ProfileSpec read(const Node& node, const std::string& name) {
    ProfileSpec profile = default_profile(catalogue_);
    profile.name = name;
    if (!checker_.object(node, "a profile", profile_members)) return profile;
    read_number(node, "radius", limits::radius, profile.radius);
    read_number(node, "speed", limits::speed, profile.speed);
    read_number(node, "premovement", limits::premovement, profile.premovement);
    read_route(node, profile);
    if (node.has("follow"))
      profile.follow =
          read_method(node.at("follow"), "follow", catalogue_.followers, planned_followers, profile.follow);
    if (node.has("avoid"))
      profile.avoid = read_method(node.at("avoid"), "avoid", catalogue_.avoiders, planned_avoiders, profile.avoid);
    read_stairs(node, profile);
    read_weights(node, profile);
    return profile;
  }

 private:
  void read_number(const Node& parent, std::string_view member, Bounds bounds, Number& out) {
    if (!parent.has(member)) return;
    if (auto number = checker_.distribution(parent.at(member), bounds)) out = std::move(number).value();
  }

  void read_stairs(const Node& parent, ProfileSpec& profile) {
    if (!parent.has("stairs")) return;
    const Node node = parent.at("stairs");
    if (!checker_.object(node, "\"stairs\"", stairs_members)) return;
    read_number(node, "up", limits::stairs, profile.stairs_up);
    read_number(node, "down", limits::stairs, profile.stairs_down);
  }

  void read_weights(const Node& parent, ProfileSpec& profile) {
    if (!parent.has("weights")) return;
    const Node node = parent.at("weights");
    if (!node.value->is_object())
      return checker_.error(ProblemCode::schema, node.pointer,
                            fmt::format("\"weights\" is an object, not {}", type_name(*node.value)));
    if (node.value->size() > limits::weights)
      return checker_.error(ProblemCode::limit, node.pointer,
                            fmt::format("at most {} weights are possible", limits::weights));
    profile.weights.clear();
    for (const auto& [type, value] : node.value->items())
      if (auto weight = checker_.distribution(node.at(type), limits::weight)) profile.weights[type] = *weight;
  }

  void read_route(const Node& parent, ProfileSpec& profile) {
    if (!parent.has("route")) return;
    const MethodSpec spec = read_method(parent.at("route"), "route", catalogue_.routes, planned_routes,
                                        default_method(catalogue_.routes, "short"));
    profile.route_given = spec.name == "given";
    for (std::size_t i = 0; i < std::size(routes::route_method_names); ++i)
      if (routes::route_method_names[i] == spec.name) profile.route = routes::RouteMethod(i);
    const MethodInfo* info = find_method(catalogue_.routes, spec.name);
    for (std::size_t i = 0; info != nullptr && i < spec.parameters.size(); ++i)
      if (info->parameters[i].name == "clearance") profile.clearance = spec.parameters[i];
  }

  /// A block {"method": name, parameter: number...}. Without "method" the default one is meant.
  MethodSpec read_method(const Node& node, std::string_view level, const std::vector<MethodInfo>& methods,
                         std::span<const std::string_view> planned, const MethodSpec& otherwise) {
    const std::string what = fmt::format("\"{}\"", level);
    if (!node.value->is_object()) {
      checker_.error(ProblemCode::schema, node.pointer,
                     fmt::format("{} is an object, not {}", what, type_name(*node.value)));
      return otherwise;
    }
    const MethodInfo* info = method_named(node, methods, planned, otherwise.name);
    if (info == nullptr) return otherwise;  // its members cannot be judged without it
    std::vector<Member> members = {{"method"}};
    for (const agents::Parameter& parameter : info->parameters) members.push_back({parameter.name});
    checker_.object(node, fmt::format("{} with method '{}'", what, info->name), members);
    MethodSpec spec = with_defaults(*info);
    for (std::size_t i = 0; i < info->parameters.size(); ++i) {
      const agents::Parameter& parameter = info->parameters[i];
      read_number(node, parameter.name, {parameter.least, parameter.most}, spec.parameters[i]);
    }
    return spec;
  }

  const MethodInfo* method_named(const Node& node, const std::vector<MethodInfo>& methods,
                                 std::span<const std::string_view> planned, const std::string& otherwise) {
    if (!node.has("method")) return find_method(methods, otherwise);
    const Node member = node.at("method");
    const std::optional<std::string> name = checker_.text(member, "\"method\"");
    if (!name) return nullptr;
    if (const MethodInfo* info = find_method(methods, *name)) return info;
    if (std::find(planned.begin(), planned.end(), *name) != planned.end()) {
      checker_.error(ProblemCode::unsupported, member.pointer,
                     fmt::format("method {} is not available yet", in_quotes(*name)));
      return nullptr;
    }
    std::vector<std::string_view> names;
    for (const MethodInfo& info : methods) names.push_back(info.name);
    checker_.error(ProblemCode::value, member.pointer, "unknown method: " + environment::suggest(*name, names));
    return nullptr;
  }

  JsonChecker& checker_;
  const MethodCatalogue& catalogue_;
};

}  // namespace

ProfileSpec default_profile(const MethodCatalogue& catalogue) {
  ProfileSpec profile;
  profile.name = "default";
  profile.follow = default_method(catalogue.followers, "miran");
  profile.avoid = default_method(catalogue.avoiders, "moussaid");
  profile.weights = default_weights();
  return profile;
}

ProfileSpec read_profile(JsonChecker& checker, const Node& node, const std::string& name,
                         const MethodCatalogue& catalogue) {
  return ProfileReader(checker, catalogue).read(node, name);
}

}  // namespace throng::scenario
