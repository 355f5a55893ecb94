// Strategies in many crowds: nobody goes by turns, snapshots at any step, worlds that change, other levels in the same crowd; signs that are seen
// from one half of a hall; and that the route of somebody alone is what they walk.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "crowd/crowd.hpp"
#include "environment/generate/random_scenes.hpp"
#include "environment/sketch.hpp"
#include "navmesh/random_point.hpp"
#include "routes/chain_sides.hpp"
#include "routes/path_decisions.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"
#include "support/simulation_harness.hpp"

namespace throng::test {
namespace {

using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::Level;
using crowd::Slot;
using routes::Side;

const std::vector<double> coarse{2, 1.2, 0, 5, 5, 0}, fine{0.5, 1.2, 1, 5, 5, 0};
/// Steps a second.
constexpr int a_second = 10;

/// Blocks of 1.5 m in rows, 20 x 14 m; one of them may be gone.
crowd::WorldPtr hall_of_blocks(Vec2 gone = {-1, -1}) {
  environment::Sketch sketch("hall of blocks");
  sketch.walkable({environment::rectangle({0, 0}, {20, 14}), {}});
  for (const double x : {6.0, 10.0, 14.0})
    for (const double y : {3.0, 7.0, 11.0})
      if (Vec2{x, y} != gone) sketch.obstacle({environment::rectangle({x - 0.75, y - 0.75}, {x + 0.75, y + 0.75}), {}});
  return make_crowd_world(std::move(sketch).take());
}

AgentSpec person(Vec2 from, Vec2 to, const std::string& avoid, const std::vector<double>& strategy) {
  AgentSpec spec = walker({from, 0}, {to, 0});
  spec.methods[Level::follow] = {"lookahead", {}};
  spec.methods[Level::avoid] = {avoid, {}};
  if (!strategy.empty()) spec.methods[Level::decide] = {"topological", strategy};
  return spec;
}

/// From both sides; with `congestion` every other one foresees jams as well.
std::unique_ptr<Crowd> meeting(const crowd::WorldPtr& world, std::uint64_t seed, unsigned threads,
                               const std::vector<double>& strategy, const std::string& congestion = "") {
  auto crowd = std::make_unique<Crowd>(world, crowd::CrowdOptions{.seed = seed, .threads = threads});
  Random random(seed);
  const char* avoid[] = {"sampling", "moussaid", "orca", "karamouzas"};
  for (std::uint32_t i = 0; i < 64; ++i) {
    const bool east = i % 2 == 0;
    AgentSpec spec =
        person({(east ? 0.6 : 16.4) + 0.75 * (i / 2 % 4), 0.7 + 1.65 * (i / 8) + random.uniform(-0.1, 0.1)},
               {east ? 19.3 : 0.7, random.uniform(1, 13)}, avoid[i / 2 % 4], strategy);
    spec.number = i;
    if (!congestion.empty() && i % 4 < 2) spec.methods[Level::congestion] = {congestion, {}};
    REQUIRE(crowd->add(spec).ok());
  }
  return crowd;
}

std::uint64_t hash_after(Crowd& crowd, int steps) {
  geometry::Fnv1a hash;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(crowd.step(1.0 / a_second).ok());
    for (const Slot slot : crowd.in_serial_order())
      hash.add(crowd.people().position[slot].x).add(crowd.people().position[slot].y);
  }
  return hash.value();
}

crowd::Guidance pass(Side side, Vec2 near, std::optional<crowd::Sign> sign = {}) {
  crowd::Guidance told;
  told.obstacles.push_back({"", {near, 0}, "it"});
  told.pass = side;
  told.sign = std::move(sign);
  return told;
}

/// Counts changes of route from outside, by what the crowd says after each step.
class Restlessness {
 public:
  void observe(const Crowd& crowd) {
    for (const crowd::ChangeEvent& change : crowd.changes()) {
      if (change.why == crowd::Reason::guidance || change.why == crowd::Reason::asked) continue;
      std::deque<double>& at = times_[change.person];
      at.push_back(change.time);
      while (at.front() <= change.time - 60) at.pop_front();
      most_ = std::max(most_, at.size());
      ++all_;
    }
  }
  [[nodiscard]] std::size_t most_a_minute() const { return most_; }
  [[nodiscard]] std::size_t all() const { return all_; }

