#include "analysis/crowd_maps.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "analysis/speed_density.hpp"
#include "environment/generate/random_scenes.hpp"
#include "environment/sketch.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using namespace analysis;
using environment::CleanEnvironment;
using environment::rectangle;
using environment::Sketch;

CleanEnvironment cleaned(const environment::Environment& source) {
  Result<CleanEnvironment> clean = environment::clean(source);
  REQUIRE(clean.ok());
  return std::move(clean).value();
}

CleanEnvironment hall(double width, double height) {
  Sketch sketch("hall");
  sketch.walkable({rectangle({0, 0}, {width, height}), {}});
  return cleaned(sketch.environment());
}

double people_in(const LayerMaps& maps, const std::vector<float>& density) {
  double sum = 0;
  for (std::size_t i = 0; i < density.size(); ++i) sum += double(density[i]) * maps.raster.free_area(i);
  return sum;
}

TEST_CASE("squares of a raster hold the free space of every scene, whatever its shape") {
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    const CleanEnvironment world = cleaned(environment::random_scene(3, kind));
    for (std::size_t i = 0; i < world.layers.size(); ++i) {
      const GroundRaster raster(world, i, 0.25);
      double sum = 0;
      for (std::size_t s = 0; s < raster.size(); ++s) {
        sum += raster.free_area(s);
        CHECK(raster.free_area(s) <= 0.0625 * 1.001);
      }
      CHECK_MESSAGE(sum == doctest::Approx(environment::area(world.layers[i].free, world.grid)).epsilon(0.01),
                    environment::name_of(kind));
    }
  }
}

TEST_CASE("every square knows its place") {
  const GroundRaster raster(hall(10, 6), 0, 0.5);
  CHECK(raster.width() == 20);
  CHECK(raster.height() == 12);
  CHECK(raster.at({0.1, 0.1}) == 0);
  CHECK(raster.at({9.9, 5.9}) == raster.size() - 1);
  CHECK(raster.at({-50, 100}) == 11 * 20);  // the nearest
}

TEST_CASE("a thin wall and an obstacle thinner than a square cut the squares beside them apart") {
  Sketch sketch("walls");
  sketch.walkable({rectangle({0, 0}, {10, 4}), {}});
  sketch.wall({{4, 0}, {4, 4}});
  sketch.obstacle({rectangle({7.1, 0}, {7.2, 4}), {}});
  const GroundRaster raster(cleaned(sketch.environment()), 0, 0.5);
  const std::size_t row = 3 * raster.width();
  CHECK(!raster.linked_right(row + 7));  // x 3.5-4 | 4-4.5
  CHECK(raster.linked_right(row + 6));
  CHECK(raster.linked_up(row + 7));
  // The obstacle lies within the square from 7 to 7.5: that square's free middle is right of it.
  CHECK(raster.linked_right(row + 13) != raster.linked_right(row + 14));
}

TEST_CASE("one person is one person, beside walls, in corners and behind columns, in every scene") {
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    const CleanEnvironment world = cleaned(environment::random_scene(5, kind));
    CrowdMapper mapper(world);
    std::vector<Presence> people;
    for (int i = 0; i < 60; ++i) {
      const auto layer = std::uint32_t(random.below(world.layers.size()));
      const GroundRaster raster(world, layer, raster_side(world));
      const Vec2 at{random.uniform(raster.low().x, raster.high().x), random.uniform(raster.low().y, raster.high().y)};
      if (raster.free_area(raster.at(at)) > 0.2 * raster.side() * raster.side()) people.push_back({at, layer, 1, true});
    }
    mapper.add(0, people, 1);
    const CrowdMaps maps = std::move(mapper).finish();
    double sum = 0;
    for (const LayerMaps& layer : maps.layers) sum += people_in(layer, layer.mean);
    CHECK_MESSAGE(sum == doctest::Approx(double(people.size())).epsilon(1e-3), environment::name_of(kind));
    double seconds = 0;
    for (const double s : maps.person_seconds) seconds += s;
    CHECK(seconds == doctest::Approx(double(people.size())));
  }
}

TEST_CASE("somebody alone in the open makes the density of a cone, level A, and is nowhere beyond two metres") {
  CrowdMapper mapper(hall(20, 20));
  const Presence person{{10.1, 10.1}, 0, 1.3, true};
  mapper.add(0, {&person, 1}, 1);
  const CrowdMaps maps = std::move(mapper).finish();
  CHECK(maps.highest_density == doctest::Approx(3 / (std::numbers::pi * kernel_radius * kernel_radius)).epsilon(0.02));
  CHECK(maps.person_seconds[0] == 1);
  const GroundRaster& raster = maps.layers[0].raster;
  CHECK(maps.layers[0].mean[raster.at({10.1, 12.4})] == 0);
  CHECK(maps.layers[0].mean[raster.at({10.1, 11.6})] > 0);
  CHECK(maps.layers[0].speed[raster.at({10.1, 11})] == doctest::Approx(1.3));
  CHECK(std::isnan(maps.layers[0].speed[raster.at({2, 2})]));
}

