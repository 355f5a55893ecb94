// How the result of cleaning must change when its input does: mostly, not at all.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "environment/clean/clean_support.hpp"
#include "environment/generate/generate_city.hpp"
#include "environment/generate/random_scenes.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::environment;
using throng::test::Random;

namespace {

constexpr int seeds_a_kind = 12;

/// A point that the grid of every variant below maps to whole units from the others': the grid is fixed, not chosen by the box.
const geometry::SnapGrid fixed_grid(0.001, 0, 0);

void for_each_polygon(Environment& e, const std::function<void(Polygon&)>& change) {
  for (Feature& feature : e.features)
    for (Polygon& polygon : feature.polygons) change(polygon);
}

void for_each_ring(Environment& e, const std::function<void(Ring&)>& change) {
  for_each_polygon(e, [&](Polygon& polygon) {
    change(polygon.outer);
    for (Ring& hole : polygon.holes) change(hole);
  });
}

void for_each_point(Environment& e, const std::function<Vec2(Vec2)>& moved) {
  for_each_ring(e, [&](Ring& ring) {
    for (Vec2& p : ring) p = moved(p);
  });
  for (Feature& feature : e.features)
    for (Line& line : feature.lines)
      for (Vec2& p : line) p = moved(p);
}

void renumber(Environment& e) {
  for (std::size_t i = 0; i < e.features.size(); ++i) e.features[i].number = i;
}

/// Calls the test with scenes of every kind and a small city, on a fixed grid.
void for_each_scene(const std::function<void(const Environment&, Random&)>& test) {
  for (const SceneKind kind : all_scene_kinds) {
    for (std::uint64_t seed = 0; seed < seeds_a_kind; ++seed) {
      CAPTURE(name_of(kind));
      CAPTURE(seed);
      Environment scene = random_scene(seed, kind);
      scene.grid = fixed_grid;
      Random random(seed);
      test(scene, random);
    }
  }
  Environment city = generate_city({.seed = 5, .width = 240, .height = 200});
  city.grid = fixed_grid;
  Random random(5);
  test(city, random);
}

CleanEnvironment cleaned(const Environment& e) {
  const Result<CleanEnvironment> c = clean(e);
  INFO(all(c.problems()));
  REQUIRE(c.ok());
  return *c;
}

/// Twice the free area of each layer, in square units.
std::vector<std::int64_t> twice_free_areas(const CleanEnvironment& c) {
  std::vector<std::int64_t> areas;
  for (const CleanLayer& layer : c.layers) {
    std::int64_t sum = 0;
    for (const GridPolygon& polygon : layer.free) {
      sum += twice_area(polygon.outer);
      for (const GridRing& hole : polygon.holes) sum += twice_area(hole);
    }
    areas.push_back(sum);
  }
  return areas;
}

}  // namespace

TEST_CASE("every scene is sound, and cleaning it again changes nothing") {
  for (const SceneKind kind : all_scene_kinds) {
    for (std::uint64_t seed = 100; seed < 120; ++seed) {
      CAPTURE(name_of(kind));
      CAPTURE(seed);
      const CleanEnvironment c = sound(random_scene(seed, kind));
      CHECK(c.grid.unit() == 0.001);
      for (const CleanLayer& layer : c.layers) CHECK(!layer.free.empty());
    }
  }
}

TEST_CASE("the order of a ring's and a wall's vertices does not matter") {
  for_each_scene([](const Environment& scene, Random&) {
    Environment turned = scene;
    for_each_ring(turned, [](Ring& ring) { std::reverse(ring.begin(), ring.end()); });
    for (Feature& feature : turned.features)
      for (Line& line : feature.lines) std::reverse(line.begin(), line.end());
    CHECK(same(cleaned(scene), cleaned(turned)));
  });
}

