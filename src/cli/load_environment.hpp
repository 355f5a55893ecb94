// The environment a command works on: read, cleaned and verified.
#pragma once

#include <cstddef>
#include <string>

#include "environment/clean/clean.hpp"
#include "environment/environment.hpp"
#include "environment/formats/import_options.hpp"
#include "throng/result.hpp"

namespace throng::cli {

struct LoadedEnvironment {
  std::string format;
  environment::Environment source;
  environment::CleanEnvironment clean;
};

struct LoadOptions {
  std::string format;  ///< a format's name, where the file's ending does not say it
  double unit = 0;     ///< of the snap grid; 0: the recorded or the default one
  environment::ImportOptions import = {};
};

/// Everything wrong with the file, or the environment with warnings. A cleaned environment that fails its verification is an
/// internal fault.
[[nodiscard]] Result<LoadedEnvironment> load_environment(const std::string& path, const LoadOptions& options = {});

/// Vertices of all rings and lines, as the file gives them.
[[nodiscard]] std::size_t vertex_count(const environment::Environment& environment);
/// Square metres of free space over all layers.
[[nodiscard]] double free_area(const environment::CleanEnvironment& environment);

/// Whether a fault of ours is among the problems: the exit code is then 3, not 1.
[[nodiscard]] bool has_fault(const Problems& problems);

}  // namespace throng::cli
