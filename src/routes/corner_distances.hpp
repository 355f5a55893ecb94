// How far a body has to walk from any corner of the world to any other, at least: by hub labels, made once for a mesh and a class of radii.
// What exact routes are bounded by.
//
// Words: stretch, position (corner_circles.hpp)
//   turn     one sense of turning around a stretch: 2 * stretch, or 2 * stretch + 1 for a path that has the corner on its left.
//
// A disc's way around corners is made of tangents and arcs. Let d be the distance between the corners of a tangent. Turned around its middle onto both
// corners, the tangent becomes the line between them: nothing changes if both have the way on the same side; if not, the line leaves
// earlier and arrives later than the tangent, each by asin(2 r / d), and d <= sqrt(d^2 - 4 r^2) + 2 r asin(2 r / d) (equal for r = 0, and the right side grows with r).
// Arcs are r times differences of positions, and so may be taken apart and added to the lines at both of their ends. Therefore the way is at least as long as
// its lines, each of the length  w = l + r (position where it leaves) - r (position where it arrives),  l = d.  This is the shortest way in a graph of turns,
// with lengths that do not depend on where the way comes from or goes to.
// One graph does for all radii of a class [r0, 2 r0): each corner has its own weight instead of r, at most r0, small enough for no w to be negative; then l is the
// least of d, sqrt(d^2 - 4 r^2) + (both weights) asin(2 r / d) over the class.
//
// Bottlenecks narrower than 2 r0 are closed: no line crosses the segment XY between their two sides. That leaves out no line of a disc's tangent from a to b. What the disc
// covers along it, from P to Q, is convex and holds neither X nor Y inside; the disc with XY as its diameter holds neither a nor b. Suppose that XY crosses ab. If P is on the side of XY where a is not, a lies in the smaller
// part that XY cuts off the disc around P, and so within the disc over XY: it cannot. Likewise Q and b. So P and Q are on different sides, XY passes through the
// centre of a disc between them, and is at least 2 r long: it is not closed. And where the disc touches X itself, by an angle off XY, it must not reach Y: that leaves stretches.
//
// Pruned landmark labelling (Akiba, Iwata, Yoshida 2013; hub labels: Cohen et al. 2003): every turn keeps distances from a few hubs, such that of any two
// turns one hub both know lies on a shortest way between them. Walked backwards, a way is one from the mirrored last turn to the mirrored first,
// equally long: so labels of one direction do.
//
// A search reads many labels, each once: what they take of memory is what they cost. So distances are counted in units of a share of the longest, or of the world's
// extent, rounded down.
//
// Laws
// 1. The least sum over hubs of a turn's distance to it and another's from it is the distance between them in that graph, to `float_error` of it, or less by at
//    most two units.
// 2. The same mesh gives the same labels, on any number of threads.
// Thread-safety: immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "routes/corner_sights.hpp"

namespace throng::routes {

class CornerDistances {
 public:
  /// Share of a distance, and metres, that it may be off.
  static constexpr double float_error = 1e-6;
  static constexpr double least_error = 1e-5;

  /// Metres, counted in `tick()`.
  using Ticks = std::uint32_t;
  /// More than any way has; twice that is still a number.
  static constexpr Ticks unreachable_ticks = Ticks{1} << 30;

  /// Hubs that two bytes have numbers for.
  static constexpr std::size_t most_narrow_hubs = 65536;

  /// Labels take most of the time: without them it is known from where corners are seen and how they are passed, but no distance.
  enum class Labels { left_out, all };
  /// With more hubs than `narrow_hubs` labels take twice the memory.
  CornerDistances(const std::shared_ptr<const CorridorTiles>& tiles, const RadiusClass& radii,
                  Labels labels = Labels::all, std::size_t narrow_hubs = most_narrow_hubs);
  [[nodiscard]] bool has_labels() const { return !first_.empty(); }

