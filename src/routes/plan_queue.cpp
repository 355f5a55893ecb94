#include "routes/plan_queue.hpp"

#include <algorithm>
#include <utility>

namespace throng::routes {

PlanQueue::PlanQueue(std::shared_ptr<const RouteGraph> graph, std::shared_ptr<RouteCache> cache)
    : planner_(std::make_unique<Planner>(std::move(graph))), cache_(std::move(cache)) {}

void PlanQueue::set_graph(std::shared_ptr<const RouteGraph> graph) {
  planner_ = std::make_unique<Planner>(std::move(graph));
  half_done_ = false;
}

void PlanQueue::ask(std::uint64_t id, const RouteQuery& query) {
  const auto [turn, fresh] = turn_of_.try_emplace(id, next_turn_);
  if (fresh) ++next_turn_;
  if (!fresh && turn->second == waiting_.begin()->first) half_done_ = false;
  waiting_[turn->second] = {id, query};
}

bool PlanQueue::withdraw(std::uint64_t id) {
  const auto turn = turn_of_.find(id);
  if (turn == turn_of_.end()) return false;
  if (turn->second == waiting_.begin()->first) half_done_ = false;
  waiting_.erase(turn->second);
  turn_of_.erase(turn);
  return true;
}

std::size_t PlanQueue::spend(std::size_t budget, std::vector<PlanAnswer>& answers) {
  std::size_t spent = 0;
  while (spent < budget && !waiting_.empty()) {
    const auto oldest = waiting_.begin();
    const Slice slice = work_on(oldest->second, budget - spent);
    spent += slice.spent;
    half_done_ = !slice.answer.has_value();
    if (half_done_) break;
    const std::uint64_t id = oldest->second.id;
    answers.push_back({id, slice.answer->reason, slice.answer->route});
    turn_of_.erase(id);
    waiting_.erase(oldest);
  }
  return spent;
}

PlanQueue::Slice PlanQueue::work_on(const Request& request, std::size_t budget) {
  const QueryKey key = cache_ ? QueryKey(request.query, planner_->graph().mesh().generation) : QueryKey();
  if (cache_ && !half_done_)
    if (const PlannedRoute* known = cache_->find(key)) return {1, *known};
  Slice slice = half_done_ ? go_on(budget) : begin(request, budget);
  if (cache_ && slice.answer) cache_->insert(key, *slice.answer);
  return slice;
}

PlanQueue::Slice PlanQueue::begin(const Request& request, std::size_t budget) {
  const NoRoute begun = planner_->begin(request.query);
  if (begun != NoRoute::found) return {1, PlannedRoute{begun, nullptr}};
  Slice slice = go_on(budget);
  slice.spent = std::max<std::size_t>(slice.spent, 1);
  return slice;
}

PlanQueue::Slice PlanQueue::go_on(std::size_t budget) {
  const std::size_t before = planner_->expansions();
  const SearchStatus status = planner_->advance(budget);
  const std::size_t spent = std::min(planner_->expansions() - before, budget);  // an exact search is not cut up
  if (status == SearchStatus::running) return {spent, std::nullopt};
  const NoRoute reason = planner_->finish(status == SearchStatus::found, scratch_);
  if (reason != NoRoute::found) return {spent, PlannedRoute{reason, nullptr}};
  return {spent, PlannedRoute{reason, std::make_shared<const Route>(scratch_)}};
}

}  // namespace throng::routes
