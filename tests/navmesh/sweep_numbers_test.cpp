#include "navmesh/sweep_numbers.hpp"

#include <doctest/doctest.h>

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>
#include <set>
#include <vector>

#include "environment/generate/random_scenes.hpp"
#include "navmesh/boost_voronoi.hpp"
#include "navmesh/boundary.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;

namespace {

using BoostInt = boost::polygon::detail::extended_int<64>;
using BoostScaled = boost::polygon::detail::extended_exponent_fpt<double>;

std::int64_t any_size(Random& random) {
  const std::int64_t value = std::int64_t(random.next() >> (1 + random.below(63)));
  return random.chance(0.5) ? -value : value;
}

void check_same(const WideInt& ours, const BoostInt& theirs) {
  CHECK(ours.scaled() == theirs.p());
  CHECK(ours.is_zero() == theirs.is_zero());
  CHECK(ours.is_negative() == theirs.is_neg());
}

}  // namespace

TEST_CASE("wide integers are Boost's") {
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  for (int round = 0; round < 500; ++round) {
    const std::int64_t a0 = any_size(random), b0 = random.chance(0.1) ? a0 : any_size(random);
    WideInt a(a0), b(b0);
    BoostInt p(a0), q(b0);
    for (int step = 0; step < 6; ++step) {
      check_same(a + b, p + q);
      check_same(a - b, p - q);
      check_same(b - a, q - p);
      check_same(a * b, p * q);
      check_same(-a, -p);
      check_same(a * b - b * a, p * q - q * p);
      const WideInt product = a * b;
      const BoostInt expected = p * q;
      const std::int64_t addend = any_size(random);
      b = a + WideInt(addend), q = p + BoostInt(addend);
      if (step < 3) a = product, p = expected;  // grows to about 1500 bits
    }
  }
}

TEST_CASE("scaled doubles are Boost's") {
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  for (int round = 0; round < 2000; ++round) {
    const auto number = [&] { return random.chance(0.1) ? 0 : random.uniform(-1, 1) * double(any_size(random)); };
    const double x = number(), y = number();
    const int i = int(random.whole(-200, 200)), j = i + int(random.whole(-80, 80));
    const ScaledDouble a(x, i), b(y, j);
    const BoostScaled p(x, i), q(y, j);
    CHECK((a + b).to_double() == (p + q).d());
    CHECK((a - b).to_double() == (p - q).d());
    CHECK((a * b).to_double() == (p * q).d());
    if (y != 0) CHECK((a / b).to_double() == (p / q).d());
    if (x > 0) CHECK(a.root().to_double() == p.sqrt().d());
  }
}

TEST_CASE("diagrams are those of Boost with its own numbers, to the bit") {
  for (const environment::SceneKind kind : environment::all_scene_kinds)
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      INFO(name_of(kind) << " " << seed);
      const auto world = environment::clean(environment::random_scene(seed, kind));
      REQUIRE(world.ok());
      const Boundary boundary = boundary_of(*world, 0);
      const auto ours = BoostVoronoi().generate(boundary.segments);
      REQUIRE(ours.ok());
      boost::polygon::voronoi_builder<std::int32_t> builder;
      for (const VoronoiSegment& s : boundary.segments) builder.insert_segment(s.a.x, s.a.y, s.b.x, s.b.y);
      boost::polygon::voronoi_diagram<double> theirs;
      builder.construct(&theirs);
      // Boost leaves out all but one of coincident vertices, the edges between them, and so cells without extent.
      std::size_t lost_cells = 0;
      for (const auto& cell : theirs.cells()) lost_cells += cell.is_degenerate();
      CHECK(ours->vertices.size() - theirs.num_vertices() + lost_cells == ours->edges.size() - theirs.num_edges() / 2);
      const std::set<Vec2> vertices(ours->vertices.begin(), ours->vertices.end());
      for (const auto& vertex : theirs.vertices()) CHECK(vertices.contains(Vec2{vertex.x(), vertex.y()}));
    }
}
