#include "navmesh/random_point.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "navmesh/locate.hpp"
#include "navmesh/piece.hpp"

namespace throng::navmesh {
namespace {

/// The lens under a parabola belongs to the segment's piece, but to the cell across.
bool has_foreign_lens(const Mesh& mesh, Index cell) {
  return !mesh.sites[mesh.site_of(cell)].is_corner() && mesh.sites[mesh.opposite_site_of(cell)].is_corner();
}

double polygon_area(const std::vector<Vec2>& polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) twice += cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return std::max(0.0, twice / 2);
}

/// The part of a convex polygon left of a->b.
std::vector<Vec2> left_part(const std::vector<Vec2>& polygon, Vec2 a, Vec2 b) {
  std::vector<Vec2> part;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 p = polygon[i], q = polygon[(i + 1) % polygon.size()];
    const double side_p = cross(b - a, p - a), side_q = cross(b - a, q - a);
    if (side_p >= 0) part.push_back(p);
    if ((side_p < 0) != (side_q < 0)) part.push_back(p + (q - p) * (side_p / (side_p - side_q)));
  }
  return part;
}

Vec2 middle_of(const std::vector<Vec2>& polygon) {
  Vec2 sum{};
  for (const Vec2 p : polygon) sum += p;
  return sum / double(polygon.size());
}

/// The layer of a part: that of its middle, in whichever cell holds it.
Index layer_of_part(const Mesh& mesh, Index cell, Vec2 middle) {
  const bool across = has_foreign_lens(mesh, cell) && straddles_of(mesh, cell).empty();
  return layer_at(mesh, across ? across_arc(cell) : cell, middle);
}

std::vector<Vec2> outline(const Piece& piece) {
  return {piece.foot_left, piece.foot_right, piece.node_right, piece.node_left};
}

/// Calls visit(layer, area) for each part of a piece: for the whole where no connection cuts it.
template <class Visit>
void for_each_area(const Mesh& mesh, const Piece& piece, Index cell, Visit&& visit) {
  if (!is_cut(mesh, cell)) return visit(mesh.nodes[mesh.arcs[cell / 2].from].layer, std::max(0.0, piece.area()));
  for (const PiecePart& part : parts_of_piece(mesh, cell)) visit(part.layer, polygon_area(part.polygon));
}

double area_in_layer(const Mesh& mesh, const Piece& piece, Index cell, Index layer) {
  double sum = 0;
  for_each_area(mesh, piece, cell, [&](Index of, double area) { sum += of == layer ? area : 0; });
  return sum;
}

Vec2 point_in_triangle(Vec2 a, Vec2 b, Vec2 c, double v, double w) {
  const double s = std::sqrt(v);
  return a + (b - a) * (s * (1 - w)) + (c - a) * (s * w);
}

/// The point at which a share of a fan of triangles is passed, at an even place in that triangle.
Vec2 point_in_fan(const std::vector<Vec2>& polygon, double v, double w) {
  double left = v * polygon_area(polygon);
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const double area = std::max(0.0, cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]) / 2);
    if (left < area || i + 1 == polygon.size())
      return point_in_triangle(polygon[0], polygon[i - 1], polygon[i], area > 0 ? std::min(left / area, 1.0) : 0, w);
    left -= area;
  }
  return polygon[0];
}

Vec2 point_in_piece(const Piece& piece, double v, double w) {
  const Vec2 o = piece.foot_left;
  const double first = std::max(0.0, cross(piece.foot_right - o, piece.node_right - o));
  const double second = std::max(0.0, cross(piece.node_right - o, piece.node_left - o));
  const double left = v * (first + second);
  if (left < first) return point_in_triangle(o, piece.foot_right, piece.node_right, left / first, w);
  return point_in_triangle(o, piece.node_right, piece.node_left,
                           second > 0 ? std::min((left - first) / second, 1.0) : 0, w);
}

Vec2 point_in_cut_piece(const Mesh& mesh, Index cell, Index layer, double v, double w) {
  std::vector<PiecePart> parts = parts_of_piece(mesh, cell);
  std::erase_if(parts, [&](const PiecePart& part) { return part.layer != layer; });
  double total = 0;
  for (const PiecePart& part : parts) total += polygon_area(part.polygon);
  double left = v * total;
  for (const PiecePart& part : parts) {
    const double area = polygon_area(part.polygon);
    if (left < area || &part == &parts.back())
      return point_in_fan(part.polygon, area > 0 ? std::min(left / area, 1.0) : 0, w);
    left -= area;
  }
  return piece_of(mesh, cell).node_left;
}

}  // namespace

bool is_cut(const Mesh& mesh, Index cell) {
  if (mesh.straddles.empty()) return false;
  return !straddles_of(mesh, cell).empty() ||
         (has_foreign_lens(mesh, cell) && !straddles_of(mesh, across_arc(cell)).empty());
}

