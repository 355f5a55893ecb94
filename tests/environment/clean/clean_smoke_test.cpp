// The basic cases of cleaning, worked out by hand.
#include <doctest/doctest.h>

#include "environment/clean/clean.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

Polygon rectangle(double x0, double y0, double x1, double y1) { return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}; }

Environment room() {
  Environment e;
  e.layers.push_back({"ground", {}});
  e.features.push_back({.kind = Kind::walkable, .polygons = {rectangle(0, 0, 10, 10)}});
  return e;
}

double free_area(const CleanEnvironment& c) { return area(c.layers[0].free, c.grid); }

}  // namespace

TEST_CASE("an empty room is itself") {
  const auto c = clean(room());
  REQUIRE(c.ok());
  REQUIRE(c->layers[0].free.size() == 1);
  CHECK(c->layers[0].free[0].outer.size() == 4);
  CHECK(free_area(*c) == doctest::Approx(100));
}

TEST_CASE("overlapping and touching obstacles unite") {
  Environment e = room();
  e.features.push_back({.kind = Kind::obstacle, .polygons = {rectangle(2, 2, 4, 4)}});
  e.features.push_back({.kind = Kind::obstacle, .polygons = {rectangle(3, 3, 5, 5)}});
  e.features.push_back({.kind = Kind::obstacle, .polygons = {rectangle(5, 3, 6, 5)}});
  const auto c = clean(e);
  REQUIRE(c.ok());
  REQUIRE(c->layers[0].free[0].holes.size() == 1);
  CHECK(c->layers[0].free[0].holes[0].size() == 8);
  CHECK(free_area(*c) == doctest::Approx(100 - 4 - 3 - 2));
}

TEST_CASE("an opening cuts obstacles and walls given before it, not after") {
  Environment e = room();
  e.features.push_back({.kind = Kind::obstacle, .polygons = {rectangle(4, 0, 5, 10)}});
  e.features.push_back({.kind = Kind::obstacle, .lines = {{{8, 0}, {8, 10}}}});
  e.features.push_back({.kind = Kind::opening, .polygons = {rectangle(3, 4, 9, 6)}});
  e.features.push_back({.kind = Kind::obstacle, .polygons = {rectangle(6, 4.5, 7, 5.5)}});
  const auto c = clean(e);
  REQUIRE(c.ok());
  CHECK(free_area(*c) == doctest::Approx(100 - 8 - 1));
  CHECK(c->layers[0].walls.size() == 2);
}

TEST_CASE("a wall across the room splits nothing off but is a wall") {
  Environment e = room();
  e.features.push_back({.kind = Kind::obstacle, .lines = {{{-1, 5}, {11, 5}}}});
  e.features.push_back({.kind = Kind::obstacle, .lines = {{{5, 2}, {5, 8}}}});
  const auto c = clean(e);
  REQUIRE(c.ok());
  CHECK(c->layers[0].free.size() == 1);
  CHECK(c->layers[0].free[0].outer.size() == 6);
  CHECK(c->layers[0].walls.size() == 4);
}

TEST_CASE("obstacles that touch at a point give two rings") {
  Environment e = room();
  e.features.push_back({.kind = Kind::obstacle, .polygons = {rectangle(2, 2, 4, 4)}});
  e.features.push_back({.kind = Kind::obstacle, .polygons = {rectangle(4, 4, 6, 6)}});
  const auto c = clean(e);
  REQUIRE(c.ok());
  CHECK(c->layers[0].free[0].holes.size() == 2);
}

