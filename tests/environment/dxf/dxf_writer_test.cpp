#include "environment/dxf/dxf_writer.hpp"

#include <filesystem>

#include "environment/clean/clean_support.hpp"
#include "environment/dxf/dxf_samples.hpp"
#include "environment/dxf/dxf_throng_layers.hpp"
#include "environment/generate/generate_city.hpp"
#include "environment/samples.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

/// Written and read back, the cleaned environment is the same, bit by bit.
void check_round_trip(const CleanEnvironment& c) {
  const Result<std::string> text = write_environment("dxf", c);
  REQUIRE(text.ok());
  const Result<Environment> back = parse_environment("dxf", *text, "written.dxf");
  INFO(all(back.problems()));
  REQUIRE(back.ok());
  CHECK((back->grid == Grid(c.grid)));
  CHECK((back->origin == c.origin));
  const CleanEnvironment again = sound(*back);
  CHECK(again.hash() == c.hash());
  REQUIRE(again.layers.size() == c.layers.size());
  for (std::size_t i = 0; i < c.layers.size(); ++i) CHECK(again.layers[i].layer.id == c.layers[i].layer.id);
}

}  // namespace

TEST_CASE("dxf: every example is the same after being written and read") {
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(THRONG_SOURCE_DIR) / "examples")) {
    if (file.path().extension() != ".geojson") continue;
    CAPTURE(file.path().filename().string());
    const Result<Environment> environment = read_environment(file.path().string());
    REQUIRE(environment.ok());
    check_round_trip(sound(*environment));
  }
}

TEST_CASE("dxf: layers, heights, odd names and a grid of its own survive") {
  const Result<Environment> environment = parse_environment("geojson", test::station, "station");
  REQUIRE(environment.ok());
  check_round_trip(sound(*environment));
  check_round_trip(sound(*environment, {.unit = 0.25}));
  Sketch sketch("", {{"a$b/\u00fc %", {}}, {" ", {.z = -1.25}}});
  sketch.walkable({rectangle({0, 0}, {10, 10}), {rectangle({1, 1}, {3, 3})}});
  sketch.walkable({rectangle({1.5, 1.5}, {2, 2}), {}});  // an island in the hole
  sketch.wall({{5, 5}, {6, 5}, {6, 6}, {5, 5}});         // a closed thin wall
  sketch.walkable({rectangle({0, 0}, {10, 10}), {}}, 1);
  sketch.area("x|y\n\\U+00FC", rectangle({7, 7}, {8, 8}));
  sketch.region("*", {rectangle({7, 1}, {8, 2}), {}}, 1);
  check_round_trip(sound(std::move(sketch)));
}

TEST_CASE("dxf: where on the globe a place lies survives; what is no place is refused") {
  const Result<Environment> town = read_environment(THRONG_SOURCE_DIR "/examples/town_square.osm");
  REQUIRE(town.ok());
  REQUIRE(town->origin.has_value());
  check_round_trip(sound(*town));
  const Result<std::string> text = write_environment("dxf", sound(*town));
  REQUIRE(text.ok());
  const std::size_t at = text->find("throng origin ");
  REQUIRE(at != std::string::npos);
  for (const char* wrong : {"throng origin 200 10", "throng origin x", "throng origin 1 2 3"}) {
    std::string broken = *text;
    broken.replace(at, broken.find('\n', at) - at, wrong);
    const Result<Environment> refused = parse_environment("dxf", broken, "b.dxf");
    CHECK(!refused.ok());
    CHECK(all(refused.problems()).find("names no longitude and latitude") != std::string::npos);
  }
}

TEST_CASE("dxf: names of layers are parsed back, and unknown kinds refused with the nearest") {
  const ThrongLayerName name{"a$b", "region", "x%y"};
  const auto parsed = parse_throng_layer(to_string(name));
  REQUIRE(parsed);
  CHECK(parsed->layer == name.layer);
  CHECK(parsed->name == name.name);
  CHECK(!parse_throng_layer("THRONG$ground"));
  CHECK(!parse_throng_layer("THRONG$ground$wakable"));
  const std::string text = test::dxf(test::dxf_rectangle({0, 0}, {4, 3}, "THRONG$ground$wakable"));
  const Result<Environment> refused = parse_environment("dxf", text, "plan.dxf");
  REQUIRE(!refused.ok());
  CHECK(says(all(refused.problems()), "did you mean 'walkable'"));
}

TEST_CASE("dxf: one layer can be written alone; a connection to nowhere is refused") {
  const Result<Environment> environment = parse_environment("geojson", test::station, "station");
  REQUIRE(environment.ok());
  const Result<std::string> text = write_environment("dxf", sound(*environment), {.layer = "upper"});
  REQUIRE(text.ok());
  CHECK(parse_environment("dxf", *text, "x")->layers.size() == 1);
  CHECK(!write_environment("dxf", sound(*environment), {.layer = "cellar"}).ok());
  const std::string lost = test::dxf(test::dxf_rectangle({0, 0}, {4, 3}, "THRONG$ground$walkable") +
                                     test::dxf_line({0, 0}, {4, 0}, "THRONG$ground$connection$attic"));
  CHECK(says(all(parse_environment("dxf", lost, "x").problems()), "no layer 'attic'"));
}
