// The flow fields that people of a crowd walk along (following/flow.hpp): one for each goal and class of radii, shared by all who go
// there.
//
// Laws
// 1. A field depends on world, goal, radius and weights of ground only: what is found equals what would be made anew, bit for bit, whatever was asked
//    before. So nothing of this is part of snapshots.
// 2. Radii are rounded up to whole centimetres, so that people of drawn radii share fields. Whoever has no way by the rounded radius
//    has a field of its own radius.
// 3. Another world makes everything anew.
// 4. Fields that nobody walks along are dropped once all together take more than `most_bytes`.
// An area is a set of goals: along its border, half a metre apart (at most 200 in all), and some strewn over it, those of them that a
// body of the radius can stand on. So people walk straight to the nearest part of the area, to a quarter of a metre.
// Thread-safety: make() from one thread, which uses the executor's; find() from any while nobody makes.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "crowd/executor.hpp"
#include "crowd/world.hpp"
#include "goals/itinerary.hpp"
#include "routes/flow_field.hpp"
#include "routes/ground_atlas.hpp"

namespace throng::crowd {

using FlowFieldPtr = std::shared_ptr<const routes::FlowField>;

class FlowFields {
 public:
  static constexpr std::size_t most_bytes = std::size_t{512} << 20;

  struct Wish {
    const goals::Goal* goal = nullptr;
    double radius = 0;
    std::span<const double> weights = {};  ///< a row, for those who mind the ground; empty: all ground is even
  };
  /// Makes those that are not there yet.
  void make(const World& world, const std::vector<goals::Area>& areas, std::span<const Wish> wishes, Executor& executor,
            const routes::GroundAtlas* ground = nullptr);
  /// Null where it was not made. A field's answers are tagged with the place of the nearest area in the goal's list.
  [[nodiscard]] FlowFieldPtr find(const Wish& wish) const;

  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Areas, or a point and its layer; then the radius and the weights.
  using Key = std::tuple<std::vector<navmesh::Index>, double, double, navmesh::Index, double, std::vector<double>>;
  [[nodiscard]] static Key key_of(const Wish& wish);
  [[nodiscard]] FlowFieldPtr field_for(const World& world, const std::vector<goals::Area>& areas, const Wish& wish,
                                       const routes::GroundAtlas* ground) const;
  void drop_unused();

  std::shared_ptr<const routes::CorridorTiles> tiles_;
  std::map<Key, FlowFieldPtr> fields_;
};

}  // namespace throng::crowd
