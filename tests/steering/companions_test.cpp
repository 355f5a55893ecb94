// What companions make of each other: forces against cases by hand and against their definitions on random groups, subgroups, orders of places
// against all permutations.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "steering/companions.hpp"
#include "steering/formation.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using steering::Companions;
using steering::find_group_method;
using steering::GroupMethod;
using steering::GroupRules;
using steering::Members;
using steering::Places;
using steering::Shape;
using steering::Slot;

/// People of one group, who all see each other but where `sight` says otherwise.
struct Company {
  std::vector<Vec2> position, velocity, heading;
  std::vector<double> radius;
  std::vector<Slot> slots;
  std::vector<Members> sight;
  agents::People people;

  void add(Vec2 at, Vec2 facing = {1, 0}, double r = 0.24) {
    position.push_back(at), velocity.push_back(facing), heading.push_back(facing), radius.push_back(r);
    slots.push_back(Slot(slots.size()));
    sight.assign(slots.size(), (Members{1} << slots.size()) - 1);
  }
  [[nodiscard]] Companions view() {
    people.position = position, people.velocity = velocity, people.heading = heading, people.radius = radius;
    return {&people, slots, sight};
  }
};

Vec2 force(std::string_view method, Company& company, std::size_t self, Vec2 desired, bool published = false) {
  const GroupMethod& m = *find_group_method(method);
  const std::vector<double> numbers = agents::default_block(m.info(), published);
  const GroupRules rules = m.rules(numbers.data(), company.slots.size());
  return m.acceleration(rules, company.view(), self, desired);
}

double degrees(Vec2 a, Vec2 b) {
  return std::acos(std::clamp(dot(a, b) / (length(a) * length(b)), -1.0, 1.0)) * 180 / std::numbers::pi;
}

TEST_CASE("companions: who has a member straight behind walks on at 0.41 of its speed, at a radius of 0.24") {
  Company pair;
  pair.add({0, 0});
  pair.add({-0.4, 0});
  const Vec2 desired{1.34, 0};
  const Vec2 a = force("sgn", pair, 0, desired);
  CHECK((desired + a * 0.5).x / desired.x == doctest::Approx(1 - 0.5 * 90 / (320 * 0.24)));
  CHECK((desired + a * 0.5).x / desired.x == doctest::Approx(0.41).epsilon(0.02));
  CHECK(a.y == 0);
  CHECK(force("sgn", pair, 1, desired) == Vec2{});  // it has the other ahead
  CHECK(force("sgn", pair, 0, {}) == Vec2{});       // who wants to stand, stands
}

TEST_CASE("companions: from half a metre a further member on one is drawn to the centroid with 3 m/s2") {
  Company pair;
  pair.add({0, 0});
  pair.add({2, 0});
  const Vec2 a = force("sgn", pair, 0, {0, 1});
  CHECK(a.x == doctest::Approx(3));
  CHECK(a.y == doctest::Approx(0));
  pair.position[1] = {0.9, 0};  // the centroid is 0.45 m away
  CHECK(force("sgn", pair, 0, {0, 1}) == Vec2{});
  pair.position[1] = {2, 0};
  pair.sight = {1, 2};  // a wall between them
  CHECK(force("sgn", pair, 0, {0, 1}) == Vec2{});
}

TEST_CASE("companions: Moussaid's gaze goes by the velocity and in radians, and who is too near repels") {
  Company pair;
  pair.add({0, 0});
  pair.add({-2, 0});
  pair.velocity[0] = {1, 0};
  // Straight behind: a quarter turn; and attraction towards the centre of mass.
  CHECK(force("moussaid_2010", pair, 0, {1, 0}).x == doctest::Approx(-4 * std::numbers::pi / 2 - 3));
  pair.position[1] = {0, 0.5};
  const Vec2 a = force("moussaid_2010", pair, 0, {1, 0});
  CHECK(a.x == doctest::Approx(0));
  CHECK(a.y == doctest::Approx(-1));
}

