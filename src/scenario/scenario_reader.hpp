// Scenario files: JSON with comments, as docs/scenarios.md describes them.
//
// Laws
// 1. Everything wrong is told at once, each with file and JSON pointer ("run.json: /populations/0/count"), what is wrong in the
//    environment and in CSV files included.
// 2. Nothing is ignored: unknown members are errors with the nearest known one; members and methods that are planned are refused by
//    name.
// 3. What is accepted keeps the laws of scenario.hpp. Never a crash, whatever the bytes.
// Paths in a scenario are relative to the folder it is in.
#pragma once

#include <functional>
#include <string>

#include "scenario/method_catalogue.hpp"
#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::scenario {

struct ReadOptions {
  /// Where relative paths start; empty: the working folder.
  std::string folder;
  /// How files beside the scenario are read; none: from disk. Fuzzers and tests pass their own.
  std::function<Result<std::string>(const std::string& path)> read_file;
};

/// A text in memory; `source` is what problems call it.
[[nodiscard]] Result<Scenario> parse_scenario(const std::string& text, const std::string& source,
                                              const MethodCatalogue& catalogue, const ReadOptions& options = {});
/// A file; "-" is standard input.
[[nodiscard]] Result<Scenario> read_scenario(const std::string& path, const MethodCatalogue& catalogue);

/// Whether a JSON file looks like a scenario rather than an environment: an object with "populations" or "environment", and no
/// "features".
[[nodiscard]] bool looks_like_scenario(const std::string& text);

}  // namespace throng::scenario
