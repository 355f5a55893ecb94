// Constraints and points anywhere on the snap grid, few of whose values or many: exactly constrained Delaunay, or a refusal.
#include <cstdio>
#include <cstdlib>

#include "bytes.hpp"
#include "support/triangulation_laws.hpp"

using namespace throng;
using namespace throng::geometry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  constexpr std::int32_t extents[] = {3, 20, 1000, max_coordinate};
  const std::uint8_t first = bytes.take<std::uint8_t>();
  const std::int32_t extent = extents[first % 4];
  const bool rounds = (first & 4) == 0;  // else constraints may cross, which is refused
  const auto point = [&] {
    const auto coordinate = [&] {
      return std::int32_t(bytes.take<std::uint32_t>() % (2 * std::uint32_t(extent) + 1)) - extent;
    };
    const std::int32_t x = coordinate();
    return GridPoint{x, coordinate()};
  };
  std::vector<GridPoint> points(bytes.take<std::uint8_t>() % 32);
  for (GridPoint& p : points) p = point();
  std::vector<GridSegment> constraints;
  while (!bytes.empty() && constraints.size() < 48) {
    const GridPoint a = point();
    constraints.push_back({a, point()});
  }
  if (rounds) {
    // Points are segments without length: then no link passes one by.
    std::vector<GridSegment> all = constraints;
    for (const GridPoint p : points) all.push_back({p, p});
    constraints.clear();
    for (const Link& link : snap_round(all)) constraints.push_back({link.a, link.b});
  }
  const Result<Triangulation> made = triangulate(constraints, points);
  if (!made) {
    if (rounds) std::fprintf(stderr, "refused: %s\n", made.problems().front().message.c_str()), std::abort();
    return 0;
  }
  if (made->triangles.empty()) return 0;  // all on a line
  if (const std::string fault = test::fault_of(*made, constraints); !fault.empty())
    std::fprintf(stderr, "%s\n", fault.c_str()), std::abort();
  return 0;
}
