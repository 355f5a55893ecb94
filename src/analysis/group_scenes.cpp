#include "analysis/group_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "environment/formats/formats.hpp"
#include "environment/sketch.hpp"
#include "geometry/elementary.hpp"
#include "geometry/random.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"

namespace throng::analysis {
namespace {

using environment::Sketch;
using geometry::RandomStream;

constexpr double goal_radius = 0.6;  ///< metres (Jaklin 2016, 10.4.1)
constexpr double jitter = 0.5;       ///< metres, each way, of where groups start
constexpr double beside = 0.7;       ///< metres between members of a group that starts, side by side
constexpr double own_jitter = 0.05;  ///< metres, each way, of each member

/// A scenario in the making.
class Scene {
 public:
  explicit Scene(const GroupSceneRequest& request) : request_(request) {}

  Result<scenario::Scenario> make() {
    Sketch sketch(request_.scene);
    if (request_.scene == "corridor")
      corridor(sketch);
    else if (request_.scene == "bottleneck")
      bottleneck(sketch);
    else if (request_.scene == "corners")
      corners(sketch);
    else if (request_.scene == "building")
      building(sketch);
    else if (request_.scene == "room")
      room(sketch);
    else
      return Problem{Severity::error, ProblemCode::value, "experiment", "there is no scene '" + request_.scene + "'"};
    const Result<std::string> map = environment::write_environment("geojson", sketch.environment());
    if (!map) return map.problems();
    const std::string text = fmt::format(
        R"({{"throng": 1, "environment": "scene.geojson", "duration": {}, "seed": {}, "profiles": {{{}}}, "populations": [{}]}})",
        duration_, request_.seed, profiles(), populations_);
    files_["scene.geojson"] = *map;
    scenario::ReadOptions options;
    options.read_file = [files = files_](const std::string& path) -> Result<std::string> {
      const auto found = files.find(path);
      if (found != files.end()) return found->second;
      return Problem{Severity::error, ProblemCode::io, path, "cannot be read: no such file"};
    };
    return scenario::parse_scenario(text, request_.scene, scenario::installed_methods(), options);
  }

 private:
  // --- who walks how

  [[nodiscard]] std::string profiles() const {
    const bool is_baseline = request_.method == "moussaid_2010";
    const std::string avoid = is_baseline ? R"({"method": "moussaid", "as": "published"})"
                              : request_.as_published
                                  ? R"({"method": "moussaid_jaklin", "as": "published", "half_view_degrees": 90})"
                                  : R"({"method": "moussaid_jaklin", "half_view_degrees": 90})";
    const std::string rest =
        fmt::format(R"("avoid": {}{})", avoid, request_.as_published ? R"(, "move": {"method": "published"})" : "");
    const std::string radius =
        request_.radius > 0 ? fmt::format("{}", request_.radius) : R"({"uniform": [0.20, 0.24]})";
    return fmt::format(R"("walker": {{"radius": {}, "speed": {{"normal": [1.34, 0.26], "min": 0.3}}, {}}})", radius,
                       rest);
  }

  [[nodiscard]] std::string method() const {
    return fmt::format(R"("method": "{}"{})", request_.method, request_.as_published ? R"(, "as": "published")" : "");
  }

  void add(const std::string& population) { populations_ += (populations_.empty() ? "" : ", ") + population; }

  // --- where they start

  [[nodiscard]] RandomStream random(std::uint32_t number) const {
    return RandomStream(request_.seed, {.number = number});
  }

  /// Side by side across the way, about the group's centre.
  void add_group(Vec2 centre, Vec2 goal) {
    RandomStream stream = random(groups_);
    const double r = request_.radius;
    const Vec2 ahead = (goal - centre) / distance(goal, centre);
    std::vector<Vec2> places;
    while (places.size() < request_.size) {
      places.clear();
      const Vec2 middle = centre + Vec2{stream.uniform(-jitter, jitter), stream.uniform(-jitter, jitter)};
      for (std::size_t i = 0; i < request_.size; ++i) {
        const double aside = beside * (double(i) - double(request_.size - 1) / 2);
        const Vec2 place = middle + perpendicular(ahead) * aside +
                           Vec2{stream.uniform(-own_jitter, own_jitter), stream.uniform(-own_jitter, own_jitter)};
        const bool is_free = place.x > r && place.x < size_.x - r &&
                             std::abs(place.y - size_.y / 2) < size_.y / 2 - r - slope_ * place.x;
        if (!is_free || std::ranges::any_of(placed_, [&](Vec2 other) { return distance(place, other) < 2 * r + 1e-3; }))
          break;
        places.push_back(place);
      }
    }
    placed_.insert(placed_.end(), places.begin(), places.end());
    std::string rows = "x,y,group\n";
    for (const Vec2 place : places) rows += fmt::format("{:.4f},{:.4f},{}\n", place.x, place.y, groups_);
    const std::string file = fmt::format("{}.csv", groups_);
    files_[file] = rows;
    add(fmt::format(
        R"({{"name": "group-{}", "profile": "walker", "positions": "{}", "groups": {{{}}}, "goals": [{{"point": [{}, {}], "radius": {}}}]}})",
        groups_, file, method(), goal.x, goal.y, goal_radius));
    ++groups_;
  }

  // --- scenes

