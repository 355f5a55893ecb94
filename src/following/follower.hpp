// Level 3: a route (or a flow field) in, a preferred velocity out. One virtual call for a span of people who share the method.
//
// Laws
// 1. run() writes the outputs of the slots it was given and nothing else, and reads only the view and those slots' own memory: the
//    same answers whatever the spans are.
// 2. The preferred velocity is never faster than the person's speed, and a step with it does not go past the attraction point.
// 3. `needs_route` where the method has nothing to steer for (off the route, route out of sight): the person stands until there
//    is a new one.
// Thread-safety: run() may be called for disjoint spans at the same time.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "agents/method.hpp"
#include "agents/own_columns.hpp"
#include "agents/people.hpp"
#include "following/crowd_weights.hpp"
#include "following/region_map.hpp"
#include "routes/flow_field.hpp"
#include "routes/planned_route.hpp"

namespace throng::following {

using agents::Blocks;
using agents::Index;
using agents::MethodInfo;
using agents::none;
using agents::Parameter;
using agents::People;
using agents::Slot;

/// What a follower remembers of a person from step to step; part of snapshots. A new route starts with a new one.
struct FollowMemory {
  double reference = 0;   ///< distance along the route: how far the person has come
  double attraction = 0;  ///< distance along the route: where it was heading for last
  friend bool operator==(const FollowMemory&, const FollowMemory&) = default;
};

/// What saves a follower work and changes no answer, so that it is no part of snapshots. A new route starts with a new one.
struct FollowHints {
  /// More than 0: all points of the line from the person to where on its route it looked (`room_to`) have this much more clearance, in
  /// metres, than its radius. Whoever moves the person takes off how far it moved, at least.
  float room = 0;
  Index leg = 0;       ///< of the route: where the person was last
  double room_to = 0;  ///< along the route
  /// The line of the route that the person was last on, as it comes out of the packed route; length 0: none is kept.
  struct Line {
    Vec2 from, to;
    double begin = 0;  ///< along the route
    double length = 0;
    /// What is within `even_aside` metres of the line, from where the person was on it for another `even_to` metres from its beginning,
    /// weighs the same to the person in all directions. Whoever changes its weights sets this to 0.
    float even_to = 0, even_aside = 0;
    [[nodiscard]] double end() const { return begin + length; }
  } line = {};
};

/// What a follower walks along.
enum class Guide { route, field };

struct FollowView {
  People people;
  std::span<const routes::PlannedRoutePtr> route;  ///< by slot; who has none is not asked about
  Blocks parameters;                               ///< of this method
  const RegionMap* regions = nullptr;              ///< null: a world without regions
  std::span<const Index> weights;                  ///< by slot: which row of the weight table
  const WeightTable* weight_table = nullptr;
  std::span<const std::shared_ptr<const routes::FlowField>>
      field;                                  ///< by slot, for those whose follower walks along one
  std::span<const navmesh::Place> own_place;  ///< by slot, in the goal of a field; layer none: anywhere in it will do

  const CrowdWeights* crowd = nullptr;  ///< null: nobody minds the crowd

  [[nodiscard]] const routes::PackedRoute& way(Slot slot) const { return route[slot]->way; }
};

struct FollowOutput {
  std::span<FollowMemory> memory;       ///< in and out, by slot
  std::span<Vec2> preferred_velocity;   ///< by slot
  std::span<Vec2> attraction_point;     ///< by slot; empty: nobody wants to know
  std::span<std::uint8_t> needs_route;  ///< by slot
  std::span<FollowHints> hints = {};    ///< in and out, by slot; empty: nothing is remembered
  std::span<std::uint8_t> behind_jam =
      {};  ///< by slot, of those who mind the crowd: most of what it looks at lies behind jams
  const agents::OwnColumns* own = nullptr;  ///< what the method declared to remember of its people, if anything
};

class Follower {
 public:
  virtual ~Follower() = default;
  [[nodiscard]] virtual const MethodInfo& info() const = 0;
  [[nodiscard]] virtual Guide guide() const { return Guide::route; }
  /// Whether it chooses among candidates, which may be weighed by the crowd (crowd_weights.hpp).
  [[nodiscard]] virtual bool has_candidates() const { return false; }
  virtual void run(const FollowView& view, std::span<const Slot> who, const FollowOutput& out) const = 0;
};

/// Every follower there is, in order of their names.
[[nodiscard]] const std::vector<const Follower*>& followers();
/// By name; null where there is none.
[[nodiscard]] const Follower* find_follower(std::string_view name);

}  // namespace throng::following
