// Streams: the laws over random neighbourhoods, answers against an oracle that knows no grid, and what happens where there is nothing to see.
#include <doctest/doctest.h>

#include <numbers>

#include "crowd/methods.hpp"
#include "environment/generate/random_scenes.hpp"
#include "environment/sketch.hpp"
#include "geometry/elementary.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "steering/stream.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using namespace steering;  // NOLINT(google-build-using-namespace): it is all about these functions

Vec2 direction(double degrees) { return geometry::unit_direction(degrees / 360); }

TEST_CASE("stream: the incentive keeps to its law") {
  Random random(test_seed());
  for (int i = 0; i < 20000; ++i) {
    const Urge urge{.motivation = random.uniform(0, 1),
                    .density = random.uniform(0, 1),
                    .deviation = random.uniform(0, 180),
                    .deviation_degrees = random.uniform(1, 120),
                    .late = random.uniform(0, 1)};
    const double wants = incentive(urge);
    REQUIRE(wants >= urge.motivation);
    REQUIRE(wants <= 1);
    Urge other = urge;
    other.density = random.uniform(urge.density, 1);
    REQUIRE(incentive(other) <= wants);
    other = urge, other.deviation = random.uniform(urge.deviation, 180);
    REQUIRE(incentive(other) >= wants);
    other = urge, other.late = random.uniform(urge.late, 1);
    REQUIRE(incentive(other) >= wants);
    other = urge, other.motivation = 1;
    REQUIRE(incentive(other) == 1);
  }
  CHECK(incentive({.density = 0}) == 1);
  CHECK(incentive({.density = 1}) == 0);
  CHECK(incentive({.density = 1, .deviation = 45}) == 0);
  CHECK(incentive({.density = 1, .deviation = 67.5}) == doctest::Approx(0.5));
  CHECK(incentive({.density = 1, .deviation = 90}) == 1);
  CHECK(incentive({.density = 0.5}) == doctest::Approx(0.125));
  CHECK(incentive({.motivation = 0.2, .density = 1, .late = 0.5}) == doctest::Approx(0.6));
}

TEST_CASE("stream: what comes out lies between stream and individual velocity") {
  Random random(test_seed());
  for (int i = 0; i < 20000; ++i) {
    const Vec2 stream = direction(random.uniform(0, 360)) * random.uniform(0.01, 2);
    const Vec2 own = direction(random.uniform(0, 360)) * random.uniform(0.01, 2);
    const double wants = i % 10 == 0 ? 0 : i % 10 == 1 ? 1 : random.uniform(0, 1);
    const Vec2 out = between(stream, own, wants);
    REQUIRE(length(out) <= std::max(length(stream), length(own)) + 1e-12);
    REQUIRE(degrees_between(out, own) == doctest::Approx((1 - wants) * degrees_between(stream, own)).epsilon(1e-9));
    REQUIRE(degrees_between(out, stream) == doctest::Approx(wants * degrees_between(stream, own)).epsilon(1e-9));
    if (wants == 1) REQUIRE(out == own);
  }
  CHECK(between({1, 0}, {-1, 0}, 0.5).y == doctest::Approx(1));  // straight opposite: left
}

/// Lemmas 3 and 4 (Jaklin 2016, 9.3.2): neighbours ahead who go less than 90 degrees off never cancel out, but for one case.
TEST_CASE("stream: two neighbours do not cancel out, unless both are at exactly 90 degrees") {
  Random random(test_seed());
  for (int i = 0; i < 20000; ++i) {
    const double density = i % 4 == 0 ? 1 : random.uniform(0, 1);
    Vec2 sum;
    for (int k = 0; k < 1 + i % 5; ++k) {
      const Vec2 sight = direction(random.uniform(-89.9, 89.9)) * (k % 3 == 0 ? 1.5 : random.uniform(0, 1.5));
      const Perceived seen =
          perceived({direction(random.uniform(-89.9, 89.9)), random.uniform(0.1, 2)}, sight, density, 1.5);
      REQUIRE(seen.direction.x > 0);
      sum += seen.direction * seen.speed;
    }
    REQUIRE(length(sum) > least_stream);
  }
  const Perceived left = perceived({{1, 0}, 1}, {0, 1.5}, 1, 1.5);
  const Perceived right = perceived({{1, 0}, 1}, {0, -1.5}, 1, 1.5);
  CHECK(length(left.direction + right.direction) < least_stream);
}