 private:
  std::map<std::uint64_t, std::deque<double>> times_;
  std::size_t most_ = 0, all_ = 0;
};

/// Crowds in random scenes, everybody from a random place to another, with the strategies that change their mind most easily.
void check_restlessness(int runs, std::uint64_t first_seed) {
  const std::vector<double> kinds[] = {coarse, fine, {0.5, 1000, 0, 0, 5, 0}};
  const char* avoid[] = {"sampling", "moussaid", "orca", "karamouzas"};
  const environment::SceneKind scenes[] = {environment::SceneKind::grid_of_squares,
                                           environment::SceneKind::rotated_rectangles,
                                           environment::SceneKind::overlapping_polygons};
  std::size_t changes = 0, most = 0;
  for (int r = 0; r < runs; ++r) {
    const std::uint64_t seed = first_seed + std::uint64_t(r);
    CAPTURE(seed);
    const crowd::WorldPtr world = make_crowd_world(environment::random_scene(seed, scenes[r % 3]));
    Crowd crowd(world, {.seed = seed, .threads = 2});
    Random random(seed);
    const auto place = [&] {
      const auto layer = navmesh::Index(random.below(world->mesh->layers.size()));
      return navmesh::random_point(*world->mesh, layer, random.uniform(0, 1), random.uniform(0, 1),
                                   random.uniform(0, 1));
    };
    for (std::uint32_t i = 0; i < 80; ++i) {
      const auto from = place(), to = place();
      if (!from || !to || !crowd.is_free(*from, 0.25)) continue;
      AgentSpec spec = person({}, {}, avoid[i % 4], kinds[r / 3 % 3]);
      AgentSpec placed = walker(*from, *to);
      placed.methods = spec.methods;
      placed.number = i;
      (void)crowd.add(placed);
    }
    Restlessness restless;
    for (int i = 0; i < 40 * a_second; ++i) {
      REQUIRE(crowd.step(1.0 / a_second).ok());
      restless.observe(crowd);
    }
    CHECK(restless.most_a_minute() <= 3);
    changes += restless.all(), most = std::max(most, restless.most_a_minute());
    CHECK(crowd.validate().empty());
  }
  MESSAGE(changes << " changes, " << most << " a person and minute at most");
  CHECK(changes > 0);
}

}  // namespace

TEST_CASE("strategies: nobody changes its way more than three times a minute, twenty random crowds") {
  check_restlessness(20, 300);
}
TEST_CASE("long: strategies: nobody changes its way more than three times a minute, a thousand random crowds") {
  check_restlessness(1000, 5000);
}

TEST_CASE("strategies: snapshots at fifty random steps go on bit for bit, every way to avoid others in one crowd") {
  const crowd::WorldPtr world = hall_of_blocks();
  Random random(test_seed());
  auto whole = meeting(world, 5, 2, fine);
  const crowd::Guidance told = pass(Side::left, {10, 7}, crowd::Sign{.at = {{8, 7}, 0}, .facing = {-1, 0}, .range = 6});
  REQUIRE(whole->set_guidance({told}).ok());
  constexpr int steps = 250;
  std::set<int> saved_at;
  while (saved_at.size() < 50) saved_at.insert(int(random.below(steps)));
  std::vector<std::string> snapshots;
  std::vector<std::uint64_t> hashes;  // of each step
  for (int step = 0; step < steps; ++step) {
    if (saved_at.contains(step)) {
      geometry::ArchiveWriter bytes;
      whole->save(bytes);
      snapshots.emplace_back(bytes.bytes());
    }
    hashes.push_back(hash_after(*whole, 1));
  }
  CHECK(whole->strategy_counts().conflicts > 0);
  CHECK(whole->strategy_counts().strict > 0);
  CHECK(whole->strategy_counts().routes > 0);
  auto snapshot = snapshots.begin();
  for (const int step : saved_at) {
    CAPTURE(step);
    Crowd again(world, {.seed = 5, .threads = 3});
    REQUIRE(again.set_guidance({told}).ok());
    geometry::ArchiveReader reader(*snapshot);
    const auto loaded = again.load(reader);
    REQUIRE_MESSAGE(loaded.ok(), (loaded.ok() ? "" : to_string(loaded.problems()[0])));
    for (int i = step; i < std::min(steps, step + 30); ++i) REQUIRE(hash_after(again, 1) == hashes[std::size_t(i)]);
    ++snapshot;
  }
}

