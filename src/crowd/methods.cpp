#include "crowd/methods.hpp"

namespace throng::crowd {
namespace {

using agents::Level;

/// Calls use(registry) with the level's; gives `otherwise` where the level has no methods yet.
template <class Use, class Otherwise>
auto with_registry(const Methods& methods, Level level, const Use& use, Otherwise otherwise) {
  switch (level) {
    case Level::route: return use(methods.route);
    case Level::follow: return use(methods.follow);
    case Level::coordinate: return use(methods.coordinate);
    case Level::avoid: return use(methods.avoid);
    case Level::congestion: return use(methods.congestion);
    case Level::decide: return use(methods.decide);
    case Level::move: return use(methods.move);
    default: return otherwise;
  }
}

}  // namespace

const agents::MethodInfo* Methods::find(Level level, std::string_view name) const {
  using Info = const agents::MethodInfo*;
  return with_registry(
      *this, level,
      [&](const auto& registry) -> Info {
        const auto* method = registry.find(name);
        return method != nullptr ? &method->info() : nullptr;
      },
      Info(nullptr));
}

agents::MethodNumber Methods::number_of(Level level, std::string_view name) const {
  return with_registry(
      *this, level, [&](const auto& registry) { return registry.number_of(name); }, agents::MethodNumber(0));
}

const agents::MethodInfo& Methods::info(Level level, agents::MethodNumber number) const {
  static const agents::MethodInfo nothing{};
  return *with_registry(
      *this, level, [&](const auto& registry) { return &registry[number].info(); }, &nothing);
}

std::size_t Methods::count(Level level) const {
  return with_registry(
      *this, level, [](const auto& registry) { return registry.size(); }, std::size_t(0));
}

agents::Catalogue Methods::catalogue() const {
  agents::Catalogue all;
  for (const agents::LevelInfo& level : agents::levels)
    all[level.level] = with_registry(
        *this, level.level, [](const auto& registry) { return registry.infos(); }, std::vector<agents::MethodInfo>());
  return all;
}

const MethodsPtr& built_in_methods() {
  static const MethodsPtr methods = [] {
    auto all = std::make_shared<Methods>();
    routes::add_built_in(all->route);
    for (const following::Follower* follower : following::followers()) all->follow.add_built_in(*follower);
    for (const steering::Coordinator* coordinator : steering::coordinators())
      all->coordinate.add_built_in(*coordinator);
    for (const steering::Avoider* avoider : steering::avoiders()) all->avoid.add_built_in(*avoider);
    for (const CongestionMethod* method : congestion_methods()) all->congestion.add_built_in(*method);
    for (const steering::Decider* decider : steering::deciders()) all->decide.add_built_in(*decider);
    for (const steering::Mover* mover : steering::movers()) all->move.add_built_in(*mover);
    for (const steering::GroupMethod* method : steering::group_methods()) all->group.add_built_in(*method);
    return all;
  }();
  return methods;
}

}  // namespace throng::crowd
