// What a crowd knows of its own jams: queues at passages and exits with what people announced for them, and how dense it is along the axis.
// There while anybody goes by it (docs/congestion.md).
#pragma once

#include <memory>
#include <vector>

#include "agents/columns.hpp"
#include "crowd/flow_fields.hpp"
#include "crowd/queues.hpp"
#include "crowd/world.hpp"
#include "fields/occupancy.hpp"
#include "goals/area.hpp"
#include "routes/chain_search.hpp"
#include "routes/planned_route.hpp"

namespace throng::crowd {

/// The passages along the chains and dead ends of a graph, by the numbers of the mesh.
class PassageTable {
 public:
  struct At {
    double along = 0;  ///< metres from the chain's, or the edge's, `from`
    Index passage = agents::none;
  };
  explicit PassageTable(const routes::RouteGraph& graph);

  [[nodiscard]] const std::vector<At>& on_chain(Index chain) const { return on_chain_[chain]; }
  /// Those on the way out of a dead end, by metres from its beginning.
  [[nodiscard]] std::vector<At> on_way_out(const routes::RouteGraph& graph, const routes::OnAxis& at,
                                           const routes::ChainPlace& place) const;

 private:
  std::vector<std::vector<At>> on_chain_;
  std::vector<std::vector<At>> on_edge_;  ///< of dead ends
};

/// A queue on somebody's way.
struct Visit {
  Index queue = agents::none;
  float along = 0;                                            ///< metres along the way
  std::int32_t second = std::int32_t(Queues::not_announced);  ///< in which it is announced there
};

/// A chain on somebody's way, where its middle is passed.
struct ChainVisit {
  Index via = agents::none;
  float along = 0;
};

/// Somebody's way as queues see it.
struct Journey {
  routes::PlannedRoutePtr of;      ///< what it was made of: a route,
  FlowFieldPtr field;              ///< or a field, along which metres are counted backwards from the goal
  std::vector<Visit> visits;       ///< in the order of the way
  std::vector<ChainVisit> chains;  ///< only of those who go by density
  Index next = 0;                  ///< of the visits
  float head_since = -1;           ///< when it came to the head of the next queue; negative: it is not there
  bool is_detour = false;          ///< perhaps not the way that is shortest
  struct Seen {
    Index passage = agents::none;
    float at = 0;
  };
  std::vector<Seen> seen;  ///< passages, and when last; only of those who go by what they saw

  [[nodiscard]] std::int64_t announced(Index queue) const {
    for (std::size_t i = next; i < visits.size(); ++i)
      if (visits[i].queue == queue) return visits[i].second;
    return Queues::not_announced;
  }
  [[nodiscard]] std::size_t bytes() const {
    return sizeof *this + visits.capacity() * sizeof(Visit) + chains.capacity() * sizeof(ChainVisit) +
           seen.capacity() * sizeof(Seen);
  }
};

/// What walking over chains takes, for somebody who sets out now: the time walked, and that waited by queues as announced.
/// A cost policy (routes/chain_search.hpp).
struct QueueCosts {
  const routes::RouteGraph& graph;
  const PassageTable& passages;
  const Queues& queues;
  const Journey* own = nullptr;  ///< its announcements do not count
  bool seen_only = false;
  double now = 0, speed = 1;
  std::vector<PassageTable::At> out, in;  ///< of the start's dead end, and of the goal's from its chain on
  double out_length = 0;

  [[nodiscard]] double leaving(Index passage, double arrival) const;
  [[nodiscard]] double stretch(Index via, double from, double to, double so_far) const;
  [[nodiscard]] double dead_end(double length, double so_far) const;
  [[nodiscard]] bool allowed(Index, double, double) const { return true; }
  [[nodiscard]] double least(double distance) const { return distance / speed; }
};

/// The same by how dense it is now (Zwerver 2018, 2.4; formula ours): Weidmann's speed at the density of an edge's cells, but at least that of a
/// stream that goes one's way, and never below 0.05 m/s: full edges are dear, not closed.
struct DensityCosts {
  const routes::RouteGraph& graph;
  const fields::EdgeOccupancy& edges;
  fields::EdgeOccupancy::Presence own;  ///< does not count
  double speed = 1;

  [[nodiscard]] double speed_on(Index edge, bool forward) const;
  [[nodiscard]] double stretch(Index via, double from, double to, double so_far) const;
  [[nodiscard]] double dead_end(double length, double) const { return length / speed; }
  [[nodiscard]] bool allowed(Index, double, double) const { return true; }
  [[nodiscard]] double least(double distance) const { return distance / speed; }
};

/// Speed in a crowd of so many a square metre, of who prefers `speed` (Weidmann 1993).
[[nodiscard]] double speed_in_density(double speed, double density);

/// Who is along which edge, as known by others.
struct EdgeMark {
  fields::EdgeOccupancy::Presence who;  ///< cell none: nobody
};

struct Jams final {
  using JourneyColumn = agents::Column<std::unique_ptr<Journey>>;
  using MarkColumn = agents::Column<EdgeMark>;

  Jams(const World& world, const std::vector<goals::Area>& areas);
  [[nodiscard]] static Index queue_of_area(const World& world, Index area) {
    return Index(world.mesh->passage_count()) + area;
  }

  PassageTable passages;
  Queues queues;
  std::unique_ptr<JourneyColumn> journeys;
  std::unique_ptr<MarkColumn> marks;             ///< while anybody goes by density
  std::unique_ptr<fields::EdgeOccupancy> edges;  ///< the same
  [[nodiscard]] std::size_t bytes() const;
};

}  // namespace throng::crowd
