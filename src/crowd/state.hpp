// The inside of a crowd: columns by slot, and the parts of a step. See crowd.hpp for what holds.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <array>
#include <deque>
#include <limits>

#include "agents/blocks.hpp"
#include "crowd/crowd.hpp"
#include "crowd/executor.hpp"
#include "crowd/flow_fields.hpp"
#include "crowd/handles.hpp"
#include "following/follower.hpp"
#include "routes/waypoints.hpp"
#include "steering/avoider.hpp"
#include "steering/perception.hpp"

namespace throng::crowd {

using agents::BlockPool;

/// People in a chunk: enough to keep threads busy, few enough to share the work evenly.
inline constexpr std::size_t chunk = 64;

inline constexpr double never = std::numeric_limits<double>::infinity();

/// What a random number in the crowd is drawn for (geometry::DrawFor::purpose). Those of scenario/ begin at 1024.
enum class Purpose : std::uint32_t { place_in_area = 1 };

/// A person's numbers that do not change from step to step.
struct Traits {
  double speed = 0;  ///< on the level
  double route_clearance = 0;
  float stairs_up = 1, stairs_down = 1;
  Index population = 0, profile = 0;
  std::uint32_t draws = 0, number = 0;
  std::uint8_t route_method = 0;  ///< a routes::RouteMethod
};

/// How a person walks: numbers in followers() and avoiders(). Asked for in every step, unlike traits.
struct Methods {
  std::uint8_t follow = 0, avoid = 0;
};

/// Where a person is in its itinerary.
struct Errand {
  goals::ItineraryPtr itinerary;
  Index goal = 0;
  Index area = none;  ///< of the goal's areas the one it goes to
  double until = 0;   ///< before, waiting: when that ends; walking: when it takes any place in the area
};

/// Somebody who needs a route. Stale if the person left or asked again since.
struct Request {
  Index handle = 0;
  std::uint64_t serial = 0;
  std::uint32_t asked = 0;
};

/// What is wrong with a person, or with where it is to go, in a crowd that knows so many areas; empty where nothing is.
[[nodiscard]] std::string misfit_of(const AgentSpec& spec, std::size_t region_types);
[[nodiscard]] std::string misfit_of(const goals::ItineraryPtr& itinerary, std::size_t areas);

struct Crowd::State {
  State(WorldPtr w, CrowdOptions o);

  // --- columns
  std::vector<std::uint8_t> present;
  std::vector<Index> handle;  ///< what the outside knows the person by
  std::vector<std::uint64_t> serial;
  std::vector<Vec2> position, velocity, walking, heading;
  std::vector<Index> layer, cell;
  std::vector<double> clearance;
  std::vector<double> radius, speed;
  std::vector<Activity> activity;
  std::vector<Traits> traits;
  std::vector<Methods> methods;
  std::vector<Errand> errand;
  std::vector<std::uint32_t> asked;  ///< how often the person asked for a route
  std::vector<routes::PackedRoute> route;
  std::vector<FlowFieldPtr> field;  ///< what it walks along instead of a route
  std::vector<navmesh::Place>
      target;  ///< where its route ends; with a field: its own place, layer none where it has none
  std::vector<following::FollowMemory> memory;
  std::vector<following::FollowHints> follow_hints;
  std::vector<float>
      to_go;  ///< metres that the person moves at least before it is at its goal: at more than 0 nobody has to look
  std::vector<Index> follow_block, avoid_block, weights_row;
  // written during a step
  std::vector<Vec2> preferred;    ///< velocity; of those steered from outside it is given and stays
  std::vector<Vec2> chosen;       ///< velocity; while people move, the way they want to go in this step
  std::vector<Vec2> push;         ///< force; while people move, the way others let them go
  std::vector<std::uint8_t> due;  ///< has something to do in its itinerary
  std::vector<std::uint8_t> needs_route;
  std::vector<std::uint8_t> is_held;  ///< somebody is in the way

  /// Calls visit(column) for all of them.
  template <class Visit>
  void for_each_column(Visit&& visit) {
    const auto visit_all = [&](auto&... column) { (visit(column), ...); };
    visit_all(present, handle, serial, position, velocity, walking, heading, layer, cell, clearance, radius, speed);
    visit_all(activity, traits, methods, errand, asked, route, field, target, memory, follow_hints, to_go, follow_block,
              avoid_block, weights_row);
    visit_all(preferred, chosen, push, due, needs_route, is_held);
  }

  // --- everything else
  WorldPtr world;
  CrowdOptions options;
  Executor executor;
  std::vector<goals::Area> areas;
  BlockPool follow_numbers, avoid_numbers;
  FlowFields fields;
  routes::WaypointGraphs waypoints;
  following::WeightTable weight_table;
  steering::Perception perception;
  std::vector<Slot> since_index;  ///< who was added, teleported or changed since perception took in where everybody was
  double widest = 0;              ///< radius of anybody who was there then
  double farthest_moved = 0;      ///< metres, by anybody since perception took in where everybody was
  std::vector<Slot> order;        ///< by serial
  std::vector<Slot> free_slots;
  Handles handles;
  std::uint64_t last_serial = 0;
  double time = 0;
  std::uint64_t steps = 0;
  std::deque<Request> requests;
  /// What a thread plans with.
  struct Desk {
    routes::Planner planner;
    routes::Route found, best;
    routes::Search search;
  };
  tbb::enumerable_thread_specific<Desk> desks;
  std::vector<Departure> departures;
  std::vector<Contact> contacts;     ///< once somebody asked for them
  bool contacts_are_listed = false;  ///< those of the last step
  std::array<double, std::size(stage_names)> seconds{};
  // scratch
  std::vector<Slot> marked;  ///< by flagged()
  std::vector<Slot> came_from, cycles;
  /// Of a chunk of people in grid order.
  struct Closeness {
    steering::Perception::NearPeople near;  ///< who may touch whom in this step
    std::vector<Contact> contacts;          ///< those found by the one with the lower serial
  };
  std::vector<Closeness> closeness;
  double farthest_way = 0;  ///< metres that somebody wanted to go in the last step, at most
  double near_reach = 0;    ///< metres: bodies with no more than this between them are near

