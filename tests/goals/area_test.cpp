#include "goals/area.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "environment/formats/formats.hpp"
#include "geometry/random.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::goals;

namespace {

environment::CleanEnvironment world(const std::string& features, const std::string& head = "") {
  const std::string text = R"({"type":"FeatureCollection",)" + head + R"("features":[)" + features + "]}";
  return *environment::clean(*environment::parse_environment("geojson", text, "test"));
}

std::string feature(const std::string& kind, const std::string& rings, const std::string& more = "") {
  return R"({"type":"Feature","properties":{"kind":")" + kind + "\"" + more +
         R"(},"geometry":{"type":"Polygon","coordinates":[)" + rings + "]}}";
}

const std::string floor_20_by_10 = feature("walkable", "[[0,0],[20,0],[20,10],[0,10],[0,0]]");
const std::string pillar = feature("obstacle", "[[4,4],[6,4],[6,6],[4,6],[4,4]]");

}  // namespace

TEST_CASE("an area is cut to free space, and what it contains is what is free of it") {
  const auto clean = world(floor_20_by_10 + "," + pillar + "," +
                           feature("area", "[[-5,2],[8,2],[8,8],[-5,8],[-5,2]]", R"(,"name":"west")"));
  const Result<Area> area = Area::named(clean, "west");
  REQUIRE(area.ok());
  CHECK(area->name() == "west");
  CHECK(area->square_metres() == doctest::Approx(8 * 6 - 4));
  CHECK(area->contains({{1, 3}, 0}));
  CHECK(area->contains({{0, 3}, 0}));    // its border
  CHECK(area->contains({{4, 5}, 0}));    // and that of the pillar
  CHECK(!area->contains({{5, 5}, 0}));   // in the pillar
  CHECK(!area->contains({{-1, 3}, 0}));  // drawn, but not walkable
  CHECK(!area->contains({{9, 3}, 0}));
  CHECK(!area->contains({{1, 3}, 1}));
  CHECK(!area->contains({{NAN, 3}, 0}));
}

TEST_CASE("samples are uniform over the free part") {
  const auto clean = world(floor_20_by_10 + "," + pillar + "," +
                           feature("area", "[[2,2],[12,1],[10,9],[7,5.5],[3,9],[2,2]]", R"(,"name":"a")"));
  const Result<Area> area = Area::named(clean, "a");
  REQUIRE(area.ok());
  geometry::RandomStream stream(test::test_seed(), {.purpose = 7});
  const int count = 40000;
  int right = 0;
  double sum_x = 0;
  for (int i = 0; i < count; ++i) {
    const double u = stream.unit(), v = stream.unit(), w = stream.unit();
    const navmesh::Place place = area->sample(u, v, w);
    REQUIRE(area->contains(place));
    CHECK(area->sample(u, v, w) == place);
    right += place.point.x > 7 ? 1 : 0;
    sum_x += place.point.x;
  }
  // The share of the part right of x = 7, and the centroid's x, from an independent count over a fine grid.
  int inside = 0, inside_right = 0;
  double inside_x = 0;
  for (double x = 0.005; x < 20; x += 0.02)
    for (double y = 0.005; y < 10; y += 0.02)
      if (area->contains({{x, y}, 0})) ++inside, inside_right += x > 7 ? 1 : 0, inside_x += x;
  CHECK(area->square_metres() == doctest::Approx(inside * 0.0004).epsilon(0.005));
  CHECK(double(right) / count == doctest::Approx(double(inside_right) / inside).epsilon(0.02));
  CHECK(sum_x / count == doctest::Approx(inside_x / inside).epsilon(0.01));
}