  [[nodiscard]] std::size_t turn_count() const { return first_.empty() ? 0 : first_.size() - 1; }
  [[nodiscard]] double tick() const { return unit_ / ticks_of_unit; }
  [[nodiscard]] double unit() const { return unit_; }
  /// So many metres, rounded down.
  [[nodiscard]] Ticks ticks(double metres) const {
    const double count = metres / tick();
    return count < unreachable_ticks ? Ticks(std::max(0.0, count)) : unreachable_ticks;
  }
  /// Calls visit(hub, ticks) for hubs that are at most so far from a turn, with the distance from them to it, the nearest first. A hub is twice the rank of
  /// its stretch, the most useful first, and its sense. Mirrored, these are distances from the turn to hubs: that of `turn ^ 1` from `hub ^ 1`
  /// is that of the hub from the turn.
  template <class Visit>
  void for_each_hub(Index turn, Ticks most, Visit&& visit) const {
    const auto list = [&](const auto& labels) {
      const auto* const end = labels.data() + first_[turn + 1];
      for (const auto* known = labels.data() + first_[turn]; known != end && ticks_of(*known) <= most; ++known)
        visit(Index(known->hub), ticks_of(*known));
    };
    if (wide_labels_.empty())
      list(labels_);
    else
      list(wide_labels_);
  }
  /// The turns around a corner, from the first on: two for each of its stretches.
  struct Turns {
    Index first = none, count = 0;
  };
  [[nodiscard]] Turns turns_of(Index corner) const { return {2 * middles_[corner].first, 2 * middles_[corner].count}; }
  /// How a way comes to a corner, or leaves it.
  struct Passing {
    Index turn = none;  ///< none: no disc of the class can touch the corner
    double share =
        0;  ///< of the arcs around the corner, for those who leave; those who arrive have walked it before. At most `most_by` radii, either way
  };
  static constexpr double most_by = std::numbers::pi;
  /// Along a line in a direction (an angle), for those who turn left around the corner or not.
  [[nodiscard]] Passing passing(Index corner, bool left, double angle) const {
    const Middle& middle = middles_[corner];
    if (middle.count == 0) return {};
    const double position = position_of(middle, left, angle);
    const Index stretch = middle.count == 1 ? middle.first : stretch_at(middle, left ? position : -position);
    return {2 * stretch + Index(left), middle.weight * position};
  }
  /// The same, but no turn where the line does not touch a stretch.
  [[nodiscard]] Passing touching(Index corner, bool left, double angle) const {
    const Passing passing = this->passing(corner, left, angle);
    if (passing.turn == none) return {};
    const double position = position_of(middles_[corner], left, angle) * (left ? 1 : -1);
    const Range& range = stretches_[passing.turn / 2];
    return position >= range.begin - beside_ && position <= range.end + beside_ ? passing : Passing{};
  }
  /// The least of the distances of a turn's hubs to it, each with what is added for that hub; `unreachable_ticks` if that is not less than `most`.
  [[nodiscard]] Ticks least_sum(Index turn, std::span<const Ticks> by_hub, Ticks most) const;
  /// Asks for the beginning of a label that will be needed soon.
  void prefetch(Index turn) const {
    const char* label = wide_labels_.empty() ? reinterpret_cast<const char*>(labels_.data() + first_[turn])
                                             : reinterpret_cast<const char*>(wide_labels_.data() + first_[turn]);
    for (const int line : {0, 1, 2, 3}) __builtin_prefetch(label + 64 * line);
  }
  [[nodiscard]] std::size_t hub_count() const { return hub_count_; }
  /// From where corners are seen, for discs of the class.
  [[nodiscard]] const CornerSights& sights() const { return *sights_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Of the directions in which ways pass a corner on their left, and what a radian around it counts.
  struct Middle {
    double angle = 0;
    double weight = 0;
    Index first = none, count = 0;  ///< stretches
  };
  struct Range {
    double begin, end;
  };
  static double position_of(const Middle& middle, bool left, double angle) {
    const double position = left ? angle - middle.angle : middle.angle - angle + std::numbers::pi;
    if (position > std::numbers::pi) return position - 2 * std::numbers::pi;
    return position < -std::numbers::pi ? position + 2 * std::numbers::pi : position;
  }

  /// A hub's distance, in units; for more hubs than that has numbers for, in ticks.
  struct HubDistance {
    std::uint16_t hub, units;
  };
  struct WideHubDistance {
    Index hub;
    Ticks ticks;
  };
  /// What is added to distances is counted more finely.
  static constexpr Ticks ticks_of_unit = 8;
  static Ticks ticks_of(const HubDistance& known) { return ticks_of_unit * known.units; }
  static Ticks ticks_of(const WideHubDistance& known) { return known.ticks; }

  /// Of a label that are read at a time.
  static constexpr std::size_t label_block = 16;
  template <class Known>
  static Ticks least_of(std::span<const Known> label, const Ticks* added, Ticks most);
  template <class Known>
  static Ticks least_of_rest(std::span<const Known> label, const Ticks* added, Ticks most, Ticks so_far);
  static Ticks least_of_eights(std::span<const HubDistance> label, const Ticks* added, Ticks most);

  struct MadeLabels;
  void keep(const MadeLabels& made, double extent, bool is_wide);
  [[nodiscard]] Index stretch_at(const Middle& middle, double position) const;

  std::vector<HubDistance> labels_;
  std::vector<WideHubDistance> wide_labels_;  ///< instead, if there are many hubs
  double unit_ = 1;                           ///< metres
  std::vector<Index> first_;                  ///< of each turn, one more at the end
  std::vector<Middle> middles_;               ///< of each site
  std::vector<Range> stretches_;  ///< radians from the middle, counterclockwise; around some corners without limits
  double beside_ = 0;             ///< radians that these may be off
  std::size_t hub_count_ = 0;
  std::optional<CornerSights> sights_;
};

}  // namespace throng::routes
