// `throng validate --against TRACKS ENV`: a recorded experiment walked again.
#pragma once

#include "cli/command.hpp"

namespace throng::cli {

/// The options that belong to it, for the command's list.
void add_against_arguments(Arguments& arguments);
[[nodiscard]] ExitCode validate_against(const Parsed& parsed);

}  // namespace throng::cli
