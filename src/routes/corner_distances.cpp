#include "routes/corner_distances.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "geometry/elementary.hpp"
#include "geometry/parallel.hpp"
#include "geometry/wide_vectors.hpp"
#include "routes/open_list.hpp"

namespace throng::routes {

namespace {

/// Trees of shortest ways that are counted to tell which corners are on many: with three times fewer, labels of large maps are half as long again; with
/// more, hardly shorter.
constexpr std::size_t sampled_trees = 384;
/// A way by hubs that is longer by this share of it, and by metres, is as good.
constexpr double same_share = 2e-7;
constexpr double same_metres = 2e-6;
/// Metres: distances are not counted in smaller units.
constexpr double least_unit = 1e-6;
/// Radians that directions of the smallest discs may be off where they pass a corner: rounding is a part of the circle for them (others: beside_range).
constexpr double beside_range_of_points = 0.2;
double beside_range_in(const RadiusClass& radii) { return radii.least > 0 ? beside_range : beside_range_of_points; }

/// Turns and the straight ways between them; 2 * stretch + (1 to the left).
struct TurnGraph : CornerCircles {
  struct Way {
    Index to;
    float length;
  };
  std::vector<Way> ways;
  std::vector<Index> first;  ///< of each turn, one more at the end

  [[nodiscard]] std::size_t size() const { return 2 * stretches.size(); }
  [[nodiscard]] std::span<const Way> from(Index turn) const {
    return {ways.data() + first[turn], first[turn + 1] - first[turn]};
  }
};

/// A line that ways of the class may follow from one turn to another.
struct Line {
  Index from, to;
  double length;
  double leaves, arrives;  ///< positions

  /// What it counts, at most what it adds to the way of any disc of the class (corner_distances.hpp).
  [[nodiscard]] double weighed(const TurnGraph& graph, const RadiusClass& radii) const {
    const double from_weight = graph.corners[graph.stretches[from / 2].corner].weight;
    const double to_weight = graph.corners[graph.stretches[to / 2].corner].weight;
    double straight = length;
    if (from % 2 != to % 2) {
      const double share = std::min(1.0, 2 * radii.end / length);
      const double tangent = std::sqrt(1 - share * share);
      straight = std::min(length, length * tangent + (from_weight + to_weight) * geometry::arc_tangent(share, tangent));
    }
    return straight + from_weight * leaves - to_weight * arrives;
  }
};

/// The lines between corners that see each other, for each way to turn that they can be part of.
class LineList {
 public:
  LineList(const navmesh::Mesh& mesh, const TurnGraph& graph, const RadiusClass& radii)
      : mesh_(mesh), graph_(graph), radii_(radii), beside_(beside_range_in(radii)) {}

  void add(Index from, Index to) {
    const Vec2 line = mesh_.site(graph_.corners[to].site).a - mesh_.site(graph_.corners[from].site).a;
    for (const bool from_left : {false, true})
      for (const bool to_left : {false, true}) add(from, from_left, to, to_left, line);
  }
  /// By the turns they leave.
  std::vector<Line> take() && {
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.from < b.from; });
    return std::move(lines_);
  }

 private:
  void add(Index from, bool from_left, Index to, bool to_left, Vec2 line) {
    const bool across = from_left != to_left;
    const double length = std::sqrt(squared_length(line));
    if (across && length < 2 * radii_.least * (1 - beside_range)) return;  // the circles overlap
    const double share = across ? std::min(1.0, 2 * radii_.end / length) : 0;
    const double aside = geometry::arc_tangent(share, std::sqrt(1 - share * share));
    const Corner &a = graph_.corners[from], &b = graph_.corners[to];
    const double leaves = a.position(from_left, line), arrives = b.position(to_left, line);
    for (Index s = a.first; s < a.first + a.count; ++s)
      for (Index t = b.first; t < b.first + b.count; ++t) {
        const std::optional<double> at = on(s, from_left, leaves, aside, 0), until = on(t, to_left, arrives, 0, aside);
        if (at && until) lines_.push_back({2 * s + Index(from_left), 2 * t + Index(to_left), length, *at, *until});
      }
  }
  /// A position if it is one of a stretch's, or that much before or after; what is before may be half a turn off the middle, and more by rounding.
  [[nodiscard]] std::optional<double> on(Index number, bool left, double position, double before, double after) const {
    const Stretch& stretch = graph_.stretches[number];
    if (graph_.corners[stretch.corner].all_around) return position;
    const double begin = left ? stretch.begin : -stretch.end, end = left ? stretch.end : -stretch.begin;
    for (const double turned : {position, position - 2 * std::numbers::pi, position + 2 * std::numbers::pi})
      if (turned >= begin - before - beside_ && turned <= end + after + beside_) return turned;
    return std::nullopt;
  }