// --- crowds -------------------------------------------------------------------------------------------------------------------------------

using crowd::Crowd;
using crowd::Level;

/// People on one world, with velocities and headings of their own.
struct Sample {
  crowd::WorldPtr world;
  std::vector<std::uint8_t> present;
  std::vector<std::uint64_t> serial;
  std::vector<Vec2> position, velocity, heading, individual;
  std::vector<Index> layer, cell;
  std::vector<double> clearance, radius, speed;

  void add(const navmesh::Place& at, Vec2 moving, Vec2 facing, double r) {
    const navmesh::Located found = navmesh::locate(*world->mesh, at);
    if (!found) return;
    present.push_back(1), serial.push_back(serial.size() + 1), position.push_back(at.point), velocity.push_back(moving);
    heading.push_back(facing), layer.push_back(at.layer), cell.push_back(found.cell);
    clearance.push_back(found.clearance), radius.push_back(r), speed.push_back(1.34);
    individual.push_back(direction(double(serial.size()) * 37) * 1.2);
  }
  [[nodiscard]] People people() const {
    return {world->mesh.get(), 0.1,     nullptr, present, serial,    position, velocity,
            velocity,          heading, layer,   cell,    clearance, radius,   speed};
  }
  [[nodiscard]] std::size_t size() const { return serial.size(); }
};

class NoJourneys final : public Journeys {
 public:
  [[nodiscard]] double metres_left(Slot) const override { return 100; }
  [[nodiscard]] double level_speed(Slot) const override { return 1.34; }
};

struct Answer {
  std::vector<Vec2> intended;
  std::vector<double> density, incentive;
};

Answer answer_of(const Sample& sample, const Coordinator& method, std::vector<double> numbers) {
  const People people = sample.people();
  Perception perception;
  perception.index(people);
  const std::vector<Index> first(sample.size(), 0);
  agents::ColumnStore store;
  store.grow_to(sample.size());
  agents::MethodColumns columns(store, "stream", method.info());
  agents::OwnColumns own;
  columns.show(own);
  fields::EdgeOccupancy edges(*sample.world->mesh);
  for (std::size_t i = 0; i < sample.size(); ++i)
    edges.add({.cell = sample.cell[i], .area = fields::covered_by(sample.radius[i])});
  const NoJourneys journeys;
  Answer answer{.intended = sample.individual, .density = {}, .incentive = {}};
  std::vector<Slot> everybody;
  for (Slot slot = 0; slot < sample.size(); ++slot) everybody.push_back(slot);
  method.run({people, &perception, {numbers.data(), first}, &journeys, &edges, &own}, everybody, answer.intended);
  for (const Slot slot : everybody) {
    const Coordination shown = *method.shown(own, slot);
    answer.density.push_back(shown.density), answer.incentive.push_back(shown.incentive);
  }
  return answer;
}

double smaller_angle(Vec2 from, Vec2 to) { return std::atan2(cross(from, to), dot(from, to)); }
Vec2 turned(Vec2 v, double angle) {
  return {v.x * std::cos(angle) - v.y * std::sin(angle), v.x * std::sin(angle) + v.y * std::cos(angle)};
}

