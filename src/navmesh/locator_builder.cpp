// Fills the grids of a Locator: every cell is laid over the squares of its layers, a little too generously.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "navmesh/arc.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/piece.hpp"
#include "navmesh/random_point.hpp"

namespace throng::navmesh {
namespace {

/// A convex shape that holds a cell.
struct Hull {
  std::array<Vec2, 4> points;
  Vec2 min{INFINITY, INFINITY}, max{-INFINITY, -INFINITY};

  explicit Hull(const std::array<Vec2, 4>& corners) : points(corners) {
    for (const Vec2 p : points) {
      min = {std::min(min.x, p.x), std::min(min.y, p.y)};
      max = {std::max(max.x, p.x), std::max(max.y, p.y)};
    }
  }
};

/// The piece holds the cell but for the lens, which lies within the triangle of the parabola's control point and belongs to
/// the corner's cell only.
Hull hull_of(const Mesh& mesh, Index cell, const Piece& piece) {
  const Site& site = mesh.sites[mesh.site_of(cell)];
  const Site& opposite = mesh.sites[mesh.opposite_site_of(cell)];
  if (!site.is_corner()) return Hull({piece.foot_left, piece.foot_right, piece.node_right, piece.node_left});
  if (opposite.is_corner()) return Hull({site.a, piece.node_right, piece.node_left, piece.node_left});
  const Vec2 control = parabola_control(site.a, opposite.a, opposite.b, piece.node_right, piece.node_left);
  return Hull({site.a, piece.node_right, control, piece.node_left});
}

/// How many entries a square size would make, from sums over hulls: a hull of w x h meets at most (w n + 1)(h m + 1) squares.
struct Extents {
  double area = 0, width = 0, height = 0, count = 0;

  void add(double w, double h) { area += w * h, width += w, height += h, count += 1; }
  [[nodiscard]] double entries(double columns_a_metre, double rows_a_metre) const {
    return area * columns_a_metre * rows_a_metre + width * columns_a_metre + height * rows_a_metre + count;
  }
};

/// The columns a convex shape meets in each row. `reach` is how much larger it is taken to be, in squares.
template <class Visit>
void for_each_square(const std::array<Vec2, 4>& p, Vec2 low, Vec2 high, std::uint32_t columns, std::uint32_t rows,
                     double reach, const Visit& visit) {
  const auto square = [](double at, std::uint32_t count) { return std::uint32_t(std::clamp(at, 0.0, count - 1.0)); };
  const std::uint32_t left = square(low.x - reach, columns), right = square(high.x + reach, columns);
  const std::uint32_t bottom = square(low.y - reach, rows), top = square(high.y + reach, rows);
  if (left == right || bottom == top) {
    for (std::uint32_t row = bottom; row <= top; ++row)
      for (std::uint32_t column = left; column <= right; ++column) visit(row * columns + column);
    return;
  }
  for (std::uint32_t row = bottom; row <= top; ++row) {
    const double floor = row - reach, ceiling = row + 1 + reach;
    double first = INFINITY, last = -INFINITY;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Vec2 a = p[i], b = p[(i + 1) % p.size()];
      const double lower = std::min(a.y, b.y), upper = std::max(a.y, b.y);
      if (upper < floor || lower > ceiling) continue;
      const double slope = upper > lower ? (b.x - a.x) / (b.y - a.y) : 0;
      const double x0 = a.y == b.y ? a.x : a.x + slope * (std::clamp(floor, lower, upper) - a.y);
      const double x1 = a.y == b.y ? b.x : a.x + slope * (std::clamp(ceiling, lower, upper) - a.y);
      first = std::min({first, x0, x1});
      last = std::max({last, x0, x1});
    }
    if (first > last) continue;
    const std::uint32_t end = square(last + reach, columns);
    for (std::uint32_t column = square(first - reach, columns); column <= end; ++column) visit(row * columns + column);
  }
}

}  // namespace

class LocatorBuilder {
 public:
  LocatorBuilder(const Mesh& mesh, Locator& locator) : mesh_(mesh), out_(locator) {}

