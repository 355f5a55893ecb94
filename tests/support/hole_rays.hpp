// Classes of paths in the plane, from the boundary alone: from the topmost corner of every connected part of it a ray goes up, and the
// word of rays that a path crosses, to the left or to the right, freely reduced, says between which parts it winds its way. Rays of
// one direction do not meet, and the plane without them is simply connected: so two paths with the same ends have equal words exactly if
// one can be pulled into the other (the first layer of a world only).
//
// Boundary edges that share a vertex are one part: nobody gets through between them. Rays from the outer ring are crossed by nobody.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"

namespace throng::test {

class HoleRays {
 public:
  explicit HoleRays(const environment::CleanEnvironment& world) {
    const environment::CleanLayer& layer = world.layers[0];
    for (const geometry::GridPolygon& polygon : layer.free) {
      add_line(polygon.outer, true);
      for (const geometry::GridRing& hole : polygon.holes) add_line(hole, true);
    }
    for (const environment::Wall& wall : layer.walls) add_line(wall.points, false);
    std::map<std::size_t, geometry::GridPoint> tops;
    for (const auto& [point, number] : number_of_) {
      const auto [top, is_new] = tops.try_emplace(root(number), point);
      if (!is_new && point.y > top->second.y) top->second = point;
    }
    for (const auto& [part, top] : tops) rays_.push_back(world.grid.to_world(top));
  }

  [[nodiscard]] std::size_t count() const { return rays_.size(); }

  /// 2 * ray, + 1 where it is crossed from right to left.
  [[nodiscard]] std::vector<std::size_t> word_of(std::span<const navmesh::Place> path) const {
    std::vector<std::size_t> word;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const Vec2 a = path[i - 1].point, b = path[i].point;
      std::vector<std::pair<double, std::size_t>> crossed;
      for (std::size_t r = 0; r < rays_.size(); ++r) {
        const Vec2 from = rays_[r];
        if ((a.x <= from.x) == (b.x <= from.x)) continue;
        const double share = (from.x - a.x) / (b.x - a.x);
        if (a.y + (b.y - a.y) * share > from.y) crossed.emplace_back(share, 2 * r + (a.x > from.x ? 1 : 0));
      }
      // Rays above each other count as side by side, the later ones farther right.
      std::sort(crossed.begin(), crossed.end(), [&](const auto& p, const auto& q) {
        return p.first != q.first ? p.first < q.first : (a.x < b.x) == (p.second < q.second) && p.second != q.second;
      });
      for (const auto& [share, letter] : crossed) {
        if (!word.empty() && word.back() == (letter ^ 1))
          word.pop_back();
        else
          word.push_back(letter);
      }
    }
    return word;
  }

 private:
  void add_line(const std::vector<geometry::GridPoint>& points, bool closed) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::size_t at = number(points[i]);
      if (i > 0) parent_[root(at)] = root(number(points[i - 1]));
    }
    if (closed && !points.empty()) parent_[root(number(points.front()))] = root(number(points.back()));
  }
  std::size_t number(const geometry::GridPoint& point) {
    const auto [entry, is_new] = number_of_.try_emplace({point.x, point.y}, parent_.size());
    if (is_new) parent_.push_back(parent_.size());
    return entry->second;
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  struct Less {
    bool operator()(const geometry::GridPoint& a, const geometry::GridPoint& b) const {
      return a.x != b.x ? a.x < b.x : a.y < b.y;
    }
  };
  std::map<geometry::GridPoint, std::size_t, Less> number_of_;
  std::vector<std::size_t> parent_;
  std::vector<Vec2> rays_;
};

}  // namespace throng::test
