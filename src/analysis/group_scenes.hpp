// The scenes that groups are judged in (Jaklin 2016, 10.4), as scenarios whose groups go by the method asked for. Jaklin draws most of
// them without measures; what was chosen is in docs/groups.md.
//
// Laws: the same request gives the same scenario: a text as a user could write it, beside files of positions, read like any other. Where people start
// depends on scene, size and seed only, so that methods are compared on the same starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::analysis {

/// `corridor`, `bottleneck`, `corners`, `building`.
[[nodiscard]] const std::vector<std::string>& group_scenes();

struct GroupSceneRequest {
  std::string scene;
  std::string method = "sgn";  ///< of groups
  std::size_t size = 2;        ///< 0: mixed, in `room` only
  bool as_published = false;   ///< method, avoidance and motion as their papers have them
  double radius = 0.24;        ///< 0: uniform from 0.20 to 0.24
  std::uint64_t seed = 1;      ///< of where people start
  bool quick = false;          ///< a tenth of the people
};

/// One of group_scenes(), or `room` (180 people, one door).
[[nodiscard]] Result<scenario::Scenario> make_group_scene(const GroupSceneRequest& request);

}  // namespace throng::analysis
