#include "steering/companions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/elementary.hpp"
#include "steering/mover.hpp"

namespace throng::steering {
namespace {

using agents::MethodInfo;
using agents::Parameter;

constexpr double usual_view = 10;  ///< metres (Jaklin 2016, 10.4.1)
constexpr double half_turn = std::numbers::pi;

/// In the order of parameters_of().
enum Number {
  view,
  personal_space,
  social_distance,
  waiting_density,
  doorway,
  least_time,
  patience,
  seen_again,
  sight,
  limit,
  own_numbers  ///< what a method has beside these
};

std::vector<Parameter> common_numbers() {
  return {{.name = "view",
           .value = 0,
           .least = 0,
           .most = 1000,
           .unit = "m",
           .help = "leader and last are together up to this distance; 0: 10 m, or twice the sum of personal radii"},
          {.name = "personal_space",
           .value = 1,
           .least = 0.01,
           .most = 100,
           .unit = "m",
           .help = "who comes so near to one who waits, waits"},
          {.name = "social_distance",
           .value = 1,
           .least = 0,
           .most = 100,
           .unit = "m",
           .help = "between bodies that are together, in the measures of sociality"},
          {.name = "waiting_density",
           .value = 0.7,
           .least = 0,
           .most = 20,
           .unit = "1/m2",
           .help = "the leader waits where there are fewer others within 2 m"},
          {.name = "doorway",
           .value = 1,
           .least = 0,
           .most = 100,
           .unit = "m",
           .help = "no waiting where walls are nearer than this and wider ground lies within 5 m ahead",
           .published = 0,
           .source = "ours"},
          {.name = "least_time",
           .value = 2,
           .least = 0,
           .most = 1000,
           .unit = "s",
           .help = "in each mode, but for the first gathering",
           .published = 0,
           .source = "ours"},
          {.name = "patience",
           .value = 30,
           .least = 0,
           .most = 1e6,
           .unit = "s",
           .help = "of waiting, until who is missing is parted; 0: for ever",
           .published = 0,
           .source = "ours"},
          {.name = "seen_again",
           .value = 7,
           .least = 0,
           .most = 1000,
           .unit = "m",
           .help = "a parted member that sees a member so near is one of them again",
           .published = 0,
           .source = "ours"},
          {.name = "sight",
           .value = 1,
           .least = 0,
           .most = 1,
           .help = "1: only members in sight pull, slow or count as near; 0: walls are ignored",
           .published = 0,
           .source = "ours"},
          {.name = "limit",
           .value = 1.3,
           .least = 0,
           .most = 10,
           .help = "times one's own speed, of the velocity after social forces; 0: none",
           .published = 0,
           .source = "ours"}};
}

GroupRules common_rules(const double* numbers, std::size_t members) {
  GroupRules rules;
  rules.personal_space = numbers[personal_space];
  rules.view = group_view(numbers[view], rules.personal_space, members);
  rules.social_distance = numbers[social_distance];
  rules.waiting_density = numbers[waiting_density];
  rules.doorway = numbers[doorway];
  rules.least_time = numbers[least_time];
  rules.patience = numbers[patience];
  rules.seen_again = numbers[seen_again];
  rules.by_sight = numbers[sight] >= 0.5;
  rules.limit = numbers[limit];
  return rules;
}

bool sees(const Companions& group, std::size_t self, std::size_t other) {
  return (group.sight[self] >> other & 1) != 0;
}

/// Towards the centroid, from half a metre a further member on.
Vec2 attraction(const Companions& group, std::size_t self, double strength) {
  const Vec2 way = centroid_seen(group, self) - group.people->position[group.members[self]];
  const double distance = length(way);
  if (distance == 0 || distance < 0.5 * double(group.members.size() - 1)) return {};
  return way * (strength / distance);
}

class Sgn final : public GroupMethod {
 public:
  Sgn() {
    info_ = {"sgn", "waits for each other, and looks round: slower with members behind (Jaklin 2016, chapter 10)",
             common_numbers()};
    info_.parameters.push_back({.name = "gaze",
                                .value = 1,
                                .least = 0,
                                .most = 100,
                                .help = "strength a degree of turning, divided by the mass (S_vis)"});
    info_.parameters.push_back({.name = "attraction",
                                .value = 3,
                                .least = 0,
                                .most = 100,
                                .unit = "m/s2",
                                .help = "towards the centroid (S_att)"});
    info_.parameters.push_back({.name = "subgroup",
                                .value = 3,
                                .least = 1,
                                .most = double(most_members),
                                .help = "members that one looks round for, at most",
                                .published = double(most_members),
                                .source = "Jaklin 2016, 10.3.6.3"});
  }
  [[nodiscard]] const MethodInfo& info() const override { return info_; }
  [[nodiscard]] GroupRules rules(const double* numbers, std::size_t members) const override {
    GroupRules rules = common_rules(numbers, members);
    rules.gaze = numbers[own_numbers];
    rules.attraction = numbers[own_numbers + 1];
    rules.subgroup = std::size_t(numbers[own_numbers + 2]);
    return rules;
  }
  [[nodiscard]] Vec2 acceleration(const GroupRules& rules, const Companions& group, std::size_t self,
                                  Vec2 desired) const override {
    if (desired == Vec2{}) return {};
    const Slot slot = group.members[self];
    const People& people = *group.people;
    const Range mine = subgroup_of(self, group.members.size(), rules.subgroup);
    double turn = 0;
    for (std::size_t i = mine.first; i < mine.last; ++i)
      if (i != self && sees(group, self, i))
        turn = std::max(
            turn, turn_into_view(people.heading[slot], people.position[group.members[i]] - people.position[slot]));
    const double mass = mass_per_radius * people.radius[slot];
    return desired * (-rules.gaze * turn / mass) + attraction(group, self, rules.attraction);
  }

