// Places to walk between, drawn at random.
#pragma once

#include <optional>

#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "support/random.hpp"

namespace throng::test {

/// A place of at least this clearance; nothing where none turns up.
inline std::optional<navmesh::Place> free_place(const navmesh::Mesh& mesh, Random& random, double radius) {
  for (int tries = 0; tries < 200; ++tries) {
    const auto layer = navmesh::Index(random.below(mesh.layers.size()));
    const auto place =
        navmesh::random_point(mesh, layer, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
    if (!place) continue;
    const navmesh::Located at = navmesh::locate(mesh, *place);
    if (at && at.clearance >= radius) return place;
  }
  return std::nullopt;
}

}  // namespace throng::test
