#include "crowd/queues.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace throng::crowd {
namespace {

/// Seconds: more due within them than get through is a queue that stands.
constexpr std::int64_t standing_ahead = 2;
/// How fast the capacity follows what is counted.
constexpr double kept = 0.9;
/// A ring begins with so many seconds.
constexpr std::size_t first_ring = 32;

}  // namespace

Queues::Queues(std::vector<double> widths)
    : capacity_(std::move(widths)), arrivals_(capacity_.size()), counted_(capacity_.size()) {
  for (double& capacity : capacity_) capacity = std::max(least_capacity, usual_flow * capacity);
}

void Queues::make_room(Arrivals& arrivals, std::int64_t second) {
  if (arrivals.people == 0) arrivals.first = arrivals.last = second;
  const std::int64_t first = std::min(arrivals.first, second), last = std::max(arrivals.last, second);
  const std::size_t wanted = std::bit_ceil(std::max(first_ring, std::size_t(last - first + 1)));
  if (wanted > arrivals.ring.size()) {
    Arrivals wider{.ring = std::vector<std::uint32_t>(wanted, 0)};
    if (arrivals.people > 0)
      for (std::int64_t k = arrivals.first; k <= arrivals.last; ++k) wider.slot(k) = arrivals.at(k);
    arrivals.ring = std::move(wider.ring);
  }
  arrivals.first = first, arrivals.last = last;
}

void Queues::add(Index queue, std::int64_t second) {
  std::unique_ptr<Arrivals>& arrivals = arrivals_[queue];
  if (!arrivals) arrivals = std::make_unique<Arrivals>();
  make_room(*arrivals, second);
  std::uint32_t& there = arrivals->slot(second);
  const bool was_crowded = is_crowded(queue, there);
  ++there;
  ++arrivals->people;
  if (!was_crowded && is_crowded(queue, there)) ++arrivals->crowded;
}

std::int64_t Queues::announce(Index queue, std::int64_t second) {
  second = std::max(second, now_);
  if (second - now_ > horizon) return not_announced;
  add(queue, second);
  return second;
}

void Queues::announce_again(Index queue, std::int64_t second) {
  const bool is_near = second >= 0 && second <= now_ + horizon && second >= now_ - horizon;
  if (is_near) add(queue, second);
}

void Queues::withdraw(Index queue, std::int64_t second) {
  if (second == not_announced) return;
  Arrivals& arrivals = *arrivals_[queue];
  std::uint32_t& there = arrivals.slot(second);
  const bool was_crowded = is_crowded(queue, there);
  --there;
  --arrivals.people;
  if (was_crowded && !is_crowded(queue, there)) --arrivals.crowded;
  while (arrivals.people > 0 && arrivals.at(arrivals.first) == 0) ++arrivals.first;
  while (arrivals.people > 0 && arrivals.at(arrivals.last) == 0) --arrivals.last;
}

void Queues::set_capacity(Index queue, double capacity) {
  capacity_[queue] = capacity;
  Arrivals* arrivals = arrivals_[queue].get();
  if (arrivals == nullptr || arrivals->people == 0) return;
  arrivals->crowded = 0;
  for (std::int64_t k = arrivals->first; k <= arrivals->last; ++k)
    if (is_crowded(queue, arrivals->at(k))) ++arrivals->crowded;
}

void Queues::pass(Index queue) {
  std::unique_ptr<Counted>& counts = counted_[queue];
  if (!counts) counts = std::make_unique<Counted>();
  ++counts->passed[std::size_t(now_ % counted)];
}

std::int64_t Queues::due_now(Index queue) const {
  const Arrivals* arrivals = arrivals_[queue].get();
  if (arrivals == nullptr || arrivals->people == 0) return 0;
  std::int64_t due = 0;
  for (std::int64_t k = arrivals->first; k <= now_; ++k) due += arrivals->at(k);
  return due;
}

