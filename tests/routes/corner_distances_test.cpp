// Hub labels against flow fields of a point, which find distances by another search.
#include "routes/corner_distances.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "routes/flow_field.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

/// A place just off a corner, in the middle of one of its cells.
struct OffCorner {
  navmesh::Place place;
  Index cell = none;
};

constexpr double off = 1e-5;

OffCorner off_corner(const navmesh::Mesh& mesh, Index corner) {
  const navmesh::Site& site = mesh.sites[corner];
  const Index cell = mesh.site_cells[site.first_cell + site.cell_count / 2];
  const navmesh::Arc& arc = mesh.arcs[cell / 2];
  const Vec2 middle = (mesh.nodes[arc.from].point + mesh.nodes[arc.to].point) / 2 - site.a;
  const Vec2 point = site.a + middle * (off / std::sqrt(squared_length(middle)));
  return {{point, navmesh::layer_at(mesh, cell, point)}, cell};
}

double by_labels(const CornerDistances& distances, Index a, Index b) {
  double least = unreachable;
  for (const auto& from_a : distances.label(a))
    for (const auto& from_b : distances.label(b))
      if (from_a.hub == from_b.hub) least = std::min(least, double(from_a.distance) + double(from_b.distance));
  return least;
}

std::vector<Index> corners_of(const navmesh::Mesh& mesh) {
  std::vector<Index> corners;
  for (Index site = 0; site < mesh.sites.size(); ++site)
    if (mesh.sites[site].is_corner() && mesh.sites[site].cell_count > 0) corners.push_back(site);
  return corners;
}

int compare(const World& world, std::uint64_t seed, int goals, int starts) {
  const navmesh::Mesh& mesh = *world.mesh;
  const std::vector<Index> corners = corners_of(mesh);
  if (corners.empty()) return 0;
  const auto tiles = std::make_shared<const CorridorTiles>(world.graph);
  const CornerDistances distances(tiles);
  test::Random random(seed);
  int compared = 0;
  for (int g = 0; g < goals; ++g) {
    const Index to = corners[random.below(corners.size())];
    const FlowGoal goal{off_corner(mesh, to).place, 0};
    const FlowField field(tiles, {&goal, 1}, 0);
    for (int s = 0; s < starts; ++s) {
      const Index from = corners[random.below(corners.size())];
      const OffCorner start = off_corner(mesh, from);
      const double expected = field.ask(start.place.point, start.cell).distance;
      const double found = by_labels(distances, from, to);
      INFO("from " << mesh.sites[from].a.x << "," << mesh.sites[from].a.y << " to " << mesh.sites[to].a.x << ","
                   << mesh.sites[to].a.y);
      if (expected == unreachable || found == unreachable) {
        CHECK(expected == found);
        continue;
      }
      CHECK(std::abs(found - expected) <= 4 * off + 1e-6 * expected);
      ++compared;
    }
  }
  return compared;
}

/// The least sum over hubs, as searches ask for it, and the nearest corner.
void compare_sums(const World& world, std::uint64_t seed) {
  const std::vector<Index> corners = corners_of(*world.mesh);
  if (corners.empty()) return;
  const CornerDistances distances(std::make_shared<const CorridorTiles>(world.graph));
  test::Random random(seed);
  for (int i = 0; i < 20; ++i) {
    const Index from = corners[random.below(corners.size())], to = corners[random.below(corners.size())];
    std::vector<float> by_hub(distances.hub_count(), float(unreachable));
    for (const auto& [hub, distance] : distances.label(to)) by_hub[hub] = distance;
    const double expected = by_labels(distances, from, to);
    const double found = double(distances.least_sum(from, by_hub));
    CHECK((found == expected || std::abs(found - expected) <= 1e-6 * expected));
    if (from != to) CHECK(expected >= double(distances.nearest(from)) * (1 - 1e-6));
  }
}

}  // namespace

TEST_CASE("corner distances: the least sum over hubs, and the nearest corner") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    compare_sums(make_world(environment::random_scene(seed + 11, kind)), seed);
  }
}

TEST_CASE("corner distances: as long as flow fields of a point say, in random scenes and on maps") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  int compared = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    compared += compare(make_world(environment::random_scene(seed + 9, kind)), seed, 3, 20);
  }
  for (const std::string& file : map_files({"kaiserslautern.geojson"})) {
    INFO("file " << file);
    compared += compare(read_world(file), seed, 2, 50);
  }
  CHECK(compared > 100);
}
