// What a run is judged by, gathered step by step from full precision: arrivals, times, distances, speeds, collisions, energy, who is
// stuck, flow through lines, density in areas, evacuation times, and the hash of it all.
//
// Laws
// 1. Observing changes nothing in the crowd, and the figures do not depend on the number of threads.
// 2. `hash` is the sum modulo 2^64, over all steps and people, of FNV-1a 64 of (step, serial, layer, x, y) as 64-bit little-endian
//    integers and doubles: two runs with one hash walked the same ways, bit for bit, and the hashes of parts of a crowd add up.
//
// Definitions (docs/formats.md; van Toll, Pettre 2019, 6.2; Jaklin 2016, 9.4)
//   collision     a maximal run of steps in which two discs overlap by more than a centimetre
//   slow time     seconds below 0.5 m/s while on the way
//   energy        mean change of kinetic energy a step, absolute, in joules, of a mass of 320 kg a metre of radius
//   stuck         on the way, but less than 0.5 m of the remaining route walked in the last 10 s
//   evacuated_p   when p percent of all people who appeared had arrived
//   mean incentive  how much people went their own way, mean over time on the way with a method for streams (steering/stream.hpp)
//   stream share  the part of that time with an incentive below 0.5
//   ground        metres and seconds by type of ground under the centre, in worlds with regions, ramps or stairs: of each step as much as
//                 its straight line is on; the seconds of who stands are those of where they stand. Together they are distance and time.
//   flow          crossings of a line, positive from its left to its right, seen from its first point to its last
// Cost: O(people) a step, one thread. Units: metres, seconds.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/group_metrics.hpp"
#include "crowd/crowd.hpp"
#include "goals/area.hpp"
#include "text/archive.hpp"

namespace throng::analysis {

using navmesh::Index;

struct MeasuredLine {
  std::string name;
  Vec2 from, to;
  Index layer = 0;
};

struct MeasuredArea {
  std::string name;
  goals::Area area;
  double every = 1;  ///< seconds
};

/// One person's way.
struct AgentRecord {
  std::uint64_t serial = 0;
  Index population = 0, profile = 0;
  double radius = 0;
  double appeared = 0;
  double left = -1;     ///< when it arrived for good; below 0: has not
  double distance = 0;  ///< walked, in the plane
  double walked_for = 0;
  double slow_time = 0;
  double energy = 0;  ///< sum over steps
  std::uint64_t steps = 0;
  /// Of the steps in which it walked and had a method for streams: how many, the sum of its incentive, and those with one below a half.
  std::uint64_t stream_steps = 0;
  double incentives = 0;
  std::uint64_t carried_steps = 0;
  [[nodiscard]] std::optional<double> mean_incentive() const {
    return stream_steps > 0 ? std::optional(incentives / double(stream_steps)) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> stream_share() const {
    return stream_steps > 0 ? std::optional(double(carried_steps) / double(stream_steps)) : std::nullopt;
  }
  /// Of those with a strategy: what it counted so far.
  std::optional<crowd::StrategyMarks> strategy;
  /// Of who may think again on the way (docs/congestion.md).
  bool thinks = false;
  std::uint64_t route_changes = 0, exit_changes = 0, most_changes_a_minute = 0;
  double jam_time = 0;  ///< seconds in which the detector called it stuck
  /// Of who goes round jams that it sees.
  bool detours = false;
  std::uint64_t detours_local = 0, detours_global = 0, detours_back = 0, detours_fruitless = 0, jams_remembered = 0;
  double committed_time = 0;   ///< seconds
  Index exit = navmesh::none;  ///< number of the area it went to last
  bool arrived = false;
  bool stuck = false;
};

/// Those who left by one area.
struct ExitSummary {
  std::string name;
  std::uint64_t people = 0;
  double first = 0, last = 0;  ///< seconds
  double mean_waiting = 0;     ///< seconds below 0.5 m/s
  /// Persons a second between the first and the last; 0 for fewer than two.
  [[nodiscard]] double flow() const { return people > 1 && last > first ? double(people - 1) / (last - first) : 0; }
};

struct Crossing {
  double time = 0;
  std::uint64_t serial = 0;
  int direction = 0;  ///< 1 from left to right, -1 back
};

struct DensitySample {
  double time = 0;
  std::uint64_t people = 0;
  double density = 0;  ///< a square metre
};

/// On one type of ground.
struct GroundWalk {
  double metres = 0, seconds = 0;
};

/// Of all of a population.
struct GroundShare {
  Index population = 0;
  std::string type;  ///< "plain" where there is no region
  GroundWalk walk;
};

struct LineResult {
  MeasuredLine line;
  std::vector<Crossing> crossings;
  [[nodiscard]] std::int64_t net() const;
  /// Crossings a second, both ways, between the first and the last of them; 0 for fewer than two.
  [[nodiscard]] double flow() const;
};

struct AreaResult {
  std::string name;
  double square_metres = 0;
  std::vector<DensitySample> samples;
  [[nodiscard]] double mean_density() const;  ///< over the samples
  [[nodiscard]] double most() const;          ///< the highest density of any sample
};

/// 1 if the way p -> q crosses the line from its left to its right, -1 for the other way, 0 for no crossing. A way that ends on the
/// line has not crossed it yet, so that nobody is counted twice.
[[nodiscard]] int crossing(const MeasuredLine& line, Vec2 p, Vec2 q);

/// When the given part of all `people` had arrived; `arrivals` ascend. Nothing where fewer did.
[[nodiscard]] std::optional<double> evacuated(const std::vector<double>& arrivals, std::size_t people, double part);

/// The closing table in numbers.
struct Summary {
  std::uint64_t agents = 0, arrived = 0, steps = 0;
  double sim_time = 0;
  std::uint64_t collisions = 0, collision_steps = 0, stuck = 0, lost = 0;
  double max_overlap = 0;
  std::optional<double> evacuated_50, evacuated_95, evacuated_100;
  double mean_travel_time = 0, mean_distance = 0, mean_speed = 0, mean_slow_time = 0,
         mean_energy = 0;  ///< of those who arrived
  /// Of everybody who walked with a method for streams, over their time on the way: nothing where nobody has one.
  std::optional<double> mean_incentive, stream_share;
  /// By population and type of ground, where there is any but plain.
  std::vector<GroundShare> ground;
  std::vector<GroupSummary> groups;                 ///< all, then by size; empty where nobody was in one
  std::optional<crowd::StrategyCounts> strategies;  ///< where anybody had one
  struct SignSeen {
    Vec2 at;
    crowd::GuidanceCount count;
  };
  std::optional<std::uint64_t> unheeded;  ///< plans without a way under guidance, where there is some
  std::vector<SignSeen> signs;
  /// Where anybody may think again on the way: changes of all, the most of one person in a minute, seconds stuck of all.
  bool thinks = false;
  std::uint64_t route_changes = 0, exit_changes = 0, most_changes_a_minute = 0;
  double jam_time = 0;
  /// Where anybody goes round jams: of all together.
  bool detours = false;
  std::uint64_t detours_local = 0, detours_global = 0, detours_back = 0, detours_fruitless = 0, jams_remembered = 0;
  double committed_time = 0;
  std::vector<ExitSummary> exits;  ///< by which anybody left, in the order of their numbers
  std::uint64_t hash = 0;
};

class Metrics {
 public:
  Metrics(std::vector<MeasuredLine> lines, std::vector<MeasuredArea> areas);

