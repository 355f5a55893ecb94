// The crowd: people on a world, moved step by step (docs/architecture.md, one step of the crowd).
//
// Laws
// 1. State n is read-only while n + 1 is computed: results do not depend on the number of threads or on the order of people.
// 2. Hard walls: after every step clearance of every body is at least its radius - tolerance::wall, and no centre crossed a wall.
// 3. Serials count up from 1 and are never used again; AgentIds of people who left are recognised.
// 4. Random draws hang on seed, population, number in it, purpose and step only.
// validate() checks what can be checked from outside.
//
// Thread-safety: one caller at a time; step() uses its own threads. Spans stay valid until the next call that is not const.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/people.hpp"
#include "crowd/agent_spec.hpp"
#include "crowd/guidance.hpp"
#include "crowd/motion.hpp"
#include "crowd/second_thoughts.hpp"
#include "crowd/world.hpp"
#include "goals/area.hpp"
#include "steering/coordinator.hpp"
#include "steering/formation.hpp"
#include "text/archive.hpp"
#include "throng/result.hpp"

namespace throng::routes {
struct PlannedRoute;  // planned_route.hpp
}

namespace throng::crowd {

using agents::Slot;

struct Methods;                           // methods.hpp
enum class Companionship : std::uint8_t;  // groups.hpp
enum class GroupMode : std::uint8_t;      // groups.hpp

/// Of one person for good; slots change from step to step.
struct AgentId {
  Index index = none;
  std::uint32_t generation = 0;
  friend bool operator==(const AgentId&, const AgentId&) = default;
};

struct CrowdOptions {
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: all the machine has
  /// Search expansions a step for all first routes together, at most; who is not served waits, oldest first. 0: no limit. With a limit, who
  /// asks far away delays others where it bites, and results hang on them; hosts that prefer late routes to a long step may want that.
  std::size_t planning_budget = 0;
  /// Second thoughts have a budget of their own each, and are answered this many steps after they were asked.
  std::size_t second_thought_budget = 50'000;
  unsigned second_thought_steps = 5;
  bool contact =
      true;  ///< false: bodies pass through each other, nobody pushes or is held back, and there are no contacts
  std::shared_ptr<const Methods> methods = {};  ///< none: those of the library
  const void* host = nullptr;                   ///< handed on to methods (agents::People::host)
};

/// What somebody is doing.
enum class Activity : std::uint8_t {
  before,    ///< has not set out yet
  planning,  ///< waits for a route
  walking,
  waiting,  ///< at a goal
  arrived,  ///< stays at its last goal
  lost,     ///< there is no route to its goal
  steered,  ///< moved from outside
};

/// Somebody who left in the last step, or was removed.
struct Departure {
  std::uint64_t serial = 0;
  AgentId id;
  Index population = 0;
  bool arrived = false;
  double time = 0;
};

/// Two bodies that overlap, by their serials, the lower first.
struct Contact {
  std::uint64_t first = 0, second = 0;
  double overlap = 0;  ///< metres
};

/// Where somebody is going.
struct Destination {
  goals::ItineraryPtr itinerary;
  Index goal = 0;     ///< of the itinerary: the present one
  Index area = none;  ///< of the goal's areas the one it goes to, once that is decided
};

/// What somebody has in mind, for those who look on.
struct Mind {
  goals::ItineraryPtr itinerary;
  Index goal = 0;                         ///< of the itinerary: the present one
  Index area = none;                      ///< of the goal's areas the one it goes to
  std::optional<Vec2> attraction;         ///< where on its route it is heading for
  std::vector<std::uint64_t> neighbours;  ///< serials of those it minded in the last step, nearest first
  std::vector<navmesh::Place> way_ahead;  ///< its route from here on, as points
};

/// How somebody went with others in the last step, for those who look on.
struct Intent {
  Vec2 preferred;  ///< m/s: its own way
  Vec2 intended;   ///< m/s: what avoidance was asked for
  steering::Coordination by;
};

/// What came of somebody in the last step, for those who look on: the columns of the step (docs/architecture.md).
struct LastMotion {
  Vec2 preferred;     ///< m/s: what it wanted for itself
  Vec2 intended;      ///< m/s: what avoidance was asked for; the same without a method that coordinates
  Vec2 chosen;        ///< m/s: after avoidance
  Vec2 acceleration;  ///< m/s2: what pushed it
  Vec2 way;           ///< metres: the way it was let go, walls apart
};

struct ExpectedTime {
  double walking = 0, waiting = 0;  ///< seconds
};

/// A queue as it is foreseen, for those who look on.
struct QueueShown {
  navmesh::Place at;        ///< the middle of a passage, or a place in an area
  Index number = none;      ///< passages first, then areas
  Index area = none;        ///< whose border it is; none: a passage
  double capacity = 0;      ///< persons a second
  double waiting = 0;       ///< seconds, of who gets there now
  std::int64_t people = 0;  ///< who were to be there by now
};

/// How somebody thought again, for those who look on.
struct ThoughtsShown {
  Change last;                                        ///< why it last changed its way, and when
  std::uint32_t route_changes = 0, exit_changes = 0;  ///< so far
  std::uint32_t most_changes_a_minute = 0;
  std::uint32_t searches = 0;  ///< taken or fruitless
  bool is_stuck = false;
  double jam_time = 0;  ///< seconds stuck, in all
};

/// How a group is to go: a method for groups (steering/companions.hpp) and its numbers.
struct GroupSpec {
  MethodChoice method{"sgn", {}};
};

/// What became of a member in the last step.
struct GroupEvent {
  enum class Kind : std::uint8_t { parted, rejoined };
  Kind kind = Kind::parted;
  double time = 0;
  std::uint64_t group = 0, person = 0;  ///< serials
};

/// Somebody who took another way in the last step, or goes to another exit.
struct ChangeEvent {
  Reason why = Reason::nothing;
  double time = 0;
  std::uint64_t person = 0;      ///< serial
  navmesh::Place at;             ///< where it was
  Index from = none, to = none;  ///< of the goal's areas the one it went to, and the one it goes to now
  DetourKind detour = DetourKind::nothing;
};

/// How somebody went round jams, for those who look on.
struct DetoursShown {
  DetourKind last = DetourKind::nothing;
  std::uint32_t local = 0, global = 0, back = 0;  ///< so far
  std::uint32_t fruitless = 0;                    ///< searches
  std::uint32_t blocks = 0;                       ///< remembered, so far
  double committed_time = 0;                      ///< seconds
  std::size_t remembered = 0;                     ///< blocks, now
  std::optional<navmesh::Place> goal;             ///< of the detour that it is on
  std::optional<navmesh::Place> decision;         ///< where it is free to choose again
  double committed_until = 0;                     ///< seconds since the start; infinite: until it is there
};

/// A square of a density field, for those who look on.
struct DenseSquare {
  navmesh::Place middle;
  double persons = 0;  ///< a square metre
};

/// A group, for those who look on; valid until the next step.
struct GroupView {
  std::uint64_t serial = 0;
  std::string_view method;
  GroupMode mode{};
  Slot leader = agents::none, last = agents::none;
  std::vector<Slot> members;  ///< by serial
  const steering::GroupRules* rules = nullptr;
  std::optional<steering::Shape> shape;  ///< of a formation
};

/// Where somebody is to go, by population and number in it.
using ItineraryOf = std::function<goals::ItineraryPtr(Index population, std::uint32_t number)>;

/// The parts of a step, for those who want to know where the time goes.
enum class Stage { goals, index, plan, follow, perceive, coordinate, avoid, decide, move };
inline constexpr std::string_view stage_names[] = {"goals",      "index", "plan",   "follow", "perceive",
                                                   "coordinate", "avoid", "decide", "move"};

class Crowd {
 public:
  Crowd(WorldPtr world, CrowdOptions options = {});
  ~Crowd();
  Crowd(Crowd&&) noexcept;
  Crowd& operator=(Crowd&&) noexcept;