  void run() {
    lay_pieces();
    measure();
    for (Index layer = 0; layer < mesh_.layers.size(); ++layer) place_grid(layer);
    pairs_.reserve(4 * mesh_.cell_count());
    last_site_.assign(out_.slots_.size(), none);
    const auto every_site = [](Index) { return true; };
    for_each_cell(every_site, [&](Index layer, Index site, const Hull& hull) {
      for_each_square(out_.grids_[layer], hull, [&](std::uint32_t slot) { put(slot, site); });
    });
    split_crowded_slots();
    fill();
  }

 private:
  using Grid = Locator::Grid;
  using Slot = Locator::Slot;
  struct Box {
    Vec2 min{INFINITY, INFINITY}, max{-INFINITY, -INFINITY};
    void add(Vec2 p) {
      min = {std::min(min.x, p.x), std::min(min.y, p.y)};
      max = {std::max(max.x, p.x), std::max(max.y, p.y)};
    }
  };
  struct Pair {
    std::uint32_t slot, site;
  };

  static constexpr double squares_a_cell = 0.75;    // measured: finer grids cost more memory than they save time
  static constexpr double most_entries_a_cell = 6;  // keeps long thin cells, as in combs, from filling the memory
  static constexpr std::uint32_t crowded = 24;      // sites in one square that make a finer grid worth while
  static constexpr double margin = 1e-6;            // squares by which cells are laid out too large: above all rounding

  void lay_pieces() {
    out_.pieces_.reserve(mesh_.cell_count());
    out_.beside_.reserve(mesh_.cell_count());
    for (Index cell = 0; cell < mesh_.cell_count(); ++cell) {
      out_.pieces_.push_back(piece_of(mesh_, cell));
      out_.beside_.push_back({beside_left(mesh_, cell), beside_right(mesh_, cell)});
    }
  }

  /// Boxes of layers, sums over cells, and the tolerance that follows from the coordinates' size.
  void measure() {
    boxes_.resize(mesh_.layers.size());
    extents_.resize(mesh_.layers.size());
    for (const Site& site : mesh_.sites) {
      boxes_[site.layer].add(site.a);
      boxes_[site.layer].add(site.b);
    }
    for (const Connection& c : mesh_.connections)
      for (const Index layer : {c.left_layer, c.right_layer}) boxes_[layer].add(c.a), boxes_[layer].add(c.b);
    for (Index cell = 0; cell < mesh_.cell_count(); ++cell) {
      const Piece& p = out_.pieces_[cell];
      const auto [left, right] = std::minmax({p.foot_left.x, p.foot_right.x, p.node_left.x, p.node_right.x});
      const auto [bottom, top] = std::minmax({p.foot_left.y, p.foot_right.y, p.node_left.y, p.node_right.y});
      for_each_layer(cell, [&](Index layer) { extents_[layer].add(right - left, top - bottom); });
    }
    double largest = 0;
    for (const Box& box : boxes_)
      if (box.min.x <= box.max.x)
        for (const double x : {box.min.x, box.min.y, box.max.x, box.max.y}) largest = std::max(largest, std::abs(x));
    out_.tolerance_ = std::max(1e-6 * mesh_.grid.unit(), 16 * std::numeric_limits<double>::epsilon() * largest);
  }

  void place_grid(Index layer) {
    Grid grid;
    grid.first_slot = std::uint32_t(out_.slots_.size());
    const Box& box = boxes_[layer];
    const Extents& extents = extents_[layer];
    if (extents.count > 0 && box.min.x <= box.max.x) {
      const double reach = 2 * out_.tolerance_;
      const Vec2 size = box.max - box.min + Vec2{2 * reach, 2 * reach};
      const double squares = std::max(1.0, squares_a_cell * extents.count);
      double per_metre = std::sqrt(squares / (size.x * size.y));
      while (per_metre * std::max(size.x, size.y) > 1 &&
             extents.entries(per_metre, per_metre) > most_entries_a_cell * extents.count)
        per_metre *= 0.8;
      grid = grid_over(box.min - Vec2{reach, reach}, size, size.x * per_metre, size.y * per_metre, grid.first_slot);
    }
    out_.slots_.resize(out_.slots_.size() + std::size_t{grid.columns} * grid.rows);
    out_.grids_.push_back(grid);
  }

