// The inside of a crowd: columns by slot, and the parts of a step. See crowd.hpp for what holds.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <limits>

#include "agents/columns.hpp"
#include "agents/draws.hpp"
#include "crowd/crowd.hpp"
#include "crowd/detour_search.hpp"
#include "crowd/detours.hpp"
#include "crowd/executor.hpp"
#include "crowd/flow_fields.hpp"
#include "crowd/groups.hpp"
#include "crowd/handles.hpp"
#include "crowd/jams.hpp"
#include "crowd/level_use.hpp"
#include "crowd/methods.hpp"
#include "crowd/second_thoughts.hpp"
#include "crowd/strategies.hpp"
#include "crowd/stuck_clock.hpp"
#include "crowd/travellers.hpp"
#include "crowd/weight_rows.hpp"
#include "fields/occupancy.hpp"
#include "following/follower.hpp"
#include "routes/closed_ways.hpp"
#include "routes/decided_route.hpp"
#include "routes/waypoints.hpp"
#include "steering/avoider.hpp"
#include "steering/perception.hpp"

namespace throng::crowd {

/// People in a chunk: enough to keep threads busy, few enough to share the work evenly.
inline constexpr std::size_t chunk = 64;

inline constexpr double never = std::numeric_limits<double>::infinity();

/// A person's numbers that do not change from step to step.
struct Traits {
  double speed = 0;  ///< on the level
  float stairs_up = 1, stairs_down = 1;
  Index population = 0, profile = 0;
  std::uint32_t draws = 0, number = 0;
};

/// Why somebody asks for a route.
enum class Why : std::uint8_t {
  sets_out,      ///< has none, and stands until it is there; for all members of a traveller
  joins,         ///< the same for one member: to where the others go, or to its own place there
  lost_sight,    ///< cannot see the one it has, keeps its velocity for the one step, and joins what is left of it
  follows,       ///< the person it goes to has moved on; walks on meanwhile, which is no time
  thinks_again,  ///< wonders whether there is a better one, and walks on meanwhile
  ground,  ///< its weights have changed, and so may its way; for all members, who walk on meanwhile, which is no time
};

/// Somebody who asks for a route. Stale if the person left or asked again since.
struct Request {
  Index handle = 0;
  std::uint64_t serial = 0;
  std::uint32_t asked = 0;
  Why why = Why::sets_out;
  Reason reason = Reason::nothing;  ///< of a second thought
  std::uint64_t work_at = 0;        ///< the step in which it is planned
  std::uint64_t answer_at = 0;      ///< the step in which the answer is taken
};

/// What is wrong with a person, or with where it is to go, in a crowd that knows so many areas; empty where nothing is.
[[nodiscard]] std::string misfit_of(const AgentSpec& spec, std::size_t region_types, const Methods& methods);
[[nodiscard]] std::string misfit_of(const goals::ItineraryPtr& itinerary, std::size_t areas, std::size_t layers);

/// What is known of each person. Each column has one meaning, in one unit, through the whole step.
struct PeopleColumns {
  template <class T>
  using Column = agents::Column<T>;
  using Lives = agents::Lives;

