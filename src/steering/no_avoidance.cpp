#include "steering/no_avoidance.hpp"

#include "steering/common_numbers.hpp"
#include "steering/speed_limit.hpp"
#include "steering/velocity_bounds.hpp"

namespace throng::steering {
namespace {

enum Number { relaxation_seconds, speed_factor };

class NoAvoidance final : public Avoider {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        "none", "walks as it prefers and looks at nobody", {relaxation_number(0.5), speed_limit_number()}};
    return info;
  }
  [[nodiscard]] Needs needs(const double*) const override { return {}; }
  [[nodiscard]] double relaxation(const double* numbers) const override { return numbers[relaxation_seconds]; }
  [[nodiscard]] double speed_limit(const double* numbers) const override { return numbers[speed_factor]; }
  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    VelocityBounds bounds;
    for (const Slot slot : who) {
      const double factor = view.parameters.of(slot)[speed_factor];
      const Vec2 preferred = limited(view.preferred_velocity[slot], steering::speed_limit(view.people, slot, factor));
      if (view.constraints != nullptr) bounds.gather(view, slot, 0, factor);
      new_velocity[slot] = bounds.within_rules(preferred);
    }
  }
};

}  // namespace

const Avoider& no_avoidance() {
  static const NoAvoidance method;
  return method;
}

}  // namespace throng::steering
