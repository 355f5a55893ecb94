// Level 2, before avoidance: what somebody wants for itself in, what it intends among the others out. Streams bend a velocity towards that of
// those ahead; formations and groups have their place here, too. One virtual call for a span of people who share the method.
//
// Laws
// 1. run() writes the intended velocity of the slots it was given, and their own columns, and nothing else: the same answers whatever the
//    spans are. A chain: it finds in `intended` what those before it made of the preferred velocity.
// 2. Who has no method, or does not walk, intends what it prefers, bit for bit.
// 3. It looks for itself (Perception::look()): whom avoidance minds is the same with it and without.
// Thread-safety: run() may be called for disjoint spans at the same time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "agents/method.hpp"
#include "agents/own_columns.hpp"
#include "agents/people.hpp"
#include "fields/occupancy.hpp"
#include "steering/perception.hpp"

namespace throng::steering {

/// How far people have to go. Called by several threads.
class Journeys {
 public:
  virtual ~Journeys() = default;
  /// Along its way to its present goal; infinite where that is not known.
  [[nodiscard]] virtual double metres_left(Slot slot) const = 0;
  /// The speed it prefers where there are no stairs.
  [[nodiscard]] virtual double level_speed(Slot slot) const = 0;
};

struct CoordinateView {
  People people;
  const Perception* perception = nullptr;  ///< of where everybody is
  agents::Blocks parameters;
  const Journeys* journeys = nullptr;
  const fields::EdgeOccupancy* edges = nullptr;  ///< of where everybody is, where counts_edges()
  const agents::OwnColumns* own = nullptr;       ///< what the method declared to remember of its people, if anything
};

/// What a method made of somebody in the last step, for those who look on.
struct Coordination {
  double density = 0;    ///< as the person sees it, 0 to 1
  double incentive = 1;  ///< 0: all stream, 1: all its own
  Vec2 stream;           ///< m/s: of those around, as it sees it; its own where there is none
};

class Coordinator {
 public:
  virtual ~Coordinator() = default;
  [[nodiscard]] virtual const agents::MethodInfo& info() const = 0;
  /// Whether it has to be known where others are.
  [[nodiscard]] virtual bool looks_around() const = 0;
  /// Whether it has to be known how much of the ground along each axis edge is covered.
  [[nodiscard]] virtual bool counts_edges() const { return false; }
  virtual void run(const CoordinateView& view, std::span<const Slot> who, std::span<Vec2> intended) const = 0;
  /// Of somebody who walked in the last step; nothing where the method has nothing to tell.
  [[nodiscard]] virtual std::optional<Coordination> shown(const agents::OwnColumns&, Slot) const { return {}; }
};

/// Every one there is; the first is meant where none is named.
[[nodiscard]] const std::vector<const Coordinator*>& coordinators();
/// By name; null where there is none.
[[nodiscard]] const Coordinator* find_coordinator(std::string_view name);

}  // namespace throng::steering
