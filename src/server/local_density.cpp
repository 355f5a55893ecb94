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
  std::vector<Square> sorted = squares;
  std::sort(sorted.begin(), sorted.end());
  const auto people_between = [&](const Square& first, const Square& behind) {
    return std::lower_bound(sorted.begin(), sorted.end(), behind) -
           std::lower_bound(sorted.begin(), sorted.end(), first);
  };
  std::vector<float> densities(positions.size());
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const Square s = squares[i];
    std::ptrdiff_t people = 0;
    for (const int column : {-1, 0, 1})
      people += people_between({s.layer, s.x + column, s.y - 1}, {s.layer, s.x + column, s.y + 2});
    densities[i] = float(people) / 9;
  }
  return densities;
}

}  // namespace throng::server
