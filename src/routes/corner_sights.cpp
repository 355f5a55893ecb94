#include "routes/corner_sights.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>
#include <tuple>

#include "geometry/elementary.hpp"
#include "geometry/parallel.hpp"
#include "navmesh/queries.hpp"

namespace throng::routes {

namespace {

/// Codes by which bundles are wider on either side: rounding, and that they begin beside the corner.
constexpr std::uint16_t code_margin = 2;
/// Codes between two bundles of one corner in one tile that are kept as one.
constexpr std::uint16_t code_gap = 16;
/// Radians, and a difference of cosines, by which more bundles are kept than could hold a tangent.
constexpr double beside_part = 0.01;

/// Where tangents touch the circle around a corner, for whoever looks at it through a window: in ways that lead on, in dead ends, or nowhere.
class TouchedParts {
 public:
  enum class Where : std::uint8_t { nowhere, dead_end, core };

  TouchedParts(const DiscTiles& tiles, const Corner& corner, const RadiusClass& radii)
      : middle_(corner.middle), radius_(radii.end), all_around_(corner.all_around) {
    const navmesh::Mesh& mesh = tiles.mesh();
    const navmesh::Site& site = mesh.site(corner.site);
    const std::vector<double> sectors = sectors_of(tiles.tiles(), site);
    const double beside = radii.least > 0 ? beside_part : beside_part_of_points;
    double begin = -corner.free / 2;
    for (Index c = 0; c < site.cell_count; ++c) {
      const Index edge = mesh.arc(mesh.site_cell(site.first_cell + c) / 2).edge;
      const bool is_core = !tiles.tiles().graph().is_twig(edge);
      parts_.push_back({begin - beside, begin + sectors[c] + beside, is_core});
      begin += sectors[c];
      any_core_ = any_core_ || is_core;
    }
  }

  /// Through a window into a tile that is at least so far away. A tangent leaves the line to the corner by the angle whose sine is the radius over the distance, and touches at a
  /// right angle to itself.
  [[nodiscard]] Where through(const TangentWindow& window, double away) const {
    if (all_around_ || window.right_open || window.left_open || away <= radius_)
      return any_core_ ? Where::core : Where::dead_end;
    const double sine = radius_ / away;
    const double aside = geometry::arc_tangent(sine, std::sqrt(1 - sine * sine));
    const double right = geometry::arc_tangent(cross(middle_, window.right), dot(middle_, window.right));
    const double span =
        std::max(0.0, geometry::arc_tangent(cross(window.right, window.left), dot(window.right, window.left)));
    constexpr double right_angle = std::numbers::pi / 2;
    return std::max(within(right + right_angle - aside, right + right_angle + span),
                    within(right - right_angle, right - right_angle + span + aside));
  }

 private:
  static constexpr double beside_part_of_points = 0.2;

  struct Part {
    double begin, end;
    bool is_core;
  };

  /// Between two angles from the middle.
  [[nodiscard]] Where within(double begin, double end) const {
    Where where = Where::nowhere;
    for (const Part& part : parts_)
      for (const double turn : {-2 * std::numbers::pi, 0.0, 2 * std::numbers::pi})
        if (begin + turn <= part.end && end + turn >= part.begin)
          where = std::max(where, part.is_core ? Where::core : Where::dead_end);
    return where;
  }

  Vec2 middle_;
  double radius_;
  bool all_around_;
  bool any_core_ = false;
  std::vector<Part> parts_;  ///< of the circle, counterclockwise, radians from the middle
};

/// Bundles of straight lines from points just off a corner, spread from tile to tile.
class CornerView {
 public:
  explicit CornerView(const DiscTiles& tiles) : tiles_(tiles), geometry_(tiles) {}

  /// Calls enter(entry) for every window, and see(site) for every other corner in one, some of them several times.
  /// A point off a corner sees what the corner does in the half plane away from it, and all of it where it is before both walls. Where a bottleneck beside the
  /// corner is closed, a point to either side is needed: from the ends of stretches one sees where ways lead that leave them.
  template <class Enter, class See>
  void look(const Corner& corner, std::span<const Stretch> stretches, const Enter& enter, const See& see) {
    const std::vector<double> sectors = sectors_of(tiles_.tiles(), tiles_.mesh().site(corner.site));
    const bool divided = stretches.size() != 1 || stretches[0].end - stretches[0].begin < corner.free - almost;
    if (corner.free < before_both_walls && !divided) {
      look_along(corner.site, sectors, corner.free / 2, enter, see);
      return;
    }
    for (const Stretch& stretch : stretches) {
      const double span = std::max(0.0, stretch.end - stretch.begin);
      const int parts = std::max(1, int(std::ceil(span / quarter_turn)));
      for (int i = 0; i <= parts; ++i)
        look_along(corner.site, sectors, corner.free / 2 + stretch.begin + span * i / parts, enter, see);
    }
  }

