#include "analysis/scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "environment/formats/formats.hpp"
#include "environment/sketch.hpp"
#include "geometry/elementary.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"

namespace throng::analysis {

namespace {

using environment::rectangle;
using environment::Sketch;

/// Somebody who walks from one area to another, or to a point.
struct Group {
  std::string name, from, to;
  double people = 0;
  std::optional<Vec2> point = {};
};

/// What a scene is made of.
struct Drawing {
  Sketch sketch;
  std::vector<Group> groups;
  std::string positions;  ///< CSV, instead of groups
  double duration = 120;
  std::string speed = R"({"normal": [1.34, 0.26], "min": 0.5, "max": 2.2})";
};

/// Jaklin 2016, 9.4: preferred speeds of all its scenes.
constexpr std::string_view stream_speed = R"({"uniform": [0.85, 2.05]})";

/// A straight hallway with an area at either end, and one before each where people start.
Drawing hallway(std::string name, double length, double width, double start) {
  Drawing drawing{Sketch(std::move(name)), {}, {}};
  Sketch& sketch = drawing.sketch;
  sketch.walkable({rectangle({0, 0}, {length, width}), {}});
  sketch.area("west", rectangle({0, 0}, {start, width}));
  sketch.area("east", rectangle({length - start, 0}, {length, width}));
  sketch.area("west-end", rectangle({0, 0}, {1, width}));
  sketch.area("east-end", rectangle({length - 1, 0}, {length, width}));
  return drawing;
}

Drawing one_way(std::string name, double length, double width, double start, double people) {
  Drawing drawing = hallway(std::move(name), length, width, start);
  drawing.groups = {{"eastbound", "west", "east-end", people}};
  return drawing;
}

Drawing two_ways(std::string name, double length, double width, double start, double people) {
  Drawing drawing = hallway(std::move(name), length, width, start);
  drawing.groups = {{"eastbound", "west", "east-end", people}, {"westbound", "east", "west-end", people}};
  return drawing;
}

/// Two hallways of a width that cross in the middle, `arm` long on each side.
Drawing crossing(std::string name, double width, double arm, double start, double people) {
  Drawing drawing{Sketch(std::move(name)), {}, {}};
  Sketch& sketch = drawing.sketch;
  const double end = 2 * arm + width, low = arm, high = arm + width;
  sketch.walkable({rectangle({0, low}, {end, high}), {}});
  sketch.walkable({rectangle({low, 0}, {high, end}), {}});
  sketch.area("west", rectangle({0, low}, {start, high}));
  sketch.area("south", rectangle({low, 0}, {high, start}));
  sketch.area("east", rectangle({end - 1, low}, {end, high}));
  sketch.area("north", rectangle({low, end - 1}, {high, end}));
  drawing.groups = {{"eastbound", "west", "east", people}, {"northbound", "south", "north", people}};
  return drawing;
}

/// SteerBench's hallway-one-way and hallway-two-way, with Jaklin's numbers of people: 200 x 16 m, people strewn over most of it.
Drawing steerbench_hallway(std::string name, const std::vector<Vec2>& goals, double people) {
  Drawing drawing{Sketch(std::move(name)), {}, {}};
  drawing.sketch.walkable({rectangle({-100, -8}, {100, 8}), {}});
  drawing.sketch.area("strewn", rectangle({-97, -7}, {70, 7}));
  for (const Vec2 goal : goals)
    drawing.groups.push_back(
        {goal.x > 0 ? "eastbound" : "westbound", "strewn", "", people / double(goals.size()), goal});
  return drawing;
}

Drawing corridor() { return one_way("corridor", 50, 4, 15, 50); }
Drawing small_crossing() { return crossing("crossing", 4, 14, 9, 25); }
Drawing small_hallway() { return two_ways("hallway", 40, 6, 10, 30); }

Drawing bottleneck() {
  Drawing drawing{Sketch("bottleneck"), {}, {}};
  Sketch& sketch = drawing.sketch;
  sketch.walkable({rectangle({0, 0}, {10, 10}), {}});
  sketch.walkable({rectangle({10, 4.4}, {12.8, 5.6}), {}});
  sketch.walkable({rectangle({12.8, 2}, {18, 8}), {}});
  sketch.area("room", rectangle({0.5, 1}, {8, 9}));
  sketch.area("exit", rectangle({16, 2}, {18, 8}));
  drawing.groups = {{"leaving", "room", "exit", 60}};
  return drawing;
}

/// Everybody on a circle, each to the opposite point.
Drawing circle(double people) {
  Drawing drawing{Sketch("circle"), {}, {}};
  constexpr double radius = 10, room = 13;
  drawing.sketch.walkable({rectangle({-room, -room}, {room, room}), {}});
  const int count = std::max(2, int(std::lround(40 * people)));
  drawing.positions = "x,y,gx,gy\n";
  for (int i = 0; i < count; ++i) {
    const Vec2 p = geometry::unit_direction(double(i) / count) * radius;
    drawing.positions += fmt::format("{:.6f},{:.6f},{:.6f},{:.6f}\n", p.x, p.y, -p.x, -p.y);
  }
  drawing.speed = "1.34";
  return drawing;
}

/// Two groups of 125 that come together before a gap of 4 m and part behind it.
Drawing merging() {
  Drawing drawing{Sketch("merging-streams"), {}, {}};
  Sketch& sketch = drawing.sketch;
  sketch.walkable({rectangle({0, 0}, {60, 30}), {}});
  sketch.obstacle({rectangle({25, 0}, {35, 13}), {}});
  sketch.obstacle({rectangle({25, 17}, {35, 30}), {}});
  sketch.area("south-west", rectangle({1, 1}, {14, 12}));
  sketch.area("north-west", rectangle({1, 18}, {14, 29}));
  sketch.area("south-east", rectangle({55, 1}, {59, 10}));
  sketch.area("north-east", rectangle({55, 20}, {59, 29}));
  drawing.groups = {{"from the south", "south-west", "north-east", 125},
                    {"from the north", "north-west", "south-east", 125}};
  drawing.duration = 300;
  return drawing;
}

Drawing with_stream_speeds(Drawing drawing, double duration) {
  drawing.speed = stream_speed;
  drawing.duration = duration;
  return drawing;
}

struct Entry {
  SceneInfo info;
  std::function<Drawing(double people)> draw;
};

const std::vector<Entry>& common_entries() {
  static const std::vector<Entry> entries{
      {{"corridor", "50 people one way along 50 x 4 m"}, [](double) { return corridor(); }},
      {{"crossing", "25 people each of two streams that cross at a right angle, 4 m wide"},
       [](double) { return small_crossing(); }},
      {{"bottleneck", "60 people leave a room through a passage of 1.2 m"}, [](double) { return bottleneck(); }},
      {{"circle", "40 people on a circle of 10 m, each to the opposite point"}, circle},
      {{"hallway", "30 people each way along 40 x 6 m"}, [](double) { return small_hallway(); }}};
  return entries;
}

const std::vector<Entry>& stream_entries() {
  static const std::vector<Entry> entries{
      {{"crossing-streams", "two groups of 50 that cross at a right angle, 6 m wide"},
       [](double) { return with_stream_speeds(crossing("crossing-streams", 6, 20, 14, 50), 180); }},
      {{"crossing-wide", "the same, 8 m wide: with fewer collisions, as the thesis has fewer"},
       [](double) { return with_stream_speeds(crossing("crossing-wide", 8, 20, 14, 50), 180); }},
      {{"hallway1", "200 people one way along 200 x 16 m"},
       [](double) {
         return with_stream_speeds(steerbench_hallway("hallway1", {{98, 0}}, 200), 400);
       }},
      {{"hallway2", "100 people each way, mixed, along 200 x 16 m"},
       [](double) {
         return with_stream_speeds(steerbench_hallway("hallway2", {{98, 5}, {-98, -4}}, 200), 400);
       }},
      {{"merging-streams", "two groups of 125 through a gap of 4 m"},
       [](double) { return with_stream_speeds(merging(), 300); }},
      {{"narrow-50", "50 people each way along 60 x 3 m"},
       [](double) { return with_stream_speeds(two_ways("narrow-50", 60, 3, 25, 50), 300); }},
      {{"narrow-100", "100 people each way along 60 x 3 m"},
       [](double) { return with_stream_speeds(two_ways("narrow-100", 60, 3, 28, 100), 300); }}};
  return entries;
}

std::vector<SceneInfo> infos_of(const std::vector<Entry>& entries) {
  std::vector<SceneInfo> infos;
  for (const Entry& entry : entries) infos.push_back(entry.info);
  return infos;
}

std::string populations_of(const Drawing& drawing, double people) {
  if (!drawing.positions.empty()) return R"({"name": "circle", "profile": "person", "positions": "positions.csv"})";
  std::string text;
  for (const Group& group : drawing.groups) {
    const std::string goal = group.point ? fmt::format(R"("point": [{}, {}])", group.point->x, group.point->y)
                                         : fmt::format(R"("area": "{}")", group.to);
    text += fmt::format(
        R"({}{{"name": "{}", "profile": "person", "count": {}, "start": {{"area": "{}"}}, "goals": [{{{}}}]}})",
        text.empty() ? "" : ", ", group.name, std::max(1L, std::lround(group.people * people)), group.from, goal);
  }
  return text;
}

}  // namespace

const std::vector<SceneInfo>& common_scenes() {
  static const std::vector<SceneInfo> infos = infos_of(common_entries());
  return infos;
}

const std::vector<SceneInfo>& stream_scenes() {
  static const std::vector<SceneInfo> infos = infos_of(stream_entries());
  return infos;
}

environment::Environment eight_buildings() {
  Sketch sketch("eight_buildings");
  sketch.walkable({rectangle({0, 0}, {200, 120}), {}});
  for (const Vec2 low : {Vec2{20, 15}, Vec2{20, 50}, Vec2{20, 85}, Vec2{70, 15}, Vec2{70, 85}})
    sketch.obstacle({rectangle(low, low + Vec2{30, 20}), {}});
  sketch.obstacle({rectangle({115, 85}, {140, 105}), {}});
  sketch.obstacle({{{70, 50}, {135, 50}, {135, 62}, {100, 62}, {100, 70}, {70, 70}}, {}});
  sketch.obstacle({{{155, 15},
                    {190, 15},
                    {190, 105},
                    {155, 105},
                    {155, 90},
                    {172, 90},
                    {172, 75},
                    {158, 75},
                    {158, 50},
                    {172, 50},
                    {172, 35},
                    {155, 35}},
                   {}});
  sketch.area("west", rectangle({2, 2}, {18, 118}));
  sketch.area("east", rectangle({192, 2}, {198, 118}));
  sketch.area("square", rectangle({108, 5}, {150, 45}));
  return std::move(sketch).take();
}

Result<scenario::Scenario> make_scene(const SceneRequest& request) {
  for (const auto* entries : {&common_entries(), &stream_entries()})
    for (const Entry& entry : *entries) {
      if (entry.info.name != request.scene) continue;
      const Drawing drawing = entry.draw(request.people);
      const Result<std::string> map = environment::write_environment("geojson", drawing.sketch.environment());
      if (!map) return map.problems();
      const std::string text = fmt::format(
          R"({{"throng": 1, "duration": {}, "environment": {}, "profiles": {{"person": {{"radius": 0.24, "speed": {},
              "follow": {{"method": "{}"}}, "avoid": {{"method": "{}"{}{}}}, "move": {{"method": "{}"{}}}{}}}}},
              "populations": [{}]}})",
          request.duration > 0 ? request.duration : drawing.duration, *map, drawing.speed, request.follow,
          request.avoid, request.as_published ? R"(, "as": "published")" : "",
          request.avoid_numbers.empty() ? "" : ", " + request.avoid_numbers,
          request.as_published ? "published" : "careful",
          request.move_numbers.empty() ? "" : ", " + request.move_numbers,
          request.stream.empty() ? "" : R"(, "stream": )" + request.stream, populations_of(drawing, request.people));
      const scenario::ReadOptions options{
          .folder = {}, .read_file = [&](const std::string&) { return Result<std::string>(drawing.positions); }};
      return scenario::parse_scenario(text, request.scene, scenario::installed_methods(), options);
    }
  return Problem{Severity::error, ProblemCode::value, "experiment", "there is no scene '" + request.scene + "'"};
}

}  // namespace throng::analysis
