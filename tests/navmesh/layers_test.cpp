// Meshes of several layers: opened connections must leave no trace but the layers' names.
#include <doctest/doctest.h>

#include <cmath>
#include <optional>

#include "environment/generate/random_scenes.hpp"
#include "environment/sketch.hpp"
#include "navmesh/cells.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/validate.hpp"
#include "support/cut_plan.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;
using geometry::GridPoint;

namespace {

std::string all(const Problems& problems) {
  std::string text;
  for (const Problem& p : problems) text += to_string(p) + "\n";
  return text;
}

CleanEnvironment cleaned(const Environment& source) {
  auto result = environment::clean(source);
  REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : to_string(result.problems()[0])));
  return *result;
}

std::vector<Node> graph_vertices(const Mesh& mesh) {
  std::vector<Node> result;
  for (const Node& node : mesh.nodes)
    if (node.degree > 0) result.push_back(node);
  return result;
}

const Node* find_at(const std::vector<Node>& nodes, const Node& wanted, double tolerance) {
  for (const Node& node : nodes)
    if (squared_length(node.point - wanted.point) <= tolerance * tolerance && node.degree == wanted.degree &&
        std::abs(node.clearance - wanted.clearance) <= tolerance)
      return &node;
  return nullptr;
}

void check_same_axis(const Mesh& cut, const Mesh& uncut) {
  const double tolerance = 1e-9 * extent(uncut);
  const std::vector<Node> vertices = graph_vertices(cut), expected = graph_vertices(uncut);
  CHECK(vertices.size() == expected.size());
  CHECK(cut.edges.size() == uncut.edges.size());
  for (const Node& node : expected) {
    CAPTURE(node.point.x);
    CAPTURE(node.point.y);
    CAPTURE(node.degree);
    CHECK(find_at(vertices, node, 10 * tolerance));
  }
  for (const Node& node : uncut.nodes)  // event points too; the cut may have more, where it cuts a wall in two
    if (node.degree == 0) CHECK(find_at(cut.nodes, node, 10 * tolerance));
  double length = 0, expected_length = 0;
  for (const Edge& edge : cut.edges) length += edge.length;
  for (const Edge& edge : uncut.edges) expected_length += edge.length;
  CHECK(length == doctest::Approx(expected_length).epsilon(1e-9));
  CHECK(cut.passages.size() == uncut.passages.size());
  CHECK(cut.region_count == uncut.region_count);
}

void check_same_answers(const Cut& plan, const Mesh& cut, const Mesh& uncut, Random& random) {
  const geometry::Box box = bounds(uncut);
  for (int i = 0; i < 200; ++i) {
    const Vec2 p{random.uniform(box.min.x, box.max.x), random.uniform(box.min.y, box.max.y)};
    const Located expected = locate(uncut, {p, 0});
    Located found;
    for (Index layer = 0; layer < plan.cut.layers.size() && !found; ++layer) found = locate(cut, {p, layer});
    CAPTURE(p.x);
    CAPTURE(p.y);
    REQUIRE(bool(found) == bool(expected));
    if (found) CHECK(found.clearance == doctest::Approx(expected.clearance).epsilon(1e-9));
  }
}

void check_cut(const std::optional<Cut>& may_be, std::uint64_t seed) {
  REQUIRE(may_be.has_value());
  const Cut& plan = *may_be;
  REQUIRE(!plan.cut.connections.empty());
  const MeshPtr cut = build(plan.cut), uncut = build(plan.uncut);
  const Problems problems = validate(*cut, plan.cut);
  CHECK_MESSAGE(problems.empty(), all(problems));
  check_same_axis(*cut, *uncut);
  Random random(seed);
  check_same_answers(plan, *cut, *uncut, random);
}

/// The two parts of a box on either side of a line from its lower to its upper border.
std::vector<Ring> halves(double width, double height, double below, double above) {
  return {{{0, 0}, {below, 0}, {above, height}, {0, height}},
          {{below, 0}, {width, 0}, {width, height}, {above, height}}};
}

}  // namespace

TEST_CASE("an empty room cut in two is the room") {
  check_cut(cut_plan(World(box(0, 0, 20, 10)).environment(), halves(20, 10, 8, 8)), 1);
}

TEST_CASE("an empty room cut askew is the room") {
  check_cut(cut_plan(World(box(0, 0, 20, 10)).environment(), halves(20, 10, 8, 11)), 1);
}

TEST_CASE("a cut through a pillar") {
  check_cut(cut_plan(World(box(0, 0, 20, 12)).obstacle(box(8, 4, 12, 7)).environment(), halves(20, 12, 10, 10)), 1);
}