/// Straight from the formulas, over all pairs: no grid, no lists, nothing shared with the method.
Vec2 oracle(const Sample& s, std::size_t a, std::string_view measure, double cell, bool with_guards) {
  const double far = 1.5;
  struct Seen {
    double distance;
    std::size_t who;
  };
  std::vector<Seen> seen;
  for (std::size_t b = 0; b < s.size(); ++b) {
    if (a == b) continue;
    const Vec2 offset = s.position[b] - s.position[a];
    if (squared_length(offset) > far * far || dot(offset, s.heading[a]) < 0) continue;
    if (!navmesh::visible(*s.world->mesh, {s.position[a], s.layer[a]}, {s.position[b], s.layer[b]}, 0, s.cell[a]))
      continue;
    seen.push_back({std::sqrt(squared_length(offset)), b});
  }
  double covered = 0, ground = std::numbers::pi * far * far / 2;
  if (measure == "view")
    for (const Seen& one : seen) covered += std::numbers::pi * s.radius[one.who] * s.radius[one.who];
  const auto whole = [](double r) { return std::round(std::numbers::pi * r * r * 1e6) / 1e6; };
  if (measure == "cells") {
    const auto edge_of = [&](std::size_t i) { return s.world->mesh->arc(s.cell[i] / 2).edge; };
    for (std::size_t b = 0; b < s.size(); ++b)
      if (b != a && edge_of(b) == edge_of(a)) covered += whole(s.radius[b]);
    ground = fields::EdgeOccupancy(*s.world->mesh).ground(edge_of(a));
  }
  if (measure == "grid") {
    const auto square = [&](std::size_t i) {
      return std::tuple(std::floor(s.position[i].x / cell), std::floor(s.position[i].y / cell), s.layer[i]);
    };
    for (std::size_t b = 0; b < s.size(); ++b)
      if (b != a && square(b) == square(a)) covered += whole(s.radius[b]);
    ground = cell * cell;
  }
  const double rho = std::min(1.0, 3 * covered / ground);
  std::sort(seen.begin(), seen.end(), [&](const Seen& x, const Seen& y) {
    return x.distance != y.distance ? x.distance < y.distance : s.serial[x.who] < s.serial[y.who];
  });
  Vec2 sum;
  double speeds = 0;
  int count = 0;
  for (const Seen& one : seen) {
    const double moving = std::sqrt(squared_length(s.velocity[one.who]));
    const Vec2 u = moving >= 0.1 ? s.velocity[one.who] / moving : s.heading[one.who];
    if (!(dot(s.heading[a], u) > 0)) continue;
    const Vec2 sight = s.position[one.who] - s.position[a];
    const double f = rho * one.distance / far;
    const double speed = std::max(moving, moving >= 0.1 ? moving : 0.1);
    sum += (one.distance > 0 ? turned(u, f * smaller_angle(u, sight)) : u) * (moving >= 0.1 ? speed : 0.1);
    speeds += moving >= 0.1 ? moving : 0.1;
    if (++count == 5) break;
  }
  const Vec2 own = s.individual[a];
  const double norm = std::sqrt(squared_length(sum));
  if (rho == 0 || count == 0 || norm < 1e-6) return own;
  const double fast = std::min(speeds / count, s.speed[a]);
  const Vec2 stream = sum * (fast / norm);
  const double off = std::abs(smaller_angle(stream, own)) * 180 / std::numbers::pi;
  bool opposed = false;
  for (const Seen& one : seen) {
    const double moving = std::sqrt(squared_length(s.velocity[one.who]));
    opposed |=
        dot(s.heading[a], moving >= 0.1 ? s.velocity[one.who] / moving : s.heading[one.who]) < -0.766044443118978;
  }
  const double up_to = opposed && with_guards ? 90 : 45;
  const double lambda = std::max(std::clamp((off - up_to) / up_to, 0.0, 1.0), std::pow(1 - rho, 3));
  if (lambda >= 1) return own;
  const double own_length = std::sqrt(squared_length(own));
  const Vec2 ahead = turned(stream / fast, lambda * smaller_angle(stream, own));
  double speed = (1 - lambda) * fast + lambda * own_length;
  if (opposed || !with_guards || speed >= own_length) return ahead * speed;
  double room = own_length * 0.2;  // in the headway of 0.2 s
  for (const Seen& one : seen) {
    const Vec2 offset = s.position[one.who] - s.position[a];
    const double apart = s.radius[a] + s.radius[one.who], aside = cross(ahead, offset);
    if (dot(ahead, offset) > 0 && std::abs(aside) < apart)
      room = std::min(room, dot(ahead, offset) - std::sqrt(apart * apart - aside * aside));
  }
  return ahead * std::max(speed, room / 0.2);
}

