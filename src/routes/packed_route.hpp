// A route in little memory, for crowds in which everybody has one: what it bends around, from which its lines and arcs are made
// again a few at a time, where they are needed.
//
// A route is a chain of joints: its start, the corner of every arc with its turn, every point where two lines meet, its
// goal. Mostly all arcs have one radius; where some corners leave less room than wanted, every joint has its own. Leg i is the arc around joint i and the line from it to joint i + 1, the common tangent of both (funnel.hpp). A leg that does
// not come out of its joints as it is in the route (cut where layers join, an arc lost in rounding) is stored
// outright.
//
// Laws
// 1. The pieces that unpack() appends for all legs in order, with their prefix lengths, are those of the route, to the bit.
// 2. One allocation: 32 bytes, about 25 a joint (33 where radii differ), and 8 a leg and 80 a piece stored outright.
// What followers do not need is not kept: search cost, steps, passages, radius, mesh generation.
// Complexity: packing O(pieces), a leg O(1), leg_at O(log legs). Immutable but for being moved; thread-safe to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "routes/funnel.hpp"
#include "routes/route.hpp"
#include "text/archive.hpp"

namespace throng::routes {

class PackedRoute {
 public:
  /// No route.
  PackedRoute() = default;
  explicit PackedRoute(const Route& route);

  explicit operator bool() const { return memory_ != nullptr; }

  // --- of a route
  [[nodiscard]] navmesh::Place start() const { return {joints().front().centre, head().start_layer}; }
  [[nodiscard]] Vec2 end() const { return joints().back().centre; }
  [[nodiscard]] double length() const { return head().length; }
  /// None where the route is a single point.
  [[nodiscard]] Index legs() const { return head().joints - 1; }
  /// Distance along the route at which a leg begins; legs(): the whole length.
  [[nodiscard]] double begin_of(Index leg) const { return joints()[leg].before; }
  /// The last leg that begins at or before a distance along the route, or the first.
  [[nodiscard]] Index leg_at(double along) const;
  /// The same, quickly where it is `hint` or one of the next few.
  [[nodiscard]] Index leg_at(double along, Index hint) const;
  /// Appends a leg's pieces, with their prefix lengths; `window.length` becomes where it ends.
  void unpack(Index leg, Route& window) const;

  /// As bytes, and back; refused (false, no route) where the bytes are no packed route in this many layers.
  void save(geometry::ArchiveWriter& archive) const;
  bool load(geometry::ArchiveReader& archive, Index layers);

  /// Of memory that is held beside the object itself.
  [[nodiscard]] std::size_t bytes() const;
  /// Asks for the memory of the route's head and of this leg, ahead of their use; the leg need not exist.
  void prefetch(Index leg) const {
    __builtin_prefetch(memory_.get());
    const std::byte* const about = memory_.get() + sizeof(Head) + usual_room_for_turns + leg * sizeof(Joint);
    __builtin_prefetch(about);
    __builtin_prefetch(about + 2 * sizeof(Joint));
  }

 private:
  struct Joint {
    Vec2 centre;
    double before = 0;  ///< length of the route before the joint's leg
  };
  /// How a route turns at a joint.
  enum class Turn : std::uint8_t { straight, left, right };
  struct OutrightLeg {
    Index leg = 0;
    Index first_piece = 0;
  };
  struct Head {
    Index start_layer = 0;
    Index joints = 0;
    Index outright_legs = 0, outright_pieces = 0;
    double radius = 0;  ///< of all arcs; negative: every joint has its own
    double length = 0;  ///< of the route; here too, because the last joint lies far from what else is looked at
  };
  struct Draft;

  /// Bytes, so that joints begin where doubles may.
  static constexpr std::size_t usual_room_for_turns = 16;
  static constexpr std::size_t room_for_turns(std::size_t joints) { return (joints + 7) / 8 * 8; }
  [[nodiscard]] const Head& head() const { return *reinterpret_cast<const Head*>(memory_.get()); }
  [[nodiscard]] std::span<const Joint> joints() const {
    return {reinterpret_cast<const Joint*>(memory_.get() + sizeof(Head) + room_for_turns(head().joints)),
            head().joints};
  }
  /// Of each joint; none where all arcs have the same.
  [[nodiscard]] std::span<const double> radii() const {
    return {reinterpret_cast<const double*>(joints().data() + head().joints), head().radius < 0 ? head().joints : 0};
  }
  [[nodiscard]] std::span<const OutrightLeg> outright_legs() const {
    return {reinterpret_cast<const OutrightLeg*>(radii().data() + radii().size()), head().outright_legs};
  }
  [[nodiscard]] std::span<const Piece> outright_pieces() const {
    return {reinterpret_cast<const Piece*>(outright_legs().data() + head().outright_legs), head().outright_pieces};
  }
  [[nodiscard]] std::span<const Turn> turns() const {
    return {reinterpret_cast<const Turn*>(memory_.get() + sizeof(Head)), head().joints};
  }
  [[nodiscard]] bool is_sound(Index layers) const;
  /// What legs are made from.
  struct Chain {
    std::span<const Joint> joints;
    std::span<const Turn> turns;
    std::span<const double> radii;
    double radius = 0;
    [[nodiscard]] Bend bend(Index joint) const {
      const double arc = radii.empty() ? radius : radii[joint];
      return {joints[joint].centre, turns[joint] == Turn::straight ? 0 : turns[joint] == Turn::left ? arc : -arc};
    }
  };
  static void make_leg(const Chain& chain, Index leg, Index layer, Route& window);

  std::unique_ptr<std::byte[]> memory_;  ///< head, turns, joints, radii, outright legs, outright pieces
};

}  // namespace throng::routes
