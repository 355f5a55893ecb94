// How members of groups walk (groups.hpp): at one speed, to a leader that waits, in formation, and with the accelerations of companions after
// avoidance (Jaklin 2016, 10.3). Groups are gone through at the same time, each writing columns of its members only.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "crowd/state.hpp"
#include "following/lookahead.hpp"
#include "following/route_window.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"
#include "steering/stream.hpp"

namespace throng::crowd {

namespace {

using steering::Members;
using steering::Shape;
namespace formation = steering::formation;

constexpr std::size_t groups_at_once = 16;
/// Seconds in which a velocity is taken up where the method does it at once: what accelerations act for.
constexpr double usual_relaxation = 0.5;
/// Metres between looks at how wide it is along a route.
constexpr double width_step = 1;
/// Metres that a leader looks ahead for how crowded it is, and the cosine of half its view: as streams do (steering/stream.hpp).
constexpr double crowd_view = 1.5, crowd_view_cosine = 0;

Vec2 at_most(Vec2 v, double speed) {
  const double fast = length(v);
  return fast > speed ? v * (speed / fast) : v;
}

Vec2 towards(Vec2 from, Vec2 to) {
  const double far = distance(from, to);
  return far > 0 ? (to - from) / far : Vec2{};
}

}  // namespace

/// Members that walk along the group's way.
struct Crowd::State::WalkingMembers {
  std::array<Slot, steering::most_members> slot;
  std::size_t count = 0;
  [[nodiscard]] std::span<const Slot> all() const { return {slot.data(), count}; }
};

Crowd::State::WalkingMembers Crowd::State::walking_members(const Group& group) const {
  WalkingMembers members;
  for (const Index member : group.members) {
    const Slot slot = handles.slot(member);
    if (activity[slot] == Activity::walking && groups->columns.companionship[slot] == Companionship::walks)
      members.slot[members.count++] = slot;
  }
  return members;
}

template <class Work>
void Crowd::State::for_groups(const Work& work) {
  const std::span<const Index> all = groups->in_order();
  executor.for_chunks(all.size(), groups_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) work((*groups)[all[i]]);
  });
}

bool Crowd::State::is_led(Slot slot) const {
  if (!groups) return false;
  const Companionship does = groups->columns.companionship[slot];
  return does == Companionship::comes || does == Companionship::stands;
}

/// Who walks together walks at the slowest one's speed there.
void Crowd::State::walk_at_one_speed() {
  for_groups([&](Group& group) {
    double slowest = never;
    const bool together = group.rules.one_speed && group.mode == GroupMode::walks;
    const WalkingMembers members = walking_members(group);
    for (const Index member : group.members)
      groups->columns.own_speed[handles.slot(member)] = speed[handles.slot(member)];
    if (!together) return;
    for (const Slot slot : members.all()) slowest = std::min(slowest, speed[slot]);
    for (const Slot slot : members.all()) speed[slot] = slowest;
  });
}

/// Straight to a leader in sight, else along the way that was planned.
void Crowd::State::come_to(Slot leader, Slot slot, const agents::People& people) {
  GroupColumns& c = groups->columns;
  if (!c.way_to_leader[slot]) {
    preferred[slot] = at_most((position[leader] - position[slot]) / people.time_step, speed[slot]);
    return;
  }
  const following::Follower& follower = following::lookahead();
  thread_local std::vector<double> numbers = agents::default_block(following::lookahead().info());
  thread_local std::vector<Index> same;
  same.resize(present.size());  // all at the first block
  const following::FollowView seen{
      people, c.way_to_leader, {numbers.data(), same}, nullptr, weights_row, &weights.table(), field, target};
  const following::FollowOutput out{c.way_memory, preferred, {}, c.way_lost, c.way_hints};
  follower.run(seen, {&slot, 1}, out);
  if (c.way_lost[slot] != 0) c.way_to_leader[slot].reset();
}

/// Those who come and who stand, and those who keep a formation.
void Crowd::State::guide_groups(double dt) {
  const agents::People people = view(dt);
  GroupColumns& c = groups->columns;
  for_groups([&](Group& group) {
    const Slot leader = leader_of(group);
    for (const Index member : group.members) {
      const Slot slot = handles.slot(member);
      c.keeps_place[slot] = 0;
      c.partners[slot].count = 0;
      c.facing[slot] = {};
      if (!is_led(slot) || activity[slot] == Activity::steered || activity[slot] == Activity::planning) continue;
      preferred[slot] = {};
      if (leader == none) continue;
      if (c.companionship[slot] == Companionship::comes)
        come_to(leader, slot, people);
      else
        c.facing[slot] = slot == leader ? towards_members(group, slot) : towards(position[slot], position[leader]);
    }
    if (group.mode == GroupMode::walks || !group.rules.waits) show_neighbours(group, people);
    if (group.rules.keeps_formation && group.mode == GroupMode::walks) keep_formation(group, people);
  });
}

