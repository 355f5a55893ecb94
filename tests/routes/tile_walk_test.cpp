// Gates as a disc finds them, against those they are made of; ways of straight lines, with gates at hand and without, and as tangents keep them; and
// whether such a line is free, against the mesh.
#include "routes/tile_walk.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <tuple>

#include "navmesh/visibility.hpp"
#include "routes/tangent_table.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

/// Lines to places in tiles that are seen lead through the same tiles, either way of walking them.
void compare_walks(const TangentTable& table, Vec2 from, Index from_tile, Vec2 to, Index to_tile) {
  std::vector<EnteredTile> quick, thorough;
  const bool walked = walk_line(table.disc_tiles(), table.gates(), from, to, from_tile, to_tile, quick);
  CHECK(walk_line(table.disc_tiles(), from, to, from_tile, to_tile, thorough) == walked);
  REQUIRE(quick.size() == thorough.size());
  for (std::size_t i = 0; i < quick.size(); ++i)
    CHECK(std::tie(quick[i].tile, quick[i].gate) == std::tie(thorough[i].tile, thorough[i].gate));
}

/// From inside a tile, and from each of its gates: what leads on, and where to.
void compare_gates(const DiscTiles& disc_tiles, const DiscGates& gates) {
  const CorridorTiles& tiles = disc_tiles.tiles();
  const double disc = disc_tiles.disc();
  for (Index tile = 0; tile < tiles.size(); ++tile) {
    const std::span<const TileGate> all = tiles.gates(tile);
    REQUIRE(gates.gate_count(tile) == all.size());
    const auto check = [&](Index number, const DiscGate& ends, const BehindGate& behind) {
      const TileGate& gate = all[number];
      CHECK(ends.right == gate.right_for(disc));
      CHECK(ends.left == gate.left_for(disc));
      REQUIRE(behind.tile == (disc_tiles.leads_on(tile, gate) ? gate.tile : none));
      if (behind.tile == none) return;
      const Index entered =
          gates.is_arc(behind.tile) ? gates.arc_exit(behind.at).entry : gates.node_entry(behind.at).number;
      CHECK(entered == gate.back);
    };
    for (Index number = 0; number < all.size(); ++number)
      check(number, gates.way_out(tile, number).gate, gates.way_out(tile, number).behind);
    for (Index entry = 0; entry < all.size(); ++entry) {
      const Index at = gates.entering(tile, entry).at;
      if (gates.is_arc(tile)) {
        check(1 - entry, gates.arc_exit(at).gate, gates.arc_exit(at).behind);
        continue;
      }
      // Every other gate that leads on, once.
      std::set<Index> left_over;
      for (Index number = 0; number < all.size(); ++number)
        if (number != entry && disc_tiles.leads_on(tile, all[number])) left_over.insert(number);
      for (const NodeExit& exit : gates.exits(gates.node_entry(at))) {
        const auto number = std::find_if(left_over.begin(), left_over.end(), [&](Index n) {
          return all[n].tile == exit.behind.tile && all[n].right_for(disc) == exit.gate.right;
        });
        REQUIRE(number != left_over.end());
        check(*number, exit.gate, exit.behind);
        left_over.erase(number);
      }
      CHECK(left_over.empty());
    }
  }
}

/// Tangents lead through the tiles that their lines do, whether asked for once or again.
std::size_t compare_kept_walks(const TangentTable& table, Index every) {
  std::size_t walked = 0;
  for (Index node = 0; node < table.node_count(); node += every)
    for (const Tangent& along : table.from(node)) {
      const Bend from = table.bend_of(node), to = table.bend_of(along.to);
      const Vec2 direction = tangent(from, to);
      std::vector<EnteredTile> thorough;
      const bool leads_there = walk_line(table.disc_tiles(), touch(from, direction), touch(to, direction),
                                         along.from_tile, along.to_tile, thorough);
      for (int time = 0; time < 2; ++time) {
        const TangentTable::Walk kept = table.walk(node, along);
        CHECK(kept.leads_there == leads_there);
        REQUIRE(kept.tiles.size() == thorough.size());
        for (std::size_t i = 0; i < thorough.size(); ++i)
          CHECK(std::tie(kept.tiles[i].tile, kept.tiles[i].gate) == std::tie(thorough[i].tile, thorough[i].gate));
      }
      walked += thorough.size();
    }
  return walked;
}

struct Counts {
  std::size_t there = 0, blocked = 0, unclear = 0;
};

/// Lines between places: free exactly if the mesh says so, where tiles are sure.
void compare_free_lines(const World& world, std::uint64_t seed, double radius, int pairs, Counts& counts) {
  const navmesh::Mesh& mesh = *world.mesh;
  const std::shared_ptr<const TangentTable> table = world.graph->tangents(radius);
  const double disc = table->disc_tiles().disc();
  test::Random random(seed);
  const auto tile_of = [&](const navmesh::Place& at) {
    return table->disc_tiles().tiles().tile_at(navmesh::locate(mesh, at).cell, at.point, disc);
  };
  for (int i = 0; i < pairs; ++i) {
    const auto from = free_place(mesh, random, disc);
    auto to = free_place(mesh, random, disc);
    if (!from || !to) return;
    // Half of them close by, or hardly any would see each other.
    const Vec2 step{random.uniform(-4, 4), random.uniform(-4, 4)};
    const navmesh::Place near{from->point + step, from->layer};
    if (const auto at = navmesh::locate(mesh, near); i % 2 == 0 && at && at.clearance >= disc) to = near;
    INFO("from " << from->point.x << "," << from->point.y << " to " << to->point.x << "," << to->point.y << " radius "
                 << radius);
    const Index from_tile = tile_of(*from), to_tile = tile_of(*to);
    const Walked walked = walk_free_line(table->gates(), from->point, to->point, from_tile, to_tile);
    counts.unclear += walked == Walked::unclear;
    if (walked == Walked::unclear) continue;
    (walked == Walked::there ? counts.there : counts.blocked) += 1;
    CHECK((walked == Walked::there) == navmesh::visible(mesh, *from, *to, radius));
    if (walked == Walked::there) compare_walks(*table, from->point, from_tile, to->point, to_tile);
  }
}

}  // namespace

TEST_CASE("tile walk: gates as a disc finds them are those of the tiles") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 13, kind));
    for (const double radius : {0.0, 0.25, 1.0}) {
      const DiscTiles tiles(world.graph->corridor_tiles(), radius);
      compare_gates(tiles, DiscGates(tiles));
    }
  }
}

TEST_CASE("tile walk: a line is free if the mesh says so, in random scenes and on maps") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Counts counts;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 13, kind));
    for (const double radius : {0.0, 0.25, 1.0}) compare_free_lines(world, seed, radius, 60, counts);
  }
  for (const std::string& file : map_files({"kaiserslautern.geojson"})) {
    INFO("file " << file);
    const World world = read_world(file);
    for (const double radius : {0.0, 0.25, 1.0}) compare_free_lines(world, seed, radius, 200, counts);
  }
  CHECK(counts.there > 500);
  CHECK(counts.blocked > 500);
  CHECK(counts.unclear * 4 < counts.there + counts.blocked);
}

TEST_CASE("tangents: the tiles they lead through are kept, and are those of their lines") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  std::size_t walked = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 29, kind));
    for (const double radius : {0.0, 0.25, 1.0}) {
      const std::shared_ptr<const TangentTable> table = world.graph->tangents(radius);
      const std::size_t before = table->bytes();
      walked += compare_kept_walks(*table, 3);
      CHECK(table->bytes() >= before);
    }
  }
  CHECK(walked > 1000);
}