  [[nodiscard]] const World& world() const;
  /// Goals name areas by the numbers this gives out, from 0 on.
  Index add_area(goals::Area area);
  [[nodiscard]] const std::vector<goals::Area>& areas() const;

  /// Refused with the reason: not walkable, nearer to a wall than its radius, numbers out of range, unknown methods. Overlapping other
  /// people is allowed: contact forces part them.
  Result<AgentId> add(const AgentSpec& spec);
  bool remove(AgentId id);
  [[nodiscard]] bool holds(AgentId id) const;
  /// Moves somebody at once; the route is planned anew.
  Result<AgentId> teleport(AgentId id, const navmesh::Place& place);
  /// Goals for somebody, and all who travel with them; a member of a group leaves it for these.
  Result<AgentId> set_goals(AgentId id, goals::ItineraryPtr itinerary);
  /// Takes over radius, speed, methods, numbers, weights; place and goals stay.
  Result<AgentId> set_profile(AgentId id, const AgentSpec& spec);
  /// From now on the first travels with the second: its goals, exit, premovement, waits and route are theirs (travellers.hpp). Who is before
  /// setting out, sets out with them; otherwise it goes where they go. Who joins a member of a group is one of it, and of no other.
  Result<AgentId> join(AgentId id, AgentId whom);
  /// Walks on alone, to the goals it had, and is of no group.
  Result<AgentId> part(AgentId id);
  /// Adds people who are a group (groups.hpp), or nobody; one is somebody alone. Premovement, goals and given route are the first one's.
  Result<std::vector<AgentId>> add_group(std::span<const AgentSpec> specs, const GroupSpec& spec);
  /// People who are here are a group from now on, and of no other; goals are those of the lowest serial. Gives its serial.
  Result<std::uint64_t> make_group(std::span<const AgentId> ids, const GroupSpec& spec);
  /// Goals for all of a group, parted members included.
  Result<std::uint64_t> set_group_goals(std::uint64_t group, goals::ItineraryPtr itinerary);
  /// Who travels with somebody, that one included, in order of serials; nobody where nobody has that id.
  [[nodiscard]] std::vector<AgentId> members_with(AgentId id) const;
  /// Other weights of types of ground; those not named stay. Who is on the way plans again if that touches its way, or if ground that
  /// became cheaper could serve it; all others keep their routes to the bit.
  Result<AgentId> set_weights(AgentId id, const std::map<std::string, GroundWeight>& weights);
  /// Who is on the way looks for a better one, walks on meanwhile, and takes it if it is shorter than what is left: a few steps later, and only
  /// if the search ends within its own budget (CrowdOptions). Nothing happens to others.
  Result<AgentId> think_again(AgentId id);
  /// From now on the person walks with this velocity (walls and contact still hold), until release().
  Result<AgentId> steer(AgentId id, Vec2 velocity);
  Result<AgentId> release(AgentId id);
  /// Whether a body of that radius would stand here without touching a wall or anybody.
  [[nodiscard]] bool is_free(const navmesh::Place& place, double radius) const;

