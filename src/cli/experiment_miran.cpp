// `throng experiment miran-cost` (Jaklin 2016, table 6.1), `miran-parameters` (figures 6.10 to 6.14) and `miran-disc` (figure 7.10): following
// on weighted ground, one person alone, beside his figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>

#include "cli/experiment.hpp"
#include "cli/experiment_scenes.hpp"
#include "cli/load_mesh.hpp"
#include "crowd/crowd.hpp"
#include "environment/formats/picture.hpp"
#include "environment/geojson/geojson_reader.hpp"
#include "routes/planner.hpp"

namespace throng::cli {
namespace {

using Line = std::vector<Vec2>;
using Weights = std::map<std::string, GroundWeight>;

constexpr double radius = 0.24, speed = 1.34, time_step = 0.1;
const Weights suburb_weights{{"sidewalk", 1}, {"road", 4}, {"grass", 30}, {"water", 40}, {"path", 1}};
const Weights abstract_weights{{"grey", 4},  {"dark_green", 30}, {"light_green", 3},
                               {"blue", 30}, {"yellow", 6},      {"brown", 2}};

Result<crowd::WorldPtr> world_of(const std::string& name) {
  const Result<environment::Environment> drawn =
      environment::read_geojson(std::string(experiment_scene_texts().at(name)), name + ".geojson");
  if (!drawn) return drawn.problems();
  Result<environment::CleanEnvironment> clean = environment::clean(*drawn);
  if (!clean) return clean.problems();
  return crowd::make_world(std::move(clean).value());
}

/// How somebody follows.
struct Numbers {
  double shortcut = 5, sampling = 1;
  bool body = false;
};

struct Walk {
  Line path;
  bool arrived = false;
  std::size_t steps = 0;
  double seconds_a_step = 0;  ///< of the processor, a person: the whole step, of which following is nearly all
};

/// `people` walk the same way, side by side in memory only: they neither see nor push each other.
Result<Walk> walk(const crowd::WorldPtr& world, const Weights& weights, const Line& route, const Numbers& numbers,
                  std::size_t people, double body_radius = radius) {
  std::vector<navmesh::Place> places;
  for (const Vec2 p : route) places.push_back({p, 0});
  Result<routes::Route> given = routes::given_route(*world->mesh, places, body_radius);
  if (!given) return given.problems();
  crowd::Crowd crowd(world, {.threads = 1, .contact = false});
  crowd::AgentSpec spec;
  spec.place = places.front();
  spec.heading = route[1] - route[0];
  spec.radius = body_radius, spec.speed = speed;
  spec.methods[crowd::Level::follow] = {"miran", {numbers.shortcut, numbers.sampling, numbers.body ? 1.0 : 0.0}};
  spec.methods[crowd::Level::avoid] = {"none", {}};
  spec.weights = ground::row_of(world->regions->kinds(), weights);
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->goals.push_back({places.back(), 0.3, {}, 0});
  spec.itinerary = std::move(itinerary);
  spec.given_route = std::make_shared<const routes::Route>(std::move(given).value());
  const double longest = 3 * spec.given_route->length / speed + 10;
  for (std::size_t i = 0; i < people; ++i)
    if (const Result<crowd::AgentId> added = crowd.add(spec); !added) return added.problems();
  Walk result;
  double seconds = 0;
  while (crowd.size() > 0 && crowd.time() < longest) {
    result.path.push_back(crowd.people().position[crowd.in_serial_order().front()]);
    const std::clock_t begin = std::clock();
    if (const auto stepped = crowd.step(time_step); !stepped) return stepped.problems();
    seconds += double(std::clock() - begin) / CLOCKS_PER_SEC;
    ++result.steps;
  }
  result.arrived = crowd.size() == 0;
  result.seconds_a_step = seconds / double(std::max<std::size_t>(1, result.steps)) / double(people);
  return result;
}

double length_of(const Line& line) {
  double sum = 0;
  for (std::size_t i = 1; i < line.size(); ++i) sum += distance(line[i], line[i - 1]);
  return sum;
}

struct Price {
  double cost = 0;
  std::map<std::string, double> metres;
};
Price price_of(const crowd::World& world, const Weights& weights, const Line& line, double felt) {
  ground::RegionMap::Scratch scratch;
  const std::vector<double> row = ground::row_of(world.regions->kinds(), weights);
  std::vector<double> metres(world.regions->kinds().size(), 0);
  Price price;
  for (std::size_t i = 1; i < line.size(); ++i)
    price.cost += world.regions->weighted_length({line[i - 1], 0}, {line[i], 0}, felt, row.data(), scratch, metres);
  for (std::size_t k = 0; k < metres.size(); ++k)
    if (metres[k] > 0) price.metres[k == 0 ? ground::plain_type : world.regions->types()[k]] += metres[k];
  return price;
}

/// The farthest that a line gets from another.
double apart(const Line& line, const Line& other) {
  double farthest = 0;
  for (const Vec2 p : line) {
    double nearest = 1e30;
    for (std::size_t i = 1; i < other.size(); ++i) {
      const Vec2 d = other[i] - other[i - 1];
      const double size2 = squared_length(d);
      const double t = size2 > 0 ? std::clamp(dot(p - other[i - 1], d) / size2, 0.0, 1.0) : 0.0;
      nearest = std::min(nearest, distance(p, other[i - 1] + d * t));
    }
    farthest = std::max(farthest, nearest);
  }
  return farthest;
}

/// Metres walked before the first on a type; all of them where there is none.
double metres_before(const crowd::World& world, const std::string& type, const Line& line) {
  ground::RegionMap::Scratch scratch;
  double sum = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (world.regions->types()[world.regions->type_at({line[i], 0}, scratch)] == type) break;
    sum += distance(line[i], line[i - 1]);
  }
  return sum;
}

/// Metres walked against the direction that the route has where the walker has come to.
/// `window`: how much of the route ahead of that place may be cut off.
double metres_back(const Line& line, const Line& route, double window) {
  double sum = 0, come_to = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    double begins = 0, nearest = 1e30, next = come_to;
    Vec2 direction;
    for (std::size_t k = 1; k < route.size(); ++k) {
      const Vec2 d = route[k] - route[k - 1];
      const double size = length(d);
      const double low = std::clamp(come_to - begins, 0.0, size),
                   high = std::clamp(come_to + window - begins, 0.0, size);
      const double at = std::clamp(dot(line[i] - route[k - 1], d / size), low, high);
      const double away = distance(line[i], route[k - 1] + d * (at / size));
      if (high > low && away < nearest) nearest = away, next = begins + at, direction = d / size;
      begins += size;
    }
    come_to = next;
    sum += std::max(0.0, -dot(line[i] - line[i - 1], direction));
  }
  return sum;
}