/// For others, who go round a group that is together.
void Crowd::State::show_neighbours(const Group& group, const agents::People& people) {
  const WalkingMembers members = walking_members(group);
  if (members.count < 2) return;
  std::array<steering::Partners, steering::most_members> partners;
  steering::find_partners(people, members.all(), std::span(partners).first(members.count));
  for (std::size_t i = 0; i < members.count; ++i) groups->columns.partners[members.slot[i]] = partners[i];
}

/// A leader that waits looks to where those are that it sees.
Vec2 Crowd::State::towards_members(const Group& group, Slot leader) const {
  Vec2 sum;
  std::size_t count = 0;
  for (const Index member : group.members) {
    const Slot slot = handles.slot(member);
    if (slot == leader || is_parted(slot) || !sees_member(group, leader, slot)) continue;
    sum += position[slot];
    ++count;
  }
  return count == 0 ? Vec2{} : towards(position[leader], sum / double(count));
}

/// Of who stands for the others: where it turns to. Everybody else turns to where they want to go.
Vec2 Crowd::State::turning_to(Slot slot) const {
  if (groups && groups->columns.facing[slot] != Vec2{}) return groups->columns.facing[slot];
  return preferred[slot];
}

/// Accelerations of companions, from state n and what avoidance chose.
void Crowd::State::pull_groups() {
  GroupColumns& c = groups->columns;
  const agents::People people = view(0);
  for_groups([&](Group& group) {
    for (const Index member : group.members) c.pull[handles.slot(member)] = {};
    if (group.mode != GroupMode::walks && group.rules.waits) return;
    const WalkingMembers members = walking_members(group);
    if (members.count < 2 || group.rules.keeps_formation) return;
    std::array<Members, steering::most_members> sight;
    for (std::size_t i = 0; i < members.count; ++i) sight[i] = Members{1} << i;
    for (std::size_t i = 0; i < members.count; ++i)
      for (std::size_t k = i + 1; k < members.count; ++k)
        if (sees_member(group, members.slot[i], members.slot[k]))
          sight[i] |= Members{1} << k, sight[k] |= Members{1} << i;
    const steering::Companions companions{&people, members.all(), {sight.data(), members.count}};
    const steering::GroupMethod& method = methods->group[group.method];
    for (std::size_t i = 0; i < members.count; ++i)
      c.pull[members.slot[i]] = method.acceleration(group.rules, companions, i, chosen[members.slot[i]]);
  });
}

/// The velocity that is taken up: what was chosen, and what companions make of it.
Vec2 Crowd::State::with_pull(Slot slot, Vec2 wanted, double relaxation) const {
  const Vec2 pull = groups->columns.pull[slot];
  if (pull == Vec2{}) return wanted;
  const Vec2 sum = wanted + pull * (relaxation > 0 ? relaxation : usual_relaxation);
  const double limit = group_of(slot)->rules.limit;
  return limit > 0 ? at_most(sum, limit * groups->columns.own_speed[slot]) : sum;
}

// --- formations

/// Where a group is on its way, and which way that leads.
struct Crowd::State::Frame {
  Vec2 centre, ahead;
  double along = 0, left = 0;  ///< metres of the route
  [[nodiscard]] Vec2 in(Vec2 p) const { return {dot(p - centre, ahead), dot(p - centre, perpendicular(ahead))}; }
  [[nodiscard]] Vec2 out(Vec2 p) const { return centre + ahead * p.x + perpendicular(ahead) * p.y; }
};

std::optional<Crowd::State::Frame> Crowd::State::frame_of(const WalkingMembers& members, Slot leader) const {
  Frame frame;
  Vec2 sum;
  for (const Slot slot : members.all()) sum += position[slot];
  frame.centre = sum / double(members.count);
  if (!route[leader]) {
    // Along a field there is no route to look at.
    frame.ahead = towards({}, preferred[leader]);
    frame.left = metres_left(leader);
    return frame.ahead == Vec2{} ? std::nullopt : std::optional(frame);
  }
  thread_local following::RouteWindow window;
  double from = memory[leader].reference, until = from;
  for (const Slot slot : members.all()) {
    if (route[slot] != route[leader]) continue;
    from = std::min(from, memory[slot].reference);
    until = std::max(until, memory[slot].reference);
  }
  const double second = speed[leader];
  window.open(route[leader]->way, from);
  window.reach(until + second + 1);
  const routes::Route& path = window.pieces();
  if (path.pieces.empty()) return std::nullopt;
  const double length = route[leader]->way.length();
  const routes::RoutePoint here = path.closest(frame.centre, from, std::min(length, until));
  frame.along = here.along;
  frame.left = length - here.along;
  frame.centre = here.point;
  frame.ahead = towards(here.point, path.at(std::min(length, here.along + second)).point);
  return frame.ahead == Vec2{} ? std::nullopt : std::optional(frame);
}

