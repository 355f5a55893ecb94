#include "steering/between_members.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "navmesh/visibility.hpp"
#include "steering/avoider.hpp"

namespace throng::steering {
namespace {

constexpr double crowded = 0.7;       ///< persons a square metre
constexpr double crowded_radius = 2;  ///< metres
constexpr double crowded_people = crowded * std::numbers::pi * crowded_radius * crowded_radius;

/// Of people but this one and those of a group.
bool has_room_around(const AvoidView& view, Vec2 place, Slot slot, Index group) {
  std::size_t others = 0;
  view.perception->for_each_within(place, crowded_radius, [&](Slot other) {
    const bool counts = other != slot && view.people.layer[other] == view.people.layer[slot] &&
                        (group == agents::none || view.groups->group[other] != group);
    others += counts ? 1 : 0;
  });
  return double(others) < crowded_people;
}

/// Beyond this member, seen from its partner.
bool has_way_beside(const People& people, Slot member, Vec2 outwards, double wide) {
  const double reach = people.radius[member] + wide;
  if (people.clearance[member] >= reach) return true;
  const Vec2 here = people.position[member];
  return !navmesh::first_hit(*people.mesh, people.place(member), here + outwards * reach, people.cell[member]).blocked;
}

void add_between(const AvoidView& view, Slot slot, Slot a, Slot b, std::vector<BodyBetween>& bodies) {
  const People& people = view.people;
  const Vec2 way = people.position[b] - people.position[a];
  const double apart = length(way), r = people.radius[slot];
  const double gap = apart - people.radius[a] - people.radius[b];
  if (gap <= 0 || gap >= 2 * r + room_beside || people.layer[a] != people.layer[b]) return;
  const Vec2 side = way / apart;
  const double wide = 2 * r + room_beside;
  if (!has_way_beside(people, a, -side, wide) && !has_way_beside(people, b, side, wide)) return;
  if (!has_room_around(view, people.position[a] + way / 2, slot, view.groups->group[a])) return;
  const auto count = std::size_t(std::ceil(gap / r));
  for (std::size_t i = 1; i <= count && bodies.size() < most_between; ++i) {
    const double part = (people.radius[a] + gap * double(i) / double(count + 1)) / apart;
    bodies.push_back({people.position[a] + way * part,
                      people.velocity[a] + (people.velocity[b] - people.velocity[a]) * part,
                      std::min(people.radius[a], people.radius[b])});
  }
}

}  // namespace

std::span<const BodyBetween> bodies_between(const AvoidView& view, Slot slot, double around_groups) {
  if (view.groups == nullptr || !(around_groups > 0)) return {};
  thread_local std::vector<BodyBetween> bodies;
  bodies.clear();
  const GroupsAround& groups = *view.groups;
  const std::span<const Slot> others = view.perception->neighbours(slot);
  bool is_known = false;
  for (const Slot other : others) {
    const Index group = groups.group[other];
    if (group == agents::none || group == groups.group[slot]) continue;
    const Partners& partners = groups.partners[other];
    for (std::size_t i = 0; i < partners.count; ++i) {
      const Slot partner = partners.slot[i];
      // Where both are in mind the lower serial tells of the gap.
      if (view.people.serial[partner] < view.people.serial[other] && std::ranges::find(others, partner) != others.end())
        continue;
      if (!is_known && !has_room_around(view, view.people.position[slot], slot, agents::none)) return {};
      is_known = true;
      add_between(view, slot, other, partner, bodies);
    }
  }
  return bodies;
}

void find_partners(const People& people, std::span<const Slot> members, std::span<Partners> partners) {
  for (std::size_t i = 0; i < members.size(); ++i) partners[i].count = 0;
  const auto apart2 = [&](std::size_t i, std::size_t k) {
    return squared_length(people.position[members[i]] - people.position[members[k]]);
  };
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t k = i + 1; k < members.size(); ++k) {
      const double far = people.radius[members[i]] + people.radius[members[k]] + widest_gap, d2 = apart2(i, k);
      if (d2 >= far * far) continue;
      bool is_nearest = true;
      for (std::size_t j = 0; j < members.size() && is_nearest; ++j)
        is_nearest = j == i || j == k || apart2(i, j) >= d2 || apart2(k, j) >= d2;
      if (!is_nearest) continue;
      for (const auto& [from, to] : {std::pair{i, k}, std::pair{k, i}})
        if (partners[from].count < partners[from].slot.size())
          partners[from].slot[partners[from].count++] = members[to];
    }
}

}  // namespace throng::steering
