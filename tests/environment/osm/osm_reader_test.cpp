#include "environment/osm/osm_reader.hpp"

#include <algorithm>
#include <cmath>

#include "environment/clean/clean_support.hpp"
#include "environment/formats/formats.hpp"
#include "environment/osm/osm_sample.hpp"
#include "environment/same_environment.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

/// Map coordinates are whole centimetres or so: areas of samples are right to a percent.
constexpr double about = 0.01;

Result<Environment> parse(const std::string& text, const OsmOptions& options = {}) {
  return parse_environment("osm", text, "map.osm", {.osm = options});
}

Environment read(const OsmSample& sample, const OsmOptions& options = {}) {
  Result<Environment> e = parse(sample.xml(), options);
  INFO(all(e.problems()));
  REQUIRE(e.ok());
  CHECK(all(e.problems()) == "");
  return std::move(e).value();
}

/// Read with warnings, which are returned.
Environment read(const OsmSample& sample, std::string& warnings) {
  Result<Environment> e = parse(sample.xml());
  warnings = all(e.problems());
  INFO(warnings);
  REQUIRE(e.ok());
  return std::move(e).value();
}

std::vector<Feature> of_kind(const Environment& e, Kind kind) {
  std::vector<Feature> out;
  std::copy_if(e.features.begin(), e.features.end(), std::back_inserter(out),
               [&](const Feature& f) { return f.kind == kind; });
  return out;
}

double region_area(const CleanEnvironment& c, const std::string& type, std::size_t layer = 0) {
  double sum = 0;
  for (const CleanRegion& region : c.layers[layer].regions)
    if (region.type == type) sum += area(region.polygons, c.grid);
  return sum;
}

double area_of(const CleanEnvironment& c, const std::string& name, std::size_t layer = 0) {
  double sum = 0;
  for (const CleanArea& named : c.layers[layer].areas)
    if (named.name == name) sum += area(named.polygons, c.grid);
  return sum;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Whether free space has this many parts.
std::size_t parts(const CleanEnvironment& c, std::size_t layer = 0) { return c.layers[layer].free.size(); }

/// A hundred metres square, empty.
OsmSample field() {
  OsmSample sample;
  sample.bounds(0, 0, 100, 100);
  return sample;
}

}  // namespace

TEST_CASE("a building is an obstacle in a walkable box, in metres about the kept origin") {
  OsmSample sample = field();
  sample.box(20, 30, 40, 60, {{"building", "yes"}, {"name", "Hall"}});
  const Environment e = read(sample);
  REQUIRE(e.features.size() == 2);
  CHECK(e.features[0].kind == Kind::walkable);
  CHECK(e.features[1].kind == Kind::obstacle);
  CHECK(e.features[1].name == "Hall");
  CHECK(e.features[1].id == "way/101");
  REQUIRE(e.origin);
  CHECK(e.origin->longitude == doctest::Approx(9 + 50 / 71695.7).epsilon(1e-8));
  CHECK(e.origin->latitude == doctest::Approx(50 + 50 / 111229.0).epsilon(1e-8));
  CHECK(free_area(sound(e)) == doctest::Approx(10000 - 600).epsilon(about));
  // The middle of the box is (0, 0).
  const Ring& ring = e.features[0].polygons[0].outer;
  CHECK(ring[0].x == doctest::Approx(-50).epsilon(1e-3));
  CHECK(ring[2].y == doctest::Approx(50).epsilon(1e-3));
}

TEST_CASE("multipolygons have holes and several outer rings, put together from loose ways") {
  OsmSample sample = field();
  const auto a = sample.node(10, 10), b = sample.node(50, 10), c = sample.node(50, 50), d = sample.node(10, 50);
  const auto south = sample.way({a, b, c}, {{"note", "half of the ring"}}), north = sample.way({a, d, c}, {});
  const auto court = sample.box(20, 20, 40, 40, {});
  const auto annex = sample.box(60, 10, 70, 20, {});
  sample.multipolygon({{north, "outer"}, {south, "outer"}, {court, "inner"}, {annex, "outer"}}, {{"building", "yes"}});
  const Environment e = read(sample);
  const CleanEnvironment clean = sound(e);
  CHECK(free_area(clean) == doctest::Approx(10000 - 1600 + 400 - 100).epsilon(about));
  CHECK(parts(clean) == 2);
  REQUIRE(of_kind(e, Kind::obstacle).size() == 1);
  CHECK(of_kind(e, Kind::obstacle)[0].id == "relation/1001");
}

