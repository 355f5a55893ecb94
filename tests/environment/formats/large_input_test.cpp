// Files of hundreds of megabytes: read or refused in bounded memory, without a hang.
#include <doctest/doctest.h>

#include <sys/resource.h>
#include <chrono>
#include <string>

#include "environment/formats/formats.hpp"
#include "environment/samples.hpp"
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

/// The largest memory that a finished child process held.
double peak_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return double(usage.ru_maxrss) / 1024;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

}  // namespace

TEST_CASE("long: a 200 MB file is read whole") {
  const Result<Environment> e = parse_environment("geojson", large_city(), "large");
  REQUIRE(e.ok());
  CHECK(e->features.size() > 1'000'000);
}

TEST_CASE("long: reading 200 MB takes memory for the text, its brackets and what is kept") {
  const TempDir folder;
  std::string text = large_city();
  // The last feature is wrong, so that the program has read everything and still does not go on to clean it.
  text.replace(text.size() - 2, 2, "," + feature("wakable", polygon(square(0, 0, 1))) + "]}");
  write_file(folder / "large.geojson", text);
  const ProgramResult result = run_throng({"check", "--json", folder / "large.geojson"}, {}, std::chrono::minutes(20));
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("unknown kind 'wakable'") != std::string::npos);
  MESSAGE("peak " << peak_of_children() << " MB");
  if (!sanitized) CHECK(peak_of_children() < 8 * 200);
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
}
