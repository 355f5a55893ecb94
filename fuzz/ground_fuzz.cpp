// Regions that overlap, nest, touch and leave slivers, weights from 0.001 to 1e6, never, slopes: what lies under points, what lines cost, ways
// over the ground, or a refusal.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bytes.hpp"
#include "environment/clean/clean.hpp"
#include "navmesh/build.hpp"
#include "routes/ground_planner.hpp"
#include "routes/ground_route.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

void require(bool law, const char* what) {
  if (law) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

Vec2 point(fuzz::Bytes& bytes, std::uint32_t side) {
  const auto coordinate = [&] { return 20.0 * double(bytes.take<std::uint16_t>() % (side + 1)) / double(side); };
  const double x = coordinate();
  return {x, coordinate()};
}

Environment draw(fuzz::Bytes& bytes) {
  Environment world;
  world.layers.push_back({"ground", {}});
  // Few places make borders coincide, many leave slivers.
  constexpr std::uint32_t sides[] = {4, 10, 40, 20000};
  const std::uint32_t side = sides[bytes.take<std::uint8_t>() % 4];
  world.features.push_back({.kind = Kind::walkable, .polygons = {{{{0, 0}, {20, 0}, {20, 20}, {0, 20}}, {}}}});
  const int count = bytes.take<std::uint8_t>() % 9;
  for (int i = 0; i < count; ++i) {
    const std::uint8_t what = bytes.take<std::uint8_t>();
    Feature feature{.kind = what % 5 == 0 ? Kind::obstacle : Kind::region, .number = world.features.size()};
    Ring ring;
    if (what & 64) {
      const Vec2 a = point(bytes, side), b = point(bytes, side);
      ring = {a, {b.x, a.y}, b, {a.x, b.y}};
    } else {
      for (int k = 0; k < 3 + (what >> 3) % 3; ++k) ring.push_back(point(bytes, side));
    }
    feature.polygons = {{std::move(ring), {}}};
    if (feature.kind == Kind::region) {
      feature.type = std::string(1, char('a' + what % 4));
      if (what & 128) feature.slope = {double(what % 7) - 3, 1};
    }
    world.features.push_back(std::move(feature));
  }
  return world;
}

double weight_of(fuzz::Bytes& bytes) { return std::pow(10, double(bytes.take<std::uint8_t>() % 10) - 3); }

std::vector<double> row_of(fuzz::Bytes& bytes, const ground::GroundKinds& kinds) {
  std::vector<double> row(kinds.row_size(), 1.0);
  for (ground::Index k = 0; k < kinds.size(); ++k) {
    const std::uint8_t how = bytes.take<std::uint8_t>();
    const double across = weight_of(bytes);
    GroundWeight weight(across);
    if (how % 5 == 1 && k > 0) weight = GroundWeight::never();
    if (how % 5 == 2) weight = GroundWeight(across * 1.5, across, across);
    kinds.set(row, k, weight);
  }
  return row;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const Result<CleanEnvironment> cleaned = clean(draw(bytes));
  if (!cleaned || cleaned->layers[0].free.empty()) return 0;
  const auto world = std::make_shared<const CleanEnvironment>(*cleaned);
  const ground::RegionMap map(*world);
  const std::vector<double> row = row_of(bytes, map.kinds());
  double least = row[0];
  for (const double weight : row) least = std::min(least, weight);
  ground::RegionMap::Scratch scratch;
  ground::RegionMap::Vicinity around;
  for (int i = 0; i < 4; ++i) {
    const Vec2 from = point(bytes, 977), to = point(bytes, 983);
    const navmesh::Place a{from, 0}, b{to, 0};
    require(map.type_at(a, scratch) < map.kinds().size(), "a kind that is none");
    const double free = map.to_border(a, 5);
    require(free >= 0 && free <= 5, "a border nearer than nothing");
    if (distance(from, to) < free * 0.999)
      require(map.type_at(b, scratch) == map.type_at(a, scratch), "another kind before the border");
    const double cost = map.weighted_length(a, b, 0, row.data(), scratch);
    require(!(cost < least * distance(from, to) * (1 - 1e-9)), "a line below the least weight");
    require(map.weighted_length(a, b, 0.3, row.data(), scratch) >= cost * (1 - 1e-6) - 1e-9, "a body that feels less");
    map.look_around(a, {std::min(from.x, to.x), std::min(from.y, to.y)},
                    {std::max(from.x, to.x), std::max(from.y, to.y)}, row.data(), around);
    if (ground::RegionMap::is_even(around)) {
      around.here = map.type_at(a, scratch);
      const double told = map.weighted_length(around, b, 0, row.data(), scratch);
      require(!(told < least * distance(from, to) * (1 - 1e-9)), "even ground below the least weight");
    }
  }
  const auto mesh = navmesh::build_mesh(*world);
  if (!mesh) return 0;
  const auto graph = std::make_shared<routes::RouteGraph>(*mesh);
  routes::GroundPlanner planner(std::make_shared<routes::GroundAtlas>(world, graph));
  routes::GroundQuery query{.from = {point(bytes, 977), 0}, .to = {point(bytes, 983), 0}};
  query.radius = bytes.take<std::uint8_t>() % 3 * 0.25;
  query.row = routes::row_of(row, map.kinds());
  const routes::GroundAnswer answer = planner.plan(query);
  routes::Planner plain(graph);
  routes::Route shortest;
  const bool there_is_one = plain.plan({query.from, query.to, query.radius}, shortest) == routes::NoRoute::found;
  if (answer.verdict == routes::GroundVerdict::found) {
    require(there_is_one, "a way where there is none");
    require(routes::keeps_radius(**mesh, answer.route, query.radius), "a way through a wall");
    require(std::isfinite(answer.cost) && answer.cost >= 0, "a cost that is no number");
  } else if (answer.verdict == routes::GroundVerdict::not_connected || answer.verdict == routes::GroundVerdict::too_narrow) {
    require(!there_is_one, "no way where there is one");
  }
  return 0;
}
