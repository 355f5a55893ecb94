// Guidance of a crowd: what was told becomes obstacles of its world.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "crowd/state.hpp"
#include "navmesh/locate.hpp"

namespace throng::crowd {
namespace {

Problem refused(std::size_t number, std::string what) {
  return {Severity::error, ProblemCode::value, fmt::format("guidance {}", number + 1), std::move(what)};
}

bool speak_to_the_same(const Guidance& a, const Guidance& b) {
  if (a.populations.empty() || b.populations.empty()) return true;
  return std::ranges::any_of(a.populations,
                             [&](Index one) { return std::ranges::find(b.populations, one) != b.populations.end(); });
}

/// Whether who knows the one knows the other.
bool is_same(const Guidance& a, const Guidance& b) {
  const auto is_same_obstacle = [](const navmesh::ObstacleRef& p, const navmesh::ObstacleRef& q) {
    return p.name == q.name && p.near == q.near;
  };
  if (a.sign.has_value() != b.sign.has_value() || a.pass != b.pass || a.populations != b.populations) return false;
  if (a.sign && !(a.sign->at == b.sign->at && a.sign->facing == b.sign->facing && a.sign->range == b.sign->range))
    return false;
  return std::ranges::equal(a.obstacles, b.obstacles, is_same_obstacle);
}

std::string wrong_with(const navmesh::Mesh& mesh, const Sign& sign) {
  if (!(sign.range > 0) || !std::isfinite(sign.range)) return "a sign needs a range above 0";
  if (!(squared_length(sign.facing) > 0) || !std::isfinite(squared_length(sign.facing)))
    return "a sign has to face somewhere";
  if (!std::isfinite(squared_length(sign.at.point)) || !navmesh::locate(mesh, sign.at))
    return fmt::format("the sign at ({:g}, {:g}) is in a wall", sign.at.point.x, sign.at.point.y);
  return {};
}

}  // namespace

/// Into `uses`; with `lenient` what is not there any more is left out.
Problems Crowd::State::resolve_guidance(std::vector<Guidance> told, bool lenient,
                                        std::vector<GuidanceUse>& uses) const {
  Problems problems;
  uses.clear();
  if (told.empty()) return problems;
  if (told.size() > most_guidance)
    problems.push_back(refused(most_guidance, fmt::format("there can be {} at most", most_guidance)));
  const navmesh::Mesh& mesh = *world->mesh;
  const navmesh::Obstacles& obstacles = world->graph->sides()->obstacles();
  const navmesh::ObstacleNames names = obstacle_names(*world, obstacles);
  for (std::size_t i = 0; i < told.size(); ++i) {
    GuidanceUse use{std::move(told[i]), {}};
    for (const navmesh::ObstacleRef& wanted : use.told.obstacles) {
      const auto found = navmesh::find_obstacles(mesh, obstacles, names, wanted, fmt::format("guidance {}", i + 1));
      if (found)
        use.obstacles.insert(use.obstacles.end(), found->begin(), found->end());
      else if (!lenient)
        problems.insert(problems.end(), found.problems().begin(), found.problems().end());
    }
    std::ranges::sort(use.obstacles);
    use.obstacles.erase(std::unique(use.obstacles.begin(), use.obstacles.end()), use.obstacles.end());
    if (use.told.obstacles.empty()) problems.push_back(refused(i, "it names no obstacle"));
    if (use.told.sign) {
      if (std::string why = wrong_with(mesh, *use.told.sign); why.empty())
        use.told.sign->facing = use.told.sign->facing / length(use.told.sign->facing);
      else if (!lenient)
        problems.push_back(refused(i, std::move(why)));
    }
    for (std::size_t k = 0; k < uses.size(); ++k) {
      if (uses[k].told.pass == use.told.pass || !speak_to_the_same(uses[k].told, use.told)) continue;
      const auto in_both = [&](Index obstacle) { return std::ranges::binary_search(uses[k].obstacles, obstacle); };
      if (std::ranges::any_of(use.obstacles, in_both))
        problems.push_back(
            refused(i, fmt::format("one obstacle is told left and right: in guidance {} the other side", k + 1)));
    }
    uses.push_back(std::move(use));
  }
  return problems;
}

/// What is wrong with what somebody remembers, or empty.
std::string Crowd::State::unsound_strategy(Slot slot) const {
  if (!strategies) return {};
  const StrategyMemory& mind = strategies->memory[slot];
  for (const float number : {mind.last_change, mind.last_search, mind.held_until})
    if (!std::isfinite(number)) return "a time of a strategy is no time";
  const navmesh::Obstacles& obstacles = world->graph->sides()->obstacles();
  for (const Index passage : mind.passages)
    if (passage != none && passage / 2 >= obstacles.passage_count()) return "a passage is out of its range";
  for (const Index obstacle : mind.held)
    if (obstacle != none && obstacle >= obstacles.count()) return "an obstacle is out of its range";
  if (strategies->kept)
    for (const std::uint64_t who : (*strategies->kept)[slot].who)
      if (who > last_serial) return "it passes somebody who was never there";
  return {};
}

Result<std::size_t> Crowd::set_guidance(std::vector<Guidance> told) {
  State& s = *state_;
  std::vector<GuidanceUse> uses;
  if (Problems problems = s.resolve_guidance(std::move(told), false, uses); !problems.empty()) return problems;
  // What stays as it was keeps who knows it, and what it counted.
  std::array<std::size_t, most_guidance> was;
  was.fill(most_guidance);
  for (std::size_t i = 0; i < uses.size(); ++i)
    for (std::size_t k = 0; k < s.guidance.size(); ++k)
      if (is_same(uses[i].told, s.guidance[k].told) && std::ranges::find(was, k) == was.end()) {
        was[i] = k;
        break;
      }
  const auto moved = [&](std::uint32_t bits) {
    std::uint32_t now = 0;
    for (std::size_t i = 0; i < most_guidance; ++i)
      if (was[i] < most_guidance) now |= (bits >> was[i] & 1) << i;
    return now;
  };
  if (s.strategies)
    for (const Slot slot : s.order) {
      StrategyMemory& mind = s.strategies->memory[slot];
      mind.known = moved(mind.known), mind.obeyed = moved(mind.obeyed), mind.disobeyed = moved(mind.disobeyed);
    }
  std::array<std::uint64_t, most_guidance> saw{}, obeyed{};
  for (std::size_t i = 0; i < most_guidance; ++i)
    if (was[i] < most_guidance) saw[i] = s.strategy_totals.saw[was[i]], obeyed[i] = s.strategy_totals.obeyed[was[i]];
  for (std::size_t i = 0; i < most_guidance; ++i)
    s.strategy_totals.saw[i] = saw[i], s.strategy_totals.obeyed[i] = obeyed[i];
  s.guidance = std::move(uses);
  s.prepare_strategies();
  // Whoever knows at once thinks at once.
  if (s.strategies)
    for (const Slot slot : s.order)
      if (s.activity[slot] == Activity::walking && s.route[slot]) s.heed_guidance(slot);
  return s.guidance.size();
}

bool Crowd::has_guidance() const { return !state_->guidance.empty(); }

std::vector<Guidance> Crowd::guidance() const {
  std::vector<Guidance> told;
  for (const GuidanceUse& use : state_->guidance) told.push_back(use.told);
  return told;
}

std::vector<std::vector<Index>> Crowd::guided_obstacles() const {
  std::vector<std::vector<Index>> all;
  for (const GuidanceUse& use : state_->guidance) all.push_back(use.obstacles);
  return all;
}

std::vector<GuidanceCount> Crowd::guidance_counts() const {
  std::vector<GuidanceCount> counts;
  for (std::size_t i = 0; i < state_->guidance.size(); ++i)
    counts.push_back({state_->strategy_totals.saw[i], state_->strategy_totals.obeyed[i]});
  return counts;
}

std::optional<StrategyMarks> Crowd::strategy_marks_of(Slot slot) const {
  const State& s = *state_;
  if (!s.strategies || s.level(Level::decide).method(slot) == LevelUse::off) return std::nullopt;
  const StrategyMemory& mind = s.strategies->memory[slot];
  return StrategyMarks{mind.conflicts, mind.routes, mind.refused, mind.strict};
}

StrategyCounts Crowd::strategy_counts() const {
  const StrategyTotals& t = state_->strategy_totals;
  return {t.conflicts, t.people_conflicts, t.routes, t.refused, t.strict, t.unheeded};
}

}  // namespace throng::crowd
