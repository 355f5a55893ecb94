#include "environment/formats/formats.hpp"

#include <doctest/doctest.h>

#include "environment/samples.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

TEST_CASE("formats are found by ending in any case, and by name") {
  CHECK((*format_of_path("a/b.GeoJSON"))->name == "geojson");
  CHECK((*format_of_path("b.json"))->name == "geojson");
  CHECK((*format_of_path("x.tar.Map"))->name == "map");
  CHECK(find_format("poly")->endings[0] == ".poly");
  CHECK(find_format("dwg") == nullptr);
  const Result<const Format*> unknown = format_of_path("plan.dwg");
  REQUIRE(!unknown.ok());
  CHECK(unknown.problems()[0].code == ProblemCode::unsupported);
  CHECK(unknown.problems()[0].message.find(".geojson") != std::string::npos);
}

TEST_CASE("files that cannot be read say why") {
  const TempDir folder;
  const Result<Environment> missing = read_environment(folder / "none.geojson");
  REQUIRE(!missing.ok());
  CHECK(missing.problems()[0].code == ProblemCode::io);
  CHECK(missing.problems()[0].place == folder / "none.geojson");
  const Result<Environment> directory = read_environment(folder.path(), {.format = "wkt"});
  REQUIRE(!directory.ok());
  CHECK(directory.problems()[0].message.find("directory") != std::string::npos);
  CHECK(!read_environment("plan.svg").ok());
  CHECK(!read_environment("plan.geojson", {.format = "geo"}).ok());
}

TEST_CASE("a format can be forced on a file of any ending") {
  const TempDir folder;
  write_file(folder / "plan.txt", "POLYGON((0 0,1 0,1 1,0 0))");
  CHECK(read_environment(folder / "plan.txt", {.format = "wkt"}).ok());
}