  /// Goes on in another world of the same layers and region types, with other areas and itineraries: what was built or taken away, and where
  /// goals are now. Everybody keeps place, speed and the goal they are at; who is on the way plans anew. Who has no room where they
  /// stand steps aside, within sight and a few metres; where somebody cannot, everything stays as it was and the reason is given.
  /// How many stepped aside.
  Result<std::size_t> change(WorldPtr world, std::vector<goals::Area> areas, const ItineraryOf& itinerary_of);

  /// On which side whom passes what, from now on, instead of what was told before; who knew what stays as it was knows it still. Refused:
  /// obstacles that are not there or that nobody can pass, one obstacle told left and right, signs in a wall, without range or direction.
  Result<std::size_t> set_guidance(std::vector<Guidance> guidance);
  [[nodiscard]] bool has_guidance() const;
  [[nodiscard]] std::vector<Guidance> guidance() const;
  /// By guidance: the obstacles that are meant.
  [[nodiscard]] std::vector<std::vector<Index>> guided_obstacles() const;
  /// By guidance, since it was set.
  [[nodiscard]] std::vector<GuidanceCount> guidance_counts() const;
  [[nodiscard]] StrategyCounts strategy_counts() const;
  /// What somebody decides now; nothing for who has no strategy and knows of no guidance.
  [[nodiscard]] std::optional<StrategyOf> strategy_of(Slot slot) const;
  /// Nothing for who has none.
  [[nodiscard]] std::optional<StrategyMarks> strategy_marks_of(Slot slot) const;

  /// One step of `dt` seconds. Refused for steps that are not positive and finite, with nothing changed.
  Result<std::size_t> step(double dt);

