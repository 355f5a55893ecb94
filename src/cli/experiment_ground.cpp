// What the experiments on weighted ground share: scenes, weights, drawings.
#include <fmt/format.h>

#include <algorithm>

#include "cli/experiment_scenes.hpp"
#include "environment/formats/picture.hpp"
#include "environment/geojson/geojson_reader.hpp"
#include "navmesh/build.hpp"

namespace throng::cli {

namespace {

struct Question {
  Vec2 from, to;
  std::map<std::string, double> weights;
};

const std::map<std::string, double> abstract_weights{{"grey", 4},  {"dark_green", 30}, {"light_green", 3},
                                                     {"blue", 30}, {"yellow", 6},      {"brown", 2}};

const std::map<std::string, Question>& questions() {
  static const std::map<std::string, Question> all{
      {"bars", {{5, 15}, {95, 35}, {{"mud", 5}}}},
      {"high_low", {{10, 10}, {90, 10}, {{"dear", 20}, {"middling", 3}}}},
      {"puddle", {{20, 30}, {80, 25}, {{"forest", 5}, {"road", 1}, {"grass", 3}, {"water", 20}}}},
      {"zigzag", {{5, 24}, {95, 24}, {{"water", 20}, {"grass", 3}, {"sand", 6}, {"road", 1}}}},
      {"forest", {{10, 60}, {400, 235}, {{"forest", 99}, {"path", 3}, {"puddle", 20}, {"view", 1}, {"log", 2}}}},
      {"abstract_regions", {{10, 10}, {40, 40}, abstract_weights}}};
  return all;
}

}  // namespace

const std::vector<std::string>& small_scenes() {
  static const std::vector<std::string> names{"puddle", "bars", "high_low", "zigzag", "forest"};
  return names;
}

routes::GroundQuery GroundScene::query(Vec2 a, Vec2 b, const routes::GroundNumbers& numbers) const {
  routes::GroundQuery query;
  query.from = {a, 0}, query.to = {b, 0};
  query.radius = 0;
  query.row.weight = weights;
  query.numbers = numbers;
  return query;
}

Result<GroundScene> scene_of(const std::string& name, const environment::Environment& drawn,
                             const std::map<std::string, double>& weights) {
  Result<environment::CleanEnvironment> clean = environment::clean(drawn);
  if (!clean) return clean.problems();
  GroundScene scene;
  scene.name = name;
  scene.clean = std::make_shared<environment::CleanEnvironment>(std::move(clean).value());
  Result<navmesh::MeshPtr> mesh = navmesh::build_mesh(*scene.clean);
  if (!mesh) return mesh.problems();
  scene.atlas = std::make_shared<routes::GroundAtlas>(scene.clean, std::make_shared<routes::RouteGraph>(*mesh));
  for (const std::string& type : scene.atlas->regions().types())
    scene.weights.push_back(weights.contains(type) ? weights.at(type) : 1.0);
  for (const auto& p : scene.clean->layers[0].free[0].outer) {
    const Vec2 at = scene.clean->grid.to_world(p);
    scene.size = {std::max(scene.size.x, at.x), std::max(scene.size.y, at.y)};
  }
  return scene;
}

Result<GroundScene> load_scene(const std::string& name) {
  Result<environment::Environment> read =
      environment::read_geojson(std::string(experiment_scene_texts().at(name)), name + ".geojson");
  if (!read) return read.problems();
  const Question& question = questions().at(name);
  Result<GroundScene> scene = scene_of(name, *read, question.weights);
  if (scene.ok()) scene->from = question.from, scene->to = question.to;
  return scene;
}

Result<GroundScene> tiled_scene(unsigned tiles) {
  Result<environment::Environment> tile = environment::read_geojson(
      std::string(experiment_scene_texts().at("abstract_regions")), "abstract_regions.geojson");
  if (!tile) return tile.problems();
  constexpr double side = 50;
  environment::Environment all = *tile;
  all.features.clear();
  for (const environment::Feature& feature :
       tile->features) {  // the ground is one piece, what lies on it a piece a tile
    const bool ground = feature.kind == environment::Kind::walkable || feature.type == "grey";
    for (unsigned row = 0; row < (ground ? 1 : tiles); ++row)
      for (unsigned column = 0; column < (ground ? 1 : tiles); ++column) {
        environment::Feature copy = feature;
        for (auto& polygon : copy.polygons)
          for (Vec2& p : polygon.outer) p = ground ? p * double(tiles) : p + Vec2{side * column, side * row};
        copy.number = all.features.size();
        all.features.push_back(std::move(copy));
      }
  }
  return scene_of(fmt::format("abstract_regions_{}x{}", tiles, tiles), all, abstract_weights);
}

std::vector<Vec2> points_of(const routes::Route& route) {
  std::vector<Vec2> points;
  for (const routes::Piece& piece : route.pieces) {
    if (points.empty()) points.push_back(piece.from);
    points.push_back(piece.to);
  }
  return points;
}

std::string draw_scene(const GroundScene& scene, const std::string& title, const std::vector<DrawnWay>& ways,
                       const std::vector<Vec2>& dots) {
  const environment::Layout layout = environment::lay_out(*scene.clean);
  std::map<std::string, std::string> notes;
  for (std::size_t i = 0; i < scene.weights.size(); ++i)
    notes[scene.atlas->regions().types()[i]] = fmt::format("x {:g}", scene.weights[i]);
  const auto canvas = environment::make_svg_canvas(layout.width, layout.height, title);
  environment::draw_environment(*canvas, *scene.clean, layout, title, notes);
  canvas->set_view(layout.panels.front().view);
  canvas->begin_group("ways");
  for (const DrawnWay& way : ways)
    canvas->polyline(way.points,
                     environment::Style::line({std::uint8_t(way.red), std::uint8_t(way.green), std::uint8_t(way.blue)},
                                              way.width, way.dash));
  for (const Vec2 dot : dots) canvas->dot(dot, 1.7, environment::Style::area({150, 40, 40}));
  canvas->end_group();
  return canvas->finish();
}

}  // namespace throng::cli
