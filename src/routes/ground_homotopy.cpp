#include "routes/ground_homotopy.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace throng::routes {

namespace {

using ground::GroundCosts;
using ground::Surface;

constexpr double rounding = 1e-9;

/// Numbers of connected parts of equal sets, by triangle.
std::vector<Index> regions_of(const Surface& surface) {
  const auto triangles = surface.triangles();
  std::vector<Index> region(triangles.size(), none), next;
  for (Index first = 0; first < triangles.size(); ++first) {
    if (region[first] != none) continue;
    region[first] = first;
    next = {first};
    while (!next.empty()) {
      const Index t = next.back();
      next.pop_back();
      for (const Index n : triangles[t].beyond)
        if (n != none && region[n] == none && triangles[n].set == triangles[t].set)
          region[n] = first, next.push_back(n);
    }
  }
  return region;
}

/// Goes up from a hair right of here.
struct Ray {
  double x = 0, y = 0;
};

/// A ray for each bounded hole, from the edges between what is met and what is not.
class Holes {
 public:
  Holes(const Surface& surface, const std::vector<bool>& met) : surface_(surface) {
    for (Index e = 0; e < surface.edges().size(); ++e) {
      const auto& edge = surface.edges()[e];
      const bool left = met[edge.triangle[0]], right = edge.triangle[1] != none && met[edge.triangle[1]];
      // Directed with what is met on the left.
      if (left && !right) rim_.push_back({edge.a, edge.b});
      if (right && !left) rim_.push_back({edge.b, edge.a});
    }
    std::sort(rim_.begin(), rim_.end());
  }

  std::vector<Ray> rays() {
    std::vector<bool> walked(rim_.size(), false);
    std::vector<Ray> found;
    for (std::size_t i = 0; i < rim_.size(); ++i) {
      if (walked[i]) continue;
      std::vector<std::size_t> loop;
      for (std::size_t k = i; k < rim_.size() && !walked[k]; k = next(k, walked)) walked[k] = true, loop.push_back(k);
      add_ray(loop, found);
    }
    std::sort(found.begin(), found.end(),
              [](const Ray& r, const Ray& s) { return r.x != s.x ? r.x < s.x : r.y < s.y; });
    return found;
  }

 private:
  struct Side {
    Index from = 0, to = 0;
    friend auto operator<=>(const Side&, const Side&) = default;
  };
  /// An edge that goes on from this one's end; where several do, holes meet in a vertex and any order encloses the same.
  [[nodiscard]] std::size_t next(std::size_t k, const std::vector<bool>& walked) const {
    auto at = std::lower_bound(rim_.begin(), rim_.end(), Side{rim_[k].to, 0});
    for (; at != rim_.end() && at->from == rim_[k].to; ++at)
      if (!walked[std::size_t(at - rim_.begin())]) return std::size_t(at - rim_.begin());
    return rim_.size();
  }
  void add_ray(const std::vector<std::size_t>& loop, std::vector<Ray>& found) const {
    double twice_area = 0;
    for (const std::size_t k : loop) twice_area += cross(surface_.point(rim_[k].from), surface_.point(rim_[k].to));
    if (!(twice_area < 0)) return;  // the rim around everything
    // Where met ground lies above, the rim runs from left to right. The ray starts from the highest such place.
    std::optional<Ray> ray;
    for (const std::size_t k : loop) {
      const Vec2 a = surface_.point(rim_[k].from), b = surface_.point(rim_[k].to);
      if (!(a.x < b.x)) continue;
      if (!ray || a.y > ray->y || (a.y == ray->y && a.x < ray->x)) ray = Ray{a.x, a.y};
    }
    if (ray) found.push_back(*ray);
  }

  const Surface& surface_;
  std::vector<Side> rim_;
};

/// Signed numbers of rays, in the order of crossing, reduced.
std::vector<std::ptrdiff_t> word_of(std::span<const GroundPath::Leg> legs, const std::vector<Ray>& rays) {
  std::vector<std::ptrdiff_t> word;
  const auto write = [&](std::ptrdiff_t letter) {
    if (!word.empty() && word.back() == -letter)
      word.pop_back();
    else
      word.push_back(letter);
  };
  for (const GroundPath::Leg& leg : legs) {
    std::vector<std::ptrdiff_t> crossed;
    const Vec2 d = leg.to - leg.from;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const Ray& ray = rays[i];
      const bool from_left = leg.from.x <= ray.x + rounding, to_left = leg.to.x <= ray.x + rounding;
      if (from_left == to_left) continue;
      const double y = leg.from.y + d.y * ((ray.x - leg.from.x) / d.x);
      if (y >= ray.y - rounding) crossed.push_back(from_left ? std::ptrdiff_t(i + 1) : -std::ptrdiff_t(i + 1));
    }
    if (d.x < 0) std::reverse(crossed.begin(), crossed.end());  // rays are in the order of x
    for (const std::ptrdiff_t letter : crossed) write(letter);
  }
  return word;
}

}  // namespace

bool region_homotopic(const Surface& surface, const GroundCosts& costs, std::span<const GroundPath::Leg> one,
                      std::span<const GroundPath::Leg> other) {
  const std::vector<Index> region = regions_of(surface);
  std::vector<bool> meets(surface.triangles().size(), false);  // by the region's number
  for (const auto& legs : {one, other})
    for (const GroundPath::Leg& leg : legs) {
      if (distance(leg.from, leg.to) <= rounding) continue;
      Index t = leg.via.index;
      if (leg.via.along) {
        const auto& sides = surface.edges()[leg.via.index].triangle;
        t = sides[1] != none && costs.of_triangle(sides[1]) < costs.of_triangle(sides[0]) ? sides[1] : sides[0];
      }
      meets[region[t]] = true;
    }
  std::vector<bool> met(surface.triangles().size());
  for (Index t = 0; t < met.size(); ++t) met[t] = meets[region[t]];
  const std::vector<Ray> rays = Holes(surface, met).rays();
  return word_of(one, rays) == word_of(other, rays);
}

}  // namespace throng::routes