  agents::ColumnStore store;
  // --- who and where
  Column<std::uint8_t> present{store, "present", Lives::agent, false};
  Column<Index> handle{store, "handle", Lives::agent, true};  ///< what the outside knows the person by
  Column<std::uint64_t> serial{store, "serial", Lives::agent, true};
  Column<Vec2> position{store, "position", Lives::agent, true};
  Column<Vec2> velocity{store, "velocity", Lives::agent, true};  ///< how the body moved in the last step
  Column<Vec2> walking{store, "walking", Lives::agent, true};    ///< the part of it that was walked, without pushes
  Column<Vec2> heading{store, "heading", Lives::agent, true, {1, 0}};
  Column<Index> layer{store, "layer", Lives::agent, true};
  Column<Index> cell{store, "cell", Lives::mesh, true};
  Column<double> clearance{store, "clearance", Lives::mesh, true};
  // --- what they are
  Column<double> radius{store, "radius", Lives::agent, true};
  Column<double> speed{store, "speed", Lives::step, false};  ///< preferred here and now: stairs are counted in
  Column<Traits> traits{store, "traits", Lives::agent, true};
  Column<Index> weights_row{store, "weights", Lives::agent, true};
  // --- what they do
  Column<Activity> activity{store, "activity", Lives::agent, true, Activity::before};
  Column<Activity> before_steering{store, "before steering", Lives::agent, true, Activity::before};
  Column<Index> traveller{store, "traveller", Lives::agent, true, none};  ///< that it is a member of
  /// When it takes any place in the area it goes to, since its own may be taken.
  Column<double> any_place_from{store, "any place from", Lives::goal, true, never};
  Column<std::uint32_t> asked{store, "asked", Lives::agent, true};  ///< how often the person asked for a route
  /// Where its route ends; with a field: its own place, layer none where it has none.
  Column<navmesh::Place> target{store, "target", Lives::agent, true};
  Column<routes::PlannedRoutePtr> route{store, "route", Lives::route, true};
  Column<FlowFieldPtr> field{store, "field", Lives::route, true};  ///< what it walks along instead of a route
  Column<following::FollowMemory> memory{store, "progress", Lives::route, true};
  Column<following::FollowHints> follow_hints{store, "hints", Lives::route, false};
  /// Metres that the person moves at least before it is at its goal: at more than 0 nobody has to look.
  Column<float> to_go{store, "to go", Lives::route, false};
  // --- written during a step
  Column<Vec2> preferred{store, "preferred", Lives::agent,
                         true};  ///< m/s; of those steered from outside it is given and stays
  // Between these two, where anybody coordinates: State::intended.
  Column<Vec2> chosen{store, "chosen", Lives::step, false};  ///< m/s, after avoidance
  /// m/s2: forces that come after avoidance, contact as published among them.
  Column<Vec2> acceleration{store, "acceleration", Lives::step, false};
  Column<Vec2> parting{store, "parting", Lives::step, false};  ///< metres: how touching bodies part in this step
  Column<Vec2> way{store, "way", Lives::step, false};  ///< metres: the way that is gone in this step, walls apart
  Column<Vec2> shortened_way{store, "shortened way", Lives::step,
                             false};                           ///< metres: what others leave of it, one round on
  Column<std::uint8_t> due{store, "due", Lives::step, false};  ///< has something to do in its itinerary
  Column<std::uint8_t> needs_route{store, "needs route", Lives::step, false};
  Column<std::uint8_t> may_be_held{store, "may be held", Lives::step, false};  ///< that, or somebody near is
  Column<std::uint8_t> is_held{store, "is held", Lives::step, false};          ///< somebody is in the way
};

struct Crowd::State final : PeopleColumns, steering::Journeys {
  State(WorldPtr w, CrowdOptions o);

