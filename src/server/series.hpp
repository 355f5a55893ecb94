// What the plots beside the picture show: a row for each second of the simulation.
// Thread-safety: one thread adds, any number ask.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "server/pack.hpp"

namespace throng::server {

struct SeriesRow {
  double time = 0;
  double people = 0;                ///< present
  double arrived = 0;               ///< so far
  double speed = 0;                 ///< metres a second, mean of those present
  double density = 0;               ///< persons a square metre around a person (local_density.hpp), mean
  std::vector<double> flows{};      ///< persons a second through each line, over the last `flow_window`
  std::vector<double> densities{};  ///< persons a square metre in each measured area
};

/// Seconds over which flow is counted.
inline constexpr double flow_window = 10;

class Series {
 public:
  /// Names of lines; without any the flow of arrivals is shown.
  void set_lines(std::vector<std::string> names);
  /// Names of measured areas.
  void set_areas(std::vector<std::string> names);
  void add(const SeriesRow& row);
  void complete();
  [[nodiscard]] std::size_t size() const;
  /// Rows from `first` on: {"first", "complete", "lines", "areas"} and arrays `time`, `people`, `arrived`, `speed`, `density`, `flow0`, ...,
  /// `area0`, ...
  [[nodiscard]] std::string pack(std::size_t first) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_, areas_;
  std::vector<SeriesRow> rows_;
  bool complete_ = false;
};

}  // namespace throng::server