  [[nodiscard]] double time() const;
  [[nodiscard]] std::uint64_t step_count() const;
  [[nodiscard]] std::size_t size() const;           ///< people present
  [[nodiscard]] std::uint64_t last_serial() const;  ///< how many were ever added
  /// Slots in use, by serial.
  [[nodiscard]] std::span<const Slot> in_serial_order() const;
  [[nodiscard]] agents::People people() const;
  [[nodiscard]] Activity activity(Slot slot) const;
  [[nodiscard]] AgentId id_of(Slot slot) const;
  /// Where in the columns somebody is until the next step; none where nobody has that id.
  [[nodiscard]] Slot slot_of(AgentId id) const;
  [[nodiscard]] Index population_of(Slot slot) const;
  [[nodiscard]] Index profile_of(Slot slot) const;
  /// What a metre costs this person now, by kind of ground (ground/kinds.hpp).
  [[nodiscard]] std::span<const double> weights_of(Slot slot) const;
  /// The method of a level and its numbers; without a name where the level is off.
  [[nodiscard]] MethodChoice method_of(Level level, Slot slot) const;
  /// Metres to go along the route to the present goal; infinite where there is none.
  [[nodiscard]] double remaining(Slot slot) const;
  [[nodiscard]] Destination destination_of(Slot slot) const;
  /// Null where somebody has none, or walks along a field. Members of a traveller share one.
  [[nodiscard]] const routes::PlannedRoute* route_of(Slot slot) const;
  [[nodiscard]] Mind mind_of(Slot slot) const;
  /// What the person wanted in the last step, and what it made of it among others (steering/coordinator.hpp); nothing where it did not
  /// walk, or has no method for it.
  [[nodiscard]] std::optional<Intent> intent_of(Slot slot) const;
  [[nodiscard]] LastMotion motion_of(Slot slot) const;
  /// Nothing where no profile in the crowd makes anybody think again.
  [[nodiscard]] std::optional<ThoughtsShown> thoughts_of(Slot slot) const;
  // --- groups (groups.hpp)
  [[nodiscard]] std::vector<std::uint64_t> groups() const;  ///< serials, ascending
  [[nodiscard]] std::optional<GroupView> group(std::uint64_t serial) const;
  [[nodiscard]] std::vector<AgentId> members_of_group(std::uint64_t serial) const;  ///< by serial; empty: there is none
  [[nodiscard]] std::uint64_t group_of(Slot slot) const;                            ///< serial; 0: alone
  [[nodiscard]] Companionship companionship_of(Slot slot) const;
  [[nodiscard]] std::optional<Vec2> place_in_formation(Slot slot) const;
  /// Metres: what is left of the way, and how far from where on it one should be. By this leader and last are told.
  [[nodiscard]] double way_left(Slot slot) const;
  [[nodiscard]] std::span<const GroupEvent> group_events() const;  ///< in the last step

  /// Who changed its mind in the last step, in the order in which they did.
  [[nodiscard]] std::span<const ChangeEvent> changes() const;
  /// Seconds to its goal, of somebody who walks and whose profile foresees jams.
  [[nodiscard]] std::optional<ExpectedTime> expected_time_of(Slot slot) const;
  /// Of the present goal's areas the one it goes to; none where that is no area, or not decided.
  [[nodiscard]] Index area_of(Slot slot) const;
  /// Where anybody is to pass, by the numbers of passages, then areas; nothing where nobody foresees queues.
  [[nodiscard]] std::vector<QueueShown> queues() const;
  /// Nothing where nobody's profile goes round jams.
  [[nodiscard]] std::optional<DetoursShown> detours_of(Slot slot) const;
  /// Squares of side 0.3 m with at least that density now, or as people's ways foresee it in 4 or 8 s; in the order of their places. Nothing where nobody
  /// goes by it.
  [[nodiscard]] std::vector<DenseSquare> dense_squares(double least, int in_seconds) const;
  /// What anybody remembers as blocked.
  [[nodiscard]] std::vector<navmesh::Place> remembered_squares() const;
  /// What is thought to get through a queue, in persons a second, until it has stood and was counted: where more is known than its width.
  /// Refused for queues that are not there, and numbers that are not positive.
  Result<std::size_t> expect_capacity(Index queue, double persons_a_second);
  /// Persons a square metre, and how they move: of everybody within 2.4 m, spread over the ground that can be walked to
  /// (fields/density_field.hpp), as they are now. Nothing where nobody can be.
  struct Density {
    double persons = 0;  ///< a square metre
    Vec2 velocity;       ///< m/s
  };
  [[nodiscard]] std::optional<Density> density_at(const navmesh::Place& place) const;
  [[nodiscard]] std::span<const Departure> departures() const;  ///< in the last step
  /// At the start of the last step, in order of serials.
  [[nodiscard]] std::span<const Contact> contacts() const;
  /// Seconds that the parts of the last step took; never looked at by the simulation itself.
  [[nodiscard]] double seconds_of(Stage stage) const;

  /// Everything that decides how it goes on, as bytes.
  void save(geometry::ArchiveWriter& archive) const;
  /// Into an empty crowd on the same world with the same areas: goes on bit for bit as the one that was saved. Says how many people it
  /// holds; refused where the bytes are damaged or from elsewhere, after which the crowd is not to be used.
  Result<std::size_t> load(geometry::ArchiveReader& archive);

  [[nodiscard]] Problems validate() const;
  [[nodiscard]] std::size_t bytes() const;  ///< people and their routes

 private:
  Result<AgentId> set_goals_together(AgentId id, goals::ItineraryPtr itinerary);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng::crowd
