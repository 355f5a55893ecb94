#include "steering/ground_price.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::steering {

namespace {

/// Seconds of walking that are looked at.
constexpr double seconds_ahead = 2;
/// What ground that is never entered counts as.
constexpr double dearest = 1e6;
/// Candidates shorter than this, in metres, stand.
constexpr double no_way = 1e-3;

struct Buffers {
  ground::RegionMap::Scratch scratch;
  ground::RegionMap::Vicinity around;
};

Buffers& buffers() {
  thread_local Buffers own;
  return own;
}

}  // namespace

GroundPrice::GroundPrice(const AvoidView& view, Slot slot, double strength, double speed)
    : view_(view), slot_(slot), strength_(strength), reach_(speed * seconds_ahead) {
  if (!(strength > 0) || view.ground.regions == nullptr || !(reach_ > no_way)) return;
  const ground::RegionMap& regions = *view.ground.regions;
  const double* weights = view.ground.table->row(view.ground.row[slot]);
  if (std::all_of(weights, weights + regions.kinds().row_size(), [&](double w) { return w == weights[0]; })) return;
  const Vec2 here = view.people.position[slot], reach{reach_, reach_};
  if (!regions.any_near(here, reach_) && !regions.kinds().slopes()) return;
  regions.look_around(view.people.place(slot), here - reach, here + reach, weights, buffers().around);
  buffers().around.here = regions.type_at(view.people.place(slot), buffers().scratch);
  weights_ = weights;
  least_ = std::numeric_limits<double>::infinity();
}

double GroundPrice::take(Vec2 velocity, double free) {
  const double speed = std::sqrt(squared_length(velocity));
  const double way = std::min({free, reach_, speed * seconds_ahead});
  double mean = 0;
  if (way > no_way) {
    const navmesh::Place to{view_.people.position[slot_] + velocity * (way / speed), view_.people.layer[slot_]};
    const double cost = view_.ground.regions->weighted_length(buffers().around, to, 0, weights_, buffers().scratch);
    mean = std::min(cost / way, dearest);
    least_ = std::min(least_, mean);
  } else {
    mean = 0;  // goes nowhere: factor() leaves it as it is
  }
  return mean;
}

}  // namespace throng::steering
