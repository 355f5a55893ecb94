// Snapshots in which one number was changed: refused, or a run that goes on within a gigabyte. Whatever the format is: every place of it is
// changed in turn.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>

#include "analysis/metrics.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "support/sanitized.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using scenario::Simulation;

const scenario::SimulationOptions one_thread{.seed = {}, .threads = 1, .duration = {}};

scenario::Scenario few() {
  const std::string text = R"({"throng": 1, "duration": 30, "environment": {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"kind": "walkable"},
       "geometry": {"type": "Polygon", "coordinates": [[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
      {"type": "Feature", "properties": {"kind": "area", "name": "east"},
       "geometry": {"type": "Polygon", "coordinates": [[[18,8],[20,8],[20,10],[18,10],[18,8]]]}}]},
    "populations": [{"name": "a", "count": 2, "start": {"polygon": [[1, 1], [9, 1], [9, 9], [1, 9]]}, "goals": [{"area": "east"}]},
      {"name": "b", "rate": 5, "start": {"polygon": [[1, 1], [9, 1], [9, 9], [1, 9]]}, "goals": [{"point": [15, 5]}]}]})";
  Result<scenario::Scenario> read = scenario::parse_scenario(text, "few", scenario::installed_methods());
  REQUIRE(read.ok());
  return std::move(read).value();
}

std::string saved_after(int steps) {
  Result<Simulation> simulation = Simulation::make(few(), one_thread);
  REQUIRE(simulation.ok());
  analysis::Metrics metrics({}, {});
  metrics.begin(simulation->crowd());
  for (int i = 0; i < steps; ++i) {
    REQUIRE(simulation->step().ok());
    metrics.observe(simulation->crowd(), 0.1);
  }
  geometry::ArchiveWriter archive;
  simulation->save(archive);
  metrics.save(archive);
  return archive.bytes();
}

/// Goes on for a second; whatever is refused is fine.
void go_on_from(const std::string& bytes) {
  geometry::ArchiveReader archive(bytes);
  Result<Simulation> simulation = Simulation::resume(few(), one_thread, archive);
  if (!simulation) return;
  analysis::Metrics metrics({}, {});
  metrics.load(archive, simulation->crowd(), 2, simulation->scenario().profiles.size());
  if (archive.failed()) return;
  for (int i = 0; i < 10; ++i) {
    if (!simulation->step()) return;
    metrics.observe(simulation->crowd(), 0.1);
  }
  (void)metrics.summary();
}

const std::uint64_t evil[] = {0,
                              5,
                              std::uint64_t(1) << 36,
                              std::uint64_t(1) << 62,
                              ~std::uint64_t(0),
                              std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()),
                              std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity()),
                              std::bit_cast<std::uint64_t>(-1e300)};

/// Each place and value in turn from the `begin`-th on, in a child: the number of the one that ended it, or nothing.
std::optional<std::uint64_t> next_fatal(const std::string& bytes, std::size_t stride, std::size_t width,
                                        std::uint64_t begin) {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (!THRONG_UNDER_SANITIZER) {
      std::ifstream status("/proc/self/statm");
      rlim_t pages = 0;
      status >> pages;
      const rlim_t most = pages * rlim_t(::sysconf(_SC_PAGESIZE)) + (rlim_t(1) << 30);
      const rlimit limit{most, most};
      ::setrlimit(RLIMIT_AS, &limit);
    }
    for (std::uint64_t i = begin;; ++i) {
      const std::size_t at = i / std::size(evil) * stride;
      if (at + width > bytes.size()) ::_exit(0);
      if (::write(pipe[1], &i, sizeof i) != ssize_t(sizeof i)) ::_exit(2);
      std::string changed = bytes;
      std::memcpy(changed.data() + at, &evil[i % std::size(evil)], width);
      ::alarm(THRONG_UNDER_SANITIZER ? 60 : 10);
      go_on_from(changed);
    }
  }
  ::close(pipe[1]);
  std::uint64_t number = 0, last = 0;
  while (::read(pipe[0], &number, sizeof number) == ssize_t(sizeof number)) last = number;
  ::close(pipe[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  return last;
}

/// Where and how a change ends the program, or takes more than ten seconds or a gigabyte; the first few of them.
std::string fatal_changes(const std::string& bytes, std::size_t stride, std::size_t width) {
  std::string list;
  std::uint64_t begin = 0;
  for (int i = 0; i < 20; ++i) {
    const std::optional<std::uint64_t> fatal = next_fatal(bytes, stride, width, begin);
    if (!fatal) break;
    list += "byte " + std::to_string(*fatal / std::size(evil) * stride) + " of " + std::to_string(bytes.size()) +
            " as " + std::to_string(evil[*fatal % std::size(evil)]) + "; ";
    begin = *fatal + 1;
  }
  return list;
}

TEST_CASE("a snapshot with one number changed is refused, or goes on within its bounds") {
  CHECK(fatal_changes(saved_after(10), 4, 8) == "");
}

TEST_CASE("long: a snapshot with one number changed at any byte is refused, or goes on within its bounds") {
  for (const std::size_t width : {1, 4, 8}) CHECK(fatal_changes(saved_after(25), 1, width) == "");
}

}  // namespace
}  // namespace throng::test