  // --- everything else
  WorldPtr world;
  CrowdOptions options;
  Executor executor;
  std::vector<goals::Area> areas;
  MethodsPtr methods;
  std::vector<LevelUse> levels;  ///< in the order of agents::levels
  /// m/s, after coordination; there while anybody has a method for it, else what they prefer is what they intend.
  std::unique_ptr<agents::Column<Vec2>> intended;
  std::unique_ptr<fields::EdgeOccupancy> covered_edges;  ///< in this step, while a method asks for it
  bool any_steers_standing = false;                      ///< whether any method there is does
  Travellers travellers;
  std::unique_ptr<Groups> groups;  ///< none: nobody is in one
  std::uint64_t last_group = 0;
  std::vector<GroupEvent> group_events;  ///< of the last step
  std::vector<ChangeEvent> changes;      ///< of the last step
  FlowFields fields;
  routes::RouteTables tables;
  WeightRows weights;
  steering::Perception perception;
  std::vector<Slot> since_index;  ///< who was added, teleported or changed since perception took in where everybody was
  double widest = 0;              ///< radius of anybody who was there then
  double farthest_moved = 0;      ///< metres, by anybody since perception took in where everybody was
  std::vector<Slot> order;        ///< by serial
  std::vector<Slot> free_slots;
  Handles handles;
  std::uint64_t last_serial = 0;
  /// Whole steps since the time step last changed, so that time does not drift.
  struct Clock {
    double base = 0, step = 0;
    std::uint64_t steps = 0;
    [[nodiscard]] double now() const { return base + step * double(steps); }
    void advance(double dt) {
      if (dt != step) *this = {now(), dt, 0};
      ++steps;
    }
  } clock;
  [[nodiscard]] double time() const { return clock.now(); }
  std::uint64_t steps = 0;
  std::deque<Request> requests;
  /// A second thought: asked in one step, planned in another, its answer taken in a third.
  struct Thought {
    Request request;
    bool is_planned = false;
    routes::PlannedRoutePtr route;  ///< none: nothing was found within the budget
    Index area = none;
    navmesh::Place target{{}, none};
    SecondThoughts::Closed closes = {};     ///< edge none: nothing. What the way was planned without.
    std::optional<ToldThought> about = {};  ///< of a strategy, or of a sign
    navmesh::Place joins{{}, none};         ///< of a detour: where it comes back to the way
    double gap_left = -1;  ///< of a way through a gap: metres that are left behind it; negative: of none
  };
  std::vector<Thought> thoughts;  ///< in the order in which they were asked
  /// What people remember of second thoughts; there while anybody may have any that nobody outside asked for.
  using ConsideredColumn = agents::Column<std::unique_ptr<SecondThoughts>>;
  std::unique_ptr<ConsideredColumn> considered;
  std::unique_ptr<agents::Column<StuckClock>> stuck_clocks;  ///< there while anybody may be found stuck
  std::unique_ptr<Jams> jams;  ///< fields, queues, announcements: there while anybody goes by them
  std::unique_ptr<following::CrowdWeights> crowd_lines;  ///< there while anybody thinks of jams
  std::unique_ptr<Detours> detours;  ///< fields and what people remember: there while anybody goes round jams
  std::vector<GuidanceUse> guidance;
  std::unique_ptr<Strategies> strategies;  ///< while anybody has one, or there is guidance
  mutable StrategyTotals strategy_totals;
  /// What a thread plans with.
  struct Desk {
    routes::PlanDesk plan;
    routes::Route found, best;
    std::unique_ptr<routes::DecidedPlanner> decided;  ///< made when first needed
    DetourSearch detour = {};
    const routes::Strategy* told = nullptr;  ///< under which is planned now
    Index closed = none;                     ///< and a passage that is not to be crossed
  };
  tbb::enumerable_thread_specific<Desk> desks;
  std::vector<Slot> leaving;  ///< scratch: who leaves in this step
  std::vector<Departure> departures;
  std::vector<Contact> contacts;  ///< of the last step, by serials
  std::array<double, std::size(stage_names)> seconds{};
  // scratch
  std::vector<Slot> marked;  ///< by flagged()
  std::vector<Slot> came_from;
  agents::Cycles cycles;
  /// Of a chunk of people in grid order.
  struct Closeness {
    steering::Perception::NearPeople near;  ///< who may touch whom in this step
    std::vector<Contact> contacts;          ///< those found by the one with the lower serial
  };
  std::vector<Closeness> closeness;
  struct KeptRules {
    agents::MethodNumber method = 0;
    Index block = none;
    steering::MotionRules rules;
  } kept_rules;             ///< of whom they were taken from at the beginning of the step
  double widest_shell = 0;  ///< metres: no rule of anybody's has more (steering/mover.hpp)
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
  [[nodiscard]] std::span<const Slot> flagged(std::span<const std::uint8_t> flags);
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
  [[nodiscard]] double greatest(const Number& number) {
    std::atomic<double> most{0};
    executor.for_chunks(present.size(), chunk, [&](std::size_t begin, std::size_t end) {
      double here = 0;
      for (Slot slot = Slot(begin); slot < end; ++slot)
        if (present[slot] != 0) here = std::max(here, number(slot));
      double so_far = most.load(std::memory_order_relaxed);
      while (here > so_far && !most.compare_exchange_weak(so_far, here, std::memory_order_relaxed)) {
      }
    });
    return most;
  }

  // --- people (crowd.cpp)
  [[nodiscard]] LevelUse& level(Level which) { return levels[std::size_t(which)]; }
  [[nodiscard]] const LevelUse& level(Level which) const { return levels[std::size_t(which)]; }
  void put(Slot slot, const AgentSpec& spec);
  void set_traits(Slot slot, const AgentSpec& spec);
  void drop_traits(Slot slot);
  void clear_slot(Slot slot);
  void stand(Slot slot, const Standing& at);
  [[nodiscard]] agents::People view(double dt) const;
  [[nodiscard]] Standing standing(Slot slot) const;
  [[nodiscard]] double metres_left(Slot slot) const override;
  [[nodiscard]] double level_speed(Slot slot) const override { return traits[slot].speed; }

  // --- memory (sort_by_place.cpp)
  void sort_by_place();
  void find_cycles();

  // --- snapshots (snapshot.cpp)
  class Shared;
  Shared* sharing = nullptr;  ///< what many people share, while it is saved or loaded
  void set_codecs();
  [[nodiscard]] std::string unsound(Slot slot) const;
  [[nodiscard]] std::string unsound_strategy(Slot slot) const;
  [[nodiscard]] std::string check_loaded();