TEST_CASE("companions: forces of random groups are those of the definitions, and move, turn and mirror with them") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t n = 2 + random.below(9);
    Company group;
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = random.uniform(0, 6.28);
      group.add({random.uniform(-4, 4), random.uniform(-4, 4)}, {std::cos(angle), std::sin(angle)},
                random.uniform(0.2, 0.3));
      group.velocity.back() = {random.uniform(-1, 1), random.uniform(-1, 1)};
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = i + 1; k < n; ++k)
        if (random.below(4) == 0) group.sight[i] &= ~(Members{1} << k), group.sight[k] &= ~(Members{1} << i);
    const std::size_t self = random.below(n);
    const Vec2 desired{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)};
    const bool published = seed % 2 == 0;
    // By brute force from the definitions (Jaklin 2016, 10.3.6).
    const Vec2 x = group.position[self];
    Vec2 sum;
    double count = 0, theta = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if ((group.sight[self] >> i & 1) == 0) continue;
      sum += group.position[i];
      ++count;
      const auto mine = steering::subgroup_of(self, n, published ? 64 : 3);
      if (i != self && i >= mine.first && i < mine.last)
        theta = std::max(theta, degrees(group.heading[self], group.position[i] - x) - 90);
    }
    Vec2 expected = desired * (-theta / (320 * group.radius[self]));
    const Vec2 to = sum / count - x;
    if (length(to) >= 0.5 * double(n - 1)) expected += to * (3 / length(to));
    const Vec2 is = force("sgn", group, self, desired, published);
    CHECK(length(is - expected) < 1e-9);
    // Turned by a right angle, moved and mirrored: exact but for rounding of sums.
    const auto image = [](Vec2 p) { return Vec2{p.y, p.x}; };
    Company other = group;
    for (std::size_t i = 0; i < n; ++i) {
      other.position[i] = image(group.position[i]) + Vec2{16, -8};
      other.heading[i] = image(group.heading[i]), other.velocity[i] = image(group.velocity[i]);
    }
    for (const char* method : {"sgn", "moussaid_2010", "formation"})
      CHECK(length(force(method, other, self, image(desired)) - image(force(method, group, self, desired))) < 1e-8);
  }
}

TEST_CASE("companions: subgroups are as even as possible, by number") {
  const auto sizes = [](std::size_t n, std::size_t most) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < n; i = steering::subgroup_of(i, n, most).last) {
      const auto range = steering::subgroup_of(i, n, most);
      for (std::size_t k = range.first; k < range.last; ++k) CHECK(steering::subgroup_of(k, n, most) == range);
      found.push_back(range.last - range.first);
    }
    return found;
  };
  using Sizes = std::vector<std::size_t>;
  CHECK(sizes(4, 3) == Sizes{2, 2});
  CHECK(sizes(5, 3) == Sizes{3, 2});
  CHECK(sizes(7, 3) == Sizes{3, 2, 2});
  CHECK(sizes(7, 64) == Sizes{7});
  for (std::size_t n = 1; n <= 64; ++n)
    for (std::size_t most = 1; most <= 64; ++most) {
      const Sizes all = sizes(n, most);
      CHECK(std::accumulate(all.begin(), all.end(), std::size_t{0}) == n);
      CHECK(*std::ranges::max_element(all) <= most);
      CHECK(*std::ranges::max_element(all) - *std::ranges::min_element(all) <= 1);
      CHECK(all.size() == (n + most - 1) / most);
    }
}

TEST_CASE("companions: numbers that contradict each other are refused") {
  const GroupMethod& sgn = *find_group_method("sgn");
  std::vector<double> numbers = agents::default_block(sgn.info());
  CHECK(steering::misfit_of_group(sgn, numbers.data(), 4, 0.24).empty());
  CHECK(steering::misfit_of_group(sgn, numbers.data(), 64, 0.24).empty());
  CHECK_FALSE(steering::misfit_of_group(sgn, numbers.data(), 4, 1.1).empty());  // personal space below the radius
  numbers[0] = 7;                                                               // the view, for four of 1 m
  CHECK_FALSE(steering::misfit_of_group(sgn, numbers.data(), 4, 0.24).empty());
  CHECK(steering::misfit_of_group(sgn, numbers.data(), 3, 0.24).empty());
  numbers[2] = 8;  // social distance
  CHECK_FALSE(steering::misfit_of_group(sgn, numbers.data(), 3, 0.24).empty());
}

