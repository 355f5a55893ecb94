// Whether one set of numbers tends to be smaller than another (Mann, Whitney 1947; Wilcoxon 1945): by ranks, so that it does not matter how they
// are distributed.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace throng::analysis {

/// How likely it is to find `smaller` at least this far below `larger` if both came from one distribution: one-sided, by the normal
/// approximation with ties and continuity corrected, good from about eight numbers each on. 1 where either is empty.
[[nodiscard]] inline double chance_of_being_smaller(const std::vector<double>& smaller,
                                                    const std::vector<double>& larger) {
  const auto n = double(smaller.size()), m = double(larger.size());
  if (n == 0 || m == 0) return 1;
  double below = 0;  // pairs in which the smaller one is smaller; ties count half
  for (const double a : smaller)
    for (const double b : larger) below += a < b ? 1.0 : a == b ? 0.5 : 0.0;
  std::vector<double> all = smaller;
  all.insert(all.end(), larger.begin(), larger.end());
  std::sort(all.begin(), all.end());
  double ties = 0;
  for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
    while (end < all.size() && all[end] == all[i]) ++end;
    const auto t = double(end - i);
    ties += t * t * t - t;
  }
  const double total = n + m;
  const double variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)));
  if (!(variance > 0)) return 1;
  const double off = (below - n * m / 2 - 0.5) / std::sqrt(variance);
  return std::erfc(off / std::sqrt(2.0)) / 2;
}

}  // namespace throng::analysis
