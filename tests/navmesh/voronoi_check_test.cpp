#include "navmesh/voronoi_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "navmesh/boost_voronoi.hpp"
#include "navmesh/medial_axis.hpp"
#include "navmesh/validate.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"
#include "world.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;
using geometry::GridPoint;

namespace {

/// Boost, with something wrong in the first diagrams.
class Faulty final : public VoronoiGenerator {
 public:
  enum class Fault { vertex_dropped, vertex_moved, edge_lost, sources_swapped, refusal };
  Faulty(Fault fault, int times) : fault_(fault), times_(times) {}
  [[nodiscard]] std::string_view name() const override { return "faulty"; }
  [[nodiscard]] Result<VoronoiDiagram> generate(std::span<const VoronoiSegment> segments) const override {
    ++calls;
    Result<VoronoiDiagram> diagram = BoostVoronoi().generate(segments);
    if (!diagram || times_-- <= 0) return diagram;
    if (fault_ == Fault::refusal) return Problem{Severity::error, ProblemCode::internal, "", "out of order"};
    damage(*diagram);
    return diagram;
  }
  mutable int calls = 0;

 private:
  void damage(VoronoiDiagram& d) const {
    // An edge between two corners of the pillar's surroundings: bounded, between two different segments, in the free
    // space.
    const auto edge = std::find_if(d.edges.begin(), d.edges.end(), [&](const VoronoiEdge& e) {
      return e.vertex[0] != VoronoiEdge::at_infinity && e.vertex[1] != VoronoiEdge::at_infinity &&
             e.source[0].part == VoronoiSource::interior && e.source[1].part == VoronoiSource::interior;
    });
    REQUIRE(edge != d.edges.end());
    switch (fault_) {
      case Fault::
          vertex_dropped:  // its edges go on to the next vertex, as Boost's fault does it: Euler's formula still holds
        for (VoronoiEdge& e : d.edges)
          for (std::uint32_t& v : e.vertex)
            if (v == edge->vertex[0] && &e != &*edge) v = edge->vertex[1];
        d.edges.erase(edge);
        d.vertices.pop_back();
        for (VoronoiEdge& e : d.edges)
          for (std::uint32_t& v : e.vertex)
            if (v != VoronoiEdge::at_infinity) v = std::min<std::uint32_t>(v, std::uint32_t(d.vertices.size() - 1));
        break;
      case Fault::vertex_moved: d.vertices[edge->vertex[1]].x += 7; break;
      case Fault::edge_lost: d.edges.erase(edge); break;
      case Fault::sources_swapped: std::swap(edge->source[0], edge->source[1]); break;
      case Fault::refusal: break;
    }
  }

  Fault fault_;
  mutable int times_;
};

CleanEnvironment pillar_room() { return World(box(0, 0, 20, 16)).obstacle({{7, 5}, {12, 6}, {9, 11}}).clean(); }

/// A comb whose long edges are on the axis or a unit off it: what Boost.Polygon is known to get wrong at large extents.
CleanEnvironment comb(Random& random, std::int32_t size) {
  const auto off = [&] { return std::int32_t(random.whole(-1, 1)); };
  const int teeth = int(random.whole(2, 8));
  const std::int32_t pitch = size / (2 * teeth + 1), foot = size / 10;
  environment::GridRing ring{{0, 0}, {size, off()}};
  for (int i = teeth - 1; i >= 0; --i) {
    const std::int32_t x = (2 * i + 1) * pitch;
    ring.push_back({x + pitch + off(), size + off()});
    ring.push_back({x + off(), size + off()});
    ring.push_back({x + off(), foot + off()});
    ring.push_back({x - pitch + 20 + off(), foot + off()});
  }
  CleanEnvironment world;
  add_layer(world, std::move(ring));
  return world;
}

}  // namespace

TEST_CASE("poses are undone exactly") {
  for (const Pose& pose : poses()) {
    const std::vector<VoronoiSegment> segments{{{-7, 11}, {123, -45}}, {{5, 5}, {6, 9}}};
    VoronoiDiagram diagram;
    for (const VoronoiSegment& s : posed(segments, pose)) {
      diagram.vertices.push_back({double(s.a.x), double(s.a.y)});
      diagram.vertices.push_back({double(s.b.x), double(s.b.y)});
    }
    unpose(diagram, pose);
    CHECK(diagram.vertices == std::vector<Vec2>{{-7, 11}, {123, -45}, {5, 5}, {6, 9}});
  }
}

TEST_CASE("a faulty diagram is made again in another pose, and the mesh is right") {
  const CleanEnvironment world = pillar_room();
  const MeshPtr expected = build(world);
  for (const auto fault : {Faulty::Fault::vertex_dropped, Faulty::Fault::vertex_moved, Faulty::Fault::edge_lost,
                           Faulty::Fault::sources_swapped, Faulty::Fault::refusal})
    for (const int times : {1, 2, 5, 9, 13, 17}) {
      CAPTURE(int(fault));
      CAPTURE(times);
      const Faulty generator(fault, times);
      const auto mesh = build_mesh(world, {.generator = &generator});
      REQUIRE(mesh.ok());
      CHECK(generator.calls == times + 1);
      CHECK(validate(**mesh, world).empty());
      CHECK((*mesh)->arcs.size() == expected->arcs.size());
      CHECK((*mesh)->edges.size() == expected->edges.size());
    }
}

TEST_CASE("a generator that is never right is refused with its reasons") {
  const Faulty generator(Faulty::Fault::edge_lost, 1000);
  const auto mesh = build_mesh(pillar_room(), {.generator = &generator});
  REQUIRE(!mesh.ok());
  const std::string text = to_string(mesh.problems().front());
  CHECK(text.find("layer 'ground'") != std::string::npos);
  CHECK(text.find("'faulty' gave no right diagram") != std::string::npos);
  CHECK(text.find("vertices - edges + cells") != std::string::npos);
}

TEST_CASE("combs at extents where Boost.Polygon fails are meshed all the same") {
  const BoostVoronoi boost;
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  int wrong = 0;
  for (int i = 0; i < 200; ++i) {
    const CleanEnvironment world = comb(random, 100'000'000);
    const Boundary boundary = boundary_of(world, 0);
    const auto raw = boost.generate(boundary.segments);
    REQUIRE(raw.ok());
    wrong += !check_voronoi(boundary, *raw).empty() || !medial_axis_of(boundary, *raw, 0).fault.empty();
    const auto mesh = build_mesh(world);
    CHECK_MESSAGE(mesh.ok(), (mesh.ok() ? "" : to_string(mesh.problems()[0])));
  }
  MESSAGE(wrong << " of 200 diagrams were wrong at first");
  CHECK(wrong > 0);  // otherwise this test tests nothing
}
