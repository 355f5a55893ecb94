// Means and deviations over several runs.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace throng::analysis {

struct Spread {
  std::string name;
  std::vector<double> values;

  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / double(values.size());
  }
  /// Of the sample: divided by one less than there are.
  [[nodiscard]] double deviation() const {
    if (values.size() < 2) return 0;
    const double centre = mean();
    double sum = 0;
    for (const double value : values) sum += (value - centre) * (value - centre);
    return std::sqrt(sum / double(values.size() - 1));
  }
};

}  // namespace throng::analysis
