#include <doctest/doctest.h>

#include "support/data.hpp"

namespace throng::test {
namespace {

ProgramResult run_bench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), THRONG_BENCH_SAMPLE);
  return run_program(arguments);
}

TEST_CASE("throng-bench --list names benchmarks as a table") {
  const ProgramResult result = run_bench({"--list"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("name"));
  CHECK(result.out.find("sample") != std::string::npos);
}

TEST_CASE("throng-bench runs the benchmark that is named, with its options") {
  const ProgramResult result = run_bench({"sample", "--repetitions", "7"});
  CHECK(result.exit_code == 0);
  CHECK(result.out == "7 repetitions\n");
}

TEST_CASE("throng-bench refuses what it cannot run, with a reason") {
  struct Case {
    std::vector<std::string> arguments;
    std::string reason;
  };
  for (const Case& wrong : {Case{{}, "which benchmark?"}, Case{{"nothing"}, "no benchmark 'nothing'"},
                            Case{{"nothing", "--repetitions", "0"}, "--repetitions must be"},
                            Case{{"nothing", "--repetitions", "x"}, "--repetitions"},
                            Case{{"nothing", "--data", "/nowhere/at-all"}, "--data names no folder"}}) {
    INFO(wrong.reason);
    const ProgramResult result = run_bench(wrong.arguments);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(wrong.reason) != std::string::npos);
    CHECK(result.out.empty());
  }
}

}  // namespace
}  // namespace throng::test
