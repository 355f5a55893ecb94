#include "environment/plain/poly_writer.hpp"

#include <doctest/doctest.h>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/samples.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

TEST_CASE("free space survives poly") {
  const Environment e =
      *parse_environment("geojson", collection(hall() + "," + feature("obstacle", polygon(square(3, 3, 2)))), "f");
  const Result<std::string> text = write_environment("poly", *clean(e));
  REQUIRE(text.ok());
  CHECK(*text == "poly\n1\n2\n4 0 0 20 0 20 20 0 20\n4 3 3 3 5 5 5 5 3\n");
  const Result<CleanEnvironment> back = clean(*parse_environment("poly", *text, "f"));
  CHECK(back->hash() == clean(e)->hash());
}

TEST_CASE("walls, layers and source features are refused by poly") {
  const Environment e = *parse_environment("geojson", station, "f");
  const Result<CleanEnvironment> c = clean(e);
  CHECK(write_environment("poly", *c).problems()[0].message.find("--layer") != std::string::npos);
  const Result<std::string> walls = write_environment("poly", *c, {.layer = "ground"});
  REQUIRE(!walls.ok());
  CHECK(walls.problems()[0].message.find("thin walls") != std::string::npos);
  CHECK(write_environment("poly", *c, {.layer = "stair"}).ok());
  CHECK(!write_environment("poly", e).ok());
}

TEST_CASE("the maps of the benchmark set survive poly") {
  for (const char* name : {"Berlin_0_256.poly", "Milan_1_512.poly", "Sydney_2_1024.poly"}) {
    const auto file = data_file(name);
    if (!file) return;
    CAPTURE(name);
    const Result<CleanEnvironment> first = clean(*read_environment(file->string()));
    REQUIRE(first.ok());
    const Result<CleanEnvironment> second = clean(*parse_environment("poly", *write_environment("poly", *first), "f"));
    REQUIRE(second.ok());
    CHECK(first->hash() == second->hash());
  }
}
