// Every follower, stream, avoidance, route and move method meets every method of the other levels at least once: the same bits for any number of
// threads, nobody through a wall, and snapshots at random steps that go on bit for bit.
#include <doctest/doctest.h>

#include <set>

#include "crowd/methods.hpp"
#include "environment/generate/random_scenes.hpp"
#include "navmesh/random_point.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using crowd::Crowd;
using crowd::Level;

struct Combination {
  std::string route, follow, stream, avoid, move;
};

std::vector<Combination> all_combinations() {
  const crowd::Methods& methods = *crowd::built_in_methods();
  std::vector<std::string> routes, follow, stream, avoid, move;
  for (const auto& info : methods.route.infos())
    if (info.name != "given") routes.emplace_back(info.name);
  for (const auto& info : methods.follow.infos()) follow.emplace_back(info.name);
  for (const auto& info : methods.coordinate.infos()) stream.emplace_back(info.name);
  for (const auto& info : methods.avoid.infos()) avoid.emplace_back(info.name);
  for (const auto& info : methods.move.infos()) move.emplace_back(info.name);
  std::vector<Combination> all;
  for (std::size_t i = 0; i < avoid.size(); ++i)
    for (std::size_t k = 0; k < routes.size(); ++k)
      all.push_back({routes[k], follow[(i + 2 * k) % follow.size()], stream[(i + k + k / 4) % stream.size()], avoid[i],
                     move[(i + k + i / 2) % move.size()]});
  return all;
}

std::unique_ptr<Crowd> make(const crowd::WorldPtr& world, const Combination& with, std::uint64_t seed,
                            unsigned threads) {
  auto crowd = std::make_unique<Crowd>(world, crowd::CrowdOptions{.seed = seed, .threads = threads});
  Random random(seed);
  const auto place = [&] {
    const auto layer = navmesh::Index(random.below(world->mesh->layers.size()));
    return navmesh::random_point(*world->mesh, layer, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
  };
  for (std::uint32_t i = 0; i < 90; ++i) {
    const auto from = place(), to = place();
    if (!from || !to) continue;
    crowd::AgentSpec spec = walker(*from, *to);
    spec.radius = i % 3 == 2 ? 0.18 : 0.24;
    spec.speed = random.uniform(0.8, 2.0);
    spec.number = i;
    spec.methods[Level::route] = {with.route, {}};
    spec.methods[Level::follow] = {with.follow, {}};
    spec.methods[Level::coordinate] = {with.stream, {}};
    spec.methods[Level::avoid] = {with.avoid, {}};
    spec.methods[Level::move] = {with.move, {}};
    if (crowd->is_free(*from, spec.radius)) REQUIRE(crowd->add(spec).ok());
  }
  return crowd;
}

void check(const Combination& with, std::uint64_t seed) {
  CAPTURE(with.route);
  CAPTURE(with.follow);
  CAPTURE(with.stream);
  CAPTURE(with.avoid);
  CAPTURE(with.move);
  CAPTURE(seed);
  const crowd::WorldPtr world = make_crowd_world(environment::random_scene(
      seed, seed % 2 == 0 ? environment::SceneKind::stairs : environment::SceneKind::wall_maze));
  constexpr int steps = 40;
  const auto factory = [&](std::uint64_t s, unsigned threads) {
    return std::make_unique<CrowdSimulation>(make(world, with, s, threads), 0.1);
  };
  CHECK(complaints_of(check_determinism(factory, {.steps = steps, .seed = seed})) == "");
  CHECK(complaints_of(check_hard_walls(*factory(seed, 2), world->environment, steps)) == "");
  Random random(seed);
  const int saved_at = int(random.below(steps));
  std::unique_ptr<Crowd> whole = make(world, with, seed, 2);
  for (int i = 0; i < saved_at; ++i) REQUIRE(whole->step(0.1).ok());
  geometry::ArchiveWriter bytes;
  whole->save(bytes);
  Crowd resumed(world, {.threads = 3});
  geometry::ArchiveReader reader(bytes.bytes());
  const Result<std::size_t> loaded = resumed.load(reader);
  REQUIRE_MESSAGE(loaded.ok(), to_string(loaded.problems().front()));
  for (int i = saved_at; i < steps; ++i) {
    REQUIRE(whole->step(0.1).ok());
    REQUIRE(resumed.step(0.1).ok());
  }
  REQUIRE(whole->size() == resumed.size());
  for (std::size_t i = 0; i < whole->size(); ++i)
    CHECK(whole->people().position[whole->in_serial_order()[i]] ==
          resumed.people().position[resumed.in_serial_order()[i]]);
}

TEST_CASE("combinations: the list has every pair of methods of two levels") {
  const std::vector<Combination> all = all_combinations();
  std::set<std::pair<std::string, std::string>> pairs;
  std::set<std::string> names[5];
  for (const Combination& one : all) {
    const std::string parts[] = {"route " + one.route, "follow " + one.follow, "stream " + one.stream,
                                 "avoid " + one.avoid, "move " + one.move};
    for (int a = 0; a < 5; ++a) {
      names[a].insert(parts[a]);
      for (int b = 0; b < a; ++b) pairs.insert({parts[b], parts[a]});
    }
  }
  std::size_t expected = 0;
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < a; ++b) expected += names[a].size() * names[b].size();
  CHECK(pairs.size() == expected);
  CHECK(all.size() <= 110);
}

TEST_CASE("combinations: a dozen of them") {
  const std::vector<Combination> all = all_combinations();
  for (std::size_t i = 0; i < all.size(); i += all.size() / 12 + 1) check(all[i], 100 + i);
}

TEST_CASE("long: combinations: all of them") {
  const std::vector<Combination> all = all_combinations();
  for (std::size_t i = 0; i < all.size(); ++i) check(all[i], 300 + i);
}

}  // namespace
}  // namespace throng::test