TEST_CASE("the vertex a ring starts at does not matter") {
  for_each_scene([](const Environment& scene, Random& random) {
    Environment turned = scene;
    for_each_ring(turned, [&](Ring& ring) {
      std::rotate(ring.begin(), ring.begin() + std::ptrdiff_t(random.below(ring.size())), ring.end());
    });
    CHECK(same(cleaned(scene), cleaned(turned)));
  });
}

TEST_CASE("repeated vertices do not matter") {
  for_each_scene([](const Environment& scene, Random& random) {
    Environment repeated = scene;
    for_each_ring(repeated, [&](Ring& ring) {
      // The law of rings forbids the last to repeat the first, so the last one is not doubled.
      const auto at = ring.begin() + std::ptrdiff_t(random.below(ring.size() - 1));
      ring.insert(at, *at);
    });
    CHECK(same(cleaned(scene), cleaned(repeated)));
  });
}

TEST_CASE("duplicated features do not matter") {
  for_each_scene([](const Environment& scene, Random& random) {
    Environment doubled = scene;
    doubled.features.clear();
    for (const Feature& feature : scene.features) {
      doubled.features.push_back(feature);
      if (random.chance(0.5)) doubled.features.push_back(feature);
    }
    renumber(doubled);
    CHECK(same(cleaned(scene), cleaned(doubled)));
  });
}

TEST_CASE("names and ids of obstacles do not matter") {
  for_each_scene([](const Environment& scene, Random&) {
    Environment named = scene;
    for (Feature& feature : named.features)
      if (feature.kind == Kind::obstacle) feature.name.assign(1, 'n'), feature.id.assign(1, 'i');
    CHECK(same(cleaned(scene), cleaned(named)));
  });
}

TEST_CASE("the order of neighbouring features of one kind does not matter, regions and areas apart") {
  for_each_scene([](const Environment& scene, Random&) {
    Environment shuffled = scene;
    for (auto run = shuffled.features.begin(); run != shuffled.features.end();) {
      const Kind kind = run->kind;
      const auto end = std::find_if(run, shuffled.features.end(), [&](const Feature& f) { return f.kind != kind; });
      if (kind != Kind::region) std::reverse(run, end);
      run = end;
    }
    renumber(shuffled);
    CHECK(same(cleaned(scene), cleaned(shuffled)));
  });
}

TEST_CASE("moving the world by whole units moves the result") {
  for_each_scene([](const Environment& scene, Random& random) {
    const std::int32_t dx = std::int32_t(random.whole(-300000, 300000)),
                       dy = std::int32_t(random.whole(-300000, 300000));
    Environment moved = scene;
    // Through whole millimetres, so that the moved coordinates are those a file would hold.
    const auto shift = [](double v, std::int32_t by) { return std::floor(v * 1000 + 0.5 + by) / 1000; };
    for_each_point(moved, [&](Vec2 p) { return Vec2{shift(p.x, dx), shift(p.y, dy)}; });
    CleanEnvironment back = cleaned(moved);
    const auto move_back = [&](std::vector<GridPoint>& points) {
      for (GridPoint& p : points) p = {p.x - dx, p.y - dy};
    };
    const auto move_polygons = [&](std::vector<GridPolygon>& polygons) {
      for (GridPolygon& polygon : polygons) {
        move_back(polygon.outer);
        for (GridRing& hole : polygon.holes) move_back(hole);
      }
    };
    for (CleanLayer& layer : back.layers) {
      move_polygons(layer.free);
      for (Wall& wall : layer.walls) move_back(wall.points);
      for (CleanRegion& region : layer.regions) move_polygons(region.polygons);
      for (CleanArea& area : layer.areas) move_polygons(area.polygons);
    }
    for (CleanConnection& c : back.connections) c.a = {c.a.x - dx, c.a.y - dy}, c.b = {c.b.x - dx, c.b.y - dy};
    CHECK(same(cleaned(scene), back));
  });
}

