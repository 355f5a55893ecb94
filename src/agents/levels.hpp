// The levels that a person is made of (docs/architecture.md, levels): one table that readers, schema, help, draws, snapshots and the
// public interface go by. A level is an interface, a registry of named methods, and a block {"method": ..., "as": ..., numbers} under
// its key in a profile.
//
// A level with a default is there for everybody; without a block its default method is meant. The others are off without a block: no stage,
// no columns, the same bits as without the level. A block without "method" means the level's first method.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace throng::agents {

enum class Level : std::uint8_t { route, follow, coordinate, avoid, decide, congestion, move };

struct LevelInfo {
  Level level;
  std::string_view key;        ///< of its block in a profile
  std::string_view otherwise;  ///< its default method; empty: off without a block
  std::string_view help;       ///< one line
};

inline constexpr LevelInfo levels[] = {
    {Level::route, "route", "short", "how ways are planned"},
    {Level::follow, "follow", "miran", "how a way is walked along: a preferred velocity"},
    {Level::coordinate, "stream", "", "how people go with those around them: an intended velocity"},
    {Level::avoid, "avoid", "moussaid", "how others and walls are avoided: a chosen velocity"},
    {Level::decide, "strategy", "", "on which side obstacles are passed"},
    {Level::congestion, "congestion", "", "how jams are foreseen and left"},
    {Level::move, "move", "careful", "how the chosen velocity is taken up, and bodies push each other"},
};
inline constexpr std::size_t level_count = std::size(levels);

[[nodiscard]] constexpr const LevelInfo& info_of(Level level) { return levels[std::size_t(level)]; }

/// By its key; nothing where no level has it.
[[nodiscard]] constexpr std::optional<Level> level_of(std::string_view key) {
  for (const LevelInfo& info : levels)
    if (info.key == key) return info.level;
  return std::nullopt;
}

/// One of something for every level.
template <class T>
struct PerLevel {
  std::array<T, level_count> all{};

  [[nodiscard]] constexpr T& operator[](Level level) { return all[std::size_t(level)]; }
  [[nodiscard]] constexpr const T& operator[](Level level) const { return all[std::size_t(level)]; }
  friend bool operator==(const PerLevel&, const PerLevel&) = default;
};

}  // namespace throng::agents