TEST_CASE("areas of one name over several layers are one place, and one layer can be picked") {
  const std::string head = R"("throng":{"version":1,"layers":[{"id":"ground"},{"id":"upper","elevation":4}]},)";
  const auto clean =
      world(feature("walkable", "[[0,0],[20,0],[20,10],[0,10],[0,0]]", R"(,"layer":"ground")") + "," +
                feature("walkable", "[[0,0],[20,0],[20,10],[0,10],[0,0]]", R"(,"layer":"upper")") + "," +
                feature("area", "[[0,0],[1,0],[1,1],[0,1],[0,0]]", R"(,"name":"exit","layer":"ground")") + "," +
                feature("area", "[[5,5],[7,5],[7,7],[5,7],[5,5]]", R"(,"name":"exit","layer":"upper")"),
            head);
  const Result<Area> both = Area::named(clean, "exit"), upper = Area::named(clean, "exit", 1);
  REQUIRE(both.ok());
  REQUIRE(upper.ok());
  CHECK(both->square_metres() == doctest::Approx(5));
  CHECK(upper->square_metres() == doctest::Approx(4));
  CHECK(both->contains({{0.5, 0.5}, 0}));
  CHECK(both->contains({{6, 6}, 1}));
  CHECK(!both->contains({{6, 6}, 0}));
  CHECK(both->extents().size() == 2);
  int ground = 0;
  geometry::RandomStream stream(test::test_seed(), {.purpose = 8});
  for (int i = 0; i < 5000; ++i) ground += both->sample(stream.unit(), stream.unit(), stream.unit()).layer == 0 ? 1 : 0;
  CHECK(ground / 5000.0 == doctest::Approx(0.2).epsilon(0.15));
}

TEST_CASE("an area that is not there is refused with the nearest name") {
  const auto clean =
      world(floor_20_by_10 + "," + feature("area", "[[0,0],[1,0],[1,1],[0,1],[0,0]]", R"(,"name":"exit")"));
  const Result<Area> area = Area::named(clean, "exot");
  REQUIRE(!area.ok());
  CHECK(area.problems()[0].message.find("did you mean 'exit'") != std::string::npos);
  CHECK(!Area::named(clean, "exit", 7).ok());
}

TEST_CASE("polygons are drawn in any orientation and cut to free space") {
  const auto clean = world(floor_20_by_10 + "," + pillar);
  const std::vector<Vec2> ring = {{3, 3}, {7, 3}, {7, 7}, {3, 7}};
  const Result<Area> area = Area::drawn(clean, ring, 0);
  REQUIRE(area.ok());
  CHECK(area->square_metres() == doctest::Approx(16 - 4));
  const Result<Area> turned = Area::drawn(clean, {ring.rbegin(), ring.rend()}, 0);
  REQUIRE(turned.ok());
  CHECK(turned->square_metres() == doctest::Approx(12));
  const Result<Area> over_the_edge = Area::drawn(clean, {{18, 8}, {25, 8}, {25, 15}, {18, 15}}, 0);
  REQUIRE(over_the_edge.ok());
  CHECK(over_the_edge->square_metres() == doctest::Approx(4));
}

TEST_CASE("polygons that are none, or lie in obstacles, are refused") {
  const auto clean = world(floor_20_by_10 + "," + pillar);
  CHECK(!Area::drawn(clean, {{1, 1}, {2, 2}}, 0).ok());
  CHECK(!Area::drawn(clean, {{1, 1}, {2, 2}, {3, 3}}, 0).ok());
  CHECK(!Area::drawn(clean, {{1, 1}, {1.0001, 1}, {1.0001, 1.0001}}, 0).ok());           // less than the grid resolves
  CHECK(!Area::drawn(clean, {{1, 1}, {3, 3}, {3, 1}, {1, 3}}, 0).ok());                  // a bow tie
  CHECK(!Area::drawn(clean, {{4.5, 4.5}, {5.5, 4.5}, {5.5, 5.5}, {4.5, 5.5}}, 0).ok());  // in the pillar
  CHECK(!Area::drawn(clean, {{1, 1}, {3, 1}, {3, 3}}, 1).ok());
  CHECK(!Area::drawn(clean, {{1e8, 1}, {2e8, 1}, {2e8, 3}}, 0).ok());
}
