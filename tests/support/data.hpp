// What tests need from outside the program under test: data, temporary folders, and other programs.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace throng::test {

/// A file of the folder that THRONG_DATA names. Where there is none, says so in the test's output and returns nothing: the
/// test is then to return.
///   const auto file = data_file("kaiserslautern.geojson");
///   if (!file) return;
[[nodiscard]] std::optional<std::filesystem::path> data_file(const std::string& name);

/// A folder of its own below the system's temporary folder, removed with all in it at the end of its life.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, const std::string& bytes);

struct ProgramResult {
  /// The exit code; -signal where a signal ended it. A program still running after the time limit is killed.
  int exit_code = 0;
  bool timed_out = false;
  std::string out;
  std::string err;
};

/// Runs a program to its end, with `input` on its standard input. The first word is looked up in PATH unless it holds a slash.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& words, const std::string& input = {},
                                        std::chrono::seconds limit = std::chrono::seconds(120));

/// Runs build/PRESET/throng with these arguments.
[[nodiscard]] ProgramResult run_throng(std::vector<std::string> arguments, const std::string& input = {},
                                       std::chrono::seconds limit = std::chrono::seconds(120));

}  // namespace throng::test
