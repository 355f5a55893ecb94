// The public interface where memory runs out: refused with a reason, nothing thrown into the caller.
#include <doctest/doctest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "support/sanitized.hpp"
#include "text/guarded.hpp"
#include "throng/crowd.hpp"
#include "throng/world.hpp"

namespace throng::test {
namespace {

TEST_CASE("lack of memory and of threads is a limit, anything else a fault of ours") {
  const auto code = [](const auto& thrown) {
    const Result<int> result = guarded("here", [&]() -> Result<int> { throw thrown; });
    REQUIRE(!result.ok());
    CHECK(result.problems().front().place == "here");
    return result.problems().front().code;
  };
  CHECK(code(std::bad_alloc()) == ProblemCode::limit);
  CHECK(code(std::length_error("vector::_M_default_append")) == ProblemCode::limit);
  CHECK(code(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again))) == ProblemCode::limit);
  CHECK(code(std::logic_error("x")) == ProblemCode::internal);
  CHECK(guarded("here", []() -> Result<int> { return 7; }).value() == 7);
}

// Sanitizers want more address space than any limit leaves, and end the program themselves.
#if !THRONG_UNDER_SANITIZER

/// Bytes of address space in use.
rlim_t in_use() {
  std::ifstream status("/proc/self/statm");
  rlim_t pages = 0;
  status >> pages;
  return pages * rlim_t(::sysconf(_SC_PAGESIZE));
}

/// Runs it in a child that has only so much memory more; its exit code, or -signal.
int with_little_memory(rlim_t more, const std::function<int()>& work) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::malloc_trim(0);  // what earlier tests left would be memory to spare
    const rlim_t most = in_use() + more;
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_AS, &limit);
    ::_exit(work());
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_CASE("a world that does not fit into memory is refused, not thrown at the caller") {
  const environment::Environment city = environment::generate_city(environment::city_of_vertices(40'000, 1));
  const Result<std::string> text = environment::write_environment("geojson", city);
  REQUIRE(text.ok());
  const auto load = [&] {
    const Result<World> world = World::from_geojson(*text);
    return world.ok() ? 0 : world.problems().front().code == ProblemCode::limit ? 1 : 2;
  };
  int refused = 0;
  for (rlim_t megabytes = 1; megabytes <= 64; megabytes *= 2) {
    const int code = with_little_memory(megabytes << 20, load);
    CHECK_MESSAGE((code == 0 || code == 1), "with " << megabytes << " MB more: " << code);
    refused += code == 1;
  }
  CHECK(refused >= 2);
}

#endif

TEST_CASE("a crowd can be made without a constructor that throws") {
  const Result<World> world = World::from_geojson(R"({"type":"FeatureCollection","features":[{"type":"Feature",
    "properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}}]})");
  REQUIRE(world.ok());
  Result<Crowd> crowd = Crowd::make(*world);
  REQUIRE(crowd.ok());
  CHECK(crowd->add({.position = {{2, 3}, 0}}).ok());
  CHECK(crowd->step(0.1).ok());
}

}  // namespace
}  // namespace throng::test
