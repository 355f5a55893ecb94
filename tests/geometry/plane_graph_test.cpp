#include "geometry/plane_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "geometry/grid_polygon.hpp"
#include "geometry/overlay.hpp"

using namespace throng::geometry;

namespace {

std::vector<GridSegment> ring(std::initializer_list<GridPoint> points) {
  std::vector<GridSegment> edges;
  for (auto p = points.begin(); p != points.end(); ++p)
    edges.push_back({*p, p + 1 == points.end() ? *points.begin() : p[1]});
  return edges;
}

std::vector<GridSegment> joined(std::vector<GridSegment> a, const std::vector<GridSegment>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<GridSegment> square(std::int32_t x, std::int32_t y, std::int32_t size) {
  return ring({{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}});
}

}  // namespace

TEST_CASE("one square: an inside and an outside") {
  const PlaneGraph graph(square(0, 0, 10));
  CHECK(graph.face_count() == 2);
  for (PlaneGraph::Id h = 0; h < graph.half_edge_count(); ++h) {
    const GridPoint a = graph.origin_of(h);
    const GridPoint b = graph.origin_of(h ^ 1u);
    CHECK((graph.face_of(h) == 1) == (side(a, b, {5, 5}) > 0));
  }
  CHECK(graph.area_and_border(1).first == 200);
  CHECK(graph.area_and_border(1).second == 40);
}

TEST_CASE("islands belong to the face around them, however deep") {
  std::vector<GridSegment> edges = joined(square(0, 0, 100), square(10, 10, 50));
  edges = joined(edges, square(20, 20, 5));
  edges = joined(edges, square(30, 20, 5));      // beside the other island: the edge below is that island's upper side
  edges = joined(edges, square(22, 40, 5));      // above it
  edges = joined(edges, {{{-10, 0}, {-5, 0}}});  // a lone edge outside
  const PlaneGraph graph(edges);
  CHECK(graph.face_count() == 1 + 5);
  std::map<PlaneGraph::Id, double> area;
  for (PlaneGraph::Id f = 1; f < graph.face_count(); ++f) area[f] = graph.area_and_border(f).first / 2;
  std::vector<double> areas;
  for (const auto& [f, a] : area) areas.push_back(a);
  std::sort(areas.begin(), areas.end());
  CHECK(areas == std::vector<double>{25, 25, 25, 2425, 7500});
}

TEST_CASE("walk_faces reaches every face once and steps back as often as in") {
  const PlaneGraph graph(joined(joined(square(0, 0, 100), square(10, 10, 50)), square(200, 0, 10)));
  std::vector<int> visits(graph.face_count(), 0);
  int depth = 0;
  graph.walk_faces([&](auto) { ++depth; }, [&](auto face) { ++visits[face]; }, [&](auto) { --depth; });
  CHECK(depth == 0);
  CHECK(visits == std::vector<int>(graph.face_count(), 1));
}

TEST_CASE("face_polygons: a hole, an island in it, straight vertices gone") {
  std::vector<GridSegment> edges = joined(square(10, 10, 50), square(20, 20, 10));
  edges = joined(edges, ring({{0, 0}, {40, 0}, {100, 0}, {100, 100}, {0, 100}}));
  const PlaneGraph graph(edges);
  std::vector<std::int32_t> labels(graph.face_count(), no_label);
  for (PlaneGraph::Id f = 1; f < graph.face_count(); ++f) {
    const double area2 = graph.area_and_border(f).first;
    labels[f] = area2 == 200 || area2 == 15000 ? 0 : no_label;  // the frame and the innermost square
  }
  const auto polygons = face_polygons(graph, labels, 1, std::vector<bool>(graph.vertex_count(), false));
  REQUIRE(polygons[0].size() == 2);
  CHECK(polygons[0][0].outer == GridRing{{0, 0}, {100, 0}, {100, 100}, {0, 100}});
  CHECK(polygons[0][0].holes == std::vector<GridRing>{{{10, 10}, {10, 60}, {60, 60}, {60, 10}}});
  CHECK(polygons[0][1].outer == GridRing{{20, 20}, {30, 20}, {30, 30}, {20, 30}});
}

TEST_CASE("face_polygons: a border that touches itself is cut into simple rings") {
  // Two squares that touch in (20, 20), as holes of a large one; and one that touches the outer ring in (0, 50).
  std::vector<GridSegment> edges = joined(ring({{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 50}}), square(10, 10, 10));
  edges = joined(edges, square(20, 20, 10));
  edges = joined(edges, ring({{0, 50}, {5, 45}, {5, 55}}));
  const PlaneGraph graph(edges);
  std::vector<std::int32_t> labels(graph.face_count(), no_label);
  for (PlaneGraph::Id f = 1; f < graph.face_count(); ++f)
    labels[f] = graph.area_and_border(f).first > 1000 ? 0 : no_label;
  const auto polygons = face_polygons(graph, labels, 1, std::vector<bool>(graph.vertex_count(), false));
  REQUIRE(polygons[0].size() == 1);
  CHECK(polygons[0][0].outer.size() == 5);
  CHECK(polygons[0][0].holes.size() == 3);
  for (const GridRing& hole : polygons[0][0].holes) CHECK(twice_area(hole) < 0);
}

TEST_CASE("overlay: which parts cover a face, and which are no polygons") {
  Overlay overlay;
  const auto part = [&](std::vector<GridRing> rings) { return overlay.add_part(rings); };
  const auto big = part({{{0, 0}, {0, 100}, {100, 100}, {100, 0}}});  // clockwise: orientation does not matter
  const auto small = part({{{50, 50}, {150, 50}, {150, 150}, {50, 150}}});
  const auto bow = part({{{300, 0}, {400, 90}, {400, 0}, {300, 100}}});
  REQUIRE(overlay.arrange());
  std::set<Overlay::Id> inside;
  std::map<std::set<Overlay::Id>, double> area;
  std::set<Overlay::Id> broken;
  overlay.walk([&](auto owner, bool in) { in ? void(inside.insert(owner)) : void(inside.erase(owner)); },
               [&](auto face) { area[inside] += overlay.graph().area_and_border(face).first / 2; },
               [&](auto owner, auto, int winding) {
                 CHECK(winding == -1);
                 broken.insert(owner);
               });
  CHECK(area[{big}] == 7500);
  CHECK(area[{big, small}] == 2500);
  CHECK(area[{small}] == 7500);
  CHECK(broken == std::set<Overlay::Id>{bow});
  REQUIRE(overlay.self_crossing(bow).has_value());
  CHECK(overlay.self_crossing(bow)->x == 353);
  CHECK(!overlay.self_crossing(big).has_value());
}
