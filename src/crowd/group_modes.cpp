// What groups do in a step, from state n: who leads, who waits for whom, who is parted (groups.hpp; Jaklin 2016, 10.2.2). Groups decide at the
// same time, each for its members; what changes travellers is done after that, in their order.
#include <algorithm>
#include <array>
#include <cmath>

#include "crowd/state.hpp"
#include "following/route_window.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"

namespace throng::crowd {

namespace {

using steering::Members;

/// Metres around a leader in which others count for whether it may wait there.
constexpr double density_radius = 2;
constexpr double density_ground = 3.14159265358979323846 * density_radius * density_radius;
/// Metres of the route ahead that are looked at for wider ground than in a doorway, and between looks.
constexpr double doorway_ahead = 5, doorway_step = 0.5;
/// Who comes plans again once the leader is this many metres from where it was.
constexpr double leader_moved_on = 1;
/// Part of the radius that who walks straight to a leader keeps from walls.
constexpr double straight_room = 0.9;
/// Groups decided at a time by a thread.
constexpr std::size_t groups_at_once = 16;

}  // namespace

/// Those of a group that are not parted, with what they are doing.
struct Crowd::State::Roster {
  std::array<Slot, steering::most_members> slot;
  std::size_t count = 0;
  Members walk = 0;    ///< on the way, or about to be
  Members parted = 0;  ///< of the group's list, by place in that

  [[nodiscard]] std::span<const Slot> all() const { return {slot.data(), count}; }
};

Crowd::State::Roster Crowd::State::roster_of(const Group& group) const {
  Roster roster;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const Slot slot = handles.slot(group.members[i]);
    if (is_parted(slot)) {
      roster.parted |= Members{1} << i;
      continue;
    }
    if (activity[slot] == Activity::walking || activity[slot] == Activity::planning)
      roster.walk |= Members{1} << roster.count;
    roster.slot[roster.count++] = slot;
  }
  return roster;
}

bool Crowd::State::sees_member(const Group& group, Slot a, Slot b) const {
  if (!group.rules.by_sight) return true;
  // From the same end, so that both see each other or none does.
  if (serial[b] < serial[a]) std::swap(a, b);
  return navmesh::visible_from(*world->mesh, {{position[a], layer[a]}, cell[a], clearance[a]}, {position[b], layer[b]},
                               0);
}

bool Crowd::State::is_member_near(const Group& group, Slot a, Slot b, double apart) const {
  return squared_length(position[a] - position[b]) <= apart * apart && sees_member(group, a, b);
}

/// What is left of the way, and how far one is from where on it one should be: behind the start of a route all are at its start.
double Crowd::State::way_left(Slot slot) const {
  const double left = metres_left(slot);
  if (field[slot] || !route[slot]) return left;
  const double along = memory[slot].reference;
  const following::FollowHints::Line& line = follow_hints[slot].line;
  if (line.length > 0 && along >= line.begin && along <= line.end())
    return left + distance(position[slot], line.from + (line.to - line.from) * ((along - line.begin) / line.length));
  thread_local following::RouteWindow window;
  window.open(route[slot]->way, along);
  return left + distance(position[slot], window.pieces().at(along).point);
}

/// Few others are around, and it does not stand in a doorway.
bool Crowd::State::may_wait(const Group& group, Slot leader) const {
  thread_local std::vector<Slot> around;
  around.clear();
  const auto count = [&](Slot other) {
    if (present[other] == 0 || group_of(other) == &group || std::ranges::find(around, other) != around.end()) return;
    if (is_member_near(group, leader, other, density_radius)) around.push_back(other);
  };
  perception.for_each_within(position[leader], density_radius + farthest_moved, count);
  std::ranges::for_each(since_index, count);
  if (double(around.size()) >= group.rules.waiting_density * density_ground) return false;
  if (clearance[leader] >= group.rules.doorway || !route[leader]) return true;
  thread_local following::RouteWindow window;
  const routes::PackedRoute& path = route[leader]->way;
  const double from = memory[leader].reference, until = std::min(path.length(), from + doorway_ahead);
  window.open(path, from);
  window.reach(until);
  for (double along = from; along <= until; along += doorway_step) {
    const routes::RoutePoint p = window.pieces().at(along);
    const std::optional<double> room = navmesh::clearance(*world->mesh, {p.point, p.layer});
    if (room && *room >= group.rules.doorway) return false;
  }
  return true;
}

