// Scenes for detours round people (Zwerver 2018, 5): halls, people who stand, and who walks where. The paper's own measures are lost; these have ways round
// of its lengths (docs/congestion.md).
//
// Laws
// 1. The same scene, seed and method give the same crowd, bit for bit.
// 2. In `random` people stand so that a body fits through between them.
// Units: metres, seconds. Thread-safety: free functions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crowd/crowd.hpp"
#include "throng/result.hpp"

namespace throng::analysis {

/// Of everybody who walks and stands there.
inline constexpr double detour_body = 0.24, detour_speed = 1.4;

struct DetourScene {
  std::string name;
  environment::Environment drawn;
  struct Standing {
    Vec2 place;
    double from = 0, until = 1e9;  ///< seconds in which it is there
  };
  std::vector<Standing> standing;
  struct Walker {
    Vec2 from, to;
    double clearance = 0;  ///< that its route keeps
    double begins = 0;     ///< seconds
  };
  std::vector<Walker> walkers;
  double duration = 150;
  /// Somebody who goes on with its own velocity, whatever happens, until it is outside.
  struct Stream {
    Vec2 from, velocity;
    double until = 1e9;
  };
  std::vector<Stream> streams;
};

/// busy-corner, blocked-path, many-corners, random, memory-reverse, memory, memory-extended.
[[nodiscard]] const std::vector<std::string>& detour_scenes();
/// Refused where there is no such scene, or nothing fits.
[[nodiscard]] Result<DetourScene> make_detour_scene(const std::string& name, std::uint64_t seed);
/// Two opposing streams round a corner; goals as far from the inner wall as starts, or the other way round; clearance that of the start, or the same of all.
[[nodiscard]] DetourScene corner_scene(bool reversed, bool own_clearance);
/// Metres of the shortest way of a walker with everybody who stands at a time as an obstacle; nothing where there is none.
[[nodiscard]] std::optional<double> shortest_way_round(const DetourScene& scene, std::size_t walker, double time);

/// How walkers go: the level `congestion` and its numbers, and a method for streams; empty: without.
struct DetourMethod {
  std::string name;
  std::string congestion;
  bool as_published = false;
  std::vector<std::pair<std::string, double>> numbers = {};
  std::string stream = {};
};

struct DetourRun {
  struct One {
    bool has_arrived = false;
    double time = 0, length = 0;  ///< seconds from setting out, metres walked
    std::uint32_t detours = 0, back = 0, fruitless = 0;
    double committed = 0;
    std::optional<double> first_detour_ahead;  ///< metres from the nearest who stands when it first detoured
    std::optional<Vec2> first_goal;            ///< of that detour
    std::vector<Vec2> path;
  };
  std::vector<One> walkers;
  double ms_a_step = 0;
};
/// `chosen`: which walkers go by the method; the others by none. Empty: all.
[[nodiscard]] Result<DetourRun> run_detour_scene(const DetourScene& scene, const crowd::WorldPtr& world,
                                                 const DetourMethod& method, std::uint64_t seed,
                                                 const std::vector<bool>& chosen = {});

/// A town with four areas of 40 x 40 m near its corners, among which people set out and arrive: each from a random place of one to one of another, with a
/// clearance of its own.
struct CityRun {
  double people_a_second = 15, filling = 180, measured = 20;  ///< seconds
};
struct CityFigures {
  std::size_t people = 0;                                        ///< present in the end
  double ms_a_step = 0;                                          ///< of those measured
  std::array<double, std::size(crowd::stage_names)> stage_ms{};  ///< the same, by stage
  std::uint64_t detours = 0, fruitless = 0;
};
/// Refused where the world has no room for the areas.
[[nodiscard]] Result<CityFigures> run_city(const crowd::WorldPtr& world, const CityRun& run, const DetourMethod& method,
                                           std::uint64_t seed);

}  // namespace throng::analysis
