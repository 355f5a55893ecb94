// Weighted lengths against sums over many points of the line, each told by brute force over the cleaned polygons.
#include "ground/region_map.hpp"

#include "environment/generate/generate_city.hpp"
#include "environment/generate/random_scenes.hpp"
#include "following/walker.hpp"
#include "support/brute_force.hpp"

using namespace throng;
using namespace throng::ground;
using namespace throng::test;

namespace {

/// Regions of a layer as rings in metres.
class Oracle {
 public:
  Oracle(const environment::CleanEnvironment& world, const RegionMap& map, Index layer) {
    for (const auto& region : world.layers[layer].regions) {
      const auto& types = map.types();
      const Index type = Index(std::find(types.begin(), types.end(), region.type) - types.begin());
      for (const auto& polygon : region.polygons) {
        add(world.grid, polygon.outer, type);
        for (const auto& hole : polygon.holes) add(world.grid, hole, type);
      }
    }
  }
  [[nodiscard]] Index type_at(Vec2 p) const {
    for (Index type = 1; type < 64; ++type) {
      bool inside = false;
      for (const Edge& e : edges_)
        if (e.type == type && (e.a.y > p.y) != (e.b.y > p.y) &&
            p.x < e.a.x + (p.y - e.a.y) / (e.b.y - e.a.y) * (e.b.x - e.a.x))
          inside = !inside;
      if (inside) return type;
    }
    return 0;
  }
  /// The dearest weight within the disc; plain ground only where the centre is.
  [[nodiscard]] double dearest(Vec2 p, double radius, const std::vector<double>& weights) const {
    double dearest = weights[type_at(p)];
    if (radius > 0)
      for (const Edge& e : edges_)
        if (weights[e.type] > dearest && distance_to_segment(p, e.a, e.b) < radius) dearest = weights[e.type];
    return dearest;
  }

 private:
  struct Edge {
    Vec2 a, b;
    Index type;
  };
  void add(const geometry::SnapGrid& grid, const environment::GridRing& ring, Index type) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      edges_.push_back({grid.to_world(ring[i]), grid.to_world(ring[(i + 1) % ring.size()]), type});
  }
  std::vector<Edge> edges_;
};

void check_against_sums(const environment::Environment& source, std::uint64_t seed, int lines) {
  const Ground ground = make_ground(source);
  const RegionMap& map = *ground.regions;
  if (map.empty()) return;
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const Oracle oracle(ground.clean, map, 0);
  RegionMap::Scratch scratch;
  std::vector<double> weights{1};
  while (weights.size() < map.types().size()) weights.push_back(random.uniform(1, 5));
  for (int i = 0; i < lines; ++i) {
    const auto from = free_place(*ground.mesh, random, 0);
    if (!from) return;
    const Vec2 way{random.uniform(-10, 10), random.uniform(-10, 10)};
    const Place to{from->point + way, 0};
    const double radius = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.25 : 1.5;
    const int samples = 400;
    double sum = 0;
    for (int k = 0; k < samples; ++k) sum += oracle.dearest(from->point + way * ((k + 0.5) / samples), radius, weights);
    const double length = std::sqrt(squared_length(way));
    const double expected = sum / samples * length;
    const double felt = map.weighted_length(*from, to, radius, weights.data(), scratch);
    CAPTURE(i);
    // Each change of weight may fall anywhere between two samples; some dozens of them at most.
    CHECK(std::abs(felt - expected) <= 5 * length * 20 / samples);
    const double back = map.weighted_length(to, *from, radius, weights.data(), scratch);
    CHECK(felt == doctest::Approx(back).epsilon(1e-9));
    CHECK(felt >= map.weighted_length(*from, to, 0, weights.data(), scratch) - 1e-9);
    CHECK(felt >= length * (1 - 1e-9));
  }
}

double felt(const RegionMap& map, Vec2 from, Vec2 to, double radius, std::vector<double> weights) {
  RegionMap::Scratch scratch;
  return map.weighted_length({from, 0}, {to, 0}, radius, weights.data(), scratch);
}

}  // namespace

TEST_CASE("weighted lengths are sums over the line, of points and of discs") {
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 6; ++seed)
    check_against_sums(environment::random_scene(seed, environment::SceneKind::overlapping_polygons), seed, 60);
  check_against_sums(environment::generate_city({.seed = 3, .width = 120, .height = 120}), test_seed(), 60);
}