  static Grid grid_over(Vec2 origin, Vec2 size, double columns, double rows, std::uint32_t first_slot) {
    Grid grid;
    grid.origin = origin;
    grid.columns = std::uint32_t(std::clamp(std::ceil(columns), 1.0, 1e8));
    grid.rows = std::uint32_t(std::clamp(std::ceil(rows), 1.0, 1e8));
    grid.per_metre = {grid.columns / size.x, grid.rows / size.y};
    grid.first_slot = first_slot;
    return grid;
  }

  /// The layers a cell reaches into; some may be visited twice.
  template <class Visit>
  void for_each_layer(Index cell, const Visit& visit) {
    visit(mesh_.nodes[mesh_.arcs[cell / 2].from].layer);
    for (const Straddle& straddle : straddles_of(mesh_, cell)) {
      visit(mesh_.connections[straddle.connection].left_layer);
      visit(mesh_.connections[straddle.connection].right_layer);
    }
  }

  /// Calls visit(layer, site, hull) for the cells of every site that is wanted.
  template <class Wanted, class Visit>
  void for_each_cell(const Wanted& wanted, const Visit& visit) {
    for (Index s = 0; s < mesh_.sites.size(); ++s) {
      const Site& site = mesh_.sites[s];
      if (!wanted(s)) continue;
      for (Index i = 0; i < site.cell_count; ++i) {
        const Index cell = mesh_.site_cells[site.first_cell + i];
        const Hull hull = hull_of(mesh_, cell, out_.pieces_[cell]);
        for_each_layer(cell, [&](Index layer) { visit(layer, s, hull); });
      }
    }
  }

  void put(std::uint32_t slot, Index site) {
    if (last_site_[slot] == site) return;
    last_site_[slot] = site;
    pairs_.push_back({slot, site});
  }

  template <class Visit>
  static void for_each_square(const Grid& grid, const Hull& hull, const Visit& visit) {
    if (grid.columns == 0) return;
    std::array<Vec2, 4> points;
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = grid.squares(hull.points[i]);
    const Vec2 low = grid.squares(hull.min), high = grid.squares(hull.max);
    if (high.x < -margin || high.y < -margin || low.x > grid.columns + margin || low.y > grid.rows + margin) return;
    navmesh::for_each_square(points, low, high, grid.columns, grid.rows, margin,
                             [&](std::uint32_t square) { visit(grid.first_slot + square); });
  }

  /// Gives squares with many sites a finer grid, whose sides suit the shapes in it: tall ones want many columns.
  void split_crowded_slots() {
    std::vector<std::uint32_t> counts(out_.slots_.size(), 0);
    for (const Pair& pair : pairs_) ++counts[pair.slot];
    if (std::none_of(counts.begin(), counts.end(), [](std::uint32_t count) { return count >= crowded; })) return;
    std::vector<bool> concerned(mesh_.sites.size(), false);
    for (const Pair& pair : pairs_)
      if (counts[pair.slot] >= crowded) concerned[pair.site] = true;
    std::erase_if(pairs_, [&](const Pair& pair) { return counts[pair.slot] >= crowded; });
    const auto is_concerned = [&](Index site) { return bool(concerned[site]); };
    const std::vector<Extents> extents = measure_crowded(counts, is_concerned);
    for (Index layer = 0; layer < mesh_.layers.size(); ++layer) {
      const Grid grid = out_.grids_[layer];
      for (std::uint32_t square = 0; square < grid.columns * grid.rows; ++square)
        if (counts[grid.first_slot + square] >= crowded) split(grid, square, extents[grid.first_slot + square]);
    }
    last_site_.resize(out_.slots_.size(), none);
    for_each_cell(is_concerned, [&](Index layer, Index site, const Hull& hull) {
      for_each_square(out_.grids_[layer], hull, [&](std::uint32_t slot) {
        if (out_.slots_[slot].count != Locator::finer) return;
        const Grid& fine = out_.grids_[out_.slots_[slot].first];
        for_each_square(fine, hull, [&](std::uint32_t fine_slot) { put(fine_slot, site); });
      });
    });
  }

