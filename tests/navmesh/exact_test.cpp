// Exactness, end to end: on every kind of random scene and on the data, each law holds, cells add up to the free space,
// and clearance equals what the cleaned boundary says, at random places, beside corners and beside the axis.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>

#include "environment/formats/formats.hpp"
#include "environment/generate/random_scenes.hpp"
#include "navmesh/arc.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/sight.hpp"
#include "navmesh/validate.hpp"
#include "support/brute_force.hpp"
#include "support/data.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;

namespace {

void check_laws(const Scene& scene) {
  const Problems problems = validate(*scene.mesh, scene.world);
  std::string text;
  for (const Problem& p : problems) text += to_string(p) + "\n";
  CHECK_MESSAGE(problems.empty(), text);
}

/// Anywhere in the layer's box, or within a millimetre of a site's end or of the axis.
Vec2 probe(const Mesh& mesh, const BruteForce& brute, Random& random) {
  const Vec2 jitter{random.uniform(-1e-3, 1e-3), random.uniform(-1e-3, 1e-3)};
  const std::uint64_t kind = random.below(4);
  if (kind == 0) return mesh.sites[random.below(mesh.sites.size())].a + jitter;
  if (kind == 1) return ArcCurve(mesh, Index(random.below(mesh.arcs.size()))).point(random.uniform(0, 1)) + jitter;
  return {random.uniform(brute.min().x, brute.max().x), random.uniform(brute.min().y, brute.max().y)};
}

void check_clearances(const Scene& scene, int count, std::uint64_t seed) {
  const Mesh& mesh = *scene.mesh;
  if (mesh.arcs.empty()) return;
  const double tolerance = std::max(1e-9 * extent(mesh), distance_tolerance(mesh));
  const SightIndex sight(scene.world);
  Random random(seed);
  int wrong = 0, asked = 0;
  for (Index layer = 0; layer < mesh.layers.size(); ++layer) {
    const BruteForce brute(scene.world, layer);
    for (int i = 0; i < count / int(mesh.layers.size()) && wrong < 4; ++i) {
      const Vec2 p = probe(mesh, brute, random);
      // On one layer every boundary edge is looked at; across layers only those that can be seen count.
      double expected = brute.clearance(p);
      if (expected < 1e-8) continue;
      const bool walkable = brute.walkable(p);
      if (mesh.layers.size() > 1 && walkable)
        expected = sight.clearance(mesh.grid.to_units(p), layer) * mesh.grid.unit();
      const Located found = locate(mesh, {p, layer});
      const bool good = bool(found) == walkable && (!found || std::abs(found.clearance - expected) <= tolerance);
      CHECK_MESSAGE(good, "layer " << layer << " at (" << p.x << ", " << p.y << "): found " << bool(found) << " "
                                   << found.clearance << ", expected " << walkable << " " << expected);
      wrong += !good;
      asked += walkable;
    }
  }
  CHECK(asked > 0);
}

void check_scene(const Scene& scene, int probes, std::uint64_t seed) {
  INFO("scene: " << scene.name);
  check_laws(scene);
  check_clearances(scene, probes, seed);
}

void check_scenes(std::uint64_t first, std::uint64_t last, int probes) {
  for (std::uint64_t seed = first; seed < last; ++seed)
    for (const environment::SceneKind kind : environment::all_scene_kinds) {
      const std::string name = std::string(name_of(kind)) + " " + std::to_string(seed);
      check_scene(make_scene(name, environment::random_scene(seed, kind)), probes, seed);
    }
}

}  // namespace

TEST_CASE("every kind of scene is exact") { check_scenes(1, 3, 300); }
TEST_CASE("long: thirteen of every kind of scene are exact at ten thousand places each") {
  check_scenes(100, 113, 10'000);
}

TEST_CASE("every example is exact") {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(THRONG_SOURCE_DIR) / "examples"))
    if (entry.path().extension() == ".geojson") files.insert(entry.path());
  REQUIRE(!files.empty());
  for (const std::filesystem::path& file : files) {
    const auto source = environment::read_environment(file.string());
    REQUIRE(source.ok());
    check_scene(make_scene(file.filename().string(), *source), 1000, 1);
  }
}

TEST_CASE("long: the data is exact") {
  for (const char* name : {"kaiserslautern.geojson", "Berlin_0_256.poly", "Milan_1_512.poly", "Sydney_2_1024.poly"}) {
    const auto file = data_file(name);
    if (!file) return;
    const auto source = environment::read_environment(file->string());
    REQUIRE(source.ok());
    check_scene(make_scene(name, *source), 10'000, 1);
  }
}