struct Drawn {
  Line line;
  environment::Colour colour;
  double width = 1.2, dash = 0;
};
std::string draw(const crowd::World& world, const std::string& title, const std::vector<Drawn>& lines) {
  const environment::Layout layout = environment::lay_out(world.environment);
  const auto canvas = environment::make_svg_canvas(layout.width, layout.height, title);
  environment::draw_environment(*canvas, world.environment, layout, title);
  canvas->set_view(layout.panels.front().view);
  canvas->begin_group("ways");
  for (const Drawn& drawn : lines)
    canvas->polyline(drawn.line, environment::Style::line(drawn.colour, drawn.width, drawn.dash));
  canvas->end_group();
  return canvas->finish();
}

/// From red to blue.
environment::Colour shade(std::size_t i, std::size_t count) {
  const double part = count > 1 ? double(i) / double(count - 1) : 0;
  return {std::uint8_t(210 - 180 * part), 40, std::uint8_t(30 + 180 * part)};
}

// ---- Table 6.1 -------------------------------------------------------------------------------------------------------------------

constexpr double sigmas[] = {5, 10, 15, 20, 25, 30};
constexpr double samplings[] = {0.2, 0.4, 0.6, 0.8, 1.0};
/// ms a step; by sigma, then d.
constexpr double published_tiles[6][5] = {{0.28, 0.21, 0.20, 0.17, 0.16}, {0.51, 0.31, 0.27, 0.22, 0.20},
                                          {0.77, 0.45, 0.36, 0.29, 0.25}, {1.08, 0.61, 0.45, 0.36, 0.31},
                                          {1.44, 0.77, 0.58, 0.46, 0.38}, {1.89, 0.99, 0.71, 0.56, 0.46}};
constexpr double published_suburb[6][5] = {{0.25, 0.18, 0.16, 0.14, 0.13}, {0.46, 0.27, 0.22, 0.19, 0.17},
                                           {0.70, 0.41, 0.30, 0.25, 0.22}, {1.00, 0.55, 0.43, 0.34, 0.28},
                                           {1.33, 0.72, 0.51, 0.43, 0.35}, {1.66, 0.91, 0.60, 0.51, 0.42}};

Result<crowd::WorldPtr> tiled_world() {
  Result<GroundScene> scene = tiled_scene(16);
  if (!scene) return scene.problems();
  return crowd::make_world(environment::CleanEnvironment(*scene->clean));
}

