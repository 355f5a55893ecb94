// What the stage `decide` keeps (decide.cpp): there while anybody has a method for it, or while there is guidance.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "agents/columns.hpp"
#include "crowd/crowd.hpp"
#include "crowd/guidance.hpp"
#include "routes/planned_route.hpp"
#include "routes/strategy.hpp"

namespace throng::crowd {

/// Of one person, 64 bytes.
struct StrategyMemory {
  static constexpr std::size_t most_held = 3, most_passages = 3;
  float last_change = -1, last_search = -1;  ///< seconds of the crowd's clock; below 0: not yet looked at
  float held_until = -1;
  std::uint32_t known = 0, obeyed = 0, disobeyed = 0;  ///< a bit for each guidance
  Index passages[most_passages] = {agents::none, agents::none,
                                   agents::none};                      ///< directed, walked last, the latest first
  Index held[most_held] = {agents::none, agents::none, agents::none};  ///< obstacles
  std::uint8_t held_left = 0;                                          ///< a bit for each that is passed via its left
  std::uint8_t flags = 0;
  std::uint16_t conflicts = 0, routes = 0, refused = 0, strict = 0;

  /// Calls visit(value) for every number that is kept.
  template <class Visit>
  void for_each(const Visit& visit) {
    each(*this, visit);
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    each(*this, visit);
  }

  enum Flag : std::uint8_t { in_conflict = 1, in_people_conflict = 2 };
  [[nodiscard]] bool is(Flag flag) const { return (flags & flag) != 0; }
  template <class Self, class Visit>
  static void each(Self& m, const Visit& visit) {
    visit(m.last_change), visit(m.last_search), visit(m.held_until);
    visit(m.known), visit(m.obeyed), visit(m.disobeyed);
    for (auto& passage : m.passages) visit(passage);
    for (auto& obstacle : m.held) visit(obstacle);
    visit(m.held_left), visit(m.flags);
    visit(m.conflicts), visit(m.routes), visit(m.refused), visit(m.strict);
  }
  void set(Flag flag, bool on) { flags = std::uint8_t(on ? flags | flag : flags & ~flag); }
};
static_assert(sizeof(StrategyMemory) <= 64);

/// Neighbours whom somebody with `keep_sides` is passing, and on which side.
struct KeptSides {
  static constexpr std::size_t most = 4;
  std::array<std::uint64_t, most> who{};  ///< serials; 0: nobody
  std::uint64_t left = 0;                 ///< a bit for each that is passed via its left
};

/// One of them, as it is in this step.
struct SidedNeighbour {
  Vec2 place, walk;
  double radius = 0;
  routes::Side side = routes::Side::left;
};

/// What a second thought of a strategy, or of a sign, is about.
struct ToldThought {
  routes::Strategy told, because;  ///< what binds the search; what of it is held on to if a way is taken
  Index closed = agents::none;     ///< a passage that is not to be crossed
  bool at_once = false;            ///< a sign was seen: taken however long
};

/// Guidance on a world's obstacles.
struct GuidanceUse {
  Guidance told;
  std::vector<Index> obstacles;  ///< sorted
};

struct Strategies {
  explicit Strategies(agents::ColumnStore& store)
      : memory(store, "strategy", agents::Lives::agent, true, {},
               {[](geometry::ArchiveWriter& out, const StrategyMemory& m, agents::Slot) {
                  m.for_each([&](const auto& value) { out.put(value); });
                },
                [](geometry::ArchiveReader& in, StrategyMemory& m, agents::Slot) {
                  m.for_each([&](auto& value) { in.get(value); });
                }}) {}

  agents::Column<StrategyMemory> memory;
  std::unique_ptr<agents::Column<KeptSides>> kept;  ///< while anybody has `keep_sides`
  void keep_sides(agents::ColumnStore& store) {
    if (kept) return;
    agents::Codec<KeptSides> codec;
    codec.save = [](geometry::ArchiveWriter& out, const KeptSides& sides, agents::Slot) {
      for (const std::uint64_t who : sides.who) out.put(who);
      out.put(sides.left);
    };
    codec.load = [](geometry::ArchiveReader& in, KeptSides& sides, agents::Slot) {
      for (std::uint64_t& who : sides.who) in.get(who);
      in.get(sides.left);
    };
    kept = std::make_unique<agents::Column<KeptSides>>(store, "kept sides", agents::Lives::agent, true, KeptSides(),
                                                       std::move(codec));
  }
  std::vector<Vec2> attraction;  ///< by slot: where it headed for in this step

  /// Somebody who has a second thought, in this step.
  struct Ask {
    std::uint64_t serial = 0;
    agents::Slot slot = 0;
    ToldThought about;
  };
  std::vector<std::vector<Ask>> asks;  ///< by chunk
  std::vector<std::uint32_t> news;     ///< by slot: guidance learnt of in this step
};

/// Sums over the whole run; threads add to them in any order.
struct StrategyTotals {
  using Count = std::atomic<std::uint64_t>;
  Count conflicts{0}, people_conflicts{0}, routes{0}, refused{0}, strict{0}, unheeded{0};
  std::array<Count, most_guidance> saw{}, obeyed{};

  /// Calls visit(count) for each, in an order that stays.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (Count* count : {&conflicts, &people_conflicts, &routes, &refused, &strict, &unheeded}) visit(*count);
    for (Count& count : saw) visit(count);
    for (Count& count : obeyed) visit(count);
  }
};

}  // namespace throng::crowd
