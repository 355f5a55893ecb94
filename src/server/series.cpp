#include "server/series.hpp"

#include <algorithm>
#include <utility>

namespace throng::server {

void Series::set_lines(std::vector<std::string> names) {
  const std::lock_guard lock(mutex_);
  lines_ = std::move(names);
}

void Series::set_areas(std::vector<std::string> names) {
  const std::lock_guard lock(mutex_);
  areas_ = std::move(names);
}

void Series::add(const SeriesRow& row) {
  const std::lock_guard lock(mutex_);
  rows_.push_back(row);
}

void Series::complete() {
  const std::lock_guard lock(mutex_);
  complete_ = true;
}

std::size_t Series::size() const {
  const std::lock_guard lock(mutex_);
  return rows_.size();
}

std::string Series::pack(std::size_t first) const {
  const std::lock_guard lock(mutex_);
  first = std::min(first, rows_.size());
  Pack pack;
  const auto column = [&](const std::string& name, const auto& value_of) {
    std::vector<float> values;
    for (std::size_t i = first; i < rows_.size(); ++i) values.push_back(float(value_of(rows_[i])));
    pack.array(name, values);
  };
  column("time", [](const SeriesRow& row) { return row.time; });
  column("people", [](const SeriesRow& row) { return row.people; });
  column("arrived", [](const SeriesRow& row) { return row.arrived; });
  column("speed", [](const SeriesRow& row) { return row.speed; });
  column("density", [](const SeriesRow& row) { return row.density; });
  for (std::size_t line = 0; line < lines_.size(); ++line)
    column("flow" + std::to_string(line),
           [&](const SeriesRow& row) { return line < row.flows.size() ? row.flows[line] : 0.0; });
  for (std::size_t area = 0; area < areas_.size(); ++area)
    column("area" + std::to_string(area),
           [&](const SeriesRow& row) { return area < row.densities.size() ? row.densities[area] : 0.0; });
  return pack.finish({{"first", first}, {"complete", complete_}, {"lines", lines_}, {"areas", areas_}});
}

}  // namespace throng::server