  // --- travellers and what they do (errands.cpp)
  [[nodiscard]] Errand& errand_of(Slot slot) { return travellers[traveller[slot]].errand; }
  [[nodiscard]] const Errand& errand_of(Slot slot) const { return travellers[traveller[slot]].errand; }
  [[nodiscard]] bool has_company(Slot slot) const { return travellers[traveller[slot]].company != nullptr; }
  /// Calls work(member) for everybody who travels with this person, in order of serials; it must not change who they are.
  template <class Work>
  void for_members(Slot slot, const Work& work) const {
    const Traveller& all = travellers[traveller[slot]];
    if (!all.company) return work(slot);
    for (const Index member : *all.company) work(handles.slot(member));
  }
  [[nodiscard]] std::vector<Slot> members_of(Slot slot) const;
  void join(Slot slot, Slot whom);
  void part(Slot slot);
  void leave_traveller(Slot slot);
  void begin_wait_together(Slot slot);
  /// Of a serial; none where that person is not there.
  [[nodiscard]] Slot slot_of_serial(std::uint64_t who) const;
  [[nodiscard]] bool is_person_due(Slot slot) const;
  /// What is wrong with going to persons, as some itineraries do: fields lead to places only.
  [[nodiscard]] std::string misfit_of_persons(const AgentSpec& spec) const;
  void go_to_person(Slot slot);
  void run_errands();
  void set_out(Slot slot);
  void ask_for_route(Slot slot, Why why);
  /// Whoever has to plan anew by itself: a traveller of one as if it set out, a member to where the others go.
  void plan_anew(Slot slot);
  [[nodiscard]] Index area_at_end(Slot slot) const;
  void think_again(Slot slot);
  [[nodiscard]] Slot slot_of(const Request& request) const;
  [[nodiscard]] bool is_due(Slot slot);
  enum class AtGoal { no, in_area, there };  ///< in_area: it has to look for its own place there
  [[nodiscard]] AtGoal at_goal(Slot slot);
  void reach_goal(Slot slot);
  void next_goal(Slot slot);
  void finish(Slot slot);

  // --- groups: who is in them (groups.cpp), what they do (group_modes.cpp), how they walk (group_walk.cpp)
  struct Roster;
  struct WalkingMembers;
  struct Frame;
  [[nodiscard]] Group* group_of(Slot slot);
  [[nodiscard]] const Group* group_of(Slot slot) const;
  [[nodiscard]] bool is_parted(Slot slot) const;
  [[nodiscard]] Slot leader_of(const Group& group) const;
  [[nodiscard]] std::string misfit_of_group(const GroupSpec& spec, std::span<const double> radii) const;
  Index begin_group(const GroupSpec& spec);
  void take_rules(Group& group);
  void enter_group(Slot slot, Index number);
  void forget_group(Slot slot);
  void leave_group(Slot slot);
  void keep_one_together(Group& group);
  void part_from_group(Slot slot);
  void rejoin_group(Slot slot);
  [[nodiscard]] std::string unsound(const Group& group) const;
  void save_groups(geometry::ArchiveWriter& out);
  [[nodiscard]] std::string load_groups(geometry::ArchiveReader& in);
  [[nodiscard]] std::string load_group(geometry::ArchiveReader& in);

  void run_groups();
  void decide(Group& group, Groups::Wishes& wishes);
  [[nodiscard]] Roster roster_of(const Group& group) const;
  [[nodiscard]] bool sees_member(const Group& group, Slot a, Slot b) const;
  [[nodiscard]] bool is_member_near(const Group& group, Slot a, Slot b, double apart) const;
  [[nodiscard]] double way_left(Slot slot) const;
  [[nodiscard]] bool may_wait(const Group& group, Slot leader) const;
  [[nodiscard]] bool sees_straight(Slot slot, Slot other) const;
  [[nodiscard]] bool find_way_to(Slot leader, Slot slot);
  void follow_leader(Group& group, const Roster& roster, Slot leader);
  void set_walking(Group& group, const Roster& roster);
  void gather(Group& group, const Roster& roster, Groups::Wishes& wishes);
  void walk_together(Group& group, const Roster& roster);
  void wait_at_goal(Group& group, const Roster& roster, Groups::Wishes& wishes);
  void look_for_group(const Group& group, const Roster& roster, Groups::Wishes& wishes) const;
  void share_leaders_way(const Group& group);

  template <class Work>
  void for_groups(const Work& work);
  [[nodiscard]] WalkingMembers walking_members(const Group& group) const;
  [[nodiscard]] bool is_led(Slot slot) const;
  [[nodiscard]] bool keeps_formation(Slot slot) const { return groups && groups->columns.keeps_place[slot] != 0; }
  void walk_at_one_speed();
  void come_to(Slot leader, Slot slot, const agents::People& people);
  void guide_groups(double dt);
  void show_neighbours(const Group& group, const agents::People& people);
  [[nodiscard]] Vec2 towards_members(const Group& group, Slot leader) const;
  [[nodiscard]] Vec2 turning_to(Slot slot) const;
  void pull_groups();
  [[nodiscard]] Vec2 with_pull(Slot slot, Vec2 wanted, double relaxation) const;
  [[nodiscard]] std::optional<Frame> frame_of(const WalkingMembers& members, Slot leader) const;
  [[nodiscard]] double free_width(Slot leader, const Frame& frame) const;
  [[nodiscard]] double crowd_ahead(const Group& group, Slot leader, const agents::People& people) const;
  [[nodiscard]] double shift_of(Slot leader, const Frame& frame, std::span<const Vec2> places) const;
  void choose_shape(Group& group, const WalkingMembers& members, const Frame& frame, Slot leader,
                    const agents::People& people);
  void keep_formation(Group& group, const agents::People& people);

