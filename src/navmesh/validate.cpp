#include "navmesh/validate.hpp"

#include <algorithm>
#include <cmath>

#include "navmesh/validate_parts.hpp"

namespace throng::navmesh {

double distance_tolerance(const Mesh& mesh) {
  if (mesh.sites.empty()) return 1e-9;
  Vec2 low = mesh.sites.front().a, high = low;
  for (const Site& site : mesh.sites)
    for (const Vec2 p : {site.a, site.b}) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  const double far = std::max({std::abs(low.x), std::abs(low.y), std::abs(high.x), std::abs(high.y)});
  return std::max(1e-9 * std::max(high.x - low.x, high.y - low.y), 8 * far * 0x1p-52);
}

Problems validate(const Mesh& mesh, const environment::CleanEnvironment& environment) {
  Problems problems;
  Findings findings(problems);
  findings.start(1);
  if (!check_structure(mesh, findings)) return problems;
  const SightIndex sight(environment);
  const LayerWalk walk(environment);
  const Subject subject{mesh, environment, sight, walk, distance_tolerance(mesh)};
  constexpr void (*checks[])(const Subject&, Findings&) = {
      check_equidistance, check_nearest, check_bisectors, check_site_cells, check_areas, check_connectedness,
      check_connections,  check_degrees, check_corners,   check_passages,   check_order};
  int law = 2;
  for (const auto check : checks) {
    findings.start(law++);
    check(subject, findings);
  }
  return problems;
}

}  // namespace throng::navmesh
