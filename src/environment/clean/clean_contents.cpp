#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "environment/clean/clean_layer.hpp"
#include "environment/clean/cover.hpp"
#include "geometry/box_index.hpp"
#include "geometry/overlay.hpp"

namespace throng::environment {

namespace {

using geometry::Overlay;
using Id = Overlay::Id;

/// What is drawn on the ground: a polygon that belongs to a group (a region type, an area's name).
struct Patch {
  std::size_t group = 0;
  std::vector<GridRing> rings;
};

/// Polygons of each group.
using Groups = std::vector<std::vector<GridPolygon>>;

enum class Overlap {
  last_wins,  ///< groups become disjoint: where patches overlap, the last one counts
  allowed,    ///< a place may belong to several groups
};

using Broken = std::function<void(const Overlay& overlay, Id patch, Id face, int winding)>;

std::vector<GridRing> rings_of(const GridPolygon& polygon) {
  std::vector<GridRing> rings{polygon.outer};
  rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
  return rings;
}

geometry::GridBox box_of(const GridRing& ring) {
  geometry::GridBox box{ring[0], ring[0]};
  for (GridPoint p : ring) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
}

/// Patches laid on free space.
class Layout {
 public:
  Layout(const std::vector<GridPolygon>& free, const std::vector<Patch>& patches) : patches_(patches) {
    std::vector<geometry::GridBox> boxes;
    for (const Patch& patch : patches) {
      overlay_.add_part(patch.rings);  // owner ids are patch numbers
      boxes.push_back(box_of(patch.rings[0]));
    }
    const geometry::BoxIndex near_patches(boxes);
    for (const GridPolygon& polygon : free) add_free(polygon, near_patches);
    // Edges that follow the boundary must follow it again.
    is_heap_ = !overlay_.arrange(geometry::HotFirst::end_points);
  }

  /// They lie over each other so much that nothing was cut.
  [[nodiscard]] bool is_heap() const { return is_heap_; }

  /// `on_ground`, where it is not null: gets a flag for each patch that covers something free.
  [[nodiscard]] Groups cut(std::size_t group_count, Overlap overlap, const Broken& broken,
                           std::vector<bool>* on_ground = nullptr) const {
    std::vector<std::set<Id>> faces(group_count);
    std::set<Id> covering, unproven;
    int free = 0;
    overlay_.walk(
        [&](Id owner, bool inside) {
          if (owner >= patches_.size()) return void(free += inside ? 1 : -1);
          inside ? void(covering.insert(owner)) : void(covering.erase(owner));
          if (on_ground == nullptr || (*on_ground)[owner]) return;
          inside ? void(unproven.insert(owner)) : void(unproven.erase(owner));
        },
        [&](Id face) {
          if (free == 0 || covering.empty()) return;
          for (const Id patch : unproven) (*on_ground)[patch] = true;
          unproven.clear();
          if (overlap == Overlap::last_wins) return void(faces[patches_[*covering.rbegin()].group].insert(face));
          for (Id patch : covering) faces[patches_[patch].group].insert(face);
        },
        [&](Id owner, Id face, int winding) {
          if (owner < patches_.size()) broken(overlay_, owner, face, winding);
        });
    return overlap == Overlap::last_wins ? disjoint(faces) : overlapping(faces);
  }

 private:
  /// Holes that no patch comes near cut nothing off, and most are such.
  void add_free(const GridPolygon& polygon, const geometry::BoxIndex& near_patches) {
    std::vector<GridRing> rings{polygon.outer};
    for (const GridRing& hole : polygon.holes) {
      bool near = false;
      near_patches.for_each_in(box_of(hole), [&](Id) { near = true; });
      if (near) rings.push_back(hole);
    }
    overlay_.add_part(rings);
  }

  [[nodiscard]] Groups disjoint(const std::vector<std::set<Id>>& faces) const {
    std::vector<std::int32_t> labels(overlay_.graph().face_count(), geometry::no_label);
    for (std::size_t g = 0; g < faces.size(); ++g)
      for (Id face : faces[g]) labels[face] = std::int32_t(g);
    return polygons(labels, faces.size());
  }

  /// Groups that share no face are cut out together; only overlapping ones need a labelling of their own.
  [[nodiscard]] Groups overlapping(const std::vector<std::set<Id>>& faces) const {
    std::vector<std::vector<std::int32_t>> sheets;
    std::vector<std::size_t> sheet_of;
    for (std::size_t g = 0; g < faces.size(); ++g) {
      const auto fits = [&](const std::vector<std::int32_t>& labels) {
        return std::all_of(faces[g].begin(), faces[g].end(),
                           [&](Id face) { return labels[face] == geometry::no_label; });
      };
      const auto sheet = std::find_if(sheets.begin(), sheets.end(), fits);
      sheet_of.push_back(std::size_t(sheet - sheets.begin()));
      if (sheet == sheets.end()) sheets.emplace_back(overlay_.graph().face_count(), geometry::no_label);
      for (Id face : faces[g]) sheets[sheet_of[g]][face] = std::int32_t(g);
    }
    Groups groups(faces.size());
    for (std::size_t s = 0; s < sheets.size(); ++s) {
      Groups cut = polygons(sheets[s], faces.size());
      for (std::size_t g = 0; g < faces.size(); ++g)
        if (sheet_of[g] == s) groups[g] = std::move(cut[g]);
    }
    return groups;
  }

  [[nodiscard]] Groups polygons(const std::vector<std::int32_t>& labels, std::size_t label_count) const {
    return geometry::face_polygons(overlay_.graph(), labels, label_count,
                                   std::vector<bool>(overlay_.graph().vertex_count(), false));
  }

