// What cleaning repairs, case by case, against results worked out by hand.
#include <algorithm>

#include "environment/clean/clean_support.hpp"

using namespace throng;
using namespace throng::environment;

TEST_CASE("a ring that touches itself in a point is two loops") {
  Sketch s = room();
  s.obstacle({{{2, 2}, {5, 5}, {8, 2}, {8, 8}, {5, 5}, {2, 8}}, {}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(free_area(c) == doctest::Approx(100 - 18));
  CHECK(hole_count(c) == 2);
}

TEST_CASE("spikes and duplicate points vanish") {
  Sketch s = room();
  s.obstacle({{{2, 2}, {2, 2}, {4, 2}, {4, 2}, {9, 2}, {4, 2}, {4, 4}, {4, 4}, {2, 4}}, {}});
  const CleanEnvironment c = sound(std::move(s));
  REQUIRE(hole_count(c) == 1);
  CHECK(c.layers[0].free[0].holes[0].size() == 4);
  CHECK(c.layers[0].walls.empty());
  CHECK(free_area(c) == doctest::Approx(96));
}

TEST_CASE("a spike of a walkable polygon adds nothing") {
  Sketch s("");
  s.walkable({{{0, 0}, {10, 0}, {15, 0}, {10, 0}, {10, 10}, {0, 10}}, {}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(c.layers[0].free[0].outer.size() == 4);
  CHECK(free_area(c) == doctest::Approx(100));
}

TEST_CASE("a flat polygon left a wall or none, depending on the vertex it began at") {
  // Exactly without area: a spike there and back, whichever way it is drawn. A thin wall is a LineString.
  Ring flat{{1.6, 6}, {0.9, 6.7}, {0.6, 7}};
  for (int start = 0; start < 3; ++start) {
    for (const bool backwards : {false, true}) {
      Sketch s = room();
      s.obstacle({backwards ? Ring(flat.rbegin(), flat.rend()) : flat, {}});
      const CleanEnvironment c = sound(std::move(s));
      CHECK(c.layers[0].walls.empty());
      CHECK(c.vertex_count() == 4);
    }
    std::rotate(flat.begin(), flat.begin() + 1, flat.end());
  }
}

TEST_CASE("walls shared exactly, by halves, and with millimetres of overlap become one obstacle") {
  Sketch s = room();
  s.obstacle({rectangle({1, 1}, {3, 5}), {}});
  s.obstacle({rectangle({3, 1}, {5, 3}), {}});
  s.obstacle({rectangle({4.998, 2}, {7, 6}), {}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(hole_count(c) == 1);
  CHECK(free_area(c) == doctest::Approx(100 - 8 - 4 - 8 - 0.002 * 3).epsilon(1e-9));
}

TEST_CASE("a gap of a millimetre stays a gap") {
  Sketch s = room();
  s.obstacle({rectangle({1, 1}, {3, 5}), {}});
  s.obstacle({rectangle({3.001, 1}, {5, 5}), {}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(hole_count(c) == 2);
}

TEST_CASE("obstacles that touch in a point seal the gap") {
  Sketch s = room();
  // A diagonal chain of squares from corner to corner of the room.
  for (int i = 0; i < 10; ++i) s.obstacle({rectangle({double(i), double(i)}, {i + 1.0, i + 1.0}), {}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(c.layers[0].free.size() == 2);
  CHECK(free_area(c) == doctest::Approx(90));
}

TEST_CASE("an obstacle in the corner of another's touching point keeps both sides apart") {
  Sketch s = room();
  s.obstacle({rectangle({0, 0}, {5, 5}), {}});
  s.obstacle({rectangle({5, 5}, {10, 10}), {}});
  const CleanEnvironment c = sound(std::move(s));
  REQUIRE(c.layers[0].free.size() == 2);
  CHECK(c.layers[0].free[0].outer.size() == 4);
}

TEST_CASE("slivers thinner than the grid are kept as walls") {
  Sketch s = room();
  Environment e = std::move(s).take();
  Feature sliver;
  sliver.kind = Kind::obstacle;
  sliver.polygons = {{{{2, 5}, {8, 5}, {8, 5.0001}, {2, 5.0001}}, {}}};
  sliver.number = e.features.size();
  e.features.push_back(sliver);
  const CleanEnvironment c = sound(e);
  REQUIRE(c.layers[0].walls.size() == 1);
  CHECK(c.layers[0].walls[0].points.size() == 2);
  CHECK(free_area(c) == doctest::Approx(100));
}

TEST_CASE("thin walls cross each other and end in obstacles") {
  Sketch s = room();
  s.wall({{1, 5}, {9, 5}});
  s.wall({{5, 1}, {5, 9}});
  s.obstacle({rectangle({8, 4}, {9.5, 6}), {}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(c.layers[0].walls.size() == 4);  // the crossing is a vertex, and what lies in the obstacle is gone
  CHECK(hole_count(c) == 1);
  CHECK(c.layers[0].free[0].holes[0].size() == 5);
}

TEST_CASE("a wall along the edge of an obstacle or of the room is not a wall of its own") {
  Sketch s = room();
  s.obstacle({rectangle({4, 4}, {6, 6}), {}});
  s.wall({{4, 3}, {4, 7}});
  s.wall({{0, 0}, {0, 10}});
  s.wall({{-5, 12}, {20, 12}});
  const CleanEnvironment c = sound(std::move(s));
  REQUIRE(c.layers[0].walls.size() == 2);
  CHECK(c.layers[0].walls[0].points.size() == 2);
}

TEST_CASE("a closed wall encloses free space without making a hole") {
  Sketch s = room();
  s.wall({{3, 3}, {7, 3}, {7, 7}, {3, 7}, {3, 3}});
  const CleanEnvironment c = sound(std::move(s));
  REQUIRE(c.layers[0].walls.size() == 1);
  CHECK(c.layers[0].walls[0].points.size() == 5);
  CHECK(free_area(c) == doctest::Approx(100));
  CHECK(hole_count(c) == 0);
}

TEST_CASE("a wall given twice, backwards, or in overlapping pieces is one wall") {
  Sketch s = room();
  s.wall({{2, 5}, {8, 5}});
  s.wall({{8, 5}, {2, 5}});
  s.wall({{2, 5}, {5, 5}});
  s.wall({{4, 5}, {9, 5}});
  s.wall({{3, 5}, {6, 5}, {4, 5}});
  const CleanEnvironment c = sound(std::move(s));
  REQUIRE(c.layers[0].walls.size() == 1);
  CHECK(c.layers[0].walls[0].points.size() == 2);
}

TEST_CASE("an opening cuts a wall") {
  Sketch s = room();
  s.wall({{0, 5}, {10, 5}});
  s.opening(rectangle({4, 4}, {6, 6}));
  const CleanEnvironment c = sound(std::move(s));
  REQUIRE(c.layers[0].walls.size() == 2);
  CHECK(free_area(c) == doctest::Approx(100));
}

TEST_CASE("a wall along the edge of an opening stays") {
  Sketch s = room();
  s.wall({{2, 4}, {8, 4}});
  s.opening(rectangle({4, 4}, {6, 6}));
  CHECK(sound(std::move(s)).layers[0].walls.size() == 1);
}

TEST_CASE("an opening before the obstacle does nothing") {
  Sketch s = room();
  s.opening(rectangle({4, 4}, {6, 6}));
  s.obstacle({rectangle({3, 3}, {7, 7}), {}});
  s.wall({{1, 5}, {9, 5}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(free_area(c) == doctest::Approx(84));
  CHECK(c.layers[0].walls.size() == 2);
}

TEST_CASE("an opening adds no walkable space") {
  Sketch s = room();
  s.opening(rectangle({5, 5}, {15, 15}));
  const CleanEnvironment c = sound(std::move(s));
  CHECK(free_area(c) == doctest::Approx(100));
}

TEST_CASE("obstacle, opening, obstacle: each counts from its place in the file on") {
  Sketch s = room();
  s.obstacle({rectangle({2, 2}, {8, 8}), {}});
  s.opening(rectangle({3, 3}, {7, 7}));
  s.obstacle({rectangle({4, 4}, {6, 6}), {}});
  s.opening(rectangle({4.5, 4.5}, {5.5, 5.5}));
  const CleanEnvironment c = sound(std::move(s));
  CHECK(free_area(c) == doctest::Approx(100 - 36 + 16 - 4 + 1));
  CHECK(c.layers[0].free.size() == 3);
}

TEST_CASE("an obstacle over everything leaves no free space, which is said but not refused") {
  Sketch s = room();
  s.obstacle({rectangle({-1, -1}, {11, 11}), {}});
  s.area("home", rectangle({1, 1}, {2, 2}));
  const Environment e = std::move(s).take();
  const Result<CleanEnvironment> c = clean(e);
  REQUIRE(c.ok());
  CHECK(c->layers[0].free.empty());
  CHECK(says(all(c.problems()), "no free space"));
  CHECK(says(all(c.problems()), "no part of this area is free space"));
  CHECK(c->layers[0].areas.empty());
  sound(e);
}

TEST_CASE("without a walkable feature the box of all others is walkable") {
  Sketch s("");
  s.obstacle({rectangle({2, 3}, {4, 5}), {}});
  s.wall({{0, 0}, {10, 6}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(free_area(c) == doctest::Approx(60 - 4));
}

TEST_CASE("a hole with an island that is walkable again") {
  Sketch s("");
  s.walkable({rectangle({0, 0}, {10, 10}), {rectangle({2, 2}, {8, 8})}});
  s.walkable({rectangle({4, 4}, {6, 6}), {}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(c.layers[0].free.size() == 2);
  CHECK(free_area(c) == doctest::Approx(64 + 4));
}

TEST_CASE("walkable polygons that share an edge become one") {
  Sketch s("");
  s.walkable({rectangle({0, 0}, {5, 10}), {}});
  s.walkable({rectangle({5, 2}, {10, 8}), {}});
  const CleanEnvironment c = sound(std::move(s));
  REQUIRE(c.layers[0].free.size() == 1);
  CHECK(c.layers[0].free[0].outer.size() == 8);
}

TEST_CASE("walkable polygons that touch in a point stay apart") {
  Sketch s("");
  s.walkable({rectangle({0, 0}, {5, 5}), {}});
  s.walkable({rectangle({5, 5}, {10, 10}), {}});
  CHECK(sound(std::move(s)).layers[0].free.size() == 2);
}

TEST_CASE("a hole that touches its outer ring") {
  Sketch s("");
  s.walkable({rectangle({0, 0}, {10, 10}), {{{0, 5}, {4, 4}, {4, 6}}, rectangle({5, 0}, {7, 2})}});
  const CleanEnvironment c = sound(std::move(s));
  CHECK(free_area(c) == doctest::Approx(100 - 4 - 4));
}

TEST_CASE("parts of a MultiPolygon may overlap") {
  Environment e = room().take();
  Feature two;
  two.kind = Kind::obstacle;
  two.number = 1;
  two.polygons = {{rectangle({2, 2}, {6, 6}), {rectangle({3, 3}, {5, 5})}}, {rectangle({4, 4}, {8, 8}), {}}};
  e.features.push_back(two);
  CHECK(free_area(sound(e)) == doctest::Approx(100 - (16 - 4) - 16 + 4 - 1));
}

TEST_CASE("later regions win, and obstacles cut them") {
  Sketch s = room();
  s.region("grass", {rectangle({0, 0}, {10, 10}), {}});
  s.obstacle({rectangle({4, 4}, {6, 6}), {}});
  s.region("road", {rectangle({0, 4}, {10, 6}), {}});
  s.region("grass", {rectangle({8, 4}, {10, 6}), {}});
  const CleanEnvironment c = sound(std::move(s));
  REQUIRE(c.layers[0].regions.size() == 2);
  CHECK(c.layers[0].regions[0].type == "grass");
  CHECK(area(c.layers[0].regions[0].polygons, c.grid) == doctest::Approx(80 + 4));
  CHECK(area(c.layers[0].regions[1].polygons, c.grid) == doctest::Approx(16 - 4));
}

TEST_CASE("areas of one name unite, areas of different names may overlap") {
  Sketch s = room();
  s.area("a", rectangle({0, 0}, {4, 4}));
  s.area("b", rectangle({2, 2}, {6, 6}));
  s.area("a", rectangle({3, 0}, {6, 4}));
  const CleanEnvironment c = sound(std::move(s));
  REQUIRE(c.layers[0].areas.size() == 2);
  CHECK(area(c.layers[0].areas[0].polygons, c.grid) == doctest::Approx(24));
  CHECK(area(c.layers[0].areas[1].polygons, c.grid) == doctest::Approx(16));
}

TEST_CASE("drawing grass moves no wall") {
  Sketch bare("");
  bare.walkable({{{0, 0}, {97.3, 1.7}, {91.1, 53.9}}, {}});
  Sketch green = bare;
  green.region("grass", {{{-3, 0.3}, {50, 70}, {120, 3.1}, {47.7, 1.1}}, {}});
  green.area("lawn", {{20, -1}, {21.7, 44}, {88, 33}});
  Environment one = std::move(bare).take(), other = std::move(green).take();
  one.grid = other.grid = geometry::SnapGrid();  // the box of the features, and with it the grid's origin, would differ
  CHECK(sound(one).layers[0].free == sound(other).layers[0].free);
}