TEST_CASE("formation: places of each shape, centred, as wide as it says") {
  Places places;
  steering::lay_out(Shape::abreast, 3, places);
  CHECK(places[0].y == doctest::Approx(0.8));
  CHECK(places[1] == Vec2{0, 0});
  CHECK(places[2].y == doctest::Approx(-0.8));
  steering::lay_out(Shape::v, 3, places);
  CHECK(places[0].y == doctest::Approx(0.7));
  CHECK(places[0].x - places[1].x == doctest::Approx(0.35));
  steering::lay_out(Shape::v, 2, places);
  CHECK(places[0].y - places[1].y == doctest::Approx(0.6));
  steering::lay_out(Shape::river, 4, places);
  for (std::size_t i = 1; i < 4; ++i) CHECK(places[i - 1].x - places[i].x == doctest::Approx(0.9));
  steering::lay_out(Shape::abreast, 5, places);
  CHECK(places[0].x - places[3].x == doctest::Approx(1.2));
  for (const Shape shape : {Shape::abreast, Shape::v, Shape::river})
    for (std::size_t n = 1; n <= 64; ++n) {
      steering::lay_out(shape, n, places);
      Vec2 mean;
      double left = 0, right = 0;
      for (std::size_t i = 0; i < n; ++i) {
        mean += places[i] / double(n);
        left = std::max(left, places[i].y), right = std::min(right, places[i].y);
      }
      CHECK(length(mean) < 1e-9);
      // Rows of two and three are centred each for itself: no wider than the widest.
      CHECK(left - right + 0.6 <= steering::room_needed(shape, n) + 0.2);
    }
  CHECK(steering::room_needed(Shape::abreast, 3) == doctest::Approx(2.2));
  CHECK(steering::room_needed(Shape::v, 3) == doctest::Approx(2.0));
  CHECK(steering::room_needed(Shape::abreast, 2) == doctest::Approx(1.4));
  CHECK(steering::room_needed(Shape::v, 2) == doctest::Approx(1.2));
  CHECK(steering::shape_for(5, 0.1, 3) == Shape::abreast);
  CHECK(steering::shape_for(2.1, 0.1, 3) == Shape::v);
  CHECK(steering::shape_for(5, 0.4, 3) == Shape::v);
  CHECK(steering::shape_for(5, 0.7, 3) == Shape::river);
  CHECK(steering::shape_for(1, 0, 2) == Shape::river);
}

TEST_CASE("formation: the order of places is the best of all permutations, and kept where little is gained") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t n = 2 + random.below(3);
    const auto shape = Shape(random.below(3));
    std::vector<Vec2> at;
    for (std::size_t i = 0; i < n; ++i) at.push_back({random.uniform(-2, 2), random.uniform(-2, 2)});
    Places places;
    steering::lay_out(shape, n, places);
    steering::Order order{};
    steering::ordered(shape, at, places, false, order);
    std::vector<std::size_t> trial(n);
    std::iota(trial.begin(), trial.end(), 0);
    double best = 1e9;
    do {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += squared_length(at[i] - places[trial[i]]);
      best = std::min(best, sum);
    } while (std::ranges::next_permutation(trial).found);
    CHECK(steering::squared_distances(at, places, order) == doctest::Approx(best));
    // Kept: another order stays unless the best saves a fifth.
    steering::Order kept{};
    for (std::size_t i = 0; i < n; ++i) kept[i] = std::uint8_t(i);
    const double before = steering::squared_distances(at, places, kept);
    steering::ordered(shape, at, places, true, kept);
    const double after = steering::squared_distances(at, places, kept);
    CHECK(after == doctest::Approx(best <= 0.8 * before ? best : before));
  }
}

TEST_CASE("formation: of many, each takes one place, and who is ahead walks in front") {
  Random random(3);
  for (const std::size_t n : {5u, 8u, 64u})
    for (const Shape shape : {Shape::abreast, Shape::v, Shape::river}) {
      std::vector<Vec2> at;
      for (std::size_t i = 0; i < n; ++i) at.push_back({random.uniform(-9, 9), random.uniform(-2, 2)});
      Places places;
      steering::lay_out(shape, n, places);
      steering::Order order{};
      steering::ordered(shape, at, places, false, order);
      std::vector<bool> taken(n);
      for (std::size_t i = 0; i < n; ++i) {
        REQUIRE(order[i] < n);
        CHECK_FALSE(taken[order[i]]);
        taken[order[i]] = true;
      }
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
          if (at[i].x > at[k].x) CHECK(places[order[i]].x >= places[order[k]].x - 0.36);
    }
}

}  // namespace
}  // namespace throng::test
