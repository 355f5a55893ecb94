// Numbers of methods, shared by people who have the same: a pool of blocks with a count of their users.
// Thread-safety: none while it is changed.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "agents/people.hpp"

namespace throng::agents {

class BlockPool {
 public:
  /// Where a block with these numbers begins; one more user of it.
  Index take(const std::vector<double>& numbers) {
    const auto [entry, is_new] = blocks_.try_emplace(numbers);
    if (is_new) entry->second.first = place(numbers);
    ++entry->second.users;
    return entry->second.first;
  }
  /// One user less; the last one gives the block back.
  void give_back(const std::vector<double>& numbers) {
    const auto entry = blocks_.find(numbers);
    if (entry == blocks_.end() || --entry->second.users > 0) return;
    free_[numbers.size()].push_back(entry->second.first);
    blocks_.erase(entry);
  }
  [[nodiscard]] std::vector<double> numbers(Index first, std::size_t count) const {
    return {pool_.begin() + std::ptrdiff_t(first), pool_.begin() + std::ptrdiff_t(first + count)};
  }
  [[nodiscard]] const double* data() const { return pool_.data(); }
  [[nodiscard]] std::size_t bytes() const { return pool_.capacity() * sizeof(double); }

 private:
  struct Block {
    Index first = 0;
    std::size_t users = 0;
  };

  Index place(const std::vector<double>& numbers) {
    std::vector<Index>& free = free_[numbers.size()];
    if (free.empty()) {
      pool_.insert(pool_.end(), numbers.begin(), numbers.end());
      return Index(pool_.size() - numbers.size());
    }
    const Index first = free.back();
    free.pop_back();
    std::copy(numbers.begin(), numbers.end(), pool_.begin() + std::ptrdiff_t(first));
    return first;
  }

  std::vector<double> pool_;
  std::map<std::vector<double>, Block> blocks_;
  std::map<std::size_t, std::vector<Index>> free_;  ///< by size
};

}  // namespace throng::agents
