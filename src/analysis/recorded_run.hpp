// A recording, read and measured: all that a report says of one run.
//
// Laws
// 1. What the run counted itself, in full precision (docs/crowd.md), is taken from the recording as it was stored: figures(), people,
//    lines, areas and groups are those of `throng run --json`, `--agents` and `--measures`, to the last bit.
// 2. A recording whose run was cut short has no such figures: `finished` is false, and what can be told from its frames and rows is
//    counted by the same functions (metrics.hpp): positions are whole millimetres then, and people who stay at their goal count as
//    on the way.
// 3. Maps, trajectories, presence and speed_density come from frames about half a second apart (`sample_time`), for every recording.
// 4. The same recording gives the same bits. Whatever the file holds, the answer is a run, or an error that says what is wrong.
// Thread-safety: a plain value.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/crowd_maps.hpp"
#include "analysis/metrics.hpp"
#include "analysis/run_tables.hpp"
#include "analysis/speed_density.hpp"
#include "environment/clean/clean.hpp"
#include "recording/recording.hpp"

namespace throng::analysis {

/// Where somebody was.
struct SeenAt {
  Vec2 point;
  std::uint32_t layer = 0;
};

struct Person {
  std::uint64_t serial = 0;
  std::uint32_t population = 0, profile = 0;
  double appeared = 0;
  std::optional<double> arrived;
  std::optional<SeenAt> last_place;                       ///< in the last frame that has them
  std::optional<double> distance, walked_for, slow_time;  ///< nothing in a run that was cut short
  [[nodiscard]] std::optional<double> travel_time() const {
    return arrived ? std::optional(*arrived - appeared) : std::nullopt;
  }
};

/// The kind of an event in which somebody takes another way.
inline constexpr std::string_view change_kind = "changed";

/// Somebody who took another way.
struct ChangeOfMind {
  double time = 0;
  std::uint64_t serial = 0;
  std::string why;       ///< crowd::reason_names
  std::string from, to;  ///< names of exits; empty: the exit stays, or has none
  SeenAt at;
};

/// A part of somebody's way that lies in one layer.
struct Track {
  std::size_t walker = 0;  ///< counts those whose ways are kept, from 0
  std::uint32_t layer = 0, population = 0;
  std::vector<Vec2> points;
};

struct RecordedRun {
  std::string name;  ///< of the file, without folder and ending
  std::string path;
  recording::Meta meta;
  environment::CleanEnvironment environment;
  bool finished = false;              ///< the run closed its recording
  bool stopped = false;               ///< ... but was asked to stop before its end
  nlohmann::ordered_json figures;     ///< the members of `throng run --json`
  nlohmann::ordered_json parameters;  ///< Meta::parameters_json
  std::vector<Person> people;         ///< by serial
  std::vector<LineResult> lines;
  std::vector<AreaResult> areas;
  std::vector<GroupFigures> groups;   ///< all, and by size; empty: nobody was with anybody, or the run was cut short
  std::vector<ChangeOfMind> changes;  ///< in the order in which they were recorded
  std::uint64_t frames = 0;
  double begin = 0, end = 0;  ///< times of the first and last frame
  double sample_time = 0;
  std::vector<Vec2> presence;  ///< (time, people)
  CrowdMaps maps;
  std::vector<SpeedAtDensity> speed_density;
  std::vector<Track> tracks;
  std::size_t people_with_tracks = 0;

  /// Ascending.
  [[nodiscard]] std::vector<double> arrivals() const;
  /// A figure that is a number; nothing where it is null or was not counted.
  [[nodiscard]] std::optional<double> figure(const std::string& key) const;
};

[[nodiscard]] Result<RecordedRun> read_run(const std::string& path);

}  // namespace throng::analysis
