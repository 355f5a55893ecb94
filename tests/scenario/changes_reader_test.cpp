#include "scenario/changes_reader.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace throng;
using namespace throng::scenario;
using environment::Change;

namespace {

const std::vector<environment::Layer> one{{"ground", {}}}, two{{"ground", {}}, {"upper", {}}};

std::string said_of(const char* text, const std::vector<environment::Layer>& layers = one) {
  const auto changes = read_changes(text, "c.json", layers);
  return changes ? "" : to_string(changes.problems()[0]);
}

bool says(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("a list of changes is read: rings, rings with holes, walls, ids, layers") {
  const auto changes = read_changes(R"([
    {"insert": [{"id": "van", "polygon": [[0, 0], [2, 0], [2, 2], [0, 0]], "layer": "upper"},
                {"id": "fence", "wall": [[0, 0], [5, 5]], "layer": "ground"}]},
    {"replace": [{"id": "van", "polygon": [[[0, 0], [9, 0], [9, 9]], [[6, 2], [7, 2], [7, 3]]], "layer": "upper"}]},
    {"remove": ["van", "fence"]}
  ])",
                                    "c.json", two);
  REQUIRE_MESSAGE(changes.ok(), to_string(changes.problems()[0]));
  REQUIRE(changes->size() == 3);
  const Change& insert = (*changes)[0];
  CHECK(insert.kind == Change::Kind::insert);
  REQUIRE(insert.obstacles.size() == 2);
  CHECK(insert.obstacles[0].layer == 1);
  CHECK(insert.obstacles[0].polygons[0].outer.size() == 3);  // closed rings are opened
  CHECK(insert.obstacles[1].lines[0].size() == 2);
  CHECK((*changes)[1].kind == Change::Kind::replace);
  CHECK((*changes)[1].obstacles[0].polygons[0].holes.size() == 1);
  CHECK((*changes)[2].ids == std::vector<std::string>{"van", "fence"});
}

TEST_CASE("what is wrong with a list is said with its place") {
  CHECK(says(said_of("{}"), "a list of changes is an array"));
  CHECK(says(said_of("[{]"), "c.json:1:"));
  CHECK(says(said_of("[{}]"), "/0"));
  CHECK(says(said_of(R"([{"insert": [], "remove": []}])"), "/0"));
  CHECK(says(said_of(R"([{"insort": []}])"), "insert"));
  CHECK(says(said_of(R"([{"insert": [{"polygon": [[0,0],[1,0],[1,1]]}]}])"), "/0/insert/0"));
  CHECK(says(said_of(R"([{"insert": [{"id": "a", "polygon": [[0,0],[1,0]]}]}])"), "/0/insert/0/polygon"));
  CHECK(says(said_of(R"([{"insert": [{"id": "a", "wall": [[0,0],[1,"x"]]}]}])"), "/0/insert/0/wall"));
  CHECK(says(said_of(R"([{"insert": [{"id": "a", "wall": [[0,0],[1,1]], "layer": "attic"}]}])"), "attic"));
  CHECK(says(said_of(R"([{"insert": [{"id": "a", "wall": [[0,0],[1,1]]}]}])", two), "several layers"));
  CHECK(says(said_of(R"([{"remove": [7]}])"), "/0/remove/0"));
}
