// `throng experiment following`: Jaklin's comparison of paths (2016, 6.4.2). One person alone, the same indicative route, every follower that
// walks along routes; drawn over each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/experiment.hpp"
#include "cli/experiment_scenes.hpp"
#include "cli/load_mesh.hpp"
#include "crowd/crowd.hpp"
#include "environment/formats/picture.hpp"
#include "environment/geojson/geojson_reader.hpp"
#include "geometry/elementary.hpp"
#include "routes/planner.hpp"

namespace throng::cli {
namespace {

using Line = std::vector<Vec2>;

constexpr double radius = 0.24;
constexpr double speed = 1.34;
constexpr double time_step = 0.1;

struct Follower {
  std::string_view name;
  environment::Colour colour;
  double width = 1;  ///< of the line, in points; those drawn first are widest
};
constexpr Follower followers[] = {
    {"lookahead", {170, 130, 200}, 3.0}, {"irm", {20, 80, 200}, 1.4}, {"miran", {200, 30, 30}, 1.2}};

/// A scene of Jaklin's with its weights, and indicative routes in it.
struct Scene {
  std::string name, about;
  environment::Environment environment;
  std::map<std::string, double> weights;
  std::vector<Line> routes;
};

environment::Environment drawn(const std::string& name) {
  return environment::read_geojson(std::string(experiment_scene_texts().at(name)), name + ".geojson").value();
}

const std::map<std::string, double> suburb_weights{
    {"sidewalk", 1}, {"road", 4}, {"grass", 30}, {"water", 40}, {"path", 1}};
const std::map<std::string, double> abstract_weights{{"grey", 4},  {"dark_green", 30}, {"light_green", 3},
                                                     {"blue", 30}, {"yellow", 6},      {"brown", 2}};

std::vector<Scene> scenes() {
  const std::vector<Line> suburb_drawn{
      {{4, 43}, {46, 43}, {46, 57}, {58, 57.5}, {59, 70}, {60.5, 78}, {66, 87}, {74, 90}},
      {{20, 65}, {20, 57.5}, {44, 57}, {58, 43}, {78, 43}, {78, 33}},
      {{96, 57}, {64, 57.5}, {74, 62.5}, {83, 66}, {87.5, 76}, {84, 86}, {77, 89.5}}};
  const std::vector<Line> suburb_grid{{{4, 43}, {44, 43}, {58, 57}, {58, 74}, {61, 77}, {61, 81}, {69, 89}, {74, 89}},
                                      {{20, 65}, {20, 57}, {46, 57}, {60, 43}, {78, 43}, {78, 33}},
                                      {{96, 57}, {62, 57}, {67, 62}, {80, 62}, {88, 70}, {88, 79}, {78, 89}}};
  const std::vector<Line> abstract_drawn{{{3, 3}, {26, 10}, {26, 20}, {17, 26}, {18, 36}, {26, 44}, {36, 47}},
                                         {{3, 47}, {18, 46}, {30, 42}, {38, 38}, {43.5, 34}, {43.5, 23}, {37, 12}},
                                         {{2, 25}, {14, 25}, {22, 21}, {36, 20}, {43.5, 26}, {43.5, 46}}};
  const std::vector<Line> abstract_grid{{{3, 3}, {23, 3}, {26, 6}, {26, 18}, {18, 26}, {18, 37}, {28, 47}, {36, 47}},
                                        {{3, 47}, {20, 47}, {27, 40}, {36, 40}, {42, 34}, {42, 17}, {37, 12}},
                                        {{2, 25}, {15, 25}, {20, 20}, {37, 20}, {43, 26}, {43, 46}}};
  return {{"suburb-drawn", "suburb, routes drawn by hand", drawn("suburb"), suburb_weights, suburb_drawn},
          {"suburb-grid", "suburb, routes as A* finds them on a grid", drawn("suburb"), suburb_weights, suburb_grid},
          {"regions-drawn", "abstractRegions, routes drawn by hand", drawn("abstract_regions"), abstract_weights,
           abstract_drawn},
          {"regions-grid", "abstractRegions, routes as A* finds them on a grid", drawn("abstract_regions"),
           abstract_weights, abstract_grid}};
}

std::vector<double> weights_of(const crowd::World& world, const Scene& scene) {
  return ground::row_of(world.regions->kinds(),
                        std::map<std::string, GroundWeight>(scene.weights.begin(), scene.weights.end()));
}

struct Walk {
  Line path;
  bool arrived = false;
};

Result<Walk> walk(const crowd::WorldPtr& world, const Scene& scene, const Line& route, std::string_view follower) {
  std::vector<navmesh::Place> places;
  for (const Vec2 p : route) places.push_back({p, 0});
  Result<routes::Route> given = routes::given_route(*world->mesh, places, radius);
  if (!given) return given.problems();
  crowd::Crowd crowd(world, {.threads = 1});
  crowd::AgentSpec spec;
  spec.place = places.front();
  spec.heading = route[1] - route[0];
  spec.radius = radius, spec.speed = speed;
  spec.methods[crowd::Level::follow] = {std::string(follower), {}};
  spec.methods[crowd::Level::avoid] = {"none", {}};
  spec.weights = weights_of(*world, scene);
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->goals.push_back({places.back(), 0.3, {}, 0});
  spec.itinerary = std::move(itinerary);
  spec.given_route = std::make_shared<const routes::Route>(std::move(given).value());
  const double longest = 3 * spec.given_route->length / speed + 10;
  if (const Result<crowd::AgentId> added = crowd.add(spec); !added) return added.problems();
  Walk result;
  while (crowd.size() > 0 && crowd.time() < longest) {
    result.path.push_back(crowd.people().position[crowd.in_serial_order().front()]);
    if (const auto stepped = crowd.step(time_step); !stepped) return stepped.problems();
  }
  result.arrived = crowd.size() == 0;
  return result;
}

double length_of(const Line& line) {
  double sum = 0;
  for (std::size_t i = 1; i < line.size(); ++i) sum += std::sqrt(squared_length(line[i] - line[i - 1]));
  return sum;
}

double cost_of(const crowd::World& world, const Scene& scene, const Line& line) {
  following::RegionMap::Scratch scratch;
  const std::vector<double> weights = weights_of(world, scene);
  double sum = 0;
  for (std::size_t i = 1; i < line.size(); ++i)
    sum += world.regions->weighted_length({line[i - 1], 0}, {line[i], 0}, 0, weights.data(), scratch);
  return sum;
}

/// The sharpest bend of a path over half a second, in degrees.
double sharpest_turn(const Line& path) {
  constexpr std::size_t apart = 5;
  double sharpest = 0;
  for (std::size_t i = apart; i + apart < path.size(); ++i) {
    const Vec2 before = path[i] - path[i - apart], after = path[i + apart] - path[i];
    if (before == Vec2{} || after == Vec2{}) continue;
    const double angle = std::abs(geometry::arc_tangent(cross(before, after), dot(before, after)));
    sharpest = std::max(sharpest, angle);
  }
  constexpr double degrees = 180 / 3.14159265358979323846;
  return sharpest * degrees;
}

std::string draw(const crowd::World& world, const Scene& scene, const std::vector<std::vector<Walk>>& walks) {
  const environment::Layout layout = environment::lay_out(world.environment);
  const std::string title = scene.about + ": route black, irm blue, miran red, lookahead violet";
  const auto canvas = environment::make_svg_canvas(layout.width, layout.height, title);
  environment::draw_environment(*canvas, world.environment, layout, title);
  canvas->set_view(layout.panels.front().view);
  canvas->begin_group("routes");
  for (const Line& route : scene.routes) canvas->polyline(route, environment::Style::line({0, 0, 0}, 1.0, 3));
  canvas->end_group();
  for (std::size_t f = 0; f < std::size(followers); ++f) {
    canvas->begin_group(followers[f].name);
    for (const std::vector<Walk>& of_route : walks)
      canvas->polyline(of_route[f].path, environment::Style::line(followers[f].colour, followers[f].width));
    canvas->end_group();
  }
  return canvas->finish();
}

Problems run_scene(const Scene& scene, ExperimentTable& table, const ExperimentOptions& options) {
  Result<environment::CleanEnvironment> clean = environment::clean(scene.environment);
  if (!clean) return clean.problems();
  const Result<crowd::WorldPtr> world = crowd::make_world(std::move(clean).value());
  if (!world) return world.problems();
  std::vector<std::vector<Walk>> walks;
  for (std::size_t i = 0; i < scene.routes.size(); ++i) {
    std::vector<Walk>& of_route = walks.emplace_back();
    for (const Follower& follower : followers) {
      Result<Walk> walked = walk(*world, scene, scene.routes[i], follower.name);
      if (!walked) return walked.problems();
      of_route.push_back(std::move(walked).value());
      const Line& path = of_route.back().path;
      table.add({scene.name, i + 1, std::string(follower.name), of_route.back().arrived, length_of(scene.routes[i]),
                 length_of(path), cost_of(**world, scene, scene.routes[i]), cost_of(**world, scene, path),
                 sharpest_turn(path)});
    }
  }
  return write_into(options, scene.name + ".svg", draw(**world, scene, walks));
}

ExitCode run(const ExperimentOptions& options) {
  ExperimentTable table(
      {"scene", "route", "follow", "arrived", "route_m", "walked_m", "route_cost", "walked_cost", "sharpest_turn_deg"});
  Problems problems;
  for (const Scene& scene : scenes()) {
    problems = run_scene(scene, table, options);
    if (has_errors(problems)) return refused(problems);
  }
  table.print(options.json, "following", {.scene = {"scene", "route"}, .method = {"follow"}});
  problems = write_into(options, "following.csv", table.csv());
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

const ExperimentRegistration registration(
    {"following", "irm, miran and lookahead along the same routes over weighted regions (Jaklin 2016, 6.4.2), drawn",
     run});

}  // namespace
}  // namespace throng::cli
