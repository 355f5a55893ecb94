// What a place sees, against windows of tangents that are spread step by step; and ways of straight lines, with gates at hand and without.
#include "routes/place_view.hpp"

#include <doctest/doctest.h>

#include <set>
#include <tuple>

#include "routes/tangent_table.hpp"
#include "routes/tile_walk.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

using Nodes = std::set<Index>;

/// Looks everywhere, with a pause after every other tile.
struct SeeAll {
  const TangentTable& table;
  Nodes nodes;
  std::set<Index> tiles;
  bool pause = false;

  void begin(const TangentRoot&, const WindowEntry& entry) { tiles.insert(entry.tile); }
  void enter(const TangentRoot&, const Sight& sight) { tiles.insert(sight.tile); }
  void circle(Index side, const SeenCircle& seen) { nodes.insert(table.node_of(seen, side)); }
  [[nodiscard]] bool leads_nowhere(Index) const { return false; }
  [[nodiscard]] Vec2 towards() const { return {}; }
  [[nodiscard]] double most() const { return unreachable; }
  [[nodiscard]] bool pauses() { return pause = !pause; }
};

Nodes step_by_step(const TangentTable& table, Vec2 point, Index tile) {
  const DiscTiles& tiles = table.disc_tiles();
  const TangentRoot root{.bend = {point, 0}};
  const TangentWindow all{.root = 0, .right_open = true, .left_open = true, .side = tiles.side_of(tile, point)};
  std::vector<WindowEntry> open{{tile, none, all, 0, point, point}};
  Nodes nodes;
  while (!open.empty()) {
    const WindowEntry entry = open.back();
    open.pop_back();
    SeenCircle seen;
    if (tiles.tiles().is_arc(entry.tile))
      for (const Index towards : {0u, 1u})
        for (const Index side : {0u, 1u})
          if (towards != entry.gate && table.geometry().reaches(root, entry, side, towards, seen))
            nodes.insert(table.node_of(seen, entry.window.side));
    for (Index g = 0; g < tiles.tiles().gates(entry.tile).size(); ++g)
      if (g != entry.gate) table.geometry().pass(root, entry, g, open);
  }
  return nodes;
}

/// Lines to places in tiles that are seen lead through the same tiles, either way of walking them.
void compare_walks(const TangentTable& table, Vec2 from, Index from_tile, Vec2 to, Index to_tile) {
  std::vector<EnteredTile> quick, thorough;
  const bool walked = walk_line(table.disc_tiles(), table.gates(), from, to, from_tile, to_tile, quick);
  CHECK(walk_line(table.disc_tiles(), from, to, from_tile, to_tile, thorough) == walked);
  REQUIRE(quick.size() == thorough.size());
  for (std::size_t i = 0; i < quick.size(); ++i)
    CHECK(std::tie(quick[i].tile, quick[i].gate) == std::tie(thorough[i].tile, thorough[i].gate));
}

std::size_t compare(const World& world, std::uint64_t seed, double radius, int places) {
  const navmesh::Mesh& mesh = *world.mesh;
  const auto tiles = std::make_shared<const CorridorTiles>(world.graph);
  const TangentTable table(tiles, radius);
  PlaceView view(table.disc_tiles(), table.gates(), table.geometry());
  test::Random random(seed);
  std::size_t seen = 0;
  std::optional<navmesh::Place> last;
  for (int i = 0; i < places; ++i) {
    const auto place = free_place(mesh, random, radius);
    if (!place) break;
    const auto tile_of = [&](const navmesh::Place& at) {
      return tiles->tile_at(navmesh::locate(mesh, at).cell, at.point, table.disc_tiles().disc());
    };
    INFO("from " << place->point.x << "," << place->point.y << " radius " << radius);
    SeeAll all{table, {}, {}};
    view.begin(place->point, tile_of(*place));
    while (view.look(all)) {
    }
    CHECK(all.nodes == step_by_step(table, place->point, tile_of(*place)));
    seen += all.nodes.size();
    if (last && all.tiles.contains(tile_of(*last)))
      compare_walks(table, place->point, tile_of(*place), last->point, tile_of(*last));
    last = place;
  }
  return seen;
}

}  // namespace

TEST_CASE("place view: the circles that windows find step by step, in random scenes and on maps") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  std::size_t seen = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 13, kind));
    for (const double radius : {0.0, 0.25, 1.0}) seen += compare(world, seed, radius, 20);
  }
  for (const std::string& file : map_files({"kaiserslautern.geojson", "Milan_1_512.poly"})) {
    INFO("file " << file);
    const World world = read_world(file);
    for (const double radius : {0.0, 0.25, 1.0}) seen += compare(world, seed, radius, 20);
  }
  CHECK(seen > 1000);
}
