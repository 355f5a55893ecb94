// From exact free space to a mesh that can be asked: Voronoi -> medial axis -> connections opened -> graph -> cells ->
// passages -> locator. Jaklin 2016, 11.2.2.
#pragma once

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"
#include "navmesh/voronoi.hpp"
#include "throng/result.hpp"

namespace throng::navmesh {

struct BuildOptions {
  /// Who computes Voronoi diagrams; Boost.Polygon where nobody is named. Its diagrams are checked either way.
  const VoronoiGenerator* generator = nullptr;
};

/// O(n log n). The environment is clean (clean.hpp, laws 1-5). Refuses, with the layer, when no diagram of it passes
/// the checks. One thread. Thread-safe.
[[nodiscard]] Result<MeshPtr> build_mesh(const environment::CleanEnvironment& environment,
                                         const BuildOptions& options = {});

/// A number no other mesh of this process has.
[[nodiscard]] std::uint32_t next_generation();

}  // namespace throng::navmesh
