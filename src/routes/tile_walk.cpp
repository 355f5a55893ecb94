#include "routes/tile_walk.hpp"
#include "geometry/tolerances.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace throng::routes {

namespace {

/// Tiles that are looked at for a line; more mean that rounding leads in a circle.
constexpr std::size_t most_tiles = 20000;
/// Tiles around a corner.
constexpr std::size_t most_around = 4096;

/// Looks for the way of a line from tile to tile, by the gates it passes best first. It goes back where a line along the rim of tiles was
/// led astray by rounding.
class LineWalk {
 public:
  LineWalk(const DiscTiles& tiles, Vec2 from, Vec2 to, Index to_tile, std::vector<EnteredTile>& entered)
      : tiles_(tiles),
        from_(from),
        to_tile_(to_tile),
        entered_(entered),
        length_(std::sqrt(squared_length(to - from))) {
    direction_ = length_ > 0 ? (to - from) / length_ : Vec2{};
  }

  bool walk(Index first_tile) {
    struct Frame {
      Index tile, entry;
      double along;
      Index tried;  // gates, by how well the line passes
    };
    std::vector<Frame> path{{first_tile, none, 0, 0}};
    const std::size_t before = entered_.size();
    std::size_t looked = 0;
    while (!path.empty()) {
      Frame& at = path.back();
      if (at.tile == to_tile_) return true;
      Crossing next;
      if (++looked < most_tiles && crossing(at.tile, at.entry, at.along, at.tried, next)) {
        ++at.tried;
        entered_.push_back({next.tile, next.gate});
        path.push_back({next.tile, next.gate, next.along, 0});
        continue;
      }
      path.pop_back();
      if (!path.empty()) entered_.pop_back();
    }
    entered_.resize(before);
    return false;
  }

 private:
  struct Crossing {
    double margin = -1;
    double along = 0;
    Index tile = none, gate = none;
  };

  /// The gate that the line passes n-th best.
  bool crossing(Index tile, Index entry, double since, Index n, Crossing& found) const {
    const std::span<const TileGate> gates = tiles_.tiles().gates(tile);
    crossings_.clear();
    const bool ends_here = entry != none && tiles_.is_narrow(tile);
    for (Index g = 0; g < gates.size() && !ends_here; ++g) {
      const TileGate& gate = gates[g];
      if (g == entry || gate.tile == none || !gate.lets_through(tiles_.disc())) continue;
      const Vec2 right = gate.right_for(tiles_.disc());
      const Vec2 left = gate.left_for(tiles_.disc());
      const double margin = std::min(-cross(direction_, right - from_), cross(direction_, left - from_));
      const double slant = cross(gate.across(), direction_);
      const double beside = tolerance::distinct * std::sqrt(squared_length(gate.across()));
      if (margin < -tolerance::distinct || slant > beside) continue;
      double along = since;
      if (slant < -beside)
        along = cross(gate.across(), right - from_) / slant;
      else if (!is_at(gate, right, left, from_ + direction_ * since))  // along the gate, or no way at all
        continue;
      if (along < since - tolerance::distinct || along > length_ + tolerance::distinct) continue;
      crossings_.push_back({margin, std::max(along, since), gate.tile, gate.back});
    }
    std::stable_sort(crossings_.begin(), crossings_.end(),
                     [](const Crossing& a, const Crossing& b) { return a.margin > b.margin; });
    if (n >= crossings_.size()) return false;
    found = crossings_[n];
    return true;
  }

  /// Whether a point lies on a gate.
  [[nodiscard]] static bool is_at(const TileGate& gate, Vec2 right, Vec2 left, Vec2 p) {
    const double across = std::sqrt(squared_length(gate.across()));
    const double off = cross(gate.across(), p - right), along = dot(gate.across(), p - right);
    return std::abs(off) <= tolerance::distinct * across && along >= -tolerance::distinct * across &&
           along <= dot(gate.across(), left - right) + tolerance::distinct * across;
  }

