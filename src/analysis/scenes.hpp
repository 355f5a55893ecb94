// The small scenes in which methods are compared: the experiments' own, as scenarios whose people follow and avoid as asked.
//
// Laws
// 1. The same request gives the same scenario: a text as a user could write it, read like any other.
// 2. `people` scales how many there are, not where they start or how far they walk.
// Units: metres, seconds.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::analysis {

struct SceneInfo {
  std::string name;
  std::string about;  ///< one line
};

/// `corridor`, `crossing`, `bottleneck`, `circle`, `hallway`: a few dozen people each.
[[nodiscard]] const std::vector<SceneInfo>& common_scenes();
/// Jaklin's (2016, 9.4.1): `crossing-streams` and the same wider, `crossing-wide`, `hallway1`, `hallway2`, `merging-streams`, `narrow-50`, `narrow-100`. Jaklin draws them without
/// measures; ours are chosen, the hallways from SteerBench (docs/experiments.md).
[[nodiscard]] const std::vector<SceneInfo>& stream_scenes();

/// Parsons's scene (4.1): eight buildings, six of them rectangles, and a perimeter, 46 corners in all; 200 x 120 m, so that 10,000 people
/// can walk in it. The same as examples/eight_buildings.geojson.
[[nodiscard]] environment::Environment eight_buildings();

struct SceneRequest {
  std::string scene;
  std::string follow = "miran", avoid = "moussaid";
  bool as_published = false;       ///< avoidance and motion as their papers have them
  std::string stream = {};         ///< the profile's block, as JSON; empty: none
  std::string avoid_numbers = {};  ///< further members of the block, as JSON: "\"personal_space\": 0.4"
  std::string move_numbers = {};   ///< the same of the block of motion
  double people = 1;               ///< of the usual number
  double duration = 0;             ///< 0: the scene's own
};

/// Refused where the scene or a method is not known.
[[nodiscard]] Result<scenario::Scenario> make_scene(const SceneRequest& request);

}  // namespace throng::analysis