TEST_CASE("building parts are solid where they stand on the ground; roofs and what is underground are not") {
  OsmSample sample = field();
  sample.box(0, 0, 10, 10, {{"building:part", "yes"}});
  sample.box(20, 0, 30, 10, {{"building:part", "yes"}, {"min_height", "4"}});
  sample.box(40, 0, 50, 10, {{"building", "roof"}});
  sample.box(60, 0, 70, 10, {{"building", "yes"}, {"location", "underground"}});
  sample.box(80, 0, 90, 10, {{"building", "no"}});
  sample.box(0, 20, 10, 30, {{"building", "yes"}, {"layer", "-1"}});
  CHECK(free_area(sound(read(sample))) == doctest::Approx(9900).epsilon(about));
}

TEST_CASE("walls and fences are thin walls that gates open") {
  OsmSample sample = field();
  sample.way({sample.node(0, 50), sample.node(50, 50), sample.node(100, 50)}, {{"barrier", "fence"}});
  CHECK(sound(read(sample)).layers[0].walls.size() == 1);
  OsmSample open = field();
  const auto a = open.node(0, 50), gate = open.node(50, 50, {{"barrier", "gate"}, {"width", "4 m"}}),
             b = open.node(100, 50);
  open.way({a, gate, b}, {{"barrier", "fence"}});
  const CleanEnvironment c = sound(read(open));
  CHECK(parts(c) == 1);
  REQUIRE(c.layers[0].walls.size() == 2);
  double length = 0;
  for (const Wall& wall : c.layers[0].walls)
    length += std::abs(c.grid.to_world(wall.points.back()).x - c.grid.to_world(wall.points.front()).x);
  CHECK(length == doctest::Approx(96).epsilon(1e-3));
}

TEST_CASE(
    "hedges have a width, entrances of a city wall open both ways that end there, bollards on a wall are part of the "
    "gap") {
  OsmSample sample = field();
  sample.line({{0, 20}, {100, 20}}, {{"barrier", "hedge"}});
  const auto a = sample.node(0, 60), gate = sample.node(40, 60, {{"barrier", "entrance"}, {"width", "2"}}),
             b = sample.node(100, 60), bollard = sample.node(70, 60, {{"barrier", "bollard"}});
  sample.way({a, gate}, {{"barrier", "city_wall"}});
  sample.way({gate, bollard, b}, {{"barrier", "city_wall"}});
  sample.node(70, 80, {{"barrier", "bollard"}});
  const Environment e = read(sample);
  const CleanEnvironment c = sound(e);
  CHECK(parts(c) == 2);
  CHECK(free_area(c) == doctest::Approx(10000 - 80).epsilon(about));
  // One bollard in the open; the one in the wall is a gap of three metres.
  CHECK(of_kind(e, Kind::obstacle).size() == 1 + 3 + 1);
}

TEST_CASE("water is solid, and bridges lead over it") {
  OsmSample sample = field();
  sample.box(0, 40, 100, 60, {{"natural", "water"}});
  CHECK(parts(sound(read(sample))) == 2);
  sample.line({{50, 30}, {50, 70}}, {{"highway", "footway"}, {"bridge", "yes"}, {"width", "3"}});
  const CleanEnvironment c = sound(read(sample));
  CHECK(parts(c) == 1);
  CHECK(free_area(c) == doctest::Approx(8000 + 60).epsilon(about));
  CHECK(region_area(c, "footway") == doctest::Approx(120).epsilon(about));
}

TEST_CASE("rivers drawn as lines have a width, culverts are not there") {
  OsmSample sample = field();
  sample.line({{0, 50}, {100, 50}}, {{"waterway", "river"}, {"width", "10"}});
  sample.line({{50, 0}, {50, 30}}, {{"waterway", "river"}, {"tunnel", "culvert"}});
  CHECK(free_area(sound(read(sample))) == doctest::Approx(9000).epsilon(about));
}

TEST_CASE("passages lead through buildings") {
  OsmSample sample = field();
  sample.box(0, 40, 100, 60, {{"building", "yes"}});
  sample.line({{50, 40}, {50, 60}}, {{"highway", "pedestrian"}, {"tunnel", "building_passage"}, {"width", "4"}});
  const CleanEnvironment c = sound(read(sample));
  CHECK(parts(c) == 1);
  CHECK(free_area(c) == doctest::Approx(8000 + 80).epsilon(about));
}

