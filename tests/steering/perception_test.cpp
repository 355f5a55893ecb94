// Perception against looking at everybody: the same lists, whatever the crowd, the place and the spans.
#include "steering/perception.hpp"

#include <doctest/doctest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "environment/formats/formats.hpp"
#include "environment/generate/random_scenes.hpp"
#include "geometry/elementary.hpp"
#include "geometry/parallel.hpp"
#include "navmesh/visibility.hpp"
#include "steering/people_of.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Random;

namespace {

bool in_view(const People& people, Slot eye, Slot other, double view_cosine) {
  const Vec2 offset = people.position[other] - people.position[eye];
  return view_cosine <= -1 || dot(offset, people.heading[eye]) >= view_cosine * std::sqrt(squared_length(offset));
}

/// Law 1, word by word.
std::vector<Slot> neighbours_by_law(const People& people, Slot eye, const Needs& needs) {
  std::vector<Slot> found;
  const auto distance2 = [&](Slot other) { return squared_length(people.position[other] - people.position[eye]); };
  for (Slot other = 0; other < people.position.size(); ++other)
    if (people.present[other] && other != eye && distance2(other) <= needs.range * needs.range &&
        in_view(people, eye, other, needs.view_cosine) &&
        navmesh::visible(*people.mesh, people.place(eye), people.place(other), 0))
      found.push_back(other);
  std::sort(found.begin(), found.end(), [&](Slot a, Slot b) {
    return distance2(a) != distance2(b) ? distance2(a) < distance2(b) : people.serial[a] < people.serial[b];
  });
  if (found.size() > needs.most) found.resize(needs.most);
  return found;
}

std::vector<Index> walls_by_law(const People& people, Slot eye, const Needs& needs) {
  navmesh::NearbySegments nearby;
  std::vector<Index> found;
  if (needs.wall_range <= 0) return found;
  for (const auto& segment : nearby.compute(*people.mesh, people.place(eye), needs.wall_range))
    found.push_back(segment.site);
  if (found.size() > Perception::most_walls) found.resize(Perception::most_walls);
  return found;
}

template <class T>
std::vector<T> list(std::span<const T> span) {
  return {span.begin(), span.end()};
}

Needs random_needs(Random& random) {
  return {.most = std::uint32_t(random.below(Perception::capacity + 1)),
          .range = random.uniform(0, 15),
          .view_cosine = random.chance(0.3) ? -1 : random.uniform(-1, 1),
          .wall_range = random.chance(0.3) ? 0 : random.uniform(0, 6)};
}

void check_against_law(const Columns& columns, Random& random, Perception& perception) {
  const People people = columns.people();
  const std::vector<Slot> who = columns.everybody();
  std::vector<Needs> needs;
  for (std::size_t i = 0; i < who.size(); ++i) needs.push_back(random_needs(random));
  perception.index(people);
  perception.perceive(people, who, needs);
  for (std::size_t i = 0; i < who.size(); ++i) {
    CHECK(list(perception.neighbours(who[i])) == neighbours_by_law(people, who[i], needs[i]));
    CHECK(list(perception.walls(who[i])) == walls_by_law(people, who[i], needs[i]));
  }
}

/// Moves everybody a little, some away, some back.
void stir(Columns& columns, Random& random) {
  for (Slot slot = 0; slot < columns.size(); ++slot) {
    columns.present[slot] = !random.chance(0.1);
    const Vec2 moved = columns.position[slot] + Vec2{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2)};
    const navmesh::Place place{moved, columns.layer[slot]};
    if (navmesh::locate(columns.mesh(), place)) columns.put(slot, place);
    columns.heading[slot] = geometry::unit_direction(random.uniform(0, 1));
  }
}

Columns random_crowd(const navmesh::MeshPtr& mesh, std::size_t count, Random& random) {
  Columns columns(mesh);
  for (std::size_t i = 0; i < count; ++i) columns.add_anywhere(random, Index(random.below(mesh->layers.size())));
  // Some in the same place, some in a row as wide as the grid's cells.
  for (Slot slot = 0; slot + 4 < columns.size(); slot += 7)
    columns.put(slot, {columns.position[slot + 1], columns.layer[slot + 1]});
  return columns;
}

