#include "geometry/box_index.hpp"

namespace throng::geometry {

namespace {

GridBox united(const GridBox& a, const GridBox& b) {
  return {{std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y)},
          {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y)}};
}

}  // namespace

BoxIndex::BoxIndex(std::span<const GridBox> boxes) : order_(boxes.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  if (order_.empty()) return;
  const auto centre_x = [&](std::uint32_t i) { return std::int64_t{boxes[i].min.x} + boxes[i].max.x; };
  const auto centre_y = [&](std::uint32_t i) { return std::int64_t{boxes[i].min.y} + boxes[i].max.y; };
  std::sort(order_.begin(), order_.end(), [&](auto i, auto j) { return centre_x(i) < centre_x(j); });
  const double tiles = std::ceil(double(order_.size()) / fan_out);
  const std::size_t strip = std::size_t(std::ceil(std::sqrt(tiles))) * fan_out;
  for (std::size_t begin = 0; begin < order_.size(); begin += strip) {
    const std::size_t end = std::min(order_.size(), begin + strip);
    std::sort(order_.begin() + std::ptrdiff_t(begin), order_.begin() + std::ptrdiff_t(end),
              [&](auto i, auto j) { return centre_y(i) < centre_y(j); });
  }

  std::vector<GridBox>& leaves = levels_.emplace_back();
  leaves.reserve(order_.size());
  for (std::uint32_t i : order_) leaves.push_back(boxes[i]);
  while (levels_.back().size() > fan_out) {
    const std::vector<GridBox>& below = levels_.back();
    std::vector<GridBox> above;
    for (std::size_t begin = 0; begin < below.size(); begin += fan_out) {
      const auto first = below.begin() + std::ptrdiff_t(begin);
      const auto last = below.begin() + std::ptrdiff_t(std::min(below.size(), begin + fan_out));
      above.push_back(std::accumulate(first + 1, last, *first, united));
    }
    levels_.push_back(std::move(above));
  }
}

}  // namespace throng::geometry
