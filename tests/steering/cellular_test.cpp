#include "steering/cellular.hpp"

#include <doctest/doctest.h>

#include "steering/people_of.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

/// The middle of a cell of half a metre.
Vec2 middle(int column, int row) { return {column * 0.5 + 0.25, row * 0.5 + 0.25}; }

/// Where somebody in cell (0, 0) that wants along x at 1 m/s goes, others standing in the middle of these cells.
Vec2 among(const std::vector<std::pair<int, int>>& cells) {
  Columns columns(hall());
  columns.add({middle(0, 0), 0}, {1, 0});
  for (const auto& [column, row] : cells) columns.add({middle(column, row), 0});
  return Loop(cellular(), columns).steer()[0];
}

Vec2 towards(int column, int row) {
  const Vec2 way = middle(column, row) - middle(0, 0);
  return way / length(way);
}

}  // namespace

TEST_CASE("cellular: the preferred velocity while four cells ahead are free, whoever is beside") {
  CHECK(among({}) == Vec2{1, 0});
  CHECK(among({{5, 0}, {1, 1}, {1, -1}, {0, 1}, {-1, 0}}) == Vec2{1, 0});
}

TEST_CASE("cellular: front right, front left, right, left, back right, back left, back, or nowhere") {
  const std::vector<std::pair<int, int>> order{{1, -1}, {1, 1}, {0, -1}, {0, 1}, {-1, -1}, {-1, 1}, {-1, 0}};
  for (const int ahead : {1, 2, 3, 4}) {
    std::vector<std::pair<int, int>> taken{{ahead, 0}};
    for (const auto& next : order) {
      CHECK(length(among(taken) - towards(next.first, next.second)) < 1e-9);
      taken.push_back(next);
    }
    CHECK(among(taken) == Vec2{});
  }
}

TEST_CASE("cellular: who stands where cells meet takes all of them") {
  Columns columns(hall());
  columns.add({middle(0, 0), 0}, {1, 0});
  columns.add({{1, 0}, 0});  // the corner of (1, 0), (2, 0), (1, -1), (2, -1)
  CHECK(length(Loop(cellular(), columns).steer()[0] - towards(1, 1)) < 1e-9);
}

TEST_CASE("cellular: two exactly head-on mirror each other; in one cell both go on") {
  Columns columns(hall());
  columns.add({middle(0, 0), 0}, {1, 0});
  columns.add({middle(3, 0), 0}, {-1, 0});
  columns.add({middle(20, 0), 0}, {1, 0});
  columns.add({middle(20, 0), 0}, {1, 0});
  const std::vector<Vec2> walks = Loop(cellular(), columns).steer();
  CHECK(length(walks[0] - towards(1, -1)) < 1e-9);
  CHECK(length(walks[0] + walks[1]) < 1e-9);
  CHECK(walks[2] == Vec2{1, 0});
}

TEST_CASE("cellular: cells in walls are not made for, a goal before a wall is") {
  Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).wall({{10, 4.9}, {14, 4.9}}).clean()));
  const Slot slot = columns.add({middle(22, 10), 0}, {1, 0});  // the thin wall 0.35 m to the right
  columns.add({middle(24, 10), 0});
  const Slot other = columns.add({{18.5, 10.25}, 0}, {1, 0});
  const std::vector<Vec2> walks = Loop(cellular(), columns).steer();
  CHECK(length(walks[slot] - towards(1, 1)) < 1e-9);
  CHECK(length(walks[other] - Vec2{1, 0}) < 1e-9);
}

TEST_CASE("cellular: at rest it stands") {
  Columns columns(hall());
  columns.add({{0, 0}, 0});
  CHECK(Loop(cellular(), columns).steer()[0] == Vec2{});
}
