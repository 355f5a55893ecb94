// Every law broken by hand, to see that it is noticed.
#include "environment/clean/verify_clean.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace throng;
using namespace throng::environment;

namespace {

GridRing box(std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

/// The same box as a hole: clockwise, from the smallest vertex.
GridRing hole(std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1) {
  return {{x0, y0}, {x0, y1}, {x1, y1}, {x1, y0}};
}

/// Two rooms side by side on two layers, joined by a door; the first with a pillar, a wall, two regions and an area.
CleanEnvironment sound() {
  CleanEnvironment e;
  CleanLayer west{Layer{"west", {}}, {}, {}, {}, {}};
  west.free = {{{{0, 0}, {100, 0}, {100, 40}, {100, 60}, {100, 100}, {0, 100}}, {hole(40, 40, 60, 60)}}};
  west.walls = {{{{10, 10}, {20, 30}, {30, 10}}}};
  west.regions = {{"grass", {{box(0, 0, 50, 20), {}}}}, {"road", {{box(50, 0, 100, 20), {}}}}};
  west.areas = {{"door", {{box(90, 40, 100, 60), {}}}}};
  CleanLayer east{Layer{"east", {}}, {}, {}, {}, {}};
  east.free = {{{{100, 0}, {200, 0}, {200, 100}, {100, 100}, {100, 60}, {100, 40}}, {}}};
  e.layers = {west, east};
  e.connections = {{{100, 40}, {100, 60}, 0, 1}};
  return e;
}

std::string all(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) text += to_string(problem) + "\n";
  return text;
}

/// Whether a problem of this law, with these words, is among them.
bool caught(const CleanEnvironment& e, int law, const std::string& words) {
  const Problems problems = verify_clean(e);
  INFO(all(problems));
  const bool found = std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    return problem.message.starts_with("law " + std::to_string(law) + ":") &&
           problem.message.find(words) != std::string::npos;
  });
  CHECK(found);
  return found;
}

}  // namespace

TEST_CASE("a sound environment has nothing wrong") { CHECK(all(verify_clean(sound())) == ""); }

TEST_CASE("rings that share vertices are sound") {
  // Two pillars corner to corner, one of them touching the room's wall.
  CleanEnvironment e;
  e.layers.push_back({Layer{"a", {}}, {}, {}, {}, {}});
  e.layers[0].free = {{{{0, 0}, {100, 0}, {100, 100}, {60, 100}, {0, 100}},
                       {{{40, 80}, {60, 100}, {60, 80}}, {{60, 60}, {60, 80}, {80, 80}, {80, 60}}}}};
  CHECK(all(verify_clean(e)) == "");
}

TEST_CASE("law 1: crossings, overlaps and touches are noticed") {
  CleanEnvironment e = sound();
  SUBCASE("walls that cross") {
    e.layers[0].walls.push_back({{{12, 20}, {28, 21}}});
    caught(e, 1, "cross");
  }
  SUBCASE("a wall across a pillar") {
    e.layers[0].walls.push_back({{{30, 50}, {70, 51}}});
    caught(e, 1, "cross");
  }
  SUBCASE("a wall that ends within an edge") {
    e.layers[0].walls.push_back({{{20, 50}, {40, 50}}});
    caught(e, 1, "touch");
  }
  SUBCASE("a wall along an edge") {
    e.layers[0].walls.push_back({{{40, 45}, {40, 55}}});
    caught(e, 1, "overlap");
  }
  SUBCASE("a wall twice") {
    e.layers[0].walls.push_back(e.layers[0].walls[0]);
    caught(e, 1, "overlap");
  }
  SUBCASE("one hole touches another within an edge") {
    e.layers[0].free[0].holes.push_back(hole(60, 45, 70, 55));
    caught(e, 1, "");
  }
  SUBCASE("a coordinate beyond the largest") {
    e.layers[1].free[0].outer[1].x = geometry::max_coordinate + 1;
    caught(e, 1, "coordinate");
  }
}