  /// The state before the first step.
  void begin(const crowd::Crowd& crowd);
  /// After each step of `dt` seconds.
  void observe(const crowd::Crowd& crowd, double dt);

  /// As bytes, and back into metrics of the same lines and areas: they go on as if never interrupted.
  void save(geometry::ArchiveWriter& archive) const;
  /// Refused (the archive has failed) where they are not of this crowd, or name populations and profiles that there are none of.
  void load(geometry::ArchiveReader& archive, const crowd::Crowd& crowd, std::size_t populations, std::size_t profiles);

  [[nodiscard]] Summary summary() const;
  /// By serial; people not seen yet have none.
  [[nodiscard]] const std::vector<AgentRecord>& agents() const { return agents_; }
  /// Types of ground, plain first; none where there is no other.
  [[nodiscard]] const std::vector<std::string>& ground_types() const { return ground_types_; }
  /// What one person walked of each type.
  [[nodiscard]] std::span<const GroundWalk> ground_of(std::uint64_t serial) const {
    return std::span(ground_).subspan((serial - 1) * ground_types_.size(), ground_types_.size());
  }
  [[nodiscard]] const std::vector<LineResult>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<AreaResult>& areas() const { return area_results_; }
  [[nodiscard]] const GroupMetrics& groups() const { return groups_; }

 private:
  /// What must be remembered of somebody between two steps.
  struct Trail {
    Vec2 position;
    Index layer = 0;
    double kinetic_energy = 0;
    double mark = 0;  ///< remaining route at `mark_time`
    double mark_time = 0;
    // No border of ground is within `even` metres, and what lies there is of the kind; no part of snapshots.
    double even = 0;
    Index kind = 0;
  };

  [[nodiscard]] bool fits(const crowd::Crowd& crowd, std::size_t populations, std::size_t profiles) const;
  void add(const crowd::Crowd& crowd, crowd::Slot slot);
  void follow(const crowd::Crowd& crowd, crowd::Slot slot, double dt);
  void take_ground(const crowd::Crowd& crowd);
  void count_ground(const crowd::Crowd& crowd, const AgentRecord& agent, Trail& before, Vec2 now, Index layer,
                    double dt);
  void watch_progress(const crowd::Crowd& crowd, crowd::Slot slot);
  void count_crossings(AgentRecord& agent, const Trail& before, Vec2 now, Index layer, double time);
  void count_thoughts(const crowd::Crowd& crowd, crowd::Slot slot, AgentRecord& agent);
  void count_departures(const crowd::Crowd& crowd);
  void count_collisions(const crowd::Crowd& crowd);
  void measure_areas(const crowd::Crowd& crowd);
  void read_signs(const crowd::Crowd& crowd);
  void add_to_hash(const crowd::Crowd& crowd);

  std::vector<LineResult> lines_;
  std::vector<MeasuredArea> areas_;
  std::vector<AreaResult> area_results_;
  std::vector<double> next_sample_;
  std::vector<AgentRecord> agents_;  ///< by serial - 1
  std::vector<Trail> trails_;
  std::vector<std::string> ground_types_;
  std::vector<Index> type_of_kind_;  ///< into ground_types_
  std::vector<double> even_row_, metres_;
  std::vector<GroundWalk> ground_;  ///< by serial - 1, and type
  ground::RegionMap::Scratch scratch_;
  std::shared_ptr<const ground::RegionMap> regions_;  ///< whose borders trails know of
  std::vector<double> arrival_times_;
  GroupMetrics groups_;
  std::vector<std::string> exit_names_;  ///< of all areas people go to, where anybody thinks again
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>
      touching_;  ///< pairs, and the last step they were seen
  std::uint64_t collisions_ = 0, collision_steps_ = 0, lost_ = 0;
  double max_overlap_ = 0;
  bool uses_strategies_ = false;
  std::optional<crowd::StrategyCounts> strategies_;
  std::optional<std::uint64_t> unheeded_;
  std::vector<Summary::SignSeen> signs_;
  double time_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t hash_ = 0;
};

}  // namespace throng::analysis