 private:
  MethodInfo info_;
};

class Moussaid2010 final : public GroupMethod {
 public:
  Moussaid2010() {
    info_ = {"moussaid_2010", "one way, own speeds, nobody waits; gaze, attraction, repulsion (Moussaid et al. 2010)",
             common_numbers()};
    info_.parameters.push_back({.name = "gaze",
                                .value = 4,
                                .least = 0,
                                .most = 100,
                                .unit = "1/s",
                                .help = "strength a radian of turning (beta_1)"});
    info_.parameters.push_back({.name = "attraction",
                                .value = 3,
                                .least = 0,
                                .most = 100,
                                .unit = "m/s2",
                                .help = "towards the centre of mass (beta_2)"});
    info_.parameters.push_back({.name = "repulsion",
                                .value = 1,
                                .least = 0,
                                .most = 100,
                                .unit = "m/s2",
                                .help = "from members that are too near (beta_3)"});
    info_.parameters.push_back({.name = "near",
                                .value = 0.8,
                                .least = 0,
                                .most = 100,
                                .unit = "m",
                                .help = "between centres: nearer is too near (d_0)"});
  }
  [[nodiscard]] const MethodInfo& info() const override { return info_; }
  [[nodiscard]] GroupRules rules(const double* numbers, std::size_t members) const override {
    GroupRules rules = common_rules(numbers, members);
    rules.waits = rules.one_speed = false;
    rules.gaze = numbers[own_numbers];
    rules.attraction = numbers[own_numbers + 1];
    rules.repulsion = numbers[own_numbers + 2];
    rules.near = numbers[own_numbers + 3];
    return rules;
  }
  [[nodiscard]] Vec2 acceleration(const GroupRules& rules, const Companions& group, std::size_t self,
                                  Vec2 desired) const override {
    // Alone, one's own centre of mass is off one's place by rounding: that is no direction.
    if (desired == Vec2{} || group.sight[self] == Members{1} << self) return {};
    const People& people = *group.people;
    const Slot slot = group.members[self];
    const Vec2 here = people.position[slot];
    const Vec2 centre = centre_of_mass(group, self);
    const double turn = turn_into_view(people.heading[slot], centre - here) * half_turn / 180;
    Vec2 sum = people.velocity[slot] * (-rules.gaze * turn);
    const double apart = distance(centre, here);
    if (apart > 0 && apart >= 0.5 * double(group.members.size() - 1))
      sum += (centre - here) * (rules.attraction / apart);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      if (i == self || !sees(group, self, i)) continue;
      const Vec2 away = here - people.position[group.members[i]];
      const double gap = length(away);
      if (gap > 0 && gap < rules.near) sum += away * (rules.repulsion / gap);
    }
    return sum;
  }

