#include "environment/plain/poly_reader.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "environment/check.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/sketch.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

/// The rings as the file gives them, by the simplest reader there is.
std::vector<Ring> rings_of_file(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  std::size_t version = 0, count = 0;
  in >> word >> version >> count;
  std::vector<Ring> rings(count);
  for (Ring& ring : rings) {
    std::size_t points = 0;
    in >> points;
    ring.resize(points);
    for (Vec2& p : ring) in >> p.x >> p.y;
  }
  return rings;
}

bool is_walkable(const Environment& e, Vec2 p) {
  for (const Feature& feature : e.features) {
    for (const Polygon& polygon : feature.polygons) {
      bool inside = contains(polygon.outer, p);
      for (const Ring& hole : polygon.holes) inside = inside && !contains(hole, p);
      if (inside) return true;
    }
  }
  return false;
}

/// Random points are walkable exactly where an odd number of rings surrounds them.
void check_exclusive_or(const Environment& e, const std::vector<Ring>& rings, int samples) {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  Vec2 low = rings[0][0], high = low;
  for (const Ring& ring : rings) {
    for (const Vec2 p : ring) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  for (int i = 0; i < samples; ++i) {
    const Vec2 p{random.uniform(low.x - 1, high.x + 1), random.uniform(low.y - 1, high.y + 1)};
    std::size_t around = 0;
    for (const Ring& ring : rings) around += contains(ring, p);
    CAPTURE(p.x);
    CAPTURE(p.y);
    REQUIRE(is_walkable(e, p) == (around % 2 == 1));
  }
}

}  // namespace

TEST_CASE("rings nest: a hole, and an island in it") {
  const std::string text = "poly\n1\n3\n4 0 0 9 0 9 9 0 9\n4 1 1 8 1 8 8 1 8\n4 2 2 2 3 3 3 3 2\n";
  const Result<Environment> e = read_poly(text, "a.poly");
  REQUIRE(e.ok());
  CHECK(e->features.size() == 2);
  CHECK(check_environment(*e).empty());
  check_exclusive_or(*e, rings_of_file(text), 500);
}

TEST_CASE("rings may touch, share sides and cross each other") {
  const std::string text = "poly\n1\n4\n4 0 0 4 0 4 4 0 4\n4 4 4 6 4 6 6 4 6\n4 4 0 6 0 6 4 4 4\n4 -1 1 5 1 5 2 -1 2\n";
  const Result<Environment> e = read_poly(text, "a.poly");
  REQUIRE(e.ok());
  check_exclusive_or(*e, rings_of_file(text), 2000);
}

TEST_CASE("the maps of the benchmark set are what their rings say") {
  for (const char* name : {"Berlin_0_256.poly", "Milan_1_512.poly", "Sydney_2_1024.poly"}) {
    const auto file = data_file(name);
    if (!file) return;
    CAPTURE(name);
    const std::string text = test::read_file(*file);
    const Result<Environment> e = read_environment(file->string());
    REQUIRE(e.ok());
    CHECK(e.problems().empty());
    CHECK(check_environment(*e).empty());
    const std::vector<Ring> rings = rings_of_file(text);
    check_exclusive_or(*e, rings, 2000);
    std::size_t before = 0, after = 0;
    for (const Ring& ring : rings) before += ring.size();
    for (const Feature& feature : e->features) {
      after += feature.polygons[0].outer.size();
      for (const Ring& hole : feature.polygons[0].holes) after += hole.size();
    }
    CHECK(after <= before);
  }
}
