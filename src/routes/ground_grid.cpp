#include "routes/ground_grid.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "routes/ground_walk.hpp"

namespace throng::routes {

namespace {

constexpr double root_two = 1.41421356237309504880;

/// Whether the interiors of a triangle and a box overlap, by the axes that may
/// part them.
bool overlaps(const Vec2 (&t)[3], Vec2 low, Vec2 high) {
  for (const bool vertical : {false, true}) {
    const auto at = [&](Vec2 p) { return vertical ? p.y : p.x; };
    const double least = std::min({at(t[0]), at(t[1]), at(t[2])}), most = std::max({at(t[0]), at(t[1]), at(t[2])});
    if (most <= at(low) + tolerance::same || least >= at(high) - tolerance::same) return false;
  }
  for (int i = 0; i < 3; ++i) {
    const Vec2 a = t[i], d = t[(i + 1) % 3] - a;
    const double size = length(d);
    double most = -unreachable;
    for (const Vec2 corner : {low, high, Vec2{low.x, high.y}, Vec2{high.x, low.y}})
      most = std::max(most, cross(d, corner - a) / size);
    if (most <= tolerance::same) return false;
  }
  return true;
}

}  // namespace

Result<GroundGrid> GroundGrid::make(const ground::Surface& surface, const ground::GroundCosts& costs, double cell,
                                    GridNodes nodes) {
  GroundGrid grid(surface, costs);
  Vec2 low{unreachable, unreachable}, high{-unreachable, -unreachable};
  for (const auto& v : surface.vertices()) {
    low = {std::min(low.x, v.point.x), std::min(low.y, v.point.y)};
    high = {std::max(high.x, v.point.x), std::max(high.y, v.point.y)};
  }
  Index layers = 0;
  for (const auto& t : surface.triangles()) layers = std::max(layers, t.layer + 1);
  // Cells begin at whole multiples of their size, so that regions drawn on the
  // grid fit it.
  grid.cell_ = cell;
  grid.nodes_ = nodes;
  grid.origin_ = {std::floor(low.x / cell + 1e-9) * cell, std::floor(low.y / cell + 1e-9) * cell};
  const double columns = std::ceil((high.x - grid.origin_.x) / cell - 1e-9),
               rows = std::ceil((high.y - grid.origin_.y) / cell - 1e-9);
  if (surface.triangles().empty() || !(rows * columns * layers <= most_cells))
    return Problem{Severity::error, ProblemCode::limit, "",
                   surface.triangles().empty() ? "there is no ground"
                                               : "the grid would have more than 100 million cells: "
                                                 "take larger ones"};
  grid.rows_ = std::max<std::int64_t>(1, std::int64_t(rows));
  grid.columns_ = std::max<std::int64_t>(1, std::int64_t(columns));
  const int more = nodes == GridNodes::corners ? 1 : 0;
  grid.node_rows_ = grid.rows_ + more;
  grid.node_columns_ = grid.columns_ + more;
  grid.weight_.assign(std::size_t(grid.rows_ * grid.columns_ * layers), 0);
  grid.triangle_of_.assign(std::size_t(grid.node_rows_ * grid.node_columns_ * layers), none);
  for (Index t = 0; t < surface.triangles().size(); ++t) grid.fill_triangle(t);
  return grid;
}

void GroundGrid::fill_triangle(Index t) {
  const auto& triangle = surface_->triangles()[t];
  const double weight = costs_->of_triangle(t);
  Vec2 p[3];
  for (std::size_t i = 0; i < 3; ++i) p[i] = surface_->point(triangle.vertex[i]);
  const Vec2 low{std::min({p[0].x, p[1].x, p[2].x}), std::min({p[0].y, p[1].y, p[2].y})};
  const Vec2 high{std::max({p[0].x, p[1].x, p[2].x}), std::max({p[0].y, p[1].y, p[2].y})};
  const auto first = [&](double at, double origin) { return std::int64_t(std::floor((at - origin) / cell_)) - 1; };
  const auto last = [&](double at, double origin) { return std::int64_t(std::ceil((at - origin) / cell_)) + 1; };
  for (std::int64_t row = std::max<std::int64_t>(0, first(low.y, origin_.y)); row <= last(high.y, origin_.y); ++row)
    for (std::int64_t column = std::max<std::int64_t>(0, first(low.x, origin_.x)); column <= last(high.x, origin_.x);
         ++column) {
      const Vec2 corner = origin_ + Vec2{double(column), double(row)} * cell_;
      if (row < rows_ && column < columns_ && overlaps(p, corner, corner + Vec2{cell_, cell_})) {
        double& at = weight_[std::size_t((triangle.layer * rows_ + row) * columns_ + column)];
        at = std::max(at, weight);
      }
      const Index node = node_at(triangle.layer, row, column);
      if (row >= node_rows_ || column >= node_columns_) continue;
      const Vec2 q = point_of(node);
      const auto outside = [&](Vec2 a, Vec2 b) { return cross(b - a, q - a) < -1e-12; };
      if (triangle_of_[node] != none || outside(p[0], p[1]) || outside(p[1], p[2]) || outside(p[2], p[0])) continue;
      if (weight < ground::GroundCosts::unbounded) triangle_of_[node] = t;
    }
}

Index GroundGrid::node_at(Index layer, std::int64_t row, std::int64_t column) const {
  return Index((layer * node_rows_ + row) * node_columns_ + column);
}

Vec2 GroundGrid::point_of(Index node) const {
  const double shift = nodes_ == GridNodes::centres ? 0.5 : 0;
  const double column = double(node % node_columns_), row = double(node / node_columns_ % node_rows_);
  return origin_ + Vec2{column + shift, row + shift} * cell_;
}

double GroundGrid::cell_weight(Index layer, std::int64_t row, std::int64_t column) const {
  if (row < 0 || column < 0 || row >= rows_ || column >= columns_) return 0;
  return weight_[std::size_t((layer * rows_ + row) * columns_ + column)];
}

double GroundGrid::step_weight(Index layer, std::int64_t row, std::int64_t column, int dr, int dc) const {
  if (nodes_ == GridNodes::centres)
    return (cell_weight(layer, row, column) + cell_weight(layer, row + dr, column + dc)) / 2;
  const std::int64_t r = dr < 0 ? row - 1 : row, c = dc < 0 ? column - 1 : column;
  if (dr != 0 && dc != 0) return cell_weight(layer, r, c);
  const double one = cell_weight(layer, r, c);
  const double other = dr == 0 ? cell_weight(layer, row - 1, c) : cell_weight(layer, r, column - 1);
  return one == 0 ? other : other == 0 ? one : std::min(one, other);
}

template <class Visit>
void GroundGrid::for_each_neighbour(Index node, Visit&& visit) const {
  const Index layer = Index(node / (node_rows_ * node_columns_));
  const std::int64_t row = node / node_columns_ % node_rows_, column = node % node_columns_;
  const auto there = [&](std::int64_t r, std::int64_t c) {
    return r >= 0 && c >= 0 && r < node_rows_ && c < node_columns_ && triangle_of_[node_at(layer, r, c)] != none;
  };
  for (int dr = -1; dr <= 1; ++dr)
    for (int dc = -1; dc <= 1; ++dc) {
      const std::int64_t r = row + dr, c = column + dc;
      if ((dr == 0 && dc == 0) || r < 0 || c < 0 || r >= node_rows_ || c >= node_columns_) continue;
      const bool diagonal = dr != 0 && dc != 0;
      if (diagonal && nodes_ == GridNodes::centres && (!there(row, c) || !there(r, column))) continue;
      const auto end =
          walk_straight(*surface_, *costs_, {triangle_of_[node], point_of(node)}, point_of(node_at(layer, r, c)));
      if (!end) continue;
      const Index to = node_at(surface_->triangles()[end->triangle].layer, r, c);
      if (triangle_of_[to] == none) continue;
      const double weight = step_weight(layer, row, column, dr, dc);
      if (weight > 0 && weight < ground::GroundCosts::unbounded)
        visit(to, weight * cell_ * (diagonal ? root_two : 1), none);
    }
}

std::vector<Terminal> GroundGrid::nodes_beside(const Located& at) const {
  std::vector<Terminal> found;
  const Index layer = surface_->triangles()[at.triangle].layer;
  const auto cell_of = [&](double along, std::int64_t count) {  // the far border belongs to the last cell
    return std::clamp<std::int64_t>(std::int64_t(std::floor(along / cell_)), 0, count - 1);
  };
  const std::int64_t column = cell_of(at.point.x - origin_.x, columns_), row = cell_of(at.point.y - origin_.y, rows_);
  const auto try_node = [&](std::int64_t r, std::int64_t c, double weight) {
    if (r < 0 || c < 0 || r >= node_rows_ || c >= node_columns_) return;
    const Vec2 p = point_of(node_at(layer, r, c));
    const auto end = walk_straight(*surface_, *costs_, at, p);
    if (!end) return;
    const Index node = node_at(surface_->triangles()[end->triangle].layer, r, c);
    if (triangle_of_[node] != none) found.push_back({node, weight * distance(at.point, p)});
  };
  const double own = cell_weight(layer, row, column);
  if (nodes_ == GridNodes::corners) {
    for (const int dr : {0, 1})
      for (const int dc : {0, 1}) try_node(row + dr, column + dc, own);
    return found;
  }
  try_node(row, column, own);
  for (int dr = -1; dr <= 1 && found.empty(); ++dr)
    for (int dc = -1; dc <= 1; ++dc)
      try_node(row + dr, column + dc, std::max(own, cell_weight(layer, row + dr, column + dc)));
  return found;
}

void GroundGrid::begin(const Located& from, const Located& to) {
  from_ = from.point, to_ = to.point;
  search_.begin(node_count(), nodes_beside(from), nodes_beside(to));
}

SearchStatus GroundGrid::advance(std::size_t budget) {
  const double least = costs_->least();
  const auto octile = [&](Index node) {
    const Vec2 d = point_of(node) - to_;
    const double x = std::abs(d.x), y = std::abs(d.y);
    // The last leg is straight, so only what lies before the cells around the goal is octile.
    return least * std::max(0.0, std::max(x, y) + (root_two - 1) * std::min(x, y) - 2 * cell_);
  };
  return search_.advance(*this, octile, 1, budget);
}

std::vector<Vec2> GroundGrid::way() const {
  std::vector<Vec2> points{to_};
  for (Index node = search_.last_node(); node != none; node = search_.parent(node)) points.push_back(point_of(node));
  points.push_back(from_);
  std::reverse(points.begin(), points.end());
  return points;
}

}  // namespace throng::routes
