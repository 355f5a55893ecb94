// The `coordinates` of a GeoJSON geometry (RFC 7946, 3.1), whatever its type, in flat arrays: `type` may follow them in the file.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "environment/formats/json_input.hpp"
#include "environment/shapes.hpp"

namespace throng::environment {

struct Coordinates {
  std::vector<Vec2> points;
  std::vector<std::size_t> ring_ends;     ///< behind the last point of each ring or line
  std::vector<std::size_t> polygon_ends;  ///< behind the last ring of each polygon
  int depth = 0;  ///< 1 a position, 2 a list of them, 3 a list of lists, 4 a list of those; 0: none

  [[nodiscard]] std::span<const Vec2> ring(std::size_t i) const {
    const std::size_t first = i == 0 ? 0 : ring_ends[i - 1];
    return std::span(points).subspan(first, ring_ends[i] - first);
  }
  void clear();
};

/// A complaint and the offset of what it is about.
struct PlacedComplaint {
  std::size_t offset = 0;
  Complaint complaint;
};

/// Reads coordinates of any depth; a third and further numbers of a position are checked and left out. What is wrong is added
/// to `complaints`; false only for syntax errors, which `input` has reported.
[[nodiscard]] bool read_coordinates(JsonInput& input, JsonValue value, Coordinates& out,
                                    std::vector<PlacedComplaint>& complaints);

}  // namespace throng::environment
