// A benchmark that does nothing, for the tests of the program that runs benchmarks.
#include <cstdio>

#include "benchmarks/bench.hpp"

namespace throng::bench {
namespace {

int run(const Options& options) {
  std::printf("%d repetitions\n", options.repetitions);
  return 0;
}

const Registration registration({"sample", "does nothing", run});

}  // namespace
}  // namespace throng::bench
