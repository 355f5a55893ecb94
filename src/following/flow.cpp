#include "following/flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "following/along_route.hpp"
#include "following/route_sight.hpp"
#include "geometry/tolerances.hpp"

namespace throng::following {
namespace {

using navmesh::Place;
using Answer = routes::FlowField::Answer;

/// One person's step.
class AlongField {
 public:
  AlongField(const FollowView& view, Slot slot)
      : people_(view.people), slot_(slot), here_(people_.place(slot)), sight_(people_, slot) {}

  [[nodiscard]] bool sees_own(const Place& own) const {
    return own.layer != none && squared_length(own.point - here_.point) <= own_place_range * own_place_range &&
           sight_.sees(own);
  }

  [[nodiscard]] Vec2 aim_of(const Answer& answer, double field_radius) const {
    const double to_bend = length(answer.next - here_.point);
    const bool is_led_outwards = people_.clearance[slot_] < field_radius - tolerance::distinct;
    if (is_led_outwards && answer.distance > sight_.step()) return here_.point + answer.direction * sight_.step();
    const bool ends_there = answer.distance <= to_bend + tolerance::distinct;
    if (ends_there || to_bend >= sight_.step()) return answer.next;
    return beyond(answer, to_bend);
  }

 private:
  /// On beyond the point where the way begins to bend, as far as there is room, at most by the radius.
  [[nodiscard]] Vec2 beyond(const Answer& answer, double to_bend) const {
    const double least = std::max(sight_.step() / 64, tolerance::distinct);
    for (double more = std::min(sight_.step() - to_bend, sight_.radius()); more > least; more /= 2) {
      const Vec2 point = here_.point + answer.direction * (to_bend + more);
      const navmesh::Hit hit = navmesh::first_hit(*people_.mesh, here_, point, people_.cell[slot_]);
      if (!hit.blocked && sight_.sees({point, hit.layer})) return point;
    }
    return here_.point + answer.direction * (to_bend + least);
  }

  const People& people_;
  Slot slot_;
  Place here_;
  BodySight sight_;
};

void follow(const FollowView& view, Slot slot, const Answer& answer, const FollowOutput& out) {
  const People& people = view.people;
  out.memory[slot] = {0, answer.distance};
  if (!answer.reachable()) return head_straight_for(people, slot, people.position[slot], true, out);
  const AlongField along(view, slot);
  const Place own = view.own_place.empty() ? Place{{}, none} : view.own_place[slot];
  if (along.sees_own(own)) {
    out.memory[slot].attraction = length(own.point - people.position[slot]);
    return head_straight_for(people, slot, own.point, false, out);
  }
  head_straight_for(people, slot, along.aim_of(answer, view.field[slot]->radius()), false, out);
}

class Flow final : public Follower {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        "flow", "along the exact flow field to the goal, which all who go there share; needs no route", {}};
    return info;
  }
  [[nodiscard]] Guide guide() const override { return Guide::field; }
  void run(const FollowView& view, std::span<const Slot> who, const FollowOutput& out) const override {
    constexpr std::size_t at_once = 64;
    std::array<routes::FlowField::Question, at_once> questions;
    std::array<Answer, at_once> answers;
    for (std::size_t begin = 0; begin < who.size(); begin += at_once) {
      const std::span<const Slot> now = who.subspan(begin, std::min(at_once, who.size() - begin));
      for (std::size_t i = 0; i < now.size(); ++i)
        questions[i] = {view.field[now[i]].get(), view.people.position[now[i]], view.people.cell[now[i]],
                        view.people.clearance[now[i]]};
      routes::FlowField::ask_all(std::span(questions).first(now.size()), answers);
      for (std::size_t i = 0; i < now.size(); ++i) follow(view, now[i], answers[i], out);
    }
  }
};

}  // namespace

const Follower& flow() {
  static const Flow follower;
  return follower;
}

}  // namespace throng::following