  const std::vector<Patch>& patches_;
  Overlay overlay_;
  bool is_heap_ = false;
};

/// How often cut groups are cut again. Cutting moves edges by less than a unit where they meet the boundary, and the boundary
/// stays where it is, so a second cut may move them once more; real plans settle at the second or third.
constexpr int most_cuts = 8;

/// Cuts until nothing moves, so that cleaning a cleaned environment changes nothing (law 7). Nothing where they are a heap.
std::optional<Groups> cut_until_settled(const std::vector<GridPolygon>& free, const std::vector<Patch>& patches,
                                        std::size_t group_count, Overlap overlap, const Broken& broken,
                                        std::vector<bool>& on_ground) {
  const Layout first(free, patches);
  if (first.is_heap()) return std::nullopt;
  Groups groups = first.cut(group_count, overlap, broken, &on_ground);
  for (int i = 1; i < most_cuts; ++i) {
    std::vector<Patch> again;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const GridPolygon& polygon : groups[g]) again.push_back({g, rings_of(polygon)});
    const Layout next(free, again);
    if (next.is_heap()) return std::nullopt;
    Groups settled = next.cut(group_count, overlap, [](auto&&...) {});
    if (settled == groups) break;
    groups = std::move(settled);
  }
  return groups;
}

/// What groups the features of a kind: a name, and for regions which way they rise.
struct Group {
  std::string name;
  Vec2 slope;
  friend bool operator<(const Group& a, const Group& b) {
    return std::tie(a.name, a.slope.x, a.slope.y) < std::tie(b.name, b.slope.x, b.slope.y);
  }
};

/// The features of one kind and layer, grouped by a name of theirs.
class Contents {
 public:
  Contents(const CleanContext& context, std::size_t layer, Kind kind, std::string Feature::*name)
      : context_(context), layer_(layer) {
    const auto group_of = [name](const Feature& feature) { return Group{feature.*name, feature.slope}; };
    std::set<Group> names;
    for (const std::size_t f : context.features_of[layer]) {
      const Feature& feature = context.environment.features[f];
      if (feature.kind != kind) continue;
      features_.push_back(&feature);
      names.insert(group_of(feature));
    }
    names_.assign(names.begin(), names.end());
    for (const Feature* feature : features_) {
      const auto at = std::lower_bound(names_.begin(), names_.end(), group_of(*feature));
      for (const Polygon& polygon : feature->polygons) {
        patches_.push_back({std::size_t(at - names_.begin()), snapped(context, *feature, polygon)});
        feature_of_.push_back(feature);
      }
    }
  }

  [[nodiscard]] const std::vector<Group>& names() const { return names_; }
  [[nodiscard]] const std::vector<const Feature*>& features() const { return features_; }

  /// Features that lie on nothing free, in order.
  [[nodiscard]] std::vector<const Feature*> off_ground() const {
    std::vector<const Feature*> off;
    std::size_t patch = 0;
    for (const Feature* feature : features_) {  // patches come in the order of their features
      bool on = on_ground_.empty();
      for (; patch < patches_.size() && feature_of_[patch] == feature; ++patch) on = on || on_ground_[patch];
      if (!on) off.push_back(feature);
    }
    return off;
  }

  [[nodiscard]] Groups cut(const std::vector<GridPolygon>& free, Overlap overlap) {
    if (patches_.empty()) return {};
    on_ground_.assign(patches_.size(), false);
    std::vector<bool> reported(patches_.size(), false);
    std::optional<Groups> groups = cut_until_settled(
        free, patches_, names_.size(), overlap,
        [&](const Overlay& overlay, Id patch, Id face, int winding) {
          if (!reported[patch])
            reported[patch] = report_broken(context_, overlay, *feature_of_[patch], patch, face, winding);
        },
        on_ground_);
    if (!groups) context_.report_heap(layer_), on_ground_.clear();
    return groups ? std::move(*groups) : Groups();
  }

 private:
  const CleanContext& context_;
  std::size_t layer_;
  std::vector<const Feature*> features_;
  std::vector<Group> names_;  ///< sorted
  std::vector<Patch> patches_;
  std::vector<const Feature*> feature_of_;  ///< of each patch
  std::vector<bool> on_ground_;             ///< whether a patch covers something free; empty: not known
};

}  // namespace

void clean_contents(const CleanContext& context, std::size_t layer, CleanLayer& clean) {
  Contents regions(context, layer, Kind::region, &Feature::type);
  Groups of_type = regions.cut(clean.free, Overlap::last_wins);
  for (std::size_t t = 0; t < of_type.size(); ++t)
    if (!of_type[t].empty())
      clean.regions.push_back({regions.names()[t].name, std::move(of_type[t]), regions.names()[t].slope});
  for (const Feature* feature : regions.off_ground())
    context.report(Severity::warning, *feature, "no part of this region is free space: it is left out");

  Contents areas(context, layer, Kind::area, &Feature::name);
  Groups of_name = areas.cut(clean.free, Overlap::allowed);
  for (std::size_t n = 0; n < of_name.size(); ++n) {
    const std::string& name = areas.names()[n].name;
    if (!of_name[n].empty()) {
      clean.areas.push_back({name, std::move(of_name[n])});
      continue;
    }
    for (const Feature* feature : areas.features())
      if (feature->name == name)
        context.report(Severity::warning, *feature, "no part of this area is free space: it is left out");
  }
}

}  // namespace throng::environment