  const navmesh::Mesh& mesh_;
  const TurnGraph& graph_;
  const RadiusClass& radii_;
  double beside_ = 0;  ///< radians that positions may be off
  std::vector<Line> lines_;
};

/// Lowers weights until no line has less than no length.
void lower_weights(TurnGraph& graph, const std::vector<Line>& lines, const RadiusClass& radii) {
  const auto lower = [&](Index turn) {
    double& weight = graph.corners[graph.stretches[turn / 2].corner].weight;
    weight = weight > radii.least / 16 ? weight / 2 : 0;
  };
  for (bool lowered = true; lowered;) {
    lowered = false;
    for (const Line& line : lines)
      while (line.weighed(graph, radii) < 0) {
        lower(line.from);
        lower(line.to);
        lowered = true;
      }
  }
}

TurnGraph make_graph(const navmesh::Mesh& mesh, CornerCircles circles, const CornerSights::Lines& lines_of_sight,
                     const RadiusClass& radii) {
  TurnGraph graph{std::move(circles), {}, {}};
  LineList list(mesh, graph, radii);
  for (const auto& [from, to] : lines_of_sight) list.add(from, to);
  const std::vector<Line> lines = std::move(list).take();
  lower_weights(graph, lines, radii);
  auto next = lines.begin();
  for (Index turn = 0; turn < graph.size(); ++turn) {
    graph.first.push_back(Index(graph.ways.size()));
    for (; next != lines.end() && next->from == turn; ++next)
      graph.ways.push_back({next->to, float(next->weighed(graph, radii))});
  }
  graph.first.push_back(Index(graph.ways.size()));
  return graph;
}

/// Dijkstra's algorithm from one turn after the other; what it touched is forgotten between them.
class Spread {
 public:
  explicit Spread(const TurnGraph& graph) : graph_(graph) {}

  /// Calls visit(turn, distance, parent) in order of distance; where that says no, nothing is looked at behind the turn.
  template <class Visit>
  void run(Index from, Visit&& visit) {
    turns_.begin(graph_.size());
    reach(from, 0, none);
    while (!open_.empty()) {
      const auto [distance, cost, turn] = open_.pop();
      if (distance > turns_[turn].cost || !visit(turn, distance, turns_[turn].parent)) continue;
      for (const TurnGraph::Way& way : graph_.from(turn)) reach(way.to, distance + double(way.length), turn);
    }
  }

 private:
  void reach(Index turn, double distance, Index parent) {
    if (turns_.improve(turn, distance, parent, none, NoHeuristic{})) open_.push({distance, distance, turn});
  }

  const TurnGraph& graph_;
  ReachedNodes turns_;
  OpenList open_;
};

/// A tree of shortest ways from one turn, of which parts are cut off.
struct WayTree {
  std::vector<Index> parent;   ///< of each turn; none: the root, or not reached
  std::vector<Index> child;    ///< the first of each turn
  std::vector<Index> sibling;  ///< the next of each turn
  std::vector<Index> below;    ///< of each turn: how many ways lead to it or through it that are not cut off

  void grow(const TurnGraph& graph, Index root) {
    parent.assign(graph.size(), none);
    child.assign(graph.size(), none);
    sibling.assign(graph.size(), none);
    below.assign(graph.size(), 0);
    std::vector<Index> order;
    Spread spread(graph);
    spread.run(root, [&](Index turn, double, Index from) {
      order.push_back(turn);
      parent[turn] = from;
      return true;
    });
    for (std::size_t i = order.size(); i-- > 1;) {
      const Index turn = order[i];
      const Index from = parent[turn];
      below[from] += ++below[turn];
      sibling[turn] = child[from];
      child[from] = turn;
    }
    below[root] = 0;
  }
  /// Cuts off what lies behind a turn; `lost(turn, count)` hears how many ways each loses.
  template <class Lost>
  void cut(Index turn, Lost&& lost) {
    const Index count = below[turn];
    if (count == 0) return;
    for (Index up = parent[turn]; up != none; up = parent[up])
      if (below[up] > 0) below[up] -= count, lost(up, count);
    open_.assign(1, turn);
    while (!open_.empty()) {
      const Index at = open_.back();
      open_.pop_back();
      lost(at, below[at]);
      below[at] = 0;
      for (Index c = child[at]; c != none; c = sibling[c])
        if (below[c] > 0) open_.push_back(c);
    }
  }

 private:
  std::vector<Index> open_;
};

