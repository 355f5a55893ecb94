// A recording as a clip, made by chromium without a window: `throng export RECORDING clip.webm --camera NAME`.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "throng/result.hpp"

namespace throng::cli {

/// --camera, --until, --speed, --rate, --size, --client.
[[nodiscard]] Arguments with_film_arguments(Arguments arguments);
/// What is wrong with them; empty where nothing is. `is_clip`: whether a clip is asked for at all.
[[nodiscard]] std::string film_misuse(const Parsed& parsed, bool is_clip);

/// Writes the clip. Takes signals: where one ended it, its exit code is given.
[[nodiscard]] Result<std::optional<ExitCode>> write_film(const Parsed& parsed, const std::string& recording,
                                                         const std::string& out);

}  // namespace throng::cli
