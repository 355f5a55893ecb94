// A scenario while people change it from the viewer: as a document that can be saved, and as what the simulation goes on with.
//
// Laws
// 1. text() is a scenario that any reader of ours accepts, its environment written into it; run from the start, it has every change in it
//    from the start.
// 2. An edit that is refused leaves everything as it was: work on a copy and keep it once the simulation took it.
// Thread-safety: a plain value.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "environment/environment.hpp"
#include "scenario/scenario.hpp"
#include "server/pack.hpp"
#include "throng/result.hpp"

namespace throng::server {

class ScenarioEdits {
 public:
  /// `grid` is the one the run began with: changes never alter it.
  ScenarioEdits(const scenario::Scenario& scenario, const geometry::SnapGrid& grid);

  /// A square obstacle of that width; its id.
  std::string add_obstacle(Vec2 centre, std::size_t layer, double size);
  /// The id of the obstacle a point lies in, the one dropped last where they overlap; empty where there is none.
  [[nodiscard]] std::string obstacle_at(Vec2 point, std::size_t layer) const;
  /// False where there is no obstacle of that id.
  bool remove_obstacle(const std::string& id);
  /// Moves a named area, a goal point or a goal polygon; false where there is no goal of that id.
  bool move_goal(const std::string& id, Vec2 to, std::size_t layer);
  /// What a metre on a type of ground costs a profile: a number, or "never"; anything else text() and scenario() complain of. In text() it is
  /// an event at 0; scenario() leaves it to Simulation::set_weights().
  void set_weight(const std::string& profile, const std::string& type, const Json& weight);
  /// What was set, by profile and type.
  [[nodiscard]] const std::map<std::string, std::map<std::string, Json>>& weights() const { return weights_; }
  /// People who were put in, for text(): they stood in this box.
  void add_people(std::size_t population, std::size_t count, Vec2 low, Vec2 high, std::size_t layer);

  struct Sign {
    Vec2 at;
    std::size_t layer = 0;
    double facing = 0, range = 10;  ///< degrees; metres
    std::string_view pass;          ///< `left` or `right`
    Vec2 about;  ///< the obstacle meant is the one whose boundary is nearest to this, in the same layer
  };
  /// A sign that tells everybody who sees it.
  void add_sign(const Sign& sign);
  /// Takes down the sign that is nearest to a point and within so many metres; false where there is none.
  bool remove_sign(Vec2 point, std::size_t layer, double within);

  struct Obstacle {
    std::string id;
    std::size_t layer = 0;
    environment::Ring ring;
  };
  /// Polygons that can be removed, those dropped last first, at most `most`.
  [[nodiscard]] std::vector<Obstacle> obstacles(std::size_t most) const;
  struct GoalPlace {
    std::string id, label;
    Vec2 at;
    std::size_t layer = 0;
  };
  /// Places of goals that can be moved.
  [[nodiscard]] std::vector<GoalPlace> goal_places() const;

  /// The scenario with its environment in it, people who were put in too.
  [[nodiscard]] Result<std::string> text() const;
  /// What the simulation goes on with.
  [[nodiscard]] Result<scenario::Scenario> scenario() const;

 private:
  [[nodiscard]] Result<Json> document() const;
  [[nodiscard]] Json* goal_json(const std::string& id);

  std::string source_, folder_;
  Json document_;
  environment::Environment environment_;
  Json added_ = Json::array();
  std::map<std::string, std::map<std::string, Json>> weights_;
  std::size_t next_number_ = 0;
};

}  // namespace throng::server
