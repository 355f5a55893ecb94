#include "following/lookahead.hpp"

#include <algorithm>

#include "following/along_route.hpp"

namespace throng::following {
namespace {

enum Number { distance, sampling };

class Lookahead final : public Follower {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        "lookahead",
        "heads for the route some metres ahead, as far as it is in sight (van Toll, Pettre 2019)",
        {{"distance", 5, 0.1, 1e6, "m", "how far ahead on the route people head for"},
         {"sampling", 1, 0.05, 1e6, "m", "between points of the route that are looked at"}}};
    return info;
  }
  void run(const FollowView& view, std::span<const Slot> who, const FollowOutput& out) const override {
    thread_local RouteWindow window;
    for (const Slot slot : who) {
      const double* numbers = view.parameters.of(slot);
      AlongRoute along(view, slot, numbers[sampling], window);
      along.find_reference(out.memory[slot]);
      const double until = std::min(along.reference() + numbers[distance], along.length());
      along.head_for(along.seen_without_a_break(until), out.memory[slot], out);
    }
  }
};

}  // namespace

const Follower& lookahead() {
  static const Lookahead follower;
  return follower;
}

}  // namespace throng::following