/// A crowd strewn over a world with walls and layers: some stand, some share a point, some places are packed.
Sample strewn(std::uint64_t seed) {
  Sample sample;
  sample.world =
      make_crowd_world(environment::random_scene(seed, seed % 3 == 0   ? environment::SceneKind::stairs
                                                       : seed % 3 == 1 ? environment::SceneKind::wall_maze
                                                                       : environment::SceneKind::overlapping_polygons));
  Random random(seed);
  const navmesh::Mesh& mesh = *sample.world->mesh;
  const auto anywhere = [&]() -> std::optional<navmesh::Place> {
    const auto layer = navmesh::Index(random.below(mesh.layers.size()));
    return navmesh::random_point(mesh, layer, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
  };
  const auto add = [&](const navmesh::Place& at, double r) {
    const Vec2 facing = direction(random.uniform(0, 360));
    const double fast = random.below(4) == 0 ? random.uniform(0, 0.09) : random.uniform(0.2, 2);
    sample.add(at, direction(random.uniform(0, 360)) * fast, facing, r);
  };
  for (int i = 0; i < 60; ++i)
    if (const auto at = anywhere()) add(*at, random.uniform(0.15, 0.3));
  for (int heap = 0; heap < 3; ++heap) {
    const auto at = anywhere();
    if (!at) continue;
    for (int i = 0; i < 3; ++i) add(*at, 0.24);  // on one point
    for (int i = 0; i < 120; ++i)                // 40 persons/m2 of bodies of 0.1 m
      add({at->point + Vec2{random.uniform(-0.87, 0.87), random.uniform(-0.87, 0.87)}, at->layer}, 0.1);
  }
  return sample;
}

constexpr std::size_t headway_number = 7, give_way_number = 8;

std::vector<double> numbers_of(const Coordinator& method, double cell = 0) {
  std::vector<double> numbers = agents::default_block(method.info());
  if (cell > 0) numbers.back() = cell;
  return numbers;
}

TEST_CASE("stream: the same velocities as all pairs and the formulas give, to 1e-12") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const Sample sample = strewn(seed);
    std::size_t bent = 0;
    for (const auto& [name, cell] :
         {std::pair<std::string_view, double>{"view", 0}, {"cells", 0}, {"grid", 1}, {"grid", 2}, {"grid", 3}}) {
      CAPTURE(name);
      CAPTURE(cell);
      const Coordinator& method = *find_coordinator(name);
      for (const bool with_guards : {true, false}) {
        std::vector<double> numbers = numbers_of(method, cell);
        if (!with_guards) numbers[headway_number] = 0, numbers[give_way_number] = 1;
        const Answer answer = answer_of(sample, method, numbers);
        for (std::size_t i = 0; i < sample.size(); ++i) {
          const Vec2 expected = oracle(sample, i, name, cell, with_guards);
          CAPTURE(i);
          REQUIRE(length(answer.intended[i] - expected) <= 1e-12);
          bent += answer.intended[i] != sample.individual[i];
        }
      }
    }
    CHECK(bent > 100);
  }
}

crowd::WorldPtr hall() {
  environment::Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {20, 20}), {}});
  sketch.obstacle({environment::rectangle({10, 0}, {10.1, 9}), {}});
  return make_crowd_world(std::move(sketch).take());
}

/// What one sees, whoever else is behind a wall.
TEST_CASE("stream: who is behind a wall changes nothing") {
  Sample sample;
  sample.world = hall();
  const auto fill = [&](bool behind) {
    Sample s{.world = sample.world};
    s.add({{9, 5}, 0}, {1, 0}, {1, 0}, 0.24);
    s.add({{9.6, 5.2}, 0}, {1, 0.2}, {1, 0}, 0.24);
    if (behind)
      for (int i = 0; i < 5; ++i) s.add({{10.4, 4.4 + 0.3 * i}, 0}, {0.5, -0.5}, {1, 0}, 0.24);
    return s;
  };
  for (const char* name : {"view"}) {
    const Coordinator& method = *find_coordinator(name);
    CHECK(answer_of(fill(true), method, numbers_of(method)).intended[0] ==
          answer_of(fill(false), method, numbers_of(method)).intended[0]);
  }
}