  // --- routes (plans.cpp)
  void serve_requests();
  /// A way to one of several exits, of which one is taken by time once it is known what others have announced.
  struct Choice {
    routes::PlannedRoutePtr route;
    FlowFieldPtr field;
    double distance = 0;  ///< along the field
    Index area = none;
    navmesh::Place target{{}, none};
    std::vector<Visit> visits;
  };
  struct Plan {
    routes::PlannedRoutePtr route;
    FlowFieldPtr field;
    double distance = 0;  ///< along the field
    Index area = none;
    navmesh::Place target{{}, none};
    std::size_t expansions = 0;
    double gap_left = -1;              ///< of a way through a gap: metres that are left behind it; negative: of none
    double body = never;               ///< radius: of a group, those who are wider do not get through
    std::vector<Choice> choices = {};  ///< where exits are chosen by time
  };
  [[nodiscard]] bool follows_field(Slot slot) const;
  [[nodiscard]] std::span<const double> weights_of(Slot slot) const {
    return {weights.table().row(weights_row[slot]), weights.types()};
  }
  /// Whether what the person's weights of ground became may touch the way it goes (reweigh.cpp).
  [[nodiscard]] bool is_touched(Slot slot, std::span<const double> before, std::span<const double> now) const;
  [[nodiscard]] std::span<const double> weights_of_field(Slot slot) const;
  [[nodiscard]] bool plans_over_ground(Slot slot) const {
    return methods->route[level(Level::route).method(slot)].weighs_ground();
  }
  [[nodiscard]] bool wants_own_place(const Errand& e) const;
  [[nodiscard]] const goals::Goal& goal_of(Slot slot) const {
    const Errand& e = errand_of(slot);
    return e.itinerary->goals[e.goal];
  }
  [[nodiscard]] bool is_at_end_of_field(Slot slot) const;
  void make_fields(std::span<const Slot> who);
  /// What its method needs of the world for bodies like this one; made when somebody comes or changes, never in a step.
  void make_tables(Slot slot);
  [[nodiscard]] Plan plan_along_field(Slot slot) const;
  /// The best way to any of these areas, or to the point or person that is the goal where there are none.
  [[nodiscard]] Plan plan_for(Slot slot, double body, std::span<const Index> to, Desk& desk,
                              std::size_t most = routes::any_number) const;
  [[nodiscard]] routes::NoRoute plan_between(Slot slot, const navmesh::Place& from, const navmesh::Place& to,
                                             double body, std::size_t most, Desk& desk, std::size_t& expansions) const;
  [[nodiscard]] double widest_member(Slot slot, double below = never) const;
  [[nodiscard]] Slot without_too_wide(Slot slot, const Plan& plan);
  [[nodiscard]] Plan plan_to_goal(Slot slot, Desk& desk, std::size_t most = routes::any_number) const;
  [[nodiscard]] Plan plan_to_others(Slot slot, Desk& desk) const;
  [[nodiscard]] Plan plan_back_to_route(Slot slot, Desk& desk) const;
  [[nodiscard]] Plan plan(const Request& request, Desk& desk) const;

