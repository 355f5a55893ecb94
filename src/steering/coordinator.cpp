#include "steering/coordinator.hpp"

#include "steering/stream.hpp"

namespace throng::steering {
namespace {

class NoCoordination final : public Coordinator {
 public:
  [[nodiscard]] const agents::MethodInfo& info() const override {
    static const agents::MethodInfo info{"none", "intends what it prefers, whatever others do", {}};
    return info;
  }
  [[nodiscard]] bool looks_around() const override { return false; }
  void run(const CoordinateView&, std::span<const Slot>, std::span<Vec2>) const override {}
};

}  // namespace

const std::vector<const Coordinator*>& coordinators() {
  static const NoCoordination none;
  static const std::vector<const Coordinator*> all{&none, &stream_by_view(), &stream_by_cells(), &stream_by_grid()};
  return all;
}

const Coordinator* find_coordinator(std::string_view name) {
  for (const Coordinator* coordinator : coordinators())
    if (coordinator->info().name == name) return coordinator;
  return nullptr;
}

}  // namespace throng::steering
