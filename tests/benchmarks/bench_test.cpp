#include "benchmarks/bench.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace throng::bench {
namespace {

const Registration registration({"sample", "what the test registers", [](const Options& o) { return o.repetitions; }});

TEST_CASE("a registered benchmark is found by name and runs with its options") {
  REQUIRE(benchmarks().contains("sample"));
  CHECK(benchmarks().at("sample").run({.data = {}, .repetitions = 7}) == 7);
}

TEST_CASE("timing is the least and the middle, for odd and even numbers") {
  CHECK(timing_of({5, 1, 9}).min_ms == 1);
  CHECK(timing_of({5, 1, 9}).median_ms == 5);
  CHECK(timing_of({4, 1, 9, 6}).median_ms == 5);
  CHECK(timing_of({4}).median_ms == 4);
}

TEST_CASE("measuring runs the work once more than it counts") {
  int runs = 0;
  const Timing timing = measure(3, [&] { ++runs; });
  CHECK(runs == 4);
  CHECK(timing.repetitions == 3);
  CHECK(timing.min_ms <= timing.median_ms);
}

TEST_CASE("a table lines up, numbers to the right") {
  Table table({"input", "vertices", "ms"});
  table.add({"hall", 12LL, Number{0.5, 1}});
  table.add({"kaiserslautern", 5356LL, Number{41.26, 1}});
  CHECK(table.text() ==
        "input           vertices    ms\n"
        "--------------  --------  ----\n"
        "hall                  12   0.5\n"
        "kaiserslautern      5356  41.3\n");
}

TEST_CASE("the same table as JSON keeps order and precision") {
  Table table({"input", "vertices", "ms"});
  table.add({"a \"hall\"", 12LL, Number{0.123456, 1}});
  CHECK(table.json_lines() == "{\"input\":\"a \\\"hall\\\"\",\"vertices\":12,\"ms\":0.123456}\n");
}

TEST_CASE("resident memory follows what is touched") {
  constexpr std::size_t size = 64 << 20;
  const std::size_t before = resident_bytes();
  REQUIRE(before > 0);
  {
    std::vector<char> block(size, 1);
    keep(block);
    CHECK(resident_bytes() >= before + size / 2);
  }
  CHECK(peak_resident_bytes() >= before + size / 2);
#if !defined(__SANITIZE_ADDRESS__)  // which keeps for a while what was given back
  if (reset_peak_resident()) CHECK(peak_resident_bytes() < before + size / 2);
#endif
}

}  // namespace
}  // namespace throng::bench
