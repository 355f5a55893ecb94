// Snap grids of any box: the laws of geometry/snap_grid.hpp on doubles and units that nobody would choose.
#include <cmath>
#include <cstdlib>
#include <optional>

#include "bytes.hpp"
#include "geometry/snap_grid.hpp"

using namespace throng::geometry;
using throng::Vec2;

namespace {

void require(bool law) {
  if (!law) std::abort();
}

void check(const SnapGrid& grid, Vec2 inside, GridPoint p) {
  if (grid.contains(inside)) {
    // Rounding goes to the nearest point: half a unit away, and what doubles of this size cannot resolve.
    const Vec2 back = grid.to_world(grid.snap(inside));
    const double allowed = grid.unit() * 0.5 + 4e-16 * (std::abs(inside.x) + std::abs(inside.y));
    require(std::abs(back.x - inside.x) <= allowed && std::abs(back.y - inside.y) <= allowed);
  }
  require(grid.snap(grid.to_world(p)) == p);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  throng::fuzz::Bytes bytes(data, size);
  const auto coordinate = [&] { return bytes.finite(1e9); };
  Box box{{coordinate(), coordinate()}, {coordinate(), coordinate()}};
  if (box.min.x > box.max.x) std::swap(box.min.x, box.max.x);
  if (box.min.y > box.max.y) std::swap(box.min.y, box.max.y);
  const auto on_grid = [&] {
    return std::int32_t(bytes.take<std::uint32_t>() % (2 * max_coordinate - 1)) - max_coordinate + 1;
  };
  const GridPoint p{on_grid(), on_grid()};

  const SnapGrid grid = SnapGrid::for_box(box);
  require(grid.contains(box.min) && grid.contains(box.max));
  check(grid, box.min, p);
  check(grid, box.max, p);
  if (const std::optional<SnapGrid> chosen = SnapGrid::for_box(box, bytes.take<double>())) check(*chosen, box.min, p);
  return 0;
}
