// Which features cover a face of an overlay. A feature is covered where any of its parts is: parts of a MultiPolygon unite.
#pragma once

#include <cstddef>
#include <vector>

#include "environment/clean/clean_layer.hpp"
#include "geometry/overlay.hpp"

namespace throng::environment {

inline constexpr std::size_t no_feature = ~std::size_t{0};

/// Reports a part whose winding number on a face is not 0 or 1, unless the face is a sliver that rounding explains; says
/// whether it did.
bool report_broken(const CleanContext& context, const geometry::Overlay& overlay, const Feature& feature,
                   geometry::Overlay::Id part, geometry::Overlay::Id face, int winding);

/// The feature's polygon on the grid, outer ring first, without spikes and repeated points. Warns where nothing of it is left.
[[nodiscard]] std::vector<GridRing> snapped(const CleanContext& context, const Feature& feature,
                                            const Polygon& polygon);

class Cover {
 public:
  using Id = geometry::Overlay::Id;

  /// Adds the polygons of feature f to the overlay.
  void add(const CleanContext& context, geometry::Overlay& overlay, std::size_t f);
  void set_feature(Id owner, std::size_t f);
  /// Of a part of a layer: how often this owner winds around all of it.
  void set_outside(Id owner, std::int32_t winding);
  /// Of a part of a layer: a polygon of feature f lies around all of it.
  void add_around(std::size_t f) { around_.push_back(f); }
  [[nodiscard]] std::size_t feature_of(Id owner) const { return feature_of_[owner]; }

  /// Walks over all faces: changed(feature, inside) as features begin and cease to cover, then visit(face). Polygons that cross
  /// themselves, and holes that do not lie in their polygon, are reported once each.
  template <class Changed, class Visit>
  void walk(const CleanContext& context, const geometry::Overlay& overlay, Changed&& changed, Visit&& visit) const {
    std::vector<std::uint32_t> covering(context.environment.features.size(), 0);
    std::vector<bool> reported(feature_of_.size(), false);
    const auto covers = [&](std::size_t f, bool inside) {
      if (f == no_feature) return changed(f, inside);
      covering[f] += inside ? 1u : ~0u;
      if (covering[f] == (inside ? 1u : 0u)) changed(f, inside);
    };
    for (const std::size_t f : around_) covers(f, true);
    for (Id owner = 0; owner < outside_.size(); ++owner)
      if (outside_[owner] != 0) covers(feature_of_[owner], true);
    overlay.walk([&](Id owner, bool inside) { covers(feature_of_[owner], inside); }, visit,
                 [&](Id owner, Id face, int winding) {
                   const std::size_t f = feature_of_[owner];
                   if (f == no_feature || reported[owner]) return;
                   reported[owner] =
                       report_broken(context, overlay, context.environment.features[f], owner, face, winding);
                 },
                 outside_);
  }

 private:
  std::vector<std::size_t> feature_of_;  ///< of each owner
  std::vector<std::int32_t> outside_;    ///< of each owner, as far as it was said
  std::vector<std::size_t> around_;
};

}  // namespace throng::environment
