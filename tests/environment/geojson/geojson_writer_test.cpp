#include "environment/geojson/geojson_writer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/same_environment.hpp"
#include "environment/samples.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

Environment parse(const std::string& text) {
  Result<Environment> result = parse_environment("geojson", text, "f");
  for (const Problem& problem : result.problems()) MESSAGE(to_string(problem));
  REQUIRE(result.ok());
  return std::move(result).value();
}

std::string written(const Environment& environment, const WriteOptions& options = {}) {
  Result<std::string> text = write_environment("geojson", environment, options);
  REQUIRE(text.ok());
  return std::move(text).value();
}

}  // namespace

TEST_CASE("source features survive writing and reading, bit by bit") {
  Environment e = parse(station);
  e.grid = geometry::SnapGrid(0.001, 23000, 10000);
  check_same(e, parse(written(e)));
  CHECK(written(parse(written(e))) == written(e));
}

TEST_CASE("any double and any name survives") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  Environment e = parse(collection(hall()));
  for (int i = 0; i < 200; ++i) {
    Feature f;
    f.kind = Kind::obstacle;
    f.number = e.features.size();
    f.name = std::string("\"\\/\b\n\x01 ü €", 14) + std::to_string(i);
    const auto number = [&] { return random.uniform(-1, 1) * std::pow(10, double(random.whole(-12, 9))); };
    f.lines = {{{number(), number()}, {number(), number()}, {-0.0, 0.1 + 0.2}}};
    e.features.push_back(f);
  }
  check_same(e, parse(written(e)));
}

TEST_CASE("cleaned environments survive: cleaning what was written changes nothing") {
  const Result<CleanEnvironment> first = clean(parse(station));
  REQUIRE(first.ok());
  const Result<std::string> text = write_environment("geojson", *first);
  REQUIRE(text.ok());
  const Result<CleanEnvironment> second = clean(parse(*text));
  REQUIRE(second.ok());
  CHECK(first->hash() == second->hash());
  CHECK((second->grid == first->grid));
  CHECK(*write_environment("geojson", *second) == *text);
}

TEST_CASE("one layer can be asked for") {
  const Environment upper = parse(written(parse(station), {.layer = "upper"}));
  REQUIRE(upper.layers.size() == 1);
  CHECK(upper.layers[0].id == "upper");
  CHECK(upper.features.size() == 2);
  const Result<std::string> none = write_environment("geojson", parse(station), {.layer = "uper"});
  REQUIRE(!none.ok());
  CHECK(none.problems()[0].message.find("did you mean 'upper'?") != std::string::npos);
}

TEST_CASE("kaiserslautern, cleaned, survives") {
  const auto file = data_file("kaiserslautern.geojson");
  if (!file) return;
  const Result<CleanEnvironment> first = clean(*read_environment(file->string()));
  REQUIRE(first.ok());
  const Result<CleanEnvironment> second = clean(parse(*write_environment("geojson", *first)));
  REQUIRE(second.ok());
  CHECK(first->hash() == second->hash());
}