TEST_CASE("strategies: beside every way to foresee jams, the same bits for any number of threads, and hard walls") {
  const crowd::WorldPtr world = hall_of_blocks();
  for (const char* congestion : {"none", "density", "quickest"}) {
    CAPTURE(congestion);
    const auto make = [&](std::uint64_t seed, unsigned threads) {
      return std::make_unique<CrowdSimulation>(meeting(world, seed, threads, fine, congestion), 1.0 / a_second);
    };
    CHECK(complaints_of(check_determinism(make, {.steps = 100})) == "");
    CHECK(complaints_of(check_hard_walls(*make(3, 2), world->environment, 150)) == "");
  }
}

TEST_CASE(
    "strategies: where a world changes under way they go on, guidance that still means something is kept, the same "
    "bits for all") {
  /// One block goes, and comes back.
  class Changing final : public CrowdSimulation {
   public:
    using CrowdSimulation::CrowdSimulation;
    void step() override {
      ++steps_;
      if (steps_ == 40) change(hall_of_blocks({10, 7}));
      if (steps_ == 80) change(hall_of_blocks());
      CrowdSimulation::step();
    }

   private:
    void change(const crowd::WorldPtr& to) {
      const auto changed = crowd().change(to, {}, [](crowd::Index, std::uint32_t number) {
        return walker({}, {{number % 2 == 0 ? 19.3 : 0.7, 7}, 0}).itinerary;
      });
      REQUIRE_MESSAGE(changed.ok(), (changed.ok() ? "" : to_string(changed.problems()[0])));
      REQUIRE(crowd().guidance().size() == 2);
      CHECK(crowd().guided_obstacles()[0].size() == 1);
      CHECK(crowd().validate().empty());
    }
    int steps_ = 0;
  };
  const crowd::WorldPtr world = hall_of_blocks();
  const auto make = [&](std::uint64_t seed, unsigned threads) {
    auto crowd = meeting(world, seed, threads, fine);
    REQUIRE(crowd->set_guidance({pass(Side::left, {6, 7}), pass(Side::right, {14, 3})}).ok());
    return std::make_unique<Changing>(std::move(crowd), 1.0 / a_second);
  };
  CHECK(complaints_of(check_determinism(make, {.steps = 120})) == "");
  const auto run = make(3, 2);
  for (int i = 0; i < 200; ++i) run->step();
  CHECK(run->crowd().strategy_counts().routes > 0);
  for (const Slot slot : run->crowd().in_serial_order()) CHECK(run->crowd().activity(slot) != crowd::Activity::lost);
}

