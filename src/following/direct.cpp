#include "following/direct.hpp"

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
      out.memory[slot] = {0, view.route[slot].length()};
      head_straight_for(view.people, slot, goal_of(view.route[slot], window).point, false, out);
    }
  }
};

}  // namespace

const Follower& direct() {
  static const Direct follower;
  return follower;
}

}  // namespace throng::following
