// Kinds of ground: types of regions, told apart by the way they rise; what a row of weights makes of them in each direction. Jaklin 2016,
// 2.3.1 and 6.5.
//
// Words
//   kind   a type and a direction uphill; kinds of one type weigh the same but for the direction. Kind 0 is plain ground, even.
//   base   the kind of what no region covers: plain, but `ramp` and `stairs` on layers that rise, uphill along the layer's axis.
//          On these, base and region are both felt, and the dearer counts: a carpet does not make stairs less steep.
//   row    what a profile pays for a metre: a number a kind, across the slope; and where any ground of the world slopes, as many again
//          for straight up, and again for straight down. Infinite: never.
//
// Between up, across and down the cost of a line is the gauge |d| across + (up - across) max(0, d.u) + (across - down) min(0, d.u), u
// uphill: linear in how much the line rises. It is convex where up + down >= 2 across; else zigzags would pay.
// Thread-safety: plain values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"
#include "throng/ground_weight.hpp"

namespace throng::ground {

using navmesh::Index;
using navmesh::none;

/// Names of the types that ramp and stair layers are made of.
inline constexpr const char* ramp_type = "ramp";
inline constexpr const char* stairs_type = "stairs";
/// What profiles call plain ground.
inline constexpr const char* plain_type = "plain";

struct GroundKind {
  std::string type;  ///< empty: plain
  Vec2 uphill = {};  ///< unit; (0, 0): even
  [[nodiscard]] bool slopes() const { return uphill != Vec2{}; }
  friend bool operator==(const GroundKind&, const GroundKind&) = default;
};

/// Those of a world: plain first, then by name and direction.
class GroundKinds {
 public:
  GroundKinds() : kinds_{GroundKind{}}, names_{""} {}
  explicit GroundKinds(const environment::CleanEnvironment& world);

  [[nodiscard]] std::size_t size() const { return kinds_.size(); }
  [[nodiscard]] const GroundKind& operator[](std::size_t i) const { return kinds_[i]; }
  /// Types, one a kind: some may be there several times.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] Index of(const environment::CleanRegion& region) const;
  /// Of what no region covers.
  [[nodiscard]] Index base(const environment::Layer& layer) const;
  /// Whether any of them rises: rows have three numbers a kind.
  [[nodiscard]] bool slopes() const { return slopes_; }
  [[nodiscard]] std::size_t row_size() const { return slopes_ ? 3 * size() : size(); }
  /// Writes a weight into a row for a kind.
  void set(std::span<double> row, Index kind, const GroundWeight& weight) const;

 private:
  [[nodiscard]] Index find(const GroundKind& kind) const;
  std::vector<GroundKind> kinds_;
  std::vector<std::string> names_;
  bool slopes_ = false;
};

/// What is wrong with a weight; empty where nothing is.
[[nodiscard]] std::string misfit_of(const GroundWeight& weight);
/// Of the types that are named, and 1 of all others.
[[nodiscard]] std::vector<double> row_of(const GroundKinds& kinds, const std::map<std::string, GroundWeight>& weights);

/// What a metre in a direction (of length 1) costs on each kind that rises; `row` has three numbers a kind. Writes one a kind.
void weights_in_direction(const GroundKinds& kinds, const double* row, Vec2 direction, std::vector<double>& weights);

}  // namespace throng::ground
