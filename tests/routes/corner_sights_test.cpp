// Which corners may be seen from where, against windows of tangents that are spread step by step from places.
#include "routes/corner_sights.hpp"

#include <doctest/doctest.h>

#include <set>

#include "routes/corner_distances.hpp"
#include "routes/tangent_table.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

/// A circle that windows find.
struct Found {
  SeenCircle circle;
  Index window_side = none;
};

std::vector<Found> step_by_step(const TangentTable& table, Vec2 point, Index tile) {
  const DiscTiles& tiles = table.disc_tiles();
  const TangentRoot root{.bend = {point, 0}};
  const TangentWindow all{.root = 0, .right_open = true, .left_open = true, .side = tiles.side_of(tile, point)};
  std::vector<WindowEntry> open{{tile, none, all, 0, point, point}};
  std::vector<Found> found;
  while (!open.empty()) {
    const WindowEntry entry = open.back();
    open.pop_back();
    SeenCircle seen;
    if (tiles.tiles().is_arc(entry.tile))
      for (const Index towards : {0u, 1u})
        for (const Index side : {0u, 1u})
          if (towards != entry.gate && table.geometry().reaches(root, entry, side, towards, seen))
            found.push_back({seen, entry.window.side});
    for (Index g = 0; g < tiles.tiles().gates(entry.tile).size(); ++g)
      if (g != entry.gate) table.geometry().pass(root, entry, g, open);
  }
  return found;
}

/// What a place is shown, by sites.
struct Shown {
  std::set<Index> in_core, in_dead_ends;
  std::vector<CornerSights::Seen> corners;
};

Shown shown_to(const CornerSights& sights, const CorridorTiles& tiles, Vec2 point, Index cell) {
  Shown shown;
  const Index tile = tiles.tile_at(cell, point, tangent_point_radius);
  for (const auto in : {CornerSights::In::core, CornerSights::In::dead_ends}) {
    std::vector<const CornerSights::Seen*> list;
    sights.list(tile, point, in, list);
    for (const CornerSights::Seen* corner : list) {
      CHECK((in == CornerSights::In::core ? shown.in_core : shown.in_dead_ends).insert(corner->site).second);
      shown.corners.push_back(*corner);
    }
  }
  return shown;
}

struct Counts {
  std::size_t found = 0, shown = 0;
};

/// Every circle that windows find is shown, in the right list, as one that may be touched there; and where it is touched is where windows say.
void compare(const World& world, std::uint64_t seed, double radius, int places, Counts& counts) {
  const navmesh::Mesh& mesh = *world.mesh;
  const std::shared_ptr<const TangentTable> table = world.graph->tangents(radius);
  const CornerDistances& labels = table->labels();
  const double disc = table->disc_tiles().disc();
  test::Random random(seed);
  for (int i = 0; i < places; ++i) {
    const auto place = free_place(mesh, random, radius);
    if (!place) return;
    INFO("from " << place->point.x << "," << place->point.y << " radius " << radius);
    const Index cell = navmesh::locate(mesh, *place).cell;
    const CorridorTiles& tiles = table->disc_tiles().tiles();
    const Shown shown = shown_to(labels.sights(), tiles, place->point, cell);
    for (const auto& [circle, window_side] :
         step_by_step(*table, place->point, tiles.tile_at(cell, place->point, disc))) {
      const Index node = table->node_of(circle, window_side);
      const Index corner = table->corner_of(node);
      const Vec2 outward = perpendicular(circle.direction) * (circle.bend.radius > 0 ? -1 : 1);
      INFO("corner " << circle.bend.centre.x << "," << circle.bend.centre.y);
      const TangentTable::Spot spot = table->spot_at(corner, outward);
      REQUIRE(spot.cell != none);
      CHECK(spot.stretch == node / 2);
      const bool in_core = !world.graph->is_twig(mesh.arc(circle.tile).edge);
      CHECK((shown.in_core.contains(corner) || (!in_core && shown.in_dead_ends.contains(corner))));
      for (const CornerSights::Seen& seen : shown.corners)
        if (seen.site == corner) CHECK(seen.along_middle(outward) >= double(seen.least_cosine));
      const double angle = std::atan2(circle.direction.y, circle.direction.x);
      CHECK(labels.touching(corner, node % 2 == 1, angle).turn != none);
      ++counts.found;
    }
    counts.shown += shown.corners.size();
  }
}

}  // namespace

TEST_CASE("corner sights: all circles that windows find step by step, in random scenes, examples and on maps") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Counts counts;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 13, kind));
    for (const double radius : {0.0, 0.1, 0.25, 0.49, 1.0, 1.99}) compare(world, seed, radius, 20, counts);
  }
  for (const std::string& file : map_files({"kaiserslautern.geojson", "Berlin_0_256.poly"})) {
    INFO("file " << file);
    const World world = read_world(file);
    for (const double radius : {0.0, 0.25, 0.49, 1.0}) compare(world, seed, radius, 40, counts);
  }
  CHECK(counts.found > 5000);
  // They are few more: otherwise they would be of no use.
  CHECK(counts.shown < 8 * counts.found);
}

TEST_CASE("long: corner sights in many random scenes") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Counts counts;
  for (std::uint64_t round = 0; round < 400; ++round) {
    const environment::SceneKind kind = environment::all_scene_kinds[round % std::size(environment::all_scene_kinds)];
    INFO("scene " << environment::name_of(kind) << " " << round);
    const World world = make_world(environment::random_scene(seed + 7000 + round, kind));
    for (const double radius : {0.0, 0.02, 0.25, 0.4, 0.99, 1.5}) compare(world, seed ^ round, radius, 30, counts);
  }
  CHECK(counts.found > 5000);
}
