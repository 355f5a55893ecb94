// Topological strategies: on which side things are passed. Van Toll, Pettre 2019, 3.2 and 4.
//
// Words
//   decision   about an obstacle (or a person): L passes it via its left, so that it is on the right hand; R the other way round.
//   strategy   decisions about all things at once: those of a path, of a velocity, or told. None (X) is not stored.
//   conflict   two strategies say L and R about one thing. What only one of them speaks of is no conflict.
//
// Laws
// 1. A strategy is a short list in order of what it is about, with one decision about each.
// 2. Trying to set: unset becomes what is tried, the other side becomes X for good, the same side and X stay.
// Complexity: linear in the lists. Thread-safety: plain values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "routes/open_list.hpp"

namespace throng::routes {

/// By which side of it something is passed.
enum class Side : std::uint8_t { left, right };
[[nodiscard]] constexpr Side other_side(Side side) { return side == Side::left ? Side::right : Side::left; }
[[nodiscard]] constexpr const char* name_of(Side side) { return side == Side::left ? "left" : "right"; }

struct Decision {
  Index about = none;  ///< an obstacle (navmesh/obstacles.hpp), or a person's slot
  Side side = Side::left;
  friend bool operator==(const Decision&, const Decision&) = default;
};

class Strategy {
 public:
  Strategy() = default;

  [[nodiscard]] std::span<const Decision> decisions() const { return decisions_; }
  [[nodiscard]] bool empty() const { return decisions_.empty(); }
  void clear() { decisions_.clear(); }

  [[nodiscard]] std::optional<Side> side_of(Index about) const {
    const auto at = find(about);
    return at != decisions_.end() && at->about == about ? std::optional(at->side) : std::nullopt;
  }
  [[nodiscard]] bool says(Index about, Side side) const {
    const auto at = find(about);
    return at != decisions_.end() && at->about == about && at->side == side;
  }
  /// Whatever was said before.
  void set(Decision decision) {
    const auto at = decisions_.begin() + (find(decision.about) - decisions_.begin());
    if (at != decisions_.end() && at->about == decision.about)
      at->side = decision.side;
    else
      decisions_.insert(at, decision);
  }
  /// Adds what the other says of things that nothing was said of yet.
  void complete_by(const Strategy& other) {
    for (const Decision decision : other.decisions_)
      if (!side_of(decision.about)) set(decision);
  }
  void erase(Index about) {
    std::erase_if(decisions_, [&](Decision decision) { return decision.about == about; });
  }

  /// The first thing that the two speak of differently; none where they are consistent.
  [[nodiscard]] Index first_conflict(const Strategy& other) const {
    Index found = none;
    for_each_conflict(other, [&](Index about) { found = std::min(found, about); });
    return found;
  }
  [[nodiscard]] bool conflicts_with(const Strategy& other) const { return first_conflict(other) != none; }
  template <class Visit>
  void for_each_conflict(const Strategy& other, Visit&& visit) const {
    auto theirs = other.decisions_.begin();
    for (const Decision mine : decisions_) {
      while (theirs != other.decisions_.end() && theirs->about < mine.about) ++theirs;
      if (theirs == other.decisions_.end()) return;
      if (theirs->about == mine.about && theirs->side != mine.side) visit(mine.about);
    }
  }
  friend bool operator==(const Strategy&, const Strategy&) = default;

 private:
  friend class StrategyDraft;
  [[nodiscard]] std::vector<Decision>::const_iterator find(Index about) const {
    return std::lower_bound(decisions_.begin(), decisions_.end(), about,
                            [](Decision decision, Index wanted) { return decision.about < wanted; });
  }
  std::vector<Decision> decisions_;
};

/// A strategy in the making: remembers what was tried on both sides.
class StrategyDraft {
 public:
  void clear() { tried_.clear(); }
  /// Law 2.
  void try_to_set(Index about, Side side) {
    const auto at = std::lower_bound(tried_.begin(), tried_.end(), about,
                                     [](const Tried& tried, Index wanted) { return tried.about < wanted; });
    if (at == tried_.end() || at->about != about)
      tried_.insert(at, {about, side, true});
    else if (at->side != side)
      at->is_clear = false;
  }
  /// What was tried on one side only, of things that keep(thing) says yes to.
  template <class Keep>
  void finish(Strategy& strategy, const Keep& keep) const {
    strategy.decisions_.clear();
    for (const Tried& tried : tried_)
      if (tried.is_clear && keep(tried.about)) strategy.decisions_.push_back({tried.about, tried.side});
  }

 private:
  struct Tried {
    Index about;
    Side side;
    bool is_clear;
  };
  std::vector<Tried> tried_;
};

}  // namespace throng::routes
