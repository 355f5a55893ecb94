#include "navmesh/mesh_io.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "environment/formats/formats.hpp"
#include "navmesh/build.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"
#include "navmesh/visibility_polygon.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"
#include "text/fnv1a.hpp"

using namespace throng;
using namespace throng::navmesh;
using throng::test::make_scene;
using throng::test::Random;
using throng::test::Scene;

namespace {

Scene station() {
  const auto source = environment::read_environment(THRONG_SOURCE_DIR "/examples/station.geojson");
  REQUIRE(source);
  return make_scene("station", *source);
}

/// Equal in everything that is stored: the binary form holds it all, so equal bytes are equal meshes.
void check_same(const Mesh& a, const Mesh& b) {
  CHECK(write_tmesh(a) == write_tmesh(b));
  CHECK(a.hash() == b.hash());
  CHECK(a.generation != b.generation);
  CHECK(b.locator);
}

/// Makes the checksum of a changed file right again, so that what lies behind it is tested.
std::string resealed(std::string bytes) {
  geometry::Fnv1a hash;
  for (std::size_t i = 40; i < bytes.size(); ++i) hash.add_byte(std::uint8_t(bytes[i]));
  for (int i = 0; i < 8; ++i) bytes[std::size_t(32 + i)] = char(hash.value() >> (8 * i) & 0xff);
  return bytes;
}

void ask_everything(const Mesh& mesh, Random& random) {
  VisibilityPolygon view;
  NearbySegments nearby;
  for (int i = 0; i < 5; ++i) {
    const Place p{{random.uniform(-5, 15), random.uniform(-5, 15)}, Index(random.below(3))};
    const Located located = locate_from(mesh, Index(random.below(1000)), p);
    (void)visible(mesh, p, {{random.uniform(-5, 15), random.uniform(-5, 15)}, p.layer}, 0.2);
    if (located) (void)retract(mesh, located, p.point);
    (void)view.compute(mesh, p);
    (void)nearby.compute(mesh, p, 2);
  }
}

}  // namespace

TEST_CASE("a mesh written and read back is the same, in both forms") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  std::vector<Scene> scenes;
  for (std::uint64_t i = 0; i < 5; ++i) scenes.push_back(make_scene("random world", test::random_world(seed + i)));
  scenes.push_back(station());
  for (const Scene& scene : scenes) {
    INFO("scene: " << scene.name);
    const Result<MeshPtr> binary = read_tmesh(write_tmesh(*scene.mesh), "x.tmesh");
    REQUIRE_MESSAGE(binary, (binary.ok() ? "" : to_string(binary.problems().front())));
    check_same(*scene.mesh, **binary);
    const std::string text = write_mesh_json(*scene.mesh);
    CHECK(is_mesh_json(text));
    const Result<MeshPtr> json = read_mesh_json(text, "x.json");
    REQUIRE_MESSAGE(json, (json.ok() ? "" : to_string(json.problems().front())));
    check_same(*scene.mesh, **json);
    CHECK(write_mesh_json(**json) == text);
  }
}

TEST_CASE("a .tmesh that was cut anywhere is refused") {
  const std::vector<environment::Environment> worlds = test::degenerate_worlds();
  const std::string bytes = write_tmesh(*make_scene("room", worlds[6]).mesh);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Result<MeshPtr> mesh = read_tmesh(std::string_view(bytes).substr(0, size), "x.tmesh");
    REQUIRE(!mesh);
    CHECK(mesh.problems().front().place == "x.tmesh");
  }
  CHECK(!read_tmesh(bytes + "x", "x.tmesh"));
}

TEST_CASE("a .tmesh with any byte changed is refused") {
  const std::vector<environment::Environment> worlds = test::degenerate_worlds();
  const std::string bytes = write_tmesh(*make_scene("room", worlds[6]).mesh);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i >= 16 && i < 24) continue;  // the environment's hash is the writer's word
    std::string changed = bytes;
    changed[i] = char(changed[i] ^ 0x10);
    CHECK(!read_tmesh(changed, "x.tmesh"));
  }
}

TEST_CASE("a .tmesh that lies behind a right checksum is refused, or stays within bounds") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const std::vector<environment::Environment> worlds = test::degenerate_worlds();
  const std::string bytes = write_tmesh(*make_scene("squares", worlds[0]).mesh);
  int accepted = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string changed = bytes;
    for (std::uint64_t k = 0; k <= random.below(3); ++k) {
      const std::size_t at = 40 + random.below(changed.size() - 40);
      changed[at] = random.chance(0.5) ? char(random.below(256)) : char(changed[at] ^ (1 << random.below(8)));
    }
    const Result<MeshPtr> mesh = read_tmesh(resealed(changed), "x.tmesh");
    if (!mesh) continue;
    ++accepted;
    ask_everything(**mesh, random);
  }
  CHECK(accepted > 0);
}

TEST_CASE("what is wrong with a mesh file is said") {
  const auto said = [](const Result<MeshPtr>& result) {
    REQUIRE(!result);
    return to_string(result.problems().front());
  };
  CHECK(said(read_tmesh("hello", "a.tmesh")).find("a.tmesh") != std::string::npos);
  CHECK(said(read_tmesh("hello", "a.tmesh")).find("TMESH") != std::string::npos);
  std::string bytes = write_tmesh(*make_scene("room", test::degenerate_worlds()[6]).mesh);
  bytes[8] = 9;
  CHECK(said(read_tmesh(bytes, "a.tmesh")).find("version 9") != std::string::npos);
  CHECK(said(read_mesh_json("{", "a.json")).find("JSON") != std::string::npos);
  CHECK(said(read_mesh_json("{}", "a.json")).find("throng_mesh") != std::string::npos);
  CHECK(said(read_mesh_json("{\"throng_mesh\": 2}", "a.json")).find("version 1") != std::string::npos);
  std::string text = write_mesh_json(*make_scene("room", test::degenerate_worlds()[6]).mesh);
  text.replace(text.find("\"clearance\": "), 13, "\"clearance\": \"x\", \"y\": ");
  CHECK(said(read_mesh_json(text, "a.json")).find("nodes[0].clearance") != std::string::npos);
}
