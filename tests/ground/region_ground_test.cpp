// RegionMap where it was wrong, and along arcs.
#include <cmath>

#include "ground/ground_worlds.hpp"

using namespace throng;
using namespace throng::test;

TEST_CASE("region map: a point in a notch beside a region that reaches farther right is not in that region") {
  GroundSketch sketch(40, 30);
  sketch.box(10, 5, 20, 25, "low");
  sketch.box(12, 4, 38, 9, "wide");  // over the lower part of `low`, and far beyond its right end
  const GroundWorld world = make_ground_world(sketch.drawn());
  ground::RegionMap::Scratch scratch;
  const auto name_at = [&](Vec2 p) { return world.types()[world.atlas->regions().type_at({p, 0}, scratch)]; };
  CHECK(name_at({11, 7}) == "low");
  CHECK(name_at({13, 7}) == "wide");
  CHECK(name_at({11, 20}) == "low");
  CHECK(name_at({5, 7}).empty());
}

TEST_CASE("region map: along a wall the ground beside it counts, not what lies in the wall") {
  GroundSketch sketch(20, 20);
  sketch.box(0, 0, 20, 20, "mud");
  sketch.obstacle({{8, 0}, {12, 0}, {12, 10}, {8, 10}});
  const GroundWorld world = make_ground_world(sketch.drawn());
  ground::RegionMap::Scratch scratch;
  const std::vector<double> row = world.row({{"mud", 7}});
  CHECK(world.atlas->regions().weighted_length({{8, 1}, 0}, {{8, 9}, 0}, 0, row.data(), scratch) ==
        doctest::Approx(56));
  // Nor does a body feel it, though mud is cheaper than plain ground.
  const std::vector<double> cheap = world.row({{"mud", 0.5}});
  CHECK(world.atlas->regions().weighted_length({{7.5, 1}, 0}, {{7.5, 9}, 0}, 0.6, cheap.data(), scratch) ==
        doctest::Approx(4));
}

TEST_CASE("region map: arcs cost what many chords of them cost") {
  const std::uint64_t first = test_seed() * 1000;
  for (std::uint64_t seed = first; seed < first + 40; ++seed) {
    INFO("THRONG_TEST_SEED=" << seed);
    Random random(seed);
    const GroundWorld world = make_ground_world(random_ground(random, false).drawn());
    const std::vector<double> row = random_row(random, world.types().size(), false);
    ground::RegionMap::Scratch scratch;
    const Vec2 centre{random.uniform(8, 32), random.uniform(8, 22)};
    const double radius = random.uniform(0.3, 6), begin = random.uniform(0, 6.28);
    const double turn = random.uniform(0.1, 3.1) * (random.chance(0.5) ? 1 : -1);
    for (const double felt : {0.0, 0.3}) {
      const auto at = [&](double t) {
        return centre + Vec2{std::cos(begin + turn * t), std::sin(begin + turn * t)} * radius;
      };
      std::vector<double> metres(world.types().size(), 0);
      const double exact =
          world.atlas->regions().weighted_arc({at(0), 0}, centre, turn, felt, row.data(), scratch, metres);
      double sum = 0, length = 0;
      constexpr int parts = 4000;
      for (int i = 0; i < parts; ++i)
        sum += world.atlas->regions().weighted_length({at(double(i) / parts), 0}, {at(double(i + 1) / parts), 0}, felt,
                                                      row.data(), scratch);
      for (const double m : metres) length += m;
      CHECK(length == doctest::Approx(radius * std::abs(turn)).epsilon(1e-9));
      CHECK(exact == doctest::Approx(sum).epsilon(2e-3));
    }
  }
}