TEST_CASE("paths, roads, land and areas are regions; earlier rules of the table win") {
  OsmSample sample = field();
  sample.box(0, 0, 100, 50, {{"landuse", "grass"}});
  sample.line({{0, 25}, {100, 25}}, {{"highway", "residential"}});
  sample.line({{50, 0}, {50, 50}}, {{"highway", "footway"}, {"width", "2.5"}});
  sample.box(10, 60, 30, 80, {{"highway", "pedestrian"}, {"area", "yes"}, {"name", "Plaza"}});
  sample.box(40, 60, 60, 80, {{"highway", "pedestrian"}});
  const CleanEnvironment c = sound(read(sample));
  CHECK(region_area(c, "footway") == doctest::Approx(125).epsilon(about));
  CHECK(region_area(c, "road") == doctest::Approx(600 - 15).epsilon(about));
  CHECK(region_area(c, "grass") == doctest::Approx(5000 - 125 - 585).epsilon(about));
  // The closed way without area=yes is a path around, five metres wide.
  CHECK(region_area(c, "pedestrian") == doctest::Approx(400 + 80 * 5).epsilon(about));
  CHECK(area_of(c, "Plaza") == doctest::Approx(400).epsilon(about));
}

TEST_CASE("nodes are trees, and places to go to") {
  OsmSample sample = field();
  sample.node(20, 20, {{"natural", "tree"}});
  sample.node(50, 50, {{"railway", "subway_entrance"}, {"name", "Metro"}});
  sample.node(70, 50, {{"entrance", "yes"}});
  const CleanEnvironment c = sound(read(sample));
  CHECK(hole_count(c) == 1);
  CHECK(area_of(c, "Metro") == doctest::Approx(8 * 0.41421356 * 2.25).epsilon(about));
  CHECK(area_of(c, "node/3") > 0);
}

TEST_CASE("a box cuts what reaches beyond it, whole lakes around it too, and leaves out what is outside") {
  OsmSample sample;
  sample.box(-50, -50, 20, 20, {{"building", "yes"}});
  sample.box(500, 500, 520, 520, {{"building", "yes"}});
  sample.line({{-100, 50}, {200, 50}}, {{"barrier", "wall"}});
  sample.box(-90, 80, 190, 300, {{"natural", "water"}});
  const OsmOptions options{.box = GeoBox{9, 50, 9 + 100 / 71695.7, 50 + 100 / 111229.0}};
  const Environment e = read(sample, options);
  CHECK(of_kind(e, Kind::obstacle).size() == 3);
  const CleanEnvironment c = sound(e);
  CHECK(free_area(c) == doctest::Approx(10000 - 400 - 2000).epsilon(about));
  CHECK(c.grid.unit() == 0.001);
  double widest = 0;
  for (const Feature& f : e.features)
    for (const Polygon& p : f.polygons)
      for (const Vec2 v : p.outer) widest = std::max({widest, std::abs(v.x), std::abs(v.y)});
  CHECK(widest == doctest::Approx(50).epsilon(1e-3));
}

TEST_CASE("without bounds, the box of what is there is walkable") {
  OsmSample sample;
  sample.box(0, 0, 10, 10, {{"building", "yes"}});
  sample.box(30, 0, 40, 20, {{"building", "yes"}});
  CHECK(free_area(sound(read(sample))) == doctest::Approx(800 - 300).epsilon(about));
}

TEST_CASE("a chosen origin is (0, 0)") {
  OsmSample sample = field();
  sample.box(20, 30, 40, 60, {{"building", "yes"}});
  const Environment e = read(sample, {.origin = GeoOrigin{9, 50}});
  CHECK((e.origin == GeoOrigin{9, 50}));
  CHECK(e.features[1].polygons[0].outer[0].x == doctest::Approx(20).epsilon(1e-3));
  CHECK(e.features[1].polygons[0].outer[0].y == doctest::Approx(30).epsilon(1e-3));
}

