#include "validation/calibrate.hpp"

#include <doctest/doctest.h>

using namespace throng::validation;

TEST_CASE("the loss of a check is 0 where it holds, and more the farther it is from holding") {
  const Check within{.figures = {"a"}, .from = 1, .to = 2};
  CHECK(loss_of(within, {{"a", 1.5}}) == 0);
  CHECK(loss_of(within, {{"a", 2.2}}) == doctest::Approx(0.1));
  CHECK(loss_of(within, {{"a", 3}}) == doctest::Approx(0.5));
  CHECK(loss_of(within, {{"a", 0.5}}) == doctest::Approx(0.5));
  CHECK(loss_of(within, {}) == 1);
  const Check rising{.kind = Check::Kind::rising, .figures = {"a", "b"}};
  CHECK(loss_of(rising, {{"a", 1}, {"b", 2}}) == 0);
  CHECK(loss_of(rising, {{"a", 2}, {"b", 1}}) == doctest::Approx(0.5));
  CHECK(loss_of(rising, {{"a", 1}, {"b", 1}}) > 0);
}

TEST_CASE("a seed in which somebody does not arrive is as far off as can be") {
  Case one;
  one.checks = {{.figures = {"a"}, .from = 0}};
  Outcome outcome;
  outcome.one = &one;
  outcome.seeds = {{.seed = 1, .figures = {{"a", 1}}}, {.seed = 2, .figures = {{"a", 1}}}};
  CHECK(loss_of(outcome) == 0);
  outcome.seeds[1].is_complete = false;
  CHECK(loss_of(outcome) == doctest::Approx(0.5));
}
