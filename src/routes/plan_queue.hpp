// Planning in time slices: whoever asks gets a place in a queue, and each step of the simulation spends a budget on it.
//
// Laws
// 1. spend(n) makes at most n search expansions. A request costs the expansions of its search, and at least one; one that the
//    cache knows costs one. An exact search (`shortest`) is not cut up: it may take more than is left of n, and costs what is left.
// 2. Oldest first: requests are finished in the order of asking, so a request waits for those before it and for no others. A
//    search that does not end within a budget is kept and goes on in the next call.
// 3. An answer is the one Planner::plan gives, to the bit, however the budget was cut up; with a cache it may come sooner.
// 4. Asking again under an id that waits keeps its place and plans the newer query: nobody loses a turn by moving on.
//
// Complexity: O(log n) a call to ask and withdraw for n that wait. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "routes/planner.hpp"
#include "routes/route_cache.hpp"

namespace throng::routes {

struct PlanAnswer {
  std::uint64_t id = 0;
  NoRoute reason = NoRoute::bad_query;
  RoutePtr route;  ///< null unless found
};

class PlanQueue {
 public:
  /// `cache` may be shared with others that run on the same thread; null: none.
  explicit PlanQueue(std::shared_ptr<const RouteGraph> graph, std::shared_ptr<RouteCache> cache = nullptr);

  /// Asks for a route. Ids are the caller's own.
  void ask(std::uint64_t id, const RouteQuery& query);
  /// Takes a request back; false where none of that id waits.
  bool withdraw(std::uint64_t id);
  [[nodiscard]] bool waits(std::uint64_t id) const { return turn_of_.contains(id); }
  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  [[nodiscard]] bool empty() const { return waiting_.empty(); }

  /// Works on the queue with at most `budget` expansions, appends what was finished, and says how many it took.
  std::size_t spend(std::size_t budget, std::vector<PlanAnswer>& answers);

  /// Goes on with another version of the mesh; a half-done search begins again on it.
  void set_graph(std::shared_ptr<const RouteGraph> graph);

 private:
  struct Request {
    std::uint64_t id = 0;
    RouteQuery query;
  };
  /// What a piece of work on the oldest request came to.
  struct Slice {
    std::size_t spent = 0;
    std::optional<PlannedRoute> answer;  ///< nothing: it is not finished
  };
  Slice work_on(const Request& request, std::size_t budget);
  Slice begin(const Request& request, std::size_t budget);
  Slice go_on(std::size_t budget);

  std::unique_ptr<Planner> planner_;
  std::shared_ptr<RouteCache> cache_;
  std::map<std::uint64_t, Request> waiting_;        ///< by turn
  std::map<std::uint64_t, std::uint64_t> turn_of_;  ///< by id
  std::uint64_t next_turn_ = 0;
  bool half_done_ = false;  ///< the oldest request's search is under way in planner_
  Route scratch_;
};

}  // namespace throng::routes
