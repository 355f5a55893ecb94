#include "navmesh/locate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "navmesh/piece.hpp"
#include "navmesh/random_point.hpp"

namespace throng::navmesh {
namespace {

enum class Where { inside, left, right, beyond_arc, behind };

struct Tested {
  Where where = Where::inside;
  double distance = 0;  ///< to the cell's site; meaningful where inside
};

double squared_distance(const Site& site, Vec2 p) {
  const Vec2 d = site.b - site.a;
  const Vec2 w = p - site.a;
  const double along = dot(w, d);
  if (along <= 0) return squared_length(w);
  const double length2 = squared_length(d);
  if (along >= length2) return squared_length(p - site.b);
  const double area = cross(d, w);
  return area * area / length2;
}

/// Whether p, at this distance from the cell's site and between its side lines, is on the site's side of the arc.
bool before_arc(const Site& opposite, Vec2 p, double distance, double slack) {
  // Beside the tip of a needle both walls are about as far, but one of them is between p and the free space.
  const Vec2 d = opposite.b - opposite.a;
  const double height = cross(d, p - opposite.a);
  if (height < 0 && height * height > slack * slack * squared_length(d)) return false;
  const double other2 = squared_distance(opposite, p);
  return distance * distance <= other2 || distance <= std::sqrt(other2) + slack;
}

Tested test_corner_cell(const Mesh& mesh, Index cell, const Site& site, Vec2 p, double slack) {
  const Piece& piece = mesh.locator->piece(cell);
  const Vec2 w = p - site.a, left = piece.node_left - site.a, right = piece.node_right - site.a;
  const auto beyond = [&](double area, Vec2 side) {
    return area > 0 && area * area > slack * slack * squared_length(side);
  };
  if (beyond(cross(left, w), left)) return {Where::left};
  if (beyond(cross(w, right), right)) return {Where::right};
  const double distance = std::sqrt(squared_length(w));
  if (!before_arc(mesh.sites[mesh.opposite_site_of(cell)], p, distance, slack)) return {Where::beyond_arc};
  return {Where::inside, distance};
}

Tested test_segment_cell(const Mesh& mesh, Index cell, const Site& site, Vec2 p, double slack) {
  const Piece& piece = mesh.locator->piece(cell);
  const Vec2 d = site.b - site.a;
  const double length = std::sqrt(squared_length(d));
  if (dot(p - piece.node_left, d) < -slack * length) return {Where::left};
  if (dot(p - piece.node_right, d) > slack * length) return {Where::right};
  const double height = cross(d, p - site.a) / length;
  if (height < -slack) return {Where::behind};
  const double distance = std::max(height, 0.0);
  if (!before_arc(mesh.sites[mesh.opposite_site_of(cell)], p, distance, slack)) return {Where::beyond_arc};
  return {Where::inside, distance};
}

Tested test_cell(const Mesh& mesh, Index cell, Vec2 p, double slack) {
  const Site& site = mesh.sites[mesh.site_of(cell)];
  return site.is_corner() ? test_corner_cell(mesh, cell, site, p, slack)
                          : test_segment_cell(mesh, cell, site, p, slack);
}

/// The cell of a site in whose strip (or wedge) p lies; the outermost one where it lies beyond.
Index cell_of_site(const Mesh& mesh, const Site& site, Vec2 p) {
  const Index* const cells = mesh.site_cells.data() + site.first_cell;
  const Vec2 d = site.b - site.a;
  const bool corner = site.is_corner();
  // Cells run towards b, which is to the right, along a segment, and counterclockwise, which is to the left, around a corner.
  const auto beyond = [&](Index cell) {
    const Piece& piece = mesh.locator->piece(cell);
    const Vec2 node = corner ? piece.node_left : piece.node_right;
    return corner ? cross(node - site.a, p - site.a) > 0 : dot(p - node, d) > 0;
  };
  Index low = 0, high = site.cell_count - 1;
  while (high - low > 6) {
    const Index middle = low + (high - low) / 2;
    if (beyond(cells[middle]))
      low = middle + 1;
    else
      high = middle;
  }
  while (low < high && beyond(cells[low])) ++low;
  return cells[low];
}

/// Squared distance of p from a site if p lies in front of it (above a segment); negative if not.
double distance_in_front(const Site& site, Vec2 p, double slack) {
  const Vec2 w = p - site.a;
  const Vec2 d = site.b - site.a;
  const double length2 = squared_length(d);
  if (length2 == 0) return squared_length(w);
  const double along = dot(w, d);
  const double height = cross(d, w);
  const double outside = std::max({-along, along - length2, -height, 0.0});
  if (outside * outside > slack * slack * length2) return -1;
  return height * height / length2;
}

Located describe(const Mesh& mesh, Index cell, Vec2 p, double distance) {
  const Index site = mesh.site_of(cell);
  return {cell, site, distance, nearest_on(mesh.sites[site], p)};
}

/// Whether a place of a cell, as far as the plane goes, is in the cell's layer there. On a connection both its layers are right.
bool in_layer(const Mesh& mesh, Index cell, const Place& place) {
  if (mesh.layers.size() == 1) return true;
  const Index layer = layer_at(mesh, cell, place.point);
  if (layer == place.layer) return true;
  const double slack = mesh.locator->tolerance();
  for (const Connection& c : mesh.connections) {
    const bool joins = (c.left_layer == layer && c.right_layer == place.layer) ||
                       (c.right_layer == layer && c.left_layer == place.layer);
    if (joins && squared_distance({.a = c.a, .b = c.b}, place.point) <= slack * slack) return true;
  }
  return false;
}

/// The candidates in order of distance until one of them really holds the place. The first does but for rounding on borders,
/// and for sites of other storeys that only look near in the plane.
Located try_in_order(const Mesh& mesh, std::span<const Index> candidates, const Place& place) {
  const double slack = mesh.locator->tolerance();
  double last = -1;
  Index last_site = none;
  for (std::size_t round = 0; round < candidates.size(); ++round) {
    double best = INFINITY;
    Index best_site = none;
    for (const Index s : candidates) {
      const double d2 = distance_in_front(mesh.sites[s], place.point, slack);
      if (d2 < 0 || d2 > best || (d2 == best && s > best_site)) continue;
      if (round > 0 && (d2 < last || (d2 == last && s <= last_site))) continue;
      best = d2;
      best_site = s;
    }
    if (best_site == none) return {};
    const Index cell = cell_of_site(mesh, mesh.sites[best_site], place.point);
    const Tested tested = test_cell(mesh, cell, place.point, slack);
    if (tested.where == Where::inside && in_layer(mesh, cell, place))
      return describe(mesh, cell, place.point, tested.distance);
    last = best;
    last_site = best_site;
  }
  return {};
}

}  // namespace

Located locate(const Mesh& mesh, const Place& place) {
  return try_in_order(mesh, mesh.locator->candidates(place), place);
}

Located locate_from(const Mesh& mesh, Index hint, const Place& place) {
  constexpr int most_steps = 12;  // beyond that the grid is quicker
  if (hint >= mesh.cell_count()) return locate(mesh, place);
  Index cell = hint;
  const double slack = 0.5 * mesh.locator->tolerance();
  for (int step = 0; step < most_steps; ++step) {
    const Tested tested = test_cell(mesh, cell, place.point, slack);
    switch (tested.where) {
      case Where::inside:
        if (!in_layer(mesh, cell, place)) return locate(mesh, place);
        return describe(mesh, cell, place.point, tested.distance);
      case Where::left: cell = mesh.locator->beside(cell).left; break;
      case Where::right: cell = mesh.locator->beside(cell).right; break;
      case Where::beyond_arc: cell = across_arc(cell); break;
      case Where::behind: return locate(mesh, place);
    }
  }
  return locate(mesh, place);
}

std::span<const Straddle> straddles_of(const Mesh& mesh, Index cell) {
  if (mesh.straddles.empty()) return {};
  const auto range = std::equal_range(mesh.straddles.begin(), mesh.straddles.end(), Straddle{cell, 0},
                                      [](const Straddle& a, const Straddle& b) { return a.cell < b.cell; });
  return {range.first, range.second};
}

Index layer_at(const Mesh& mesh, Index cell, Vec2 p) {
  const std::span<const Straddle> straddles = straddles_of(mesh, cell);
  if (straddles.empty()) return mesh.nodes[mesh.arcs[cell / 2].from].layer;
  // Connections cut the cell into slices. Going from the site straight to p, the last one crossed says where p is; with only
  // one, its side of the line does, also where the site is a corner at the connection's end.
  const Site& site = mesh.sites[mesh.site_of(cell)];
  const Vec2 q = nearest_on(site, p);
  double last = -1;
  Index layer = site.layer;
  for (const Straddle& straddle : straddles) {
    const Connection& c = mesh.connections[straddle.connection];
    const double side_p = cross(c.b - c.a, p - c.a);
    const double side_q = cross(c.b - c.a, q - c.a);
    const bool at_end = q == c.a || q == c.b;
    const bool crossed = at_end || (side_p < 0) != (side_q < 0);
    if (!crossed && straddles.size() > 1) continue;
    const double t = at_end || side_p == side_q ? 0 : side_q / (side_q - side_p);
    if (t < last) continue;
    last = t;
    layer = side_p >= 0 ? c.left_layer : c.right_layer;
  }
  return layer;
}

std::optional<Place> first_walkable(const Mesh& mesh, Vec2 p) {
  for (Index layer = 0; layer < mesh.layers.size(); ++layer)
    if (locate(mesh, {p, layer})) return Place{p, layer};
  return std::nullopt;
}

std::span<const Index> Locator::candidates(const Place& place) const {
  if (place.layer >= layer_count_) return {};
  const Grid& grid = grids_[place.layer];
  const Vec2 at = grid.squares(place.point);
  // Also refuses NaN.
  if (!(at.x >= 0 && at.y >= 0 && at.x < grid.columns && at.y < grid.rows)) return {};
  const Slot* slot = &slots_[grid.first_slot + std::uint32_t(at.y) * grid.columns + std::uint32_t(at.x)];
  if (slot->count == finer) {
    const Grid& fine = grids_[slot->first];
    const Vec2 in = fine.squares(place.point);
    const auto column = std::uint32_t(std::clamp(in.x, 0.0, fine.columns - 1.0));
    const auto row = std::uint32_t(std::clamp(in.y, 0.0, fine.rows - 1.0));
    slot = &slots_[fine.first_slot + row * fine.columns + column];
  }
  return {entries_.data() + slot->first, slot->count};
}

std::size_t Locator::bytes() const {
  return sizeof(*this) + pieces_.capacity() * sizeof(Piece) + beside_.capacity() * sizeof(Beside) +
         grids_.capacity() * sizeof(Grid) + slots_.capacity() * sizeof(Slot) + entries_.capacity() * sizeof(Index) +
         areas_->bytes();
}

Locator::~Locator() = default;

}  // namespace throng::navmesh
