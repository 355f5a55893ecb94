#include "navmesh/piece.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "support/random.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::navmesh;
using throng::test::make_scene;
using throng::test::Scene;

namespace {

void check_pieces(const Scene& scene) {
  INFO("scene: " << scene.name);
  const Mesh& mesh = *scene.mesh;
  double total = 0;
  for (Index cell = 0; cell < mesh.cell_count(); ++cell) {
    CAPTURE(cell);
    const Index left = beside_left(mesh, cell), right = beside_right(mesh, cell);
    CHECK(beside_right(mesh, left) == cell);
    CHECK(beside_left(mesh, right) == cell);
    const Piece piece = piece_of(mesh, cell), at_left = piece_of(mesh, left), across = piece_of(mesh, across_arc(cell));
    CHECK(at_left.node_right == piece.node_left);
    CHECK(at_left.foot_right == piece.foot_left);
    CHECK(across.node_left == piece.node_right);
    CHECK(piece.area() >= -1e-9);
    total += piece.area();
  }
  double expected = 0;
  for (const environment::CleanLayer& layer : scene.world.layers)
    expected += environment::area(layer.free, scene.world.grid);
  CHECK(total == doctest::Approx(expected).epsilon(1e-9));
}

}  // namespace

TEST_CASE("pieces tile the free space, and neighbours agree on what they share") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t i = 0; i < 20; ++i)
    check_pieces(make_scene("random world " + std::to_string(seed + i), test::random_world(seed + i)));
  for (const environment::Environment& world : test::degenerate_worlds()) check_pieces(make_scene(world.source, world));
}