TEST_CASE("a disc feels a region from when it begins to overlap to when it ceases to, and never by touching") {
  environment::Environment e = room(40, 20);
  add_region(e, box(10, 5, 20, 10), "mud");
  const RegionMap map(make_ground(e).clean);
  const std::vector<double> weights{1, 3};
  CHECK(map.types() == std::vector<std::string>{"", "mud"});
  CHECK(felt(map, {5, 7}, {30, 7}, 0, weights) == doctest::Approx(25 + 2 * 10));
  CHECK(felt(map, {5, 7}, {30, 7}, 1, weights) == doctest::Approx(25 + 2 * 12).epsilon(1e-6));
  CHECK(felt(map, {5, 11}, {30, 11}, 1, weights) == doctest::Approx(25));  // slides along the edge
  CHECK(felt(map, {5, 10.6}, {30, 10.6}, 1, weights) == doctest::Approx(25 + 2 * (10 + 2 * 0.8)).epsilon(1e-5));
  CHECK(felt(map, {12, 7}, {18, 8}, 1, weights) == doctest::Approx(3 * std::sqrt(37.0)));  // no edge near
}

TEST_CASE("along a border the cheaper side counts for a point, the dearer one for a disc") {
  environment::Environment e = room(40, 20);
  add_region(e, box(10, 5, 20, 10), "mud");
  add_region(e, box(10, 10, 20, 15), "sand");
  add_region(e, box(20, 5, 24, 10), "mud");
  const RegionMap map(make_ground(e).clean);
  const std::vector<double> weights{1, 3, 2};
  CHECK(felt(map, {10, 10}, {20, 10}, 0, weights) == doctest::Approx(20));
  CHECK(felt(map, {20, 10}, {10, 10}, 0, weights) == doctest::Approx(20));
  CHECK(felt(map, {10, 5}, {20, 5}, 0, weights) == doctest::Approx(10));
  CHECK(felt(map, {12, 10}, {18, 10}, 0.5, weights) == doctest::Approx(18));
}

TEST_CASE("a body with one foot on plain ground feels it where a region is cheaper") {
  environment::Environment e = room(40, 20);
  add_region(e, box(0, 5, 20, 8), "pavement");
  add_region(e, box(20, 0, 30, 20), "pavement");
  add_region(e, box(0, 8, 10, 20), "grass");  // ends half way along the pavement's edge
  const RegionMap map(make_ground(e).clean);
  REQUIRE(map.types() == std::vector<std::string>{"", "grass", "pavement"});
  const std::vector<double> weights{1, 0.75, 0.5};
  CHECK(felt(map, {1, 6.5}, {19, 6.5}, 1, weights) == doctest::Approx(9));
  CHECK(felt(map, {1, 6}, {19, 6}, 1.5, weights) == doctest::Approx(18));         // over the lower edge
  CHECK(felt(map, {1, 7.5}, {8, 7.5}, 1, weights) == doctest::Approx(7 * 0.75));  // over the grass only
  CHECK(felt(map, {12, 7.5}, {18, 7.5}, 1, weights) == doctest::Approx(6));       // over plain ground
  CHECK(felt(map, {22, 10}, {28, 10}, 1, weights) == doctest::Approx(3));
}

TEST_CASE("a line from layer to layer feels the regions of each") {
  // Two rooms side by side on two layers, a door between them; mud under the first room's end, sand in the second. Below the
  // second room lies more mud, which nobody who goes through the door feels.
  environment::Environment e;
  e.layers = {{"lower", {}}, {"upper", {}}};
  const auto add = [&](environment::Kind kind, std::size_t layer, environment::Ring ring, std::string type = {}) {
    e.features.push_back({.kind = kind, .layer = layer, .polygons = {{std::move(ring), {}}}, .type = std::move(type)});
  };
  add(environment::Kind::walkable, 0, box(0, 0, 10, 10));
  add(environment::Kind::walkable, 1, box(10, 0, 20, 10));
  add(environment::Kind::region, 0, box(6, 0, 10, 10), "mud");
  add(environment::Kind::region, 1, box(12, 0, 20, 10), "sand");
  e.features.push_back(
      {.kind = environment::Kind::connection, .layer = 0, .other_layer = 1, .lines = {{{10, 2}, {10, 8}}}});
  const Ground ground = make_ground(e);
  RegionMap::Scratch scratch;
  const std::vector<double> weights{1, 3, 5};
  const auto across = [&](double radius) {
    return ground.regions->weighted_length({{2, 5}, 0}, {{18, 5}, 1}, radius, weights.data(), scratch);
  };
  CHECK(across(0) == doctest::Approx(4 + 4 * 3 + 2 + 6 * 5));
  CHECK(across(0.5) == doctest::Approx(3.5 + 5 * 3 + 1 + 6.5 * 5).epsilon(1e-5));
  CHECK(ground.regions->weighted_length({{18, 5}, 1}, {{2, 5}, 0}, 0.5, weights.data(), scratch) ==
        doctest::Approx(across(0.5)));
}

