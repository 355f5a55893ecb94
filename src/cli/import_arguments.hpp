// What commands are told about files of foreign formats: one place for the options of all importers.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "environment/formats/import_options.hpp"
#include "throng/result.hpp"

namespace throng::cli {

/// The same arguments with those of the importers behind them, each under the heading of its format.
[[nodiscard]] Arguments with_import_arguments(Arguments arguments);
/// And `--open-ends`, for commands that call draw_open_ends().
[[nodiscard]] Arguments with_drawn_import_arguments(Arguments arguments);

/// Names of the formats that environments are read from.
[[nodiscard]] std::vector<std::string> input_formats();
/// And of those that they are written to.
[[nodiscard]] std::vector<std::string> output_formats();

/// What the user gave, or what is wrong with it. An option that speaks of a format that none of the files has is refused: by its
/// ending, or by `--input-format`.
[[nodiscard]] Result<environment::ImportOptions> import_options(const Parsed& parsed,
                                                                const std::vector<std::string>& files);

/// Writes the picture of `--open-ends`, if it was asked for; `format` is a format's name, where the file's ending does not say it.
/// Fails where the file is not DXF or cannot be read so far.
[[nodiscard]] Problems draw_open_ends(const Parsed& parsed, const std::string& file, const std::string& format,
                                      const environment::ImportOptions& options);

}  // namespace throng::cli
