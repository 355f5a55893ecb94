// What the layers of a CAD drawing mean, by their names.
//
// Laws
// 1. A layer's role is that of the first rule of the user that matches, else of the first usual name (usual_dxf_layers()).
// 2. Layers that match nothing are ignored where some layer of the drawing is walls or walkable by its name; in a drawing without
//    such a layer they are all walls.
// 3. Names match without regard to case, with and without what drawings put in front when they are bound into others
//    ("Plan|A-WALL", "Plan$0$A-WALL").
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "environment/dxf/dxf_options.hpp"

namespace throng::environment {

/// Whether the name matches: `*` stands for any letters, `?` for one; case does not count (A-Z only).
[[nodiscard]] bool matches(std::string_view name, std::string_view pattern);

/// The usual names, in the order they are looked at.
[[nodiscard]] std::span<const DxfLayerRule> usual_dxf_layers();

struct DxfLayerRole {
  DxfRole role = DxfRole::ignored;
  bool known = false;    ///< a rule or usual name said so
  bool by_user = false;  ///< a rule of the user did
};

/// The role of each layer, in the order of `names`.
[[nodiscard]] std::vector<DxfLayerRole> roles_of(std::span<const std::string> names, const DxfOptions& options);

/// "AREA-exit west" gives "exit west", "regions_grass" gives "grass"; empty for other names. What areas and regions are called.
[[nodiscard]] std::string name_in_layer(std::string_view layer);

}  // namespace throng::environment