TEST_CASE("signs: where one is seen from the left half of a hall, exactly those from there pass as told") {
  // A wall along the middle, up to the sign; a block behind it that all have to pass.
  environment::Sketch sketch("two halves");
  sketch.walkable({environment::rectangle({0, 0}, {30, 12}), {}});
  sketch.obstacle({environment::rectangle({0, 5.9}, {12, 6.1}), {}});
  sketch.obstacle({environment::rectangle({18, 4}, {20, 8}), {}});
  const crowd::WorldPtr world = make_crowd_world(std::move(sketch).take());
  const navmesh::Obstacles& obstacles = world->graph->sides()->obstacles();
  const navmesh::Index block = obstacles.nearest(*world->mesh, {{19, 6}, 0});
  REQUIRE(obstacles.is_inner(block));
  for (const Side side : {Side::left, Side::right}) {
    Crowd crowd(world, {.seed = 1, .threads = 2});
    // It hangs on the left, as one comes, and everybody from the left half walks towards it.
    crowd::Guidance told = pass(side, {19, 6}, crowd::Sign{.at = {{11, 11}, 0}, .facing = {-1, 0}, .range = 10});
    REQUIRE(crowd.set_guidance({told}).ok());
    std::map<std::uint64_t, bool> from_left, passed_left;
    for (std::uint32_t i = 0; i < 24; ++i) {
      const bool left = i % 2 == 0;
      const double y = (left ? 6.8 : 0.8) + 1.1 * (i / 2 % 4);
      AgentSpec spec =
          person({1 + 1.2 * (i / 8), y}, {29, 12 - y}, "sampling", i % 3 == 0 ? coarse : std::vector<double>());
      spec.number = i;
      const auto id = crowd.add(spec);
      REQUIRE(id.ok());
      from_left[crowd.people().serial[crowd.slot_of(*id)]] = left;
    }
    for (int i = 0; i < 60 * a_second && crowd.size() > 0; ++i) {
      REQUIRE(crowd.step(1.0 / a_second).ok());
      for (const Slot slot : crowd.in_serial_order()) {
        const agents::People people = crowd.people();
        const bool knows = [&] {
          const auto own = crowd.strategy_of(slot);
          return own && !own->guided.empty();
        }();
        if (!from_left.at(people.serial[slot])) CHECK_FALSE(knows);
        if (std::abs(people.position[slot].x - 19) < 0.2)
          passed_left[people.serial[slot]] = people.position[slot].y > 6;
      }
    }
    CHECK(crowd.size() == 0);
    CHECK(crowd.guidance_counts()[0].saw == 12);
    CHECK(crowd.guidance_counts()[0].obeyed == 12);
    CHECK(passed_left.size() == 24);
    for (const auto& [who, left] : passed_left)
      if (from_left.at(who)) CHECK(left == (side == Side::left));
  }
}

TEST_CASE("strategies: the decisions of the route of somebody alone are those of what they walk") {
  Random random(test_seed());
  int compared = 0, decided = 0;
  for (int scene = 0; scene < 20; ++scene) {
    const crowd::WorldPtr world = make_crowd_world(
        environment::random_scene(random.below(1u << 30), scene % 2 == 0 ? environment::SceneKind::rotated_rectangles
                                                                         : environment::SceneKind::grid_of_squares));
    const navmesh::Obstacles& obstacles = world->graph->sides()->obstacles();
    for (int k = 0; k < 3; ++k) {
      const auto place = [&] {
        return navmesh::random_point(*world->mesh, 0, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
      };
      const auto from = place(), to = place();
      Crowd crowd(world, {.seed = 1, .threads = 1});
      if (!from || !to || !crowd.is_free(*from, 0.3)) continue;
      AgentSpec spec = walker(*from, *to);
      spec.methods[Level::follow] = {"lookahead", {}};
      // Avoidance sways before walls, and may be taken for another opinion; no other way is taken for it here.
      spec.methods[Level::decide] = {"topological", {2, 0, 0, 0, 5, 0}};
      const auto id = crowd.add(spec);
      if (!id.ok()) continue;
      std::vector<navmesh::Place> walked{*from};
      std::vector<routes::Decision> by_route;
      for (int i = 0; i < 200 * a_second && crowd.size() > 0; ++i) {
        REQUIRE(crowd.step(1.0 / a_second).ok());
        const Slot slot = crowd.slot_of(*id);
        if (slot == crowd::none) break;
        walked.push_back({crowd.people().position[slot], crowd.people().layer[slot]});
        if (i == 0)
          if (const auto own = crowd.strategy_of(slot)) by_route = own->by_route;
      }
      if (crowd.size() > 0) continue;
      walked.push_back(*to);  // people leave a little before
      const auto its = routes::decisions_of(*world->mesh, obstacles, walked);
      REQUIRE(its);
      ++compared;
      decided += int(by_route.size());
      CHECK(std::ranges::equal(its->decisions(), by_route));
    }
  }
  CHECK(compared > 20);
  CHECK(decided > 20);
}

}  // namespace throng::test