  // --- second thoughts (second_thoughts.cpp has the rules, plans.cpp what is done by them)
  /// Asks for one, for a reason, of somebody who walks along a route: not of who rests from such, has one under way, or goes where another
  /// member of its traveller leads. Whether it was asked for.
  bool reconsider(Slot slot, Reason why);
  void ask_for_thought(Slot slot, Reason why, std::optional<ToldThought> about = {});
  /// The plan for a reason: the one place where every reason has its search. Called by several threads.
  [[nodiscard]] Plan think(Thought& thought, Slot slot, Desk& desk) const;
  /// The rule of a reason, tested again when the answer is there.
  [[nodiscard]] bool is_worth_taking(const Thought& thought, Slot slot) const;
  void plan_thoughts();
  void take_thoughts();
  bool take_thought(Thought& thought, Slot slot);
  /// For those who look on; `from` is the area it went to before.
  void note_change(Slot slot, Reason why, Index from, DetourKind detour = DetourKind::nothing);
  void keep_considered();
  /// What was remembered of a world that is no more.
  void forget_places();
  /// Whoever of a traveller thinks for all: the first who walks.
  [[nodiscard]] bool leads(Slot slot) const;
  [[nodiscard]] SecondThoughts& thoughts_of(Slot slot);
  [[nodiscard]] const SecondThoughts* known_thoughts_of(Slot slot) const {
    return considered ? (*considered)[slot].get() : nullptr;
  }
  [[nodiscard]] Progress progress_of(Slot slot) const;
  /// The class of a way from where the person is, over a place on it, to its end; nothing where that is not known.
  [[nodiscard]] std::optional<routes::ChainWord> class_ahead(Slot slot, const routes::PlannedRoute& along,
                                                             double from) const;
  /// Finds a way along the axis, at costs of its own, to one of the goal's areas (none: to the point); its cost, infinite where there is none.
  using WayFinder = std::function<double(const routes::OnAxis& from, const routes::OnAxis& to, double radius,
                                         Index area, routes::AxisPath& path, std::size_t& expansions)>;
  /// The best way of any that a finder finds, pulled tight as the person's route method does, or else as `short` does.
  [[nodiscard]] Plan plan_by_ways(Slot slot, Desk& desk, std::span<const Index> to, const WayFinder& find) const;

  // --- who is stuck (stuck.cpp)
  /// Seconds after which somebody who does not get on is stuck; 0: it has no clock.
  [[nodiscard]] double patience_of(Slot slot) const;
  /// The same, of who has no method for jams but a strategy.
  [[nodiscard]] double patience_of_strategy(Slot slot) const;
  [[nodiscard]] bool is_stuck(Slot slot) const { return stuck_clocks && (*stuck_clocks)[slot].is_stuck != 0; }
  void sense(double dt);
  void keep_stuck_clocks();
  void run_stuck_clocks(double dt);
  [[nodiscard]] bool stands_in_moving_queue(Slot slot) const;
  [[nodiscard]] bool stands_still(Slot slot) const;
  /// Where on its way somebody is blocked, as a place on the axis.
  [[nodiscard]] std::optional<SecondThoughts::Closed> block_ahead(Slot slot) const;
  [[nodiscard]] std::vector<SecondThoughts::Closed> closed_for(Slot slot) const;
  [[nodiscard]] Plan plan_out_of_jam(Slot slot, Desk& desk, SecondThoughts::Closed& closes) const;
  struct WayThroughGap {
    routes::PlannedRoutePtr route;
    double gap_left = -1;
  };
  [[nodiscard]] WayThroughGap way_through_gap(Slot slot) const;
  [[nodiscard]] bool is_in_gap(Slot slot) const;
  /// Whether somebody stands in the way of a body on a straight line; who is touched already is no nearer than it is.
  [[nodiscard]] bool is_stood_on(Slot slot, const navmesh::Place& from, const navmesh::Place& to) const;