  const DiscTiles& tiles_;
  Vec2 from_, direction_;
  Index to_tile_;
  std::vector<EnteredTile>& entered_;
  double length_;
  mutable std::vector<Crossing> crossings_;
};

/// Follows a line by the gate that it passes, and gives up where that is not clear.
class QuickWalk {
 public:
  /// The line ends on the circle around a corner, if that is one.
  QuickWalk(const DiscGates& gates, Vec2 from, Vec2 direction, double length, Index touched = none)
      : gates_(gates), from_(from), direction_(direction), length_(length), touched_(touched) {}

  /// Calls enter(tile, gate) for each tile that is entered, and pass(exit, since, until) for the part of the line in an arc's tile; where that says
  /// no, the line is blocked.
  template <class Enter, class Pass>
  Walked walk(Index from_tile, Index to_tile, Enter&& enter, Pass&& pass) const {
    // A place of a narrow tile is in one of its two parts.
    if (gates_.is_narrow(from_tile) || gates_.is_narrow(to_tile)) return Walked::unclear;
    Choice choice;
    if (from_tile != to_tile)
      for (Index number = 0; number < gates_.gate_count(from_tile); ++number)
        look_at(gates_.way_out(from_tile, number), choice);
    const ArcExit* exit = gates_.is_arc(from_tile) ? &gates_.exit_of_arc(from_tile, 0) : nullptr;
    double since = 0;
    Index tile = from_tile;
    for (std::size_t looked = 0; looked < most_tiles; ++looked) {
      if (choice.unclear) return Walked::unclear;
      if (tile != to_tile && choice.best.tile == none) return Walked::blocked;
      const Walked passed =
          exit == nullptr ? Walked::there : pass(*exit, since, tile == to_tile ? length_ : choice.along);
      if (passed != Walked::there || tile == to_tile) return passed;
      const auto [next, at] = choice.best;
      tile = next;
      since = choice.along;
      choice = {};
      if (gates_.is_arc(tile)) {
        exit = &gates_.arc_exit(at);
        enter(tile, exit->entry);
        if (tile != to_tile) look_at(*exit, choice);
      } else {
        exit = nullptr;
        const NodeEntry& entry = gates_.node_entry(at);
        enter(tile, entry.number);
        if (tile != to_tile)
          for (const NodeExit& way : gates_.exits(entry)) look_at(way, choice);
      }
    }
    return Walked::unclear;
  }

 private:
  static constexpr double clear_margin = 1e-6;  ///< metres, of a gate's width too

  struct Choice {
    BehindGate best;
    double along = 0;
    bool unclear = false;
  };

  template <class Exit>
  void look_at(const Exit& exit, Choice& choice) const {
    const DiscGate& gate = exit.gate;
    const BehindGate& behind = exit.behind;
    if (behind.tile == none || choice.unclear) return;
    double right = -cross(direction_, gate.right - from_), left = cross(direction_, gate.left - from_);
    if constexpr (std::is_same_v<Exit, ArcExit>) {
      // An end of the gate that lies on the circle touched is passed: the line is a tangent.
      if (touched_ != none && exit.right_corner == touched_) right = length_;
      if (touched_ != none && exit.left_corner == touched_) left = length_;
    }
    const double margin = std::min(right, left);
    if (margin < -clear_margin) return;
    const Vec2 across = gate.left - gate.right;
    const double along = cross(across, gate.right - from_) / cross(across, direction_);
    choice.unclear = margin < clear_margin || choice.best.tile != none;
    if (!(along > -clear_margin)) return;  // passed before
    choice.unclear = choice.unclear || !(along < length_);
    choice.best = behind;
    choice.along = along;
  }

  const DiscGates& gates_;
  Vec2 from_, direction_;
  double length_;
  Index touched_;
};

}  // namespace

bool walk_line(const DiscTiles& tiles, Vec2 from, Vec2 to, Index from_tile, Index to_tile,
               std::vector<EnteredTile>& entered) {
  return from_tile == to_tile || LineWalk(tiles, from, to, to_tile, entered).walk(from_tile);
}

