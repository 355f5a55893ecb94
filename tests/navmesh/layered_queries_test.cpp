// Two rooms on two layers, joined by doors, must answer like the same two rooms on one layer with a thin wall between.
#include <doctest/doctest.h>

#include <cmath>

#include "environment/sketch.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility.hpp"
#include "navmesh/visibility_polygon.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::navmesh;
using throng::test::make_scene;
using throng::test::Random;
using throng::test::Scene;

namespace {

constexpr double width = 20, height = 12, middle = 10;

struct Pair {
  Scene cut, flat;
};

/// The same obstacles in both; the wall at x = 10 has one or two doors.
Pair two_rooms(std::uint64_t seed) {
  Random random(seed);
  environment::Sketch cut("cut", {{"west", {}}, {"east", {}}}), flat("flat");
  cut.walkable({environment::rectangle({0, 0}, {middle, height}), {}}, 0);
  cut.walkable({environment::rectangle({middle, 0}, {width, height}), {}}, 1);
  flat.walkable({environment::rectangle({0, 0}, {width, height}), {}});
  double y = 0;
  for (std::int64_t door = 0, doors = random.whole(1, 2); door < doors; ++door) {
    const double low = y + random.uniform(0.5, 2.5), high = low + random.uniform(0.8, 3);
    cut.connection({middle, low}, {middle, high}, 0, 1);
    flat.wall({{middle, y}, {middle, low}});
    y = high;
  }
  flat.wall({{middle, y}, {middle, height}});
  for (std::int64_t i = 0, count = random.whole(0, 8); i < count; ++i) {
    const bool east = random.chance(0.5);
    const Vec2 centre{(east ? middle : 0) + random.uniform(1.5, 8.5), random.uniform(1, height - 1)};
    const environment::Ring ring =
        environment::regular_polygon(centre, random.uniform(0.2, 1.3), int(random.whole(3, 7)), random.uniform(0, 1));
    cut.obstacle({ring, {}}, east);
    flat.obstacle({ring, {}});
  }
  return {make_scene("cut", cut.environment()), make_scene("flat", flat.environment())};
}

Place cut_place(Vec2 p) { return {p, p.x < middle ? 0u : 1u}; }

template <class Check>
void on_pairs(int worlds, const Check& check) {
  const std::uint64_t seed = test::test_seed();
  for (int i = 0; i < worlds; ++i) {
    INFO("THRONG_TEST_SEED=" << seed << ", world " << i);
    const Pair pair = two_rooms(seed + std::uint64_t(i));
    Random random(seed + 1000 + std::uint64_t(i));
    check(*pair.cut.mesh, *pair.flat.mesh, random);
  }
}

Vec2 anywhere(Random& random) {
  // Often close to the wall and its doors; sometimes exactly in a door.
  const double x = random.chance(0.1)   ? middle
                   : random.chance(0.5) ? random.uniform(middle - 1.5, middle + 1.5)
                                        : random.uniform(0, width);
  return {x, random.uniform(0, height)};
}

}  // namespace

TEST_CASE("two layers: clearance and retraction are those of one") {
  on_pairs(40, [](const Mesh& cut, const Mesh& flat, Random& random) {
    for (int i = 0; i < 200; ++i) {
      const Vec2 p = anywhere(random);
      CAPTURE(p.x);
      CAPTURE(p.y);
      const Located expected = locate(flat, {p, 0}), found = locate(cut, cut_place(p));
      if (expected && expected.clearance < 1e-6) continue;
      REQUIRE(bool(found) == bool(expected));
      if (!found) continue;
      CHECK(found.clearance == doctest::Approx(expected.clearance).epsilon(1e-9));
      const Retraction a = retract(cut, found, p), b = retract(flat, expected, p);
      CHECK(a.clearance == doctest::Approx(b.clearance).epsilon(1e-6));
      if (std::abs(a.point.x - middle) > 1e-6) CHECK(a.layer == cut_place(a.point).layer);
    }
  });
}

