// What a place sees, against windows of tangents that are spread step by step; the gates it looks through, against those they are made of; and
// ways of straight lines, with gates at hand and without, and as tangents keep them.
#include "routes/place_view.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include "routes/tangent_table.hpp"
#include "routes/tile_walk.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

using Nodes = std::set<Index>;

/// Looks everywhere, with a pause after every other tile; into dead ends tile by tile, and elsewhere along rows.
struct SeeAll {
  const TangentTable& table;
  bool by_rows = false;
  Nodes nodes;
  std::set<Index> tiles;
  bool pause = false;

  void begin(const TangentRoot&, const WindowEntry& entry) { tiles.insert(entry.tile); }
  void enter(const TangentRoot&, const Sight& sight) { tiles.insert(sight.behind.tile); }
  void circle(Index side, const SeenCircle& seen) { nodes.insert(table.node_of(seen, side)); }
  [[nodiscard]] Index halts(Index step, Index end) const { return by_rows ? end : step; }
  [[nodiscard]] bool looks_into_dead_ends() const { return !by_rows; }
  [[nodiscard]] bool leads_nowhere(Index twig) const { return by_rows && twig != none; }
  [[nodiscard]] Vec2 towards() const { return {}; }
  [[nodiscard]] double most() const { return unreachable; }
  [[nodiscard]] bool pauses() { return pause = !pause; }
};

Nodes step_by_step(const TangentTable& table, Vec2 point, Index tile, bool into_dead_ends) {
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
      if (g != entry.gate && (into_dead_ends || tiles.tiles().gates(entry.tile)[g].twig == none))
        table.geometry().pass(root, entry, g, open);
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
      // Every other gate that leads on, once, with those into dead ends apart.
      std::set<Index> left_over;
      for (Index number = 0; number < all.size(); ++number)
        if (number != entry && disc_tiles.leads_on(tile, all[number])) left_over.insert(number);
      const NodeEntry& node = gates.node_entry(at);
      for (const bool in_core : {true, false})
        for (const NodeExit& exit : in_core ? gates.core_exits(node) : gates.twig_exits(node)) {
          CHECK((exit.twig == none) == in_core);
          const auto number = std::find_if(left_over.begin(), left_over.end(), [&](Index n) {
            return all[n].tile == exit.behind.tile && all[n].right_for(disc) == exit.gate.right &&
                   all[n].twig == exit.twig;
          });
          REQUIRE(number != left_over.end());
          check(*number, exit.gate, exit.behind);
          left_over.erase(number);
        }
      CHECK(left_over.empty());
    }
  }
}

/// Steps of a row lead from each to the next, by the gates of their tiles, and list the circles beside them.
std::size_t compare_rows(const DiscTiles& disc_tiles, const DiscGates& gates) {
  const CorridorTiles& tiles = disc_tiles.tiles();
  std::size_t steps = 0;
  for (Index tile = 0; tile < tiles.size(); ++tile)
    for (Index entry = 0; entry < tiles.gates(tile).size(); ++entry) {
      const BehindGate here = gates.entering(tile, entry);
      if (here.step == none) continue;
      ++steps;
      const DiscGates::Through& through = gates.steps_through(tile);
      CHECK((through[0] == here.step) != (through[1] == here.step));
      const RowStep& step = gates.step(here.step);
      REQUIRE(here.step < step.row_end);
      const DiscGate* gate = nullptr;
      BehindGate behind;
      if (gates.is_arc(tile)) {
        const ArcExit& exit = gates.arc_exit(here.at);
        gate = &exit.gate, behind = exit.behind;
        for (const bool at_left : {false, true}) {
          const Index corner = at_left ? exit.left_corner : exit.right_corner;
          const auto circles = at_left ? gates.left_circles(step) : gates.right_circles(step);
          const bool is_first = !circles.empty() && circles[0].corner == corner && circles[0].step <= here.step;
          CHECK(is_first == (corner != none));
        }
      } else {
        const auto exits = gates.core_exits(gates.node_entry(here.at));
        REQUIRE(exits.size() == 1);
        gate = &exits[0].gate, behind = exits[0].behind;
      }
      CHECK(step.gate.right == gate->right);
      CHECK(step.gate.left == gate->left);
      CHECK(std::tie(step.behind.tile, step.behind.at, step.behind.step) ==
            std::tie(behind.tile, behind.at, behind.step));
      if (here.step + 1 < step.row_end) CHECK(behind.step == here.step + 1);
    }
  return steps;
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

std::size_t compare(const World& world, std::uint64_t seed, double radius, int places, std::size_t& in_rows) {
  const navmesh::Mesh& mesh = *world.mesh;
  const auto tiles = std::make_shared<const CorridorTiles>(world.graph);
  const TangentTable table(tiles, radius);
  PlaceView view(table.disc_tiles(), table.gates(), table.geometry());
  test::Random random(seed);
  compare_gates(table.disc_tiles(), table.gates());
  in_rows += compare_rows(table.disc_tiles(), table.gates());
  std::size_t seen = 0;
  std::optional<navmesh::Place> last;
  for (int i = 0; i < places; ++i) {
    const auto place = free_place(mesh, random, radius);
    if (!place) break;
    const auto tile_of = [&](const navmesh::Place& at) {
      return tiles->tile_at(navmesh::locate(mesh, at).cell, at.point, table.disc_tiles().disc());
    };
    INFO("from " << place->point.x << "," << place->point.y << " radius " << radius);
    SeeAll all{table}, by_rows{table, true};
    for (SeeAll* visitor : {&all, &by_rows}) {
      view.begin(place->point, tile_of(*place));
      while (view.look(*visitor)) {
      }
      CHECK(visitor->nodes == step_by_step(table, place->point, tile_of(*place), !visitor->by_rows));
    }
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
  std::size_t seen = 0, in_rows = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 13, kind));
    for (const double radius : {0.0, 0.25, 1.0}) seen += compare(world, seed, radius, 20, in_rows);
  }
  for (const std::string& file : map_files({"kaiserslautern.geojson", "Milan_1_512.poly"})) {
    INFO("file " << file);
    const World world = read_world(file);
    for (const double radius : {0.0, 0.25, 1.0}) seen += compare(world, seed, radius, 20, in_rows);
  }
  CHECK(seen > 1000);
  CHECK(in_rows > 1000);
}

TEST_CASE("tangents: the tiles they lead through are kept, and are those of their lines") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  std::size_t walked = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 29, kind));
    for (const double radius : {0.0, 0.25, 1.0}) {
      const TangentTable table(std::make_shared<const CorridorTiles>(world.graph), radius);
      const std::size_t before = table.bytes();
      walked += compare_kept_walks(table, 3);
      CHECK(table.bytes() >= before);
    }
  }
  CHECK(walked > 1000);
}