Columns spread_out(const navmesh::MeshPtr& mesh, std::size_t count, double spacing) {
  Columns columns(mesh);
  const auto side = std::size_t(std::ceil(std::sqrt(double(count))));
  for (std::size_t i = 0; i < count; ++i)
    columns.add({{(double(i % side) + 0.5) * spacing, (double(i / side) + 0.5) * spacing}, 0}, {1, 0});
  return columns;
}

double distances_each(const Columns& columns) {
  Perception perception;
  const std::vector<Slot> who = columns.everybody();
  const std::vector<Needs> needs(who.size(), {.most = 10, .range = 10, .view_cosine = 0.25});
  // The second time is what every step but the first costs.
  for (int step = 0; step < 2; ++step) {
    perception.index(columns.people());
    perception.perceive(columns.people(), who, needs);
  }
  return double(perception.distances_computed()) / double(who.size());
}

}  // namespace

TEST_CASE("perception: random crowds in random scenes see exactly whom the law says, step after step") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    CAPTURE(environment::name_of(kind));
    const test::Scene scene =
        test::make_scene(std::string(environment::name_of(kind)), environment::random_scene(random.next(), kind));
    Columns columns = random_crowd(scene.mesh, 60 + random.below(60), random);
    Perception perception;
    for (int step = 0; step < 3; ++step) {
      check_against_law(columns, random, perception);
      stir(columns, random);
    }
  }
}

TEST_CASE("perception: where a row of the grid holds dozens, people see exactly whom the law says") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  Columns columns = random_crowd(test::build(test::World(test::box(0, 0, 6, 4)).clean()), 200, random);
  Perception perception;
  for (int step = 0; step < 2; ++step) {
    check_against_law(columns, random, perception);
    stir(columns, random);
  }
}

TEST_CASE("perception: a crowd in the station sees over stairs, and not through floors") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const auto source = environment::read_environment(THRONG_SOURCE_DIR "/examples/station.geojson");
  REQUIRE(source.ok());
  const test::Scene scene = test::make_scene("station", *source);
  Columns columns = random_crowd(scene.mesh, 400, random);
  Perception perception;
  check_against_law(columns, random, perception);
  // The law above is symmetric to the test only if both happen at all.
  const People people = columns.people();
  const std::vector<Needs> all_round(columns.size(), {.most = 16, .range = 15});
  perception.perceive(people, columns.everybody(), all_round);
  bool over_a_connection = false;
  for (const Slot slot : columns.everybody())
    for (const Slot other : perception.neighbours(slot))
      over_a_connection |= columns.layer[other] != columns.layer[slot];
  CHECK(over_a_connection);
}

TEST_CASE("perception: nobody is seen through a wall, though it is near and thin") {
  const test::World world = test::World(test::box(0, 0, 10, 10)).wall({{5, 0}, {5, 8}});
  Columns columns(test::build(world.clean()));
  const Slot left = columns.add({{4.7, 4}, 0}, {1, 0});
  const Slot right = columns.add({{5.3, 4}, 0}, {-1, 0});
  const Slot beyond = columns.add({{4, 9}, 0}, {1, 0});
  const std::vector<Needs> needs(3, {.most = 10, .range = 10, .view_cosine = -1, .wall_range = 1});
  Perception perception;
  perception.index(columns.people());
  perception.perceive(columns.people(), columns.everybody(), needs);
  CHECK(list(perception.neighbours(left)) == std::vector<Slot>{beyond});
  CHECK(perception.neighbours(right).empty());
  CHECK(perception.walls(left).size() == 1);
}

TEST_CASE("perception: equal distances go to the lower serial") {
  Columns columns(test::build(test::World(test::box(-20, -20, 20, 20)).clean()));
  const Slot eye = columns.add({{0, 0}, 0});
  for (const Vec2 p : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) columns.add({p, 0});
  columns.serial = {9, 5, 3, 8, 4};
  Perception perception;
  perception.index(columns.people());
  const Needs needs{.most = 3, .range = 1};
  perception.perceive(columns.people(), std::vector<Slot>{eye}, std::vector<Needs>{needs});
  CHECK(list(perception.neighbours(eye)) == std::vector<Slot>{2, 4, 1});
}

