// A hall of 30 x 20 m and a thousand people who leave by two doors of one metre in one wall: `two-exits`, doors at 15 and 29 m and people in the left
// two thirds; `rimea-11`, doors at 21.5 and 27.5 m and people in 2-15.5 x 2-18 m (RiMEA 4.1.1, test 11). Scenarios whose people know both doors and choose
// in some way.
//
// Law: the same request gives the same scenario, a text as a user could write it.
// Units: metres, seconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::analysis {

struct ExitSceneRequest {
  std::string scene;
  std::string goal = "quickest";          ///< or nearest
  std::optional<double> near_share = {};  ///< instead: so many go to the near door, whatever happens
  std::string follow = "miran";
  std::string congestion = {};  ///< the profile's block, as JSON; empty: none
  int people = 1000;
  double duration = 900;
  bool near_is_open = true;
};

[[nodiscard]] const std::vector<std::string>& exit_scenes();
/// Refused where the scene or a method is not known.
[[nodiscard]] Result<scenario::Scenario> make_exit_scene(const ExitSceneRequest& request);

}  // namespace throng::analysis
