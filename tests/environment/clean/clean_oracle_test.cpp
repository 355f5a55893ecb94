// Cleaning against the rasteriser: the same free space, regions and areas, but for what rounding moves; the boundary within two
// units of the source's. On random scenes, the examples, a city and all outside data.
#include <algorithm>
#include <filesystem>

#include "environment/clean/clean_support.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "environment/generate/random_scenes.hpp"
#include "support/data.hpp"
#include "support/random.hpp"
#include "support/rasteriser.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

void agree(const Environment& source, int scanlines, int samples, std::uint64_t seed) {
  const CleanEnvironment c = sound(source);
  const test::Difference difference = test::compare_with_source(source, c, scanlines, seed);
  INFO("worst difference " << difference.worst << " units from an edge, " << difference.where);
  CHECK(difference.worst <= 2);
  CHECK(difference.area <= difference.edge_length * 2 * c.grid.unit());
  const test::BoundaryDistance boundary = test::boundary_distance(source, c, samples, seed);
  INFO("boundary: " << boundary.where);
  CHECK(boundary.clean_to_source <= 2);
  CHECK(boundary.source_to_clean <= 2);
}

Environment read(const std::filesystem::path& file) {
  const Result<Environment> e = read_environment(file.string());
  INFO(all(e.problems()));
  REQUIRE(e.ok());
  return *e;
}

void scenes_agree(std::uint64_t first, std::uint64_t last, double unit) {
  for (const SceneKind kind : all_scene_kinds) {
    for (std::uint64_t seed = first; seed < last; ++seed) {
      CAPTURE(name_of(kind));
      CAPTURE(seed);
      Environment scene = random_scene(seed, kind);
      if (unit != 0) scene.grid = geometry::SnapGrid(unit, 0, 0);
      agree(scene, 40, 200, seed);
    }
  }
}

}  // namespace

TEST_CASE("the rasteriser notices what is missing") {
  const Environment city = generate_city({.seed = 4, .width = 150, .height = 150});
  const CleanEnvironment whole = sound(city);
  for (const Kind kind : {Kind::obstacle, Kind::opening, Kind::region, Kind::area}) {
    CAPTURE(name_of(kind));
    Environment less = city;
    const auto first = std::find_if(less.features.begin(), less.features.end(),
                                    [&](const Feature& f) { return f.kind == kind && !f.polygons.empty(); });
    REQUIRE(first != less.features.end());
    less.features.erase(first);
    CHECK(test::compare_with_source(less, whole, 400, 1).worst > 10);
  }
  Environment shifted = city;
  for (Feature& feature : shifted.features)
    for (Polygon& polygon : feature.polygons)
      for (Vec2& p : polygon.outer) p.x += 0.004;
  CHECK(test::compare_with_source(shifted, whole, 100, 1).worst > 2);
  CHECK(test::boundary_distance(shifted, whole, 500, 1).clean_to_source > 2);
  CHECK(test::boundary_distance(shifted, whole, 500, 1).source_to_clean > 2);
}

TEST_CASE("random scenes agree with the rasteriser") { scenes_agree(200, 206, 0); }

TEST_CASE("random scenes agree with the rasteriser on a coarse grid, where much is rounded") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const SceneKind kind :
         {SceneKind::overlapping_polygons, SceneKind::rotated_rectangles, SceneKind::crossing_walls}) {
      CAPTURE(name_of(kind));
      CAPTURE(seed);
      Environment scene = random_scene(seed, kind);
      scene.grid = geometry::SnapGrid(0.1, 0, 0);
      agree(scene, 60, 400, seed);
    }
  }
}

TEST_CASE("a generated city agrees with the rasteriser") {
  agree(generate_city({.seed = 3, .width = 400, .height = 300}), 60, 1000, 3);
}

TEST_CASE("the examples agree with the rasteriser") {
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(THRONG_SOURCE_DIR) / "examples")) {
    if (file.path().extension() != ".geojson") continue;
    CAPTURE(file.path().filename().string());
    agree(read(file.path()), 100, 1000, 1);
  }
}

TEST_CASE("all outside environments agree with the rasteriser") {
  for (const char* name : {"kaiserslautern.geojson", "Berlin_0_256.poly", "Milan_1_512.poly", "Sydney_2_1024.poly"}) {
    const auto file = test::data_file(name);
    if (!file) return;
    CAPTURE(name);
    agree(read(*file), 60, 1000, 1);
  }
}

TEST_CASE("long: a thousand random scenes agree with the rasteriser") { scenes_agree(1000, 1060, 0); }

TEST_CASE("long: random scenes on coarse grids agree with the rasteriser") {
  for (const double unit : {0.01, 0.05, 0.25}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      for (const SceneKind kind :
           {SceneKind::overlapping_polygons, SceneKind::rotated_rectangles, SceneKind::crossing_walls}) {
        CAPTURE(unit);
        CAPTURE(name_of(kind));
        CAPTURE(seed);
        Environment scene = random_scene(seed, kind);
        scene.grid = geometry::SnapGrid(unit, 0, 0);
        agree(scene, 60, 400, seed);
      }
    }
  }
}

TEST_CASE("long: a large city agrees with the rasteriser") {
  agree(generate_city(city_of_vertices(50000, 9)), 60, 500, 9);
}
