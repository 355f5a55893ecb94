// Small worlds for tests, clean and meshed: random ones by seed, degenerate ones by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"

namespace throng::test {

struct Scene {
  std::string name;
  environment::CleanEnvironment world;
  navmesh::MeshPtr mesh;
};

/// Cleans and builds; a failure is a failure of the test.
[[nodiscard]] Scene make_scene(std::string name, const environment::Environment& source);

/// A room with polygons, thin walls and openings strewn about; size and kind vary with the seed.
[[nodiscard]] environment::Environment random_world(std::uint64_t seed);
/// Grids of squares, a many-pointed star, a comb a unit off the axis, touching corners, nested holes, one wall, an empty room.
[[nodiscard]] std::vector<environment::Environment> degenerate_worlds();

}  // namespace throng::test
