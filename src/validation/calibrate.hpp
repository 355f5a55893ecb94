// Numbers of profiles searched against named cases: what they come to before and after, and what got worse.
//
// A case's loss is the mean over seeds and checks of how far a check is from holding, as a part of what it asks for (0 where it holds, at most
// 1; 1 where nothing was measured or somebody did not arrive). The search takes points spread evenly over the box of numbers (Halton's), then
// points about the best so far in boxes that shrink. It sees the named cases only; others are run before and after, and printed apart.
//
// Law: same cases, numbers, seeds and budget: same result, whatever the number of threads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "validation/validate.hpp"

namespace throng::validation {

/// A member of a profile and the range in which it is searched: "avoid.headway", 0 to 1.2.
struct SearchedNumber {
  std::string member;
  double from = 0, to = 1;
};

/// 0 where it holds, up to 1 the farther off it is.
[[nodiscard]] double loss_of(const Check& check, const Figures& figures);
[[nodiscard]] double loss_of(const Outcome& outcome);

struct CalibrateOptions {
  ValidateOptions validate;
  std::size_t budget = 24;  ///< points that are tried
  std::string method;       ///< of avoidance; empty: the cases' own
  std::function<void(std::size_t tried, double loss)> done = {};
};

struct CalibratedCase {
  const Case* one = nullptr;
  bool is_seen = true;
  Verdict before{}, after{};
  double loss_before = 0, loss_after = 0;
  std::string figures_before, figures_after;
};

struct Calibration {
  std::vector<double> numbers;             ///< the best, as the searched ones
  double loss_before = 0, loss_after = 0;  ///< means over the seen cases
  std::vector<CalibratedCase> cases;
  [[nodiscard]] std::vector<const CalibratedCase*> worse() const;
};

[[nodiscard]] Result<Calibration> calibrate(const CaseFiles& files, const std::vector<const Case*>& seen,
                                            const std::vector<const Case*>& unseen,
                                            const std::vector<SearchedNumber>& numbers,
                                            const CalibrateOptions& options);

}  // namespace throng::validation
