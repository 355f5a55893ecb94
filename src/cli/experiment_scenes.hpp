// The scenes of the experiments on weighted ground (experiments/*.geojson, Jaklin 2016, 4.3): worlds, weights and questions.
//
// Jaklin draws them in figures only: shapes, starts and goals are lost. Measures are chosen so that optima can be computed, or, for Forest
// and abstractRegions, to fit the words (docs/ground.md).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "environment/clean/clean.hpp"
#include "routes/ground_planner.hpp"
#include "throng/result.hpp"

namespace throng::cli {

/// GeoJSON by name, as in experiments/.
[[nodiscard]] const std::map<std::string, std::string_view>& experiment_scene_texts();

struct GroundScene {
  std::string name;
  std::shared_ptr<const environment::CleanEnvironment> clean;
  std::shared_ptr<const routes::GroundAtlas> atlas;
  std::vector<double> weights;  ///< by type
  Vec2 size;
  Vec2 from, to;  ///< the question of table 4.1

  [[nodiscard]] routes::GroundQuery query(Vec2 a, Vec2 b, const routes::GroundNumbers& numbers) const;
};

/// "bars", "high_low", "puddle", "zigzag", "forest".
[[nodiscard]] const std::vector<std::string>& small_scenes();
[[nodiscard]] Result<GroundScene> load_scene(const std::string& name);
/// abstractRegions, so many tiles a side.
[[nodiscard]] Result<GroundScene> tiled_scene(unsigned tiles);
/// Of a world drawn in memory.
[[nodiscard]] Result<GroundScene> scene_of(const std::string& name, const environment::Environment& drawn,
                                           const std::map<std::string, double>& weights);

/// The scene with ways over it: SVG.
struct DrawnWay {
  std::vector<Vec2> points;
  int red = 0, green = 0, blue = 0;
  double width = 1.5, dash = 0;
};
[[nodiscard]] std::string draw_scene(const GroundScene& scene, const std::string& title,
                                     const std::vector<DrawnWay>& ways, const std::vector<Vec2>& dots = {});
[[nodiscard]] std::vector<Vec2> points_of(const routes::Route& route);

}  // namespace throng::cli