/// The stretches, those first that lead most shortest ways that none before them is on: estimated from trees of shortest ways.
std::vector<Index> by_usefulness(const TurnGraph& graph) {
  std::vector<WayTree> trees(std::min(sampled_trees, graph.size()));
  tbb::this_task_arena::isolate([&] {
    geometry::for_each_number(trees.size(),
                              [&](std::size_t t) { trees[t].grow(graph, Index(t * graph.size() / trees.size())); });
  });
  std::vector<std::uint64_t> use(graph.stretches.size(), 0);
  for (const WayTree& tree : trees)
    for (Index turn = 0; turn < graph.size(); ++turn) use[turn / 2] += tree.below[turn];
  struct Candidate {
    std::uint64_t use;
    std::size_t ways;
    Index stretch;
    bool operator<(const Candidate& o) const {
      return use != o.use ? use < o.use : ways != o.ways ? ways < o.ways : stretch > o.stretch;
    }
  };
  std::vector<Candidate> heap;
  for (Index stretch = 0; stretch < graph.stretches.size(); ++stretch)
    heap.push_back({use[stretch], graph.from(2 * stretch).size() + graph.from(2 * stretch + 1).size(), stretch});
  std::make_heap(heap.begin(), heap.end());
  std::vector<Index> ranked;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    Candidate& next = heap.back();
    if (next.use != use[next.stretch]) {  // it has lost some since
      next.use = use[next.stretch];
      std::push_heap(heap.begin(), heap.end());
      continue;
    }
    const Index stretch = next.stretch;
    heap.pop_back();
    ranked.push_back(stretch);
    for (WayTree& tree : trees)
      for (const Index turn : {2 * stretch, 2 * stretch + 1})
        tree.cut(turn, [&](Index at, Index count) { use[at / 2] -= count; });
  }
  return ranked;
}

}  // namespace

namespace {

/// Of all obstacles: no two places are farther apart.
double extent_of(const navmesh::Mesh& mesh) {
  Vec2 low{unreachable, unreachable}, high{-unreachable, -unreachable};
  for (const navmesh::Site& site : mesh.all_sites())
    for (const Vec2 p : {site.a, site.b}) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  return mesh.site_count() == 0 ? 0 : std::sqrt(squared_length(high - low));
}

}  // namespace

/// Labels as they are made: of each turn the hubs that reach it, in the order of their ranks.
struct CornerDistances::MadeLabels {
  struct Entry {
    Index hub;
    float distance;
  };
  std::vector<std::vector<Entry>> of_turn;

  MadeLabels(const TurnGraph& graph, const std::vector<Index>& hubs) : of_turn(graph.size()) {
    std::vector<float> from_hub(graph.size(), float(unreachable));  // of the hub at hand, to those before it
    Spread spread(graph);
    // Both senses of a corner are hubs of one rank: neither makes the other's labels shorter, or labels would not be mirror images.
    for (Index rank = 0; rank < hubs.size(); ++rank)
      for (const Index left : {0u, 1u}) {
        const Index hub = 2 * hubs[rank] + left;
        for (const Entry& known : of_turn[hub ^ 1])
          if (known.hub / 2 != rank) from_hub[known.hub ^ 1] = known.distance;
        spread.run(hub, [&](Index turn, double distance, Index) {
          const double enough = distance * (1 + same_share) + same_metres;
          for (const Entry& known : of_turn[turn])
            if (double(known.distance) + double(from_hub[known.hub]) <= enough) return false;
          of_turn[turn].push_back({2 * rank + left, float(distance)});
          return true;
        });
        for (const Entry& known : of_turn[hub ^ 1]) from_hub[known.hub ^ 1] = float(unreachable);
      }
    for (std::vector<Entry>& label : of_turn)
      std::sort(label.begin(), label.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.distance, a.hub) < std::tie(b.distance, b.hub);
      });
  }
};

CornerDistances::CornerDistances(const std::shared_ptr<const CorridorTiles>& tiles, const RadiusClass& radii,
                                 Labels labels, std::size_t narrow_hubs) {
  const navmesh::Mesh& mesh = tiles->graph().mesh();
  CornerSights::Lines lines;
  const DiscTiles of_points = point_tiles(tiles, radii);
  CornerCircles circles(of_points, radii);
  sights_.emplace(of_points, circles, radii, lines);
  const TurnGraph graph = make_graph(mesh, std::move(circles), lines, radii);
  hub_count_ = graph.size();
  if (labels == Labels::all) keep(MadeLabels(graph, by_usefulness(graph)), extent_of(mesh), hub_count_ > narrow_hubs);
  middles_.resize(mesh.site_count());
  for (const Corner& corner : graph.corners) {
    const Vec2 heading = perpendicular(corner.middle);
    middles_[corner.site] = {geometry::arc_tangent(heading.y, heading.x), corner.weight, corner.first, corner.count};
  }
  beside_ = beside_range_in(radii);
  for (const Stretch& stretch : graph.stretches)
    stretches_.push_back(graph.corners[stretch.corner].all_around ? Range{-unreachable, unreachable}
                                                                  : Range{stretch.begin, stretch.end});
}

