// What moving, turning, mirroring and scaling a world must do to its mesh: the same to every coordinate, nothing to the
// graph.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "environment/generate/generate_city.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;

namespace {

using Change = std::function<Vec2(Vec2)>;

Environment changed(Environment source, const Change& change, bool mirrored) {
  const auto each = [&](std::vector<Vec2>& points) {
    for (Vec2& p : points) p = change(p);
    if (mirrored) std::reverse(points.begin(), points.end());
  };
  for (environment::Feature& feature : source.features) {
    for (Polygon& polygon : feature.polygons) {
      each(polygon.outer);
      for (Ring& hole : polygon.holes) each(hole);
    }
    for (environment::Line& line : feature.lines) each(line);
  }
  return source;
}

/// Numbers places: nodes of two meshes in one place (to a tolerance) get one number.
class Places {
 public:
  explicit Places(double tolerance) : tolerance_(tolerance) {}
  std::size_t of(Vec2 p) {
    const auto column = std::int64_t(std::floor(p.x / tolerance_ / 8));
    for (std::int64_t c = column - 1; c <= column + 1; ++c)
      for (const auto& [q, number] : columns_[c])
        if (std::abs(q.x - p.x) <= tolerance_ && std::abs(q.y - p.y) <= tolerance_) return number;
    columns_[column].push_back({p, count_});
    return count_++;
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  double tolerance_;
  std::map<std::int64_t, std::vector<std::pair<Vec2, std::size_t>>> columns_;
  std::size_t count_ = 0;
};

/// Edges and arcs by the places of their ends, whichever way round, and their lengths.
struct Shape {
  std::vector<std::pair<std::size_t, std::size_t>> edges, arcs;
  std::vector<std::size_t> nodes, passages;
};

Shape shape_of(const Mesh& mesh, const Change& change, Places& places) {
  Shape shape;
  const auto at = [&](Index node) { return places.of(change(mesh.nodes[node].point)); };
  for (Index i = 0; i < mesh.nodes.size(); ++i) shape.nodes.push_back(at(i));
  for (const Edge& e : mesh.edges) shape.edges.push_back(std::minmax({at(e.from), at(e.to)}));
  for (const Arc& a : mesh.arcs) shape.arcs.push_back(std::minmax({at(a.from), at(a.to)}));
  for (const Passage& p : mesh.passages) shape.passages.push_back(places.of(change(p.point)));
  std::sort(shape.nodes.begin(), shape.nodes.end());
  std::sort(shape.passages.begin(), shape.passages.end());
  std::sort(shape.edges.begin(), shape.edges.end());
  std::sort(shape.arcs.begin(), shape.arcs.end());
  return shape;
}

void check_change(const Environment& source, const Change& change, double scale, bool mirrored) {
  const auto before = environment::clean(source);
  REQUIRE(before.ok());
  const auto after = environment::clean(changed(source, change, mirrored), {.unit = before->grid.unit() * scale});
  REQUIRE(after.ok());
  const MeshPtr first = build(*before), second = build(*after);
  const double tolerance = 1e-9 * extent(*second) + 1e-15 * std::abs(bounds(*second).max.x);
  Places places(tolerance);
  const Shape expected = shape_of(*first, change, places);
  const Shape found = shape_of(
      *second, [](Vec2 p) { return p; }, places);
  CHECK(expected.nodes == found.nodes);
  CHECK(expected.edges == found.edges);
  CHECK(expected.arcs == found.arcs);
  CHECK(expected.passages == found.passages);
  CHECK(first->sites.size() == second->sites.size());
  CHECK(first->region_count == second->region_count);
}

void check_all_changes(const Environment& source) {
  INFO("world: " << source.source);
  SUBCASE("moved") {
    check_change(
        source,
        [](Vec2 p) {
          return p + Vec2{123.456, -78.9};
        },
        1, false);
  }
  SUBCASE("turned once") {
    check_change(
        source, [](Vec2 p) { return perpendicular(p); }, 1, false);
  }
  SUBCASE("turned twice") {
    check_change(
        source, [](Vec2 p) { return -p; }, 1, false);
  }
  SUBCASE("turned three times") {
    check_change(
        source, [](Vec2 p) { return -perpendicular(p); }, 1, false);
  }
  SUBCASE("mirrored") {
    check_change(
        source,
        [](Vec2 p) {
          return Vec2{-p.x, p.y};
        },
        1, true);
  }
  SUBCASE("scaled") {
    check_change(
        source, [](Vec2 p) { return p * 10; }, 10, false);
  }
}

}  // namespace

TEST_CASE("degenerate worlds keep their shape") {
  for (const Environment& source : degenerate_worlds()) check_all_changes(source);
}

TEST_CASE("random worlds keep their shape") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    check_all_changes(random_world(seed));
  }
}

TEST_CASE("long: a city keeps its shape") {
  check_all_changes(environment::generate_city(environment::city_of_vertices(3000, 5)));
}

TEST_CASE("the order of what is drawn does not matter") {
  for (const Environment& source : degenerate_worlds()) {
    INFO("world: " << source.source);
    const auto before = environment::clean(source);
    REQUIRE(before.ok());
    environment::CleanEnvironment shuffled = *before;
    Random random(test_seed());
    for (auto& polygon : shuffled.layers[0].free) {
      std::rotate(polygon.outer.begin(), polygon.outer.begin() + std::ptrdiff_t(random.below(polygon.outer.size())),
                  polygon.outer.end());
      std::reverse(polygon.holes.begin(), polygon.holes.end());
      for (auto& hole : polygon.holes)
        std::rotate(hole.begin(), hole.begin() + std::ptrdiff_t(random.below(hole.size())), hole.end());
    }
    std::reverse(shuffled.layers[0].free.begin(), shuffled.layers[0].free.end());
    std::reverse(shuffled.layers[0].walls.begin(), shuffled.layers[0].walls.end());
    for (auto& wall : shuffled.layers[0].walls) std::reverse(wall.points.begin(), wall.points.end());
    CHECK(build(*before)->hash() == build(shuffled)->hash());
  }
}
