#include "support/scenes.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "environment/sketch.hpp"
#include "navmesh/build.hpp"
#include "navmesh/locate.hpp"
#include "support/random.hpp"

namespace throng::test {

using environment::Environment;
using environment::Polygon;
using environment::rectangle;
using environment::Ring;
using environment::Sketch;

namespace {

Polygon blob(Random& random, Vec2 centre, double size) {
  const int corners = int(random.whole(3, 9));
  Ring ring;
  for (int i = 0; i < corners; ++i) {
    const double turn = (i + random.uniform(0, 0.8)) / corners * 6.283185307179586;
    const double radius = size * random.uniform(0.3, 1);
    ring.push_back(centre + Vec2{std::cos(turn), std::sin(turn)} * radius);
  }
  return {ring, {}};
}

Environment grid_of_squares() {
  Sketch sketch("grid of squares");
  sketch.walkable({rectangle({0, 0}, {11, 11}), {}});
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      sketch.obstacle({rectangle({2.0 * x + 1, 2.0 * y + 1}, {2.0 * x + 2, 2.0 * y + 2}), {}});
  return std::move(sketch).take();
}

Environment star() {
  Sketch sketch("many-pointed star");
  Ring ring;
  for (int i = 0; i < 96; ++i) {
    const double turn = i / 96.0 * 6.283185307179586;
    ring.push_back(Vec2{std::cos(turn), std::sin(turn)} * (i % 2 == 0 ? 20.0 : 8.0));
  }
  sketch.walkable({ring, {}});
  return std::move(sketch).take();
}

Environment comb() {
  Sketch sketch("comb a unit off the axis");
  Ring ring{{0, 0}, {40, 0}};
  for (int i = 19; i >= 0; --i) {
    const double x = 2.0 * i;
    ring.insert(ring.end(), {{x + 1.9, 1}, {x + 1.901, 60.001}, {x + 0.1, 60}, {x + 0.099, 1}});
  }
  sketch.walkable({ring, {}});
  return std::move(sketch).take();
}

Environment touching_corners() {
  Sketch sketch("touching corners");
  sketch.walkable({rectangle({0, 0}, {10, 10}), {}});
  sketch.obstacle({rectangle({2, 2}, {5, 5}), {}});
  sketch.obstacle({rectangle({5, 5}, {8, 8}), {}});
  sketch.obstacle({{{8, 8}, {9, 8}, {9, 9}}, {}});
  sketch.obstacle({{{0, 7}, {2, 7}, {2, 9}}, {}});
  return std::move(sketch).take();
}

Environment nested_holes() {
  Sketch sketch("nested holes");
  for (int i = 0; i < 3; ++i) {
    const double a = 4.0 * i, b = 40 - a;
    sketch.walkable({rectangle({a, a}, {b, b}), {rectangle({a + 2, a + 2}, {b - 2, b - 2})}});
  }
  return std::move(sketch).take();
}

Environment single_wall() {
  Sketch sketch("a single wall");
  sketch.walkable({rectangle({0, 0}, {10, 6}), {}});
  sketch.wall({{3, 2}, {7, 4}});
  return std::move(sketch).take();
}

Environment empty_room() {
  Sketch sketch("an empty room");
  sketch.walkable({rectangle({0, 0}, {8, 8}), {}});
  return std::move(sketch).take();
}

Environment cocircular() {
  Sketch sketch("posts on a circle");
  sketch.walkable({rectangle({-15, -15}, {15, 15}), {}});
  // Points of 10-metre circle that are whole centimetres: multiples of 3-4-5 and its mirror images.
  for (const Vec2 p : {Vec2{6, 8}, Vec2{8, 6}, Vec2{10, 0}, Vec2{0, 10}})
    for (const double sx : {-1.0, 1.0})
      for (const double sy : {-1.0, 1.0}) {
        const Vec2 c{p.x * sx, p.y * sy};
        sketch.wall({c, c * 1.2});
      }
  return std::move(sketch).take();
}

}  // namespace

Scene make_scene(std::string name, const Environment& source) {
  INFO("scene: " << name);
  Result<environment::CleanEnvironment> world = environment::clean(source);
  if (!world) FAIL("not cleaned: " << to_string(world.problems().front()));
  Result<navmesh::MeshPtr> mesh = navmesh::build_mesh(*world);
  if (!mesh) FAIL("not meshed: " << to_string(mesh.problems().front()));
  navmesh::MeshPtr ready = *mesh;
  if (!ready->locator) {
    auto copy = std::make_shared<navmesh::Mesh>(*ready);
    copy->locator = navmesh::make_locator(*copy);
    ready = copy;
  }
  return {std::move(name), *std::move(world), ready};
}

Environment random_world(std::uint64_t seed) {
  Random random(seed * 7919 + 17);
  Sketch sketch("random world " + std::to_string(seed));
  const Vec2 size{random.uniform(10, 120), random.uniform(10, 120)};
  const Vec2 low = random.chance(0.3) ? Vec2{random.uniform(-1e5, 1e5), random.uniform(-1e5, 1e5)} : Vec2{};
  sketch.walkable({rectangle(low, low + size), {}});
  const auto place = [&] { return low + Vec2{random.uniform(0, size.x), random.uniform(0, size.y)}; };
  const int blobs = int(random.whole(0, 40)), walls = int(random.whole(0, 12));
  for (int i = 0; i < blobs; ++i) sketch.obstacle(blob(random, place(), random.uniform(0.2, 8)));
  for (int i = 0; i < walls; ++i) sketch.wall({place(), place()});
  for (int i = 0; i < 3; ++i) sketch.opening(blob(random, place(), random.uniform(1, 6)).outer);
  return std::move(sketch).take();
}

std::vector<Environment> degenerate_worlds() {
  return {grid_of_squares(), star(),        comb(),       touching_corners(),
          nested_holes(),    single_wall(), empty_room(), cocircular()};
}

}  // namespace throng::test
