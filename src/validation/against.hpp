// A recorded experiment walked again: everybody starts where and when their track starts, walks to where it ends and leaves there; counts over time,
// densities and speeds of both, by the same gauges.
//
// Tracks are of heads and bodies are no discs: where a start would overlap somebody or a wall it is moved by as little as is found, and how many and
// how far is told, never refused. Who finds no place within two metres waits for one. Free speeds are in no track: they are the laboratory's
// (normal 1.55, 0.15 m/s within 1.37 to 1.73), drawn by seed.
// Units: metres, seconds. Thread-safety: free functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crowd/world.hpp"
#include "recording/tracks.hpp"
#include "validation/gauge.hpp"
#include "validation/measures.hpp"
#include "validation/observation.hpp"

namespace throng::validation {

/// PeTrack's text, with what the file does not say: frames a second, and its unit (1 or 0.01 m). 0: as the file says.
[[nodiscard]] Result<recording::Tracks> read_petrack(const std::string& text, const std::string& source, double rate,
                                                     double unit);

struct NamedLine {
  std::string name;
  Vec2 from, to;
};

struct AgainstOptions {
  std::vector<NamedLine> lines;
  std::string method = "moussaid";
  double radius = 0.24;
  std::uint64_t seed = 1;
  double patience = 2;  ///< times the tracks' length, after which it ends
};

/// Crossings of a line, recorded and walked.
struct ComparedLine {
  std::string name;
  std::vector<double> recorded, walked;       ///< times, ascending
  double most_persons = 0;                    ///< largest difference of the two counts at a time
  double most_seconds = 0;                    ///< at equal counts
  double recorded_flow = 0, walked_flow = 0;  ///< (n - 1) / (last - first); 0 for fewer than two
};

/// Density and speed in an area, second by second: mean over the times at which anybody is there.
struct ComparedArea {
  std::string name;
  double recorded_density = 0, walked_density = 0;
  double recorded_speed = 0, walked_speed = 0;
};

struct Comparison {
  std::size_t people = 0;
  std::size_t moved = 0;  ///< starts that were moved
  double most_moved = 0, mean_moved = 0;
  std::size_t arrived = 0, never_started = 0;
  double recorded_last = 0, walked_last = 0;  ///< when the last left
  std::vector<ComparedLine> lines;
  std::vector<ComparedArea> areas;  ///< of the environment, by name
};

[[nodiscard]] Result<Comparison> walk_again(const recording::Tracks& tracks, const crowd::WorldPtr& world,
                                            const AgainstOptions& options);

}  // namespace throng::validation
