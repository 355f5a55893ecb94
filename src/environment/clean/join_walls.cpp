#include <algorithm>
#include <unordered_map>

#include "environment/clean/clean_layer.hpp"

namespace throng::environment {

namespace {

using geometry::GridSegment;

class WallJoiner {
 public:
  WallJoiner(std::vector<GridSegment> edges, std::vector<GridPoint> joints)
      : edges_(std::move(edges)), joints_(std::move(joints)), used_(edges_.size(), false) {
    std::sort(joints_.begin(), joints_.end());
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      at_[edges_[i].a].push_back(i);
      at_[edges_[i].b].push_back(i);
    }
  }

  std::vector<Wall> join() {
    // Chains between joints first; what is left are closed loops without a joint.
    for (const GridSegment& edge : edges_) {
      start_chains(edge.a);
      start_chains(edge.b);
    }
    for (std::size_t i = 0; i < edges_.size(); ++i)
      if (!used_[i]) add(chain_from(edges_[i].a, i));
    std::sort(walls_.begin(), walls_.end(), [](const Wall& v, const Wall& w) { return v.points < w.points; });
    return std::move(walls_);
  }

 private:
  [[nodiscard]] bool is_joint(GridPoint p) const {
    return at_.at(p).size() != 2 || std::binary_search(joints_.begin(), joints_.end(), p);
  }

  void start_chains(GridPoint p) {
    if (!is_joint(p)) return;
    for (std::size_t i : at_.at(p))
      if (!used_[i]) add(chain_from(p, i));
  }

  std::vector<GridPoint> chain_from(GridPoint start, std::size_t edge) {
    std::vector<GridPoint> points{start};
    for (;;) {
      used_[edge] = true;
      const GridPoint next = edges_[edge].a == points.back() ? edges_[edge].b : edges_[edge].a;
      points.push_back(next);
      if (next == start || is_joint(next)) return points;
      const std::vector<std::size_t>& two = at_.at(next);
      edge = two[0] == edge ? two[1] : two[0];
    }
  }

  void add(std::vector<GridPoint> points) {
    const bool free_loop = points.front() == points.back() && !is_joint(points.front());
    if (free_loop) turn_to_smallest_corner(points);
    drop_straight(points);
    std::vector<GridPoint> reversed(points.rbegin(), points.rend());
    walls_.push_back({std::min(points, reversed)});
  }

  /// A loop may begin anywhere; its smallest point is a corner of it, so it is never dropped as straight.
  static void turn_to_smallest_corner(std::vector<GridPoint>& points) {
    points.pop_back();
    std::rotate(points.begin(), std::min_element(points.begin(), points.end()), points.end());
    points.push_back(points.front());
  }

  static void drop_straight(std::vector<GridPoint>& points) {
    std::vector<GridPoint> kept{points.front()};
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
      if (geometry::side(kept.back(), points[i], points[i + 1]) != 0) kept.push_back(points[i]);
    kept.push_back(points.back());
    points = std::move(kept);
  }

  std::vector<GridSegment> edges_;
  std::vector<GridPoint> joints_;
  std::vector<bool> used_;
  std::unordered_map<GridPoint, std::vector<std::size_t>> at_;
  std::vector<Wall> walls_;
};

}  // namespace

std::vector<Wall> join_walls(std::vector<geometry::GridSegment> edges, std::vector<GridPoint> joints) {
  return WallJoiner(std::move(edges), std::move(joints)).join();
}

}  // namespace throng::environment