/// The same people moved by whole metres, turned by a quarter and mirrored; squares lie on whole metres, so that they move along.
TEST_CASE("stream: moved, turned and mirrored crowds give moved, turned and mirrored answers") {
  const auto move = [](Vec2 p) { return p + Vec2{40, -24}; };
  const auto quarter = [](Vec2 p) { return perpendicular(p); };
  const auto mirror = [](Vec2 p) { return Vec2{p.x, -p.y}; };
  const auto made = [&](const auto& place, const auto& way) {
    environment::Sketch sketch("hall");
    std::vector<Vec2> ring;
    for (const Vec2 p : {Vec2{0, 0}, Vec2{24, 0}, Vec2{24, 24}, Vec2{0, 24}}) ring.push_back(place(p));
    if (way(Vec2{0, 1}) == Vec2{0, -1} && way(Vec2{1, 0}) == Vec2{1, 0}) std::reverse(ring.begin(), ring.end());
    sketch.walkable({ring, {}});
    Sample sample{.world = make_crowd_world(std::move(sketch).take())};
    Random random(7);
    for (int i = 0; i < 400; ++i) {
      const Vec2 at{random.uniform(6, 16), random.uniform(6, 16)};
      const Vec2 moving = direction(random.uniform(-50, 50)) * random.uniform(0, 2);
      const Vec2 facing = direction(random.uniform(-50, 50));
      const Vec2 own = direction(random.uniform(-50, 50)) * 1.2;
      sample.add({place(at), 0}, way(moving), way(facing), 0.24);
      sample.individual.back() = way(own);
    }
    return sample;
  };
  const auto same = [](Vec2 p) { return p; };
  for (const char* name : {"view", "grid"}) {
    CAPTURE(name);
    const Coordinator& method = *find_coordinator(name);
    const auto answers = [&](const Sample& s) { return answer_of(s, method, numbers_of(method)).intended; };
    const std::vector<Vec2> as_is = answers(made(same, same));
    const auto check = [&](const Sample& other, const auto& way) {
      const std::vector<Vec2> theirs = answers(other);
      REQUIRE(theirs.size() == as_is.size());
      for (std::size_t i = 0; i < as_is.size(); ++i) REQUIRE(length(theirs[i] - way(as_is[i])) < 1e-9);
    };
    check(made(move, same), same);
    check(made(quarter, quarter), quarter);
    check(made(mirror, mirror), mirror);
  }
}

TEST_CASE("stream: nobody else, no speed, a body larger than the view") {
  for (const char* name : {"view", "cells", "grid"}) {
    CAPTURE(name);
    const Coordinator& method = *find_coordinator(name);
    Sample alone{.world = hall()};
    alone.add({{5, 5}, 0}, {1, 0}, {1, 0}, 0.24);
    CHECK(answer_of(alone, method, numbers_of(method)).intended[0] == alone.individual[0]);
    CHECK(answer_of(alone, method, numbers_of(method)).density[0] == 0);
    Sample slow = alone;
    slow.add({{5.5, 5}, 0}, {1, 0}, {1, 0}, 0.24);
    slow.individual[0] = {};
    CHECK(answer_of(slow, method, numbers_of(method)).intended[0] == Vec2{});
    slow.individual[0] = {1, 0}, slow.speed[0] = 0;
    CHECK(length(answer_of(slow, method, numbers_of(method)).intended[0]) <= 1);
    Sample wide = alone;
    wide.add({{5.5, 5}, 0}, {0.5, 0.1}, {1, 0}, 3);
    const Answer answer = answer_of(wide, method, numbers_of(method));
    if (name == std::string_view("view") || name == std::string_view("grid")) CHECK(answer.density[0] == 1);
    CHECK(std::isfinite(squared_length(answer.intended[0])));
  }
}

// --- whole crowds -------------------------------------------------------------------------------------------------------------------------