  // --- detours round jams that are seen (jam_fields.cpp, jam_detours.cpp)
  class CrowdLines;
  struct JamOnWay {
    double first = 0, last = 0;  ///< metres along the way
  };
  [[nodiscard]] bool detours_round_jams(Slot slot) const { return detours && congestion_method_detours(slot); }
  [[nodiscard]] bool congestion_method_detours(Slot slot) const;
  [[nodiscard]] DetourNumbers detour_numbers(Slot slot) const;
  [[nodiscard]] JamSight jam_sight(Slot slot, const DetourNumbers& numbers) const;
  [[nodiscard]] DetourMind* detour_mind(Slot slot) const { return detours ? (*detours->minds)[slot].get() : nullptr; }
  DetourMind& keep_detour_mind(Slot slot);
  [[nodiscard]] Detours::Wants wanted_fields() const;
  void begin_detours(const Detours::Wants& wants);
  [[nodiscard]] agents::Codec<std::unique_ptr<DetourMind>> detour_mind_codec();
  void keep_fields(double dt);
  [[nodiscard]] JamStamps stamps_of(Slot slot) const;
  [[nodiscard]] fields::Stamp stamp_in(Slot slot, double seconds) const;
  void leave_fields(Slot slot);
  void look_for_jams(double dt);
  [[nodiscard]] double seen_until(Slot slot, const routes::Route& along, double from, double most) const;
  [[nodiscard]] std::optional<JamOnWay> jam_on(JamSight& sight, const routes::Route& along, double from, double until,
                                               double longest) const;
  [[nodiscard]] std::optional<JamOnWay> jam_ahead(Slot slot) const;
  [[nodiscard]] std::optional<JamOnWay> jam_seen(Slot slot, const DetourNumbers& numbers, double from) const;
  void forget_jams_gone(Slot slot, DetourMind& mind, const DetourNumbers& numbers);
  void run_commitment(Slot slot, DetourMind& mind, double dt);
  [[nodiscard]] Plan plan_detour(Thought& thought, Slot slot, Desk& desk) const;
  [[nodiscard]] Plan plan_miranda(Thought& thought, Slot slot, Desk& desk, const routes::Route& old,
                                  const DetourNumbers& numbers) const;
  [[nodiscard]] Plan plan_id3(Thought& thought, Slot slot, Desk& desk, const routes::Route& old,
                              const DetourNumbers& numbers) const;
  [[nodiscard]] Plan plan_back(Slot slot, Desk& desk) const;
  [[nodiscard]] routes::PlannedRoutePtr joined_way(Slot slot, const std::vector<navmesh::Place>& points,
                                                   const routes::Route& old, double from) const;
  [[nodiscard]] routes::PlannedRoutePtr pulled_tight(Slot slot, Desk& desk, const routes::PlannedRoute& along,
                                                     std::span<const Index> chains, const DetourNumbers& numbers) const;
  [[nodiscard]] routes::PlannedRoutePtr repaired_by_gates(Slot slot, const routes::PlannedRoute& along) const;
  [[nodiscard]] JamBlockPtr block_around(const fields::Square& square, double threshold);
  [[nodiscard]] std::optional<double> meets(const routes::Route& along, double from, const JamBlock& block) const;
  [[nodiscard]] bool is_worth_going_back(const Thought& thought, Slot slot) const;
  /// Whether a detour is taken, and of what kind it is; what was met is remembered, what is decided binds.
  [[nodiscard]] DetourKind judge_detour(const Thought& thought, Slot slot,
                                        const std::optional<routes::ChainWord>& own_class,
                                        const std::optional<routes::ChainWord>& other);
  [[nodiscard]] double time_by(Slot slot, const routes::Route& along, double from, double place,
                               const DetourNumbers& numbers) const;
  void has_detoured(Slot slot, DetourKind kind, const navmesh::Place& joins,
                    const std::optional<routes::ChainWord>& own_class, const std::optional<routes::ChainWord>& other);

  // --- jams foreseen (congestion.cpp)
  /// Seconds that are left of a way.
  struct Expected {
    double walking = 0, waiting = 0;
  };
  /// Null where the level is off.
  [[nodiscard]] const CongestionMethod* congestion_of(Slot slot) const;
  [[nodiscard]] CongestionKind congestion_kind(Slot slot) const;
  [[nodiscard]] Journey* journey_of(Slot slot) const;
  void keep_jams();
  void keep_marks();
  void announce_loaded();
  void foresee(double dt);
  void mark_edges(double dt);
  void ask_about_jams(double dt);
  void make_journey(Slot slot, bool is_detour);
  void end_journey(Slot slot, bool has_arrived);
  void leave_jams(Slot slot);
  void announce(Slot slot, std::span<const std::int32_t> at_seconds);
  void announce_anew(Slot slot, bool is_detour);
  void pass_queues(Slot slot);
  void see_passages(Slot slot);
  void list_seconds(Slot slot, std::span<std::int32_t> at_seconds) const;
  [[nodiscard]] double metres_along(Slot slot) const;
  [[nodiscard]] std::vector<Visit> visits_of(const routes::PlannedRoute& along, Index area) const;
  [[nodiscard]] std::vector<Visit> visits_along(const routes::FlowField& along, Slot slot, Index area) const;
  [[nodiscard]] std::vector<ChainVisit> chains_of(const routes::PlannedRoute& along) const;
  [[nodiscard]] QueueCosts queue_costs(Slot slot) const;
  [[nodiscard]] DensityCosts density_costs(Slot slot) const;
  [[nodiscard]] Expected expected_on(Slot slot, std::span<const Visit> visits, double along, double end,
                                     double stood) const;
  [[nodiscard]] Expected expected_on_chains(Slot slot, std::span<const ChainVisit> chains, double along,
                                            double end) const;
  [[nodiscard]] Expected expected_time(Slot slot) const;
  [[nodiscard]] Expected expected_in_density(Slot slot) const;
  [[nodiscard]] bool has_to_wait(Slot slot) const;
  [[nodiscard]] bool saves_time(const Thought& thought, Slot slot) const;
  [[nodiscard]] std::vector<Index> areas_to_choose(Slot slot) const;
  [[nodiscard]] std::vector<routes::ClosedPlace> closed_places(Slot slot) const;
  [[nodiscard]] Plan plan_by_queues(Slot slot, Desk& desk) const;
  [[nodiscard]] Plan plan_by_density(Slot slot, Desk& desk, std::span<const Index> to) const;
  void choose_exit(Slot slot, Plan& plan) const;
  void choose_field_again(Slot slot);
  /// The goal with one of its areas only.
  [[nodiscard]] goals::Goal goal_to(Slot slot, Index area) const;
  [[nodiscard]] Choice choice_along_field(Slot slot, Index area) const;
  [[nodiscard]] navmesh::Place place_in(const goals::Area& area, Slot slot) const;
  void take_plan(Slot slot, Plan plan);
  void take_together(Slot slot, const Plan& plan);
  void take_answer(const Request& request, Slot slot, Plan plan);

