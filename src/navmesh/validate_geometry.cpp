// Laws 2-6, 8 and 10: positions, distances, areas.
#include <algorithm>
#include <cmath>
#include <vector>

#include "navmesh/arc.hpp"
#include "navmesh/cells.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/piece.hpp"
#include "navmesh/validate_parts.hpp"

namespace throng::navmesh {
namespace {

double distance(const Site& site, Vec2 p) { return length(p - nearest_on(site, p)); }

}  // namespace

void check_equidistance(const Subject& s, Findings& findings) {
  for (Index i = 0; i < s.mesh.arcs.size(); ++i)
    for (const Index node : {s.mesh.arcs[i].from, s.mesh.arcs[i].to})
      for (const Index site : s.mesh.arcs[i].site) {
        const double off = distance(s.mesh.sites[site], s.mesh.nodes[node].point) - s.mesh.nodes[node].clearance;
        if (!(std::abs(off) <= s.tolerance))
          findings.add(name_node(s.mesh, node), fmt::format("site {} is {} m off the clearance", site, off));
      }
}

void check_nearest(const Subject& s, Findings& findings) {
  for (Index i = 0; i < s.mesh.nodes.size(); ++i) {
    const Node& node = s.mesh.nodes[i];
    if (node.clearance <= s.tolerance) continue;
    const double found = surface_clearance(s, node.point, node.layer, node.clearance * 1.01 + s.tolerance);
    if (!(std::abs(found - node.clearance) <= 2 * s.tolerance))
      findings.add(name_node(s.mesh, i), fmt::format("clearance {}, but the boundary is at {}", node.clearance, found));
  }
}

void check_bisectors(const Subject& s, Findings& findings) {
  for (Index i = 0; i < s.mesh.arcs.size(); ++i) {
    const Arc& arc = s.mesh.arcs[i];
    const ArcCurve curve(s.mesh, i);
    for (const double t : {0.25, 0.5, 0.8125}) {
      const Vec2 p = curve.point(t);
      const double left = distance(s.mesh.sites[arc.site[0]], p);
      const double right = distance(s.mesh.sites[arc.site[1]], p);
      const Index layer = layer_after(s, curve.from(), s.mesh.nodes[arc.from].layer, p);
      const double found = surface_clearance(s, p, layer, left * 1.01 + s.tolerance);
      if (!(std::abs(left - right) <= 2 * s.tolerance) || !(std::abs(found - left) <= 2 * s.tolerance))
        findings.add(name_arc(s.mesh, i),
                     fmt::format("at ({}, {}): {} m to the left site, {} to the right one, {} to the nearest", p.x, p.y,
                                 left, right, found));
    }
  }
}

void check_site_cells(const Subject& s, Findings& findings) {
  std::vector<std::uint8_t> listed(s.mesh.cell_count(), 0);
  for (Index i = 0; i < s.mesh.sites.size(); ++i) {
    const Site& site = s.mesh.sites[i];
    for (Index k = 0; k < site.cell_count; ++k) {
      const Index cell = s.mesh.site_cells[site.first_cell + k];
      if (s.mesh.site_of(cell) != i || listed[cell]++)
        findings.add(name_site(s.mesh, i), "lists a cell that is not its own");
      if (k == 0) continue;
      const Index before = s.mesh.site_cells[site.first_cell + k - 1];
      // Looking from a segment, a is on the left and b on the right; around a corner counterclockwise is to the left.
      const bool joined = site.is_corner() ? left_node(s.mesh, before) == right_node(s.mesh, cell)
                                           : right_node(s.mesh, before) == left_node(s.mesh, cell);
      if (!joined) findings.add(name_site(s.mesh, i), fmt::format("cells {} and {} share no node", before, cell));
    }
    if (site.is_corner() || site.cell_count == 0) continue;
    const Vec2 first = s.mesh.nodes[left_node(s.mesh, s.mesh.site_cells[site.first_cell])].point;
    const Vec2 last = s.mesh.nodes[right_node(s.mesh, s.mesh.site_cells[site.first_cell + site.cell_count - 1])].point;
    if (length(nearest_on(site, first) - site.a) > 2 * s.tolerance ||
        length(nearest_on(site, last) - site.b) > 2 * s.tolerance)
      findings.add(name_site(s.mesh, i), "its cells do not reach from end to end");
  }
  for (Index cell = 0; cell < listed.size(); ++cell)
    if (!listed[cell]) findings.add(fmt::format("cell {}", cell), "is listed by no site");
}

void check_areas(const Subject& s, Findings& findings) {
  double covered = 0, free = 0, axis = 0;
  for (const environment::CleanLayer& layer : s.environment.layers)
    free += environment::area(layer.free, s.environment.grid);
  for (const Edge& edge : s.mesh.edges) axis += edge.length;
  for (Index cell = 0; cell < s.mesh.cell_count(); ++cell) {
    const double area = cell_area(s.mesh, cell);
    const Arc& arc = s.mesh.arcs[cell / 2];
    const double width = s.mesh.nodes[arc.from].clearance + s.mesh.nodes[arc.to].clearance + s.tolerance;
    if (!(area >= -s.tolerance * width))
      findings.add(fmt::format("cell {}", cell), fmt::format("has the area {}", area));
    covered += area;
  }
  // Rounding of coordinates far from zero shifts nodes, and with them areas by that times the length of the axis.
  const double rounding = 1e-3 * s.tolerance * axis;
  if (!(std::abs(covered - free) <= 1e-9 * free + rounding))
    findings.add("all cells", fmt::format("cover {} of {} square metres", covered, free));
}

void check_corners(const Subject& s, Findings& findings) {
  for (Index i = 0; i < s.mesh.arcs.size(); ++i)
    for (const Index n : {s.mesh.arcs[i].from, s.mesh.arcs[i].to}) {
      const Node& node = s.mesh.nodes[n];
      if (node.clearance > s.tolerance) continue;
      const Site& left = s.mesh.sites[s.mesh.arcs[i].site[0]];
      const Site& right = s.mesh.sites[s.mesh.arcs[i].site[1]];
      const bool at_ends =
          (left.a == node.point && right.b == node.point) || (left.b == node.point && right.a == node.point);
      if (node.degree != 1 || left.is_corner() || right.is_corner() || !at_ends)
        findings.add(name_node(s.mesh, n), "has no clearance and is no convex corner of degree 1");
    }
}

void check_connections(const Subject& s, Findings& findings) {
  constexpr int samples = 16;
  for (std::size_t i = 0; i < s.mesh.connections.size(); ++i) {
    const Connection& c = s.mesh.connections[i];
    const Vec2 aside = perpendicular(c.b - c.a) * (2 * s.tolerance / length(c.b - c.a));
    for (int k = 1; k < samples; ++k) {
      const Vec2 p = c.a + (c.b - c.a) * (double(k) / samples);
      const double left = locate(s.mesh, {p + aside, c.left_layer}).clearance;
      const double right = locate(s.mesh, {p - aside, c.right_layer}).clearance;
      const double truth = surface_clearance(s, p, c.left_layer, 1.01 * std::max(left, right) + s.tolerance);
      if (!(std::max(std::abs(truth - left), std::abs(truth - right)) <= 4 * s.tolerance))
        findings.add(
            fmt::format("connection {} at ({}, {})", i, p.x, p.y),
            fmt::format("clearance {} in one layer, {} in the other; the boundary is at {}", left, right, truth));
    }
  }
}

}  // namespace throng::navmesh
