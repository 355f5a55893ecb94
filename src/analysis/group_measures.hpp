// What groups are judged by at one moment (Jaklin 2016, 10.1): coherence, partial and total sociality, as they are defined: in the plane, for
// members on one layer or in sight of each other; walls on one layer do not count. docs/groups.md.
//
// Words: a member is visible to another if the other's field of view, 90 degrees to both sides of its heading and `view` metres far, holds a
// point of its body.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "agents/people.hpp"
#include "throng/vec2.hpp"

namespace throng::analysis {

struct MemberState {
  std::uint64_t serial = 0;
  Vec2 position, heading{1, 0};
  double radius = 0;
  navmesh::Index layer = 0;
  double way_left = 0;  ///< metres; decides who is first and last
};

/// Whether two members on different layers see each other: asked for those only.
using JoinedLayers = std::function<bool(const MemberState&, const MemberState&)>;

[[nodiscard]] bool is_visible(const MemberState& from, const MemberState& other, double view);

/// The smallest and the largest way left, ties to the lower serial; members are in order of serials.
struct FirstAndLast {
  std::size_t first = 0, last = 0;
};
[[nodiscard]] FirstAndLast first_and_last(std::span<const MemberState> members);

/// First and last are no farther apart than the view and the first one's radius.
[[nodiscard]] bool is_coherent(std::span<const MemberState> members, double view, const JoinedLayers& joined);

struct Sociality {
  bool partial = false, total = false;
};
/// Partial: everybody has somebody whom they see and who sees them, bodies at most `social_distance` apart. Total: and all see each other.
[[nodiscard]] Sociality sociality(std::span<const MemberState> members, double view, double social_distance,
                                  const JoinedLayers& joined);

/// Mean distance to the centroid.
[[nodiscard]] double dispersion(std::span<const MemberState> members);

/// How two members stand to the way of their group: 0 behind each other, 90 abreast.
[[nodiscard]] double degrees_to_way(Vec2 between, Vec2 way);

}  // namespace throng::analysis
