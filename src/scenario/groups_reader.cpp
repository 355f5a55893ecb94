#include "scenario/groups_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/limits.hpp"
#include "scenario/method_reader.hpp"
#include "steering/companions.hpp"
#include "text/nearest_name.hpp"

namespace throng::scenario {
namespace {

using agents::MethodInfo;
using environment::in_quotes;

constexpr Member poisson_members[] = {{"poisson"}};
constexpr Member choose_members[] = {{"choose"}};
constexpr Member own_members[] = {{"size"}, {"members"}};

class Reader {
 public:
  Reader(JsonChecker& checker, const std::vector<MethodInfo>& methods, const PopulationSpec& population,
         const Scenario& scenario)
      : checker_(checker), methods_(methods), population_(population), scenario_(scenario) {}

  std::optional<GroupsSpec> read(const Node& node) {
    std::optional<MethodSpec> method =
        read_method_block(checker_, node, "groups", methods_, &methods_.front(), own_members);
    if (!method) return std::nullopt;
    GroupsSpec spec{.method = std::move(*method), .sizes = {}};
    spec.pointer = node.pointer;
    read_who(node, spec);
    check_numbers(node, spec);
    return spec;
  }

 private:
  [[nodiscard]] bool rows_say_it() const {
    const auto* positions = std::get_if<Positions>(&population_.who);
    return positions != nullptr && !positions->rows.empty() && !positions->rows.front().group.empty();
  }

  void read_who(const Node& node, GroupsSpec& spec) {
    if (rows_say_it()) {
      for (const char* member : {"size", "members"})
        if (node.has(member))
          checker_.error(
              ProblemCode::schema, node.at(member).pointer,
              fmt::format("the column group already says who is with whom; \"{}\" has no place beside it", member));
      return;
    }
    const std::string_view kind = checker_.exactly_one(node, "\"groups\"", {"size", "members"});
    if (kind == "size") spec.sizes = read_size(node.at("size"));
    if (kind == "members") read_members(node.at("members"), spec);
    check_count(node, spec);
  }

  /// Weights of sizes from 1 on.
  std::vector<double> read_size(const Node& node) {
    std::vector<double> sizes(1, 1);  // where it cannot be read
    if (node.value->is_number()) {
      if (const auto size = checker_.whole_number(node, 1, steering::most_members)) sizes = only(std::size_t(*size));
      return sizes;
    }
    if (!node.value->is_object()) {
      checker_.error(ProblemCode::schema, node.pointer,
                     fmt::format("a size is a number, {{\"choose\": ...}} or {{\"poisson\": mean}}, not {}",
                                 type_name(*node.value)));
      return sizes;
    }
    if (node.has("poisson")) {
      checker_.object(node, "a size", poisson_members);
      if (const auto mean = checker_.number(node.at("poisson"), limits::group_poisson)) return poisson(*mean);
      return sizes;
    }
    checker_.object(node, "a size", choose_members);
    if (!node.has("choose")) {
      checker_.exactly_one(node, "a size", {"choose", "poisson"});
      return sizes;
    }
    const Node list = node.at("choose");
    const auto weights = checker_.weights(list);
    if (!weights) return sizes;
    sizes.assign(steering::most_members, 0);
    for (const auto& [name, weight] : *weights) {
      const std::size_t size = whole(name);
      if (size == 0)
        checker_.error(ProblemCode::value, list.at(name).pointer,
                       fmt::format("{} is no size of a group: 1 to {}", in_quotes(name), steering::most_members));
      else
        sizes[size - 1] += weight;
    }
    return sizes;
  }

  /// 0 where it is none.
  static std::size_t whole(const std::string& text) {
    if (text.empty() || text.size() > 2 || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }))
      return 0;
    const auto size = std::size_t(std::stoi(text));
    return size <= steering::most_members ? size : 0;
  }
  static std::vector<double> only(std::size_t size) {
    std::vector<double> sizes(size, 0);
    sizes.back() = 1;
    return sizes;
  }
  /// Of the Poisson distribution what is left without 0.
  static std::vector<double> poisson(double mean) {
    std::vector<double> sizes;
    double weight = 1;
    for (std::size_t k = 1; k <= steering::most_members; ++k) sizes.push_back(weight *= mean / double(k));
    return sizes;
  }

  void read_members(const Node& list, GroupsSpec& spec) {
    if (!checker_.array(list, "\"members\"")) return;
    if (list.value->empty() || list.value->size() > steering::most_members)
      return checker_.error(
          ProblemCode::value, list.pointer,
          fmt::format("a group has 1 to {} members, not {}", steering::most_members, list.value->size()));
    std::vector<std::string_view> names;
    for (const ProfileSpec& profile : scenario_.profiles) names.push_back(profile.name);
    for (std::size_t i = 0; i < list.value->size(); ++i)
      if (const auto choice = checker_.choice(list.at(i), "profile", names)) spec.members.push_back(*choice);
  }

  void check_count(const Node& node, const GroupsSpec& spec) {
    const auto* count = std::get_if<Count>(&population_.who);
    if (count == nullptr || count->people == 0 || spec.largest() <= count->people) return;
    const bool is_any_small = std::ranges::any_of(
        spec.sizes.begin(), spec.sizes.begin() + std::ptrdiff_t(std::min(spec.sizes.size(), count->people)),
        [](double weight) { return weight > 0; });
    const std::string message =
        fmt::format("groups of up to {} do not fit a \"count\" of {}", spec.largest(), count->people);
    if (is_any_small)
      checker_.warning(ProblemCode::value, node.pointer, message + ": they are cut to fit");
    else
      checker_.error(ProblemCode::value, node.pointer, message);
  }

  /// What the method itself refuses, for the widest member there may be.
  void check_numbers(const Node& node, const GroupsSpec& spec) {
    const steering::GroupMethod* method = steering::find_group_method(spec.method.name);
    if (method == nullptr) return;
    const auto radius_of = [&](std::size_t profile) {
      const Number& radius = scenario_.profiles[profile].radius;
      return std::isfinite(radius.most()) ? radius.most() : radius.mean();
    };
    double widest =
        population_.profile < scenario_.profiles.size() && spec.members.empty() ? radius_of(population_.profile) : 0;
    for (const std::size_t profile : spec.members) widest = std::max(widest, radius_of(profile));
    std::vector<double> numbers;
    for (const Number& number : spec.method.parameters) numbers.push_back(number.mean());
    if (const std::string_view why = steering::misfit_of_group(*method, numbers.data(), spec.largest(), widest);
        !why.empty())
      checker_.error(ProblemCode::value, node.pointer, std::string(why));
  }

  JsonChecker& checker_;
  const std::vector<MethodInfo>& methods_;
  const PopulationSpec& population_;
  const Scenario& scenario_;
};

}  // namespace

GroupsSpec default_groups(const std::vector<MethodInfo>& methods) {
  return {.method = with_defaults(methods.front()), .sizes = {}};
}

std::optional<GroupsSpec> read_groups(JsonChecker& checker, const Node& node, const std::vector<MethodInfo>& methods,
                                      const PopulationSpec& population, const Scenario& scenario) {
  return Reader(checker, methods, population, scenario).read(node);
}

}  // namespace throng::scenario
