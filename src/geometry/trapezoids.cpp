#include "geometry/trapezoids.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace throng::geometry {
namespace {

/// An edge that is not horizontal, from its lower to its higher end.
struct SweepEdge {
  GridPoint low, high;
  bool opens = false;  ///< the polygon lies to its right
};

/// Whether a runs left of b, for edges that share a height and do not cross.
bool left_of(const SweepEdge& a, const SweepEdge& b) {
  const auto side_of = [](const SweepEdge& edge, GridPoint first, GridPoint second) {
    const int at_first = side(edge.low, edge.high, first);
    return at_first != 0 ? at_first : side(edge.low, edge.high, second);
  };
  if (a.low.y >= b.low.y) return side_of(b, a.low, a.high) > 0;
  return side_of(a, b.low, b.high) < 0;
}

double at_height(const SweepEdge& edge, double y) {
  const double part = (y - edge.low.y) / (double(edge.high.y) - edge.low.y);
  return edge.low.x + (double(edge.high.x) - edge.low.x) * part;
}

class Sweep {
 public:
  explicit Sweep(std::span<const GridPolygon> polygons) : active_(Order{&edges_}) {
    for (const GridPolygon& polygon : polygons) {
      add(polygon.outer);
      for (const GridRing& hole : polygon.holes) add(hole);
    }
  }

  std::vector<Trapezoid> run() && {
    std::vector<Id> starting(edges_.size()), ending(edges_.size());
    for (Id e = 0; e < edges_.size(); ++e) starting[e] = ending[e] = e;
    std::sort(starting.begin(), starting.end(), [&](Id a, Id b) { return edges_[a].low.y < edges_[b].low.y; });
    std::sort(ending.begin(), ending.end(), [&](Id a, Id b) { return edges_[a].high.y < edges_[b].high.y; });
    std::size_t s = 0, e = 0;
    while (e < ending.size()) {
      y_ = edges_[ending[e]].high.y;
      if (s < starting.size()) y_ = std::min(y_, edges_[starting[s]].low.y);
      touched_.clear();
      for (; e < ending.size() && edges_[ending[e]].high.y == y_; ++e) remove(ending[e]);
      for (; s < starting.size() && edges_[starting[s]].low.y == y_; ++s) insert(starting[s]);
      settle();
    }
    return std::move(trapezoids_);
  }

 private:
  using Id = std::uint32_t;
  struct Order {
    const std::vector<SweepEdge>* edges;
    bool operator()(Id a, Id b) const { return a != b && left_of((*edges)[a], (*edges)[b]); }
  };
  struct Open {
    Id right = 0;
    std::int32_t from = 0;
  };

  void add(const GridRing& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const GridPoint a = ring[i], b = ring[(i + 1) % ring.size()];
      if (a.y == b.y) continue;
      // The polygon is to the left of a->b: an edge that goes down has it to the right of the drawing.
      edges_.push_back(a.y < b.y ? SweepEdge{a, b, false} : SweepEdge{b, a, true});
    }
  }

  void touch_before(std::set<Id, Order>::const_iterator at) {
    if (at != active_.begin() && edges_[*std::prev(at)].opens) touched_.push_back(*std::prev(at));
  }

  void remove(Id edge) {
    const auto at = active_.find(edge);
    if (edges_[edge].opens) touched_.push_back(edge);
    touch_before(at);
    active_.erase(at);
  }

  void insert(Id edge) {
    const auto at = active_.insert(edge).first;
    if (edges_[edge].opens) touched_.push_back(edge);
    touch_before(at);
  }

  /// Ends the trapezoids whose sides changed and begins new ones.
  void settle() {
    const std::size_t before = trapezoids_.size();
    for (const Id left : touched_)
      if (const auto open = open_.find(left); open != open_.end() && open->second.from < y_) {
        write(left, open->second);
        open_.erase(open);
      }
    std::sort(trapezoids_.begin() + std::ptrdiff_t(before), trapezoids_.end(),
              [](const Trapezoid& a, const Trapezoid& b) { return a.left_high < b.left_high; });
    for (const Id left : touched_) {
      const auto at = active_.find(left);
      if (at == active_.end() || *at != left) continue;  // it ended here; one that goes on straight may look the same
      if (const auto right = std::next(at); right != active_.end()) open_[left] = {*right, y_};
    }
  }

  void write(Id left, const Open& open) {
    const SweepEdge &l = edges_[left], &r = edges_[open.right];
    trapezoids_.push_back({double(open.from), double(y_), at_height(l, open.from), at_height(l, y_),
                           at_height(r, open.from), at_height(r, y_)});
  }

  std::vector<SweepEdge> edges_;
  std::set<Id, Order> active_;  ///< from left to right
  std::map<Id, Open> open_;     ///< trapezoids begun, by their left edge
  std::vector<Id> touched_;
  std::vector<Trapezoid> trapezoids_;
  std::int32_t y_ = 0;
};

}  // namespace

std::vector<Trapezoid> cut_into_trapezoids(std::span<const GridPolygon> polygons) { return Sweep(polygons).run(); }

}  // namespace throng::geometry
