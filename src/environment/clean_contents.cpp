#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "environment/clean_layer.hpp"
#include "environment/cover.hpp"
#include "geometry/overlay.hpp"

namespace throng::environment {

namespace {

using geometry::Overlay;
using Id = Overlay::Id;

/// Features of one kind laid over the cleaned free space of their layer.
class ContentOverlay {
 public:
  ContentOverlay(const CleanContext& context, std::size_t layer, Kind kind, const std::vector<GridPolygon>& free)
      : context_(context) {
    const std::vector<Feature>& features = context.environment.features;
    for (std::size_t f = 0; f < features.size(); ++f)
      if (features[f].layer == layer && features[f].kind == kind) features_.push_back(f);
    if (features_.empty()) return;
    for (std::size_t f : features_) cover_.add(context, overlay_, f);
    for (const GridPolygon& polygon : free) {
      std::vector<GridRing> rings{polygon.outer};
      rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
      cover_.set_feature(overlay_.add_part(rings), no_feature);
    }
    overlay_.arrange();
  }

  [[nodiscard]] const std::vector<std::size_t>& features() const { return features_; }

  /// Calls visit(face, features that cover it) for every free face that any covers.
  template <class Visit>
  void for_each_covered(Visit&& visit) const {
    std::set<std::size_t> covering;
    int free = 0;
    cover_.walk(
        context_, overlay_,
        [&](std::size_t f, bool inside) {
          if (f == no_feature)
            free += inside ? 1 : -1;
          else
            inside ? void(covering.insert(f)) : void(covering.erase(f));
        },
        [&](Id face) {
          if (free > 0 && !covering.empty()) visit(face, covering);
        });
  }

  [[nodiscard]] std::vector<std::int32_t> unlabelled() const {
    return std::vector<std::int32_t>(overlay_.graph().face_count(), geometry::no_label);
  }

  [[nodiscard]] std::vector<std::vector<GridPolygon>> polygons(const std::vector<std::int32_t>& labels,
                                                               std::size_t label_count) const {
    return geometry::face_polygons(overlay_.graph(), labels, label_count,
                                   std::vector<bool>(overlay_.graph().vertex_count(), false));
  }

 private:
  const CleanContext& context_;
  Overlay overlay_;
  Cover cover_;
  std::vector<std::size_t> features_;
};

/// Types or names of features, each once, sorted.
template <class Name>
std::vector<std::string> distinct(const std::vector<std::size_t>& features, Name&& name) {
  std::set<std::string> names;
  for (std::size_t f : features) names.insert(name(f));
  return {names.begin(), names.end()};
}

std::int32_t position(const std::vector<std::string>& names, const std::string& name) {
  return std::int32_t(std::lower_bound(names.begin(), names.end(), name) - names.begin());
}

void clean_regions(const CleanContext& context, std::size_t layer, CleanLayer& clean) {
  const ContentOverlay overlay(context, layer, Kind::region, clean.free);
  if (overlay.features().empty()) return;
  const auto type_of = [&](std::size_t f) -> const std::string& { return context.environment.features[f].type; };
  const std::vector<std::string> types = distinct(overlay.features(), type_of);
  std::vector<std::int32_t> labels = overlay.unlabelled();
  overlay.for_each_covered([&](Id face, const std::set<std::size_t>& covering) {
    labels[face] = position(types, type_of(*covering.rbegin()));
  });
  std::vector<std::vector<GridPolygon>> polygons = overlay.polygons(labels, types.size());
  for (std::size_t t = 0; t < types.size(); ++t)
    if (!polygons[t].empty()) clean.regions.push_back({types[t], std::move(polygons[t])});
}

void clean_areas(const CleanContext& context, std::size_t layer, CleanLayer& clean) {
  const ContentOverlay overlay(context, layer, Kind::area, clean.free);
  if (overlay.features().empty()) return;
  const auto name_of = [&](std::size_t f) -> const std::string& { return context.environment.features[f].name; };
  const std::vector<std::string> names = distinct(overlay.features(), name_of);
  std::vector<std::set<Id>> faces(names.size());
  overlay.for_each_covered([&](Id face, const std::set<std::size_t>& covering) {
    for (std::size_t f : covering) faces[std::size_t(position(names, name_of(f)))].insert(face);
  });
  // Areas may overlap each other, so each gets a labelling of its own.
  for (std::size_t n = 0; n < names.size(); ++n) {
    std::vector<std::int32_t> labels = overlay.unlabelled();
    for (Id face : faces[n]) labels[face] = 0;
    clean.areas.push_back({names[n], overlay.polygons(labels, 1)[0]});
    if (!clean.areas.back().polygons.empty()) continue;
    for (std::size_t f : overlay.features())
      if (name_of(f) == names[n])
        context.report(Severity::warning, context.environment.features[f], "no part of this area is free space");
  }
}

}  // namespace

void clean_contents(const CleanContext& context, std::size_t layer, CleanLayer& clean) {
  clean_regions(context, layer, clean);
  clean_areas(context, layer, clean);
}

}  // namespace throng::environment
