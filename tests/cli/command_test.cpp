// The program as a whole: help, version, exit codes.
#include <doctest/doctest.h>

#include "support/data.hpp"

using namespace throng::test;

TEST_CASE("help and version give 0, wrong use gives 2") {
  const ProgramResult help = run_throng({"--help"});
  CHECK(help.exit_code == 0);
  for (const char* command : {"check", "convert"}) {
    CHECK(help.out.find(command) != std::string::npos);
    const ProgramResult own = run_throng({command, "--help"});
    CHECK(own.exit_code == 0);
    CHECK(own.out.find("--json") != std::string::npos);
  }
  const ProgramResult version = run_throng({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(version.out.starts_with("throng "));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"fly"}, {"check"}, {"--fly"}, {"check", "--fly", "x.wkt"}}) {
    const ProgramResult result = run_throng(words);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(!result.err.empty());
  }
}
