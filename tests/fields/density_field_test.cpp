// Fields held to sums over people that know nothing of stamps, blocks or kernels that are kept.
#include "fields/density_field.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "environment/sketch.hpp"
#include "fields/occupancy.hpp"
#include "navmesh/build.hpp"
#include "navmesh/cells.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::fields;
using navmesh::Mesh;
using navmesh::MeshPtr;
using navmesh::Place;

namespace {

environment::Polygon box(double x0, double y0, double x1, double y1) {
  return {environment::rectangle({x0, y0}, {x1, y1}), {}};
}

MeshPtr built(const environment::Environment& source) {
  auto clean = environment::clean(source);
  REQUIRE(clean.ok());
  auto mesh = navmesh::build_mesh(*clean);
  REQUIRE(mesh.ok());
  return *mesh;
}

/// A hall with pillars and a thin wall.
MeshPtr hall() {
  environment::Sketch sketch("hall");
  sketch.walkable(box(0, 0, 30, 20));
  sketch.obstacle(box(8.13, 6, 10.2, 9.47));
  sketch.obstacle(box(15, 11, 15.8, 11.8));
  sketch.wall({{20, 0}, {20, 14.2}});
  return built(std::move(sketch).take());
}

struct Walker {
  Place place;
  Vec2 velocity;
  Stamp stamp;
};

std::vector<Walker> strewn(const Mesh& mesh, DensityField& field, std::size_t count, test::Random& random) {
  std::vector<Walker> walkers;
  while (walkers.size() < count) {
    const Index layer = Index(random.below(mesh.layers.size()));
    const auto place =
        navmesh::random_point(mesh, layer, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
    if (!place) continue;
    Walker walker{*place, {random.uniform(-2, 2), random.uniform(-2, 2)}, {}};
    walker.stamp = field.stamp_of(walker.place, walker.velocity);
    field.add(walker.stamp);
    walkers.push_back(walker);
  }
  return walkers;
}

double plain_kernel(double square) {
  return square > 4 * 1.2 * 1.2 + 1e-9 ? 0 : std::exp(-square / (1.2 * 1.2)) / (std::numbers::pi * 1.2 * 1.2);
}

/// One person's density at every square that can be walked to, by a flood of its own: depth first, in doubles, over the middles of squares.
std::map<Square, double> by_flood(const Mesh& mesh, const Square& centre) {
  std::map<Square, double> weights;
  const auto middle = [](const Square& s) { return Vec2{0.3 * s.column + 0.15, 0.3 * s.row + 0.15}; };
  const auto go = [&](const auto& self, const Square& at) -> void {
    const double square = squared_length(middle(at) - middle(centre));
    weights[at] = std::exp(-square / 1.44);
    for (int turn = 0; turn < 4; ++turn) {
      const Square next{at.column + (turn == 0) - (turn == 1), at.row + (turn == 2) - (turn == 3), at.layer};
      if (weights.contains(next) || squared_length(middle(next) - middle(centre)) > 2.4 * 2.4 + 1e-9) continue;
      if (navmesh::visible(mesh, {middle(at), at.layer}, {middle(next), next.layer}, 0)) self(self, next);
    }
  };
  go(go, centre);
  double sum = 0;
  for (const auto& [s, weight] : weights) sum += weight;
  for (auto& [s, weight] : weights) weight /= sum * 0.09;
  return weights;
}

}  // namespace

TEST_CASE("fields: the plain kernel is the published sum, at ten thousand places") {
  const MeshPtr mesh = hall();
  DensityField field(mesh, KernelKind::plain);
  test::Random random(test::test_seed());
  const std::vector<Walker> walkers = strewn(*mesh, field, 400, random);
  double worst = 0, worst_speed = 0;
  for (int i = 0; i < 10000; ++i) {
    const Square square = square_at({{random.uniform(0, 30), random.uniform(0, 20)}, 0}, square_side);
    double expected = 0;
    Vec2 moving;
    for (const Walker& w : walkers) {
      const Vec2 at = {0.3 * std::floor(w.place.point.x / 0.3) + 0.15, 0.3 * std::floor(w.place.point.y / 0.3) + 0.15};
      const double here = plain_kernel(squared_length(middle_of(square, 0.3) - at));
      expected += here;
      moving += w.velocity * here;
    }
    worst = std::max(worst, std::abs(field.density(square) - expected));
    if (expected > 0.05) worst_speed = std::max(worst_speed, length(field.velocity(square) - moving / expected));
  }
  MESSAGE("worst " << worst << " persons a square metre, " << worst_speed << " m/s");
  CHECK(worst < 1e-4);
  CHECK(worst_speed < 2e-3);
}

TEST_CASE("fields: between walls a person is spread over ground that can be walked to, at ten thousand places") {
  environment::Sketch sketch("walls between squares");
  sketch.walkable(box(0, 0, 12, 9));
  sketch.obstacle(box(3, 3, 4.5, 6));
  sketch.wall({{6, 0}, {6, 6}});
  sketch.wall({{9, 9}, {9, 2.1}});
  const MeshPtr mesh = built(std::move(sketch).take());
  DensityField field(mesh);
  test::Random random(test::test_seed());
  const std::vector<Walker> walkers = strewn(*mesh, field, 60, random);
  std::map<Square, double> expected;
  for (const Walker& w : walkers)
    for (const auto& [square, density] : by_flood(*mesh, w.stamp.square)) expected[square] += density;
  double worst = 0;
  int busy = 0;
  for (int i = 0; i < 10000; ++i) {
    const Square square = square_at({{random.uniform(0, 12), random.uniform(0, 9)}, 0}, square_side);
    const auto known = expected.find(square);
    const double sum = known == expected.end() ? 0 : known->second;
    worst = std::max(worst, std::abs(field.density(square) - sum));
    busy += sum > 0.5;
  }
  CHECK(busy > 1000);
  CHECK(worst < 1e-4);
}

TEST_CASE("fields sum to the people exactly") {
  for (const bool layered : {false, true}) {
    environment::Sketch sketch("floors", {{"ground", {}}, {"up", {}}});
    sketch.walkable(box(0, 0, 13, 8), 0);
    sketch.walkable(box(13, 0, 20, 8), 1);
    sketch.connection({13, 0}, {13, 8}, 0, 1);
    const MeshPtr mesh = layered ? built(std::move(sketch).take()) : hall();
    DensityField field(mesh);
    test::Random random(test::test_seed());
    std::vector<Walker> walkers = strewn(*mesh, field, 300, random);
    CHECK(field.total() == 300 * one_person);
    double sum = 0;
    field.for_each([&](const Square&, double density) { sum += density * square_side * square_side; });
    CHECK(sum == doctest::Approx(300).epsilon(1e-12));
    for (const Walker& w : walkers) field.remove(w.stamp);
    CHECK(field.total() == 0);
    field.for_each([](const Square&, double) { CHECK(false); });  // nothing is left
  }
}

TEST_CASE("fields: a full sealed room leaves its neighbour at 0, whichever squares the wall between them cuts") {
  for (const double at : {10.0, 10.05, 10.15, 10.2, 10.29}) {
    environment::Sketch sketch("two rooms");
    sketch.walkable(box(0, 0, 20, 10));
    sketch.wall({{at, 0}, {at + 0.07, 10}});
    const MeshPtr mesh = built(std::move(sketch).take());
    DensityField field(mesh);
    test::Random random(test::test_seed());
    int left = 0;
    while (left < 400) {
      const Place place{{random.uniform(0, at), random.uniform(0, 10)}, 0};
      if (!navmesh::locate(*mesh, place) || place.point.x > at + 0.007 * place.point.y) continue;
      field.add(field.stamp_of(place, {}));
      ++left;
    }
    double highest = 0;
    for (int i = 0; i < 2000; ++i) {
      const Place place{{random.uniform(at, at + 3), random.uniform(0, 10)}, 0};
      if (place.point.x < at + 0.007 * place.point.y + 1e-6) continue;
      highest = std::max(highest, field.density(field.square_of(place)));
    }
    CHECK(highest == 0);
    CHECK(field.total() == 400 * one_person);
  }
}

TEST_CASE("fields: renewed bit by bit or from scratch, in any order: the same bits") {
  const MeshPtr mesh = hall();
  DensityField field(mesh), scratch(mesh);
  test::Random random(test::test_seed());
  std::vector<Walker> walkers = strewn(*mesh, field, 200, random);
  for (int round = 0; round < 1000; ++round) {
    Walker& w = walkers[random.below(walkers.size())];
    const auto place =
        navmesh::random_point(*mesh, 0, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
    if (!place) continue;
    w.place = *place;
    field.renew(w.stamp, field.stamp_of(w.place, {random.uniform(-2, 2), random.uniform(-2, 2)}));
    if (random.chance(0.1)) {
      field.remove(w.stamp);
      std::swap(w, walkers.back());
      walkers.pop_back();
    }
  }
  for (std::size_t i = walkers.size(); i-- > 0;) scratch.add(walkers[i].stamp);
  CHECK(field.total() == scratch.total());
  for (std::int32_t column = 0; column < 100; ++column)
    for (std::int32_t row = 0; row < 67; ++row) {
      const Square square{column, row, 0};
      CHECK(field.density(square) == scratch.density(square));
      CHECK(field.velocity(square) == scratch.velocity(square));
    }
}

TEST_CASE("fields: who looks takes the own stamp off") {
  const MeshPtr mesh = hall();
  DensityField field(mesh), others(mesh);
  test::Random random(test::test_seed());
  const std::vector<Walker> walkers = strewn(*mesh, field, 100, random);
  for (std::size_t i = 1; i < walkers.size(); ++i) others.add(walkers[i].stamp);
  const Stamp own = walkers[0].stamp;
  for (std::int32_t dx = -9; dx <= 9; ++dx)
    for (std::int32_t dy = -9; dy <= 9; ++dy) {
      const Square square{own.square.column + dx, own.square.row + dy, 0};
      CHECK(field.density_without(square, own) == others.density(square));
      CHECK(field.velocity_without(square, own) == others.velocity(square));
    }
  CHECK(field.density_without(own.square, {}) == field.density(own.square));
}

TEST_CASE("shares are whole and sum to one person") {
  test::Random random(test::test_seed());
  for (int i = 0; i < 200; ++i) {
    std::vector<double> weights(1 + random.below(300));
    for (double& w : weights) w = random.uniform(1e-3, 1);
    const std::vector<std::int32_t> shares = share_out(weights);
    std::int64_t sum = 0;
    for (const std::int32_t share : shares) sum += share;
    CHECK(sum == one_person);
  }
}

TEST_CASE("occupied fraction by edge and on squares") {
  const MeshPtr mesh = hall();
  EdgeOccupancy edges(*mesh);
  double ground = 0;
  for (Index edge = 0; edge < mesh->edge_count(); ++edge) ground += edges.ground(edge);
  CHECK(ground == doctest::Approx(30 * 20 - 2.07 * 3.47 - 0.64).epsilon(1e-9));
  const std::int64_t body = covered_by(0.24);
  CHECK(body == 180956);  // pi 240^2
  const navmesh::Located at = navmesh::locate(*mesh, {{5, 5}, 0});
  const Index edge = mesh->arc(at.cell / 2).edge;
  const EdgeOccupancy::Presence one{at.cell, body, 1000, 0}, other{at.cell, body, 0, 500};
  edges.add(one), edges.add(other);
  CHECK(edges.people(edge) == 2);
  CHECK(edges.fraction(edge) == doctest::Approx(2 * 0.180956 / edges.ground(edge)));
  CHECK(edges.density(edge) == doctest::Approx(2 / edges.ground(edge)));
  CHECK(edges.velocity(edge) == Vec2{0.5, 0.25});
  edges.remove(one), edges.remove(other);
  CHECK(edges.fraction(edge) == 0);
  CHECK(edges.velocity(edge) == Vec2{});
  for (const double side : {1.0, 2.0, 3.0}) {
    GridOccupancy grid(side);
    grid.add({{6.1, 6.1}, 0}, body), grid.add({{6.4, 6.9}, 0}, body), grid.add({{6.4, 6.9}, 1}, body);
    CHECK(grid.fraction({{6.5, 6.5}, 0}) == doctest::Approx(2 * 0.180956 / (side * side)));
    CHECK(grid.fraction({{6.5, 6.5}, 1}) == doctest::Approx(0.180956 / (side * side)));
    CHECK(grid.fraction({{-0.5, 6.5}, 0}) == 0);
  }
}
