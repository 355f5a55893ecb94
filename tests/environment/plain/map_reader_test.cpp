#include "environment/plain/map_reader.hpp"

#include <doctest/doctest.h>

#include "environment/check.hpp"
#include "environment/clean/clean.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

std::string map_of(const std::vector<std::string>& rows) {
  std::string text =
      "type octile\nheight " + std::to_string(rows.size()) + "\nwidth " + std::to_string(rows[0].size()) + "\nmap\n";
  for (const std::string& row : rows) text += row + "\n";
  return text;
}

}  // namespace

TEST_CASE("cells become polygons in file coordinates, not flipped") {
  const Result<Environment> e = read_map(map_of({"@.G", "@@S"}), "a.map");
  REQUIRE(e.ok());
  REQUIRE(e->features.size() == 1);
  // Row 0 is y in [0, 1]; column 1 is x in [1, 2].
  CHECK((e->features[0].polygons[0].outer == Ring{{3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 0}}));
  CHECK(check_environment(*e).empty());
  const Result<CleanEnvironment> c = clean(*e);
  REQUIRE(c.ok());
  CHECK(area(c->layers[0].free, c->grid) == 3.0);
  CHECK(c->grid.to_world(c->layers[0].free[0].outer[0]) == Vec2{1, 0});
}

TEST_CASE("cells that touch at a corner only are not joined, and obstacles may touch at corners") {
  const Result<Environment> e = read_map(map_of({".@.", "@.@", ".@."}), "a.map");
  REQUIRE(e.ok());
  CHECK(e->features.size() == 5);
  const Result<Environment> holes = read_map(map_of({"....", ".T..", "..W.", "...."}), "b.map");
  REQUIRE(holes.ok());
  REQUIRE(holes->features.size() == 1);
  const Result<CleanEnvironment> c = clean(*holes);
  REQUIRE(c.ok());
  CHECK(area(c->layers[0].free, c->grid) == 14.0);
}

TEST_CASE("windows line ends and blank lines at the end are accepted") {
  const Result<Environment> e = read_map("type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n..\r\n\r\n", "a.map");
  REQUIRE(e.ok());
  CHECK(e->features.size() == 1);
}

TEST_CASE("a map of single cells is refused before its polygons fill the memory") {
  std::vector<std::string> rows;
  for (int y = 0; y < 1600; ++y) {
    rows.emplace_back();
    for (int x = 0; x < 1600; ++x) rows.back() += (x + y) % 2 == 0 ? '.' : '@';
  }
  const Result<Environment> e = read_map(map_of(rows), "checkers.map");
  REQUIRE(!e.ok());
  CHECK(e.problems().front().code == ProblemCode::limit);
  CHECK(e.problems().front().message.find("5120000 corners") != std::string::npos);
}
