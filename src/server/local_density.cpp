#include "server/local_density.hpp"

#include <algorithm>
#include <cmath>

namespace throng::server {
namespace {

/// Squares as numbers that sort by layer, then column, then row; what lies farther than 8,000 km from the origin is not told apart.
constexpr std::int64_t half = std::int64_t(1) << 23;
constexpr std::uint64_t column_step = std::uint64_t(1) << 24;

std::uint64_t square_of(Vec2 p, std::uint32_t layer) {
  const auto clamped = [](double v) {
    return std::uint64_t(std::int64_t(std::clamp(std::floor(v), double(1 - half), double(half - 3))) + half);
  };
  return (std::uint64_t(layer) << 48) + clamped(p.x) * column_step + clamped(p.y);
}

}  // namespace

double mean_local_density(std::span<const Vec2> positions, std::span<const std::uint32_t> layers) {
  if (positions.empty()) return 0;
  std::vector<std::uint64_t> squares(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) squares[i] = square_of(positions[i], layers[i]);
  std::sort(squares.begin(), squares.end());
  // The ends of the three columns round a square only ever move on when squares are gone through in order.
  std::size_t first[3] = {}, behind[3] = {};
  const std::size_t n = squares.size();
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < n;) {
    const std::uint64_t square = squares[i];
    std::size_t next = i;
    while (next < n && squares[next] == square) ++next;
    std::uint64_t around = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint64_t middle = square + c * column_step - column_step;
      while (first[c] < n && squares[first[c]] < middle - 1) ++first[c];
      while (behind[c] < n && squares[behind[c]] < middle + 2) ++behind[c];
      around += behind[c] - first[c];
    }
    pairs += around * (next - i);
    i = next;
  }
  return double(pairs) / 9 / double(n);
}

}  // namespace throng::server
