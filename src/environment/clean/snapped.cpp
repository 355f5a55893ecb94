#include <algorithm>
#include <cmath>
#include <cstddef>

#include "environment/clean/clean_layer.hpp"

namespace throng::environment {

namespace {

/// Metres. A ring that goes out and comes back along a line this thin has drawn a spike, not an obstacle; anything wider is
/// kept, as a thin wall where the grid folds it flat.
constexpr double spike_width = 1e-9;

/// Whether before -> at -> after runs along one line, ahead or back.
bool on_one_line(Vec2 before, Vec2 at, Vec2 after) {
  const Vec2 there = at - before;
  const Vec2 on = after - at;
  const double longer = std::sqrt(std::max(squared_length(there), squared_length(on)));
  return std::abs(cross(there, on)) <= spike_width * longer;
}

/// Whether the way before -> tip -> after runs back over itself.
bool is_spike(Vec2 before, Vec2 tip, Vec2 after) {
  return dot(tip - before, after - tip) < 0 && on_one_line(before, tip, after);
}

/// Drops repeated points and spikes until there are none.
class SpikeCutter {
 public:
  explicit SpikeCutter(const Ring& ring) {
    for (Vec2 p : ring) {
      kept_.push_back(p);
      shorten_end();
    }
    close_seam();
    if (spiked_) drop_straight();
  }

  [[nodiscard]] Ring rest() const { return Ring(kept_.begin() + std::ptrdiff_t(first_), kept_.end()); }

 private:
  [[nodiscard]] std::size_t size() const { return kept_.size() - first_; }

  void shorten_end() {
    for (;;) {
      const std::size_t n = kept_.size();
      if (n >= 2 && kept_[n - 1] == kept_[n - 2]) {
        kept_.pop_back();
      } else if (n >= 3 && is_spike(kept_[n - 3], kept_[n - 2], kept_[n - 1])) {
        kept_.erase(kept_.end() - 2);
        spiked_ = true;
      } else {
        return;
      }
    }
  }

  /// The same at the place where the ring was opened.
  void close_seam() {
    while (size() >= 3) {
      const std::size_t n = kept_.size();
      if (kept_[first_] == kept_.back()) {
        kept_.pop_back();
      } else if (is_spike(kept_[n - 2], kept_[n - 1], kept_[first_])) {
        kept_.pop_back();
        spiked_ = true;
      } else if (is_spike(kept_[n - 1], kept_[first_], kept_[first_ + 1])) {
        ++first_;
        spiked_ = true;
      } else {
        return;
      }
    }
  }

  /// Which straight vertices a spike leaves behind depends on where the ring began; so none stay.
  void drop_straight() {
    const Ring ring = rest();
    kept_.clear();
    first_ = 0;
    for (std::size_t i = 0; i < ring.size(); ++i)
      if (!on_one_line(ring[(i + ring.size() - 1) % ring.size()], ring[i], ring[(i + 1) % ring.size()]))
        kept_.push_back(ring[i]);
  }

  Ring kept_;
  std::size_t first_ = 0;
  bool spiked_ = false;
};

/// Of a ring that is nothing but spikes one point is left, the smallest, so that it does not matter where the ring begins.
Ring without_spikes(const Ring& ring) {
  Ring rest = SpikeCutter(ring).rest();
  return rest.size() < 3 ? Ring{*std::min_element(ring.begin(), ring.end())} : rest;
}

}  // namespace

std::vector<GridRing> snapped(const geometry::SnapGrid& grid, const Polygon& polygon) {
  std::vector<GridRing> rings;
  const auto add = [&](const Ring& ring) {
    GridRing points;
    for (Vec2 p : without_spikes(ring)) {
      const GridPoint q = grid.snap(p);
      if (points.empty() || points.back() != q) points.push_back(q);
    }
    while (points.size() > 1 && points.front() == points.back()) points.pop_back();
    rings.push_back(std::move(points));
  };
  add(polygon.outer);
  for (const Ring& hole : polygon.holes) add(hole);
  return rings;
}

}  // namespace throng::environment
