// What `throng convert` and `throng check` are told about files of foreign formats: one place for the options of all importers.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "environment/formats/import_options.hpp"
#include "throng/result.hpp"

namespace throng::cli {

/// The same arguments with those of the importers behind them.
[[nodiscard]] Arguments with_import_arguments(Arguments arguments);

/// What the user gave, or what is wrong with it.
[[nodiscard]] Result<environment::ImportOptions> import_options(const Parsed& parsed);

/// Writes the picture of `--open-ends`, if it was asked for; `format` is a format's name, where the file's ending does not say it.
/// Fails where the file is not DXF or cannot be read so far.
[[nodiscard]] Problems draw_open_ends(const Parsed& parsed, const std::string& file, const std::string& format,
                                      const environment::ImportOptions& options);

}  // namespace throng::cli
