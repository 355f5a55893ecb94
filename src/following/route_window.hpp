// The part of a packed route that somebody looks at, unpacked: lines and arcs, to be asked as a Route is.
//
// Laws
// 1. After open(route, from) and reach(to) with to >= from, pieces() holds, with the prefix lengths of the whole route, the piece that
//    holds `from` and all after it that begin at or before `to`, and perhaps a few more on both sides: at() and closest() of distances
//    between answer as those of the route itself do, but for the numbers of pieces.
// No allocation once buffers have grown. Thread-safety: one a thread.
#pragma once

#include "routes/packed_route.hpp"

namespace throng::following {

class RouteWindow {
 public:
  /// `hint`: the leg that may hold `from`. Returns the one that does.
  routes::Index open(const routes::PackedRoute& route, double from, routes::Index hint = 0) {
    route_ = &route;
    pieces_.pieces.clear(), pieces_.prefix.clear();
    pieces_.start = route.start();
    pieces_.length = 0;
    const routes::Index first = route.leg_at(from, hint);
    next_ = first;
    reach(from);
    return first;
  }
  /// Holds nothing but one line of a route, on the first layer; not to be followed by reach().
  void open_line(Vec2 from, Vec2 to, double begin, double length) {
    pieces_.pieces.assign(1, {.from = from, .to = to, .length = length});
    pieces_.prefix.assign(1, begin);
    pieces_.length = begin + length;
  }
  void reach(double to) {
    while (next_ < route_->legs() && route_->begin_of(next_) <= to) route_->unpack(next_++, pieces_);
  }
  [[nodiscard]] const routes::Route& pieces() const { return pieces_; }

 private:
  const routes::PackedRoute* route_ = nullptr;
  routes::Index next_ = 0;  ///< leg that is not unpacked yet
  routes::Route pieces_;
};

}  // namespace throng::following
