// The names of an environment that a scenario may use: layers, areas, types of regions.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "environment/environment.hpp"
#include "scenario/json_checker.hpp"
#include "scenario/scenario.hpp"

namespace throng::scenario {

class EnvironmentNames {
 public:
  explicit EnvironmentNames(const environment::Environment& environment);

  /// The layer of a member "layer"; none where there is no such member, or where it is wrong, which is reported.
  [[nodiscard]] Index layer(JsonChecker& checker, const Node& parent) const;
  /// Reports an area that does not exist, or not in that layer.
  void check_area(JsonChecker& checker, const AreaSpec& area) const;
  /// The layer of that id.
  [[nodiscard]] std::optional<Index> find_layer(const std::string& id) const;
  [[nodiscard]] const std::vector<std::string>& layers() const { return layers_; }
  [[nodiscard]] const std::set<std::string>& region_types() const { return region_types_; }

 private:
  std::vector<std::string> layers_;
  std::map<std::string, std::set<std::size_t>> areas_;  ///< and the layers they are in
  std::set<std::string> region_types_;
};

}  // namespace throng::scenario