 private:
  template <class Enter, class See>
  void look_along(Index corner, const std::vector<double>& sectors, double angle, const Enter& enter, const See& see) {
    const navmesh::Site& site = tiles_.mesh().site(corner);
    std::size_t number = 0;
    while (number + 1 < sectors.size() && angle > sectors[number]) angle -= sectors[number++];
    // Not from where two cells meet: a point on a gate is on neither side of it.
    const double aside = std::min(clearly_inside, sectors[number] / 2);
    angle = std::clamp(angle, aside, sectors[number] - aside);
    const Index cell = tiles_.mesh().site_cell(site.first_cell + number);
    const Vec2 off = turned(outward(tiles_.tiles(), cell, true), angle);
    if (squared_length(off) > 0) spread(corner, cell, site.a + off * eye_distance, enter, see);
  }

  template <class Enter, class See>
  void spread(Index corner, Index cell, Vec2 eye, const Enter& enter, const See& see) {
    const navmesh::Mesh& mesh = tiles_.mesh();
    const Index tile = tiles_.tiles().tile_at(cell, eye, tiles_.disc());
    const TangentRoot root{.bend = {eye, 0}};
    const TangentWindow all{.root = 0, .right_open = true, .left_open = true, .side = tiles_.side_of(tile, eye)};
    open_.assign(1, {tile, none, all, 0, eye, eye});
    while (!open_.empty()) {
      const WindowEntry entry = open_.back();
      open_.pop_back();
      enter(entry);
      if (tiles_.tiles().is_arc(entry.tile))
        for (const Index other : mesh.arc(entry.tile).site)
          if (mesh.site(other).is_corner() && other != corner && holds(entry.window, mesh.site(other).a - eye))
            see(other);
      for (Index g = 0; g < tiles_.tiles().gates(entry.tile).size(); ++g)
        if (g != entry.gate) geometry_.pass(root, entry, g, open_);
    }
  }

  /// Metres off the corner: far enough to be on a side of everything.
  static constexpr double eye_distance = 1e-6;
  /// Radians: who is almost seen counts as seen, which makes distances shorter, if anything.
  static constexpr double almost = 1e-6;
  static constexpr double before_both_walls = 2.6;
  static constexpr double clearly_inside = 0.02;
  static constexpr double quarter_turn = 1.5;

  static bool holds(const TangentWindow& window, Vec2 line) {
    const double length = std::sqrt(squared_length(line));
    const double beside = almost * length + eye_distance;
    return (window.right_open || cross(window.right, line) >= -beside) &&
           (window.left_open || cross(line, window.left) >= -beside);
  }

  const DiscTiles& tiles_;
  WindowGeometry geometry_;
  std::vector<WindowEntry> open_;
};

}  // namespace

/// Looks around from all corners.
class CornerSights::Builder {
 public:
  Builder(const DiscTiles& tiles, const CornerCircles& circles, const RadiusClass& radii)
      : tiles_(tiles), circles_(circles), radii_(radii), shares_((circles.corners.size() + at_once - 1) / at_once) {
    group_tiles();
    // On its own: a thread that waits for its share must not begin a plan of others meanwhile, which would wait for these sights.
    tbb::this_task_arena::isolate([&] {
      geometry::for_each_number(shares_.size(), [&](std::size_t number) {
        const std::size_t end = std::min(circles_.corners.size(), (number + 1) * at_once);
        CornerView view(tiles_);
        for (std::size_t corner = number * at_once; corner != end; ++corner) look(view, Index(corner), shares_[number]);
        shares_[number].kept.shrink_to_fit();
      });
    });
  }

