// What the checkers of validate.hpp share: the mesh, its tolerance, and where they put what they find.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "environment/clean/clean.hpp"
#include "navmesh/layer_walk.hpp"
#include "navmesh/mesh.hpp"
#include "navmesh/sight.hpp"
#include "navmesh/validate.hpp"

namespace throng::navmesh {

class Findings {
 public:
  explicit Findings(Problems& problems) : problems_(problems) {}

  void start(int law) { law_ = law, count_ = 0; }
  void add(std::string what, std::string message) {
    if (++count_ > most_problems_a_law) return;
    problems_.push_back(
        {Severity::error, ProblemCode::internal, fmt::format("law {}: {}", law_, what), std::move(message)});
  }

 private:
  Problems& problems_;
  int law_ = 0;
  std::size_t count_ = 0;
};

struct Subject {
  const Mesh& mesh;
  const environment::CleanEnvironment& environment;
  const SightIndex& sight;
  const LayerWalk& walk;
  double tolerance = 0;  ///< metres
};

[[nodiscard]] inline std::string name_node(const Mesh& mesh, Index node) {
  return fmt::format("node {} at ({}, {})", node, mesh.nodes[node].point.x, mesh.nodes[node].point.y);
}
[[nodiscard]] inline std::string name_arc(const Mesh& mesh, Index arc) {
  const Vec2 p = mesh.nodes[mesh.arcs[arc].from].point;
  return fmt::format("arc {} from ({}, {})", arc, p.x, p.y);
}
[[nodiscard]] inline std::string name_site(const Mesh& mesh, Index site) {
  return fmt::format("site {} at ({}, {})", site, mesh.sites[site].a.x, mesh.sites[site].a.y);
}

/// Clearance on the surface in metres, or `limit` where nothing is nearer.
[[nodiscard]] inline double surface_clearance(const Subject& s, Vec2 point, Index layer, double limit) {
  const double unit = s.mesh.grid.unit();
  return s.sight.clearance(s.mesh.grid.to_units(point), layer, limit / unit) * unit;
}
[[nodiscard]] inline Index layer_after(const Subject& s, Vec2 from, Index layer, Vec2 to) {
  return s.environment.connections.empty()
             ? layer
             : s.walk.layer_after(s.mesh.grid.to_units(from), layer, s.mesh.grid.to_units(to));
}

// Law 1 comes first: the others take indices for granted and are not asked where it fails.
bool check_structure(const Mesh& mesh, Findings& findings);            // law 1
void check_equidistance(const Subject& subject, Findings& findings);   // law 2
void check_nearest(const Subject& subject, Findings& findings);        // law 3
void check_bisectors(const Subject& subject, Findings& findings);      // law 4
void check_site_cells(const Subject& subject, Findings& findings);     // law 5
void check_areas(const Subject& subject, Findings& findings);          // law 6
void check_connectedness(const Subject& subject, Findings& findings);  // law 7
void check_connections(const Subject& subject, Findings& findings);    // law 8
void check_degrees(const Subject& subject, Findings& findings);        // law 9
void check_corners(const Subject& subject, Findings& findings);        // law 10
void check_passages(const Subject& subject, Findings& findings);       // law 11
void check_order(const Subject& subject, Findings& findings);          // law 12

}  // namespace throng::navmesh
