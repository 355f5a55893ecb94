#include "scenario/shipped_profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace throng::scenario {
namespace {

/// Men are taken to be faster by as much at every age; speeds by age as DIN 18009-2 has them.
constexpr std::string_view rimea_standard = R"({
  "drawn": {"age": {"normal": [50, 20], "min": 10, "max": 85}, "man": {"choose": {"0": 1, "1": 1}}},
  "speed": {"by": "age", "table": [[10, 1.05], [20, 1.61], [30, 1.54], [40, 1.48], [50, 1.41], [60, 1.27], [70, 1.05], [85, 0.68]],
            "times": {"by": "man", "table": [[0, 1], [1, 1.109]]}, "deviation": 0.193, "min": 0.2, "max": 3}
})";

/// The guideline leaves open how many there are of each age: all alike here.
constexpr std::string_view rimea_adults = R"({
  "drawn": {"age": {"uniform": [20, 80]}},
  "speed": {"by": "age", "table": [[20, 1.61], [30, 1.54], [40, 1.48], [50, 1.41], [60, 1.27], [70, 1.07], [80, 0.68]],
            "deviation": 0.19, "min": 0.2, "max": 3}
})";

/// Metres a second, from and to: on the level, down and up stairs.
struct ImoGroup {
  std::string_view name;
  double share = 0;  ///< of passengers of this sex, in percent of all
  std::array<double, 2> level{}, down{}, up{};
};
constexpr std::array<ImoGroup, 10> imo_groups{{
    {"women-under-30", 7, {0.93, 1.55}, {0.56, 0.94}, {0.47, 0.79}},
    {"women-30-50", 7, {0.71, 1.19}, {0.49, 0.81}, {0.44, 0.74}},
    {"women-over-50", 16, {0.56, 0.94}, {0.45, 0.75}, {0.37, 0.61}},
    {"women-over-50-impaired-1", 10, {0.43, 0.71}, {0.34, 0.56}, {0.28, 0.46}},
    {"women-over-50-impaired-2", 10, {0.37, 0.61}, {0.29, 0.49}, {0.23, 0.39}},
    {"men-under-30", 7, {1.11, 1.85}, {0.76, 1.26}, {0.50, 0.84}},
    {"men-30-50", 7, {0.97, 1.62}, {0.64, 1.07}, {0.47, 0.79}},
    {"men-over-50", 16, {0.84, 1.40}, {0.50, 0.84}, {0.38, 0.64}},
    {"men-over-50-impaired-1", 10, {0.64, 1.06}, {0.38, 0.64}, {0.29, 0.49}},
    {"men-over-50-impaired-2", 10, {0.55, 0.91}, {0.33, 0.55}, {0.25, 0.41}},
}};

double middle(const std::array<double, 2>& range) { return (range[0] + range[1]) / 2; }

std::string imo_group(const ImoGroup& group) {
  return fmt::format(R"({{"speed": {{"uniform": [{}, {}]}}, "stairs": {{"up": {:.4f}, "down": {:.4f}}}}})",
                     group.level[0], group.level[1], middle(group.up) / middle(group.level),
                     middle(group.down) / middle(group.level));
}

/// Several groups in one: `person` is drawn from 0 to the sum of the shares, each group has a stretch of that as long as its share, and over it its
/// speeds from the slowest to the fastest, so that they are even within the group.
std::string imo_mix(const auto& share_of) {
  constexpr double nothing = 1e-9;  // rows of a table ascend: a jump takes so much
  std::string level, up, down;
  double at = 0;
  for (const ImoGroup& group : imo_groups) {
    const double share = share_of(group);
    if (!(share > 0)) continue;
    const char* comma = level.empty() ? "" : ", ";
    const double end = at + share - nothing;
    const double slower_up = middle(group.up) / middle(group.level),
                 slower_down = middle(group.down) / middle(group.level);
    level += fmt::format("{}[{}, {}], [{}, {}]", comma, at, group.level[0], end, group.level[1]);
    up += fmt::format("{}[{}, {:.4f}], [{}, {:.4f}]", comma, at, slower_up, end, slower_up);
    down += fmt::format("{}[{}, {:.4f}], [{}, {:.4f}]", comma, at, slower_down, end, slower_down);
    at += share;
  }
  return fmt::format(
      R"({{"drawn": {{"person": {{"uniform": [0, {}]}}}}, "speed": {{"by": "person", "table": [{}]}},
  "stairs": {{"up": {{"by": "person", "table": [{}]}}, "down": {{"by": "person", "table": [{}]}}}}}})",
      at, level, up, down);
}

std::vector<std::pair<std::string, std::string>> make_all() {
  std::vector<std::pair<std::string, std::string>> all{{"rimea-standard", std::string(rimea_standard)},
                                                       {"rimea-adults", std::string(rimea_adults)}};
  all.emplace_back("imo-passengers", imo_mix([](const ImoGroup& group) { return group.share; }));
  all.emplace_back("imo-crew",
                   imo_mix([](const ImoGroup& group) { return group.name.ends_with("under-30") ? 1.0 : 0.0; }));
  for (const ImoGroup& group : imo_groups) all.emplace_back(fmt::format("imo-{}", group.name), imo_group(group));
  return all;
}

const std::vector<std::pair<std::string, std::string>>& all_shipped() {
  static const std::vector<std::pair<std::string, std::string>> all = make_all();
  return all;
}

}  // namespace

std::string_view shipped_profile(std::string_view name) {
  const auto found =
      std::ranges::find(all_shipped(), name, [](const auto& one) -> std::string_view { return one.first; });
  return found == all_shipped().end() ? std::string_view() : std::string_view(found->second);
}

std::vector<std::string_view> shipped_profile_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, text] : all_shipped()) names.emplace_back(name);
  return names;
}

}  // namespace throng::scenario