std::unique_ptr<Crowd> counterflow(const crowd::WorldPtr& world, const crowd::MethodChoice& stream, std::uint64_t seed,
                                   unsigned threads, int people = 120) {
  auto crowd = std::make_unique<Crowd>(world, crowd::CrowdOptions{.seed = seed, .threads = threads});
  Random random(seed);
  for (int i = 0; i < people; ++i) {
    const bool east = i % 2 == 0;
    const double x = east ? random.uniform(1, 12) : random.uniform(18, 29);
    crowd::AgentSpec spec = walker({{x, random.uniform(0.4, 2.6)}, 0}, {{east ? 29.5 : 0.5, 1.5}, 0});
    spec.speed = random.uniform(0.85, 2.05);
    spec.number = std::uint32_t(i);
    spec.methods[Level::coordinate] = stream;
    if (crowd->is_free(spec.place, spec.radius)) REQUIRE(crowd->add(spec).ok());
  }
  return crowd;
}

crowd::WorldPtr narrow() {
  environment::Sketch sketch("narrow");
  sketch.walkable({environment::rectangle({0, 0}, {30, 3}), {}});
  return make_crowd_world(std::move(sketch).take());
}

std::vector<Vec2> walked(Crowd& crowd, int steps) {
  std::vector<Vec2> places;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    for (const crowd::Slot slot : crowd.in_serial_order()) places.push_back(crowd.people().position[slot]);
  }
  return places;
}

TEST_CASE("stream: with motivation 1 for everybody people walk as without, bit for bit") {
  const crowd::WorldPtr world = narrow();
  const std::vector<Vec2> without = walked(*counterflow(world, {}, 3, 1), 150);
  CHECK(walked(*counterflow(world, {"none", {}}, 3, 1), 150) == without);
  for (const char* name : {"view", "cells", "grid"}) {
    CAPTURE(name);
    std::vector<double> numbers = numbers_of(*find_coordinator(name));
    CHECK(walked(*counterflow(world, {name, numbers}, 3, 1), 150) != without);
    numbers[0] = 1;
    CHECK(walked(*counterflow(world, {name, numbers}, 3, 2), 150) == without);
  }
}

TEST_CASE("stream: the same bits for any number of threads, nobody through a wall, snapshots in the thick of it") {
  const crowd::WorldPtr world = narrow();
  for (const char* name : {"view", "cells", "grid"}) {
    CAPTURE(name);
    const auto factory = [&](std::uint64_t seed, unsigned threads) {
      return std::make_unique<CrowdSimulation>(counterflow(world, {name, {}}, seed, threads), 0.1);
    };
    CHECK(complaints_of(check_determinism(factory, {.steps = 120, .seed = 5})) == "");
    CHECK(complaints_of(check_hard_walls(*factory(6, 2), world->environment, 120)) == "");
    std::unique_ptr<Crowd> whole = counterflow(world, {name, {}}, 7, 2);
    walked(*whole, 100);
    geometry::ArchiveWriter bytes;
    whole->save(bytes);
    Crowd resumed(world, {.threads = 3});
    geometry::ArchiveReader reader(bytes.bytes());
    REQUIRE(resumed.load(reader).ok());
    CHECK(walked(resumed, 100) == walked(*whole, 100));
  }
}

/// Whoever looks on sees what was made of people.
TEST_CASE("stream: what people intend is told, and expected times live as long as a goal") {
  std::unique_ptr<Crowd> crowd = counterflow(narrow(), {"view", {}}, 11, 1);
  walked(*crowd, 80);
  std::size_t dense = 0;
  for (const crowd::Slot slot : crowd->in_serial_order()) {
    const std::optional<crowd::Intent> intent = crowd->intent_of(slot);
    REQUIRE(intent.has_value());
    CHECK(intent->by.incentive >= 0);
    CHECK(intent->by.incentive <= 1);
    dense += intent->by.density > 0.5;
    if (intent->by.incentive == 1) CHECK(intent->intended == intent->preferred);
  }
  CHECK(dense > 5);
  std::unique_ptr<Crowd> without = counterflow(narrow(), {}, 11, 1);
  walked(*without, 5);
  CHECK_FALSE(without->intent_of(without->in_serial_order()[0]).has_value());
}

}  // namespace
}  // namespace throng::test
