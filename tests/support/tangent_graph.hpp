// The shortest way of a disc by brute force: all lines tangent to the discs around two corners, and the arcs between them.
//
// Knows nothing of gates, tiles or corridors: a line counts if navmesh::visible() lets the disc slide along it, an arc if locate()
// finds room at its points. O(n^2) lines for n corners, so for small worlds of one layer. What ShortestOracle is checked by, which looks
// at few lines and serves everything else.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>
#include <vector>

#include "navmesh/locate.hpp"
#include "navmesh/visibility.hpp"

namespace throng::test {

class TangentGraph {
 public:
  /// `disc` is the radius; for a point something small, because on a corner nothing tells one side from the other.
  TangentGraph(const navmesh::Mesh& mesh, double disc, Vec2 goal) : mesh_(mesh), disc_(disc), goal_(goal) {
    for (const navmesh::Site& site : mesh.all_sites())
      if (site.is_corner() && site.cell_count > 0) circles_.push_back({site.a, {}});
    links_.emplace_back();  // of the goal
    for (std::size_t i = 0; i < circles_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) join_circles(i, k);
      join_goal(i);
    }
    for (Circle& circle : circles_) join_neighbours(circle);
    run();
  }

  [[nodiscard]] std::size_t corner_count() const { return circles_.size(); }

  [[nodiscard]] double distance(Vec2 from) const {
    double best = slides(from, goal_) ? length(goal_ - from) : INFINITY;
    for (const Circle& circle : circles_) {
      for (const Vec2 touch : tangents_from(from, circle.centre)) {
        if (!slides(from, touch)) continue;
        const double angle = angle_of(touch - circle.centre);
        for (const std::size_t t : around(circle, angle)) {
          const Touch& other = circle.touches[t];
          for (const double turn : {turn_from(angle, other.angle), turn_from(other.angle, angle)}) {
            const double start = turn == turn_from(angle, other.angle) ? angle : other.angle;
            const double total = length(touch - from) + turn * disc_ + to_goal_[other.node];
            if (total < best && arc_is_free(circle.centre, start, turn)) best = total;
          }
        }
      }
    }
    return best;
  }

 private:
  struct Touch {
    double angle;
    std::size_t node;
  };
  struct Circle {
    Vec2 centre;
    std::vector<Touch> touches;  // by angle
  };
  struct Link {
    std::size_t to;
    double length;
  };

  static constexpr double slack = 1e-7;
  static double angle_of(Vec2 v) { return std::atan2(v.y, v.x); }
  /// Counterclockwise, in [0, 2 pi).
  static double turn_from(double a, double b) {
    const double turn = b - a;
    return turn < 0 ? turn + 2 * std::numbers::pi : turn;
  }
  static Vec2 unit(double angle) { return {std::cos(angle), std::sin(angle)}; }

  [[nodiscard]] bool slides(Vec2 a, Vec2 b) const {
    return navmesh::visible(mesh_, {a, 0}, {b, 0}, std::max(0.0, disc_ - slack));
  }
  [[nodiscard]] bool has_room(Vec2 p) const {
    const navmesh::Located at = navmesh::locate(mesh_, {p, 0});
    return at && at.clearance >= disc_ - slack;
  }
  [[nodiscard]] bool arc_is_free(Vec2 centre, double from, double turn) const {
    const int parts = 1 + int(turn / 0.005);
    for (int i = 0; i <= parts; ++i)
      if (!has_room(centre + unit(from + turn * i / parts) * disc_)) return false;
    return true;
  }
  [[nodiscard]] std::vector<Vec2> tangents_from(Vec2 p, Vec2 centre) const {
    const double away = length(p - centre);
    const double opening = std::acos(std::min(1.0, disc_ / away));
    const double towards = angle_of(p - centre);
    return {centre + unit(towards + opening) * disc_, centre + unit(towards - opening) * disc_};
  }

  std::size_t add(Circle& circle, Vec2 touch) {
    circle.touches.push_back({angle_of(touch - circle.centre), links_.size()});
    links_.emplace_back();
    return links_.size() - 1;
  }
  void link(std::size_t a, std::size_t b, double way) {
    links_[a].push_back({b, way});
    links_[b].push_back({a, way});
  }
  void join_circles(std::size_t i, std::size_t k) {
    const Vec2 a = circles_[i].centre, b = circles_[k].centre;
    const double apart = length(b - a), towards = angle_of(b - a);
    const auto join = [&](double at_a, double at_b) {
      const Vec2 p = a + unit(at_a) * disc_, q = b + unit(at_b) * disc_;
      if (has_room(p) && has_room(q) && slides(p, q)) link(add(circles_[i], p), add(circles_[k], q), length(q - p));
    };
    const double right_angle = std::numbers::pi / 2;
    join(towards + right_angle, towards + right_angle);
    join(towards - right_angle, towards - right_angle);
    if (apart < 2 * disc_ - 1e-9) return;
    const double opening = std::acos(std::min(1.0, 2 * disc_ / apart));
    join(towards + opening, towards + opening + std::numbers::pi);
    join(towards - opening, towards - opening + std::numbers::pi);
  }
  void join_goal(std::size_t i) {
    for (const Vec2 touch : tangents_from(goal_, circles_[i].centre))
      if (has_room(touch) && slides(goal_, touch)) link(0, add(circles_[i], touch), length(touch - goal_));
  }
  void join_neighbours(Circle& circle) {
    std::sort(circle.touches.begin(), circle.touches.end(),
              [](const Touch& a, const Touch& b) { return a.angle < b.angle; });
    for (std::size_t t = 0; t < circle.touches.size(); ++t) {
      const Touch& here = circle.touches[t];
      const Touch& next = circle.touches[(t + 1) % circle.touches.size()];
      const double turn = turn_from(here.angle, next.angle);
      if (here.node != next.node && arc_is_free(circle.centre, here.angle, turn))
        link(here.node, next.node, turn * disc_);
    }
  }
  /// The touches before and after an angle.
  [[nodiscard]] static std::vector<std::size_t> around(const Circle& circle, double angle) {
    if (circle.touches.empty()) return {};
    const auto after = std::lower_bound(circle.touches.begin(), circle.touches.end(), angle,
                                        [](const Touch& touch, double a) { return touch.angle < a; });
    const std::size_t count = circle.touches.size();
    const std::size_t next = std::size_t(after - circle.touches.begin()) % count;
    return {next, (next + count - 1) % count};
  }
  void run() {
    to_goal_.assign(links_.size(), INFINITY);
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    open.push({to_goal_[0] = 0, 0});
    while (!open.empty()) {
      const auto [so_far, node] = open.top();
      open.pop();
      if (so_far > to_goal_[node]) continue;
      for (const Link& link : links_[node])
        if (so_far + link.length < to_goal_[link.to]) open.push({to_goal_[link.to] = so_far + link.length, link.to});
    }
  }

  const navmesh::Mesh& mesh_;
  double disc_;
  Vec2 goal_;
  std::vector<Circle> circles_;
  std::vector<std::vector<Link>> links_;
  std::vector<double> to_goal_;
};

}  // namespace throng::test
