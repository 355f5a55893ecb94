#include "following/direct.hpp"

#include <algorithm>

#include "following/along_route.hpp"

namespace throng::following {
namespace {

class Direct final : public Follower {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{"direct", "straight to the goal, whatever is in between", {}};
    return info;
  }
  void run(const FollowView& view, std::span<const Slot> who, const FollowOutput& out) const override {
    thread_local RouteWindow window;
    for (const Slot slot : who) {
      // As far along as the straight line to the goal is short: who walks freely comes nearer.
      const double length = view.way(slot).length();
      const Vec2 goal = goal_of(view.way(slot), window).point;
      out.memory[slot] = {std::max(0.0, length - distance(view.people.position[slot], goal)), length};
      head_straight_for(view.people, slot, goal, false, out);
    }
  }
};

}  // namespace

const Follower& direct() {
  static const Direct follower;
  return follower;
}

}  // namespace throng::following