/// Twice the smallest clearance of the medial axis beside the route ahead: the route itself hugs corners.
double Crowd::State::free_width(Slot leader, const Frame& frame) const {
  double least = never;
  const auto look = [&](const navmesh::Place& place) {
    if (const auto axis = navmesh::retract(*world->mesh, place)) least = std::min(least, axis->clearance);
  };
  look({position[leader], layer[leader]});
  if (!route[leader]) return 2 * least;
  thread_local following::RouteWindow window;
  const double until = std::min(route[leader]->way.length(), frame.along + formation::ahead_seconds * speed[leader]);
  window.open(route[leader]->way, frame.along);
  window.reach(until);
  for (double along = frame.along; along <= until; along += width_step) {
    const routes::RoutePoint p = window.pieces().at(along);
    look({p.point, p.layer});
  }
  return 2 * least;
}

/// Of the ground in a leader's view, as streams have it, without its own group.
double Crowd::State::crowd_ahead(const Group& group, Slot leader, const agents::People& people) const {
  thread_local steering::Lists seen, no_walls;
  const steering::Needs needs{
      .most = std::numeric_limits<std::uint32_t>::max(), .range = crowd_view, .view_cosine = crowd_view_cosine};
  perception.look(people, {&leader, 1}, {&needs, 1}, seen, no_walls);
  double covered = 0;
  for (const Slot other : seen.of(0))
    if (group_of(other) != &group) covered += std::numbers::pi * radius[other] * radius[other];
  return steering::stream_density(covered, std::numbers::pi / 2 * crowd_view * crowd_view);
}

/// The row may lie in a wall where the route hugs a corner: sideways by what is missing, where there is room.
double Crowd::State::shift_of(Slot leader, const Frame& frame, std::span<const Vec2> places) const {
  double right = 0, left = 0;
  for (const Vec2 place : places) right = std::min(right, place.y), left = std::max(left, place.y);
  const double beside = formation::body_room / 2;
  const auto missing = [&](double aside) {
    const double reach = std::abs(aside) + beside;
    const Vec2 side = perpendicular(frame.ahead) * (aside < 0 ? -1.0 : 1.0);
    const navmesh::Hit hit =
        navmesh::first_hit(*world->mesh, {frame.centre, layer[leader]}, frame.centre + side * (2 * reach));
    return hit.blocked ? reach - distance(frame.centre, hit.point) : -reach;
  };
  const double off_right = missing(right < 0 ? right : -1e-9), off_left = missing(left);
  if (off_right > 0 && -off_left >= off_right) return off_right;
  if (off_left > 0 && -off_right >= off_left) return -off_left;
  return 0;
}

void Crowd::State::choose_shape(Group& group, const WalkingMembers& members, const Frame& frame, Slot leader,
                                const agents::People& people) {
  const bool is_same_size = group.has_shape && group.in_shape == members.count;
  if (is_same_size && time() - group.looked_at < formation::choose_seconds) return;
  group.looked_at = time();
  const Shape fits = steering::shape_for(free_width(leader, frame), crowd_ahead(group, leader, people), members.count);
  const bool may_change = !is_same_size || time() - group.shape_since >= formation::keep_seconds;
  const bool is_other = !is_same_size || (may_change && fits != group.shape);
  if (is_other) group.shape = fits, group.shape_since = time();
  group.has_shape = true;
  group.in_shape = members.count;
  steering::Places places;
  std::array<Vec2, steering::most_members> at;
  steering::lay_out(group.shape, members.count, places);
  for (std::size_t i = 0; i < members.count; ++i) at[i] = frame.in(position[members.slot[i]]);
  steering::ordered(group.shape, std::span(at).first(members.count), places, !is_other, group.order);
}

void Crowd::State::keep_formation(Group& group, const agents::People& people) {
  const WalkingMembers members = walking_members(group);
  const Slot leader = leader_of(group);
  if (members.count < 2 || leader == none || std::ranges::find(members.all(), leader) == members.all().end()) return;
  const std::optional<Frame> frame = frame_of(members, leader);
  if (!frame) return;
  choose_shape(group, members, *frame, leader, people);
  steering::Places places;
  steering::lay_out(group.shape, members.count, places);
  double back = 0;
  for (std::size_t i = 0; i < members.count; ++i) back = std::max(back, -places[i].x);
  // Near its end everybody goes there for themselves.
  if (frame->left < back + formation::reach_seconds * speed[leader]) return;
  const double aside = shift_of(leader, *frame, std::span(places).first(members.count));
  GroupColumns& c = groups->columns;
  for (std::size_t i = 0; i < members.count; ++i) {
    const Slot slot = members.slot[i];
    const Vec2 place = frame->out(places[group.order[i]] + Vec2{0, aside});
    if (!navmesh::visible_from(*world->mesh, {{position[slot], layer[slot]}, cell[slot], clearance[slot]},
                               {place, layer[leader]}, 0))
      continue;
    c.keeps_place[slot] = 1;
    c.place_in_formation[slot] = place;
    c.in_formation[slot] = at_most(frame->ahead * speed[slot] + (place - position[slot]) / formation::reach_seconds,
                                   formation::speed_factor * c.own_speed[slot]);
  }
}

}  // namespace throng::crowd
