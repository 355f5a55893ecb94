// What cleaning refuses, with the feature and the place.
#include <limits>

#include "environment/clean/clean_support.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

/// Two rooms side by side on two layers; their common border is x = 10, from y = 2 to y = 8 on the east.
Sketch two_rooms() {
  Sketch s("plan", {Layer{"west", {}}, Layer{"east", {}}});
  s.walkable({rectangle({0, 0}, {10, 10}), {}}, 0);
  s.walkable({rectangle({10, 2}, {20, 8}), {}}, 1);
  return s;
}

std::string refused_connection(Vec2 a, Vec2 b) {
  Sketch s = two_rooms();
  s.connection(a, b, 0, 1);
  return refusal(std::move(s));
}

}  // namespace

TEST_CASE("a bow tie is refused with its crossing") {
  Sketch s = room();
  s.obstacle({{{2, 2}, {6, 6}, {6, 2}, {2, 6}}, {}});
  const std::string text = refusal(std::move(s));
  CHECK(says(text, "feature 1 (obstacle) at (4, 4)"));
  CHECK(says(text, "crosses itself"));
}

TEST_CASE("bow ties are refused in every kind, all in one go") {
  const Ring bow_tie{{2, 2}, {6, 6}, {6, 2}, {2, 6}};
  Sketch s = room();
  s.opening(bow_tie);
  s.region("grass", {bow_tie, {}});
  s.area("here", bow_tie);
  s.walkable({bow_tie, {}});
  const std::string text = refusal(std::move(s));
  for (const char* feature :
       {"feature 1 (opening)", "feature 2 (region)", "feature 3 (area 'here')", "feature 4 (walkable)"}) {
    CAPTURE(feature);
    CHECK(says(text, feature));
  }
}

TEST_CASE("a polygon that winds round twice is refused") {
  Sketch s = room();
  s.obstacle({{{1, 1}, {8, 1}, {8, 8}, {2, 8}, {2, 2}, {7, 2}, {7, 7}, {1, 7}}, {}});
  CHECK(says(refusal(std::move(s)), "feature 1 (obstacle)"));
}

TEST_CASE("a hole in a hole is refused") {
  Sketch s = room();
  s.obstacle({rectangle({1, 1}, {9, 9}), {rectangle({2, 2}, {8, 8}), rectangle({4, 4}, {6, 6})}});
  const std::string text = refusal(std::move(s));
  CHECK(says(text, "feature 1 (obstacle)"));
  CHECK(says(text, "hole"));
}

TEST_CASE("a hole outside its polygon is refused") {
  Sketch s = room();
  s.obstacle({rectangle({1, 1}, {4, 4}), {rectangle({6, 6}, {8, 8})}});
  const std::string text = refusal(std::move(s));
  CHECK(says(text, "feature 1 (obstacle)"));
  CHECK(says(text, "hole"));
}

TEST_CASE("holes that overlap each other or their outer ring are refused") {
  SUBCASE("each other") {
    Sketch s = room();
    s.obstacle({rectangle({1, 1}, {9, 9}), {rectangle({2, 2}, {6, 6}), rectangle({4, 4}, {8, 8})}});
    CHECK(says(refusal(std::move(s)), "feature 1 (obstacle)"));
  }
  SUBCASE("the outer ring") {
    Sketch s = room();
    s.obstacle({rectangle({1, 1}, {5, 5}), {rectangle({4, 2}, {8, 4})}});
    CHECK(says(refusal(std::move(s)), "feature 1 (obstacle)"));
  }
}

TEST_CASE("a proper connection is taken, whichever way it is drawn") {
  for (const bool backwards : {false, true}) {
    Sketch s = two_rooms();
    s.connection({10, backwards ? 5.0 : 3.0}, {10, backwards ? 3.0 : 5.0}, backwards ? 1 : 0, backwards ? 0 : 1);
    const CleanEnvironment c = sound(std::move(s));
    REQUIRE(c.connections.size() == 1);
    CHECK(c.connections[0].left_layer == 0);
    CHECK(c.connections[0].right_layer == 1);
  }
}

TEST_CASE("a connection inside free space is refused") {
  const std::string text = refused_connection({9, 3}, {9, 5});
  CHECK(says(text, "feature 2 (connection) at (9, 3)"));
  CHECK(says(text, "inside the free space of layer 'west'"));
}

TEST_CASE("a connection outside of everything is refused") {
  CHECK(says(refused_connection({30, 3}, {30, 5}), "outside the free space of layer"));
}

TEST_CASE("a connection that reaches beyond one layer's boundary is refused") {
  CHECK(says(refused_connection({10, 1}, {10, 5}), "feature 2 (connection)"));
}

TEST_CASE("a connection half on the boundary is refused") {
  CHECK(says(refused_connection({10, 3}, {11, 5}), "feature 2 (connection)"));
}

