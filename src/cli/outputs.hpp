// What a command reads and what it will write, checked before it begins to work (text/output_file.hpp writes).
//
// Laws
// 1. No output is an input, whatever names they go by, and no two outputs are one file: wrong use.
// 2. What can be told beforehand to stand in the way of an output (a missing folder) is told now, not after an hour.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"

namespace throng::cli {

class Outputs {
 public:
  /// `command` is what is said before "'a.json' would be overwritten".
  explicit Outputs(std::string command) : command_(std::move(command)) {}

  /// Empty names are none.
  Outputs& reads(const std::string& path);
  Outputs& reads(const std::vector<std::string>& paths);
  Outputs& writes(const std::string& path);
  Outputs& writes(const std::vector<std::string>& paths);

  /// Says what is wrong, and with which exit code the command ends; nothing where it may begin. `tell` is how the command refuses what stands
  /// in the way of an output.
  [[nodiscard]] std::optional<ExitCode> refused(
      const std::function<ExitCode(const Problems&)>& tell = cli::refused) const;

 private:
  [[nodiscard]] std::string misuse() const;

  std::string command_;
  std::vector<std::string> inputs_, outputs_;
};

/// Says on standard error what was written and how long it is; nothing of standard output.
void say_written(const std::string& path);

}  // namespace throng::cli