TEST_CASE("perception: spans, threads and what was asked before change nothing") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const test::Scene scene =
      test::make_scene("heap", environment::random_scene(seed, environment::SceneKind::rotated_rectangles));
  Columns columns = random_crowd(scene.mesh, 500, random);
  const std::vector<Slot> who = columns.everybody();
  const std::vector<Needs> needs(who.size(), {.most = 10, .range = 8, .view_cosine = 0.2, .wall_range = 4});
  Perception once;
  once.index(columns.people());
  once.perceive(columns.people(), who, needs);
  Perception pieces;
  for (int step = 0; step < 2; ++step) {
    Columns elsewhere = columns;
    if (step == 0) stir(elsewhere, random);
    pieces.index(elsewhere.people());
    geometry::for_each_number(who.size() / 10, [&](std::size_t chunk) {
      pieces.perceive(elsewhere.people(), std::span(who).subspan(10 * chunk, 10),
                      std::span(needs).subspan(10 * chunk, 10));
    });
  }
  for (const Slot slot : who) {
    CHECK(list(once.neighbours(slot)) == list(pieces.neighbours(slot)));
    CHECK(list(once.walls(slot)) == list(pieces.walls(slot)));
  }
}

TEST_CASE("perception: the order is by cells and serials, on any number of threads, and holds everybody present once") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const test::Scene scene =
      test::make_scene("room", environment::random_scene(seed, environment::SceneKind::empty_room));
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, 5);  // than there are processors
  for (const std::size_t count : {0, 1, 3000}) {
    Columns columns = random_crowd(scene.mesh, count, random);
    const People people = columns.people();
    std::vector<Slot> order;
    for (const int threads : {1, 2, 5}) {
      Perception perception;
      tbb::task_arena arena(threads);
      arena.execute([&] { perception.index(people); });
      std::vector<Slot> here = list(perception.in_grid_order());
      if (threads == 1) order = here;
      CHECK(here == order);
      // Cells of a metre, row by row, from the lowest person on.
      Vec2 low{1e9, 1e9};
      for (const Slot slot : here)
        low = {std::min(low.x, people.position[slot].x), std::min(low.y, people.position[slot].y)};
      const auto key = [&](Slot slot) {
        const Vec2 p = people.position[slot] - low;
        return std::tuple(std::floor(p.y), std::floor(p.x), people.serial[slot]);
      };
      CHECK(std::is_sorted(here.begin(), here.end(), [&](Slot a, Slot b) { return key(a) < key(b); }));
      std::sort(here.begin(), here.end());
      std::vector<Slot> everybody;
      for (Slot slot = 0; slot < people.present.size(); ++slot)
        if (people.present[slot]) everybody.push_back(slot);
      CHECK(here == everybody);
    }
  }
}

TEST_CASE("perception: who is not asked about has nobody in mind, whatever was asked before") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const test::Scene scene =
      test::make_scene("room", environment::random_scene(seed, environment::SceneKind::empty_room));
  Columns columns = random_crowd(scene.mesh, 50, random);
  const std::vector<Slot> who = columns.everybody();
  const std::vector<Needs> needs(who.size(), {.most = 10, .range = 50, .wall_range = 50});
  Perception perception;
  perception.index(columns.people());
  CHECK(perception.neighbours(7).empty());
  perception.perceive(columns.people(), who, needs);
  CHECK(perception.neighbours(7).size() == 10);
  CHECK(!perception.walls(7).empty());
  perception.index(columns.people());
  perception.perceive(columns.people(), std::span(who).first(5), std::span(needs).first(5));
  CHECK(perception.neighbours(4).size() == 10);
  CHECK(perception.neighbours(7).empty());
  CHECK(perception.walls(7).empty());
  CHECK(perception.bytes() > 50 * (sizeof(Vec2) + 2 * sizeof(Slot)));
}

/// People on the storeys of a random scene, taken in.
struct OnStairs {
  std::uint64_t seed = test::test_seed();
  Random random{seed};
  test::Scene scene = test::make_scene("stairs", environment::random_scene(seed, environment::SceneKind::stairs));
  Columns columns = random_crowd(scene.mesh, 300, random);
  Perception perception;
  OnStairs() { perception.index(columns.people()); }
};