TEST_CASE("law 2: broken rings are noticed") {
  CleanEnvironment e = sound();
  GridPolygon& room = e.layers[0].free[0];
  SUBCASE("two vertices") {
    room.holes[0] = {{40, 40}, {60, 60}};
    caught(e, 2, "a ring of 2");
  }
  SUBCASE("a vertex visited twice") {
    room.holes[0] = {{40, 40}, {50, 50}, {40, 60}, {60, 60}, {50, 50}, {60, 40}};
    caught(e, 2, "twice");
  }
  SUBCASE("a bow tie") {
    room.holes[0] = {{40, 40}, {60, 60}, {60, 40}, {40, 60}};
    caught(e, 1, "cross");
  }
  SUBCASE("an outer ring clockwise") {
    std::reverse(room.outer.begin() + 1, room.outer.end());
    caught(e, 2, "wrong way");
  }
  SUBCASE("a hole counterclockwise") {
    room.holes[0] = box(40, 40, 60, 60);
    caught(e, 2, "wrong way");
  }
  SUBCASE("a needless straight vertex") {
    room.outer.insert(room.outer.begin() + 1, {50, 0});
    caught(e, 2, "straight");
  }
  SUBCASE("a straight vertex where a wall ends is right") {
    room.outer.insert(room.outer.begin() + 1, {50, 0});
    e.layers[0].walls.push_back({{{50, 0}, {50, 10}}});
    CHECK(all(verify_clean(e)) == "");
  }
  SUBCASE("a hole outside its polygon") {
    room.holes[0] = hole(140, 40, 160, 60);
    caught(e, 2, "beside it");
  }
  SUBCASE("a hole in a hole") {
    room.holes.push_back(hole(45, 45, 55, 55));
    caught(e, 2, "beside it");
  }
  SUBCASE("a polygon in another") {
    e.layers[0].free.push_back({box(70, 70, 80, 80), {}});
    caught(e, 2, "beside it");
  }
  SUBCASE("a hole listed under the wrong polygon") {
    e.layers[1].free.push_back({box(210, 0, 300, 100), {hole(110, 10, 120, 20)}});
    caught(e, 2, "beside it");
  }
  SUBCASE("an island within a hole is right") {
    e.layers[0].free.push_back({box(45, 45, 55, 55), {}});
    CHECK(all(verify_clean(e)) == "");
  }
}

TEST_CASE("law 3: broken walls are noticed") {
  CleanEnvironment e = sound();
  SUBCASE("in a pillar") {
    e.layers[0].walls.push_back({{{45, 45}, {55, 55}}});
    caught(e, 3, "not in free space");
  }
  SUBCASE("outside of everything") {
    e.layers[0].walls.push_back({{{300, 300}, {310, 310}}});
    caught(e, 3, "not in free space");
  }
  SUBCASE("of one point") {
    e.layers[0].walls.push_back({{{70, 70}}});
    caught(e, 3, "no length");
  }
  SUBCASE("standing still") {
    e.layers[0].walls.push_back({{{70, 70}, {70, 70}}});
    caught(e, 3, "no length");
  }
  SUBCASE("straight") {
    e.layers[0].walls.push_back({{{70, 70}, {75, 75}, {80, 80}}});
    caught(e, 3, "straight");
  }
}

