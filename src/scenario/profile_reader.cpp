#include "scenario/profile_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "crowd/congestion_methods.hpp"
#include "following/follower.hpp"
#include "ground/kinds.hpp"
#include "scenario/limits.hpp"
#include "scenario/method_reader.hpp"
#include "scenario/shipped_profiles.hpp"
#include "text/nearest_name.hpp"

namespace throng::scenario {
namespace {

using agents::MethodInfo;
using environment::in_quotes;

constexpr Member stairs_members[] = {{"up"}, {"down"}};

/// Every member of a profile; levels without methods belong to what does not exist yet.
std::vector<Member> profile_members(const MethodCatalogue& catalogue) {
  std::vector<Member> members = {{"like"}, {"drawn"}, {"radius"}, {"speed"}, {"premovement"}, {"stairs"}, {"weights"}};
  for (const agents::LevelInfo& level : agents::levels) members.push_back({level.key, !catalogue[level.level].empty()});
  return members;
}

const std::map<std::string, WeightSpec>& default_weights() {
  static const std::map<std::string, WeightSpec> weights = {{"road", 4}, {"grass", 30}};
  return weights;
}

class ProfileReader {
 public:
  ProfileReader(JsonChecker& checker, const MethodCatalogue& catalogue) : checker_(checker), catalogue_(catalogue) {}

  ProfileSpec read(const Node& node, const std::string& name) {
    ProfileSpec profile = default_profile(catalogue_);
    profile.name = name;
    if (!checker_.object(node, "a profile", profile_members(catalogue_))) return profile;
    if (!node.has("like")) {
      read_members(node, profile);
      return profile;
    }
    if (const std::optional<Json> whole = completed(node)) read_members({&*whole, node.pointer}, profile);
    return profile;
  }

 private:
  /// The profile that it is like, with what this one says instead.
  std::optional<Json> completed(const Node& node) {
    const std::vector<std::string_view> names = shipped_profile_names();
    const auto which = checker_.choice(node.at("like"), "shipped profile", names);
    if (!which) return std::nullopt;
    Json whole = Json::parse(shipped_profile(names[*which]));
    for (const auto& [member, value] : node.value->items()) {
      if (member == "drawn" && value.is_object())
        for (const auto& [name, number] : value.items()) whole[member][name] = number;
      else if (member != "like")
        whole[member] = value;
    }
    return whole;
  }

  void read_members(const Node& node, ProfileSpec& profile) {
    const std::vector<std::string> names = read_drawn(node, profile);
    checker_.set_drawn(&names);
    read_number(node, "radius", limits::radius, profile.radius);
    read_number(node, "speed", limits::speed, profile.speed);
    read_number(node, "premovement", limits::premovement, profile.premovement);
    for (const agents::LevelInfo& level : agents::levels)
      if (node.has(level.key) && !catalogue_[level.level].empty())
        if (auto method = read_method_block(checker_, node.at(level.key), level.key, catalogue_[level.level],
                                            agents::default_method(catalogue_, level.level)))
          profile.methods[level.level] = std::move(*method);
    check_methods_of_routes(node, profile);
    read_stairs(node, profile);
    read_weights(node, profile);
    checker_.set_drawn(nullptr);
  }

  /// What other numbers may be read off tables by. They do not go by each other.
  std::vector<std::string> read_drawn(const Node& parent, ProfileSpec& profile) {
    if (!parent.has("drawn")) return {};
    const Node node = parent.at("drawn");
    if (!node.value->is_object()) {
      checker_.error(ProblemCode::schema, node.pointer,
                     fmt::format("\"drawn\" is an object of names and numbers, not {}", type_name(*node.value)));
      return {};
    }
    if (node.value->size() > limits::drawn) {
      checker_.error(ProblemCode::limit, node.pointer,
                     fmt::format("at most {} numbers can be drawn for others to go by", limits::drawn));
      return {};
    }
    std::vector<std::string> names;
    for (const auto& [name, value] : node.value->items()) {
      if (auto number = checker_.distribution(node.at(name), limits::drawn_value))
        profile.drawn[name] = std::move(*number);
      names.push_back(name);  // also where it is wrong, so that nothing else is said about it
    }
    return names;
  }