TEST_CASE("perception: for_each_within visits everybody within the radius, on all layers, once") {
  const OnStairs crowd;
  INFO("THRONG_TEST_SEED=" << crowd.seed);
  const Columns& columns = crowd.columns;
  const Perception& perception = crowd.perception;
  Random random(crowd.seed + 1);
  for (int i = 0; i < 200; ++i) {
    const Vec2 p =
        columns.position[random.below(columns.size())] + Vec2{random.uniform(-30, 30), random.uniform(-1, 1)};
    const double radius = random.chance(0.1) ? 1000 : random.uniform(0, 3);
    std::vector<Slot> visited;
    std::vector<Slot> expected;
    perception.for_each_within(p, radius, [&](Slot slot) { visited.push_back(slot); });
    for (const Slot slot : columns.everybody())
      if (squared_length(columns.position[slot] - p) <= radius * radius) expected.push_back(slot);
    std::sort(visited.begin(), visited.end());
    CHECK(visited == expected);
  }
}

/// Everybody else whose body is within reach of this one's, by serials.
std::vector<Slot> near_by_law(const People& people, Slot self, double reach) {
  std::vector<Slot> near;
  for (Slot other = 0; other < people.position.size(); ++other) {
    const double far = people.radius[self] + people.radius[other] + reach;
    if (people.present[other] && other != self &&
        squared_length(people.position[other] - people.position[self]) <= far * far)
      near.push_back(other);
  }
  std::sort(near.begin(), near.end(), [&](Slot a, Slot b) { return people.serial[a] < people.serial[b]; });
  return near;
}

TEST_CASE("perception: find_near lists everybody whose body is within reach, wide or not, in order of serials") {
  OnStairs crowd;
  INFO("THRONG_TEST_SEED=" << crowd.seed);
  Columns& columns = crowd.columns;
  for (std::size_t i = columns.size() - 1; i > 0; --i)
    std::swap(columns.serial[i], columns.serial[crowd.random.below(i + 1)]);
  std::size_t found = 0;
  for (const std::size_t wide : {0, 1, 7, 150}) {
    for (std::size_t i = 0; i < wide; ++i)
      columns.radius_of[crowd.random.below(columns.size())] = crowd.random.uniform(0.5, 6);
    const People people = columns.people();
    crowd.perception.index(people);
    const std::span<const Slot> order = crowd.perception.in_grid_order();
    Perception::NearPeople near;
    for (const double reach : {0.0, 0.3, 2.5, 1000.0})
      for (std::size_t begin = 0; begin < order.size(); begin += 64) {
        const std::size_t end = std::min(order.size(), begin + 64);
        crowd.perception.find_near(people, begin, end, reach, near);
        REQUIRE(near.ends.size() == end - begin);
        for (std::size_t i = begin; i < end; ++i) {
          const std::vector<Slot> expected = near_by_law(people, order[i], reach);
          CHECK(list(near.of(i - begin)) == expected);
          found += expected.size();
        }
      }
  }
  CHECK(found > 300);
}

TEST_CASE("perception: no list depends on where the grid begins or how large its cells are") {
  const OnStairs crowd;
  INFO("THRONG_TEST_SEED=" << crowd.seed);
  const People people = crowd.columns.people();
  const std::vector<Slot> who = crowd.columns.everybody();
  const std::vector<Needs> needs(who.size(), {.most = 10, .range = 8, .view_cosine = -0.2, .wall_range = 3});
  struct Answers {
    std::vector<std::vector<Slot>> neighbours, walls, near;
    bool operator==(const Answers&) const = default;
  };
  const auto answers = [&](const Perception::Grid& grid) {
    Perception perception(grid);
    perception.index(people);
    perception.perceive(people, who, needs);
    Answers all;
    all.near.resize(crowd.columns.size());
    for (const Slot slot : who) {
      all.neighbours.push_back(list(perception.neighbours(slot)));
      all.walls.push_back(list(perception.walls(slot)));
    }
    Perception::NearPeople near;
    const std::span<const Slot> order = perception.in_grid_order();
    perception.find_near(people, 0, order.size(), 1.3, near);
    for (std::size_t i = 0; i < order.size(); ++i) all.near[order[i]] = list(near.of(i));
    return all;
  };
  const Answers plain = answers({});
  for (const Perception::Grid& grid :
       {Perception::Grid{{0.37, 0.81}, 1}, {{70, 3}, 1}, {{0, 0}, 0.3}, {{12.3, 4.5}, 2.7}, {{0, 0}, 1000}})
    CHECK((answers(grid) == plain));
}

