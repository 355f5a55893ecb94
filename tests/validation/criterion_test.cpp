#include "validation/criterion.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace throng::validation;

TEST_CASE("a check within bounds holds on its bounds, and turned round exactly where it did not") {
  Check check{.figures = {"time"}, .from = 26, .to = 34};
  for (const double time : {25.9, 26.0, 30.0, 34.0, 34.1}) {
    check.turned = false;
    const bool is_kept = time >= 26 && time <= 34;
    CHECK(holds(check, {{"time", time}}) == is_kept);
    check.turned = true;
    CHECK(holds(check, {{"time", time}}) == !is_kept);
  }
}

TEST_CASE("figures that rise each time rise, and those that stay do not") {
  Check check{.kind = Check::Kind::rising, .figures = {"a", "b", "c"}};
  CHECK(holds(check, {{"a", 1}, {"b", 2}, {"c", 3}}) == true);
  CHECK(holds(check, {{"a", 1}, {"b", 2}, {"c", 2}}) == false);
  CHECK(holds(check, {{"a", 1}, {"b", 3}, {"c", 2}}) == false);
  check.by = -0.5;
  CHECK(holds(check, {{"a", 1}, {"b", 1}, {"c", 0.6}}) == true);
  check = {.kind = Check::Kind::falling, .figures = {"a", "b"}};
  CHECK(holds(check, {{"a", 2}, {"b", 1}}) == true);
  CHECK(holds(check, {{"a", 1}, {"b", 2}}) == false);
}

TEST_CASE("what was not measured decides nothing, turned round or not") {
  Check check{.figures = {"time"}, .from = 0};
  for (const bool turned : {false, true}) {
    check.turned = turned;
    CHECK(holds(check, {}) == std::nullopt);
    CHECK(holds(check, {{"time", std::nan("")}}) == std::nullopt);
    CHECK(holds(check, {{"time", HUGE_VAL}}) == std::nullopt);
  }
}
