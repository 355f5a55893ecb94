// A scenario: who walks where, and what is counted (docs/scenarios.md; docs/formats.md is the contract).
//
// Laws (scenario_reader.hpp establishes them)
// 1. Names of profiles and populations are distinct; every population's profile exists; layers are numbers of the environment's.
// 2. Every Number keeps to the bounds of what it stands for, whatever is drawn.
// 3. Areas that are named are drawn in the environment's file. Whether something of them is free shows when the scenario is set up.
// Units: metres, seconds, persons a second. Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agents/levels.hpp"
#include "environment/environment.hpp"
#include "goals/itinerary.hpp"
#include "routes/strategy.hpp"
#include "scenario/groups_spec.hpp"
#include "scenario/method_spec.hpp"
#include "scenario/number.hpp"
#include "throng/ground_weight.hpp"

namespace throng::scenario {

using navmesh::Index;
using navmesh::none;

/// What a metre of a type of ground costs: drawn for everybody, `never`, or by direction on ground that slopes.
struct WeightSpec {
  Number across = 1;
  std::optional<double> up, down;  ///< both or none
  bool never = false;
  WeightSpec() = default;
  WeightSpec(Number weight) : across(std::move(weight)) {}
  WeightSpec(double weight) : across(weight) {}
  /// With what was drawn for `across`.
  [[nodiscard]] GroundWeight at(double drawn) const {
    return never ? GroundWeight::never() : up ? GroundWeight(*up, drawn, *down) : GroundWeight(drawn);
  }
  friend bool operator==(const WeightSpec&, const WeightSpec&) = default;
};

/// Weights that change for all of a profile: other types stay as they are.
struct WeightEvent {
  double at = 0;  ///< s
  std::size_t profile = 0;
  std::map<std::string, WeightSpec> weights;  ///< nothing is drawn
};

struct ProfileSpec {
  std::string name;
  std::map<std::string, Number> drawn;  ///< numbers for others to be read off tables by
  Number radius = 0.24;
  Number speed = Number::normal(1.34, 0.26, 0.5, 2.2);
  agents::PerLevel<MethodSpec> methods;
  Number premovement = 0;
  Number stairs_up = 0.5, stairs_down = 0.65;
  std::map<std::string, WeightSpec> weights;  ///< by type of ground

  /// Whether populations bring their route_points.
  [[nodiscard]] bool route_given() const { return methods[agents::Level::route].name == "given"; }
};

/// An area of the environment, or a polygon drawn in the scenario.
struct AreaSpec {
  std::string name;        ///< empty: the ring is meant
  std::vector<Vec2> ring;  ///< not closed by a repeated point
  Index layer = none;      ///< none: all layers for a name, the first layer for a ring
  std::string pointer;     ///< where it stands in the file, for messages
  friend bool operator==(const AreaSpec& a, const AreaSpec& b) {
    return a.name == b.name && a.ring == b.ring && a.layer == b.layer;
  }
};

struct PointSpec {
  Vec2 point;
  Index layer = none;  ///< none: the first layer where it is walkable
  std::string pointer;
};

struct GoalSpec {
  enum class Kind { areas, choose, point };
  Kind kind = Kind::areas;
  std::vector<AreaSpec> areas;  ///< areas: the nearest is taken; choose: one of them is drawn
  bool quickest = false;        ///< areas: instead, the one that takes least time, queues foreseen
  std::vector<double> weights;  ///< choose: one an area
  PointSpec point;
  double radius = 0.5;
  Number wait = 0;
  std::string pointer;
};

/// A line of a CSV file of positions.
struct StartRow {
  PointSpec place;
  std::optional<PointSpec> goal;  ///< columns gx, gy: the person's only goal
  std::string group = {};         ///< column group: who has the same is with each other; empty: there is no such column
};

/// People who are there when the run starts.
struct Count {
  std::size_t people = 0;
};
/// People who come one after the other, with exponential gaps.
struct Rate {
  double per_second = 0;
  double from = 0, until = 0;
};
/// People at given places.
struct Positions {
  std::string file;
  std::vector<StartRow> rows;
};

struct PopulationSpec {
  std::string name;  ///< "population-2" where the file gives none
  bool named = false;
  std::size_t profile = 0;
  std::variant<Count, Rate, Positions> who;
  std::optional<AreaSpec> start;  ///< for Count and Rate
  std::vector<GoalSpec> goals;    ///< empty: stand where they are
  goals::AtLastGoal at_last = goals::AtLastGoal::leave;
  std::vector<PointSpec> route_points;
  std::optional<GroupsSpec> groups;  ///< none: everybody walks alone
  std::uint32_t draw_key = 0;        ///< what its random draws hang on: populate.hpp
};

/// People who cross a line are counted, positive from its left to its right.
struct LineMeasure {
  std::string name;
  Vec2 from, to;
  Index layer = none;  ///< none: the first layer
  std::string pointer;
};
/// Density in an area: persons / free square metres of it.
struct AreaMeasure {
  std::string name;
  AreaSpec area;
  double every = 1;
};

/// An obstacle by the name or id of a feature, or as the nearest to a point.
struct ObstacleSpec {
  std::string name;
  std::optional<PointSpec> near;
  std::string pointer;
};
struct SignSpec {
  PointSpec at;
  double facing = 0;  ///< degrees, counterclockwise from +x
  double range = 10;
};
/// On which side whom passes what.
struct GuidanceSpec {
  std::vector<ObstacleSpec> obstacles;
  routes::Side pass = routes::Side::right;
  std::vector<Index> populations;  ///< empty: everybody
  std::optional<SignSpec> sign;
};

struct Scenario {
  std::string source;              ///< file name, for messages; may be empty
  std::string environment_source;  ///< file name; the scenario's own where it is inline
  environment::Environment environment;
  double duration = 120, time_step = 0.1;
  std::uint64_t seed = 1;
  bool contact = true;  ///< bodies push and hold back each other
  std::vector<ProfileSpec> profiles;
  std::vector<PopulationSpec> populations;
  std::vector<WeightEvent> weight_events;  ///< by time
  std::vector<LineMeasure> lines;
  std::vector<AreaMeasure> areas;
  std::vector<GuidanceSpec> guidance;
  std::string guidance_text;     ///< as it stands in the file, to tell whether it changed
  std::size_t record_every = 1;  ///< steps
  std::string text;              ///< the file as it is, for recordings
};

}  // namespace throng::scenario