TEST_CASE("perception: lists of one's own are as long as they need to be, and change nothing for avoidance") {
  OnStairs crowd;
  INFO("THRONG_TEST_SEED=" << crowd.seed);
  const People people = crowd.columns.people();
  const std::vector<Slot> who = crowd.columns.everybody();
  const std::vector<Needs> few(who.size(), {.most = 3, .range = 5, .wall_range = 2});
  crowd.perception.perceive(people, who, few);
  std::vector<std::vector<Slot>> before;
  for (const Slot slot : who) before.push_back(list(crowd.perception.neighbours(slot)));
  const std::vector<Needs> many(who.size(), {.most = 1000, .range = 30, .view_cosine = 0, .wall_range = 40});
  Lists near, walls;
  crowd.perception.look(people, who, many, near, walls);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < who.size(); ++i) {
    CHECK(list(near.of(i)) == neighbours_by_law(people, who[i], many[i]));
    navmesh::NearbySegments all;
    std::vector<Index> sites;
    for (const auto& segment : all.compute(*people.mesh, people.place(who[i]), 40)) sites.push_back(segment.site);
    CHECK(list(walls.of(i)) == sites);
    longest = std::max(longest, near.of(i).size());
    CHECK(list(crowd.perception.neighbours(who[i])) == before[i]);
  }
  CHECK(longest > Perception::capacity);
}

TEST_CASE("perception: one wide body among thousands leaves the others' near lists as short as they were") {
  const navmesh::MeshPtr mesh = test::build(test::World(test::box(0, 0, 100, 100)).clean());
  Columns columns = spread_out(mesh, 4000, 1.5);
  const auto length_of_lists = [&] {
    Perception perception;
    perception.index(columns.people());
    Perception::NearPeople near;
    perception.find_near(columns.people(), 0, columns.size(), 0.3, near);
    return std::pair(near.ends.back(), near.found.size());
  };
  const auto [before, room_before] = length_of_lists();
  columns.radius_of[columns.size() / 2] = 8;
  const auto [after, room_after] = length_of_lists();
  CHECK(after > before);
  CHECK(after < before + 2 * 150);  // those around it, and itself for them
  CHECK(room_after < 2 * room_before + 1000);
}

TEST_CASE("perception: nobody at all, one person, and people far apart") {
  Columns columns(test::build(test::World(test::box(-1e5, -1e5, 1e5, 1e5)).clean()));
  Perception perception;
  perception.index(columns.people());
  perception.for_each_within({}, 1, [](Slot) { FAIL("nobody is there"); });
  columns.add({{99999, 99999}, 0});
  columns.add({{-99999, -99999}, 0});
  columns.add({{-99999, -99998.5}, 0});
  perception.index(columns.people());
  const std::vector<Needs> needs(3, {.most = 10, .range = 10});
  perception.perceive(columns.people(), columns.everybody(), needs);
  CHECK(perception.neighbours(0).empty());
  CHECK(list(perception.neighbours(1)) == std::vector<Slot>{2});
}

TEST_CASE("perception: work a person stays bounded where people cluster, and where they are few") {
  const navmesh::MeshPtr mesh = test::build(test::World(test::box(0, 0, 1500, 1500)).clean());
  const double dense = distances_each(spread_out(mesh, 5000, 1 / std::sqrt(6.0)));
  const double loose = distances_each(spread_out(mesh, 5000, 2));
  const double sparse = distances_each(spread_out(mesh, 5000, 20));
  CHECK(dense < 70);
  CHECK(loose < 40);
  CHECK(sparse < 40);
  // A cluster in a large world, with one person far away who makes the grid as wide as it gets.
  Columns cluster = spread_out(mesh, 5000, 1 / std::sqrt(6.0));
  cluster.add({{1499, 1499}, 0});
  CHECK(distances_each(cluster) < 100);
}
