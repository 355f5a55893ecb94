// Worlds to walk in, and people who walk alone: state as columns, a follower, and p += v dt.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "following/follower.hpp"
#include "navmesh/build.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility.hpp"
#include "routes/planner.hpp"
#include "support/data.hpp"
#include "support/random.hpp"
#include "support/random_places.hpp"

namespace throng::test {

using agents::Slot;
using following::FollowMemory;
using navmesh::Index;
using navmesh::Place;

inline environment::Ring box(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

inline environment::Environment room(double width, double height) {
  environment::Environment e;
  e.layers.push_back({"ground", {}});
  e.features.push_back({.kind = environment::Kind::walkable, .polygons = {{box(0, 0, width, height), {}}}});
  return e;
}

inline void add_obstacle(environment::Environment& e, environment::Ring ring) {
  e.features.push_back(
      {.kind = environment::Kind::obstacle, .polygons = {{std::move(ring), {}}}, .number = e.features.size()});
}

inline void add_region(environment::Environment& e, environment::Ring ring, std::string type) {
  e.features.push_back({.kind = environment::Kind::region,
                        .polygons = {{std::move(ring), {}}},
                        .type = std::move(type),
                        .number = e.features.size()});
}

struct Ground {
  environment::CleanEnvironment clean;
  navmesh::MeshPtr mesh;
  std::shared_ptr<const routes::RouteGraph> graph;
  std::shared_ptr<const following::RegionMap> regions;
};

inline Ground make_ground(const environment::Environment& source) {
  auto clean = environment::clean(source);
  REQUIRE_MESSAGE(clean.ok(), (clean.ok() ? "" : to_string(clean.problems()[0])));
  auto mesh = navmesh::build_mesh(*clean);
  REQUIRE_MESSAGE(mesh.ok(), (mesh.ok() ? "" : to_string(mesh.problems()[0])));
  auto graph = std::make_shared<const routes::RouteGraph>(*mesh);
  auto regions = std::make_shared<const following::RegionMap>(*clean);
  return {std::move(clean).value(), *mesh, graph, regions};
}

inline Ground load_ground(const std::filesystem::path& file) {
  auto source = environment::read_environment(file);
  REQUIRE_MESSAGE(source.ok(), file.string());
  return make_ground(*source);
}

/// A route of lines through points of one layer.
inline routes::Route drawn_route(const std::vector<Vec2>& points, double radius) {
  routes::Route route;
  route.start = {points.front(), 0};
  route.goal = {points.back(), 0};
  route.radius = radius;
  routes::RouteBuilder builder(route);
  for (std::size_t i = 1; i < points.size(); ++i) builder.line(points[i - 1], points[i], 0);
  return route;
}

/// One person on a route of its own.
class Walker {
 public:
  Walker(const Ground& ground, const routes::Route& route, double radius, std::vector<double> parameters,
         std::vector<double> weights = {}, std::string_view method = "miran")
      : method_(*following::find_follower(method)),
        ground_(ground),
        route_(&route),
        packed_(routes::share(route)),
        parameters_(std::move(parameters)),
        radius_(radius) {
    if (parameters_.empty()) parameters_ = agents::default_block(method_.info());
    const ground::GroundKinds& kinds = ground.regions->kinds();
    if (weights.empty()) weights.assign(kinds.size(), 1.0);
    // On worlds that slope a row has as many numbers again for up, and again for down.
    std::vector<double> row;
    for (std::size_t i = 0; i < kinds.row_size(); ++i) row.push_back(weights[i % kinds.size()]);
    table_ = {kinds.row_size(), std::move(row)};
    put(route.start);
  }

  /// Stands elsewhere from now on.
  void put(const Place& place) {
    const auto moved = float(std::sqrt(squared_length(place.point - position_)));
    if (hints.room > 0) hints.room -= moved * 1.00001F + 1e-5F;  // as whoever moves people does
    position_ = place.point;
    layer_ = place.layer;
    const navmesh::Located at = navmesh::locate_from(*ground_.mesh, cell_, place);
    walkable_ = bool(at);
    cell_ = at.cell;
    clearance_ = at.clearance;
  }

  /// Asks the follower.
  void ask() {
    following::FollowView view;
    view.people.mesh = ground_.mesh.get();
    view.people.time_step = time_step;
    view.people.present = {&present_, 1};
    view.people.serial = {&serial_, 1};
    view.people.position = {&position_, 1};
    view.people.velocity = {&velocity_, 1};
    view.people.walking = {&velocity_, 1};
    view.people.heading = {&heading_, 1};
    view.people.layer = {&layer_, 1};
    view.people.cell = {&cell_, 1};
    view.people.clearance = {&clearance_, 1};
    view.people.radius = {&radius_, 1};
    view.people.speed = {&speed, 1};
    view.route = {&packed_, 1};
    view.parameters = {parameters_.data(), {&first_, 1}};
    view.regions = ground_.regions.get();
    view.weights = {&first_, 1};
    view.weight_table = &table_;
    view.field = {&field, 1};
    view.own_place = {&own_place, 1};
    const Slot who = 0;
    following::FollowOutput out{{&memory, 1}, {&velocity_, 1}, {&attraction_, 1}, {&needs_route_, 1}};
    if (remembers) out.hints = {&hints, 1};
    method_.run(view, {&who, 1}, out);
  }

  /// p += v dt; across connections too.
  void move() {
    const Vec2 to = position_ + velocity_ * time_step;
    const navmesh::Hit hit = navmesh::first_hit(*ground_.mesh, place(), to, cell_);
    walked += std::sqrt(squared_length(to - position_));
    put({to, hit.cell == navmesh::none ? layer_ : hit.layer});
  }

  [[nodiscard]] Place place() const { return {position_, layer_}; }
  [[nodiscard]] Vec2 position() const { return position_; }
  [[nodiscard]] Vec2 velocity() const { return velocity_; }
  [[nodiscard]] Vec2 attraction() const { return attraction_; }
  [[nodiscard]] bool needs_route() const { return needs_route_ != 0; }
  [[nodiscard]] bool walkable() const { return walkable_; }
  [[nodiscard]] double clearance() const { return clearance_; }
  [[nodiscard]] const routes::Route& route() const { return *route_; }
  [[nodiscard]] bool arrived() const {
    return layer_ == route_->goal.layer && squared_length(position_ - route_->goal.point) < 1e-16;
  }

  double time_step = 0.1;
  double speed = 1.34;
  double walked = 0;
  FollowMemory memory;
  bool remembers = false;  ///< hints, from step to step
  following::FollowHints hints;
  std::shared_ptr<const routes::FlowField> field;  ///< for followers that walk along one
  Place own_place{{}, navmesh::none};

 private:
  const following::Follower& method_;
  const Ground& ground_;
  const routes::Route* route_;
  routes::PlannedRoutePtr packed_;
  std::vector<double> parameters_;
  following::WeightTable table_;
  double radius_;
  Vec2 position_, velocity_{}, attraction_{}, heading_{1, 0};
  Index layer_ = 0, cell_ = navmesh::none, first_ = 0;
  double clearance_ = 0;
  bool walkable_ = false;
  std::uint8_t present_ = 1, needs_route_ = 0;
  std::uint64_t serial_ = 1;
};

}  // namespace throng::test