TEST_CASE("bow ties and nested holes are refused with their place") {
  Environment e = room();
  e.features.push_back({.kind = Kind::obstacle, .polygons = {{{{2, 2}, {6, 6}, {6, 2}, {2, 5}}, {}}}, .number = 1});
  const auto c = clean(e);
  REQUIRE(!c.ok());
  CHECK(to_string(c.problems()[0]).find("feature 1 (obstacle) at (") != std::string::npos);
  CHECK(to_string(c.problems()[0]).find("crosses itself") != std::string::npos);

  e = room();
  Polygon nested = rectangle(1, 1, 9, 9);
  nested.holes = {rectangle(2, 2, 8, 8).outer, rectangle(3, 3, 7, 7).outer};
  e.features.push_back({.kind = Kind::obstacle, .polygons = {nested}});
  CHECK(!clean(e).ok());
}

TEST_CASE("regions are disjoint, clipped, and later ones win") {
  Environment e = room();
  e.features.push_back({.kind = Kind::region, .polygons = {rectangle(-5, 0, 5, 5)}, .type = "grass"});
  e.features.push_back({.kind = Kind::region, .polygons = {rectangle(4, 0, 6, 20)}, .type = "road"});
  e.features.push_back({.kind = Kind::area, .polygons = {rectangle(8, 8, 12, 12)}, .name = "exit"});
  const auto c = clean(e);
  REQUIRE(c.ok());
  REQUIRE(c->layers[0].regions.size() == 2);
  CHECK(area(c->layers[0].regions[0].polygons, c->grid) == doctest::Approx(20));
  CHECK(area(c->layers[0].regions[1].polygons, c->grid) == doctest::Approx(20));
  CHECK(area(c->layers[0].areas[0].polygons, c->grid) == doctest::Approx(4));
}

TEST_CASE("a connection joins two layers at their common border") {
  Environment e = room();
  e.layers.push_back({"upper", {}});
  e.features.push_back({.kind = Kind::walkable, .layer = 1, .polygons = {rectangle(10, 2, 20, 8)}});
  e.features.push_back({.kind = Kind::connection, .layer = 0, .other_layer = 1, .lines = {{{10, 3}, {10, 5}}}});
  auto c = clean(e);
  REQUIRE(c.ok());
  REQUIRE(c->connections.size() == 1);
  CHECK(c->connections[0].left_layer == 0);
  CHECK(c->layers[0].free[0].outer.size() == 6);
  e.features.back().lines = {{{9, 3}, {9, 5}}};
  CHECK(!clean(e).ok());
  e.features.back().lines = {{{10, 1}, {10, 5}}};
  CHECK(!clean(e).ok());
}

TEST_CASE("a thin wall across the border of two layers holds the ends of the connections beside it") {
  Environment e = room();
  e.layers.push_back({"upper", {}});
  e.features.push_back({.kind = Kind::walkable, .layer = 1, .polygons = {rectangle(10, 0, 20, 10)}});
  const auto connect = [&](double low, double high) {
    e.features.push_back({.kind = Kind::connection, .layer = 0, .other_layer = 1, .lines = {{{10, low}, {10, high}}}});
  };
  connect(0, 5);
  connect(5, 10);
  CHECK(!clean(e).ok());  // nothing at (10, 5)
  e.features.push_back({.kind = Kind::obstacle, .layer = 0, .lines = {{{6, 5}, {10, 5}}}});
  const auto c = clean(e);
  REQUIRE(c.ok());
  CHECK(c->connections.size() == 2);
}

TEST_CASE("cleaning what is clean changes nothing") {
  Environment e = room();
  e.features.push_back({.kind = Kind::obstacle, .polygons = {{{{2, 2}, {6.1, 3.33}, {4, 8}}, {}}}});
  e.features.push_back({.kind = Kind::obstacle, .lines = {{{0.1, 5}, {9, 5.77}}}});
  e.features.push_back({.kind = Kind::region, .polygons = {{{{-1, 1}, {8.1, 3.33}, {4, 9.1}}, {}}}, .type = "grass"});
  const auto once = clean(e);
  REQUIRE(once.ok());
  const auto twice = clean(to_environment(*once));
  REQUIRE(twice.ok());
  CHECK(once->hash() == twice->hash());
}
