#include "crowd/executor.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace throng::crowd {
namespace {

TEST_CASE("four thousand million threads are taken for as many as there may be") {
  // Below 0 as an int, which oneTBB takes for "all there are" or for nothing it knows.
  for (const unsigned threads : {1u << 31, std::numeric_limits<unsigned>::max(), Executor::most_threads + 1})
    CHECK(Executor(threads).threads() == Executor::most_threads);
  CHECK(Executor(3).threads() == 3);
  CHECK(Executor(0).threads() >= 1);
}

TEST_CASE("a crowd for which the machine has threads enough leaves oneTBB's limit alone") {
  const auto limit = [] { return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism); };
  const std::size_t before = limit();
  {
    const Executor all(0), one(1);
    CHECK(limit() == before);
    const Executor more(unsigned(before) + 1);
    CHECK(limit() == before + 1);
  }
  CHECK(limit() == before);
}

}  // namespace
}  // namespace throng::crowd
