// Worlds that tests of routes run on.
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/random_scenes.hpp"
#include "navmesh/build.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "routes/planner.hpp"
#include "support/data.hpp"
#include "support/random.hpp"
#include "support/random_places.hpp"

namespace throng::routes::test_worlds {

struct World {
  environment::CleanEnvironment clean;
  navmesh::MeshPtr mesh;
  std::shared_ptr<const RouteGraph> graph;
};

inline World make_world(const environment::Environment& source) {
  auto clean = environment::clean(source);
  REQUIRE(clean.ok());
  auto mesh = navmesh::build_mesh(*clean);
  REQUIRE(mesh.ok());
  auto graph = std::make_shared<const RouteGraph>(*mesh);
  return {std::move(clean).value(), *mesh, graph};
}

inline World read_world(const std::string& file) {
  const auto source = environment::read_environment(file);
  REQUIRE(source.ok());
  return make_world(*source);
}

/// The examples, and of the files in THRONG_DATA those named, where it is set.
inline std::vector<std::string> map_files(std::initializer_list<const char*> data) {
  std::vector<std::string> files;
  for (const char* name : {"hall", "office", "station", "spiral", "quarter", "park", "four_blocks"})
    files.push_back(std::string(THRONG_SOURCE_DIR) + "/examples/" + name + ".geojson");
  for (const char* name : data) {
    if (const auto path = test::data_file(name))
      files.push_back(path->string());
    else
      MESSAGE("skipped: THRONG_DATA is not set");
  }
  return files;
}

inline World example(const char* name) {
  return read_world(std::string(THRONG_SOURCE_DIR) + "/examples/" + name + ".geojson");
}

inline environment::Environment room(double width, double height) {
  environment::Environment e;
  e.layers.push_back({"ground", {}});
  e.features.push_back(
      {.kind = environment::Kind::walkable, .polygons = {{{{0, 0}, {width, 0}, {width, height}, {0, height}}, {}}}});
  return e;
}

inline void add_block(environment::Environment& e, double x0, double y0, double x1, double y1) {
  e.features.push_back({.kind = environment::Kind::obstacle,
                        .polygons = {{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}},
                        .number = e.features.size()});
}

/// Queries between random places, whatever their clearance.
inline std::vector<RouteQuery> random_queries(const navmesh::Mesh& mesh, std::uint64_t seed, std::size_t count) {
  test::Random random(seed);
  std::vector<RouteQuery> queries;
  while (queries.size() < count) {
    RouteQuery query;
    for (navmesh::Place* place : {&query.from, &query.to})
      if (const auto found = free_place(mesh, random, 0)) *place = *found;
    query.radius = random.chance(0.5) ? 0.25 : 0.5;
    query.clearance = random.chance(0.5) ? 0 : 0.8;
    query.method = RouteMethod(random.below(5));
    queries.push_back(query);
  }
  return queries;
}

/// Same bits of all that a route says.
inline bool same_route(const Route& a, const Route& b) {
  const auto same_piece = [](const Piece& p, const Piece& q) {
    return p.from == q.from && p.to == q.to && p.centre == q.centre && p.radius == q.radius && p.turn == q.turn &&
           p.length == q.length && p.layer == q.layer;
  };
  return std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(), same_piece) &&
         a.prefix == b.prefix && a.length == b.length && a.cost == b.cost && a.start == b.start && a.goal == b.goal;
}

inline bool same_answer(NoRoute reason, const RoutePtr& route, NoRoute expected, const Route& by_planner) {
  if (reason != expected || (route == nullptr) != (expected != NoRoute::found)) return false;
  return route == nullptr || same_route(*route, by_planner);
}

}  // namespace throng::routes::test_worlds
