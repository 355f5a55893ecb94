#include "routes/grid_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/tolerances.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/visibility.hpp"
#include "routes/corridor_tiles.hpp"
#include "routes/waypoints.hpp"

namespace throng::routes {

namespace {

using navmesh::Mesh;
using navmesh::Place;

/// Row and column steps: east, north, west, south, then the diagonals counterclockwise from the north-east.
constexpr int square_steps[8][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
/// The same for hexagons of even and odd rows, the odd ones half a cell to the east: counterclockwise from the east.
constexpr int hexagon_steps[2][6][2] = {{{0, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}},
                                        {{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, 0}, {-1, 1}}};

Problem refusal(std::string place, std::string why) {
  return {Severity::error, ProblemCode::value, std::move(place), std::move(why)};
}

}  // namespace

/// Fills the bits of a grid whose lattice is known.
class GridSurface::Maker {
 public:
  explicit Maker(GridSurface& grid) : grid_(grid), mesh_(*grid.mesh_) {}

  void make() {
    find_free();
    // Half of the directions: each join is noted at both of its cells.
    const bool hexagons = grid_.shape_ == GridShape::hexagonal;
    for (Index node = 0; node < grid_.joins_.size(); ++node)
      if (grid_.is_free(node))
        for (Index d = 0; d < (hexagons ? 3 : 2); ++d) join(node, d, hexagons ? d + 3 : d + 2);
    if (grid_.shape_ == GridShape::square8) join_diagonals();
    std::sort(grid_.crossings_.begin(), grid_.crossings_.end(),
              [](const Crossing& a, const Crossing& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  }

 private:
  struct Known {
    Index cell = none;
    double clearance = 0;
  };

  void find_free() {
    known_.resize(grid_.joins_.size());
    Index hint = none;
    for (Index node = 0; node < grid_.joins_.size(); ++node) {
      const navmesh::Located at = navmesh::locate_from(mesh_, hint, grid_.place_of(node));
      if (!at) continue;
      hint = at.cell;
      if (at.clearance < grid_.radius_) continue;
      known_[node] = {at.cell, at.clearance};
      grid_.joins_[node] |= free_bit;
    }
  }

  /// Looked at from both ends: along an edge of the axis, where grids like to run, the look from one may get lost.
  [[nodiscard]] bool slides(Index from, Index to) const {
    const auto sees = [&](Index a, Index b) {
      return navmesh::visible_from(mesh_, {grid_.place_of(a), known_[a].cell, known_[a].clearance}, grid_.place_of(b),
                                   grid_.radius_);
    };
    return sees(from, to) || sees(to, from);
  }

  void join(Index node, Index direction, Index back) {
    const Index beside = grid_.neighbour(node, direction);
    if (beside == none) return;
    Place to = grid_.place_of(beside);
    if (mesh_.connection_count() > 0) {
      const navmesh::Hit end = navmesh::first_hit(mesh_, grid_.place_of(node), to.point, known_[node].cell);
      if (end.blocked) return;
      to.layer = end.layer;
    }
    const Index other = grid_.cell_at(to);
    if (!grid_.is_free(other) || !slides(node, other)) return;
    if (other == beside) {
      grid_.joins_[node] |= std::uint16_t(1 << direction);
      grid_.joins_[other] |= std::uint16_t(1 << back);
      return;
    }
    for (const auto& [a, b] : {std::pair(node, other), std::pair(other, node)}) {
      grid_.crossings_.push_back({a, b});
      grid_.joins_[a] |= crossing_bit;
    }
  }

  void join_diagonals() {
    const auto joined = [&](Index node, Index direction) {
      return node != none && (grid_.joins_[node] >> direction & 1) != 0;
    };
    enum : Index { east, north, west, south, north_east, north_west, south_west, south_east };
    for (Index node = 0; node < grid_.joins_.size(); ++node) {
      if (!joined(node, north)) continue;
      const Index above = grid_.neighbour(node, north);
      for (const auto& [side, diagonal, back] :
           {std::tuple(east, north_east, south_west), std::tuple(west, north_west, south_east)}) {
        if (!joined(node, side) || !joined(above, side) || !joined(grid_.neighbour(node, side), north)) continue;
        const Index across = grid_.neighbour(above, side);
        if (!slides(node, across)) continue;
        grid_.joins_[node] |= std::uint16_t(1 << diagonal);
        grid_.joins_[across] |= std::uint16_t(1 << back);
      }
    }
  }

  GridSurface& grid_;
  const Mesh& mesh_;
  std::vector<Known> known_;
};

Result<GridSurface> GridSurface::make(navmesh::MeshPtr mesh, GridShape shape, double cell, double radius) {
  if (!(cell > 0) || !std::isfinite(cell)) return refusal("cell size", fmt::format("{} is not a length above 0", cell));
  if (!(radius >= 0) || !std::isfinite(radius)) return refusal("radius", fmt::format("{} is not a length", radius));
  Vec2 low{unreachable, unreachable}, high{-unreachable, -unreachable};
  for (const navmesh::Site& site : mesh->all_sites())
    for (const Vec2 p : {site.a, site.b}) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  if (!(low.x <= high.x)) return refusal("world", "nothing in it is walkable");
  GridSurface grid;
  grid.mesh_ = std::move(mesh);
  grid.shape_ = shape;
  grid.cell_ = cell;
  grid.radius_ = radius;
  grid.diagonal_ = cell * std::numbers::sqrt2;
  grid.row_height_ = shape == GridShape::hexagonal ? cell * std::numbers::sqrt3 / 2 : cell;
  grid.origin_ = low + Vec2{cell, grid.row_height_} / 2;
  const double columns = std::floor((high.x - low.x) / cell) + 1;
  const double rows = std::floor((high.y - low.y) / grid.row_height_) + 1;
  const double cells = columns * rows * double(grid.mesh_->layers.size());
  if (cells > most_cells)
    return refusal("cell size", fmt::format("{} m makes {:.0f} million cells; at most {:.0f} million are possible",
                                            cell, cells / 1e6, most_cells / 1e6));
  grid.columns_ = Index(columns);
  grid.rows_ = Index(rows);
  for (const int odd : {0, 1})
    for (Index d = 0; d < grid.direction_count(); ++d) {
      const int* const step = shape == GridShape::hexagonal ? hexagon_steps[odd][d] : square_steps[d];
      grid.offsets_[odd][d] = std::int64_t(step[0]) * grid.columns_ + step[1];
    }
  grid.joins_.assign(std::size_t(cells), 0);
  Maker(grid).make();
  return grid;
}

std::size_t GridSurface::free_count() const {
  return std::size_t(std::count_if(joins_.begin(), joins_.end(), [](std::uint16_t j) { return (j & free_bit) != 0; }));
}

Vec2 GridSurface::centre(Index row, Index column) const {
  const double shift = shape_ == GridShape::hexagonal && row % 2 == 1 ? 0.5 : 0;
  return origin_ + Vec2{(column + shift) * cell_, row * row_height_};
}

Place GridSurface::place_of(Index node) const {
  return {centre(row_of(node), column_of(node)), node / columns_ / rows_};
}

Index GridSurface::cell_at(const Place& place) const {
  const double row = std::round((place.point.y - origin_.y) / row_height_);
  if (!(row >= 0 && row < rows_) || place.layer >= mesh_->layers.size()) return none;
  const double shift = shape_ == GridShape::hexagonal && Index(row) % 2 == 1 ? 0.5 : 0;
  const double column = std::round((place.point.x - origin_.x) / cell_ - shift);
  if (!(column >= 0 && column < columns_)) return none;
  return (place.layer * rows_ + Index(row)) * columns_ + Index(column);
}

Index GridSurface::neighbour(Index node, Index direction) const {
  const Index row = row_of(node), column = column_of(node);
  const int* const step = shape_ == GridShape::hexagonal ? hexagon_steps[row % 2][direction] : square_steps[direction];
  const std::int64_t to_row = std::int64_t(row) + step[0], to_column = std::int64_t(column) + step[1];
  if (to_row < 0 || to_row >= rows_ || to_column < 0 || to_column >= columns_) return none;
  return Index(std::int64_t(node) + std::int64_t(step[0]) * columns_ + step[1]);
}

double GridSurface::least_cost(Index from, Index to) const {
  const double rows = std::abs(double(row_of(from)) - double(row_of(to)));
  double columns = std::abs(double(column_of(from)) - double(column_of(to)));
  if (shape_ == GridShape::square4) return cell_ * (rows + columns);
  if (shape_ == GridShape::square8) return cell_ * std::abs(rows - columns) + diagonal_ * std::min(rows, columns);
  // A hexagon a row up or down is half a column to the side; what is left of the way is along the row.
  const double shift = (double(row_of(from) % 2) - double(row_of(to) % 2)) / 2;
  columns = std::abs(double(column_of(from)) - double(column_of(to)) + shift);
  return cell_ * (rows + std::max(0.0, columns - rows / 2));
}

std::vector<Terminal> GridSurface::cells_beside(const Place& place, double radius) const {
  std::vector<Terminal> beside;
  const double row = std::round((place.point.y - origin_.y) / row_height_);
  const double column = std::round((place.point.x - origin_.x) / cell_);
  for (double r = row - 1; r <= row + 1; ++r)
    for (double c = column - 1; c <= column + 1; ++c) {
      if (!(r >= 0 && r < rows_ && c >= 0 && c < columns_)) continue;
      Place to{centre(Index(r), Index(c)), place.layer};
      if (mesh_->connection_count() > 0) {
        const navmesh::Hit end = navmesh::first_hit(*mesh_, place, to.point);
        if (end.blocked) continue;
        to.layer = end.layer;
      }
      const Index node = (to.layer * rows_ + Index(r)) * columns_ + Index(c);
      if (is_free(node) && navmesh::visible(*mesh_, place, to, radius))
        beside.push_back({node, length(to.point - place.point)});
    }
  return beside;
}

NoRoute GridSurface::plan(const RouteQuery& query, const SearchSettings& settings, AnySearch& search, Route& route,
                          SearchAnswer& answer) const {
  route = {};
  answer = {};
  const bool sound = std::isfinite(query.from.point.x) && std::isfinite(query.from.point.y) &&
                     std::isfinite(query.to.point.x) && std::isfinite(query.to.point.y) && query.radius >= 0 &&
                     query.radius <= radius_;
  if (!sound) return NoRoute::bad_query;
  const auto from = with_room(*mesh_, query.from, query.radius, query.adjust);
  const auto to = with_room(*mesh_, query.to, query.radius, query.adjust);
  if (!from) return NoRoute::start_blocked;
  if (!to) return NoRoute::goal_blocked;
  const double kept = std::max(0.0, query.radius - tolerance::same);
  const std::vector<Terminal> starts = cells_beside(*from, kept), ends = cells_beside(*to, kept);
  const auto least_to = [&](const std::vector<Terminal>& terminals) {
    return [&](Index node) {
      double least = unreachable;
      for (const Terminal& terminal : terminals)
        least = std::min(least, least_cost(node, terminal.node) + terminal.cost);
      return least;
    };
  };
  search.find(settings, *this, least_to(ends), least_to(starts), starts, ends, answer);
  if (!answer.found()) return NoRoute::not_connected;
  std::vector<Place> way{*from};
  const auto goes_straight_on = [&](const Place& next) {
    const std::size_t n = way.size();
    if (n < 3 || next.layer != way[n - 1].layer || way[n - 1].layer != way[n - 2].layer) return false;
    const Vec2 last = way[n - 1].point - way[n - 2].point, step = next.point - way[n - 1].point;
    return dot(last, step) > 0 && std::abs(cross(last, step)) <= 1e-9 * length(last) * length(step);
  };
  for (const Index node : answer.path.nodes) {
    const Place next = place_of(node);
    if (goes_straight_on(next))
      way.back() = next;
    else
      way.push_back(next);
  }
  way.push_back(*to);
  Result<Route> drawn = given_route(*mesh_, way, query.radius);
  if (!drawn) return NoRoute::not_connected;
  route = std::move(drawn).value();
  return NoRoute::found;
}

std::size_t GridSurface::bytes() const {
  return sizeof *this + joins_.capacity() * sizeof(std::uint16_t) + crossings_.capacity() * sizeof(Crossing);
}

}  // namespace throng::routes
