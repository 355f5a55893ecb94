// From exact free space to a mesh that can be asked: Voronoi -> medial axis -> connections opened -> graph -> cells ->
// passages -> locator. Jaklin 2016, 11.2.2.
#pragma once

#include <memory>
#include <vector>

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

/// The axis of a layer with its connections closed.
struct LayerAxis;

/// A mesh and what a change of its world can use again.
struct MeshBuild {
  MeshPtr mesh;
  std::vector<std::shared_ptr<const LayerAxis>> axes;  ///< of each layer
  std::vector<Index> rebuilt;                          ///< layers whose axis was computed, in ascending order
};

/// The same mesh as build_mesh(now), to the bit; layers whose boundary is that of `before` keep their axis. O(n log n) of the
/// layers that changed, O(n) of the rest.
[[nodiscard]] Result<MeshBuild> rebuild_mesh(const environment::CleanEnvironment& now,
                                             const environment::CleanEnvironment& before, const MeshBuild& built,
                                             const BuildOptions& options = {});
/// With nothing to use again.
[[nodiscard]] Result<MeshBuild> first_build(const environment::CleanEnvironment& environment,
                                            const BuildOptions& options = {});

/// A number no other mesh of this process has.
[[nodiscard]] std::uint32_t next_generation();

}  // namespace throng::navmesh
