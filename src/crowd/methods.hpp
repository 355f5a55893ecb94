// All methods a crowd can use, level by level: those that come with the library, and what its user adds. A value that is made once and
// shared by crowd, scenario reader and schema.
// Thread-safety: read-only once filled.
#pragma once

#include <memory>

#include "agents/catalogue.hpp"
#include "agents/registry.hpp"
#include "crowd/congestion_methods.hpp"
#include "following/follower.hpp"
#include "routes/route_maker.hpp"
#include "steering/avoider.hpp"
#include "steering/companions.hpp"
#include "steering/coordinator.hpp"
#include "steering/decider.hpp"
#include "steering/mover.hpp"

namespace throng::crowd {

struct Methods {
  agents::Registry<routes::RouteMaker> route;
  agents::Registry<following::Follower> follow;
  agents::Registry<steering::Coordinator> coordinate;
  agents::Registry<steering::Avoider> avoid;
  agents::Registry<CongestionMethod> congestion;
  agents::Registry<steering::Decider> decide;
  agents::Registry<steering::Mover> move;
  agents::Registry<steering::GroupMethod> group;  ///< of groups (groups.hpp), not of a level

  /// Null where there is no such method.
  [[nodiscard]] const agents::MethodInfo* find(agents::Level level, std::string_view name) const;
  /// Of a method that is there.
  [[nodiscard]] agents::MethodNumber number_of(agents::Level level, std::string_view name) const;
  [[nodiscard]] const agents::MethodInfo& info(agents::Level level, agents::MethodNumber number) const;
  [[nodiscard]] std::size_t count(agents::Level level) const;
  [[nodiscard]] agents::Catalogue catalogue() const;
};
using MethodsPtr = std::shared_ptr<const Methods>;

/// Those of the library. One object for all who add none.
[[nodiscard]] const MethodsPtr& built_in_methods();

}  // namespace throng::crowd
