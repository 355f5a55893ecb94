// Who is where at a time, as gauges see it: of a run that goes on, or of recorded tracks, so that both are measured by the same tools.
// Units: metres, seconds. Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"
#include "recording/tracks.hpp"
#include "scenario/simulation.hpp"
#include "throng/vec2.hpp"

namespace throng::validation {

using navmesh::Index;

struct Walker {
  std::uint64_t serial = 0;
  Index population = 0, layer = 0;
  Vec2 position, velocity;
  double radius = 0;
  bool has_speed = true;  ///< of tracks: not near their ends
  bool arrived = false;   ///< for good, and still there
  bool waits = false;     ///< has not set out
};

struct Frame {
  double time = 0;
  std::vector<Walker> people;  ///< by serial
};

/// What is measured, before its first frame.
struct Scene {
  const environment::CleanEnvironment* environment = nullptr;
  const scenario::Simulation* simulation = nullptr;  ///< null: recorded tracks
  double time_step = 0.1;
};

[[nodiscard]] Frame frame_of(const scenario::Simulation& simulation);

/// Frames of tracks, speeds as laboratories measure them: |x(t + k) - x(t - k)| over 2k frames, and none within k of an end.
[[nodiscard]] std::vector<Frame> frames_of(const recording::Tracks& tracks, std::size_t k = 5);

}  // namespace throng::validation