bool Crowd::State::sees_straight(Slot slot, Slot other) const {
  return navmesh::visible_from(*world->mesh, {{position[slot], layer[slot]}, cell[slot], clearance[slot]},
                               {position[other], layer[other]},
                               std::min({straight_room * radius[slot], clearance[slot], clearance[other]}));
}

/// Whether there is a way: straight, the one it has, or a new one.
bool Crowd::State::find_way_to(Slot leader, Slot slot) {
  GroupColumns& c = groups->columns;
  if (sees_straight(slot, leader)) return c.way_to_leader[slot].reset(), true;
  const navmesh::Place there{position[leader], layer[leader]};
  const navmesh::Place& before = c.way_planned_to[slot];
  if (c.way_to_leader[slot] && before.layer == there.layer && distance(before.point, there.point) <= leader_moved_on)
    return true;
  Desk& desk = desks.local();
  std::size_t expansions = 0;
  const navmesh::Place here{position[slot], layer[slot]};
  // A slender leader may stand where a wide member finds no room.
  for (const double body : {radius[slot], std::min(radius[slot], clearance[leader])}) {
    if (plan_between(slot, here, there, body, routes::any_number, desk, expansions) != routes::NoRoute::found) continue;
    c.way_to_leader[slot] = routes::share(desk.found);
    c.way_memory[slot] = {}, c.way_hints[slot] = {};
    c.way_planned_to[slot] = there;
    return true;
  }
  return c.way_to_leader[slot].reset(), false;
}

/// One that is steered from outside leads as long as that lasts: the others come to it, whatever else they do.
void Crowd::State::follow_leader(Group& group, const Roster& roster, Slot leader) {
  GroupColumns& c = groups->columns;
  group.mode = GroupMode::follows;
  group.since = time();
  for (const Slot slot : roster.all()) {
    if (activity[slot] == Activity::steered || activity[slot] == Activity::planning) continue;
    const bool is_there = is_member_near(group, leader, slot, group.rules.personal_space + radius[slot]);
    c.companionship[slot] = is_there || !find_way_to(leader, slot) ? Companionship::stands : Companionship::comes;
  }
}

void Crowd::State::set_walking(Group& group, const Roster& roster) {
  for (const Slot slot : roster.all()) {
    groups->columns.companionship[slot] = Companionship::walks;
    groups->columns.way_to_leader[slot].reset();
  }
  group.mode = GroupMode::walks;
  group.since = time();
  group.is_new = false;
}