bool walk_line(const DiscTiles& tiles, const DiscGates& gates, Vec2 from, Vec2 to, Index from_tile, Index to_tile,
               std::vector<EnteredTile>& entered) {
  if (from_tile == to_tile) return true;
  const double length = std::sqrt(squared_length(to - from));
  const std::size_t before = entered.size();
  if (length > 0) {
    const QuickWalk walk(gates, from, (to - from) / length, length);
    const auto enter = [&](Index tile, Index gate) { entered.push_back({tile, gate}); };
    if (walk.walk(from_tile, to_tile, enter, [](const ArcExit&, double, double) { return Walked::there; }) ==
        Walked::there)
      return true;
  }
  entered.resize(before);
  return walk_line(tiles, from, to, from_tile, to_tile, entered);
}

Walked walk_free_line(const DiscGates& gates, Vec2 from, Vec2 to, Index from_tile, Index to_tile, Index touched) {
  const double length = std::sqrt(squared_length(to - from));
  if (!(length > 0)) return Walked::unclear;
  const Vec2 direction = (to - from) / length;
  const double least = gates.disc() - tolerance::distinct, enough = gates.disc() + tolerance::distinct;
  const auto passes = [&](Index corner, Vec2 centre, double since, double until) {
    if (corner == none || corner == touched) return Walked::there;
    const double along = std::clamp(dot(centre - from, direction), since, std::max(since, until));
    const double away2 = squared_length(from + direction * along - centre);
    if (away2 > enough * enough) return Walked::there;
    return away2 < least * least && least > 0 ? Walked::blocked : Walked::unclear;
  };
  return QuickWalk(gates, from, direction, length, touched)
      .walk(
          from_tile, to_tile, [](Index, Index) {},
          [&](const ArcExit& exit, double since, double until) {
            const Walked by_right = passes(exit.right_corner, exit.right_centre, since, until);
            return by_right != Walked::there ? by_right : passes(exit.left_corner, exit.left_centre, since, until);
          });
}

bool walk_circle(const DiscTiles& disc_tiles, Index corner, bool to_the_left, Index from_tile, Index to_tile,
                 std::vector<EnteredTile>& entered) {
  const CorridorTiles& tiles = disc_tiles.tiles();
  const std::size_t before = entered.size();
  // To the left around its left site one walks along an arc, to gate 0.
  const auto is_along = [&](Index tile, Index towards) {
    return tiles.is_arc(tile) && disc_tiles.mesh().arc(tile).site[to_the_left ? towards : 1 - towards] == corner;
  };
  const auto go_through = [&](const TileGate& gate) {
    entered.push_back({gate.tile, gate.back});
    return gate.tile;
  };
  Index tile = from_tile;
  while (tile != to_tile && entered.size() - before < most_around) {
    const Index towards = is_along(tile, 0) ? 0 : 1;
    if (!is_along(tile, towards) || tiles.gates(tile)[towards].tile == none) break;
    tile = go_through(tiles.gates(tile)[towards]);
    if (tiles.is_arc(tile)) continue;
    const std::span<const TileGate> gates = tiles.gates(tile);
    const auto onward = std::find_if(gates.begin(), gates.end(), [&](const TileGate& gate) {
      return gate.tile != none && is_along(gate.tile, 1 - gate.back);
    });
    if (onward == gates.end()) break;
    tile = go_through(*onward);
  }
  if (tile == to_tile) return true;
  entered.resize(before);
  return false;
}

void list_arcs(const CorridorTiles& tiles, const std::vector<EnteredTile>& entered, std::vector<Index>& arcs) {
  arcs.clear();
  for (std::size_t i = 0; i < entered.size(); ++i) {
    const auto [tile, gate] = entered[i];
    if (!tiles.is_arc(tile)) continue;
    // Gate 0 is at the arc's end: who enters there walks against it, who leaves there along it.
    bool against = gate == 0;
    if (gate == none && i + 1 < entered.size())
      against = tiles.gates(entered[i + 1].tile)[entered[i + 1].gate].back == 1;
    arcs.push_back(2 * tile + (against ? 1 : 0));
  }
}

}  // namespace throng::routes
