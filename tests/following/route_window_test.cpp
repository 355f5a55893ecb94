// Packed routes and windows on them: the pieces of the route itself, to the bit, in much less memory.
#include "following/route_window.hpp"

#include <bit>

#include "environment/generate/random_scenes.hpp"
#include "following/walker.hpp"

using namespace throng;
using namespace throng::following;
using namespace throng::test;
using routes::PackedRoute;
using routes::Piece;
using routes::Route;
using routes::RoutePoint;

namespace {

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same(Vec2 a, Vec2 b) { return same(a.x, b.x) && same(a.y, b.y); }
bool same(const Piece& a, const Piece& b) {
  return same(a.from, b.from) && same(a.to, b.to) && same(a.centre, b.centre) && same(a.radius, b.radius) &&
         same(a.turn, b.turn) && same(a.length, b.length) && a.layer == b.layer;
}
bool same(const RoutePoint& a, const RoutePoint& b) {
  return same(a.point, b.point) && a.layer == b.layer && same(a.along, b.along);
}

/// What differs between a route and what comes out of the packed one; nothing where nothing does.
std::string difference(const Route& route, const PackedRoute& packed) {
  Route all;
  for (Index leg = 0; leg < packed.legs(); ++leg) packed.unpack(leg, all);
  if (!same(packed.length(), route.length)) return "length";
  if (!(packed.start() == route.start)) return "start";
  if (all.pieces.size() != route.pieces.size()) return "number of pieces";
  for (std::size_t i = 0; i < all.pieces.size(); ++i)
    if (!same(all.pieces[i], route.pieces[i]) || !same(all.prefix[i], route.prefix[i])) return "piece";
  return {};
}

/// The same for a window on a part of it.
std::string difference(const Route& route, RouteWindow& window, double from, double to, Vec2 near) {
  window.reach(to);
  const Route& seen = window.pieces();
  if (seen.pieces.size() > route.pieces.size()) return "more pieces than there are";
  for (const double part : {0.0, 0.3, 0.7, 1.0})
    if (!same(seen.at(from + (to - from) * part), route.at(from + (to - from) * part))) return "at";
  if (!same(seen.closest(near, from, to), route.closest(near, from, to))) return "closest";
  return {};
}

struct Tally {
  int routes = 0, layered = 0;
  std::size_t packed_bytes = 0, pieces = 0;
};

void check_routes(const Ground& ground, std::uint64_t seed, int count, Tally& tally) {
  CAPTURE(seed);
  Random random(seed);
  routes::Planner planner(ground.graph);
  Route route;
  RouteWindow window;
  for (int i = 0; i < count; ++i) {
    const auto from = free_place(*ground.mesh, random, 0.2), to = free_place(*ground.mesh, random, 0.2);
    if (!from || !to) return;
    const auto method =
        random.chance(0.6) ? routes::RouteMethod::shortest_in_corridor : routes::RouteMethod(1 + random.below(3));
    const double clearance = random.chance(0.5) ? 0 : 0.6;
    if (planner.plan({*from, *to, 0.2, clearance, method}, route) != routes::NoRoute::found) continue;
    const PackedRoute packed(route);
    ++tally.routes;
    tally.layered += route.start.layer != route.goal.layer ? 1 : 0;
    const bool usual = method == routes::RouteMethod::shortest_in_corridor && ground.mesh->layers.size() == 1;
    if (usual && route.pieces.size() >= 8) {
      tally.packed_bytes += packed.bytes();
      tally.pieces += route.pieces.size();
    }
    CAPTURE(i);
    REQUIRE(difference(route, packed) == "");
    for (int k = 0; k < 5; ++k) {
      const double a = random.uniform(0, route.length), b = random.uniform(0, 6);
      window.open(packed, a);
      REQUIRE(difference(route, window, a, std::min(a + b, route.length),
                         {from->point.x + random.uniform(-9, 9), from->point.y + random.uniform(-9, 9)}) == "");
    }
  }
}

}  // namespace

TEST_CASE("packed routes hold the route's own pieces, in random scenes and over layers") {
  Tally tally;
  for (const environment::SceneKind kind : environment::all_scene_kinds)
    check_routes(make_ground(environment::random_scene(test_seed(), kind)), test_seed(), 40, tally);
  const Tally plain = tally;
  check_routes(load_ground(std::string(THRONG_SOURCE_DIR) + "/examples/station.geojson"), test_seed(), 60, tally);
  CHECK(plain.routes > 200);
  CHECK(tally.layered > 10);
  // A piece and its prefix are 88 bytes, a joint for two of them 25 or 33.
  REQUIRE(plain.pieces > 0);
  CHECK(plain.packed_bytes < 30 * plain.pieces);
}

TEST_CASE("long: packed routes hold the route's own pieces, in many random scenes") {
  Tally tally;
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 20; ++seed)
    for (const environment::SceneKind kind : environment::all_scene_kinds)
      check_routes(make_ground(environment::random_scene(seed, kind)), seed, 60, tally);
  CHECK(tally.routes > 2000);
}

TEST_CASE("what joints cannot tell is stored outright") {
  Route route = drawn_route({{0, 0}, {3, 0}, {3, 4}, {8, 4}}, 0.2);
  const PackedRoute plain(route);
  CHECK(difference(route, plain) == "");
  CHECK(plain.bytes() == 32 + 8 + 4 * 24);
  // A line that was cut is not as long as the distance between its ends, to the bit; one may lie in another layer.
  route.pieces[1].length = std::nextafter(4.0, 5.0);
  route.prefix[2] = 3 + route.pieces[1].length;
  route.length = route.prefix[2] + 5;
  route.pieces[1].layer = route.pieces[2].layer = 1;
  const PackedRoute cut(route);
  CHECK(difference(route, cut) == "");
  CHECK(cut.bytes() == 32 + 8 + 4 * 24 + 8 + 80);
  CHECK(difference(route, plain) != "");
}

TEST_CASE("routes that begin or end with an arc, or are a single point, can be packed") {
  Route arcs;
  arcs.start = {{1, 0}, 0};
  routes::RouteBuilder builder(arcs);
  builder.arc({1, 0}, {0, 1}, {0, 0}, 1, true, 0);
  builder.line({0, 1}, {-2, 1}, 0);
  builder.arc({-2, 1}, {-3, 2}, {-2, 2}, 1, false, 0);
  CHECK(arcs.pieces.size() == 3);
  CHECK(difference(arcs, PackedRoute(arcs)) == "");

  Route point;
  point.start = point.goal = {{4, 5}, 2};
  const PackedRoute packed(point);
  CHECK(bool(packed));
  CHECK(packed.legs() == 0);
  CHECK(packed.length() == 0);
  RouteWindow window;
  window.open(packed, 0);
  window.reach(3);
  CHECK(window.pieces().at(0).point == Vec2{4, 5});
  CHECK(window.pieces().at(0).layer == 2);
  CHECK_FALSE(bool(PackedRoute()));
  CHECK(PackedRoute().bytes() == 0);
}
