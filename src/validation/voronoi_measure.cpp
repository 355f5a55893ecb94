#include "validation/voronoi_measure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace throng::validation {
namespace {

std::vector<Vec2> common_part(std::vector<Vec2> polygon, const std::vector<Vec2>& other) {
  for (std::size_t i = 0; i < other.size() && !polygon.empty(); ++i)
    polygon = left_part(polygon, other[i], other[(i + 1) % other.size()]);
  return polygon;
}

std::vector<Vec2> disc(Vec2 centre, double radius) {
  constexpr int corners = 64;
  std::vector<Vec2> ring;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    ring.push_back(centre + Vec2{std::cos(angle), std::sin(angle)} * radius);
  }
  return ring;
}

}  // namespace

std::vector<Vec2> left_part(const std::vector<Vec2>& polygon, Vec2 a, Vec2 b) {
  std::vector<Vec2> left;
  const Vec2 d = b - a;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 p = polygon[i], q = polygon[(i + 1) % polygon.size()];
    const double at_p = cross(d, p - a), at_q = cross(d, q - a);
    if (at_p >= 0) left.push_back(p);
    if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0)) left.push_back(p + (q - p) * (at_p / (at_p - at_q)));
  }
  return left.size() < 3 ? std::vector<Vec2>() : left;
}

double size_of(const std::vector<Vec2>& polygon) {
  double twice = 0;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    twice += cross(polygon[i] - polygon[0], polygon[i + 1] - polygon[0]);
  return twice / 2;
}

DensityAndSpeed voronoi_measure(const std::vector<MovingPoint>& people, const std::vector<Vec2>& walls,
                                const std::vector<Vec2>& area, double reach) {
  Vec2 low = area[0], high = area[0];
  for (const Vec2 p : area) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const auto is_near = [&](Vec2 p, double by) {
    return p.x > low.x - by && p.x < high.x + by && p.y > low.y - by && p.y < high.y + by;
  };
  std::vector<MovingPoint> near;
  for (const MovingPoint& person : people)
    if (is_near(person.position, 3 * reach)) near.push_back(person);
  double persons = 0, covered = 0, speeds = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (!is_near(near[i].position, reach)) continue;
    std::vector<Vec2> cell = common_part(disc(near[i].position, reach), walls);
    for (std::size_t j = 0; j < near.size() && !cell.empty(); ++j) {
      const Vec2 apart = near[j].position - near[i].position;
      const double far = squared_length(apart);
      if (j == i || far > 4 * reach * reach || far == 0) continue;
      const Vec2 middle = near[i].position + apart / 2;
      cell = left_part(cell, middle, middle + perpendicular(apart));
    }
    const double size = size_of(cell), inside = size_of(common_part(cell, area));
    if (!(size > 0) || !(inside > 0)) continue;
    persons += inside / size;
    if (!near[i].speed) continue;
    covered += inside;
    speeds += inside * *near[i].speed;
  }
  DensityAndSpeed result{persons / size_of(area), {}};
  if (covered > 0) result.speed = speeds / covered;
  return result;
}

}  // namespace throng::validation
