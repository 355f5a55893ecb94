// The environments of examples/: read without a warning, sound, and all that they promise in the README and to the navigation mesh.
#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>

#include "environment/clean/clean_support.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
namespace fs = std::filesystem;

namespace {

const fs::path folder = fs::path(THRONG_SOURCE_DIR) / "examples";

Environment example(const std::string& name) {
  const Result<Environment> e = read_environment((folder / (name + ".geojson")).string());
  INFO(all(e.problems()));
  REQUIRE(e.ok());
  CHECK(e.problems().empty());
  return *e;
}

std::set<std::string> area_names(const CleanEnvironment& c) {
  std::set<std::string> names;
  for (const CleanLayer& layer : c.layers)
    for (const CleanArea& area : layer.areas) names.insert(area.name);
  return names;
}

/// Whether one can get from every layer to every other over connections.
bool hangs_together(const CleanEnvironment& c) {
  std::vector<std::size_t> group(c.layers.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (const CleanConnection& connection : c.connections) {
    const std::size_t from = group[connection.left_layer], to = group[connection.right_layer];
    std::replace(group.begin(), group.end(), from, to);
  }
  return std::all_of(group.begin(), group.end(), [&](std::size_t g) { return g == group[0]; });
}

}  // namespace

TEST_CASE("every example is sound and free of warnings") {
  std::size_t count = 0;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() != ".geojson") continue;
    ++count;
    CAPTURE(file.path().filename().string());
    CHECK(fs::file_size(file.path()) < 300000);
    const Environment e = example(file.path().stem().string());
    const Result<CleanEnvironment> c = clean(e);
    REQUIRE(c.ok());
    CHECK(all(c.problems()) == "");
    sound(e);
    CHECK(hangs_together(*c));
  }
  CHECK(count >= 7);
}

TEST_CASE("the hall has its named areas, in one piece of free space") {
  const CleanEnvironment c = sound(example("hall"));
  for (const char* name : {"west", "east", "bar", "exit-north", "exit-south", "exit-east"})
    CHECK(area_names(c).contains(name));
  CHECK(c.layers[0].free.size() == 1);
}

TEST_CASE("the office has twelve rooms, all reached through doors") {
  const CleanEnvironment c = sound(example("office"));
  CHECK(c.layers[0].free.size() == 1);
  for (int room = 1; room <= 12; ++room) CHECK(area_names(c).contains("room-" + std::to_string(room)));
}

TEST_CASE("the station has its floors, and a stair, an escalator or a ramp between any two that follow each other") {
  const CleanEnvironment c = sound(example("station"));
  CHECK(c.layers.size() >= 5);
  std::size_t stairs = 0, ramps = 0;
  for (const CleanLayer& layer : c.layers) {
    stairs += layer.layer.elevation.stairs;
    ramps += layer.layer.elevation.ramp && !layer.layer.elevation.stairs;
  }
  CHECK(stairs == 6);
  CHECK(ramps == 7);
  CHECK(c.connections.size() == 2 * (stairs + ramps));
  for (const char* name : {"exit-west", "exit-east", "exit-south", "platform-1", "platform-2", "shop", "tickets"})
    CHECK(area_names(c).contains(name));
}

TEST_CASE("heights meet where layers do") {
  for (const char* name : {"station", "spiral"}) {
    CAPTURE(name);
    const CleanEnvironment c = sound(example(name));
    for (const CleanConnection& connection : c.connections) {
      const Vec2 middle = 0.5 * (c.grid.to_world(connection.a) + c.grid.to_world(connection.b));
      CHECK(c.layers[connection.left_layer].layer.elevation.at(middle) ==
            doctest::Approx(c.layers[connection.right_layer].layer.elevation.at(middle)).epsilon(1e-9));
    }
  }
}

TEST_CASE("the spiral passes over itself") {
  const CleanEnvironment c = sound(example("spiral"));
  CHECK(c.layers.size() == 11);
  CHECK(c.layers[1].free == c.layers[5].free);
  CHECK(c.layers[1].layer.elevation.z_from < c.layers[5].layer.elevation.z_from);
}

TEST_CASE("the quarter is what the generator makes") {
  const Result<std::string> text =
      write_environment("geojson", generate_city({.seed = 7, .width = 330, .height = 270}));
  REQUIRE(text.ok());
  CHECK_MESSAGE(*text == test::read_file(folder / "quarter.geojson"),
                "make it anew: throng generate city examples/quarter.geojson --width 330 --height 270 --seed 7");
}

TEST_CASE("the drawn examples are what make_examples.py draws") {
  const test::TempDir drawn;
  const test::ProgramResult run =
      test::run_program({"/usr/bin/python3", "-B", (folder / "make_examples.py").string(), drawn.path().string()});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  for (const char* name : {"hall", "office", "four_blocks", "eight_buildings", "park", "spiral", "station", "mall"}) {
    const std::string file = std::string(name) + ".geojson";
    CAPTURE(file);
    CHECK(test::read_file(drawn / file) == test::read_file(folder / file));
  }
}
