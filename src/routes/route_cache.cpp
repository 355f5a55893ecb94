#include "routes/route_cache.hpp"

#include <bit>

namespace throng::routes {

PlannedRoute plan_shared(Planner& planner, const RouteQuery& query, Route& scratch) {
  const NoRoute reason = planner.plan(query, scratch);
  if (reason != NoRoute::found) return {reason, nullptr};
  return {reason, std::make_shared<const Route>(scratch)};
}

QueryKey::QueryKey(const RouteQuery& query, std::uint32_t generation)
    : words{std::bit_cast<std::uint64_t>(query.from.point.x),
            std::bit_cast<std::uint64_t>(query.from.point.y),
            std::bit_cast<std::uint64_t>(query.to.point.x),
            std::bit_cast<std::uint64_t>(query.to.point.y),
            std::uint64_t{query.from.layer} << 32 | query.to.layer,
            std::bit_cast<std::uint64_t>(query.radius),
            std::bit_cast<std::uint64_t>(query.clearance),
            std::bit_cast<std::uint64_t>(query.adjust),
            std::uint64_t{generation} << 32 | std::uint64_t(query.method)} {}

std::size_t QueryKeyHash::operator()(const QueryKey& key) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : key.words) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash;
}

const PlannedRoute* RouteCache::find(const QueryKey& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return ++misses_, nullptr;
  ++hits_;
  order_.splice(order_.begin(), order_, found->second);
  return &order_.front().answer;
}

void RouteCache::insert(const QueryKey& key, const PlannedRoute& answer) {
  if (capacity_ == 0 || by_key_.contains(key)) return;
  if (order_.size() == capacity_) {
    by_key_.erase(order_.back().key);
    order_.pop_back();
  }
  order_.push_front({key, answer});
  by_key_.emplace(key, order_.begin());
}

void RouteCache::clear() {
  by_key_.clear();
  order_.clear();
}

}  // namespace throng::routes