TEST_CASE("level 0 is on the ground: rooms open the building, have walls, and doors in them") {
  OsmSample sample = field();
  const auto door = sample.node(50, 20, {{"entrance", "yes"}, {"width", "2"}});
  const auto a = sample.node(20, 20), b = sample.node(80, 20), c = sample.node(80, 60), d = sample.node(20, 60);
  const auto inner = sample.node(50, 40, {{"door", "yes"}}), e1 = sample.node(80, 40), e2 = sample.node(20, 40);
  sample.way({a, door, b, e1, c, d, e2, a}, {{"building", "yes"}});
  sample.way({a, door, b, e1, inner, e2, a}, {{"indoor", "room"}, {"level", "0"}, {"name", "Lobby"}});
  sample.way({e2, inner, e1, c, d, e2}, {{"indoor", "room"}, {"level", "0"}, {"name", "Back"}});
  const Environment e = read(sample);
  CHECK(e.layers.size() == 1);
  const CleanEnvironment clean = sound(e);
  CHECK(parts(clean) == 1);
  CHECK(area_of(clean, "Lobby") == doctest::Approx(1200).epsilon(about));
  CHECK(area_of(clean, "Back") == doctest::Approx(1200).epsilon(about));
  // All is free but the walls: the rooms fill the building.
  CHECK(free_area(clean) == doctest::Approx(10000).epsilon(about));
  CHECK(clean.layers[0].walls.size() >= 3);
}

TEST_CASE("other levels are layers, joined by stairs that lead up or down") {
  for (const bool down : {false, true}) {
    OsmSample sample = field();
    sample.box(20, 20, 80, 60, {{"building", "yes"}});
    sample.box(20, 20, 80, 40, {{"indoor", "corridor"}, {"level", "0;1"}});
    sample.box(20, 40, 80, 60, {{"indoor", "area"}, {"level", "-1-1"}});
    sample.line({{30, 30}, {40, 30}}, {{"highway", "steps"}, {"level", "0;1"}, {"incline", down ? "down" : "up"}});
    const Environment e = read(sample, {.storey_height = 4});
    REQUIRE(e.layers.size() == 4);
    CHECK(e.layers[0].id == "ground");
    CHECK(e.layers[1].id == "level -1");
    CHECK(e.layers[1].elevation.z == -4);
    CHECK(e.layers[2].id == "level 1");
    const Elevation& flight = e.layers[3].elevation;
    CHECK((flight.ramp && flight.stairs));
    CHECK(flight.z_to == 4);
    CHECK((flight.to.x > flight.from.x) == !down);
    const CleanEnvironment c = sound(e);
    CHECK(c.connections.size() == 2);
    CHECK(free_area(c, 3) == doctest::Approx(20).epsilon(about));
    CHECK(free_area(c, 2) == doctest::Approx(2400 - 20).epsilon(about));
  }
}

TEST_CASE("stairs that cannot be joined to their levels are left out with a reason") {
  OsmSample sample = field();
  sample.box(20, 20, 80, 40, {{"indoor", "corridor"}, {"level", "0;1"}});
  sample.line({{30, 30}, {40, 30}}, {{"highway", "steps"}, {"level", "0;1"}});
  sample.line({{35, 30}, {35, 38}}, {{"highway", "steps"}, {"level", "0;1"}});
  sample.line({{60, 30}, {70, 30}}, {{"highway", "steps"}, {"level", "1;2"}});
  sample.line({{60, 35}, {70, 35}}, {{"highway", "steps"}, {"level", "0;1;2"}});
  std::string warnings;
  const Environment e = read(sample, warnings);
  CHECK(e.layers.size() == 3);
  CHECK(
      contains(warnings, "way/103: these stairs cannot join their levels and were left out: it touches other stairs"));
  CHECK(contains(warnings, "way/104: these stairs cannot join their levels and were left out: one of its levels"));
  CHECK(contains(warnings, "way/105: stairs of more than two levels"));
  sound(e);
}

TEST_CASE("stairs end free also where a wall runs along their ends") {
  OsmSample sample = field();
  sample.box(20, 20, 40, 40, {{"indoor", "room"}, {"level", "0;1"}});
  sample.box(40, 20, 60, 40, {{"indoor", "room"}, {"level", "0;1"}});
  sample.line({{40, 30}, {50, 30}}, {{"highway", "steps"}, {"level", "0;1"}});
  CHECK(sound(read(sample)).connections.size() == 2);
}

