// The scenes of van Toll, Pettre 2019, 6.3: `uturn`, `uturn-both`, `circle`, `single`, as scenarios whose people have a strategy, or not.
//
// The paper draws them with few measures; the rest is chosen so that its table comes out where it can be compared (docs/strategies.md).
// `uturn-bare` (ours) is the u-turn without its squares: what they cost.
//
// Law: the same request gives the same scenario, a text as a user could write it.
// Units: metres, seconds.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::analysis {

struct StrategySceneRequest {
  std::string scene;
  std::string follow = "lookahead", avoid = "sampling";
  bool as_published = false;    ///< avoidance and motion as the paper has them
  std::string strategy = {};    ///< the profile's block, as JSON; empty: none
  std::string congestion = {};  ///< the same
  bool is_guided = false;       ///< "pass the blue obstacles on the right", of uturn-both and circle
  double rate = 3;              ///< persons a second, of the u-turns
  double duration = 0;          ///< 0: the scene's own
};

[[nodiscard]] const std::vector<std::string>& strategy_scenes();
/// Refused where the scene or a method is not known.
[[nodiscard]] Result<scenario::Scenario> make_strategy_scene(const StrategySceneRequest& request);

}  // namespace throng::analysis