TEST_CASE("adding a feature and removing it gives back the same bytes") {
  for_each_scene([](const Environment& scene, Random& random) {
    const CleanEnvironment before = cleaned(scene);
    Environment changed = scene;
    const Vec2 centre{random.uniform(5, 15), random.uniform(5, 15)};
    Feature van;
    van.kind = Kind::obstacle;
    van.polygons = {{regular_polygon(centre, 2.2, 7, random.uniform(0, 1)), {}}};
    changed.features.push_back(van);
    (void)clean(changed);  // some connections do not survive it, which is said; that is not the point here
    changed.features.pop_back();
    CHECK(same(before, cleaned(changed)));
  });
}

TEST_CASE("an obstacle that changes nothing far away changes nothing far away") {
  // Locality: a van in the south-west corner of the city moves no vertex beyond the block it stands in.
  Environment city = generate_city({.seed = 6, .width = 260, .height = 260});
  city.grid = fixed_grid;
  const CleanEnvironment before = cleaned(city);
  Feature van;
  van.kind = Kind::obstacle;
  van.number = city.features.size();
  van.polygons = {{oriented_rectangle({3, 3}, unit({3, 1}), 4, 2), {}}};
  city.features.push_back(van);
  const CleanEnvironment after = cleaned(city);
  CHECK(after.layers[0].walls == before.layers[0].walls);
  std::size_t changed = 0;
  for (const GridPolygon& polygon : after.layers[0].free)
    for (const GridRing& hole : polygon.holes) {
      const auto in_before = [&](const GridPolygon& p) {
        return std::find(p.holes.begin(), p.holes.end(), hole) != p.holes.end();
      };
      changed += std::none_of(before.layers[0].free.begin(), before.layers[0].free.end(), in_before);
    }
  CHECK(changed == 1);
}

TEST_CASE("mirrored and turned worlds have the mirrored and turned free space") {
  // Pixels are half open and halves round up, so single vertices may fall to the other side: areas agree to a unit along the edges.
  struct Change {
    std::string_view name;
    Vec2 (*move)(Vec2);
  };
  const Change changes[] = {{"mirrored at the y axis",
                             [](Vec2 p) {
                               return Vec2{-p.x, p.y};
                             }},
                            {"mirrored at the diagonal",
                             [](Vec2 p) {
                               return Vec2{p.y, p.x};
                             }},
                            {"turned by a quarter",
                             [](Vec2 p) {
                               return Vec2{-p.y, p.x};
                             }},
                            {"turned by a half", [](Vec2 p) {
                               return Vec2{-p.x, -p.y};
                             }}};
  for_each_scene([&](const Environment& scene, Random&) {
    const CleanEnvironment before = cleaned(scene);
    for (const Change& change : changes) {
      CAPTURE(change.name);
      Environment moved = scene;
      for_each_point(moved, change.move);
      const CleanEnvironment after = sound(moved);
      const std::vector<std::int64_t> areas_before = twice_free_areas(before), areas_after = twice_free_areas(after);
      for (std::size_t i = 0; i < areas_before.size(); ++i)
        CHECK(std::abs(double(areas_before[i] - areas_after[i])) <= 1e-6 * double(areas_before[i]) + 2000);
      CHECK(after.connections.size() == before.connections.size());
      CHECK(std::abs(double(after.vertex_count()) - double(before.vertex_count())) <=
            4 + 0.01 * double(before.vertex_count()));
    }
  });
}

TEST_CASE("turning back gives the same as not turning, where nothing has to be rounded") {
  // On scenes whose features cross at grid points only, rounding has no ties to break.
  for (const SceneKind kind : {SceneKind::grid_of_squares, SceneKind::touching_corners, SceneKind::wall_maze}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      CAPTURE(name_of(kind));
      CAPTURE(seed);
      const Environment scene = random_scene(seed, kind);
      Environment turned = scene;
      for_each_point(turned, [](Vec2 p) { return Vec2{-p.y, p.x}; });
      CHECK(twice_free_areas(cleaned(scene)) == twice_free_areas(cleaned(turned)));
      CHECK(cleaned(scene).vertex_count() == cleaned(turned).vertex_count());
    }
  }
}