TEST_CASE("nobody leaks through a thin wall") {
  Sketch sketch("wall");
  sketch.walkable({rectangle({0, 0}, {10, 10}), {}});
  sketch.wall({{5, 0}, {5, 10}});
  CrowdMapper mapper(cleaned(sketch.environment()));
  const Presence person{{4.6, 5}, 0, 0, true};
  mapper.add(0, {&person, 1}, 1);
  const CrowdMaps maps = std::move(mapper).finish();
  const LayerMaps& layer = maps.layers[0];
  for (std::size_t s = 0; s < layer.raster.size(); ++s)
    if (s % layer.raster.width() >= layer.raster.at({5.1, 0})) CHECK(layer.mean[s] == 0);
  CHECK(people_in(layer, layer.mean) == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("an even crowd has its density everywhere") {
  CrowdMapper mapper(hall(20, 10));
  std::vector<Presence> people;
  for (double x = 0.25; x < 20; x += 0.5)
    for (double y = 0.25; y < 10; y += 0.5) people.push_back({{x, y}, 0, 0.5, true});
  mapper.add(0, people, 1);
  const CrowdMaps maps = std::move(mapper).finish();
  // Away from walls the rings of neighbours are whole.
  CHECK(maps.layers[0].mean[maps.layers[0].raster.at({10, 5})] == doctest::Approx(4).epsilon(0.02));
  CHECK(maps.person_seconds[5] / double(people.size()) > 0.99);
}

TEST_CASE("mean, maximum and lasting density tell a short crowd from a long one") {
  const auto maps_of = [](int crowded_seconds, int seconds) {
    CrowdMapper mapper(hall(10, 10));
    const std::vector<Presence> crowd(20, Presence{{5, 5}, 0, 1, true});
    for (int t = 0; t < seconds; ++t)
      mapper.add(t, t < crowded_seconds ? std::span<const Presence>(crowd) : std::span<const Presence>(), 1);
    CrowdMaps maps = std::move(mapper).finish();
    const std::size_t at = maps.layers[0].raster.at({5, 5});
    return std::array<double, 3>{maps.layers[0].mean[at], maps.layers[0].maximum[at], maps.layers[0].lasting[at]};
  };
  const auto [mean, most, lasting] = maps_of(30, 120);
  CHECK(mean == doctest::Approx(most / 4));
  CHECK(lasting == doctest::Approx(most / 2));
  CHECK(maps_of(60, 120)[2] == doctest::Approx(most));
  CHECK(maps_of(5, 10)[2] == doctest::Approx(most / 2));  // shorter than a minute: all of it
}

TEST_CASE("people who stand for reasons of their own do not make a place slow") {
  CrowdMapper mapper(hall(10, 10));
  const std::vector<Presence> people{{{5, 5}, 0, 1.2, true}, {{5, 5}, 0, 0, false}, {{5, 5}, 0, -1, true}};
  mapper.add(0, people, 1);
  const CrowdMaps maps = std::move(mapper).finish();
  CHECK(maps.layers[0].speed[maps.layers[0].raster.at({5, 5})] == doctest::Approx(1.2));
}

TEST_CASE("places too large for squares of two metres are mapped all the same") {
  Sketch sketch("plain");
  sketch.walkable({rectangle({0, 0}, {100'000, 50'000}), {}});
  const CleanEnvironment world = cleaned(sketch.environment());
  CHECK(raster_side(world) > 100);
  CrowdMapper mapper(world);
  SpeedDensity measured(world);
  const std::vector<Presence> people(20, Presence{{500, 500}, 0, 1, true});
  for (int t = 0; t < 20; ++t) mapper.add(t, people, 1), measured.add(people);
  const CrowdMaps maps = std::move(mapper).finish();
  CHECK(people_in(maps.layers[0], maps.layers[0].mean) == doctest::Approx(20).epsilon(1e-3));
  CHECK(measured.result().empty());
}

TEST_CASE("speed by density: squares of 2 x 2 m that are wholly free, by the number of people in them") {
  SpeedDensity measured(hall(20, 5));  // the row from 4 to 5 m is half a square: not counted
  std::vector<Presence> people;
  for (int i = 0; i < 4; ++i) people.push_back({{3.0 + 0.1 * i, 1}, 0, 0.8, true});
  people.push_back({{7, 1}, 0, 1.5, true});
  people.push_back({{7, 4.5}, 0, 0.1, true});
  people.push_back({{11, 1}, 0, 0, false});
  for (int t = 0; t < 12; ++t) measured.add(people);
  const std::vector<SpeedAtDensity> result = measured.result();
  REQUIRE(result.size() == 2);
  CHECK(result[0].density == 0.25);
  CHECK(result[0].samples == 12);
  CHECK(result[0].middle == doctest::Approx(1.5).epsilon(0.01));
  CHECK(result[1].density == 1);
  CHECK(result[1].low == doctest::Approx(0.8).epsilon(0.01));
  CHECK(result[1].high == doctest::Approx(0.8).epsilon(0.01));
}

}  // namespace
}  // namespace throng::test
