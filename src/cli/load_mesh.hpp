// The mesh a command works on: built from an environment, or read from a .tmesh or mesh JSON file.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/load_environment.hpp"
#include "navmesh/mesh.hpp"
#include "throng/result.hpp"

namespace throng::cli {

struct LoadedMesh {
  std::optional<LoadedEnvironment> environment;  ///< none where the mesh itself was read
  navmesh::MeshPtr mesh;
  double build_ms = 0;    ///< from the cleaned environment, or from the file's bytes, to a mesh ready for queries
  double voronoi_ms = 0;  ///< of which in the Voronoi generator; 0 where the mesh was read
};

/// Reads ENV, which is an environment in any format or a mesh, by content.
[[nodiscard]] Result<LoadedMesh> load_mesh(const std::string& path, const LoadOptions& options = {});

/// Prints the problems; the exit code they mean.
[[nodiscard]] ExitCode refused(const Problems& problems);

/// The arguments that every command on a mesh takes: ENV, --grid, --from-format.
[[nodiscard]] Arguments mesh_arguments();
/// What they say; a problem where the grid is no length.
[[nodiscard]] Result<LoadedMesh> load_mesh(const Parsed& parsed);

}  // namespace throng::cli