TEST_CASE("what is broken is warned of with its number; broken obstacles keep their outline") {
  OsmSample sample = field();
  // Unclosed building, missing nodes, bow tie, a ring that does not close, missing ways, too short.
  sample.line({{0, 0}, {10, 0}, {10, 10}}, {{"building", "yes"}});
  sample.way({sample.node(20, 0), 999, sample.node(30, 0), sample.node(30, 10)}, {{"barrier", "wall"}});
  const auto p = sample.node(40, 0), q = sample.node(50, 10), r = sample.node(50, 0), s = sample.node(40, 10);
  sample.way({p, q, r, s, p}, {{"building", "yes"}});
  const auto open = sample.line({{60, 0}, {70, 0}, {70, 10}}, {});
  sample.multipolygon({{open, "outer"}}, {{"building", "yes"}});
  sample.multipolygon({{4711, "outer"}}, {{"landuse", "grass"}});
  sample.way({sample.node(80, 0)}, {{"highway", "footway"}});
  const auto missing = sample.node(90, 5);
  sample.way({missing, sample.node(95, 5), 998, missing}, {{"building", "yes"}});
  std::string warnings;
  const Environment e = read(sample, warnings);
  CHECK(contains(warnings, "map.osm: way/101: its last node is not its first"));
  CHECK(contains(warnings, "map.osm: way/102: 1 of its nodes are not in the file; it has gaps there"));
  CHECK(contains(warnings, "map.osm: way/103: no area can be made of it: the boundary crosses itself at 9.00"));
  CHECK(contains(warnings, "map.osm: relation/1001: no area can be made of it: a ring is not closed at node"));
  CHECK(contains(warnings, "map.osm: relation/1002: 1 of its ways and 0 of its nodes are not in the file"));
  CHECK(contains(warnings, "map.osm: way/105: it has fewer than two nodes"));
  CHECK(contains(warnings, "map.osm: way/106: 1 of its nodes are not in the file"));
  sound(e);
  // The wall's rest, the bow tie's and the open ring's outlines, and what is left of the last.
  CHECK(of_kind(e, Kind::obstacle).size() == 4);
}

TEST_CASE("files that are no maps are refused with their place") {
  const auto refused = [](const std::string& text) {
    const Result<Environment> e = parse(text);
    REQUIRE(!e.ok());
    return all(e.problems());
  };
  CHECK(contains(refused(""), "map.osm: this is neither OpenStreetMap's XML nor its PBF"));
  CHECK(contains(refused("{}"), "neither"));
  CHECK(contains(refused("<osm version=\"0.6\">\n<node id=\"1\""), "map.osm:2:"));
  CHECK(contains(refused("<html></html>"), "map.osm"));
  CHECK(contains(refused("<osm version=\"0.5\"></osm>"), "map.osm"));
  CHECK(contains(refused(OsmSample().xml()), "nothing in it is of use"));
  OsmSample far;
  far.line({{0, 0}, {400000, 0}}, {{"barrier", "wall"}});
  CHECK(contains(refused(far.xml()), "degrees wide"));
  const Result<Environment> none = read_environment("/no/such.osm");
  REQUIRE(!none.ok());
  CHECK(none.problems()[0].code == ProblemCode::io);
}

TEST_CASE("boxes and origins that make no sense are refused") {
  const std::string text = field().xml();
  const auto refused = [&](const OsmOptions& options) {
    const Result<Environment> e = parse(text, options);
    return e.ok() ? std::string() : all(e.problems());
  };
  CHECK(contains(refused({.box = GeoBox{9, 50, 8, 51}}), "has no extent"));
  CHECK(contains(refused({.box = GeoBox{9, 50, 190, 51}}), "not in degrees"));
  CHECK(contains(refused({.box = GeoBox{0, 40, 20, 51}}), "degrees wide"));
  CHECK(contains(refused({.box = GeoBox{0, 80, 1, 89}}), "latitude"));
  CHECK(contains(refused({.origin = GeoOrigin{-120, 50}}), "too far"));
}

TEST_CASE("a table of one's own says what is what") {
  OsmSample sample = field();
  sample.box(20, 20, 40, 40, {{"building", "yes"}});
  sample.line({{0, 50}, {100, 50}}, {{"highway", "footway"}});
  OsmOptions options{.table = R"({"throng_osm": 1, "rules": [
      {"match": {"highway": "footway"}, "shape": "line", "kind": "walkable", "width": 4}], "gaps": []})",
                     .table_name = "mine.json"};
  const Environment e = read(sample, options);
  REQUIRE(e.features.size() == 1);
  CHECK(free_area(sound(e)) == doctest::Approx(400).epsilon(about));
  options.table = R"({"throng_osm": 1, "rules": [{"match": {"highway": "footway"}, "shap": "line"}]})";
  const Result<Environment> wrong = parse(sample.xml(), options);
  REQUIRE(!wrong.ok());
  CHECK(contains(all(wrong.problems()), "mine.json:1:"));
  CHECK(contains(all(wrong.problems()), "did you mean 'shape'"));
}