TEST_CASE("a cut along the side of a pillar ends at its corners") {
  check_cut(cut_plan(World(box(0, 0, 20, 12)).obstacle(box(8, 4, 12, 7)).environment(), halves(20, 12, 8, 8)), 1);
}

namespace {

/// A random plan, and the same cut from its lower to its upper border.
std::optional<Cut> random_cut(std::uint64_t seed) {
  Random random(seed);
  const double width = double(random.whole(20, 80)), height = double(random.whole(20, 60));
  World world(box(0, 0, width, height));
  const int obstacles = int(random.whole(0, 25));
  const auto millimetres = [](double v) { return std::round(v * 1000) / 1000; };
  for (int i = 0; i < obstacles; ++i) {
    const double x = random.uniform(0, width), y = random.uniform(0, height), size = random.uniform(0.5, 7);
    if (random.chance(0.3)) {
      world.obstacle(
          box(std::round(x), std::round(y), std::round(x) + std::ceil(size), std::round(y) + std::ceil(size)));
    } else if (random.chance(0.2)) {
      world.wall(
          {{millimetres(x), millimetres(y)}, {millimetres(x + size), millimetres(y + random.uniform(-size, size))}});
    } else {
      world.obstacle({{x, y}, {x + size, y + random.uniform(0, size / 2)}, {x + size / 2, y + size}});
    }
  }
  const double below = millimetres(random.chance(0.3) ? std::round(width / 2) : random.uniform(0.2, 0.8) * width);
  const double above = random.chance(0.5) ? below : millimetres(random.uniform(0.2, 0.8) * width);
  return cut_plan(world.environment(), halves(width, height, below, above));
}

void check_random_cuts(std::uint64_t seed, int count) {
  for (int done = 0; done < count; ++seed) {
    INFO("cut " << seed);
    const std::optional<Cut> plan = random_cut(seed);
    if (!plan || plan->cut.connections.empty()) continue;
    check_cut(plan, seed);
    ++done;
  }
}

}  // namespace

TEST_CASE("random plans cut in two are the plans") { check_random_cuts(0, 20); }
TEST_CASE("long: a hundred random plans cut in two are the plans") { check_random_cuts(1000, 100); }

namespace {

/// Strips of a box between upright lines.
std::vector<Ring> strips(double width, double height, std::vector<double> cuts) {
  std::vector<Ring> result;
  cuts.push_back(width);
  double from = 0;
  for (const double to : cuts) {
    result.push_back(box(from, 0, to, height));
    from = to;
  }
  return result;
}

/// A ramp of squares that winds around a core, each a layer of its own; after four quarters it is above where it began.
Environment spiral(int quarters, double inner, double outer) {
  Environment source;
  const auto turned = [](Vec2 p, int times) {
    for (int i = 0; i < times % 4; ++i) p = perpendicular(p);
    return p;
  };
  for (int i = 0; i < quarters; ++i) {
    source.layers.push_back({"quarter " + std::to_string(i), {}});
    Ring ring{{inner, -inner}, {outer, -inner}, {outer, outer}, {inner, outer}};
    for (Vec2& p : ring) p = turned(p, i);
    source.features.push_back({.kind = Kind::walkable, .layer = std::size_t(i), .polygons = {{ring, {}}}});
    if (i == 0) continue;
    // Each quarter begins where the one before it ended: its side from the core outwards.
    source.features.push_back({.kind = Kind::connection,
                               .layer = std::size_t(i - 1),
                               .other_layer = std::size_t(i),
                               .lines = {{turned({inner, inner}, i - 1), turned({inner, outer}, i - 1)}}});
  }
  return source;
}

}  // namespace

TEST_CASE("strips narrower than the room joined one after the other are the room") {
  const World plan = World(box(0, 0, 40, 12))
                         .obstacle(box(9, 3, 14, 5))
                         .obstacle({{25, 4}, {31, 6}, {26, 9}})
                         .wall({{18.25, 2}, {22, 8}});
  check_cut(cut_plan(plan.environment(), strips(40, 12, {7, 8, 10, 13, 16, 17, 18, 20.5, 21, 28, 29, 29.5, 36})), 1);
}