/// Who comes into the personal space of one who waited in state n waits from now on; once all do, they walk.
void Crowd::State::gather(Group& group, const Roster& roster, Groups::Wishes& wishes) {
  GroupColumns& c = groups->columns;
  const bool has_patience = group.rules.patience > 0;
  Members waited = 0;
  for (std::size_t i = 0; i < roster.count; ++i)
    if (c.companionship[roster.slot[i]] == Companionship::stands) waited |= Members{1} << i;
  waited &= roster.walk;
  Slot leader = leader_of(group);
  std::size_t first = 0;
  while (first < roster.count && roster.slot[first] != leader) ++first;
  if (first == roster.count || (roster.walk >> first & 1) == 0) {
    // Its leader is gone, or there was none yet.
    const Members among = waited != 0 ? waited : roster.walk;
    first = std::size_t(std::countr_zero(among));
    leader = roster.slot[first];
    group.leader = handle[leader];
  }
  waited |= Members{1} << first;
  Members waits = waited, lost_way = 0;
  for (std::size_t i = 0; i < roster.count; ++i) {
    const Slot slot = roster.slot[i];
    if ((roster.walk >> i & 1) == 0) {
      c.companionship[slot] = Companionship::walks;
      continue;
    }
    if ((waits >> i & 1) == 0)
      for (std::size_t k = 0; k < roster.count; ++k)
        if ((waited >> k & 1) != 0 &&
            is_member_near(group, roster.slot[k], slot, group.rules.personal_space + radius[slot])) {
          waits |= Members{1} << i;
          break;
        }
    const bool stands = (waits >> i & 1) != 0;
    c.companionship[slot] = stands ? Companionship::stands : Companionship::comes;
    if (stands)
      c.way_to_leader[slot].reset();
    else if (activity[slot] == Activity::walking && !find_way_to(leader, slot))
      lost_way |= Members{1} << i;
  }
  const double spent = time() - group.since;
  const bool is_out_of_patience = has_patience && spent >= group.rules.patience;
  const Members missing = roster.walk & ~waits;
  Members goes = is_out_of_patience ? missing : has_patience ? lost_way : 0;
  if ((missing & ~goes) == 0 && (goes != 0 || group.is_new || spent >= group.rules.least_time)) {
    set_walking(group, roster);
    wishes.share_way = true;
  }
  // As bits of the group's list.
  for (std::size_t i = 0, k = 0; i < group.members.size(); ++i) {
    if ((roster.parted >> i & 1) != 0) continue;
    if ((goes >> k++ & 1) != 0) wishes.part |= Members{1} << i;
  }
}

/// Leader and last anew; where they are too far apart, the leader waits if it may.
void Crowd::State::walk_together(Group& group, const Roster& roster) {
  Slot leader = none, last = none;
  double least = 0, most = 0;
  for (std::size_t i = 0; i < roster.count; ++i) {
    const Slot slot = roster.slot[i];
    if (activity[slot] != Activity::walking) continue;
    const double left = way_left(slot);
    if (leader == none || left < least) leader = slot, least = left;
    if (last == none || left > most) last = slot, most = left;
  }
  if (leader == none) return;
  group.leader = handle[leader];
  group.last = handle[last];
  const double together = group.rules.view + radius[leader];
  const bool is_near = squared_length(position[leader] - position[last]) <= together * together;
  // On another storey, or round a long wall, what is near in the plane is far along the way.
  const bool is_coherent =
      is_near && (!group.rules.by_sight || most - least <= together || sees_member(group, leader, last));
  if (is_coherent || time() - group.since < group.rules.least_time || !may_wait(group, leader)) return;
  group.mode = GroupMode::gathers;
  group.since = time();
  for (std::size_t i = 0; i < roster.count; ++i)
    if ((roster.walk >> i & 1) != 0)
      groups->columns.companionship[roster.slot[i]] =
          roster.slot[i] == leader ? Companionship::stands : Companionship::comes;
}

/// A wait at a goal begins without those who keep the others waiting for too long.
void Crowd::State::wait_at_goal(Group& group, const Roster& roster, Groups::Wishes& wishes) {
  bool waits = false;
  for (const Slot slot : roster.all())
    waits = waits || (activity[slot] == Activity::waiting && errand_of(slot).until == never);
  if (!waits || roster.walk == 0) {
    group.at_goal_since = -1;
    return;
  }
  if (group.at_goal_since < 0) group.at_goal_since = time();
  if (group.rules.patience == 0 || time() - group.at_goal_since < group.rules.patience) return;
  for (std::size_t i = 0, k = 0; i < group.members.size(); ++i) {
    if ((roster.parted >> i & 1) != 0) continue;
    if ((roster.walk >> k++ & 1) != 0) wishes.part |= Members{1} << i;
  }
}