TEST_CASE("a map becomes GeoJSON and stays the same through it, source and cleaned, with its origin") {
  const std::string path = THRONG_SOURCE_DIR "/examples/town_square.osm";
  const Result<Environment> map = read_environment(path);
  INFO(all(map.problems()));
  REQUIRE(map.ok());
  CHECK(map->origin);
  const Result<std::string> text = write_environment("geojson", *map);
  REQUIRE(text.ok());
  const Result<Environment> again = parse_environment("geojson", *text, "again");
  INFO(all(again.problems()));
  REQUIRE(again.ok());
  check_same(*map, *again);
  CHECK(*write_environment("geojson", *again) == *text);
  const CleanEnvironment one = sound(*map), other = sound(*again);
  CHECK(one.hash() == other.hash());
  const Result<std::string> cleaned = write_environment("geojson", one);
  REQUIRE(cleaned.ok());
  const Result<Environment> read_back = parse_environment("geojson", *cleaned, "cleaned");
  REQUIRE(read_back.ok());
  CHECK((read_back->origin == map->origin));
  CHECK(sound(*read_back).hash() == one.hash());
}

TEST_CASE("elements in any order make the same environment") {
  OsmSample sample = field();
  sample.box(20, 20, 40, 40, {{"building", "yes"}});
  sample.box(60, 20, 80, 40, {{"building", "yes"}});
  const std::string text = sample.xml();
  const std::size_t nodes = text.find("<node"), ways = text.find("<way"), end = text.find("</osm>");
  const std::string turned =
      text.substr(0, nodes) + text.substr(ways, end - ways) + text.substr(nodes, ways - nodes) + text.substr(end);
  const Result<Environment> one = parse(text), other = parse(turned);
  REQUIRE((one.ok() && other.ok()));
  check_same(*one, *other);
}

TEST_CASE("a box keeps the same of a map whose nodes come first, last or unsorted") {
  OsmSample sample;
  std::vector<std::int64_t> ways;
  for (int i = 0; i < 400; ++i) {
    const double x = 40 * (i % 20), y = 40 * (i / 20);
    ways.push_back(sample.box(x, y, x + 20, y + 20, i % 3 == 0 ? Tags{} : Tags{{"building", "yes"}}));
  }
  sample.line({{-3000, 333}, {3000, 333}}, {{"barrier", "wall"}});
  sample.multipolygon({{ways[0], "outer"}, {ways[27], "outer"}}, {{"building", "yes"}});
  sample.way({1, 2, 100000}, {{"barrier", "fence"}});  // a node that is not there
  const std::string text = sample.xml();
  const std::size_t nodes = text.find("<node"), second = text.find("<node", nodes + 1), ways_at = text.find("<way"),
                    end = text.find("</osm>");
  const std::string head = text.substr(0, nodes), tail = text.substr(end);
  const std::string all_nodes = text.substr(nodes, ways_at - nodes), all_ways = text.substr(ways_at, end - ways_at);
  const std::string unsorted = text.substr(second, ways_at - second) + text.substr(nodes, second - nodes);
  for (const double side : {30.0, 100.0, 400.0}) {
    const OsmOptions options{.box = GeoBox{9 + 300 / 71695.7, 50 + 300 / 111229.0, 9 + (300 + side) / 71695.7,
                                           50 + (300 + side) / 111229.0}};
    const Result<Environment> first = parse(text, options), last = parse(head + all_ways + all_nodes + tail, options),
                              mixed = parse(head + unsorted + all_ways + tail, options);
    REQUIRE((first.ok() && last.ok() && mixed.ok()));
    CHECK(first->features.size() >= 2);
    CHECK(first->features.size() < 400);
    CHECK(all(first.problems()) == all(last.problems()));
    CHECK(all(first.problems()) == all(mixed.problems()));
    check_same(*first, *last);
    check_same(*first, *mixed);
  }
}