 private:
  /// Masses are proportional to radii.
  static Vec2 centre_of_mass(const Companions& group, std::size_t self) {
    Vec2 sum;
    double mass = 0;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      if (!sees(group, self, i)) continue;
      const double r = group.people->radius[group.members[i]];
      sum += group.people->position[group.members[i]] * r;
      mass += r;
    }
    return sum / mass;
  }

  MethodInfo info_;
};

class Formations final : public GroupMethod {
 public:
  Formations() {
    info_ = {"formation",
             "line abreast, V or river, by the room there is (Karamouzas, Overmars 2012; numbers are ours)",
             common_numbers()};
  }
  [[nodiscard]] const MethodInfo& info() const override { return info_; }
  [[nodiscard]] GroupRules rules(const double* numbers, std::size_t members) const override {
    GroupRules rules = common_rules(numbers, members);
    rules.keeps_formation = true;
    return rules;
  }
  [[nodiscard]] Vec2 acceleration(const GroupRules&, const Companions&, std::size_t, Vec2) const override {
    return {};  // it steers before avoidance
  }

 private:
  MethodInfo info_;
};

}  // namespace

double group_view(double given, double space, std::size_t members) {
  return given > 0 ? given : std::max(usual_view, 2 * space * double(members));
}

double turn_into_view(Vec2 heading, Vec2 offset) {
  if (dot(heading, offset) >= 0) return 0;
  const double angle = std::abs(geometry::arc_tangent(cross(heading, offset), dot(heading, offset)));
  return std::max(0.0, angle * (180 / half_turn) - 90);
}

Range subgroup_of(std::size_t member, std::size_t members, std::size_t most) {
  const std::size_t count = (members + most - 1) / most;
  const std::size_t least = members / count, larger = members % count;
  for (std::size_t i = 0, first = 0;; ++i) {
    const std::size_t last = first + least + (i < larger ? 1 : 0);
    if (member < last || last >= members) return {first, last};
    first = last;
  }
}

Vec2 centroid_seen(const Companions& group, std::size_t self) {
  Vec2 sum;
  std::size_t count = 0;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    if (!sees(group, self, i)) continue;
    sum += group.people->position[group.members[i]];
    ++count;
  }
  return sum / double(count);
}

std::string_view misfit_of_group(const GroupMethod& method, const double* numbers, std::size_t members, double radius) {
  const GroupRules rules = method.rules(numbers, members);
  if (rules.personal_space < radius) return "personal_space is below the radius of a member";
  if (rules.social_distance > rules.view) return "social_distance is above the view";
  if (numbers[view] > 0 && numbers[view] < 2 * rules.personal_space * double(members))
    return "view is below twice the sum of the members' personal spaces: in single file they would not see each other";
  return {};
}

const std::vector<const GroupMethod*>& group_methods() {
  static const Sgn sgn;
  static const Moussaid2010 moussaid_2010;
  static const Formations formation;
  static const std::vector<const GroupMethod*> all{&sgn, &moussaid_2010, &formation};
  return all;
}

const GroupMethod* find_group_method(std::string_view name) {
  for (const GroupMethod* method : group_methods())
    if (method->info().name == name) return method;
  return nullptr;
}

}  // namespace throng::steering
