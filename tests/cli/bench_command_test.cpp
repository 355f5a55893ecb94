#include <doctest/doctest.h>

#include "support/data.hpp"

namespace throng::test {
namespace {

TEST_CASE("bench --list names benchmarks as a table") {
  const ProgramResult result = run_throng({"bench", "--list"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("name"));
}

TEST_CASE("bench refuses what it cannot run, with a reason") {
  struct Case {
    std::vector<std::string> arguments;
    std::string reason;
  };
  for (const Case& wrong : {Case{{"bench"}, "which benchmark?"}, Case{{"bench", "nothing"}, "no benchmark 'nothing'"},
                            Case{{"bench", "nothing", "--repetitions", "0"}, "--repetitions must be"},
                            Case{{"bench", "nothing", "--repetitions", "x"}, "--repetitions"},
                            Case{{"bench", "nothing", "--data", "/nowhere/at-all"}, "--data names no folder"}}) {
    INFO(wrong.reason);
    const ProgramResult result = run_throng(wrong.arguments);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(wrong.reason) != std::string::npos);
    CHECK(result.out.empty());
  }
}

}  // namespace
}  // namespace throng::test