std::vector<PiecePart> parts_of_piece(const Mesh& mesh, Index cell) {
  std::vector<std::vector<Vec2>> polygons{outline(piece_of(mesh, cell))};
  const auto cut_by = [&](std::span<const Straddle> straddles) {
    for (const Straddle& straddle : straddles) {
      const Connection& c = mesh.connections[straddle.connection];
      std::vector<std::vector<Vec2>> next;
      for (const std::vector<Vec2>& polygon : polygons)
        for (std::vector<Vec2> part : {left_part(polygon, c.a, c.b), left_part(polygon, c.b, c.a)})
          if (part.size() > 2) next.push_back(std::move(part));
      polygons = std::move(next);
    }
  };
  cut_by(straddles_of(mesh, cell));
  if (has_foreign_lens(mesh, cell)) cut_by(straddles_of(mesh, across_arc(cell)));
  std::vector<PiecePart> parts;
  for (std::vector<Vec2>& polygon : polygons) {
    const Index layer = layer_of_part(mesh, cell, middle_of(polygon));
    parts.push_back({std::move(polygon), layer});
  }
  return parts;
}

AreaSums::AreaSums(const Mesh& mesh, std::span<const Piece> pieces) {
  totals_.assign(mesh.layers.size(), 0);
  std::vector<std::vector<Sum>> of_layer(mesh.layers.size());
  std::vector<double> of_cell(mesh.layers.size(), 0), in_block(mesh.layers.size(), 0);  // zero between uses
  std::vector<Index> cell_layers, block_layers;
  for (Index cell = 0; cell < mesh.cell_count(); cell += cells_a_block) {
    const Index end = std::min<Index>(cell + cells_a_block, Index(mesh.cell_count()));
    for (Index i = cell; i < end; ++i) {
      for_each_area(mesh, pieces[i], i, [&](Index layer, double area) {
        if (layer >= of_cell.size()) return;
        cell_layers.push_back(layer);
        of_cell[layer] += area;
      });
      for (const Index layer : cell_layers) {
        if (of_cell[layer] != 0) block_layers.push_back(layer);
        in_block[layer] += std::exchange(of_cell[layer], 0.0);
      }
      cell_layers.clear();
    }
    for (const Index layer : block_layers) {
      if (in_block[layer] > 0) of_layer[layer].push_back({totals_[layer], cell / cells_a_block});
      totals_[layer] += std::exchange(in_block[layer], 0.0);
    }
    block_layers.clear();
  }
  for (const std::vector<Sum>& sums : of_layer) {
    first_.push_back(sums_.size());
    sums_.insert(sums_.end(), sums.begin(), sums.end());
  }
  first_.push_back(sums_.size());
  sums_.shrink_to_fit();
}

double AreaSums::total(Index layer) const { return layer < totals_.size() ? totals_[layer] : 0; }

AreaSums::Block AreaSums::find(Index layer, double area) const {
  const auto begin = sums_.begin() + std::ptrdiff_t(first_[layer]),
             end = sums_.begin() + std::ptrdiff_t(first_[layer + 1]);
  const auto after = std::upper_bound(begin, end, area, [](double a, const Sum& sum) { return a < sum.before; });
  const Sum& sum = *(after == begin ? begin : after - 1);
  return {sum.block * cells_a_block, sum.before};
}

std::size_t AreaSums::bytes() const {
  return sums_.capacity() * sizeof(Sum) + first_.capacity() * sizeof(std::size_t) + totals_.capacity() * sizeof(double);
}

double free_area(const Mesh& mesh, Index layer) { return mesh.locator->areas().total(layer); }

std::optional<Place> random_point(const Mesh& mesh, Index layer, double u, double v, double w) {
  const AreaSums& sums = mesh.locator->areas();
  if (!(sums.total(layer) > 0)) return std::nullopt;
  const double area = u * sums.total(layer);
  const AreaSums::Block block = sums.find(layer, area);
  const Index end = std::min<Index>(block.first_cell + AreaSums::cells_a_block, Index(mesh.cell_count()));
  double left = area - block.before;
  Index chosen = none;
  for (Index cell = block.first_cell; cell < end; ++cell) {
    const double here = area_in_layer(mesh, mesh.locator->piece(cell), cell, layer);
    if (here <= 0) continue;
    chosen = cell;  // rounding may leave a little over after the last one
    if (left < here) break;
    left -= here;
  }
  if (chosen == none) return std::nullopt;
  const Vec2 p = is_cut(mesh, chosen) ? point_in_cut_piece(mesh, chosen, layer, v, w)
                                      : point_in_piece(mesh.locator->piece(chosen), v, w);
  return Place{p, layer};
}

}  // namespace throng::navmesh