void Crowd::State::look_for_group(const Group& group, const Roster& roster, Groups::Wishes& wishes) const {
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    if ((roster.parted >> i & 1) == 0) continue;
    const Slot slot = handles.slot(group.members[i]);
    if (activity[slot] != Activity::walking && activity[slot] != Activity::waiting) continue;
    for (const Slot other : roster.all())
      if ((activity[other] == Activity::walking || activity[other] == Activity::waiting) &&
          is_member_near(group, slot, other, group.rules.seen_again)) {
        wishes.rejoin |= Members{1} << i;
        break;
      }
  }
}

void Crowd::State::decide(Group& group, Groups::Wishes& wishes) {
  const Roster roster = roster_of(group);
  wait_at_goal(group, roster, wishes);
  if (!group.rules.waits) {
    if (roster.parted != 0) look_for_group(group, roster, wishes);
    return;
  }
  const Slot leader = leader_of(group);
  if (leader != none && activity[leader] == Activity::steered) {
    follow_leader(group, roster, leader);
    if (roster.parted != 0) look_for_group(group, roster, wishes);
    return;
  }
  if (group.mode == GroupMode::follows) {
    set_walking(group, roster);
    wishes.share_way = true;
  }
  if (roster.walk == 0) {
    // Nobody is on the way: lost, or not yet; nobody stands for anybody.
    if (!group.is_new && group.mode != GroupMode::walks) set_walking(group, roster);
    for (const Slot slot : roster.all()) groups->columns.companionship[slot] = Companionship::walks;
    group.since = time();
    if (roster.parted != 0) look_for_group(group, roster, wishes);
    return;
  }
  if (group.mode == GroupMode::gathers && wishes.part == 0) return gather(group, roster, wishes);
  walk_together(group, roster);
  if (roster.parted != 0 && group.mode == GroupMode::walks) look_for_group(group, roster, wishes);
}

/// All go on along the leader's route: who came from elsewhere would look for its own where it was.
void Crowd::State::share_leaders_way(const Group& group) {
  const Slot leader = leader_of(group);
  if (leader == none || activity[leader] != Activity::walking || !route[leader]) return;
  for (const Index member : group.members) {
    const Slot slot = handles.slot(member);
    if (slot == leader || is_parted(slot) || activity[slot] != Activity::walking || follows_field(slot)) continue;
    const double behind = distance(position[slot], position[leader]);
    const following::FollowMemory& theirs = memory[leader];
    if (route[slot] == route[leader])
      memory[slot] = {std::min(memory[slot].reference, std::max(0.0, theirs.reference - behind)),
                      std::max(memory[slot].attraction, theirs.attraction)};
    else
      memory[slot] = {std::max(0.0, theirs.reference - behind), theirs.attraction};
    route[slot] = route[leader];
    follow_hints[slot] = {};
    to_go[slot] = 0;
  }
}

/// The stage: modes, leaders, who waits and who is parted.
void Crowd::State::run_groups() {
  group_events.clear();
  if (!groups) return;
  const std::span<const Index> all = groups->in_order();
  groups->wishes.assign(all.size(), {});
  executor.for_chunks(all.size(), groups_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) decide((*groups)[all[i]], groups->wishes[i]);
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Groups::Wishes& wishes = groups->wishes[i];
    if (wishes.part == 0 && wishes.rejoin == 0 && !wishes.share_way) continue;
    Group& group = (*groups)[all[i]];
    for (std::size_t k = 0; k < group.members.size(); ++k)
      if ((wishes.part >> k & 1) != 0) part_from_group(handles.slot(group.members[k]));
    for (std::size_t k = 0; k < group.members.size(); ++k)
      if ((wishes.rejoin >> k & 1) != 0) rejoin_group(handles.slot(group.members[k]));
    if (wishes.share_way) share_leaders_way(group);
    keep_one_together(group);
  }
}

}  // namespace throng::crowd
