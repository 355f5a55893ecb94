#include "steering/no_avoidance.hpp"

#include "steering/speed_limit.hpp"

namespace throng::steering {
namespace {

class NoAvoidance final : public Avoider {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{"none", "walks as it prefers and looks at nobody", {}};
    return info;
  }
  [[nodiscard]] Needs needs(const double*) const override { return {}; }
  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    for (const Slot slot : who)
      new_velocity[slot] = limited(view.preferred_velocity[slot], speed_limit(view.people, slot));
  }
};

}  // namespace

const Avoider& no_avoidance() {
  static const NoAvoidance method;
  return method;
}

}  // namespace throng::steering
