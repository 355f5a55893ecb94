#include "server/local_density.hpp"

#include <algorithm>
#include <cmath>

namespace throng::server {
namespace {

struct Square {
  std::uint32_t layer = 0;
  std::int32_t x = 0, y = 0;
  friend auto operator<=>(const Square&, const Square&) = default;
};

Square square_of(Vec2 p, std::uint32_t layer) {
  return {layer, std::int32_t(std::floor(p.x)), std::int32_t(std::floor(p.y))};
}

}  // namespace

std::vector<float> local_densities(std::span<const Vec2> positions, std::span<const std::uint32_t> layers) {
  std::vector<Square> squares(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) squares[i] = square_of(positions[i], layers[i]);
  std::vector<Square> occupied = squares;
  std::sort(occupied.begin(), occupied.end());
  std::vector<std::uint32_t> before;  // how many people stand in squares before the occupied one, and at last all
  std::size_t kept = 0;
  for (std::size_t i = 0; i < occupied.size(); ++i) {
    if (i > 0 && occupied[i] == occupied[kept - 1]) continue;
    before.push_back(std::uint32_t(i));
    occupied[kept++] = occupied[i];
  }
  before.push_back(std::uint32_t(occupied.size()));
  occupied.resize(kept);

  // The ends of the three columns round a square only ever move on when squares are gone through in order.
  std::size_t first[3] = {}, behind[3] = {};
  std::vector<float> density(kept);
  for (std::size_t i = 0; i < kept; ++i) {
    const Square s = occupied[i];
    std::uint32_t people = 0;
    for (int c = 0; c < 3; ++c) {
      while (first[c] < kept && occupied[first[c]] < Square{s.layer, s.x + c - 1, s.y - 1}) ++first[c];
      while (behind[c] < kept && occupied[behind[c]] < Square{s.layer, s.x + c - 1, s.y + 2}) ++behind[c];
      people += before[behind[c]] - before[first[c]];
    }
    density[i] = float(people) / 9;
  }
  std::vector<float> densities(positions.size());
  for (std::size_t i = 0; i < squares.size(); ++i)
    densities[i] =
        density[std::size_t(std::lower_bound(occupied.begin(), occupied.end(), squares[i]) - occupied.begin())];
  return densities;
}

}  // namespace throng::server
