// The half planes of ORCA (van den Berg, Guy, Lin, Manocha 2011, section 4), of as many pairs of people as fit a vector at once.
//
// A relative velocity that ends in a collision within the horizon lies in a cone cut off by a disc. The smallest change that takes
// it out leads across the disc's border or sideways out of the cone; the border there, moved by one's own part of the change, is
// the edge of what is allowed. Bodies that overlap come apart within the step: then it is always the disc, of one step's time.
//
// Law: the same bits on every machine, and whoever else is in the vectors.
// Complexity: O(1). Thread-safety: pure.
#pragma once

#include "steering/four_people.hpp"

namespace throng::steering {

/// Others, as people meet them.
struct Encounters {
  FourVecs offset;    ///< to the other
  FourVecs approach;  ///< velocity relative to the other's
  Four radii{};       ///< of both, and what is kept between them
  Four horizon{};     ///< seconds without a collision
};

/// How the relative velocities must change, and the directions of the borders of what is allowed then.
struct Changes {
  FourVecs change;
  FourVecs border;  ///< unit
};

/// The border is not a number where two bodies overlap and no relative velocity is left once they come apart in a step as they are
/// going to: any way apart is as short then.
THRONG_INLINED void find_changes(const Encounters& others, double time_step, Changes& changes) {
  const auto& [offset, approach, radii, horizon] = others;
  const Four distance2 = offset.x * offset.x + offset.y * offset.y;
  const Four radii2 = radii * radii;
  const FourBools overlap = distance2 <= radii2;
  const Four time = overlap ? Four{} + time_step : horizon;
  const FourVecs from{approach.x - offset.x / time, approach.y - offset.y / time};  // the centre of the disc
  const Four along = from.x * offset.x + from.y * offset.y;
  const Four from2 = from.x * from.x + from.y * from.y;
  const FourBools is_disc = overlap | ((along < 0) & (along * along - radii2 * from2 > 0));

  Four length;
  square_root(from2, length);
  const FourVecs out{from.x / length, from.y / length};
  const Four way_out = radii / time - length;
  changes.change = {out.x * way_out, out.y * way_out};
  changes.border = {out.y, -out.x};
  if (!any(~is_disc)) return;  // mostly so in a jam
  // Sideways: the offset turned to the tangent on the nearer side.
  const FourBools is_left = offset.x * from.y - offset.y * from.x > 0;
  const Four side = is_left ? radii : -radii;
  Four leg;
  square_root(distance2 - radii2, leg);
  const FourVecs tangent{(offset.x * leg + -offset.y * side) / distance2,
                         (offset.y * leg + offset.x * side) / distance2};
  const Four kept = approach.x * tangent.x + approach.y * tangent.y;
  changes.change.x = is_disc ? changes.change.x : tangent.x * kept - approach.x;
  changes.change.y = is_disc ? changes.change.y : tangent.y * kept - approach.y;
  changes.border.x = is_disc ? changes.border.x : is_left ? tangent.x : -tangent.x;
  changes.border.y = is_disc ? changes.border.y : is_left ? tangent.y : -tangent.y;
}

}  // namespace throng::steering