TEST_CASE("two layers: what can be seen, and what is hit, is the same as on one") {
  on_pairs(40, [](const Mesh& cut, const Mesh& flat, Random& random) {
    for (int i = 0; i < 300; ++i) {
      const Vec2 p = anywhere(random), q = anywhere(random);
      CAPTURE(p.x);
      CAPTURE(p.y);
      CAPTURE(q.x);
      CAPTURE(q.y);
      const Located start = locate(flat, {p, 0});
      if (!start || start.clearance < 1e-6) continue;
      const double radius = random.chance(0.4) ? 0 : random.uniform(0, 0.8);
      const Place from = cut_place(p), to = cut_place(q);
      // In a door both layers are right: then ask for either.
      const bool found = visible(cut, from, to, radius) || (q.x == middle && visible(cut, from, {q, 0}, radius));
      CHECK(found == visible(flat, {p, 0}, {q, 0}, radius));
      const Hit a = first_hit(cut, from, q), b = first_hit(flat, {p, 0}, q);
      CHECK(a.blocked == b.blocked);
      CHECK(length(a.point - b.point) < 1e-6);
      if (std::abs(a.point.x - middle) > 1e-6) CHECK(a.layer == cut_place(a.point).layer);
      // A place in the wrong layer is not there.
      if (std::abs(q.x - middle) > 1e-6) CHECK(!visible(cut, from, {q, 1 - to.layer}, 0));
    }
  });
}

TEST_CASE("two layers: views and near segments are the same as on one") {
  on_pairs(25, [](const Mesh& cut, const Mesh& flat, Random& random) {
    VisibilityPolygon a, b;
    NearbySegments near_a, near_b;
    for (int i = 0; i < 40; ++i) {
      const Vec2 p = anywhere(random);
      CAPTURE(p.x);
      CAPTURE(p.y);
      const Located start = locate(flat, {p, 0});
      if (!start || start.clearance < 1e-6) continue;
      REQUIRE(a.compute(cut, cut_place(p)));
      REQUIRE(b.compute(flat, {p, 0}));
      CHECK(a.area() == doctest::Approx(b.area()).epsilon(1e-7));
      for (const VisibilityPolygon::Vertex& v : a.vertices())
        if (std::abs(v.point.x - middle) > 1e-6) CHECK(v.layer == cut_place(v.point).layer);
      const double radius = random.uniform(0.2, 4);
      const auto found = near_a.compute(cut, cut_place(p), radius), expected = near_b.compute(flat, {p, 0}, radius);
      // The outer walls are cut in two at the layers' border, so only distances of what is nearest can be compared one by one.
      CHECK(found.empty() == expected.empty());
      if (!found.empty()) CHECK(found[0].distance == doctest::Approx(expected[0].distance).epsilon(1e-9));
    }
  });
}

TEST_CASE("two layers: random points fall into the layer asked for, and its area is right") {
  on_pairs(15, [](const Mesh& cut, const Mesh& flat, Random& random) {
    CHECK(free_area(cut, 0) + free_area(cut, 1) == doctest::Approx(free_area(flat, 0)).epsilon(1e-9));
    CHECK(free_area(cut, 0) <= middle * height + 1e-6);
    for (int i = 0; i < 200; ++i) {
      const Index layer = Index(random.below(2));
      const auto place = random_point(cut, layer, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
      REQUIRE(place);
      CHECK(place->layer == layer);
      CHECK((layer == 0 ? place->point.x <= middle + 1e-9 : place->point.x >= middle - 1e-9));
      CHECK(locate(cut, *place));
    }
  });
}

TEST_CASE("two layers: walking through a door with a known cell") {
  on_pairs(20, [](const Mesh& cut, const Mesh& flat, Random& random) {
    for (int walk = 0; walk < 30; ++walk) {
      const Vec2 p = anywhere(random), q = anywhere(random);
      if (!visible(flat, {p, 0}, {q, 0}, 0.05)) continue;
      Index hint = none;
      for (int i = 0; i <= 60; ++i) {
        const Vec2 at = p + (q - p) * (i / 60.0);
        const Located found = locate_from(cut, hint, cut_place(at)), expected = locate(flat, {at, 0});
        REQUIRE(found);
        CHECK(found.clearance == doctest::Approx(expected.clearance).epsilon(1e-9));
        hint = found.cell;
      }
    }
  });
}
