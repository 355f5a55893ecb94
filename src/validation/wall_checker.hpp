// Whether anybody walks through a wall: decided exactly, by code that is shared with nothing that moves people.
//
// Laws checked (docs/architecture.md, hard walls and numbers)
// 1. At every step, every agent is in free space and its distance to the walls it can see in a straight line is at least its
//    radius - `tolerance::wall`. Walls are the edges of rings and thin walls, but not connections; those of the next layer are
//    seen through a connection (one, not two behind each other).
// 2. Between two steps the segment from an agent's old to its new centre touches no wall, decided exactly; its layer changes
//    with, and only with, the connections it crosses.
// Agents may come and go between steps; a serial that appears must be in free space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "environment/clean/clean.hpp"
#include "throng/vec2.hpp"

namespace throng::validation {

/// What agents there are; all spans have the same length, in any order of serials.
struct AgentsView {
  std::span<const std::uint64_t> serials;
  std::span<const std::uint32_t> layers;
  std::span<const Vec2> positions;
  std::span<const double> radii;
};

using Complaints = std::vector<std::string>;

/// How far a disc may enter a wall: what rounding and a penetration solver may leave.
inline constexpr double wall_tolerance = 1e-6;

/// The laws for one simulation, step by step. Cost: O(log n + k) an agent and step for n edges, k of them near it.
class WallChecker {
 public:
  explicit WallChecker(const environment::CleanEnvironment& environment);
  ~WallChecker();
  WallChecker(const WallChecker&) = delete;
  WallChecker& operator=(const WallChecker&) = delete;

  /// The state before the first step, then that after each.
  void add(const AgentsView& agents);
  /// The first complaints; more than `max_complaints` are only counted.
  [[nodiscard]] const Complaints& complaints() const { return complaints_; }
  [[nodiscard]] std::size_t complaint_count() const { return complaint_count_; }

  static constexpr std::size_t max_complaints = 20;

 private:
  struct Seen {
    Vec2 position;
    std::uint32_t layer = 0;
    std::uint64_t at = 0;  ///< how many states had been added when it was seen
  };
  class Walls;

  void complain(std::uint64_t serial, const std::string& what);
  void check_place(std::uint64_t serial, Vec2 position, std::uint32_t layer, double radius, bool is_new);

  std::unique_ptr<const Walls> walls_;
  std::unordered_map<std::uint64_t, Seen> seen_;
  std::uint64_t states_ = 0;
  Complaints complaints_;
  std::size_t complaint_count_ = 0;
};

}  // namespace throng::validation
