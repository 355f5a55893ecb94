#include "analysis/tight_places.hpp"

#include <algorithm>
#include <cmath>

namespace throng::analysis {
namespace {

/// `at` of both are sums weighted by person-seconds.
void join(TightPlace& place, const TightPlace& other) {
  place.at = place.at + other.at;
  place.person_seconds += other.person_seconds;
  place.from = std::min(place.from, other.from);
  place.until = std::max(place.until, other.until);
  if (other.highest > place.highest) place.highest = other.highest, place.highest_time = other.highest_time;
}

bool worse(const TightPlace& a, const TightPlace& b) { return a.person_seconds > b.person_seconds; }

}  // namespace

void TightPlaces::add(std::uint32_t layer, Vec2 at, double density, double time, double seconds) {
  if (!(density >= tight_density) || !(seconds > 0)) return;
  const Square square{layer, std::int64_t(std::floor(at.x / tight_square)),
                      std::int64_t(std::floor(at.y / tight_square))};
  const TightPlace here{layer, at * seconds, seconds, time, time + seconds, density, time};
  if (const auto [entry, is_new] = squares_.try_emplace(square, here); !is_new) join(entry->second, here);
}

std::vector<TightPlace> TightPlaces::worst(std::size_t most) const {
  std::vector<TightPlace> squares;
  squares.reserve(squares_.size());
  for (const auto& [square, place] : squares_) squares.push_back(place);
  std::stable_sort(squares.begin(), squares.end(), worse);
  // Each square joins the worst one near it, or begins a place.
  std::vector<TightPlace> places;
  std::vector<Vec2> middles;
  for (const TightPlace& square : squares) {
    const Vec2 middle = square.at * (1 / square.person_seconds);
    std::size_t i = 0;
    while (i < places.size() &&
           !(places[i].layer == square.layer && squared_length(middles[i] - middle) <= tight_reach * tight_reach))
      ++i;
    if (i < places.size()) {
      join(places[i], square);
    } else {
      places.push_back(square);
      middles.push_back(middle);
    }
  }
  std::stable_sort(places.begin(), places.end(), worse);
  places.resize(std::min(most, places.size()));
  for (TightPlace& place : places) place.at = place.at * (1 / place.person_seconds);
  return places;
}

}  // namespace throng::analysis
