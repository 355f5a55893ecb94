// A crowd in a frame loop:
//
//   throng::Crowd crowd(world);
//   const throng::Result<throng::AgentId> anna = crowd.add({.position = {{2, 3}, 0}});
//   crowd.go_to(*anna, {{40, 8}, 0});
//   for (;;) { crowd.step(1.0 / 60); draw(crowd.positions()); }
//
// Laws
// 1. One seed and one sequence of calls give one result, bit for bit, on any number of threads.
// 2. No body ever enters or crosses an obstacle.
// 3. Spans have one row a person, all of one length, and stay valid until the next call that is not const. add() appends a row, remove()
//    (and leaving) puts the last row into the gap, teleport() writes one row: ids() tells whose a row is.
// 4. Nothing throws but lack of memory (result.hpp); what cannot be done is refused with a reason and changes nothing. After a step that
//    was refused for lack of memory a crowd is only good for being destroyed.
// Thread-safety: one caller at a time. Units: metres, seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/method.hpp"
#include "throng/result.hpp"
#include "throng/world.hpp"

namespace throng {

/// Somebody in a crowd. Ids of people who left are recognised as such.
struct AgentId {
  std::uint32_t index = ~std::uint32_t{0};  ///< place in the crowd's memory
  std::uint32_t generation = 0;             ///< how often that place was given out before

  friend bool operator==(const AgentId&, const AgentId&) = default;  ///< the same person
};

/// A method of a level, as blocks of scenario files name them.
struct Method {
  std::string name = {};                       ///< empty: the level's default, or its first
  bool as_published = false;                   ///< numbers left out are those of the paper instead of the defaults
  std::map<std::string, double> numbers = {};  ///< by name; of a choice its place among the words, from 0 on
};

/// How somebody is built and walks. Methods and their numbers are those of `profiles` in scenario files.
struct Profile {
  double radius = 0.24;  ///< of the body
  double speed = 1.34;   ///< preferred, on the level
  /// By the keys of scenario files (route, follow, avoid, move, ...); levels left out keep their defaults.
  std::map<std::string, Method> levels = {};
  std::map<std::string, GroundWeight> weights = {};  ///< of types of ground; those left out weigh 1
  double stairs_up = 0.5;                            ///< speed up stairs, as a part of that on the level
  double stairs_down = 0.65;                         ///< the same down
};

/// Somebody to be added.
struct Agent {
  Position position;      ///< in free space, a radius from obstacles
  Vec2 heading = {1, 0};  ///< any length but 0
  Profile profile = {};   ///< body and methods
};

/// How a crowd is run.
struct CrowdOptions {
  std::uint64_t seed = 1;  ///< of everything random
  unsigned threads = 0;    ///< 0: all the machine has
  /// Search expansions a step for first routes, at most; who is not served waits, oldest first. 0: no limit. With a limit, where it bites, who
  /// asks far away delays others, and results hang on them: for hosts that prefer late routes to a long step.
  std::size_t planning_budget = 0;
  bool contact = true;   ///< false: bodies pass through each other
  Methods methods = {};  ///< of the library, and a user's own (throng/method.hpp)
};

/// What somebody is doing.
enum class Doing {
  standing,  ///< has nowhere to go, or has arrived
  planning,  ///< waits for a route
  walking,   ///< is on the way
  lost,      ///< there is no way to the goal
  steered,   ///< is moved from outside
};

/// How crowded it is somewhere.
struct Density {
  double persons = 0;  ///< a square metre
  Vec2 velocity;       ///< m/s: the mean of those around
};

/// Seconds that somebody expects to take to the goal.
struct ExpectedTime {
  double walking = 0;
  double waiting = 0;  ///< in queues, at passages and exits
};

/// Why and when somebody last took another way.
struct Change {
  std::string_view why;  ///< asked, density, queues, detour, back, stuck, strategy, guidance
  double time = 0;       ///< seconds since the start
  std::string_view how;  ///< of a detour: local, global, back; otherwise nothing
};

/// See the head of this file.
class Crowd {
 public:
  /// An empty crowd.
  explicit Crowd(const World& world, const CrowdOptions& options = {});
  /// The same, with lack of memory or of threads as a problem.
  [[nodiscard]] static Result<Crowd> make(const World& world, const CrowdOptions& options = {});
  ~Crowd();                            ///< takes its people with it
  Crowd(Crowd&&) noexcept;             ///< leaves an object that can only be destroyed or assigned to
  Crowd& operator=(Crowd&&) noexcept;  ///< as above