TEST_CASE("quarters that meet in the middle of the room are the room") {
  Cut plan;
  plan.uncut = World(box(0, 0, 20, 14)).clean();
  plan.cut.grid = plan.uncut.grid;
  const GridPoint middle = plan.uncut.grid.snap({9, 8});
  const environment::GridRing& room =
      plan.uncut.layers[0].free[0].outer;  // starts at its smallest vertex, counterclockwise
  const GridPoint south{middle.x, room[0].y}, east{room[1].x, middle.y}, north{middle.x, room[2].y},
      west{room[0].x, middle.y};
  const std::vector<environment::GridRing> quarters{{room[0], south, middle, west},
                                                    {south, room[1], east, middle},
                                                    {middle, east, room[2], north},
                                                    {west, middle, north, room[3]}};
  for (const auto& ring : quarters) add_layer(plan.cut, ring);
  plan.cut.connections = {{south, middle, 0, 1}, {east, middle, 1, 2}, {north, middle, 2, 3}, {west, middle, 3, 0}};
  for (int turn = 0; turn < 4; ++turn) {
    check_cut(plan, 1);
    std::rotate(plan.cut.connections.begin(), plan.cut.connections.begin() + 1, plan.cut.connections.end());
  }
}

TEST_CASE("a spiral ramp passes over itself") {
  for (const int quarters : {3, 4, 5, 9, 14}) {
    INFO(quarters << " quarters");
    const CleanEnvironment world = cleaned(spiral(quarters, 3, 8));
    const MeshPtr mesh = build(world);
    const Problems problems = validate(*mesh, world);
    CHECK_MESSAGE(problems.empty(), all(problems));
    double area = 0;
    for (Index cell = 0; cell < mesh->cell_count(); ++cell) area += cell_area(*mesh, cell);
    CHECK(area == doctest::Approx(55.0 * quarters).epsilon(1e-12));
    // One way up, no loops: as many vertices as edges and one.
    CHECK(graph_vertices(*mesh).size() == mesh->edges.size() + 1);
  }
}

namespace {

/// Two storeys: a stair well, a room around it, a door between them at x = 18 m, and a triangle in the room one of whose edges
/// is nearest to the door's upper end at a foot `low`..`high` units from the edge's end.
std::optional<Environment> well_with_triangle(Random& random, double low, double high) {
  for (int attempt = 0; attempt < 2000000; ++attempt) {
    const Vec2 e{double(random.whole(20500, 22500)), double(random.whole(10500, 11900))};
    const Vec2 d{double(random.whole(50, 600)), double(random.whole(200, 700))};
    const Vec2 along = d / length(d), normal{-along.y, along.x};
    const double radius = (normal.x * (18000 - e.x) + normal.y * (12000 - e.y)) / (1 - normal.x);
    if (!(radius > 100 && radius <= 10000)) continue;
    const double foot = along.x * (18000 + radius - e.x) + along.y * (12000 - e.y);
    if (!(foot > low && foot < high && foot < length(d))) continue;
    const Ring well = box(12, 9, 18, 12);
    Environment plan;
    plan.layers = {{"stair", {}}, {"upper", {.z = 3}}};
    plan.features = {{.kind = Kind::walkable, .layer = 0, .polygons = {{well, {}}}},
                     {.kind = Kind::walkable, .layer = 1, .polygons = {{box(0, 0, 30, 20), {}}}},
                     {.kind = Kind::obstacle, .layer = 1, .polygons = {{well, {}}}},
                     {.kind = Kind::obstacle,
                      .layer = 1,
                      .polygons = {{{e / 1000, (e + Vec2{d.y, -d.x}) / 1000, (e + d) / 1000}, {}}}},
                     {.kind = Kind::connection, .layer = 0, .other_layer = 1, .lines = {{{18, 9}, {18, 12}}}}};
    return plan;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a segment and its own end are told apart by a linear test: worlds whose feet lie just beside an end") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  int built = 0;
  for (const auto& [low, high] : {std::pair{2e-4, 0.010}, std::pair{0.010, 0.2}, std::pair{1.0, 50.0}})
    for (int i = 0; i < 12; ++i) {
      const std::optional<Environment> plan = well_with_triangle(random, low, high);
      if (!plan) continue;
      const CleanEnvironment world = cleaned(*plan);
      const auto mesh = build_mesh(world);
      REQUIRE_MESSAGE(mesh.ok(), to_string(mesh.problems()[0]));
      const Problems problems = validate(**mesh, world);
      CHECK_MESSAGE(problems.empty(), all(problems));
      ++built;
    }
  CHECK(built > 20);
}

TEST_CASE("the stairs of seed 5307 are built") {
  const CleanEnvironment world = cleaned(environment::random_scene(5307, environment::SceneKind::stairs));
  const auto mesh = build_mesh(world);
  REQUIRE_MESSAGE(mesh.ok(), to_string(mesh.problems()[0]));
  CHECK(validate(**mesh, world).empty());
}
