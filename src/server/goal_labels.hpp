// What the viewer calls the places people go to.
#pragma once

#include <string>
#include <vector>

#include "goals/area.hpp"
#include "goals/itinerary.hpp"

namespace throng::server {

/// "exit", "exit-west or exit-east", "(3.5, 2)".
[[nodiscard]] std::string label_of(const goals::Goal& goal, const std::vector<goals::Area>& areas);

/// Labels numbered in the order in which they come up.
class GoalLabels {
 public:
  /// Of the last goal of an itinerary; "nowhere" where there is none.
  [[nodiscard]] std::uint16_t number_of(const goals::ItineraryPtr& itinerary, const std::vector<goals::Area>& areas);
  [[nodiscard]] std::uint16_t number_of(const std::string& label);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

}  // namespace throng::server