  /// Sums over the parts of hulls in each crowded slot, in squares of its grid.
  template <class Wanted>
  std::vector<Extents> measure_crowded(const std::vector<std::uint32_t>& counts, const Wanted& wanted) {
    std::vector<Extents> extents(counts.size());
    for_each_cell(wanted, [&](Index layer, Index, const Hull& hull) {
      const Grid& grid = out_.grids_[layer];
      for_each_square(grid, hull, [&](std::uint32_t slot) {
        if (counts[slot] < crowded) return;
        const std::uint32_t square = slot - grid.first_slot;
        const Vec2 low{double(square % grid.columns), double(square / grid.columns)};
        const Vec2 a = grid.squares(hull.min) - low, b = grid.squares(hull.max) - low;
        extents[slot].add(std::clamp(b.x, 0.0, 1.0) - std::clamp(a.x, 0.0, 1.0),
                          std::clamp(b.y, 0.0, 1.0) - std::clamp(a.y, 0.0, 1.0));
      });
    });
    return extents;
  }

  void split(const Grid& grid, std::uint32_t square, const Extents& extents) {
    const auto [columns, rows] = best_split(extents);
    const Vec2 size{1 / grid.per_metre.x, 1 / grid.per_metre.y};
    const Vec2 origin = grid.origin + Vec2{square % grid.columns * size.x, square / grid.columns * size.y};
    out_.slots_[grid.first_slot + square] = {std::uint32_t(out_.grids_.size()), Locator::finer};
    out_.grids_.push_back(grid_over(origin, size, columns, rows, std::uint32_t(out_.slots_.size())));
    const Grid& fine = out_.grids_.back();
    out_.slots_.resize(out_.slots_.size() + std::size_t{fine.columns} * fine.rows);
  }

  /// The split with the fewest sites a square among those that do not make too many entries.
  static std::pair<double, double> best_split(const Extents& extents) {
    const double most = std::max(1.0, squares_a_cell * extents.count);
    std::pair<double, double> best{1, 1};
    double fewest = extents.count;
    for (double columns = 1; columns <= most; columns *= 2)
      for (double rows = 1; columns * rows <= most; rows *= 2) {
        const double entries = extents.entries(columns, rows);
        if (entries > most_entries_a_cell * extents.count || entries / (columns * rows) >= fewest) continue;
        fewest = entries / (columns * rows);
        best = {columns, rows};
      }
    return best;
  }

  /// Sorts what was entered by slot; sites stay in ascending order.
  void fill() {
    for (const Pair& pair : pairs_) ++out_.slots_[pair.slot].count;
    std::uint32_t first = 0;
    for (Slot& slot : out_.slots_) {
      if (slot.count == Locator::finer) continue;
      slot.first = first;
      first += std::exchange(slot.count, 0);
    }
    out_.entries_.resize(pairs_.size());
    for (const Pair& pair : pairs_) {
      Slot& slot = out_.slots_[pair.slot];
      out_.entries_[slot.first + slot.count++] = pair.site;
    }
    out_.layer_count_ = mesh_.layers.size();
    out_.slots_.shrink_to_fit();
  }

  const Mesh& mesh_;
  Locator& out_;
  std::vector<Box> boxes_;
  std::vector<Extents> extents_;
  std::vector<Index> last_site_;  ///< for each slot, the last site entered
  std::vector<Pair> pairs_;
};

Locator::Locator(const Mesh& mesh) {
  LocatorBuilder(mesh, *this).run();
  areas_ = std::make_unique<const AreaSums>(mesh, pieces_);
}

std::shared_ptr<const Locator> make_locator(const Mesh& mesh) { return std::make_shared<const Locator>(mesh); }

}  // namespace throng::navmesh
