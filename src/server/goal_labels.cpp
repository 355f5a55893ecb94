#include "server/goal_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace throng::server {

std::string label_of(const goals::Goal& goal, const std::vector<goals::Area>& areas) {
  if (goal.person != 0) return fmt::format("person {}", goal.person);
  if (goal.areas.empty()) return fmt::format("({:.6g}, {:.6g})", goal.point.point.x, goal.point.point.y);
  std::string label;
  for (const goals::Index area : goal.areas) {
    const std::string& name = areas[area].name();
    label += (label.empty() ? "" : " or ") + (name.empty() ? fmt::format("area {}", area) : name);
  }
  return label;
}

std::uint16_t GoalLabels::number_of(const std::string& label) {
  const auto found = std::find(names_.begin(), names_.end(), label);
  if (found != names_.end()) return std::uint16_t(found - names_.begin());
  // Scenarios where everybody has a point of their own: what is beyond a handful of colours is "elsewhere".
  constexpr std::size_t most = 256;
  if (names_.size() == most) names_.push_back("elsewhere");
  if (names_.size() > most) return std::uint16_t(most);
  names_.push_back(label);
  return std::uint16_t(names_.size() - 1);
}

std::uint16_t GoalLabels::number_of(const goals::ItineraryPtr& itinerary, const std::vector<goals::Area>& areas) {
  return number_of(itinerary && !itinerary->goals.empty() ? label_of(itinerary->goals.back(), areas) : "nowhere");
}

}  // namespace throng::server
