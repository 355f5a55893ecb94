#include "environment/plain/wkt_writer.hpp"

#include <doctest/doctest.h>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/samples.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

TEST_CASE("free space and walls survive WKT; regions and areas are left out with a warning") {
  const Result<CleanEnvironment> first = clean(*parse_environment("geojson", station, "f"));
  REQUIRE(first.ok());
  const Result<std::string> text = write_environment("wkt", *first, {.layer = "ground"});
  REQUIRE(text.ok());
  CHECK(text.problems().size() == 2);
  // WKT records no grid: cleaned on the same one, it is the same.
  Environment back = *parse_environment("wkt", *text, "f");
  back.grid = first->grid;
  const Result<CleanEnvironment> second = clean(back);
  REQUIRE(second.ok());
  CHECK(second->layers[0].free.size() == first->layers[0].free.size());
  CHECK(area(second->layers[0].free, second->grid) == area(first->layers[0].free, first->grid));
  CHECK((second->layers[0].walls == first->layers[0].walls));
}

TEST_CASE("layers, obstacle areas and openings are refused by WKT") {
  const Environment e = *parse_environment("geojson", station, "f");
  const Result<std::string> layers = write_environment("wkt", e);
  REQUIRE(!layers.ok());
  CHECK(layers.problems()[0].code == ProblemCode::unsupported);
  CHECK(layers.problems()[0].message.find("--layer") != std::string::npos);
  const Result<std::string> obstacles = write_environment("wkt", e, {.layer = "ground"});
  REQUIRE(!obstacles.ok());
  CHECK(obstacles.problems().size() == 2);
  CHECK(obstacles.problems()[0].place.find("feature 1 (obstacle 'kiosk')") != std::string::npos);
  const Result<std::string> nothing = write_environment(
      "wkt", *parse_environment("geojson", collection(feature("obstacle", line("[0,0],[1,1]"))), "f"));
  REQUIRE(!nothing.ok());
}

TEST_CASE("source features that WKT can say are written as they are") {
  const std::string text = "GEOMETRYCOLLECTION (\nPOLYGON ((0 0, 10 0.1, 10 10, 0 0)),\nLINESTRING (1 0.5, 2 1))\n";
  CHECK(*write_environment("wkt", *parse_environment("wkt", text, "f")) == text);
}

TEST_CASE("the maps of the benchmark set survive WKT") {
  for (const char* name : {"Berlin_0_256.poly", "Milan_1_512.poly", "Sydney_2_1024.poly", "kaiserslautern.geojson"}) {
    const auto file = data_file(name);
    if (!file) return;
    CAPTURE(name);
    const Result<CleanEnvironment> first = clean(*read_environment(file->string()));
    REQUIRE(first.ok());
    Environment back = *parse_environment("wkt", *write_environment("wkt", *first), "f");
    back.grid = first->grid;
    const Result<CleanEnvironment> second = clean(back);
    REQUIRE(second.ok());
    CHECK(first->hash() == second->hash());
  }
}
