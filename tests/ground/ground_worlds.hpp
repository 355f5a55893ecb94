// Worlds with weighted ground, and planners on them.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "navmesh/build.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "routes/ground_planner.hpp"
#include "routes/ground_route.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

namespace throng::test {

using routes::GroundAnswer;
using routes::GroundMethod;
using routes::GroundNumbers;
using routes::GroundPlanner;
using routes::GroundQuery;
using routes::GroundVerdict;
using Weights = std::map<std::string, double>;

struct GroundWorld {
  std::shared_ptr<const environment::CleanEnvironment> clean;
  navmesh::MeshPtr mesh;
  std::shared_ptr<const routes::GroundAtlas> atlas;

  [[nodiscard]] const std::vector<std::string>& types() const { return atlas->regions().types(); }
  [[nodiscard]] std::vector<double> row(const Weights& weights) const {
    std::vector<double> row;
    for (const std::string& type : types()) row.push_back(weights.contains(type) ? weights.at(type) : 1.0);
    return row;
  }
  [[nodiscard]] GroundQuery query(Vec2 from, Vec2 to, const Weights& weights, double radius = 0) const {
    GroundQuery query;
    query.from = {from, 0}, query.to = {to, 0};
    query.radius = radius;
    query.row.weight = row(weights);
    return query;
  }
};

inline GroundWorld make_ground_world(const environment::Environment& source) {
  auto clean = environment::clean(source);
  REQUIRE(clean.ok());
  GroundWorld world;
  world.clean = std::make_shared<environment::CleanEnvironment>(std::move(clean).value());
  auto mesh = navmesh::build_mesh(*world.clean);
  REQUIRE(mesh.ok());
  world.mesh = *mesh;
  world.atlas = std::make_shared<routes::GroundAtlas>(world.clean, std::make_shared<routes::RouteGraph>(world.mesh));
  return world;
}

inline GroundWorld read_ground_world(const std::string& name) {
  const auto source = environment::read_environment(std::string(THRONG_SOURCE_DIR "/") + name);
  REQUIRE(source.ok());
  return make_ground_world(*source);
}

/// A room with regions drawn on it, later ones over earlier ones; in millimetres' whole numbers.
class GroundSketch {
 public:
  explicit GroundSketch(double width, double height) {
    drawn_.layers.push_back({"ground", {}});
    add(environment::Kind::walkable, {{0, 0}, {width, 0}, {width, height}, {0, height}}, "");
  }
  void region(std::vector<Vec2> ring, const std::string& type) {
    add(environment::Kind::region, std::move(ring), type);
  }
  void box(double x0, double y0, double x1, double y1, const std::string& type) {
    region({{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, type);
  }
  void obstacle(std::vector<Vec2> ring) { add(environment::Kind::obstacle, std::move(ring), ""); }
  [[nodiscard]] const environment::Environment& drawn() const { return drawn_; }

 private:
  void add(environment::Kind kind, std::vector<Vec2> ring, const std::string& type) {
    drawn_.features.push_back(
        {.kind = kind, .polygons = {{std::move(ring), {}}}, .type = type, .number = drawn_.features.size()});
  }
  environment::Environment drawn_;
};

/// A scene of the experiments with its weights and one question.
struct WeightedScene {
  std::string file;
  Weights weights;
  Vec2 from, to;
  double best = 0;  ///< where a closed form exists
};

inline const Weights abstract_weights{{"grey", 4},  {"dark_green", 30}, {"light_green", 3},
                                      {"blue", 30}, {"yellow", 6},      {"brown", 2}};

/// Those whose best cost is known: parallel layers and crawls.
inline std::vector<WeightedScene> closed_forms() {
  return {{"bars", {{"mud", 5}}, {5, 15}, {95, 35}, 273.601816},
          {"high_low", {{"dear", 20}, {"middling", 3}}, {10, 10}, {90, 10}, 592.636772},
          {"puddle", {{"forest", 5}, {"road", 1}, {"grass", 3}, {"water", 20}}, {20, 30}, {80, 25}, 231.464282},
          {"zigzag", {{"water", 20}, {"grass", 3}, {"sand", 6}, {"road", 1}}, {5, 24}, {95, 24}, 326.643191}};
}

inline GroundWorld scene_world(const WeightedScene& scene) {
  return read_ground_world("experiments/" + scene.file + ".geojson");
}

/// A random room: overlapping regions of a few types, sometimes slivers between them, sometimes obstacles.
inline GroundSketch random_ground(Random& random, bool obstacles) {
  GroundSketch sketch(40, 30);
  const auto mm = [](double x) { return std::round(x * 1000) / 1000; };
  const int regions = int(random.whole(1, 7));
  for (int i = 0; i < regions; ++i) {
    const std::string type = "t" + std::to_string(random.below(4));
    const double x = mm(random.uniform(0, 34)), y = mm(random.uniform(0, 24));
    if (random.chance(0.5)) {
      const double w = mm(random.uniform(0.5, 18)), h = mm(random.uniform(0.5, 18));
      sketch.box(x, y, std::min(40.0, x + w), std::min(30.0, y + h), type);
      if (random.chance(0.3) && x + w < 35)  // a sliver beside it
        sketch.box(x + w + 0.002, y, std::min(40.0, x + w + 4), std::min(30.0, y + h), type + "b");
    } else {
      const int corners = int(random.whole(3, 6));
      std::vector<Vec2> ring;
      for (int k = 0; k < corners; ++k) {
        const double angle = 6.283 * (k + random.uniform(0.1, 0.9)) / corners, far = random.uniform(2, 9);
        ring.push_back({mm(std::clamp(x + far * std::cos(angle), 0.0, 40.0)),
                        mm(std::clamp(y + far * std::sin(angle), 0.0, 30.0))});
      }
      sketch.region(ring, type);
    }
  }
  if (obstacles)
    for (int i = int(random.whole(1, 5)); i > 0; --i) {
      const double x = mm(random.uniform(2, 34)), y = mm(random.uniform(2, 24));
      const double w = mm(random.uniform(0.5, 4)), h = mm(random.uniform(0.5, 4));
      sketch.obstacle({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}});
    }
  return sketch;
}

/// A weight for every type, from 1e-3 to 1e6 by their orders of magnitude, or of one to forty.
inline std::vector<double> random_row(Random& random, std::size_t types, bool wild) {
  std::vector<double> row;
  for (std::size_t i = 0; i < types; ++i) {
    const double exponent = wild ? random.uniform(-3, 6) : random.uniform(0, 1.6);
    row.push_back(std::clamp(std::pow(10.0, exponent), 1e-3, 1e6));
  }
  return row;
}

}  // namespace throng::test