TEST_CASE("a world without regions has one type, and nothing is near") {
  const Ground ground = make_ground(room(10, 10));
  CHECK(ground.regions->empty());
  CHECK_FALSE(ground.regions->any_near({5, 5}, 100));
  CHECK(felt(*ground.regions, {1, 1}, {4, 5}, 0.25, {1}) == doctest::Approx(5));
}

TEST_CASE("regions: a line that touches a corner in its middle weighs what lies on either side of it") {
  // The cell below the corner is of another type; the line runs over two cells of one type and meets it in a point.
  environment::Environment drawn;
  drawn.layers.push_back({"ground", {}});
  const auto box = [&](environment::Kind kind, Vec2 a, Vec2 b, const std::string& type) {
    drawn.features.push_back({.kind = kind,
                              .polygons = {{{a, {b.x, a.y}, b, {a.x, b.y}}, {}}},
                              .type = type,
                              .number = drawn.features.size()});
  };
  box(environment::Kind::walkable, {0, 0}, {8, 8}, "");
  box(environment::Kind::region, {4, 1}, {7, 5}, "grass");
  box(environment::Kind::region, {6, 3}, {7, 4}, "water");
  const Ground ground = make_ground(drawn);
  RegionMap::Scratch scratch;
  const std::vector<double> weights{1, 5, 30};
  CHECK(ground.regions->weighted_length({{7, 2}, 0}, {{5, 4}, 0}, 0, weights.data(), scratch) ==
        doctest::Approx(5 * std::sqrt(8.0)));
  CHECK(ground.regions->weighted_length({{5, 4}, 0}, {{7, 2}, 0}, 0, weights.data(), scratch) ==
        doctest::Approx(5 * std::sqrt(8.0)));
}

TEST_CASE("regions: lines weighed from a place by the borders around it cost what the lines themselves do") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  int compared = 0, even = 0;
  for (int scene = 0; scene < 12; ++scene) {
    environment::Environment drawn;
    drawn.layers.push_back({"ground", {}});
    const auto box = [&](environment::Kind kind, Vec2 a, Vec2 b, const std::string& type) {
      drawn.features.push_back({.kind = kind,
                                .polygons = {{{a, {b.x, a.y}, b, {a.x, b.y}}, {}}},
                                .type = type,
                                .number = drawn.features.size()});
    };
    box(environment::Kind::walkable, {0, 0}, {30, 30}, "");
    for (int i = 0; i < 9; ++i) {
      const Vec2 low{double(random.whole(0, 24)), double(random.whole(0, 24))};
      box(environment::Kind::region, low, low + Vec2{double(random.whole(1, 6)), double(random.whole(1, 6))},
          "t" + std::to_string(i % 4));
    }
    const Ground ground = make_ground(drawn);
    const RegionMap& map = *ground.regions;
    RegionMap::Scratch scratch;
    RegionMap::Vicinity around;
    std::vector<double> weights{1};
    while (weights.size() < map.types().size()) weights.push_back(std::round(random.uniform(1, 3)));
    for (int i = 0; i < 200; ++i) {
      // Now and then on borders and corners, which are whole metres.
      const auto coordinate = [&] { return random.chance(0.2) ? double(random.whole(1, 29)) : random.uniform(1, 29); };
      const Vec2 from{coordinate(), coordinate()};
      const auto near = [&](double at) { return std::clamp(at + random.uniform(-5, 5), 0.5, 29.5); };
      const Vec2 to{near(from.x), near(from.y)}, other{near(from.x), near(from.y)};
      map.look_around({from, 0}, from - Vec2{6, 6}, from + Vec2{6, 6}, weights.data(), around);
      const bool is_even = map.is_even(around, to, other);
      around.here = map.type_at({from, 0}, scratch);
      const double slow = map.weighted_length(Place{from, 0}, Place{to, 0}, 0, weights.data(), scratch);
      CHECK(map.weighted_length(around, Place{to, 0}, 0, weights.data(), scratch) ==
            doctest::Approx(slow).epsilon(1e-9));
      ++compared;
      if (!is_even || distance(from, to) < 1e-3) continue;
      ++even;
      const double a_metre = slow / distance(from, to);
      const Vec2 middle = (to + other) / 2;
      CHECK(map.weighted_length(Place{from, 0}, Place{middle, 0}, 0, weights.data(), scratch) ==
            doctest::Approx(a_metre * distance(from, middle)).epsilon(1e-6));
    }
  }
  CHECK(compared > 2000);
  CHECK(even > 50);
}