  void corridor(Sketch& sketch) {
    sketch.walkable({environment::rectangle({0, 0}, {20, 10}), {}});
    size_ = {20, 10};
    for (const double y : {2.5, 5.0, 7.5}) add_group({1.5, y}, {18.5, y});
    for (const double y : {2.5, 5.0, 7.5}) add_group({18.5, y}, {1.5, y});
    duration_ = 120;
  }

  void bottleneck(Sketch& sketch) {
    // From 0 on instead of about 0, for the sake of one rule about what is free.
    sketch.walkable({{{0, 0}, {50, 15}, {50, 25}, {0, 40}}, {}});
    size_ = {50, 40};
    slope_ = 0.32;
    for (int i = 0; i < 12; ++i) add_group({2.5, 3.5 + 3 * i}, {48.5, 15.875 + 0.75 * i});
    duration_ = 240;
  }

  void corners(Sketch& sketch) {
    sketch.walkable({environment::rectangle({0, 0}, {20, 20}), {}});
    size_ = {20, 20};
    for (const Vec2 corner : {Vec2{2.5, 2.5}, Vec2{17.5, 2.5}, Vec2{17.5, 17.5}, Vec2{2.5, 17.5}})
      add_group(corner, Vec2{20, 20} - corner);
    duration_ = 120;
  }

  /// Ten rooms along a corridor that ends in two exits; members of each group are strewn over one room.
  void building(Sketch& sketch) {
    sketch.walkable({environment::rectangle({0, 0}, {128, 95}), {}});
    for (const double y : {43.0, 52.0}) sketch.wall({{0, y}, {128, y}});
    for (int i = 1; i < 5; ++i) {
      sketch.wall({{25.6 * i, 0}, {25.6 * i, 43}});
      sketch.wall({{25.6 * i, 52}, {25.6 * i, 95}});
    }
    for (int i = 0; i < 5; ++i)
      for (const double y : {43.0, 52.0})
        sketch.opening(environment::rectangle({25.6 * i + 11.8, y - 0.5}, {25.6 * i + 13.8, y + 0.5}));
    sketch.area("west", environment::rectangle({0, 43.3}, {1.5, 51.7}));
    sketch.area("east", environment::rectangle({126.5, 43.3}, {128, 51.7}));
    std::string rows = "x,y,group\n";
    const std::size_t groups = request_.quick ? 5 : 49;
    for (int room_number = 0; room_number < 10; ++room_number) {
      const Vec2 low{25.6 * (room_number % 5), room_number < 5 ? 0.0 : 52.0};
      RandomStream stream = random(std::uint32_t(room_number));
      std::vector<Vec2> taken;
      while (taken.size() < groups * request_.size) {
        const Vec2 place = low + Vec2{stream.uniform(0.4, 25.2), stream.uniform(0.4, 42.6)};
        if (std::ranges::all_of(taken, [&](Vec2 other) { return distance(place, other) > 0.55; }))
          taken.push_back(place);
      }
      for (std::size_t i = 0; i < taken.size(); ++i)
        rows += fmt::format("{:.4f},{:.4f},{}-{}\n", taken[i].x, taken[i].y, room_number, i / request_.size);
    }
    files_["building.csv"] = rows;
    add(fmt::format(
        R"({{"name": "people", "profile": "walker", "positions": "building.csv", "groups": {{{}}}, "goals": [{{"nearest": ["west", "east"]}}]}})",
        method()));
    duration_ = 600;
  }

  /// 180 people in a room of 10 x 8 m with a door of 1.2 m (Koester et al. 2011, Liddle et al. 2011).
  void room(Sketch& sketch) {
    sketch.walkable({environment::rectangle({0, 0}, {10, 8}), {}});
    sketch.walkable({environment::rectangle({10.2, 0}, {16.2, 8}), {}});
    sketch.walkable({environment::rectangle({9.9, 3.4}, {10.3, 4.6}), {}});
    sketch.area("in", environment::rectangle({0.01, 0.2}, {8, 7.8}));
    sketch.area("out", environment::rectangle({12.2, 0}, {16.2, 8}));
    const std::size_t part = request_.quick ? 10 : 1;
    // Mixed: about as many people in groups of each size.
    const std::string size =
        request_.size > 0 ? fmt::format("{}", request_.size) : R"({"choose": {"1": 47, "2": 22, "3": 15, "4": 11}})";
    add(fmt::format(
        R"({{"name": "people", "profile": "walker", "count": {}, "start": {{"area": "in"}}, "groups": {{{}, "size": {}}}, "goals": [{{"area": "out"}}]}})",
        180 / part, method(), size));
    duration_ = 600;
  }

  const GroupSceneRequest& request_;
  std::string populations_;
  std::map<std::string, std::string> files_;
  std::uint32_t groups_ = 0;
  std::vector<Vec2> placed_;
  Vec2 size_;         ///< of what is walkable
  double slope_ = 0;  ///< by which it gets narrower on both sides
  double duration_ = 120;
};

}  // namespace

const std::vector<std::string>& group_scenes() {
  static const std::vector<std::string> scenes{"corridor", "bottleneck", "corners", "building"};
  return scenes;
}

Result<scenario::Scenario> make_group_scene(const GroupSceneRequest& request) { return Scene(request).make(); }

}  // namespace throng::analysis
