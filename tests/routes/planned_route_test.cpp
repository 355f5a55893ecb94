// Shared routes: details, parts, and parts put together again.
#include "routes/planned_route.hpp"

#include <doctest/doctest.h>

#include "routes/check_route.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

template <class Visit>
void for_each_route(Visit&& visit) {
  for (const char* name : {"office", "spiral", "quarter", "four_blocks"}) {
    const World world = example(name);
    Planner planner(world.graph);
    test::Random random(3);
    Route route;
    for (int i = 0; i < 25; ++i) {
      const auto from = free_place(*world.mesh, random, 0.25), to = free_place(*world.mesh, random, 0.25);
      if (!from || !to) continue;
      INFO(name << " from " << from->point.x << "," << from->point.y << "," << from->layer << " to " << to->point.x
                << "," << to->point.y << "," << to->layer);
      if (planner.plan({.from = *from, .to = *to, .radius = 0.25, .clearance = 0.5}, route) == NoRoute::found)
        visit(world, route, random);
    }
  }
}

}  // namespace

TEST_CASE("planned routes keep what was asked for") {
  for_each_route([](const World& world, const Route& route, test::Random&) {
    const PlannedRoutePtr plain = share(route), told = share(route, *world.graph);
    REQUIRE((plain && told));
    CHECK(!plain->details);
    REQUIRE(told->details);
    CHECK(told->details->topology == topology_of(*world.graph, route));
    CHECK(told->details->cost == route.cost);
    CHECK(told->details->radius == 0.25);
    CHECK(told->details->generation == world.mesh->generation);
    CHECK(plain->bytes() < told->bytes());
    const Route back = unpacked(*told);
    CHECK(same_route(back, route));
    CHECK(back.radius == route.radius);
  });
}

TEST_CASE("planned routes cut and joined again are the whole") {
  for_each_route([](const World& world, const Route& route, test::Random& random) {
    const PlannedRoutePtr whole = share(route, *world.graph);
    const double at = random.uniform(0, route.length);
    const PlannedRoutePtr head = cut(*whole, 0, at, *world.graph), tail = cut(*whole, at, route.length, *world.graph);
    REQUIRE((head && tail && head->details && tail->details));
    CHECK(head->way.length() == doctest::Approx(at));
    CHECK(head->details->cost + tail->details->cost == doctest::Approx(route.cost));
    const PlannedRoutePtr again = join(*head, *tail);
    REQUIRE((again && again->details));
    CHECK(again->details->topology == whole->details->topology);
    CHECK(again->way.length() == doctest::Approx(route.length).epsilon(1e-12));
    check_route(*world.mesh, unpacked(*again), 0.25);
    // The wrong way round they do not meet.
    if (distance(route.start.point, route.goal.point) > 0.1) CHECK(join(*tail, *head) == nullptr);
    // A route without details has parts without.
    const PlannedRoutePtr plain = share(route);
    CHECK(!cut(*plain, 0, at, *world.graph)->details);
    CHECK(!join(*cut(*plain, 0, at, *world.graph), *tail)->details);
  });
}

TEST_CASE("planned routes saved and loaded are the same; other bytes are refused") {
  for_each_route([](const World& world, const Route& route, test::Random& random) {
    const PlannedRoutePtr told = share(route, *world.graph);
    geometry::ArchiveWriter out;
    save(*told, out);
    geometry::ArchiveReader in(out.bytes());
    const PlannedRoutePtr loaded = load_planned_route(in, *world.graph);
    REQUIRE((loaded && loaded->details));
    CHECK(in.at_end());
    CHECK(same_route(unpacked(*loaded), route));
    CHECK(loaded->details->topology == told->details->topology);
    std::string broken = out.bytes();
    broken.resize(random.below(broken.size()));
    geometry::ArchiveReader short_of(broken);
    CHECK(load_planned_route(short_of, *world.graph) == nullptr);
  });
}