ExitCode run_cost(const ExperimentOptions& options) {
  ExperimentFigures figures("miran-cost");
  // Routes of about 460 and 950 steps, as Jaklin's are.
  const Line on_tiles{{20, 20}, {26, 58}, {52, 75}, {62, 62}};
  const Line in_suburb{{4, 43},  {46, 43}, {46, 57},   {58, 57.5}, {59, 70}, {60.5, 78},
                       {66, 87}, {74, 90}, {84.5, 86}, {88, 75},   {88, 58}, {96, 57}};
  const std::size_t people = options.quick ? 4 : 64;
  for (const bool tiles : {true, false}) {
    const Result<crowd::WorldPtr> world = tiles ? tiled_world() : world_of("suburb");
    if (!world) return refused(world.problems());
    for (std::size_t s = 0; s < std::size(sigmas); ++s)
      for (std::size_t d = 0; d < std::size(samplings); ++d) {
        const Result<Walk> walked = walk(*world, tiles ? abstract_weights : suburb_weights,
                                         tiles ? on_tiles : in_suburb, {sigmas[s], samplings[d]}, people);
        if (!walked) return refused(walked.problems());
        figures.add({tiles ? "abstract_regions_16x16" : "suburb",
                     "miran",
                     fmt::format("sigma={:g}, d={:g}", sigmas[s], samplings[d]),
                     "us a step",
                     1e6 * walked->seconds_a_step,
                     {},
                     walked->steps,
                     1e3 * (tiles ? published_tiles : published_suburb)[s][d]});
        if (!walked->arrived) fmt::print(stderr, "nobody arrived at sigma {:g}, d {:g}\n", sigmas[s], samplings[d]);
      }
  }
  const Problems problems = figures.finish(options);
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

// ---- Figures 6.10 to 6.14 ----------------------------------------------------------------------------------------------------------

struct Question {
  std::string figure, scene;
  Weights weights;
  Line route;
  std::vector<Numbers> numbers;
};

std::vector<Question> questions(const crowd::WorldPtr& military) {
  const std::vector<Numbers> by_sampling{{5, 0.1}, {5, 0.5}, {5, 1}, {5, 2}, {5, 3}, {5, 4}};
  const std::vector<Numbers> by_shortcut{{5, 1}, {10, 1}, {15, 1}, {20, 1}, {25, 1}, {30, 1}};
  const Line to_the_house{{4, 43}, {46, 43}, {46, 57}, {58, 57.5}, {59, 70}, {60.5, 78}, {66, 87}, {74, 90}};
  const Line village{{35, 36}, {62, 37}, {62, 62}, {76, 64}, {80, 70}, {94, 72}, {101, 90}, {90, 118}, {88, 160}};
  Line shortest;
  routes::Planner planner(military->graph);
  routes::Route route;
  if (planner.plan({{{35, 36}, 0}, {{160, 150}, 0}, radius, 0, routes::RouteMethod::shortest}, route) ==
      routes::NoRoute::found)
    for (const navmesh::Place& p : route.flatten(*military->mesh, 0.05)) shortest.push_back(p.point);
  const Line round_the_lake{{96, 57}, {64, 57.5}, {60.5, 66}, {60.5, 84}, {68, 90}, {78, 90.5}, {86, 86}, {88.5, 76}};
  // Along the pavement, then over the lawn.
  const Line into_the_lawn{{4, 43}, {58, 43}, {58, 20}};
  // It comes back to its first leg after more than the shortcut, and ends there: the goal is in reach, and in sight, only from beyond the crossing.
  const Line crosses_itself{{62, 43},    {62, 86}, {100, 98},  {90, 118},  {90, 160.7},
                            {30, 160.7}, {30, 62}, {38, 55.5}, {60, 55.5}, {66, 60.5}};
  return {{"6.10: d, no regions", "military", {}, village, by_sampling},
          {"6.11: d", "suburb", suburb_weights, to_the_house, by_sampling},
          {"6.12: sigma, shortest route", "military", {}, shortest, by_shortcut},
          {"6.13: sigma", "suburb", suburb_weights, into_the_lawn, by_shortcut},
          {"6.14: sigma 250 round the lake", "suburb", suburb_weights, round_the_lake, {{250, 20}}},
          {"6.14: sigma 300, crossing itself", "military", {}, crosses_itself, {{300, 20}}}};
}

ExitCode run_parameters(const ExperimentOptions& options) {
  ExperimentFigures figures("miran-parameters");
  std::map<std::string, crowd::WorldPtr> worlds;
  for (const std::string scene : {"military", "suburb"}) {
    Result<crowd::WorldPtr> world = world_of(scene);
    if (!world) return refused(world.problems());
    worlds[scene] = std::move(world).value();
  }
  std::size_t number = 0;
  for (const Question& question : questions(worlds["military"])) {
    const crowd::WorldPtr& world = worlds[question.scene];
    std::vector<Drawn> lines{{question.route, {0, 0, 0}, 1, 3}};
    Line first;
    figures.add({question.figure, "route", "", "cost", price_of(*world, question.weights, question.route, 0).cost});
    for (std::size_t i = 0; i < question.numbers.size(); ++i) {
      const Numbers& numbers = question.numbers[i];
      const Result<Walk> walked = walk(world, question.weights, question.route, numbers, 1);
      if (!walked) return refused(walked.problems());
      const std::string variant = fmt::format("sigma={:g}, d={:g}", numbers.shortcut, numbers.sampling);
      const auto add = [&](const std::string& measure, double value) {
        figures.add({question.figure, "miran", variant, measure, value, {}, 1, {}});
      };
      if (first.empty()) first = walked->path;
      const Price price = price_of(*world, question.weights, walked->path, 0);
      add("arrived", walked->arrived ? 1 : 0);
      add("walked m", length_of(walked->path));
      add("cost", price.cost);
      add("apart from the first m", apart(walked->path, first));
      add("metres walked back", metres_back(walked->path, question.route, numbers.shortcut));
      for (const std::string type : {"grass", "water"})
        if (question.weights.contains(type))
          add("metres on " + type, price.metres.contains(type) ? price.metres.at(type) : 0);
      if (question.weights.contains("grass")) add("metres before grass", metres_before(*world, "grass", walked->path));
      lines.push_back({walked->path, shade(i, question.numbers.size())});
    }
    const Problems problems = write_into(options, fmt::format("miran_parameters_{}.svg", ++number),
                                         draw(*world, question.figure + ": route dashed, first red, last blue", lines));
    if (has_errors(problems)) return refused(problems);
  }
  const Problems problems = figures.finish(options);
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

// ---- Figure 7.10 -------------------------------------------------------------------------------------------------------------------

ExitCode run_disc(const ExperimentOptions& options) {
  ExperimentFigures figures("miran-disc");
  const Result<crowd::WorldPtr> world = world_of("car_puddle");
  if (!world) return refused(world.problems());
  const Weights weights{{"puddle", 30}};
  const Line route{{10.5, 4}, {17.5, 8}, {17.5, 12}, {10.5, 16}};
  std::vector<Drawn> lines{{route, {0, 0, 0}, 1, 3}};
  for (const bool body : {false, true}) {
    const Result<Walk> walked = walk(*world, weights, route, {50, 0.2, body}, 1, 0.25);
    if (!walked) return refused(walked.problems());
    const Price price = price_of(**world, weights, walked->path, 0.25);  // what the body is in, whoever decides
    const std::string method = body ? "miran, body" : "miran, point";
    figures.add({"car_puddle", method, "sigma=50, d=0.2", "arrived", walked->arrived ? 1.0 : 0.0, {}, 1, {}});
    figures.add({"car_puddle",
                 method,
                 "sigma=50, d=0.2",
                 "metres with a foot in the puddle",
                 price.metres.contains("puddle") ? price.metres.at("puddle") : 0,
                 {},
                 1,
                 {}});
    figures.add({"car_puddle", method, "sigma=50, d=0.2", "cost felt", price.cost, {}, 1, {}});
    lines.push_back({walked->path, body ? environment::Colour{20, 80, 200} : environment::Colour{200, 30, 30}});
  }
  Problems problems =
      write_into(options, "miran_disc.svg",
                 draw(**world, "route dashed; the point (red) goes through, the disc (blue) round", lines));
  if (!has_errors(problems)) problems = figures.finish(options);
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

const ExperimentRegistration cost_registration(
    {"miran-cost", "what a step of miran takes, by shortcut and sampling distance (Jaklin 2016, table 6.1)", run_cost});
const ExperimentRegistration parameters_registration(
    {"miran-parameters", "ways of miran by shortcut and sampling distance, drawn (Jaklin 2016, figures 6.10 to 6.14)",
     run_parameters});
const ExperimentRegistration disc_registration(
    {"miran-disc", "a puddle between cars: the point goes through, the body round (Jaklin 2016, figure 7.10)",
     run_disc});

}  // namespace
}  // namespace throng::cli
