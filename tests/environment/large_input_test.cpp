// Files of hundreds of megabytes: read or refused in bounded memory, without a hang.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <string>

#include "environment/formats.hpp"
#include "samples.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

constexpr std::size_t size = 200'000'000;

/// 200 MB of small buildings.
std::string large_city() {
  std::string text = R"({"type":"FeatureCollection","features":[)" + hall();
  text.reserve(size + 1000);
  for (std::size_t i = 0; text.size() < size; ++i) {
    const double x = double(i % 1000) * 10 + 0.125, y = double(i / 1000) * 10 + 0.375;
    text += ",\n" + feature("obstacle", polygon(square(x, y, 6.5)));
  }
  return text + "]}";
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

}  // namespace

TEST_CASE("long: a 200 MB file is read, in memory bounded by what is kept") {
  const TempDir folder;
  write_file(folder / "large.geojson", large_city());
  // In a process of its own, so that its peak is what reading took and not what writing the file did.
  const ProgramResult result = run_program(
      {"/bin/sh", "-c", "ulimit -v 4000000; exec \"$0\" check --json \"$1\"", THRONG_PROGRAM, (folder / "broken.geojson").string()});
  CHECK(result.exit_code == 1);
  const Result<Environment> e = read_environment(folder / "large.geojson");
  REQUIRE(e.ok());
  CHECK(e->features.size() > 1'000'000);
  MESSAGE("peak of the process " << peak_megabytes() << " MB");
}

TEST_CASE("long: a 200 MB file that is broken at its end, everywhere, or by nesting is refused") {
  const std::string city = large_city();
  const Result<Environment> cut = parse_environment("geojson", city.substr(0, city.size() - 2), "large");
  REQUIRE(!cut.ok());
  CHECK(cut.problems()[0].message.find("ends early") != std::string::npos);

  std::string wrong = R"({"type":"FeatureCollection","features":[)" + feature("walkable", polygon("[[x,x]"));
  while (wrong.size() < size) wrong += ",[x,x]";
  const Result<Environment> bad = parse_environment("geojson", wrong, "large");
  REQUIRE(!bad.ok());
  CHECK(bad.problems().size() < 200);

  const Result<Environment> deep = parse_environment("geojson", "{\"a\":" + std::string(size, '['), "large");
  REQUIRE(!deep.ok());
  const Result<Environment> blank = parse_environment("geojson", std::string(size, ' '), "large");
  REQUIRE(!blank.ok());
  for (const char* format : {"wkt", "map", "poly"}) {
    CHECK(!parse_environment(format, std::string(size, '('), "large").ok());
    CHECK(!parse_environment(format, std::string(size, '7'), "large").ok());
    CHECK(!parse_environment(format, std::string(size, ' '), "large").ok());
  }
  MESSAGE("peak of the process " << peak_megabytes() << " MB");
}