  // --- everybody (step.cpp)
  /// Calls work(slot) for everybody present, on all threads: it may write that slot's columns only.
  template <class Work>
  void for_everybody(const Work& work) {
    executor.for_chunks(present.size(), chunk, [&](std::size_t begin, std::size_t end) {
      for (Slot slot = Slot(begin); slot < end; ++slot)
        if (present[slot] != 0) work(slot);
    });
  }
  /// Those present whose flag is set, by serial: the order in which things happen to them, wherever they are in memory.
  [[nodiscard]] std::span<const Slot> flagged(const std::vector<std::uint8_t>& flags);
  /// Calls work(chunk, first, people) for everybody in grid order, on all threads; `first` is the first one's number in that order.
  template <class Work>
  void for_chunks_in_grid_order(const Work& work) {
    const std::span<const Slot> everybody = perception.in_grid_order();
    executor.for_chunks(everybody.size(), chunk, [&](std::size_t begin, std::size_t end) {
      work(begin / chunk, begin, everybody.subspan(begin, end - begin));
    });
  }
  /// The greatest number(slot) of everybody present, at least 0.
  template <class Number>
  [[nodiscard]] double greatest(const Number& number) const {
    double most = 0;
    for (Slot slot = 0; slot < present.size(); ++slot)
      if (present[slot] != 0) most = std::max(most, number(slot));
    return most;
  }

  // --- people (crowd.cpp)
  void grow_to(std::size_t slots);
  void put(Slot slot, const AgentSpec& spec);
  void set_traits(Slot slot, const AgentSpec& spec);
  void drop_traits(Slot slot);
  void clear_slot(Slot slot);
  void stand(Slot slot, const Standing& at);
  [[nodiscard]] Index weights_row_of(const std::vector<double>& weights);
  [[nodiscard]] agents::People view(double dt) const;
  [[nodiscard]] Standing standing(Slot slot) const;

  // --- memory (sort_by_place.cpp)
  void sort_by_place();
  void find_cycles();

  // --- snapshots (snapshot.cpp)
  [[nodiscard]] AgentSpec spec_of(Slot slot) const;
  void save_person(geometry::ArchiveWriter& out, Slot slot, std::uint32_t itinerary) const;
  [[nodiscard]] std::string load_person(geometry::ArchiveReader& in, Slot slot,
                                        const std::vector<goals::ItineraryPtr>& itineraries);

  // --- goals and routes (errands.cpp)
  void run_errands();
  void set_out(Slot slot);
  void ask_for_route(Slot slot);
  [[nodiscard]] bool is_due(Slot slot);
  [[nodiscard]] bool is_at_goal(Slot slot);
  void reach_goal(Slot slot);
  void next_goal(Slot slot);
  void leave(Slot slot, bool arrived);
  void serve_requests();
  struct Plan {
    routes::PackedRoute route;
    FlowFieldPtr field;
    double distance = 0;  ///< along the field
    Index area = none;
    navmesh::Place target{{}, none};
    std::size_t expansions = 0;
  };
  [[nodiscard]] bool follows_field(Slot slot) const;
  [[nodiscard]] bool wants_own_place(const Errand& e) const;
  [[nodiscard]] const goals::Goal& goal_of(Slot slot) const { return errand[slot].itinerary->goals[errand[slot].goal]; }
  [[nodiscard]] bool is_at_end_of_field(Slot slot);
  void make_fields(std::span<const Slot> who);
  void make_waypoints(std::span<const Slot> who);
  [[nodiscard]] Plan plan_along_field(Slot slot) const;
  [[nodiscard]] Plan plan_for(Slot slot, Desk& desk) const;
  [[nodiscard]] navmesh::Place place_in(const goals::Area& area, Slot slot) const;
  void take_plan(Slot slot, Plan plan);

  // --- the step (step.cpp)
  void step(double dt);
  void index(double dt);
  [[nodiscard]] bool is_grid_needed() const;
  [[nodiscard]] steering::Needs needs_of(Slot slot) const;
  /// Whether both surely need the same; people of one profile do, and most are of one profile.
  [[nodiscard]] bool has_needs_of(Slot slot, Slot other) const {
    return avoid_block[slot] == avoid_block[other] && methods[slot].avoid == methods[other].avoid;
  }
  void find_speeds();
  void find_near(double reach);
  void find_contacts();
  [[nodiscard]] Vec2 push_on(Slot slot, std::span<const Slot> near, std::vector<Contact>& found) const;
  void list_contacts();
  void follow(double dt);
  void perceive_and_avoid(double dt);
  void perceive(const agents::People& people, std::span<const Slot> walkers);
  void move(double dt);
  void plan_move(Slot slot, double dt);
  void hold_back();
  [[nodiscard]] Vec2 held_back(Slot slot, std::span<const Slot> near) const;
  void move_one(Slot slot, Vec2 way, double dt);
};

}  // namespace throng::crowd