TEST_CASE("a connection with free space on the same side in both layers is refused") {
  Sketch s("plan", {Layer{"lower", {}}, Layer{"upper", {}}});
  s.walkable({rectangle({0, 0}, {10, 10}), {}}, 0);
  s.walkable({rectangle({0, 2}, {10, 8}), {}}, 1);
  s.connection({10, 3}, {10, 5}, 0, 1);
  CHECK(says(refusal(std::move(s)), "same side"));
}

TEST_CASE("a connection bent by a vertex between its ends is refused") {
  Sketch s("plan", {Layer{"west", {}}, Layer{"east", {}}});
  s.walkable({{{0, 0}, {10, 0}, {10.001, 4}, {10, 10}, {0, 10}}, {}}, 0);
  s.walkable({rectangle({10, 2}, {20, 8}), {}}, 1);
  s.connection({10, 3}, {10, 5}, 0, 1);
  CHECK(says(refusal(std::move(s)), "feature 2 (connection)"));
}

TEST_CASE("a connection that an obstacle touches between its ends becomes two") {
  Sketch s = two_rooms();
  s.obstacle({{{10, 4}, {8, 3.5}, {8, 4.5}}, {}});
  s.connection({10, 3}, {10, 5}, 0, 1);
  CHECK(sound(std::move(s)).connections.size() == 2);
}

TEST_CASE("an obstacle on part of a connection leaves the rest open and is a wall to the other layer") {
  const auto covered = [](double from, double to, std::size_t layer) {
    Sketch s = two_rooms();
    s.obstacle({rectangle({9, from}, {11, to}), {}}, layer);
    s.connection({10, 3}, {10, 5}, 0, 1);
    return sound(std::move(s));
  };
  for (const std::size_t layer : {0, 1}) {
    CHECK(covered(2.5, 4, layer).connections.size() == 1);
    const CleanEnvironment middle = covered(3.5, 4.5, layer);
    REQUIRE(middle.connections.size() == 2);
    CHECK(middle.connections[0].b.y - middle.connections[0].a.y == 500);
    CHECK(covered(2.5, 5.5, layer).connections.empty());  // all of it: closed
  }
}

TEST_CASE("obstacles of both layers on one connection: what both leave open is open, also where they cross it askew") {
  Sketch s = two_rooms();
  s.obstacle({{{9, 3.3}, {11, 3.71}, {11, 3.9}, {9, 3.4003}}, {}}, 0);
  s.obstacle({{{9, 4.6}, {11, 4.2007}, {11, 4.9}, {9, 4.7}}, {}}, 1);
  s.connection({10, 3}, {10, 5}, 0, 1);
  CHECK(sound(std::move(s)).connections.size() == 3);
}

TEST_CASE("two connections that overlap are refused") {
  Sketch s = two_rooms();
  s.connection({10, 3}, {10, 5}, 0, 1);
  s.connection({10, 4}, {10, 6}, 0, 1);
  CHECK(says(refusal(std::move(s)), "(connection)"));
}

TEST_CASE("a connection given twice is one") {
  Sketch s = two_rooms();
  s.connection({10, 3}, {10, 5}, 0, 1);
  s.connection({10, 5}, {10, 3}, 1, 0);
  CHECK(sound(std::move(s)).connections.size() == 1);
}

TEST_CASE("one edge cannot lead to two layers") {
  Sketch s("plan", {Layer{"west", {}}, Layer{"east", {}}, Layer{"other", {}}});
  s.walkable({rectangle({0, 0}, {10, 10}), {}}, 0);
  s.walkable({rectangle({10, 2}, {20, 8}), {}}, 1);
  s.walkable({rectangle({10, 2}, {20, 8}), {}}, 2);
  s.connection({10, 3}, {10, 5}, 0, 1);
  s.connection({10, 3}, {10, 5}, 0, 2);
  CHECK(says(refusal(std::move(s)), "(connection)"));
}

TEST_CASE("two connections end to end without an obstacle between them are refused") {
  Sketch s = two_rooms();
  s.connection({10, 3}, {10, 5}, 0, 1);
  s.connection({10, 5}, {10, 7}, 0, 1);
  CHECK(says(refusal(std::move(s)), "not on an obstacle"));
}

TEST_CASE("a connection shorter than the grid is refused") {
  Sketch s = two_rooms();
  Environment e = std::move(s).take();
  Feature c;
  c.kind = Kind::connection;
  c.layer = 0;
  c.other_layer = 1;
  c.lines = {{{10, 3}, {10, 3.0001}}};
  c.number = 2;
  e.features.push_back(c);
  CHECK(says(refusal(e), "feature 2 (connection)"));
}

TEST_CASE("a grid too fine for the world, or no length at all, is refused") {
  const Environment e = room().take();
  for (const double unit :
       {1e-9, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CAPTURE(unit);
    CHECK(!clean(e, {.unit = unit}).ok());
  }
}

TEST_CASE("no features and no grid: refused") {
  Environment e;
  e.layers.push_back({"ground", {}});
  CHECK(says(refusal(e), "no features"));
}
