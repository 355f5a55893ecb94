#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "support/data.hpp"

namespace throng::test {
namespace {

namespace fs = std::filesystem;

/// `throng bench WORDS` of a program that lies alone in a folder, with this PATH.
ProgramResult bench_alone(const TempDir& folder, const std::string& path, const std::vector<std::string>& words) {
  fs::create_directories(folder / "alone");
  const fs::path program = folder / "alone/throng";
  if (!fs::exists(program)) fs::copy_file(THRONG_PROGRAM, program);
  std::vector<std::string> all = {"/usr/bin/env", "PATH=" + path, program.string(), "bench"};
  all.insert(all.end(), words.begin(), words.end());
  return run_program(all);
}

TEST_CASE("bench says how to get the benchmarks where they are not built") {
  const TempDir folder;
  const ProgramResult result = bench_alone(folder, "/nowhere", {"crowd"});
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("make bench") != std::string::npos);
  CHECK(result.out.empty());
}

TEST_CASE("bench hands its whole command line to throng-bench, and its exit code back") {
  const TempDir folder;
  fs::create_directories(folder / "bin");
  const fs::path script = folder / "bin/throng-bench";
  write_file(script, "#!/bin/sh\necho \"$@\"\nexit 7\n");
  fs::permissions(script, fs::perms::owner_all);
  const ProgramResult result = bench_alone(folder, (folder / "bin").string(), {"crowd", "--row", "2", "--json"});
  CHECK(result.exit_code == 7);
  CHECK(result.out == "crowd --row 2 --json\n");
}

}  // namespace
}  // namespace throng::test
