// What a case asks of its figures: checks that can be turned round, so that a test can see each of them fail.
//
// Laws
// 1. A check that lacks one of its figures is undecided, turned round or not.
// 2. Turned round, a decided check gives the other answer.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace throng::validation {

/// By name. What was not measured is not there, or not finite.
using Figures = std::map<std::string, double, std::less<>>;

struct Check {
  enum class Kind {
    within,   ///< every figure lies in [from, to]
    rising,   ///< each figure is more than the one before it, by more than `by`
    falling,  ///< each is less
  };
  Kind kind = Kind::within;
  std::vector<std::string> figures;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  double by = 0;  ///< below 0: as much may it go the other way
  bool turned = false;
};

[[nodiscard]] std::optional<bool> holds(const Check& check, const Figures& figures);

/// "26 <= time <= 34", "four_doors < two_doors".
[[nodiscard]] std::string text_of(const Check& check);

}  // namespace throng::validation
