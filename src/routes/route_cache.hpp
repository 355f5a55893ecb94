// Routes that were planned before, by the bits of their query: many who ask the same share one answer.
//
// Laws
// 1. A hit is what the planner would give, and the very same object each time: planning depends on nothing but the query and the
//    mesh, and both are the key (the mesh by its generation).
// 2. At most `capacity` answers are kept; the one that was not asked for longest goes first. What is kept depends on the order of
//    calls only.
// Complexity: O(1) a call. Thread-safety: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

#include "routes/planner.hpp"

namespace throng::routes {

/// What planning came to: a route, or why there is none.
struct PlannedRoute {
  NoRoute reason = NoRoute::bad_query;
  RoutePtr route;  ///< null unless found
};

/// Plans with buffers that are kept: `scratch` is the planner's caller's own.
[[nodiscard]] PlannedRoute plan_shared(Planner& planner, const RouteQuery& query, Route& scratch);

/// All that an answer depends on, to the bit.
struct QueryKey {
  std::array<std::uint64_t, 9> words{};

  QueryKey() = default;
  QueryKey(const RouteQuery& query, std::uint32_t generation);
  friend bool operator==(const QueryKey&, const QueryKey&) = default;
};

struct QueryKeyHash {
  std::size_t operator()(const QueryKey& key) const;
};

class RouteCache {
 public:
  /// A capacity of 0 keeps nothing.
  explicit RouteCache(std::size_t capacity) : capacity_(capacity) {}

  /// The answer to a query, which counts as asked for now; null where there is none.
  const PlannedRoute* find(const QueryKey& key);
  void insert(const QueryKey& key, const PlannedRoute& answer);
  void clear();

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t hits() const { return hits_; }
  [[nodiscard]] std::size_t misses() const { return misses_; }

 private:
  struct Entry {
    QueryKey key;
    PlannedRoute answer;
  };
  using Order = std::list<Entry>;  ///< the one asked for last in front

  std::size_t capacity_;
  Order order_;
  std::unordered_map<QueryKey, Order::iterator, QueryKeyHash> by_key_;  ///< looked up in only, never gone through
  std::size_t hits_ = 0, misses_ = 0;
};

}  // namespace throng::routes
