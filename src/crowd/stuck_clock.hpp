// Who does not get on (ours). No density in it: rows of standing people, a body's width apart, let nobody through and are no dense crowd.
//
// Laws
// 1. Somebody is blocked who comes less than a tenth as far along its way, in `patience` seconds, as it would walking freely. Coming that far
//    starts the clock anew, and so does another route.
// 2. Who is blocked stands in a queue that moves if anybody within 1.5 m ahead, in sight, walks its way and was moved by 0.2 m in so many seconds,
//    or has less far to go and is not stuck itself: queues move by fits and starts, and not everywhere at once. Else it is stuck.
// 3. Who takes a way through a gap between people is in it until it is past them, or takes another way.
// 4. Of those who do not walk no clock runs.
// A clock hangs on its own person; the verdict of law 2 on those it can see. Units: metres, seconds.
#pragma once

#include <cstdint>

#include "throng/vec2.hpp"

namespace throng::crowd {

struct StuckClock {
  static constexpr double least_part = 0.1;      ///< of walking freely
  static constexpr double ahead = 1.5;           ///< metres: who is so near ahead makes a queue
  static constexpr double moved_in_queue = 0.2;  ///< metres
  static constexpr double before = 0.05;         ///< metres by which one has less far to go who is before another
  static constexpr double between_looks = 0.5;   ///< seconds

  Vec2 mark;             ///< where it was
  float mark_age = 0;    ///< seconds since
  float age = 0;         ///< seconds since it last got on
  float left = 0;        ///< metres that were left then
  float look_in = 0;     ///< seconds until it looks whether it stands in a queue, once it is blocked
  float stuck_time = 0;  ///< seconds stuck, in all
  float gap_left =
      -1;  ///< metres of its way that are left behind the gap that it goes through; negative: it goes through none
  std::uint8_t runs = 0, has_moved = 0, is_stuck = 0;

  /// Another route, or a rest.
  void restart(Vec2 here, double metres_left) {
    mark = here, left = float(metres_left);
    mark_age = age = look_in = 0;
    runs = 1, has_moved = 1, is_stuck = 0;
  }
  void stop() { runs = is_stuck = 0; }
  /// A step of somebody who walks. Whether it is to look around now (law 2).
  bool tick(Vec2 here, double metres_left, double speed, double patience, double dt) {
    if (runs == 0) return restart(here, metres_left), false;
    mark_age += float(dt);
    if (double(mark_age) >= patience) {
      has_moved = squared_length(here - mark) >= moved_in_queue * moved_in_queue ? 1 : 0;
      mark = here, mark_age = 0;
    }
    if (is_stuck != 0) stuck_time += float(dt);
    age += float(dt);
    if (double(left) - metres_left >= least_part * speed * patience) {
      age = look_in = 0, left = float(metres_left), is_stuck = 0;
      return false;
    }
    if (double(age) < patience || speed <= 0) return false;
    look_in -= float(dt);
    if (look_in > 0) return false;
    look_in = float(between_looks);
    return true;
  }
  /// Whether it goes through a gap between people still.
  [[nodiscard]] bool is_in_gap(double metres_left) const { return gap_left >= 0 && metres_left > double(gap_left); }
  /// Whether it was moved lately.
  [[nodiscard]] bool moves(Vec2 here) const {
    return has_moved != 0 || squared_length(here - mark) >= moved_in_queue * moved_in_queue;
  }
};

}  // namespace throng::crowd
