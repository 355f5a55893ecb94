// Many routes at once, over threads.
//
// Laws
// 1. answers[i] is what Planner::plan gives for queries[i], to the bit, for any number of threads.
// 2. Queries equal to the bit are planned once and share one route, in a batch and, with a cache, from batch to batch.
//
// Fixed chunks of the distinct queries, a planner a worker (oneTBB). Thread-safety: one batch at a time on one PlanBatch.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "routes/planner.hpp"
#include "routes/route_cache.hpp"

namespace throng::routes {

class PlanBatch {
 public:
  /// `threads` 0: as many as the machine has. `cache_capacity`: answers kept for later batches.
  explicit PlanBatch(std::shared_ptr<const RouteGraph> graph, unsigned threads = 0, std::size_t cache_capacity = 0);
  ~PlanBatch();

  [[nodiscard]] std::vector<PlannedRoute> plan(std::span<const RouteQuery> queries);
  [[nodiscard]] const RouteCache& cache() const { return cache_; }

 private:
  struct Workers;

  void plan_fresh(std::span<const RouteQuery> queries, std::span<const std::size_t> fresh,
                  std::span<PlannedRoute> answers);

  std::shared_ptr<const RouteGraph> graph_;
  RouteCache cache_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace throng::routes
