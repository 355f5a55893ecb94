// Rows of region weights, shared by people who weigh ground alike: the table that followers read, with a count of each row's users.
// Complexity: O(log rows) a call. Thread-safety: none while it is changed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "agents/people.hpp"
#include "following/region_map.hpp"

namespace throng::crowd {

class WeightRows {
 public:
  void set_types(std::size_t types) { table_.types = types; }
  [[nodiscard]] std::size_t types() const { return table_.types; }
  [[nodiscard]] const following::WeightTable& table() const { return table_; }
  [[nodiscard]] std::vector<double> row(agents::Index number) const {
    return {table_.row(number), table_.row(number) + table_.types};
  }

  /// The number of the row of these weights; one more user of it. Empty: all 1.
  agents::Index take(const std::vector<double>& weights) {
    const auto [entry, is_new] =
        rows_.try_emplace(weights.empty() ? std::vector<double>(table_.types, 1.0) : weights, Row{});
    if (is_new) entry->second.number = place(entry->first);
    ++entry->second.users;
    return entry->second.number;
  }
  /// One user less; the last one gives the row back.
  void give_back(agents::Index number) {
    const auto entry = rows_.find(row(number));
    if (--entry->second.users > 0) return;
    rows_.erase(entry);
    free_.push_back(number);
  }
  [[nodiscard]] std::size_t bytes() const { return table_.weights.capacity() * sizeof(double); }

 private:
  struct Row {
    agents::Index number = 0;
    std::size_t users = 0;
  };
  agents::Index place(const std::vector<double>& weights) {
    if (free_.empty()) {
      table_.weights.insert(table_.weights.end(), weights.begin(), weights.end());
      return agents::Index(table_.weights.size() / table_.types - 1);
    }
    const agents::Index number = free_.back();
    free_.pop_back();
    std::copy(weights.begin(), weights.end(), table_.weights.begin() + std::ptrdiff_t(number * table_.types));
    return number;
  }

  following::WeightTable table_;
  std::map<std::vector<double>, Row> rows_;
  std::vector<agents::Index> free_;
};

}  // namespace throng::crowd