TEST_CASE("regions: what lies under a point is what a count of all borders says, on the level of corners too") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  int inside = 0;
  for (const auto kind : {environment::SceneKind::overlapping_polygons, environment::SceneKind::wall_maze}) {
    for (int scene = 0; scene < 4; ++scene) {
      environment::Environment drawn = environment::random_scene(seed + std::uint64_t(scene), kind);
      for (int i = 0; i < 8; ++i) {
        const Vec2 low{random.uniform(-20, 20), random.uniform(-20, 20)};
        const double wide = random.uniform(1, 15), high = random.uniform(1, 15);
        add_region(drawn, {low, low + Vec2{wide, random.uniform(-2, 2)}, low + Vec2{wide / 2, high}},
                   std::string(1, char('a' + i % 4)));
      }
      const Ground ground = make_ground(drawn);
      const RegionMap& map = *ground.regions;
      const Oracle oracle(ground.clean, map, 0);
      RegionMap::Scratch scratch;
      std::vector<Vec2> corners;
      for (const auto& region : ground.clean.layers[0].regions)
        for (const auto& polygon : region.polygons)
          for (const auto& p : polygon.outer) corners.push_back(ground.clean.grid.to_world(p));
      if (corners.empty()) continue;
      for (int i = 0; i < 600; ++i) {
        Vec2 p{random.uniform(-30, 30), random.uniform(-30, 30)};
        const Vec2 corner = corners[std::size_t(random.whole(0, int(corners.size()) - 1))];
        if (i % 3 == 0) p.y = corner.y;  // the way to the right runs through a corner
        if (i % 3 == 1) p = corner + Vec2{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)};
        const Index told = oracle.type_at(p);
        inside += told != 0;
        CAPTURE(p.x);
        CAPTURE(p.y);
        CHECK(map.type_at({p, 0}, scratch) == told);
        const double free = map.to_border({p, 0}, 3);
        const double turn = random.uniform(0, 6.28);
        CHECK(oracle.type_at(p + Vec2{std::cos(turn), std::sin(turn)} * (free * random.uniform(0, 0.999))) == told);
      }
    }
  }
  CHECK(inside > 500);
}

TEST_CASE("regions: in an even strip about a line every line weighs the same a metre") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const Ground ground = make_ground(environment::generate_city({.seed = seed, .width = 200, .height = 200}));
  const RegionMap& map = *ground.regions;
  REQUIRE_FALSE(map.empty());
  RegionMap::Scratch scratch;
  std::vector<double> weights{1};
  while (weights.size() < map.types().size()) weights.push_back(std::round(random.uniform(1, 4)));
  int strips = 0, none = 0, longer = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto place = free_place(*ground.mesh, random, 0.1);
    REQUIRE(place);
    const double turn = random.uniform(0, 6.28), least = random.uniform(0.5, 6), aside = random.uniform(0, 0.5);
    const Vec2 ahead{std::cos(turn), std::sin(turn)};
    const RegionMap::Strip strip = map.even_strip(*place, ahead, least, least + 20, aside, weights.data(), scratch);
    if (strip.length == 0) {
      ++none;
      continue;
    }
    ++strips;
    longer += strip.length > least + 1;
    CHECK(strip.length >= least);
    CHECK(strip.aside > aside);
    const auto somewhere = [&] {
      return place->point + ahead * random.uniform(0, strip.length) +
             perpendicular(ahead) * (strip.aside * random.uniform(-0.999, 0.999));
    };
    double a_metre = -1;
    for (int line = 0; line < 4; ++line) {
      const Vec2 from = somewhere(), to = somewhere();
      if (distance(from, to) < 0.01 || !navmesh::visible(*ground.mesh, {from, 0}, {to, 0}, 0)) continue;
      const double cost = map.weighted_length(Place{from, 0}, Place{to, 0}, 0, weights.data(), scratch);
      if (a_metre < 0) a_metre = cost / distance(from, to);
      CHECK(cost == doctest::Approx(a_metre * distance(from, to)).epsilon(1e-9));
    }
  }
  CHECK(strips > 200);
  CHECK(longer > 100);
  CHECK(none > 200);
}
