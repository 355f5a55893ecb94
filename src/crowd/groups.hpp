// Social groups: who is with whom, who leads, who waits for whom (docs/groups.md). A group is more than the traveller that its members share
// (travellers.hpp): it knows those, too, who have lost it.
//
// Words: a group gathers ("coordination" in Jaklin 2016, 10.2) until everybody waits beside somebody who waits, and walks otherwise. The leader
// is the first along the way; a member that the others no longer wait for is parted: it walks to the goal alone, and is one of them again
// once it sees one of them nearby.
//
// Laws
// 1. Nobody is in two groups. A group has 2 to 64 members, in order of serials; of a group that is left with one, that one walks alone.
// 2. Members that are not parted are one traveller; who is parted is one of its own.
// 3. The leader is a member that is not parted, or none. Not all members are parted.
// 4. Groups have serials from 1 on, never used again, and are gone through in their order.
// 5. While there are no groups there are no columns, and nothing is computed.
// Thread-safety: none while it is changed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/columns.hpp"
#include "agents/registry.hpp"
#include "crowd/agent_spec.hpp"
#include "following/follower.hpp"
#include "steering/between_members.hpp"
#include "steering/companions.hpp"
#include "steering/formation.hpp"

namespace throng::crowd {

using agents::Slot;

/// What a member does for its group.
enum class Companionship : std::uint8_t {
  walks,   ///< along the group's way
  comes,   ///< to the leader
  stands,  ///< for the others
  parted,  ///< alone, until it sees one of the others
};

enum class GroupMode : std::uint8_t {
  gathers,
  walks,
  follows,  ///< a leader that is steered from outside
};

struct Group {
  std::uint64_t serial = 0;
  agents::MethodNumber method = 0;
  std::vector<double> numbers;
  steering::GroupRules rules;
  std::vector<Index> members;  ///< handles
  GroupMode mode = GroupMode::gathers;
  bool is_new = true;         ///< has not gathered yet
  double since = 0;           ///< of the mode
  Index leader = none;        ///< handle
  Index last = none;          ///< handle: farthest from the goal, while it walks
  double at_goal_since = -1;  ///< since when somebody waits at a goal for the others; below 0: nobody does
  // Of a formation.
  steering::Shape shape = steering::Shape::abreast;
  bool has_shape = false;    ///< one was chosen, for as many as walk
  std::size_t in_shape = 0;  ///< members that it was chosen for
  double shape_since = 0, looked_at = 0;
  steering::Order order{};
};

/// By slot, while there are groups.
struct GroupColumns {
  template <class T>
  using Column = agents::Column<T>;
  using Lives = agents::Lives;
  explicit GroupColumns(agents::ColumnStore& store)
      : group(store, "group", Lives::agent, false, none),
        companionship(store, "companionship", Lives::agent, false, Companionship::walks),
        own_speed(store, "own speed", Lives::step, false),
        pull(store, "social force", Lives::step, false),
        pulled(store, "drawn by companions", Lives::step, false),
        facing(store, "facing", Lives::step, false),
        in_formation(store, "in formation", Lives::step, false),
        place_in_formation(store, "place in formation", Lives::step, false),
        keeps_place(store, "keeps place", Lives::step, false),
        partners(store, "partners", Lives::step, false),
        way_to_leader(store, "way to leader", Lives::route, false),
        way_memory(store, "progress to leader", Lives::route, false),
        way_hints(store, "hints to leader", Lives::route, false),
        way_planned_to(store, "leader was at", Lives::route, false),
        way_lost(store, "way to leader lost", Lives::step, false) {}

  Column<Index> group;  ///< its number; none: alone
  Column<Companionship> companionship;
  Column<double> own_speed;         ///< m/s: before it goes by the group's
  Column<Vec2> pull;                ///< m/s2: accelerations of companions, after avoidance
  Column<Vec2> pulled;              ///< m/s: what they made of the velocity in this step
  Column<Vec2> facing;              ///< of who stands: where to; zero: anywhere
  Column<Vec2> in_formation;        ///< m/s: to keep one's place
  Column<Vec2> place_in_formation;  ///< of those who have one
  Column<std::uint8_t> keeps_place;
  Column<steering::Partners> partners;            ///< neighbours in a group that walks together: others go round them
  Column<routes::PlannedRoutePtr> way_to_leader;  ///< of who comes and does not see the leader
  Column<following::FollowMemory> way_memory;
  Column<following::FollowHints> way_hints;
  Column<navmesh::Place> way_planned_to;
  Column<std::uint8_t> way_lost;
};

/// Groups by number, and their order.
class Groups {
 public:
  explicit Groups(agents::ColumnStore& store) : columns(store) {}

  [[nodiscard]] Group& operator[](Index number) { return *all_[number]; }
  [[nodiscard]] const Group& operator[](Index number) const { return *all_[number]; }
  /// Numbers, by serial.
  [[nodiscard]] std::span<const Index> in_order() const { return order_; }
  [[nodiscard]] bool any() const { return !order_.empty(); }

  Index add(Group group) {
    if (free_.empty()) {
      free_.push_back(Index(all_.size()));
      all_.emplace_back();
    }
    const Index number = free_.back();
    free_.pop_back();
    all_[number] = std::make_unique<Group>(std::move(group));
    order_.push_back(number);
    return number;
  }
  void end(Index number) {
    std::erase(order_, number);
    all_[number].reset();
    free_.push_back(number);
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t bytes = all_.capacity() * sizeof(all_[0]) + (free_.capacity() + order_.capacity()) * sizeof(Index);
    for (const Index number : order_)
      bytes += sizeof(Group) + all_[number]->members.capacity() * sizeof(Index) +
               all_[number]->numbers.capacity() * sizeof(double);
    return bytes;
  }

  GroupColumns columns;
  bool any_formation = false;  ///< of those there are

  /// What a step of a group asks for that is done after all of them are through, in their order: a bit for each member.
  struct Wishes {
    steering::Members part = 0, rejoin = 0;
    bool share_way = false;  ///< all take up the leader's route
  };
  std::vector<Wishes> wishes;  ///< scratch, by place in order

 private:
  std::vector<std::unique_ptr<Group>> all_;
  std::vector<Index> free_, order_;
};

}  // namespace throng::crowd
