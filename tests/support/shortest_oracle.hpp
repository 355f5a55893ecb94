// The shortest way of a disc, or a point, from one place to another: A* over the tangents between discs around corners, found one by one
// and looked at only when their turn comes.
//
// Knows boundary edges and nothing else: no mesh, no tiles, no bounds but straight lines. A tight way is lines that touch discs around
// corners, and arcs between them (de Berg et al., Computational Geometry, 15; Liu, Arimoto 1992, for discs). For a point the discs are
// the corners themselves, and this is a visibility graph: lines between corners are decided by exact signs, may run along walls, and end where they touch a
// corner, to go on from there without a turn.
//
// Laws
// 1. `found`: there is a way of this length that keeps the radius, to `touching`, and none shorter.
// 2. `none`: there is no way of at most `limit`. Without a limit: none at all.
// 3. `gave_up`: more than `most_lines` lines had to be looked at. Nothing is said.
// Between layers ways go on straight across connections (walled_surface.hpp).
// Cost: a line that is looked at costs what lies along it; a corner reached costs all corners within the ellipse that the limit leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "environment/clean/clean.hpp"
#include "support/corner_wedges.hpp"
#include "support/walled_surface.hpp"
#include "throng/vec2.hpp"

namespace throng::test {

class ShortestOracle {
 public:
  enum class Outcome { found, none, gave_up };
  struct Answer {
    Outcome outcome = Outcome::none;
    double length = 0;      ///< infinite where none was found
    std::size_t lines = 0;  ///< looked at
  };
  struct Query {
    SurfacePoint from, to;  ///< in metres, with room for the disc
    double limit = unlimited;
    std::size_t most_lines = 1'000'000;
  };
  static constexpr double unlimited = 1e300;
  /// Metres by which a disc may come nearer to a wall than its radius: it touches walls on both sides where it just fits.
  static constexpr double touching = 1e-7;

  ShortestOracle(const environment::CleanEnvironment& world, double radius);

  [[nodiscard]] Answer find(const Query& query);
  /// What a way can bend at.
  [[nodiscard]] std::size_t corner_count() const { return wedges_.size(); }

 private:
  /// Where a disc can roll along a corner without touching anything else, as angles of its wedge.
  struct Arc {
    double least, most;
  };
  /// A way to a corner, which it goes around counterclockwise or clockwise.
  struct Label {
    std::uint32_t turn = 0;  ///< 2 * wedge, + 1: clockwise
    double angle = 0;        ///< of the normal where the corner is first touched
    double walked = 0;
    Arc arc = {};
  };
  /// A line from a label, or the start, to a turn, or the goal; nobody has looked yet whether it is free.
  struct Candidate {
    double bound;
    std::uint32_t label, turn;
    friend bool operator>(const Candidate& a, const Candidate& b) { return a.bound > b.bound; }
  };
  /// The line of a candidate: from a point of one disc to a point of another, with the normals there.
  struct Tangent {
    Vec2 leaves, arrives;  ///< normals; none at the start and the goal
    Vec2 from, to;
    double length;
  };
  static constexpr std::uint32_t at_end = ~std::uint32_t{0};  ///< the start, as a label; the goal, as a turn

  [[nodiscard]] static double sense(std::uint32_t turn) { return turn % 2 == 0 ? 1 : -1; }
  [[nodiscard]] const CornerWedge& wedge_of(std::uint32_t turn) const { return wedges_[turn / 2]; }

  [[nodiscard]] std::optional<Tangent> tangent(std::uint32_t from_turn, std::uint32_t to_turn) const;
  /// How far it is along the arc of a label to where a tangent leaves it; nothing where it would have to go back.
  [[nodiscard]] std::optional<double> roll(const Label& label, const Tangent& tangent) const;
  [[nodiscard]] bool is_free(std::uint32_t from_turn, std::uint32_t to_turn, const Tangent& tangent) const;
  [[nodiscard]] bool is_free_for_point(std::uint32_t from_turn, std::uint32_t to_turn, const Tangent& tangent) const;
  [[nodiscard]] std::optional<std::size_t> layer_of_touch(const CornerWedge& wedge, Vec2 normal) const;
  [[nodiscard]] const std::vector<Arc>& arcs_of(std::uint32_t wedge);
  [[nodiscard]] std::vector<double> angles_where_room_may_end(const CornerWedge& wedge) const;
  [[nodiscard]] bool has_room(const CornerWedge& wedge, double angle) const;

  void begin(const Query& query);
  void offer(std::uint32_t label, std::uint32_t turn);
  void expand(std::uint32_t label);
  [[nodiscard]] bool is_dominated(const Label& label) const;
  /// What a candidate leads to; nothing where it is no better than what is known.
  [[nodiscard]] std::optional<Label> arrival(const Candidate& candidate, const Tangent& tangent);

  geometry::SnapGrid grid_;
  WalledSurface surface_;
  std::vector<CornerWedge> wedges_;
  double radius_, kept_;  ///< in units; what must be kept of it
  std::vector<std::optional<std::vector<Arc>>> arcs_;

  // Of the query at hand, in units.
  SurfacePoint start_, goal_;
  double limit_ = 0;
  std::vector<std::uint32_t> within_;  ///< wedges that a way within the limit can touch
  std::vector<Label> labels_;
  std::vector<std::vector<std::uint32_t>> labels_of_;  ///< by turn
  std::vector<Candidate> open_;                        ///< a heap, the least bound first
};

}  // namespace throng::test
