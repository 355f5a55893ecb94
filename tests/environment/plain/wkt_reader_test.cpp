#include "environment/plain/wkt_reader.hpp"

#include <doctest/doctest.h>

#include "environment/check.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

Environment read(const std::string& text) {
  Result<Environment> result = read_wkt(text, "plan.wkt");
  for (const Problem& problem : result.problems()) MESSAGE(to_string(problem));
  REQUIRE(result.ok());
  CHECK(check_environment(*result).empty());
  return std::move(result).value();
}

}  // namespace

TEST_CASE("polygons are walkable, lines are walls, in any case and with Z") {
  const Environment e = read(
      "GeometryCollection (polygon ((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 2 3, 3 3, 2 2)),\n"
      "  LINESTRING Z (1 1 5, 4 4.5 -6), MULTIPOLYGON EMPTY,\n"
      "  MultiPolygon ZM (((20 0 1 2, 21 0 1 2, 21 1 1 2, 20 0 1 2)), ((30 0, 31 0, 31 1, 30 0))),\n"
      "  MULTILINESTRING ((5 5, 6 6), (7 7, +8e0 8)))\n");
  REQUIRE(e.features.size() == 4);
  CHECK(e.features[0].kind == Kind::walkable);
  CHECK((e.features[0].polygons[0].outer == Ring{{0, 0}, {10, 0}, {10, 10}, {0, 10}}));
  CHECK((e.features[0].polygons[0].holes == std::vector<Ring>{{{2, 2}, {2, 3}, {3, 3}}}));
  CHECK(e.features[1].kind == Kind::obstacle);
  CHECK((e.features[1].lines == std::vector<Line>{{{1, 1}, {4, 4.5}}}));
  CHECK(e.features[2].polygons.size() == 2);
  CHECK((e.features[3].lines == std::vector<Line>{{{5, 5}, {6, 6}}, {{7, 7}, {8, 8}}}));
  CHECK(e.features[3].number == 3);
}

TEST_CASE("several geometries and an SRID in metres are accepted") {
  const Environment e = read("SRID=25832;POLYGON((0 0,1 0,1 1,0 0));\nPOLYGON((5 0,6 0,6 1,5 0))");
  CHECK(e.features.size() == 2);
}

TEST_CASE("problems of well-formed text are collected, with line and column") {
  const Result<Environment> e =
      read_wkt("POLYGON((0 0,1 0,0 0))\nLINESTRING(2 2,2 2)\nPOLYGON((0 0,1 0,1 1e12,0 0))", "p.wkt");
  REQUIRE(!e.ok());
  REQUIRE(e.problems().size() == 4);
  CHECK(e.problems()[0].place == "p.wkt:1:9: feature 0 (walkable) at (0, 0)");
  CHECK(e.problems()[1].place == "p.wkt:2:11: feature 1 (obstacle) at (2, 2)");
  CHECK(e.problems()[2].place.starts_with("p.wkt:3:18"));
}

TEST_CASE("collections may nest, but not without end") {
  std::string deep = "POLYGON((0 0,1 0,1 1,0 0))";
  for (int i = 0; i < 10; ++i) deep = "GEOMETRYCOLLECTION(" + deep + ")";
  CHECK(read(deep).features.size() == 1);
  std::string deeper;
  for (int i = 0; i < 100000; ++i) deeper += "GEOMETRYCOLLECTION(";
  const Result<Environment> e = read_wkt(deeper + deep, "deep.wkt");
  REQUIRE(!e.ok());
  CHECK(e.problems()[0].code == ProblemCode::limit);
}