TEST_CASE("law 4: broken regions and areas are noticed") {
  CleanEnvironment e = sound();
  CleanLayer& west = e.layers[0];
  SUBCASE("regions that overlap partly") {
    west.regions[1].polygons[0].outer = box(45, 0, 100, 20);
    caught(e, 4, "overlap");
  }
  SUBCASE("regions that cross") {
    west.regions[1].polygons[0].outer = box(45, 10, 100, 30);
    caught(e, 4, "cross");
  }
  SUBCASE("the same region twice") {
    west.regions[1].polygons = west.regions[0].polygons;
    caught(e, 4, "overlap");
  }
  SUBCASE("a region in a region") {
    west.regions[1].polygons[0].outer = box(10, 5, 20, 15);
    caught(e, 4, "beside it");
  }
  SUBCASE("a region over a pillar") {
    west.regions[1].polygons[0].outer = box(35, 35, 65, 65);
    caught(e, 4, "covers what is not free");
  }
  SUBCASE("a region over the tip of a needle is within bounds") {
    west.free[0].holes.push_back({{10, 60}, {10, 61}, {30, 60}});
    west.regions[1].polygons[0].outer = box(20, 50, 35, 70);
    std::swap(west.free[0].holes[0], west.free[0].holes[1]);
    CHECK(all(verify_clean(e)) == "");
  }
  SUBCASE("a region in a pillar") {
    west.regions[1].polygons[0].outer = box(45, 45, 55, 55);
    caught(e, 4, "leaves free space");
  }
  SUBCASE("a region beyond the wall") {
    west.regions[1].polygons[0].outer = box(50, -3, 100, 20);
    caught(e, 4, "leaves free space");
  }
  SUBCASE("two units beyond are within bounds") {
    west.regions[1].polygons[0].outer = box(50, -2, 100, 20);
    CHECK(all(verify_clean(e)) == "");
  }
  SUBCASE("regions that share part of an edge are right") {
    west.regions[1].polygons[0].outer = box(50, 5, 100, 30);
    CHECK(all(verify_clean(e)) == "");
  }
  SUBCASE("an area that leaves free space") {
    west.areas[0].polygons[0].outer = box(90, 40, 110, 60);
    caught(e, 4, "area 'door' leaves free space");
  }
  SUBCASE("parts of an area that overlap") {
    west.areas[0].polygons.push_back({box(95, 40, 100, 70), {}});
    caught(e, 4, "");
  }
  SUBCASE("areas may overlap each other") {
    west.areas.push_back({"gate", {{box(95, 30, 100, 70), {}}}});
    CHECK(all(verify_clean(e)) == "");
  }
}

TEST_CASE("law 5: broken connections are noticed") {
  CleanEnvironment e = sound();
  SUBCASE("backwards") {
    std::swap(e.connections[0].left_layer, e.connections[0].right_layer);
    caught(e, 5, "left layer's");
  }
  SUBCASE("part of an edge") {
    e.connections[0].b = {100, 50};
    caught(e, 5, "right layer's");
  }
  SUBCASE("not in one of the layers") {
    e.layers[1].free[0].outer = box(100, 0, 200, 100);
    caught(e, 5, "right layer's");
  }
  SUBCASE("to no layer") {
    e.connections[0].right_layer = 2;
    caught(e, 5, "layers 0 and 2");
  }
  SUBCASE("to itself") {
    e.connections[0].right_layer = 0;
    caught(e, 5, "layers 0 and 0");
  }
  SUBCASE("twice") {
    e.connections.push_back(e.connections[0]);
    caught(e, 5, "two connections");
  }
}

TEST_CASE("law 8: disorder is noticed") {
  CleanEnvironment e = sound();
  CleanLayer& west = e.layers[0];
  SUBCASE("a ring that starts elsewhere") {
    std::rotate(west.free[0].outer.begin(), west.free[0].outer.begin() + 2, west.free[0].outer.end());
    caught(e, 8, "smallest vertex");
  }
  SUBCASE("holes") {
    west.free[0].holes.push_back(hole(20, 70, 30, 80));
    caught(e, 8, "holes");
  }
  SUBCASE("polygons") {
    e.layers[1].free.push_back({box(0, 0, 10, 10), {}});
    caught(e, 8, "polygons");
  }
  SUBCASE("walls") {
    west.walls.push_back({{{5, 5}, {6, 6}}});
    caught(e, 8, "walls");
  }
  SUBCASE("a wall backwards") {
    std::reverse(west.walls[0].points.begin(), west.walls[0].points.end());
    caught(e, 8, "larger of its directions");
  }
  SUBCASE("connections") {
    e.connections.push_back({{50, 40}, {50, 60}, 0, 1});
    caught(e, 8, "connections");
  }
  SUBCASE("regions") {
    std::swap(west.regions[0], west.regions[1]);
    caught(e, 8, "regions");
  }
}

TEST_CASE("thousands of problems are told in a few dozen") {
  CleanEnvironment e = sound();
  for (std::int32_t i = 1; i < 100; ++i)
    e.layers[0].walls.push_back({{{i, 70 + i % 3}, {i, 90}}}), e.layers[0].walls.push_back({{{0, 70}, {99, i}}});
  CHECK(verify_clean(e).size() < 120);
  CHECK(verify_clean(e).size() > 20);
}
