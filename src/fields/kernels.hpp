// How one person is spread over the ground around: with weights exp(-d^2 / R^2) out to 2 R, d from middle to middle of squares of 0.3 m
// (Zwerver 2018, 3.3.1, with the square that is missing in print).
//
// `walls` (ours, the default): over the squares that can be walked to from the person's own without leaving the circle, over connections
// too, and scaled so that all shares together are one person: nobody leaks through walls or floors.
// `plain` (as published): over all squares of the circle in the person's layer, walls or none, with the kernel's own height
// exp(-d^2 / R^2) / (pi R^2): together 98.2 % of a person.
//
// Laws
// 1. Shares of `walls` sum to one_person exactly.
// 2. A kernel hangs on the square and the mesh alone.
// 3. Two squares are linked if one can walk straight from one's resting place to the other's; a resting place is the middle of a square,
//    where that is walkable, else the first walkable point of a few around it. Thin walls link nothing.
// A square that a wall cuts counts as whole, on the side of its resting place.
// Complexity: a kernel is made once for a square, by about 1,000 short looks; far from walls all share one. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fields/lattice.hpp"
#include "navmesh/mesh.hpp"

namespace throng::fields {

/// Metres: side of a square, and the kernel's R.
inline constexpr double square_side = 0.3, kernel_radius = 1.2;
/// Where the kernel is cut off.
inline constexpr double kernel_reach = 2 * kernel_radius;
/// A person, in the unit of shares.
inline constexpr std::int64_t one_person = 1 << 20;

enum class KernelKind { walls, plain };

/// What of a person lies on a square.
struct Share {
  Square square;
  std::int32_t weight = 0;  ///< of one_person
};

class Kernels {
 public:
  Kernels(navmesh::MeshPtr mesh, KernelKind kind);

  [[nodiscard]] KernelKind kind() const { return kind_; }
  /// The square that stands for a place: its own, or, where a wall lies between, the nearest whose resting place can be walked to straight.
  [[nodiscard]] Square square_of(const navmesh::Place& place) const;

  /// Calls visit(square, weight) for the shares of a person on a square, in a fixed order.
  template <class Visit>
  void spread(const Square& centre, Visit&& visit) {
    const std::span<const Share> shares = shares_of(centre);
    if (shares.data() != open_.data()) {
      for (const Share& share : shares) visit(share.square, share.weight);
      return;
    }
    for (const Share& share : shares)
      visit(Square{centre.column + share.square.column, centre.row + share.square.row, centre.layer}, share.weight);
  }
  /// The share on one square, of a person who was spread before; 0 of others.
  [[nodiscard]] std::int32_t share_on(const Square& centre, const Square& square) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::int32_t not_made = 0, open = -1;

  /// Shares by square, in ascending order; those of the open kernel by offset from the centre.
  [[nodiscard]] std::span<const Share> shares_of(const Square& centre);
  /// The same without making them: nothing where they were not made.
  [[nodiscard]] std::span<const Share> known_shares(const Square& centre) const;
  [[nodiscard]] std::vector<Share> spread_over_ground(const Square& centre) const;
  [[nodiscard]] bool is_open(const Square& centre, std::span<const Share> shares) const;
  /// Where one rests on a square; layer none where nothing of it is walkable.
  [[nodiscard]] navmesh::Place resting_place(const Square& square) const;

  navmesh::MeshPtr mesh_;
  KernelKind kind_;
  std::vector<std::vector<Index>> joined_layers_;  ///< of each layer, itself first
  std::vector<Share> open_;                        ///< far from walls
  std::vector<std::vector<Share>> made_;
  SparseSquares<std::int32_t> which_;  ///< not_made, open, or 1 + into made_
};

/// Shares out one person by weights, in whole numbers that sum to one_person: rounded down, and what is left to the largest remainders, the
/// first of equals.
[[nodiscard]] std::vector<std::int32_t> share_out(std::span<const double> weights);

}  // namespace throng::fields
