#include "steering/time_to_collision.hpp"

#include <doctest/doctest.h>

#include "steering/people_of.hpp"
#include "steering/velocity_fan.hpp"
#include "steering/wall_parts.hpp"

using namespace throng;
using namespace throng::steering;
using test::Random;

namespace {

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double length2 = squared_length(d);
  const double t = length2 > 0 ? std::clamp(dot(p - a, d) / length2, 0.0, 1.0) : 0;
  return length(a + d * t - p);
}

/// The first time at which `distance(t)` is at most `radius`, in small steps; infinite after 20 s.
template <class Distance>
double by_steps(double radius, Distance&& distance) {
  for (int i = 0; i <= 20000; ++i)
    if (distance(i * 1e-3) <= radius) return i * 1e-3;
  return INFINITY;
}

Vec2 anywhere(Random& random, double size) { return {random.uniform(-size, size), random.uniform(-size, size)}; }

}  // namespace

TEST_CASE("time to collision: discs, by hand") {
  CHECK(time_to_disc({3, 0}, {1, 0}, 1) == doctest::Approx(2));  // head-on, or a standing one
  CHECK(time_to_disc({3, 1}, {1, 0}, 1) == doctest::Approx(3));  // tolerance::wall_end
  CHECK(time_to_disc({3, 1.001}, {1, 0}, 1) == INFINITY);        // missed
  CHECK(time_to_disc({3, 0}, {-1, 0}, 1) == INFINITY);           // apart
  CHECK(time_to_disc({3, 0}, {0, 0}, 1) == INFINITY);            // the same velocity
  CHECK(time_to_disc({0.5, 0}, {0.1, 0}, 1) == 0);               // overlapping, closer
  CHECK(time_to_disc({0.5, 0}, {-0.1, 0}, 1) == INFINITY);       // overlapping, apart
  CHECK(time_to_disc({0, 0}, {1, 0}, 1) == INFINITY);            // in the very same place nothing leads closer
  CHECK(time_to_disc({1, 0}, {0, 1}, 1) == INFINITY);            // touching, along
}

TEST_CASE("time to collision: walls, by hand") {
  CHECK(time_to_segment({3, -1}, {3, 1}, {1, 0}, 0.5) == doctest::Approx(2.5));
  CHECK(time_to_segment({3, 1}, {3, -1}, {1, 0}, 0.5) == doctest::Approx(2.5));   // from behind
  CHECK(time_to_segment({3, 0.3}, {3, 9}, {1, 0}, 0.5) == doctest::Approx(2.6));  // its end: 0.3-0.4-0.5
  CHECK(time_to_segment({3, 0.6}, {3, 9}, {1, 0}, 0.5) == INFINITY);
  CHECK(time_to_segment({-1, 1}, {9, 1}, {1, 0}, 0.5) == INFINITY);             // along
  CHECK(time_to_segment({3, 0}, {3, 0}, {1, 0}, 0.5) == doctest::Approx(2.5));  // a post
}

TEST_CASE("time to collision: the formulas agree with walking in small steps") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  int met = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec2 a = anywhere(random, 5), b = anywhere(random, 5), velocity = anywhere(random, 2);
    const double radius = random.uniform(0.1, 1.5);
    // Grazing is decided by rounding: left out.
    const auto compare = [&](double found, double stepped, double nearest) {
      if (nearest <= radius || std::abs(stepped - found) <= 2e-3) return met += std::isfinite(found), void();
      CHECK(std::isinf(found) == std::isinf(stepped));
      CHECK_FALSE(std::abs(found - stepped) > 0.1);
    };
    if (length(a) > radius)
      compare(time_to_disc(a, velocity, radius), by_steps(radius, [&](double t) { return length(a - velocity * t); }),
              length(a));
    if (distance_to_segment({}, a, b) > radius)
      compare(time_to_segment(a, b, velocity, radius),
              by_steps(radius, [&](double t) { return distance_to_segment(velocity * t, a, b); }),
              distance_to_segment({}, a, b));
  }
  CHECK(met > 100);
}

TEST_CASE("a fan of velocities knows the same times") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  for (int i = 0; i < 50; ++i) {
    VelocityFan fan;
    fan.clear();
    std::vector<Vec2> velocities;
    for (std::size_t k = 0; k < 1 + std::size_t(i); ++k) {
      velocities.push_back(anywhere(random, 2));
      fan.add(velocities.back());
    }
    fan.start();
    const Vec2 offset = anywhere(random, 5), walks = anywhere(random, 2), a = anywhere(random, 5),
               b = anywhere(random, 5);
    fan.meet_body(offset, walks, 0.5);
    fan.meet_wall(a, b, 0.25);
    for (const Vec2 end : {a, b}) fan.meet_body(end, {}, 0.25);
    for (std::size_t k = 0; k < velocities.size(); ++k) {
      const double time =
          std::min(time_to_disc(offset, velocities[k] - walks, 0.5), time_to_segment(a, b, velocities[k], 0.25));
      const bool grazes =
          std::isinf(time) != std::isinf(fan.time[k]) || std::abs(fan.time[k] - time) > 1e-3 * (1 + time);
      if (!grazes) continue;
      // Floats may differ where a hair decides: a slightly larger or smaller body then agrees.
      bool agrees = false;
      for (const double more : {-1e-4, 1e-4}) {
        const double other = std::min(time_to_disc(offset, velocities[k] - walks, 0.5 + more),
                                      time_to_segment(a, b, velocities[k], 0.25 + more));
        agrees |= std::isinf(other) ? std::isinf(fan.time[k]) : std::abs(fan.time[k] - other) < 0.05 * (1 + other);
      }
      CHECK(agrees);
    }
  }
}

TEST_CASE("velocities are kept off walls") {
  VelocityFan fan;
  fan.clear();
  fan.add({1, 1});
  fan.add({-1, 1});
  fan.start();
  const HalfPlane wall{{0.5, 0}, {0, 1}};  // a wall to the right: x at most 0.5
  fan.keep_off({&wall, 1});
  CHECK(Vec2{fan.x[0], fan.y[0]} == Vec2{0.5, 1});
  CHECK(Vec2{fan.x[1], fan.y[1]} == Vec2{-1, 1});
}

TEST_CASE("near points of walls: each once, and none where the next wall is nearer") {
  // A room with a notch: from its middle four walls are nearest in their own middles, the notch by its two corners.
  const navmesh::MeshPtr mesh =
      test::build(test::World(test::box(0, 0, 10, 10)).obstacle(test::box(4, 9, 6, 10)).wall({{5, 2}, {5, 4}}).clean());
  test::Columns columns(mesh);
  const Slot slot = columns.add({{4.5, 7}, 0});
  Perception perception;
  perception.index(columns.people());
  const Needs needs{.wall_range = 8};
  perception.perceive(columns.people(), {&slot, 1}, {&needs, 1});
  std::vector<Vec2> points;
  for_each_near_point(*mesh, perception.walls(slot), {4.5, 7}, [&](Vec2 offset, const navmesh::Site&) {
    points.push_back(offset + Vec2{4.5, 7});
  });
  const auto times = [&](Vec2 p) {
    return std::count_if(points.begin(), points.end(), [&](Vec2 q) { return length(p - q) < 1e-6; });
  };
  CHECK(times({4.5, 9}) == 1);  // under the notch
  CHECK(times({5, 4}) == 1);    // the end of the thin wall
  CHECK(times({0, 7}) == 1);
  CHECK(times({10, 7}) == 1);
  CHECK(times({4, 9}) == 0);  // corners of the notch: its lower side is nearer
  CHECK(times({6, 9}) == 0);
}
