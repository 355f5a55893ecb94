#include "following/irm.hpp"

#include <algorithm>
#include <numbers>

#include "following/along_route.hpp"
#include "navmesh/queries.hpp"

namespace throng::following {
namespace {

/// Between points of the route that are looked at where the last one in the disc is out of sight, in metres.
constexpr double sampling = 1;

void follow(const FollowView& view, Slot slot, RouteWindow& window, const FollowOutput& out) {
  FollowMemory& memory = out.memory[slot];
  AlongRoute along(view, slot, sampling, window);
  along.find_reference(memory);
  const auto axis = navmesh::retract(*view.people.mesh, along.here(), view.people.cell[slot]);
  if (!axis) return along.head_for(std::nullopt, memory, out);
  const double around = 2 * std::numbers::pi * axis->clearance;
  const auto last =
      along.last_within(axis->point, axis->clearance, std::min(along.reference() + around, along.length()));
  along.head_for(last ? along.farthest_seen(*last) : std::nullopt, memory, out);
}

class Irm final : public Follower {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        "irm", "heads for the last point of the route in the disc of free space around (Karamouzas et al. 2009)", {}};
    return info;
  }
  void run(const FollowView& view, std::span<const Slot> who, const FollowOutput& out) const override {
    thread_local RouteWindow window;
    for (const Slot slot : who) follow(view, slot, window, out);
  }
};

}  // namespace

const Follower& irm() {
  static const Irm follower;
  return follower;
}

}  // namespace throng::following
