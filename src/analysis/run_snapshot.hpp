// Snapshots of runs as files: the simulation and its metrics at a step, to go on from.
//
// A file begins with a line that names it and its version, then a checksum of the rest. Damaged files, and those of other scenarios or
// environments, are refused.
#pragma once

#include <string>

#include "analysis/metrics.hpp"
#include "scenario/simulation.hpp"

namespace throng::analysis {

[[nodiscard]] Problems write_snapshot(const std::string& path, const scenario::Simulation& simulation,
                                      const Metrics& metrics);

/// The bytes of a snapshot's inside, checked against its checksum.
[[nodiscard]] Result<std::string> read_snapshot(const std::string& path);

}  // namespace throng::analysis