/// Where corners are few and close together, what lies before and behind them counts: no straight line is longer than the extent.
void CornerDistances::keep(const MadeLabels& made, double extent, bool is_wide) {
  float longest = float(extent);
  std::size_t entries = 0;
  for (const auto& label : made.of_turn) {
    entries += label.size();
    if (!label.empty()) longest = std::max(longest, label.back().distance);
  }
  constexpr double most_units = std::numeric_limits<std::uint16_t>::max();
  unit_ = std::max(double(longest) / most_units * (1 + float_error), least_unit);
  if (is_wide)
    wide_labels_.reserve(entries);
  else
    labels_.reserve(entries);
  first_.reserve(made.of_turn.size() + 1);
  first_.push_back(0);
  for (const auto& label : made.of_turn) {
    for (const auto& [hub, distance] : label) {
      if (is_wide)
        wide_labels_.push_back({hub, ticks(distance)});
      else
        labels_.push_back({std::uint16_t(hub), std::uint16_t(ticks(distance) / ticks_of_unit)});
    }
    first_.push_back(first_.back() + Index(label.size()));
  }
}

/// The one that a position is on, or nearest to.
Index CornerDistances::stretch_at(const Middle& middle, double position) const {
  Index nearest = middle.first;
  double least = unreachable;
  for (Index s = middle.first; s < middle.first + middle.count; ++s) {
    const double off = std::max(stretches_[s].begin - position, position - stretches_[s].end);
    if (off < least) least = off, nearest = s;
  }
  return nearest;
}

CornerDistances::Ticks CornerDistances::least_sum(Index turn, std::span<const Ticks> by_hub, Ticks most) const {
  const auto label = [&](const auto& labels) {
    return std::span(labels).subspan(first_[turn], first_[turn + 1] - first_[turn]);
  };
  if (!wide_labels_.empty()) return least_of(label(wide_labels_), by_hub.data(), most);
#ifdef THRONG_HAS_AVX2
  if (has_avx2()) return least_of_eights(label(labels_), by_hub.data(), most);
#endif
  return least_of(label(labels_), by_hub.data(), most);
}

/// Several at a time: none has to wait for the one before it. Hubs farther away than the least sum so far cannot make it less.
template <class Known>
CornerDistances::Ticks CornerDistances::least_of(std::span<const Known> label, const Ticks* added, Ticks most) {
  constexpr std::size_t lanes = 4;
  std::array<Ticks, lanes> least;
  least.fill(unreachable_ticks);
  Ticks so_far = most;
  for (; label.size() >= label_block && ticks_of(label[0]) < so_far; label = label.subspan(label_block)) {
    for (std::size_t i = 0; i < label_block; i += lanes)
      for (std::size_t k = 0; k < lanes; ++k)
        least[k] = std::min(least[k], ticks_of(label[i + k]) + added[label[i + k].hub]);
    so_far = std::min({most, least[0], least[1], least[2], least[3]});
  }
  return least_of_rest(label, added, most, so_far);
}

template <class Known>
CornerDistances::Ticks CornerDistances::least_of_rest(std::span<const Known> label, const Ticks* added, Ticks most,
                                                      Ticks so_far) {
  for (const Known& known : label) {
    if (ticks_of(known) >= so_far) break;
    so_far = std::min(so_far, ticks_of(known) + added[known.hub]);
  }
  return so_far < most ? so_far : unreachable_ticks;
}

#ifdef THRONG_HAS_AVX2

/// The same, eight at a time: what labels cost is waiting for memory, and the fewer the instructions, the more of it is asked for at once.
THRONG_AVX2 CornerDistances::Ticks CornerDistances::least_of_eights(std::span<const HubDistance> label,
                                                                    const Ticks* added, Ticks most) {
  static_assert(sizeof(HubDistance) == 4 && offsetof(HubDistance, units) == 2 && ticks_of_unit == 8);
  constexpr int shift_of_unit = 3;
  lanes::EightLeast least(unreachable_ticks);
  Ticks so_far = most;
  for (; label.size() >= label_block && ticks_of(label[0]) < so_far; label = label.subspan(label_block)) {
    for (std::size_t i = 0; i < label_block; i += 8) least.take<shift_of_unit>(label.data() + i, added);
    so_far = std::min(most, Ticks(least.least()));
  }
  return least_of_rest(label, added, most, so_far);
}

#endif

std::size_t CornerDistances::bytes() const {
  return sizeof *this + labels_.capacity() * sizeof(HubDistance) + wide_labels_.capacity() * sizeof(WideHubDistance) +
         first_.capacity() * sizeof(Index) + middles_.capacity() * sizeof(Middle) +
         stretches_.capacity() * sizeof(Range) + sights_->bytes() - sizeof(CornerSights);
}

}  // namespace throng::routes
