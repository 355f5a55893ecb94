#include "analysis/tight_places.hpp"

#include <doctest/doctest.h>

namespace throng::analysis {

TEST_CASE("what is below the limit is not tight; what is counts by persons and seconds") {
  TightPlaces places;
  places.add(0, {1, 1}, 3.4, 5, 1);
  CHECK(places.worst(5).empty());
  for (int k = 0; k < 10; ++k) {
    places.add(0, {10.5, 4.5}, 4, 20 + k, 1);
    places.add(0, {11.5, 4.5}, 5.5 - k * 0.1, 22 + k, 1);
  }
  places.add(0, {40, 4}, 6, 90, 0.5);
  const std::vector<TightPlace> worst = places.worst(5);
  REQUIRE(worst.size() == 2);
  CHECK(worst[0].person_seconds == doctest::Approx(20));
  CHECK(worst[0].at.x == doctest::Approx(11));
  CHECK(worst[0].at.y == doctest::Approx(4.5));
  CHECK(worst[0].from == 20);
  CHECK(worst[0].until == 32);
  CHECK(worst[0].highest == 5.5);
  CHECK(worst[0].highest_time == 22);
  CHECK(worst[1].person_seconds == doctest::Approx(0.5));
  CHECK(worst[1].until == doctest::Approx(90.5));
  CHECK(places.worst(1).size() == 1);
}

TEST_CASE("places of two layers at one spot stay apart, and nothing is lost between neighbours") {
  TightPlaces places;
  double all = 0;
  for (int x = 0; x < 30; ++x)
    for (std::uint32_t layer = 0; layer < 2; ++layer) {
      const double seconds = 1 + (x * 7 + int(layer)) % 5;
      places.add(layer, {x + 0.5, 0.5}, 4, x, seconds);
      all += seconds;
    }
  double sum = 0;
  for (const TightPlace& place : places.worst(1000)) sum += place.person_seconds;
  CHECK(sum == doctest::Approx(all));
  const std::vector<TightPlace> worst = places.worst(1000);
  for (std::size_t i = 1; i < worst.size(); ++i) CHECK(worst[i - 1].person_seconds >= worst[i].person_seconds);
}

}  // namespace throng::analysis