  /// Methods that go by a route, of somebody who follows a field and has none.
  void check_methods_of_routes(const Node& node, const ProfileSpec& profile) {
    const following::Follower* follower = following::find_follower(profile.methods[agents::Level::follow].name);
    check_congestion(node, profile, follower);
    if (follower == nullptr || follower->guide() != following::Guide::field) return;
    for (const crowd::CongestionMethod* method : crowd::congestion_methods())
      if (method->needs_route() && method->info().name == profile.methods[agents::Level::congestion].name)
        checker_.error(ProblemCode::value, node.at("congestion").pointer,
                       fmt::format("'{}' plans routes, and who follows '{}' has none: 'quickest' or 'none'",
                                   method->info().name, follower->info().name));
    if (!profile.methods[agents::Level::decide].name.empty())
      checker_.error(ProblemCode::value, node.at("strategy").pointer,
                     fmt::format("a strategy compares velocities with a route, and who follows '{}' has none",
                                 follower->info().name));
  }
  /// Numbers that do not go together, and methods that weigh candidates of who has none.
  void check_congestion(const Node& node, const ProfileSpec& profile, const following::Follower* follower) {
    const MethodSpec& spec = profile.methods[agents::Level::congestion];
    for (const crowd::CongestionMethod* method : crowd::congestion_methods()) {
      if (method->info().name != spec.name || !node.has("congestion")) continue;
      const std::string pointer = node.at("congestion").pointer;
      if (method->needs_candidates() && follower != nullptr && follower->guide() != following::Guide::field &&
          !follower->has_candidates())
        checker_.error(ProblemCode::value, pointer,
                       fmt::format("'{}' weighs where to head for, and '{}' has no candidates: 'miran'", spec.name,
                                   follower->info().name));
      // Of numbers that are drawn, the worst that may come out.
      std::vector<double> numbers;
      for (std::size_t i = 0; i < spec.parameters.size(); ++i)
        numbers.push_back(method->info().parameters[i].name == "goal_density" ? spec.parameters[i].most()
                                                                              : spec.parameters[i].least());
      if (const std::string why = method->misfit_of(numbers); !why.empty())
        checker_.error(ProblemCode::value, pointer, why);
    }
  }
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
    if (auto weights = read_weight_table(checker_, parent.at("weights"))) profile.weights = std::move(*weights);
  }

  JsonChecker& checker_;
  const MethodCatalogue& catalogue_;
};

constexpr Member slope_members[] = {{"up"}, {"across"}, {"down"}};

/// {"up": 2, "across": 1, "down": 1.2}
std::optional<WeightSpec> read_slope_weight(JsonChecker& checker, const Node& node) {
  if (!checker.object(node, "a weight by direction", slope_members)) return {};
  std::optional<double> numbers[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string_view name = slope_members[i].name;
    if (!node.has(name))
      checker.error(
          ProblemCode::schema, node.pointer,
          fmt::format("a weight by direction wants \"up\", \"across\" and \"down\": \"{}\" is missing", name));
    else
      numbers[i] = checker.number(node.at(name), limits::weight);
  }
  if (!numbers[0] || !numbers[1] || !numbers[2]) return {};
  WeightSpec spec(*numbers[1]);
  spec.up = numbers[0], spec.down = numbers[2];
  if (const std::string why = ground::misfit_of(spec.at(*numbers[1])); !why.empty()) {
    checker.error(ProblemCode::value, node.pointer, why);
    return {};
  }
  return spec;
}

std::optional<WeightSpec> read_weight(JsonChecker& checker, const Node& node) {
  if (node.value->is_string()) {
    const std::string word = node.value->get<std::string>();
    if (word != "never") {
      checker.error(ProblemCode::value, node.pointer,
                    fmt::format("a weight is a number, \"never\", or up, across and down, not {}", in_quotes(word)));
      return {};
    }
    WeightSpec never;
    never.never = true;
    return never;
  }
  if (node.has("up") || node.has("across") || node.has("down")) return read_slope_weight(checker, node);
  if (auto number = checker.distribution(node, limits::weight)) return WeightSpec(std::move(*number));
  return {};
}

}  // namespace

std::optional<std::map<std::string, WeightSpec>> read_weight_table(JsonChecker& checker, const Node& node) {
  if (!node.value->is_object()) {
    checker.error(ProblemCode::schema, node.pointer,
                  fmt::format("\"weights\" is an object, not {}", type_name(*node.value)));
    return {};
  }
  if (node.value->size() > limits::weights) {
    checker.error(ProblemCode::limit, node.pointer, fmt::format("at most {} weights are possible", limits::weights));
    return {};
  }
  std::map<std::string, WeightSpec> weights;
  for (const auto& [type, value] : node.value->items())
    if (auto weight = read_weight(checker, node.at(type))) weights[type] = std::move(*weight);
  return weights;
}

ProfileSpec default_profile(const MethodCatalogue& catalogue) {
  ProfileSpec profile;
  profile.name = "default";
  for (const agents::LevelInfo& level : agents::levels)
    if (!level.otherwise.empty())
      if (const MethodInfo* info = agents::default_method(catalogue, level.level))
        profile.methods[level.level] = with_defaults(*info);
  profile.weights = default_weights();
  return profile;
}

ProfileSpec read_profile(JsonChecker& checker, const Node& node, const std::string& name,
                         const MethodCatalogue& catalogue) {
  return ProfileReader(checker, catalogue).read(node, name);
}

}  // namespace throng::scenario
