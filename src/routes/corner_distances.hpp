// How far a point has to walk from any corner of the world to any other: exact, by hub labels, made once for a mesh. What exact routes are
// bounded by: no body gets anywhere in less than a point does.
//
// Pruned landmark labelling (Akiba, Iwata, Yoshida 2013; hub labels: Cohen et al. 2003) over the tangent graph of a point
// (tangent_table.hpp). Every corner keeps distances to a few hubs, such that of any two corners one hub both know lies on a shortest way
// between them.
//
// Laws
// 1. The least sum over hubs that two labels share is the distance between the corners, to `float_error` of it; never more than that
//    too long, so what is left after taking it off is a lower bound.
// 2. The same mesh gives the same labels, on any number of threads.
// Thread-safety: immutable.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "routes/tangent_table.hpp"

namespace throng::routes {

class CornerDistances {
 public:
  /// Share of a distance, and metres, that it may be off.
  static constexpr double float_error = 1e-6;
  static constexpr double least_error = 1e-5;

  struct HubDistance {
    Index hub = none;  ///< numbered from the most useful on
    float distance = 0;
  };

  explicit CornerDistances(std::shared_ptr<const CorridorTiles> tiles);

  [[nodiscard]] const std::shared_ptr<const CorridorTiles>& tiles() const { return tiles_; }
  /// By site, the nearest hubs first; nothing for sites that are no corners.
  [[nodiscard]] std::span<const HubDistance> label(Index corner) const {
    return {labels_.data() + first_[corner], first_[corner + 1] - first_[corner]};
  }
  /// Metres to the nearest corner in sight, to `float_error` of it.
  [[nodiscard]] float nearest(Index corner) const { return nearest_[corner]; }
  /// The least of the distances to a corner's hubs, each with what is added for that hub, which must not be negative.
  [[nodiscard]] float least_sum(Index corner, std::span<const float> by_hub) const;
  /// Asks for the beginning of a label that will be needed soon.
  void prefetch(Index corner) const {
    const HubDistance* label = labels_.data() + first_[corner];
    __builtin_prefetch(label);
    __builtin_prefetch(label + 8);
    __builtin_prefetch(label + 16);
  }
  [[nodiscard]] std::size_t hub_count() const { return hub_count_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::shared_ptr<const CorridorTiles> tiles_;
  std::vector<HubDistance> labels_;
  std::vector<Index> first_;    ///< of each site, one more at the end
  std::vector<float> nearest_;  ///< of each site
  std::size_t hub_count_ = 0;
};

}  // namespace throng::routes