void Queues::begin_second(std::int64_t second) {
  for (; now_ < second; ++now_) {
    for (Index queue = 0; queue < capacity_.size(); ++queue) {
      const Arrivals* arrivals = arrivals_[queue].get();
      if (!counted_[queue] && (arrivals == nullptr || arrivals->people == 0)) continue;
      std::int64_t due = due_now(queue);
      if (arrivals != nullptr)
        for (std::int64_t k = now_ + 1; k <= now_ + standing_ahead; ++k) due += arrivals->at(k);
      const double c = capacity_[queue];
      if (!counted_[queue]) {
        if (double(due) <= double(standing_ahead) * c) continue;
        counted_[queue] = std::make_unique<Counted>();
      }
      Counted& counts = *counted_[queue];
      const double flow =
          double(std::accumulate(counts.passed.begin(), counts.passed.end(), std::uint64_t{0})) / double(counted);
      counts.standing = double(due) > double(standing_ahead) * c ? counts.standing + 1 : 0;
      if (counts.standing >= counted)
        set_capacity(queue, std::max(least_capacity, kept * c + (1 - kept) * flow));
      else if (flow > c)
        set_capacity(queue, kept * c + (1 - kept) * flow);
      counts.passed[std::size_t((now_ + 1) % counted)] = 0;
    }
  }
}

double Queues::waiting(Index queue, std::int64_t second, std::int64_t own) const {
  const Arrivals* arrivals = arrivals_[queue].get();
  if (arrivals == nullptr || arrivals->people <= (own == not_announced ? 0 : 1)) return 0;
  const std::int64_t there = std::clamp(second, now_, now_ + horizon);
  const double c = capacity_[queue];
  std::int64_t due = 0;
  for (std::int64_t k = arrivals->first; k <= now_; ++k) due += arrivals->at(k) - (k == own ? 1 : 0);
  // Nobody is late and in no second come more than get through: nobody waits from one to the next.
  if (arrivals->crowded == 0 && double(due) <= c)
    return double(there == now_ ? due : arrivals->at(there) - (there == own ? 1 : 0)) / c;
  double before = 0;
  for (std::int64_t k = now_; k < there; ++k) {
    before = std::max(0.0, before + double(due) - c);
    if (before == 0 && k >= arrivals->last) return 0;
    due = std::int64_t(arrivals->at(k + 1)) - (k + 1 == own ? 1 : 0);
  }
  return (before + double(due)) / c;
}

double Queues::leaving(Index queue, double arrival, std::int64_t own) const {
  const auto second = std::int64_t(std::floor(arrival));
  return std::max(arrival, double(second) + waiting(queue, second, own));
}

std::size_t Queues::bytes() const {
  std::size_t sum =
      capacity_.capacity() * sizeof(double) + (arrivals_.capacity() + counted_.capacity()) * sizeof(void*);
  for (const auto& arrivals : arrivals_)
    if (arrivals) sum += sizeof *arrivals + arrivals->ring.capacity() * sizeof(std::uint32_t);
  for (const auto& counts : counted_)
    if (counts) sum += sizeof *counts;
  return sum;
}

void Queues::save(geometry::ArchiveWriter& out) const {
  out.put(now_);
  out.put_list(capacity_);
  std::vector<Index> with_counts;
  for (Index queue = 0; queue < counted_.size(); ++queue)
    if (counted_[queue]) with_counts.push_back(queue);
  out.put_list(with_counts, [&](Index queue) {
    out.put(queue), out.put(counted_[queue]->standing);
    for (const std::uint32_t passed : counted_[queue]->passed) out.put(passed);
  });
}

void Queues::load(geometry::ArchiveReader& in) {
  in.get(now_);
  std::vector<double> capacity;
  in.get_list(capacity);
  if (capacity.size() != capacity_.size() || now_ < 0 ||
      std::ranges::any_of(capacity, [](double c) { return !(c >= least_capacity) || !std::isfinite(c); }))
    return in.fail();
  capacity_ = std::move(capacity);
  std::vector<std::uint8_t> unused;
  in.get_list(unused, 8 + 4 * counted, [&] {
    const auto queue = in.get<Index>();
    auto counts = std::make_unique<Counted>();
    in.get(counts->standing);
    for (std::uint32_t& passed : counts->passed) in.get(passed);
    if (queue < counted_.size())
      counted_[queue] = std::move(counts);
    else
      in.fail();
    return std::uint8_t{0};
  });
}

}  // namespace throng::crowd
