#include "scenario/method_catalogue.hpp"

#include <algorithm>

namespace throng::scenario {

std::vector<agents::MethodInfo> route_methods() {
  const agents::Parameter clearance{
      .name = "clearance",
      .value = 0.5,
      .least = 0,
      .most = 100,
      .unit = "m",
      .help = "preferred distance of the centre from obstacles, kept where there is room for it"};
  return {{"short", "the tightest path in the corridor of the shortest way along the medial axis", {clearance}},
          {"medial", "along the medial axis", {}},
          {"left", "at the clearance asked for from the obstacles on the left", {clearance}},
          {"right", "at the clearance asked for from the obstacles on the right", {clearance}},
          {"shortest", "the shortest of all that keep the radius, exactly", {}},
          {"visibility", "over points beside all corners that see each other, by Dijkstra's algorithm", {}},
          {"voronoi_sites", "along the Voronoi diagram of the buildings' middles, by Dijkstra's algorithm", {}},
          {"given", "through the population's route_points to the first goal, short from there", {clearance}}};
}

const agents::MethodInfo* find_method(const std::vector<agents::MethodInfo>& methods, std::string_view name) {
  const auto at = std::find_if(methods.begin(), methods.end(), [&](const auto& info) { return info.name == name; });
  return at == methods.end() ? nullptr : &*at;
}

}  // namespace throng::scenario