  void keep(CornerSights& sights) {
    std::vector<std::size_t>& first = sights.first_;
    first.assign(2 * std::size_t(group_count_) + 1, 0);
    for (const Share& share : shares_)
      for (const Kept& kept : share.kept) ++first[kept.list + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    sights.bundles_.resize(first.back());
    std::vector<std::size_t> next = first;
    for (const Share& share : shares_)
      for (const Kept& kept : share.kept) sights.bundles_[next[kept.list]++] = kept.bundle;
    sights.group_ = std::move(group_);
  }

  [[nodiscard]] Lines lines() const {
    std::vector<Index> number(tiles_.mesh().site_count(), none);
    for (Index corner = 0; corner < circles_.corners.size(); ++corner) number[circles_.corners[corner].site] = corner;
    Lines lines;
    const auto add = [&](Index a, Index b) {
      if (a == none || b == none) return;
      // Both ways, also where rounding lets one corner see the other but not be seen by it.
      lines.emplace_back(a, b);
      lines.emplace_back(b, a);
    };
    for (const Share& share : shares_)
      for (const auto& [corner, site] : share.seen) add(corner, number[site]);
    // The sides of an open bottleneck in any case: the line between them may run along a connection, on neither side of it.
    for (Index arc = 0; arc < tiles_.mesh().arc_count(); ++arc) {
      const Index a = number[tiles_.mesh().arc(arc).site[0]], b = number[tiles_.mesh().arc(arc).site[1]];
      if (a != b && !tiles_.is_narrow(arc)) add(a, b);
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
  }

 private:
  /// Corners that one thread looks from, one after the other.
  static constexpr std::size_t at_once = 64;
  static constexpr Index most_in_group = 8;

  /// Tiles of arcs that follow each other along an edge share a list, a few at a time: they are seen by about the same corners.
  void group_tiles() {
    const navmesh::Mesh& mesh = tiles_.mesh();
    group_.assign(tiles_.tiles().size(), none);
    for (const navmesh::Edge& edge : mesh.all_edges())
      for (Index i = 0; i < edge.arc_count; ++i)
        group_[edge.first_arc + i] = i % most_in_group == 0 ? group_count_++ : group_count_ - 1;
    // That of a node joins one beside it.
    for (Index tile = 0; tile < group_.size(); ++tile)
      if (group_[tile] == none) group_[tile] = group_[tiles_.tiles().gates(tile)[0].tile];
  }

  struct Kept {
    Index list;  ///< 2 * group, and 1 for dead ends
    Bundle bundle;
  };
  struct Share {
    std::vector<Kept> kept;
    std::vector<std::pair<Index, Index>> seen;  ///< corner and site
  };

  void look(CornerView& view, Index number, Share& share) const {
    const Corner& corner = circles_.corners[number];
    const std::span<const Stretch> stretches = circles_.stretches_of(corner);
    const TouchedParts parts(tiles_, corner, radii_);
    const Vec2 centre = tiles_.mesh().site(corner.site).a;
    const std::size_t before = share.kept.size();
    view.look(
        corner, stretches,
        [&](const WindowEntry& entry) {
          const Vec2 nearest = navmesh::nearest_on({.a = entry.right, .b = entry.left}, centre);
          const auto where = parts.through(entry.window, std::sqrt(squared_length(nearest - centre)));
          if (where == TouchedParts::Where::nowhere) return;
          const Index list = 2 * group_[entry.tile] + (where == TouchedParts::Where::core ? 0 : 1);
          share.kept.push_back({list, bundle_of(number, entry.window)});
        },
        [&](Index site) { share.seen.emplace_back(number, site); });
    unite(share.kept, before);
  }

  static Bundle bundle_of(Index corner, const TangentWindow& window) {
    constexpr int most = std::numeric_limits<std::uint16_t>::max();
    if (window.right_open || window.left_open) return {corner, 0, most};
    const std::uint16_t first = code_of(window.right);
    int span = std::uint16_t(code_of(window.left) - first);
    if (span > most - code_gap) span = 0;  // the limits have passed each other, by rounding
    return {corner, std::uint16_t(first - code_margin), std::uint16_t(std::min(span + 2 * code_margin + 1, most))};
  }

  /// Puts together what one corner has in one list, from one of its entries on.
  static void unite(std::vector<Kept>& kept, std::size_t before) {
    const auto begin = kept.begin() + std::ptrdiff_t(before);
    std::sort(begin, kept.end(), [](const Kept& a, const Kept& b) {
      return std::tie(a.list, a.bundle.first) < std::tie(b.list, b.bundle.first);
    });
    auto last = begin;
    for (auto next = begin; next != kept.end(); ++next) {
      const int ahead = next->bundle.first - last->bundle.first;
      if (next == begin || next->list != last->list || ahead > last->bundle.span + code_gap) {
        if (next != begin) ++last;
        *last = *next;
      } else {
        constexpr int most = std::numeric_limits<std::uint16_t>::max();
        last->bundle.span = std::uint16_t(std::clamp(ahead + next->bundle.span, int(last->bundle.span), most));
      }
    }
    if (begin != kept.end()) kept.erase(last + 1, kept.end());
  }

  const DiscTiles& tiles_;
  const CornerCircles& circles_;
  const RadiusClass& radii_;
  std::vector<Index> group_;  ///< of each tile
  Index group_count_ = 0;
  std::vector<Share> shares_;
};

CornerSights::CornerSights(const DiscTiles& point_tiles, const CornerCircles& circles, const RadiusClass& radii,
                           Lines& lines) {
  for (const Corner& corner : circles.corners) {
    const bool has_limits = !corner.all_around && radii.least > 0;
    const double cosine = has_limits ? turned({1, 0}, corner.free / 2).x - beside_part : -2;
    corners_.push_back({point_tiles.mesh().site(corner.site).a, float(corner.middle.x), float(corner.middle.y),
                        float(cosine), corner.site});
  }
  Builder builder(point_tiles, circles, radii);
  builder.keep(*this);
  lines = builder.lines();
}

std::size_t CornerSights::bytes() const {
  return sizeof *this + group_.capacity() * sizeof(Index) + bundles_.capacity() * sizeof(Bundle) +
         first_.capacity() * sizeof(first_[0]) + corners_.capacity() * sizeof(Seen);
}

}  // namespace throng::routes
