// The mesh a command works on: built from an environment, or read from a .tmesh or mesh JSON file.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

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

/// The arguments that every command on a mesh takes: ENV, --grid, --input-format and those of imports; `formats` are of the
/// command's output, and make --format; without any it is refused with its new name.
[[nodiscard]] Arguments mesh_arguments(std::vector<std::string> formats = {});
/// With the importers' options behind the command's own.
[[nodiscard]] Arguments with_mesh_imports(Arguments arguments);
/// What is wrong with them; empty where nothing is.
[[nodiscard]] std::string mesh_misuse(const Parsed& parsed);
/// What is wrong with what commands that draw take: lengths below 0, a picture of another format; empty where nothing is.
[[nodiscard]] std::string picture_misuse(const Parsed& parsed, std::initializer_list<const char*> lengths);
/// What they say.
[[nodiscard]] Result<LoadedMesh> load_mesh(const Parsed& parsed);
/// The format of an output: --format, or else by its ending ("svg"); empty without either.
[[nodiscard]] std::string format_of_output(const Parsed& parsed, const std::string& path);

}  // namespace throng::cli
