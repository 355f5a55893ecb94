// The harness must pass a walker that obeys and catch each kind of one that does not.
#include "support/simulation_harness.hpp"
#include "geometry/tolerances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "support/brute_force.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"
#include "validation/exact_sign.hpp"

namespace throng::test {
namespace {

using environment::CleanEnvironment;
using validation::exact_side;
using validation::exactly_meet;

constexpr double radius = 0.2;

/// A hall of 20 x 10 m with a pillar and a thin wall; a corridor leaves it at the right through a connection 2 m wide, turns
/// twice and passes above the hall.
CleanEnvironment two_layers() {
  CleanEnvironment world;
  world.layers.resize(2);
  world.layers[0].free = {{{{0, 0}, {20000, 0}, {20000, 4000}, {20000, 6000}, {20000, 10000}, {0, 10000}},
                           {{{8000, 4000}, {8000, 6000}, {10000, 6000}, {10000, 4000}}}}};
  world.layers[0].walls = {{{{4000, 1000}, {4000, 9000}, {6000, 9000}}}};
  world.layers[1].free = {{{{20000, 4000},
                            {30000, 4000},
                            {30000, 9000},
                            {10000, 9000},
                            {10000, 8000},
                            {29000, 8000},
                            {29000, 6000},
                            {20000, 6000}},
                           {}}};
  world.connections = {{{20000, 4000}, {20000, 6000}, 0, 1}};
  return world;
}

struct Body {
  Vec2 position;
  std::uint32_t layer = 0;
};

/// Agents that stand where a script says, step by step; a state without an agent leaves it out.
class Scripted : public Simulation {
 public:
  explicit Scripted(std::vector<Body> path, double r = radius) : path_(std::move(path)), radii_{r} { show(); }
  void step() override { ++at_, show(); }
  [[nodiscard]] AgentsView agents() const override { return {serials_, layers_, positions_, radii_}; }
  [[nodiscard]] int steps() const { return int(path_.size()) - 1; }

 private:
  void show() { positions_ = {path_[at_].position}, layers_ = {path_[at_].layer}; }

