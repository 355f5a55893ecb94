// Detours round jams that are seen (MIRANDA and ID3: Zwerver 2018; docs/congestion.md): what a crowd knows of where it is dense, and what its people
// remember of jams they met.
//
// Laws
// 1. Fields are there while anybody goes by them. Everybody leaves a stamp in them, renewed every 2 s at a turn of its own; with `at_once` of all, all in
//    the same step.
// 2. Kinds of kernels and fields are those that all of them want together: plain and at once only if nobody wants otherwise, predicted as soon as one does.
// 3. A block is the connected squares above a threshold around one of them, in one step; all who remember it from that step share it.
// Units: metres, seconds. Thread-safety: written by one, between stages; read by any number.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/columns.hpp"
#include "crowd/congestion_methods.hpp"
#include "crowd/second_thoughts.hpp"
#include "fields/density_field.hpp"
#include "routes/axis_trace.hpp"
#include "text/archive.hpp"

namespace throng::crowd {

using agents::Index;
using agents::none;

/// Seconds between renewals, and from field to field of those foreseen.
inline constexpr double renew_every = 2, foreseen_every = 4;

/// What somebody left in the fields: where it is, and where its way takes it in 4 and in 8 s.
struct JamStamps {
  fields::Stamp now, soon, later;
  bool is_there = false;
};

/// A jam that somebody met.
struct JamBlock {
  std::vector<fields::Square> squares;  ///< ascending
  Vec2 velocity;                        ///< m/s, the mean over them
  double seen = 0;                      ///< when
  [[nodiscard]] bool holds(const fields::Square& square) const;
};
using JamBlockPtr = std::shared_ptr<const JamBlock>;

/// What one person remembers of its detours.
struct DetourMind {
  struct Memory {
    JamBlockPtr block;
    double at = 0;
    navmesh::Place first, last;  ///< where the way met it, and left it
  };
  std::vector<Memory> memories;
  // --- the decision that it is bound to, until so much of its way is left
  bool is_committed = false;
  double committed_until = 0, decision_left = 0;
  navmesh::Place decision{{}, none};
  // --- the detour that it is on, until so much of its way is left
  bool is_away = false;
  double joins_left = 0;
  navmesh::Place joins{{}, none};  ///< where it comes back to the way it left: the goal of the detour
  routes::ChainWord way_left;  ///< from the goal of its way back to here, by what was taken, and on by what was left
  Index goal = none;           ///< of its itinerary
  // --- counted
  double last_search = -1e9;
  std::uint32_t local = 0, global = 0, back = 0, fruitless = 0, blocks = 0;
  double committed_time = 0;
  DetourKind last = DetourKind::nothing;
  /// Of those who count only what they saw: where they looked from, and when.
  struct Eye {
    navmesh::Place place;
    float at = 0;
  };
  std::vector<Eye> eyes;

  [[nodiscard]] bool remembers(const fields::Square& square) const;
  [[nodiscard]] std::size_t bytes() const;
  void forget_ways() { is_committed = is_away = false, way_left.clear(); }
};

struct Detours final {
  struct Wants {
    fields::KernelKind kernel = fields::KernelKind::walls;
    bool at_once = false, predicts = false;
    friend bool operator==(const Wants&, const Wants&) = default;
  };
  using StampColumn = agents::Column<JamStamps>;
  using MindColumn = agents::Column<std::unique_ptr<DetourMind>>;

  Detours(navmesh::MeshPtr mesh, const Wants& wants);
  void add(const JamStamps& stamps);
  void renew(JamStamps& stamps, const JamStamps& anew);
  [[nodiscard]] std::size_t bytes() const;

  Wants wants;
  fields::DensityField now;
  std::unique_ptr<fields::DensityField> soon, later;  ///< where anybody wants them
  std::unique_ptr<StampColumn> stamps;
  std::unique_ptr<MindColumn> minds;
  std::unique_ptr<agents::Column<std::uint8_t>> behind_jam;  ///< what followers tell
  /// Those found in one step, to be shared.
  struct Found {
    double threshold = 0;
    JamBlockPtr block;
  };
  std::vector<Found> found;
  std::uint64_t found_in = 0;
};

/// What one person knows of how dense it is: without its own stamp, at the time when it gets there, where it saw it.
class JamSight {
 public:
  JamSight(const Detours& detours, const JamStamps& own, const DetourNumbers& numbers, double speed,
           const DetourMind* mind, const navmesh::Mesh& mesh, double now);

  struct Seen {
    double density = 0;  ///< persons a square metre
    Vec2 velocity;
  };
  /// For who gets there after so many metres.
  [[nodiscard]] Seen at(const fields::Square& square, double ahead);
  /// Whether a square is a jam for somebody who goes in that direction (a unit vector): dense, and, for ID3, against it or slow.
  [[nodiscard]] bool is_blocked(const Seen& seen, Vec2 direction) const;
  [[nodiscard]] const DetourNumbers& numbers() const { return numbers_; }

 private:
  [[nodiscard]] bool is_known(const fields::Square& square) const;

  fields::DensityField::Look now_;
  std::optional<fields::DensityField::Look> soon_, later_;
  const DetourNumbers& numbers_;
  double speed_ = 1;
  const DetourMind* mind_;
  const navmesh::Mesh& mesh_;
  double time_ = 0;
};

/// The times of Zwerver's algorithm 4, with lengths divided by speeds: a way of `to_place` metres to the place of decision that meets a jam after `to_jam`
/// metres, seen `age` seconds ago and moving by `along` metres a second along the way, at which somebody walks `speed`. `published`: the jam is met where it
/// is now, else where it will be by then. Infinite where it stands or comes against one.
[[nodiscard]] double time_past_jam(double to_place, double to_jam, double along, double jam_speed, double age,
                                   double speed, bool published);

}  // namespace throng::crowd