  // --- the step (step.cpp)
  void step(double dt);
  void index(double dt);
  [[nodiscard]] bool is_grid_needed() const;
  [[nodiscard]] steering::Needs needs_of(Slot slot) const;
  /// Whether both surely need the same; people of one profile do, and most are of one profile.
  [[nodiscard]] bool has_needs_of(Slot slot, Slot other) const { return level(Level::avoid).same(slot, other); }
  void find_speeds();
  void find_near(double reach);  // move.cpp
  void follow(double dt);
  void prepare_to_coordinate();
  [[nodiscard]] bool is_steered_by_methods(Slot slot) const;
  void perceive_and_avoid(double dt);
  void perceive(const agents::People& people, std::span<const Slot> walkers);

  // --- strategies and guidance (decide.cpp)
  bool prepare_strategies();
  [[nodiscard]] std::span<Vec2> attraction_points();
  [[nodiscard]] bool is_told(const GuidanceUse& use, Slot slot) const;
  [[nodiscard]] routes::Strategy guided(Slot slot) const;
  [[nodiscard]] bool goes_against_guidance(Slot slot, const Plan& plan) const;
  [[nodiscard]] routes::Strategy held_decisions(Slot slot) const;
  [[nodiscard]] bool has_thought_under_way(Slot slot) const;
  [[nodiscard]] bool may_think_again(Slot slot) const;
  void prepare_to_decide();
  void decide(std::size_t number, std::span<const Slot> deciders, const steering::AvoidView& avoided,
              std::span<const agents::OwnColumns> own);
  void count_people_conflicts(Slot slot, double window);
  [[nodiscard]] bool keeps_sides(Slot slot) const;
  /// Whom it is still passing, in its view and not behind it; the others are forgotten.
  void list_kept(Slot slot, std::vector<SidedNeighbour>& kept);
  void keep_sides_of(Slot slot, double window);
  void ask_because_of_conflict(Slot slot, const routes::Strategy& by_route, const routes::Strategy& by_velocity,
                               const routes::Strategy& told, std::vector<Strategies::Ask>& asks);
  void ask_because_stuck(Slot slot, std::vector<Strategies::Ask>& asks);
  void see_signs();
  void heed_guidance(Slot slot);
  [[nodiscard]] Problems resolve_guidance(std::vector<Guidance> told, bool lenient,
                                          std::vector<GuidanceUse>& uses) const;
  void begin_thought(Slot slot, ToldThought about);
  void gather_asks();
  [[nodiscard]] Plan plan_as_told(Slot slot, const ToldThought& about, Desk& desk) const;
  [[nodiscard]] bool is_short_enough(const Thought& thought, Slot slot) const;
  /// What somebody remembers of a second thought that was answered.
  void note_decided(const Thought& thought, Slot slot, bool is_taken);
  void note_passages(Slot slot, const navmesh::Place& from, Index from_cell);

  // --- contact and motion (move.cpp)
  /// Everybody is asked for several times a step, and most have those of one profile: these are kept for the step.
  [[nodiscard]] steering::MotionRules rules_of(Slot slot) const {
    const LevelUse& use = level(Level::move);
    return use.block(slot) == kept_rules.block && use.method(slot) == kept_rules.method ? kept_rules.rules
                                                                                        : look_up_rules(slot);
  }
  [[nodiscard]] steering::MotionRules look_up_rules(Slot slot) const;
  void keep_rules();
  void find_contacts(double dt);
  void touch(Slot slot, std::span<const Slot> near, double dt, std::vector<Contact>& found);
  void list_contacts();
  [[nodiscard]] bool is_joined(Slot from, Slot to) const;
  void move(double dt);
  void plan_move(Slot slot, double dt);
  void turn(Slot slot, Vec2 walked, double turning, double dt);
  void hold_back();
  void mark_who_may_be_held();
  [[nodiscard]] Vec2 held_back(Slot slot, std::span<const Slot> near) const;
  [[nodiscard]] Vec2 given_up(Slot slot, Vec2 own_way, Slot other) const;
  void move_one(Slot slot, double dt);
};

}  // namespace throng::crowd
