// Completion of the command line for shells, from the commands that are registered: their names, their options, the values of
// options that have a fixed choice, and files for everything else.
#pragma once

#include <string>

namespace throng::cli {

[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();
[[nodiscard]] std::string fish_completion();

}  // namespace throng::cli
