// Weights of ground that change while people walk (Jaklin 2016, 6.5): whose way is touched plans again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "crowd/state.hpp"
#include "geometry/tolerances.hpp"
#include "routes/ground_atlas.hpp"
#include "routes/ground_route.hpp"

namespace throng::crowd {

namespace {

/// Of a kind, at its cheapest.
double least_of(std::span<const double> row, std::size_t kinds, std::size_t kind) {
  double least = row[kind];
  for (std::size_t i = kind; i < row.size(); i += kinds) least = std::min(least, row[i]);
  return least;
}

}  // namespace

/// Two cases: the rest of its route lies on ground that weighs something else now; or ground became cheaper, and a way to it and on to
/// the goal could cost less than the rest of the route does.
bool Crowd::State::is_touched(Slot slot, std::span<const double> before, std::span<const double> now) const {
  if (follows_field(slot) || !route[slot]) return true;
  const following::RegionMap& regions = *world->regions;
  const std::size_t kinds = regions.kinds().size();
  const auto differs = [&](std::size_t kind) {
    for (std::size_t i = kind; i < now.size(); i += kinds)
      if (before[i] != now[i]) return true;
    return false;
  };
  const routes::Route whole = routes::unpacked(*route[slot]);
  const routes::Route rest = whole.stretch(std::min(memory[slot].reference, whole.length), whole.length);
  const routes::GroundRow counted = routes::row_of(before, regions.kinds());
  std::vector<double> metres(kinds, 0);
  ground::RegionMap::Scratch scratch;
  double left = routes::weigh_route(regions, rest, 0, counted.weight.data(), scratch, metres);
  for (std::size_t k = 0; k < kinds; ++k)
    if (metres[k] > tolerance::distinct && differs(k)) return true;
  const double least = *std::min_element(now.begin(), now.end());
  for (std::size_t k = 0; k < kinds; ++k) {
    bool cheaper = false;
    for (std::size_t i = k; i < now.size(); i += kinds) cheaper = cheaper || now[i] < before[i];
    if (!cheaper) continue;
    const double on_it = std::min(least, least_of(now, kinds, k));
    if (on_it * regions.least_way_by(Index(k), position[slot], whole.goal.point) < left) return true;
  }
  return false;
}

Result<AgentId> Crowd::set_weights(AgentId id, const std::map<std::string, GroundWeight>& weights) {
  State& s = *state_;
  const auto refused = [](std::string what) {
    return Problem{Severity::error, ProblemCode::value, "weights", std::move(what)};
  };
  const Slot slot = slot_of(id);
  if (slot == none) return refused("nobody here has that id");
  for (const auto& [type, weight] : weights)
    if (const std::string why = ground::misfit_of(weight); !why.empty())
      return refused(fmt::format("'{}': {}", type, why));
  if (!s.world->regions) return id;
  const ground::GroundKinds& kinds = s.world->regions->kinds();
  const std::vector<double> before = s.weights.row(s.weights_row[slot]);
  std::vector<double> now = before;
  for (Index k = 0; k < kinds.size(); ++k) {
    const auto at = weights.find(k == 0 ? std::string(ground::plain_type) : kinds[k].type);
    if (at != weights.end()) kinds.set(now, k, at->second);
  }
  if (now == before) return id;
  s.weights.give_back(s.weights_row[slot]);
  s.weights_row[slot] = s.weights.take(now);
  s.follow_hints[slot].line.even_to = 0;
  if (!s.plans_over_ground(slot)) return id;
  if (s.activity[slot] == Activity::lost) s.plan_anew(slot);
  if (s.activity[slot] == Activity::walking && s.is_touched(slot, before, now)) s.ask_for_route(slot, Why::ground);
  return id;
}

}  // namespace throng::crowd