  std::vector<Body> path_;
  std::size_t at_ = 0;
  std::vector<std::uint64_t> serials_ = {7};
  std::vector<std::uint32_t> layers_;
  std::vector<Vec2> positions_;
  std::vector<double> radii_;
};

std::string walls_say(std::vector<Body> path, double r = radius) {
  Scripted scripted(std::move(path), r);
  return complaints_of(check_hard_walls(scripted, two_layers(), scripted.steps()));
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

enum class Fault { none, ignores_walls, depends_on_threads, depends_on_run, ignores_seed };

/// Walks at random, in parallel, and stays where the next step would be too near a wall; by brute force, unlike the harness.
class Walker : public Simulation {
 public:
  Walker(std::uint64_t seed, unsigned threads, Fault fault = Fault::none)
      : seed_(seed), threads_(threads), fault_(fault) {
    if (fault == Fault::ignores_seed) seed_ = 0;
    if (fault == Fault::depends_on_run) seed_ += runs_++;
    for (std::uint64_t serial = 0; serial < 60; ++serial) {
      // Stored against the order of serials, as a crowd sorted by place would be.
      serials_.push_back(59 - serial);
      positions_.push_back({18.5 + 0.02 * double(serial), 5});
      layers_.push_back(0);
      radii_.push_back(radius);
    }
  }

  void step() override {
    std::vector<Body> next(serials_.size());
    std::vector<std::thread> workers;
    for (unsigned worker = 0; worker < threads_; ++worker)
      workers.emplace_back([&, worker] {
        for (std::size_t i = worker; i < next.size(); i += threads_) next[i] = walk(i, worker);
      });
    for (std::thread& worker : workers) worker.join();
    for (std::size_t i = 0; i < next.size(); ++i) positions_[i] = next[i].position, layers_[i] = next[i].layer;
    ++steps_;
  }

  [[nodiscard]] AgentsView agents() const override { return {serials_, layers_, positions_, radii_}; }

 private:
  [[nodiscard]] Body walk(std::size_t i, unsigned worker) const {
    Random random(seed_ * 1000003 + serials_[i] * 1009 + steps_);
    if (fault_ == Fault::depends_on_threads && steps_ == 30 && serials_[i] == 1) random = Random(worker);
    const Vec2 from = positions_[i];
    const Vec2 to = from + Vec2{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)};
    const bool at_door = std::abs(from.x - 20) < 1 && from.y > 4 && from.y < 6;
    if (fault_ != Fault::ignores_walls && !is_clear(to, layers_[i], at_door)) return {from, layers_[i]};
    return {to, at_door ? std::uint32_t(to.x > 20) : layers_[i]};
  }

  [[nodiscard]] static bool is_clear(Vec2 p, std::uint32_t layer, bool at_door) {
    struct Segment {
      Vec2 a, b;
      std::uint32_t layer;
    };
    static const std::vector<Segment> walls = {{{0, 0}, {20, 0}, 0},   {{20, 0}, {20, 4}, 0}, {{20, 6}, {20, 10}, 0},
                                               {{20, 10}, {0, 10}, 0}, {{0, 10}, {0, 0}, 0},  {{8, 4}, {8, 6}, 0},
                                               {{8, 6}, {10, 6}, 0},   {{10, 6}, {10, 4}, 0}, {{10, 4}, {8, 4}, 0},
                                               {{4, 1}, {4, 9}, 0},    {{4, 9}, {6, 9}, 0},   {{20, 4}, {30, 4}, 1},
                                               {{30, 4}, {30, 9}, 1},  {{30, 9}, {10, 9}, 1}, {{10, 9}, {10, 8}, 1},
                                               {{10, 8}, {29, 8}, 1},  {{29, 8}, {29, 6}, 1}, {{29, 6}, {20, 6}, 1}};
    return std::none_of(walls.begin(), walls.end(), [&](const Segment& wall) {
      if (wall.layer != layer && !at_door) return false;
      const Vec2 d = wall.b - wall.a;
      const double t = std::clamp(dot(p - wall.a, d) / squared_length(d), 0.0, 1.0);
      return squared_length(p - (wall.a + d * t)) < radius * radius;
    });
  }

  static inline std::atomic<std::uint64_t> runs_ = 0;
  std::uint64_t seed_;
  unsigned threads_;
  Fault fault_;
  std::uint64_t steps_ = 0;
  std::vector<std::uint64_t> serials_;
  std::vector<std::uint32_t> layers_;
  std::vector<Vec2> positions_;
  std::vector<double> radii_;
};

SimulationFactory walkers(Fault fault) {
  return [fault](std::uint64_t seed, unsigned threads) { return std::make_unique<Walker>(seed, threads, fault); };
}

TEST_CASE("a walker that obeys passes both checks, and some of it changes layer") {
  CHECK(complaints_of(check_determinism(walkers(Fault::none))) == "");
  Walker walker(test_seed(), 2);
  CHECK(complaints_of(check_hard_walls(walker, two_layers(), 400)) == "");
  const AgentsView agents = walker.agents();
  CHECK(std::count(agents.layers.begin(), agents.layers.end(), 1u) > 3);
  CHECK(std::count(agents.layers.begin(), agents.layers.end(), 0u) > 3);
}

TEST_CASE("a walker that ignores walls is caught") {
  Walker walker(test_seed(), 2, Fault::ignores_walls);
  CHECK(complaints_of(check_hard_walls(walker, two_layers(), 100)) != "");
}

TEST_CASE("a result that depends on the number of threads is caught, with step and agent") {
  const Complaints complaints = check_determinism(walkers(Fault::depends_on_threads));
  REQUIRE(!complaints.empty());
  CHECK(mentions(complaints[0], "at step 31: agent 1 is at"));
  CHECK(!mentions(complaints_of(complaints), "seeds"));
}

TEST_CASE("a result that changes from run to run is caught") {
  CHECK(check_determinism(walkers(Fault::depends_on_run)).size() >= 2);
}

TEST_CASE("a seed without effect is caught") {
  CHECK(complaints_of(check_determinism(walkers(Fault::ignores_seed))) == "seeds 1 and 2 give the same run");
}

TEST_CASE("the hash is that of the format, in any order") {
  const std::vector<std::uint64_t> serials = {9, 4};
  const std::vector<std::uint32_t> layers = {1, 0};
  const std::vector<Vec2> positions = {{1.5, -2}, {0.1, 7}};
  const std::vector<double> radii = {0.2, 0.3};
  TrajectoryHash hash;
  hash.add(3, {serials, layers, positions, radii});
  using Whole = std::uint64_t;
  const std::uint64_t first = geometry::Fnv1a().add(Whole{3}).add(Whole{4}).add(Whole{0}).add(0.1).add(7.0).value();
  const std::uint64_t second = geometry::Fnv1a().add(Whole{3}).add(Whole{9}).add(Whole{1}).add(1.5).add(-2.0).value();
  CHECK(hash.value() == first + second);
}

TEST_CASE("entering a wall by two micrometres is caught, by half of one is allowed") {
  CHECK(walls_say({{{radius - 0.5e-6, 5}, 0}}) == "");
  CHECK(mentions(walls_say({{{radius - 2e-6, 5}, 0}}), "agent 7 of radius 0.2 is 0.19999"));
  CHECK(mentions(walls_say({{{4 + radius - 2e-6, 5}, 0}}), "from a wall"));
  CHECK(mentions(walls_say({{{4 - radius + 2e-6, 5}, 0}}), "from a wall"));
  // The end of the thin wall, and a corner of the pillar, diagonally.
  CHECK(mentions(walls_say({{{6 + radius - 2e-6, 9}, 0}}), "from a wall"));
  const double diagonal = (radius - 2e-6) / std::sqrt(2.0);
  CHECK(mentions(walls_say({{{8 - diagonal, 4 - diagonal}, 0}}), "from a wall"));
}

TEST_CASE("jumping over a wall is caught though both ends are clear") {
  CHECK(mentions(walls_say({{{3.5, 5}, 0}, {{4.5, 5}, 0}}), "through the wall (4, 1)-(4, 9)"));
  CHECK(mentions(walls_say({{{7, 5}, 0}, {{11, 5}, 0}}), "through the wall"));
  CHECK(walls_say({{{3.5, 0.5}, 0}, {{4.5, 0.5}, 0}}) == "");
  // Just touching the end of a wall is through it for the centre: walls are closed sets.
  CHECK(mentions(walls_say({{{3, 0}, 0}, {{5, 2}, 0}}, 0), "through the wall"));
  CHECK(mentions(walls_say({{{3, 1}, 0}, {{5, 1}, 0}}, 0), "through the wall (4, 1)-(4, 9)"));
}

TEST_CASE("appearing inside an obstacle or outside the world is caught") {
  CHECK(mentions(walls_say({{{9, 5}, 0}}), "appears outside free space"));
  CHECK(mentions(walls_say({{{-50, 5}, 0}}), "appears outside free space"));
  CHECK(mentions(walls_say({{{15, 5}, 1}}), "appears outside free space"));
  CHECK(mentions(walls_say({{{NAN, 5}, 0}}), "is nowhere"));
  CHECK(mentions(walls_say({{{5, 5}, 2}}), "is nowhere"));
}

TEST_CASE("a connection may be crossed, and then the layer changes") {
  CHECK(walls_say({{{19.5, 5}, 0}, {{20.5, 5}, 1}, {{19.5, 5}, 0}}) == "");
  CHECK(mentions(walls_say({{{19.5, 5}, 0}, {{20.5, 5}, 0}}), "but the way leads to layer 1"));
  CHECK(mentions(walls_say({{{19, 5}, 0}, {{19.5, 5}, 1}}), "but the way leads to layer 0"));
  CHECK(mentions(walls_say({{{15, 8.5}, 1}, {{15, 8.6}, 0}}), "but the way leads to layer 1"));
}

TEST_CASE("on a connection an agent is in either layer, and may leave it either way") {
  CHECK(walls_say({{{19.5, 5}, 0}, {{20, 5}, 0}, {{20.5, 5}, 1}}) == "");
  CHECK(walls_say({{{19.5, 5}, 0}, {{20, 5}, 1}, {{20.5, 5}, 1}}) == "");
  CHECK(walls_say({{{19.5, 5}, 0}, {{20, 5}, 1}, {{19.5, 5.1}, 0}}) == "");
  CHECK(mentions(walls_say({{{19.5, 5}, 0}, {{20, 5}, 1}, {{19.5, 5.1}, 1}}), "but the way leads to layer 0"));
}

TEST_CASE("walls of the next layer count where they are seen through the connection, and only there") {
  // A pillar in the corridor, 10 cm behind the connection.
  CleanEnvironment world = two_layers();
  world.layers[1].free[0].holes = {{{20100, 4800}, {20100, 5200}, {20500, 5200}, {20500, 4800}}};
  Scripted near({{{19.95, 5}, 0}}), clear({{{19.85, 5}, 0}}), beside({{{19.95, 5.5}, 0}});
  CHECK(mentions(complaints_of(check_hard_walls(near, world, 0)), "from a wall"));
  CHECK(complaints_of(check_hard_walls(clear, world, 0)) == "");
  CHECK(complaints_of(check_hard_walls(beside, world, 0)) == "");

  // The hall's own pillar moved right behind the connection, where the corridor is walked instead: out of sight.
  CleanEnvironment stairwell = two_layers();
  stairwell.layers[0].free[0].holes = {{{20100, 4800}, {20100, 5200}, {20500, 5200}, {20500, 4800}}};
  Scripted before_it({{{19.95, 5}, 0}});
  CHECK(complaints_of(check_hard_walls(before_it, stairwell, 0)) == "");
}

TEST_CASE("on random worlds the checker says what brute force says") {
  INFO("THRONG_TEST_SEED=" << test_seed());
  Random random(test_seed());
  int refused = 0, accepted = 0;
  for (int round = 0; round < 20; ++round) {
    const auto world = environment::clean(random_world(random.next()));
    REQUIRE(world.ok());
    const BruteForce truth(*world);
    const auto somewhere = [&] {
      return Vec2{random.uniform(truth.min().x, truth.max().x), random.uniform(truth.min().y, truth.max().y)};
    };
    for (int i = 0; i < 100; ++i) {
      const Vec2 p = somewhere(), far = somewhere();
      const Vec2 q = p + (far - p) * random.uniform(0, 0.2);
      const double r = random.uniform(0, 1);
      const bool stands = truth.walkable(p) && std::min(truth.clearance(p), truth.clearance(q)) >= r - tolerance::wall;
      const bool right = stands && truth.clearance(p, q) > 0;
      Scripted scripted({{p, 0}, {q, 0}}, r);
      CHECK_MESSAGE(check_hard_walls(scripted, *world, 1).empty() == right,
                    p.x << ", " << p.y << " to " << q.x << ", " << q.y);
      ++(right ? accepted : refused);
    }
  }
  CHECK(accepted > 50);
  CHECK(refused > 50);
}

TEST_CASE("exact sides and meetings of nearly degenerate segments") {
  const Vec2 a{0.1, 0.1}, b{0.3, 0.3}, on{0.2, 0.2};
  CHECK(exact_side(a, {0.7, 0.7}, on) == 0);
  CHECK(exact_side(a, b, {0.2, std::nextafter(0.2, 1)}) == 1);
  CHECK(exact_side(a, b, {0.2, std::nextafter(0.2, 0)}) == -1);
  CHECK(exact_side({0, 0}, {1e-200, 1e-200}, {2e-200, std::nextafter(2e-200, 1)}) == 1);
  CHECK(exactly_meet(a, b, on, {5, -5}));
  CHECK(!exactly_meet(a, b, {0.2, std::nextafter(0.2, 0)}, {5, -5}));
  CHECK(!exactly_meet({0, 0}, {1, 0}, {2, 0}, {3, 0}));
  CHECK(exactly_meet({0, 0}, {1, 0}, {1, 0}, {3, 0}));
  CHECK(exactly_meet({0.5, 0}, {0.5, 0}, {0, 0}, {3, 0}));
}

TEST_CASE("the harness catches a crowd that is empty, and one that is frozen") {
  const auto life_of = [](Simulation& simulation, int steps) {
    Watched watched(simulation);
    CHECK(complaints_of(check_hard_walls(watched, two_layers(), steps)) == "");
    return complaints_of(check_life(watched.people(), watched.walked(), 1, 0.5));
  };
  class Empty : public Simulation {
   public:
    void step() override {}
    [[nodiscard]] AgentsView agents() const override { return {}; }
  } empty;
  CHECK(mentions(life_of(empty, 5), "there were 0 people"));
  Scripted frozen({{{2, 2}, 0}, {{2, 2}, 0}, {{2, 2}, 0}});
  CHECK(mentions(life_of(frozen, frozen.steps()), "walked 0 m"));
  Scripted alive({{{2, 2}, 0}, {{2, 2.5}, 0}, {{2, 2}, 0}});
  CHECK(life_of(alive, alive.steps()) == "");
}

}  // namespace
}  // namespace throng::test
