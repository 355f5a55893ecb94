#include "steering/mover.hpp"

namespace throng::steering {
namespace {

class Careful final : public Mover {
 public:
  [[nodiscard]] const agents::MethodInfo& info() const override {
    static const agents::MethodInfo info{
        .name = "careful", .help = "brakes at once, holds back before bodies", .parameters = {}};
    return info;
  }
  [[nodiscard]] MotionRules rules(const double*) const override { return {}; }
};

}  // namespace

const std::vector<const Mover*>& movers() {
  static const Careful careful;
  static const std::vector<const Mover*> all{&careful};
  return all;
}

}  // namespace throng::steering
