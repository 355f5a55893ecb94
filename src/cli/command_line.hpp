// Programs made of commands (command.hpp): the command line read, the command run, faults turned into exit codes.
#pragma once

#include "cli/command.hpp"

namespace throng::cli {

/// The program whose first argument names one of the registered commands. Returns its exit code; nothing is thrown.
[[nodiscard]] int run_program(int argc, char** argv);

/// A program that is one command. Returns its exit code; nothing is thrown.
[[nodiscard]] int run_program(int argc, char** argv, const Command& command);

}  // namespace throng::cli
