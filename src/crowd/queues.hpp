// Queues foreseen (ours): everybody announces in which second it gets to each passage on its way; who comes later than fit through waits.
//
// A queue is a passage, both directions together, or the border of an area that people go to. Its arrivals are people by whole seconds
// (cumulative curves: Newell 1982), its capacity persons a second: 1.6 a metre of width until a queue was counted there, then what was counted.
//
// Laws
// 1. Of who gets there in second a, with n[k] arrivals announced and Q the queue before: Q <- max(0, Q + n[k] - c) for every k < a, waiting =
//    (Q + n[a] - own) / c. Who was to be there already and has not passed counts as arriving now.
// 2. First in, first out: leaving() does not fall as the time of arrival grows.
// 3. Announcements are whole numbers: the same ones give the same bits, in whatever order they came and went.
// 4. Once more people than would pass in 2 s were due there for 10 s on end, the capacity follows what passes: c <- 0.9 c + 0.1 (passed in the last
//    10 s) / 10, every second, at least 0.02. A queue that nobody stands in passes what passes it, so that its capacity only grows.
// Beyond the horizon of 600 s nobody is announced, and nobody waits. Units: seconds, metres.
// Thread-safety: one writer, or any number of readers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "agents/people.hpp"
#include "text/archive.hpp"

namespace throng::crowd {

using agents::Index;

class Queues {
 public:
  static constexpr double usual_flow = 1.6;       ///< persons a metre and second
  static constexpr double least_capacity = 0.02;  ///< persons a second
  static constexpr std::int64_t horizon = 600;
  static constexpr std::int64_t not_announced = -1;

  /// By width, of every queue there may be.
  explicit Queues(std::vector<double> widths);

  [[nodiscard]] std::size_t size() const { return capacity_.size(); }
  [[nodiscard]] std::int64_t now() const { return now_; }

  /// Somebody will be there in that second. Gives the second that is withdrawn later: the present one for earlier ones, none for those beyond
  /// the horizon.
  std::int64_t announce(Index queue, std::int64_t second);
  void withdraw(Index queue, std::int64_t second);
  /// A capacity that is known, in persons a second; counting goes on from there.
  void expect(Index queue, double capacity) { set_capacity(queue, std::max(least_capacity, capacity)); }
  /// What was announced before it was saved, to the second.
  void announce_again(Index queue, std::int64_t second);
  /// Somebody went through.
  void pass(Index queue);
  /// A new second has begun: what passed is counted.
  void begin_second(std::int64_t second);

  /// When somebody who gets there at a time is through. `own`: the second that it announced itself, or none.
  [[nodiscard]] double leaving(Index queue, double arrival, std::int64_t own) const;
  /// The same at the end of a queue of these arrivals: what expected times are made of, without the own announcement.
  [[nodiscard]] double waiting(Index queue, std::int64_t second, std::int64_t own) const;
  [[nodiscard]] double capacity(Index queue) const { return capacity_[queue]; }
  /// People who were to be there by now.
  [[nodiscard]] std::int64_t due_now(Index queue) const;
  /// Calls visit(queue) for those that people are announced for, in ascending order.
  template <class Visit>
  void for_each_used(Visit&& visit) const {
    for (Index queue = 0; queue < arrivals_.size(); ++queue)
      if (arrivals_[queue] && arrivals_[queue]->people > 0) visit(queue);
  }
  [[nodiscard]] std::size_t bytes() const;

  /// All but the announcements, which those who made them make again.
  void save(geometry::ArchiveWriter& out) const;
  void load(geometry::ArchiveReader& in);

 private:
  static constexpr std::int64_t counted = 10;  ///< seconds
  /// Arrivals of a queue by second, from the first announced to the last.
  struct Arrivals {
    std::vector<std::uint32_t> ring;  ///< a power of two long; zero outside of [first, last]
    std::int64_t first = 0, last = -1;
    std::int64_t people = 0;
    std::uint32_t crowded = 0;  ///< seconds in which more come than get through in one
    [[nodiscard]] std::uint32_t& slot(std::int64_t second) { return ring[std::size_t(second) & (ring.size() - 1)]; }
    [[nodiscard]] std::uint32_t at(std::int64_t second) const {
      return second < first || second > last ? 0 : ring[std::size_t(second) & (ring.size() - 1)];
    }
  };
  struct Counted {
    std::array<std::uint32_t, counted> passed{};  ///< by second, a ring
    std::uint32_t standing = 0;                   ///< seconds on end in which more were due than get through
  };
  void add(Index queue, std::int64_t second);
  static void make_room(Arrivals& arrivals, std::int64_t second);
  void set_capacity(Index queue, double capacity);
  [[nodiscard]] bool is_crowded(Index queue, std::uint32_t people) const { return double(people) > capacity_[queue]; }

  std::vector<double> capacity_;
  std::vector<std::unique_ptr<Arrivals>> arrivals_;
  std::vector<std::unique_ptr<Counted>> counted_;
  std::int64_t now_ = 0;
};

}  // namespace throng::crowd
