// The inside of a crowd: columns by slot, and the parts of a step. See crowd.hpp for what holds.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <array>
#include <deque>
#include <limits>

#include "crowd/blocks.hpp"
#include "crowd/crowd.hpp"
#include "crowd/executor.hpp"
#include "following/follower.hpp"
#include "steering/avoider.hpp"
#include "steering/perception.hpp"

namespace throng::crowd {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// What a random number in the crowd is drawn for (geometry::DrawFor::purpose). Those of scenario/ begin at 1024.
enum class Purpose : std::uint32_t { place_in_area = 1 };

/// A person's numbers that do not change from step to step.
struct Traits {
  double radius = 0;
  double speed = 0;
  double route_clearance = 0;
  float stairs_up = 1, stairs_down = 1;
  Index follow_block = 0, avoid_block = 0;
  Index weights = 0;  ///< row of the weight table
  Index population = 0, profile = 0;
  std::uint32_t draws = 0, number = 0;
  std::uint8_t follow_method = 0, avoid_method = 0;  ///< numbers in followers(), avoiders()
  routes::RouteMethod route_method = routes::RouteMethod::shortest_in_corridor;
};

/// Where a person is in its itinerary.
struct Errand {
  goals::ItineraryPtr itinerary;
  Index goal = 0;
  Index area = none;      ///< of the goal's areas the one it goes to
  navmesh::Place target;  ///< where its route ends
  double until = 0;       ///< before, waiting: when that ends; walking: when it takes any place in the area
  Vec2 steered;           ///< velocity given from outside
};

/// Somebody who needs a route. Stale if the person left or asked again since.
struct Request {
  Slot slot = 0;
  std::uint64_t serial = 0;
  std::uint32_t asked = 0;
};

struct Crowd::State {
  State(WorldPtr w, CrowdOptions o);

  // --- columns
  std::vector<std::uint8_t> present;
  std::vector<std::uint32_t> generation;
  std::vector<std::uint64_t> serial;
  std::vector<Vec2> position, velocity, walking, heading;
  std::vector<Index> layer, cell;
  std::vector<double> clearance;
  std::vector<double> radius, speed;
  std::vector<Activity> activity;
  std::vector<Traits> traits;
  std::vector<Errand> errand;
  std::vector<std::uint32_t> asked;  ///< how often the person asked for a route
  std::vector<routes::RoutePtr> route;
  std::vector<const routes::Route*> route_view;
  std::vector<following::FollowMemory> memory;
  // written during a step
  std::vector<Vec2> preferred, attraction, chosen, push, planned;
  std::vector<std::uint8_t> needs_route;
  std::vector<Index> follow_block, avoid_block, weights_row;  ///< as methods see them
  std::vector<Vec2> next_position, next_walking, next_heading;
  std::vector<Index> next_layer, next_cell;
  std::vector<double> next_clearance;

  // --- everything else
  WorldPtr world;
  CrowdOptions options;
  Executor executor;
  std::vector<goals::Area> areas;
  BlockPool follow_numbers, avoid_numbers;
  following::WeightTable weight_table;
  steering::Perception perception;
  std::vector<Slot> order;  ///< by serial
  std::vector<Slot> free_slots;
  std::uint64_t last_serial = 0;
  double time = 0;
  std::uint64_t steps = 0;
  std::deque<Request> requests;
  tbb::enumerable_thread_specific<routes::Planner> planners;
  std::vector<Departure> departures;
  std::vector<Contact> contacts;
  std::array<double, std::size(stage_names)> seconds{};
  // scratch
  std::vector<std::vector<Slot>> by_follower, by_avoider;
  std::vector<Slot> movers;
  std::vector<steering::Needs> needs;
  struct SlotContact {
    Slot first = 0, second = 0;
    double overlap = 0;
  };
  std::vector<std::vector<SlotContact>> contact_chunks;

  // --- people (crowd.cpp)
  void grow_to(std::size_t slots);
  void put(Slot slot, const AgentSpec& spec);
  void set_traits(Slot slot, const AgentSpec& spec);
  void drop_traits(Slot slot);
  void clear_slot(Slot slot);
  void stand(Slot slot, const Standing& at);
  [[nodiscard]] Index weights_row_of(const std::vector<double>& weights);
  [[nodiscard]] following::People view(double dt) const;
  [[nodiscard]] Standing standing(Slot slot) const;

  // --- goals and routes (errands.cpp)
  void run_errands();
  void set_out(Slot slot);
  void ask_for_route(Slot slot);
  [[nodiscard]] bool is_at_goal(Slot slot);
  void reach_goal(Slot slot);
  void next_goal(Slot slot);
  void leave(Slot slot, bool arrived);
  void serve_requests();
  struct Plan {
    routes::RoutePtr route;
    Index area = none;
    navmesh::Place target;
    std::size_t expansions = 0;
  };
  [[nodiscard]] Plan plan_for(Slot slot, routes::Planner& planner) const;
  [[nodiscard]] navmesh::Place place_in(const goals::Area& area, Slot slot) const;
  void take_plan(Slot slot, const Plan& plan);

  // --- the step (step.cpp)
  void step(double dt);
  void find_speeds();
  void find_contacts();
  void follow(double dt);
  void perceive(double dt);
  void avoid(double dt);
  void move(double dt);
  void plan_move(Slot slot, double dt);
  [[nodiscard]] Vec2 held_back(Slot slot, double widest, double farthest) const;
  void move_one(Slot slot, Vec2 way, double dt);
};

}  // namespace throng::crowd
