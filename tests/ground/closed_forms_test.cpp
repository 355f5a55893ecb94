// Cheapest ways whose cost is known in closed form, and Snell's law where they bend. At radius 0.
#include <algorithm>

#include "ground/ground_worlds.hpp"

using namespace throng;
using namespace throng::test;

namespace {

GroundAnswer planned(const GroundWorld& world, const WeightedScene& scene, GroundMethod method, double eps = 0.1) {
  GroundQuery query = world.query(scene.from, scene.to, scene.weights);
  query.numbers.method = method;
  query.numbers.eps = eps;
  GroundPlanner planner(world.atlas);
  GroundAnswer answer = planner.plan(query);
  CHECK(answer.verdict == GroundVerdict::found);
  return answer;
}

/// By how much w1 sin a1 and w2 sin a2 differ at most at bends inside edges, relative to the larger weight; at either end of a crawl the crawl's
/// own weight stands for its side.
double worst_refraction(const GroundPlanner& planner, const std::vector<routes::GroundPath::Leg>& legs) {
  const ground::Surface& surface = planner.surface();
  double worst = 0;
  for (std::size_t i = 1; i < legs.size(); ++i) {
    if (legs[i].vertex != routes::none) continue;
    // Directions of legs of micrometres are rounding.
    if (distance(legs[i].from, legs[i].to) < 1e-6 || distance(legs[i - 1].from, legs[i - 1].to) < 1e-6) continue;
    const Vec2 bend = legs[i].from;
    // The edge that both legs meet in.
    routes::Index edge = routes::none;
    for (const auto& via : {legs[i - 1].via, legs[i].via})
      if (via.along) edge = via.index;
    if (edge == routes::none)
      for (const routes::Index e : surface.triangles()[legs[i].via.index].edge) {
        const auto& sides = surface.edges()[e].triangle;
        if (sides[0] == legs[i - 1].via.index || sides[1] == legs[i - 1].via.index) edge = e;
      }
    REQUIRE(edge != routes::none);
    const Vec2 along = surface.point(surface.edges()[edge].b) - surface.point(surface.edges()[edge].a);
    const auto side = [&](const routes::GroundPath::Leg& leg) {
      return routes::weight_of(planner.costs(), leg.via) * dot(leg.to - leg.from, along) /
             (distance(leg.from, leg.to) * length(along));
    };
    const double most =
        std::max(routes::weight_of(planner.costs(), legs[i - 1].via), routes::weight_of(planner.costs(), legs[i].via));
    CAPTURE(bend.x);
    worst = std::max(worst, std::abs(side(legs[i - 1]) - side(legs[i])) / most);
  }
  return worst;
}

}  // namespace

TEST_CASE("ground: weighted and spm meet the closed forms to 1e-6") {
  for (const WeightedScene& scene : closed_forms()) {
    const GroundWorld world = scene_world(scene);
    for (const GroundMethod method : {GroundMethod::weighted, GroundMethod::spm}) {
      INFO(scene.file << " " << routes::ground_method_names[std::size_t(method)]);
      const GroundAnswer answer = planned(world, scene, method);
      CHECK(std::abs(answer.cost - scene.best) <= 1e-6);
      CHECK(answer.searched_cost >= scene.best - 1e-6);
      CHECK(answer.searched_cost <= scene.best * (method == GroundMethod::spm ? 1.1 : 1.5));
    }
  }
}

TEST_CASE("ground: Snell's law holds at every bend, the critical angle at every crawl") {
  for (const WeightedScene& scene : closed_forms()) {
    INFO(scene.file);
    const GroundWorld world = scene_world(scene);
    GroundPlanner planner(world.atlas);
    const GroundAnswer answer = planner.plan(world.query(scene.from, scene.to, scene.weights));
    REQUIRE(answer.verdict == GroundVerdict::found);
    CHECK(answer.legs.size() > 2);
    CHECK(worst_refraction(planner, answer.legs) <= 1e-6);
  }
}

TEST_CASE("ground: parallel layers of random weights cost what the equation of their angle says") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  for (int trial = 0; trial < 30; ++trial) {
    GroundSketch sketch(60, 40);
    std::vector<double> thickness, weight;
    Weights weights;
    double x = 0;
    for (int i = 0; x < 60; ++i) {
      const double next = i == 5 ? 60 : std::min(60.0, x + std::round(random.uniform(3, 14) * 1000) / 1000);
      const std::string type = "w" + std::to_string(i);
      sketch.box(x, 0, next, 40, type);
      weights[type] = std::round(random.uniform(1, 9) * 100) / 100;
      thickness.push_back(next - x), weight.push_back(weights[type]);
      x = next;
    }
    thickness.front() -= 1, thickness.back() -= 1;
    if (thickness.back() <= 0) continue;
    const double shift = random.uniform(2, 8);
    // sum l c / sqrt(w^2 - c^2) = shift, by bisection.
    double low = 0, high = *std::min_element(weight.begin(), weight.end());
    for (int k = 0; k < 200; ++k) {
      const double c = (low + high) / 2;
      double sum = 0;
      for (std::size_t i = 0; i < weight.size(); ++i)
        sum += thickness[i] * c / std::sqrt(weight[i] * weight[i] - c * c);
      (sum < shift ? low : high) = c;
    }
    double best = 0;
    for (std::size_t i = 0; i < weight.size(); ++i)
      best += thickness[i] * weight[i] * weight[i] / std::sqrt(weight[i] * weight[i] - low * low);
    const GroundWorld world = make_ground_world(sketch.drawn());
    GroundPlanner planner(world.atlas);
    const GroundAnswer answer = planner.plan(world.query({1, 15}, {59, 15 + shift}, weights));
    INFO("trial " << trial);
    REQUIRE(answer.verdict == GroundVerdict::found);
    CHECK(answer.cost == doctest::Approx(best).epsilon(1e-8));
  }
}

TEST_CASE("ground: the four scenes' bounds are proven, and lie around the closed forms") {
  for (const WeightedScene& scene : closed_forms()) {
    INFO(scene.file);
    const GroundWorld world = scene_world(scene);
    GroundQuery query = world.query(scene.from, scene.to, scene.weights);
    query.numbers.prove = true;
    query.numbers.eps = 0.3;
    GroundPlanner planner(world.atlas);
    const GroundAnswer answer = planner.plan(query);
    REQUIRE(answer.bound);
    // Zigzag has ten crawls, and a bound of intervals loses at each end of one: the budget ends before 1.3, and 3.6 is said.
    CHECK(*answer.bound <= (scene.file == "zigzag" ? 4 : 1.3 * (1 + 1e-9)));
    CHECK(answer.cost / *answer.bound <= scene.best);
    MESSAGE(scene.file << ": proven to " << *answer.bound);
  }
}
