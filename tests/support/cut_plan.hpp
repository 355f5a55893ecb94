// Plans of one layer cut along lines into one layer a piece: whatever is asked of the cut plan has the answer of the whole one.
#pragma once

#include <optional>
#include <vector>

#include "environment/clean/clean.hpp"

namespace throng::test {

/// A cut plan, and the same plan with the same roundings, uncut.
struct Cut {
  environment::CleanEnvironment cut, uncut;
};

/// Nothing where rounding leaves a bend in the cut that no obstacle holds: clean() refuses such connections.
[[nodiscard]] std::optional<Cut> cut_plan(const environment::Environment& plan,
                                          const std::vector<environment::Ring>& pieces);

}  // namespace throng::test