  /// Refused where there is no room, or numbers or names are wrong.
  Result<AgentId> add(const Agent& agent);
  /// False where nobody has that id.
  bool remove(AgentId id);
  /// Whether that person is still here.
  [[nodiscard]] bool holds(AgentId id) const;
  /// Adds people who walk together (docs/groups.md): one way, one exit and one speed, and they wait for each other. All of them or nobody;
  /// at most 64. `method` is one for groups: sgn, moussaid_2010, formation; without a name sgn.
  Result<std::vector<AgentId>> add_group(std::span<const Agent> members, const Method& method = {});
  /// The same for people who are here: gives the group's number, from 1 on. Whoever was in another group leaves that. The first who was added
  /// leads at the beginning: a player who is to be followed is added first.
  Result<std::uint64_t> make_group(std::span<const AgentId> members, const Method& method = {});
  /// From now on somebody goes where another one goes, and is of that one's group, if they are in one.
  Result<AgentId> join(AgentId id, AgentId whom);
  /// Goes on alone; of a group that is left with one, that one does so, too.
  Result<AgentId> leave(AgentId id);
  /// Sends a group to a place, where it stays. To send one member by itself (`go_to`) takes it out of its group.
  Result<std::uint64_t> group_go_to(std::uint64_t group, const Position& goal, double radius = 0.5);
  /// The number of somebody's group; 0: they are in none.
  [[nodiscard]] std::uint64_t group_of(AgentId id) const;
  /// In the order in which they were added; empty where there is no such group.
  [[nodiscard]] std::vector<AgentId> members(std::uint64_t group) const;
  /// Sends somebody to a place, where they stay.
  Result<AgentId> go_to(AgentId id, const Position& goal, double radius = 0.5);
  /// Sends somebody to a person, whom they stay with: they stop at most so many metres away and go on when that person does. Lost when that
  /// person leaves. Refused for who walks along a flow field, which leads to places only.
  Result<AgentId> follow(AgentId id, AgentId person, double distance = 1.5);
  /// Moves somebody at once.
  Result<AgentId> teleport(AgentId id, const Position& position);
  /// Changes body and methods on the way.
  Result<AgentId> set_profile(AgentId id, const Profile& profile);
  /// Other weights of types of ground; those not named stay. Whose way that touches plans again at once, and so does who could use ground that
  /// became cheaper; all others keep their routes.
  Result<AgentId> set_weights(AgentId id, const std::map<std::string, GroundWeight>& weights);
  /// Who is on the way looks for a shorter one, walks on meanwhile, and takes it a few steps later if there is one.
  Result<AgentId> think_again(AgentId id);
  /// From now on this person walks with that velocity (a player); walls and other bodies still hold them up.
  Result<AgentId> steer(AgentId id, Vec2 velocity);
  /// Back to their goal.
  Result<AgentId> release(AgentId id);

  /// Refused for steps that are not positive and finite. Gives the number of people.
  Result<std::size_t> step(double seconds);

  /// Everything that decides how the crowd goes on, as bytes. (Goals that are areas need the crowd of a scenario.)
  [[nodiscard]] std::string snapshot() const;
  /// A crowd that goes on from a snapshot, bit for bit, on the world it was made on. Refused where the bytes are damaged or from
  /// another world. The seed is the snapshot's.
  static Result<Crowd> resume(const World& world, std::string_view bytes, const CrowdOptions& options = {});

  [[nodiscard]] double time() const;                            ///< seconds since the start
  [[nodiscard]] std::size_t size() const;                       ///< people present
  [[nodiscard]] std::span<const AgentId> ids() const;           ///< of everybody
  [[nodiscard]] std::span<const Vec2> positions() const;        ///< of everybody
  [[nodiscard]] std::span<const Vec2> velocities() const;       ///< of everybody
  [[nodiscard]] std::span<const Vec2> headings() const;         ///< unit vectors
  [[nodiscard]] std::span<const std::uint32_t> layers() const;  ///< of everybody
  /// Everybody within 2.4 m, spread over the ground that can be walked to. Nothing where nobody can be.
  [[nodiscard]] std::optional<Density> density_at(const Position& position) const;
  /// Of somebody who walks and whose profile foresees jams (level `congestion`: density, quickest); nothing of others.
  [[nodiscard]] std::optional<ExpectedTime> expected_time(AgentId id) const;
  /// Nothing for who never did, or thinks of no jams.
  [[nodiscard]] std::optional<Change> last_change(AgentId id) const;
  [[nodiscard]] Doing doing(AgentId id) const;  ///< standing where nobody has that id
  [[nodiscard]] Problems validate() const;      ///< what is broken; nothing, unless there is a fault in Throng

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace throng
