// Where everybody in a recording was to go, drawn again from the scenario and seed in the file, and the way they would plan from where they were.
//
// A recording holds positions, not intentions. Itineraries hang on seed, population and number only, so they come out as they were in the
// run. Routes do not: what is told is the route that this person, with their radius and method, plans from a recorded place to the goal
// they had then, in the environment of the start.
//
// Thread-safety: route_from() from any thread, one at a time; the rest is immutable.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/metrics.hpp"
#include "crowd/crowd.hpp"
#include "recording/recorder.hpp"
#include "scenario/populate.hpp"

namespace throng::server {

/// Somebody was here then.
struct WayPoint {
  navmesh::Place place;
  double time = 0;
};

class RecordedPlans {
 public:
  /// Knows nothing where the scenario in the file cannot be read.
  RecordedPlans(const recording::Meta& meta, const std::vector<recording::AgentRow>& agents, crowd::WorldPtr world,
                const std::string& path);
  ~RecordedPlans();
  RecordedPlans(const RecordedPlans&) = delete;
  RecordedPlans& operator=(const RecordedPlans&) = delete;

  [[nodiscard]] bool known() const { return !people_.empty(); }
  /// Of a row of agents; nothing where it is not known.
  [[nodiscard]] goals::ItineraryPtr itinerary_of(std::size_t row) const;
  [[nodiscard]] const std::vector<goals::Area>& areas() const;
  /// Those that the run counted at.
  [[nodiscard]] std::vector<analysis::MeasuredLine> lines() const;

  /// When somebody was done with each goal of their itinerary, as their way tells: reached, and waited at. As many as they were done with.
  [[nodiscard]] std::vector<double> goals_done(std::size_t row, std::span<const WayPoint> way) const;
  /// The points of the route from a place to a goal of their itinerary; empty where there is none.
  [[nodiscard]] std::vector<navmesh::Place> route_from(const navmesh::Place& place, std::size_t row, std::size_t goal);

 private:
  struct Known;
  std::unique_ptr<Known> known_;  ///< the scenario, read
  std::vector<crowd::AgentSpec> people_;
  std::mutex mutex_;                     ///< of the one below
  std::unique_ptr<crowd::Crowd> alone_;  ///< plans as in a run, for one person at a time
};

}  // namespace throng::server
