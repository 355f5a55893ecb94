#include "routes/plan_batch.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "geometry/parallel.hpp"

namespace throng::routes {

namespace {

/// Queries a task: enough to make handing them out cheap, few enough to share the work evenly.
constexpr std::size_t chunk = 32;

struct Worker {
  Planner planner;
  Route scratch;
};

}  // namespace

struct PlanBatch::Workers {
  Workers(const std::shared_ptr<const RouteGraph>& graph, unsigned threads)
      : arena(threads == 0 ? tbb::task_arena::automatic : int(threads)), each([graph] {
          return Worker{Planner(graph), {}};
        }) {
    if (int(threads) > tbb::info::default_concurrency())
      more_threads.emplace(tbb::global_control::max_allowed_parallelism, threads);
  }

  std::optional<tbb::global_control> more_threads;  ///< than processors, where so many are asked for
  tbb::task_arena arena;
  tbb::enumerable_thread_specific<Worker> each;
};

PlanBatch::PlanBatch(std::shared_ptr<const RouteGraph> graph, unsigned threads, std::size_t cache_capacity)
    : graph_(std::move(graph)), cache_(cache_capacity), workers_(std::make_unique<Workers>(graph_, threads)) {}

PlanBatch::~PlanBatch() = default;

std::vector<PlannedRoute> PlanBatch::plan(std::span<const RouteQuery> queries) {
  std::vector<PlannedRoute> answers(queries.size());
  std::vector<std::size_t> fresh;                    // the first of each query that has to be planned
  std::vector<std::size_t> same_as(queries.size());  // that first one; itself where the answer is there already
  std::unordered_map<QueryKey, std::size_t, QueryKeyHash> first;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    same_as[i] = i;
    const QueryKey key(queries[i], graph_->mesh().generation);
    if (const PlannedRoute* known = cache_.find(key)) {
      answers[i] = *known;
      continue;
    }
    const auto [earlier, is_first] = first.try_emplace(key, i);
    same_as[i] = earlier->second;
    if (is_first) fresh.push_back(i);
  }
  plan_fresh(queries, fresh, answers);
  for (const std::size_t i : fresh) cache_.insert(QueryKey(queries[i], graph_->mesh().generation), answers[i]);
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (same_as[i] != i) answers[i] = answers[same_as[i]];
  return answers;
}

void PlanBatch::plan_fresh(std::span<const RouteQuery> queries, std::span<const std::size_t> fresh,
                           std::span<PlannedRoute> answers) {
  workers_->arena.execute([&] {
    geometry::for_each_number((fresh.size() + chunk - 1) / chunk, [&](std::size_t number) {
      Worker& worker = workers_->each.local();
      for (const std::size_t query : fresh.subspan(number * chunk, std::min(chunk, fresh.size() - number * chunk)))
        answers[query] = plan_shared(worker.planner, queries[query], worker.scratch);
    });
  });
}

}  // namespace throng::routes
