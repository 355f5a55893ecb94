#include "validation/criterion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace throng::validation {
namespace {

bool is_kept(const Check& check, const std::vector<double>& values) {
  if (check.kind == Check::Kind::within)
    return std::ranges::all_of(values, [&](double value) { return value >= check.from && value <= check.to; });
  const double sign = check.kind == Check::Kind::rising ? 1 : -1;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (!(sign * (values[i] - values[i - 1]) > check.by)) return false;
  return true;
}

}  // namespace

std::optional<bool> holds(const Check& check, const Figures& figures) {
  std::vector<double> values;
  for (const std::string& name : check.figures) {
    const auto found = figures.find(name);
    if (found == figures.end() || !std::isfinite(found->second)) return std::nullopt;
    values.push_back(found->second);
  }
  if (values.empty()) return std::nullopt;
  return is_kept(check, values) != check.turned;
}

std::string text_of(const Check& check) {
  std::string text;
  if (check.kind == Check::Kind::within) {
    text = fmt::format("{}", fmt::join(check.figures, ", "));
    if (std::isfinite(check.from)) text = fmt::format("{:g} <= {}", check.from, text);
    if (std::isfinite(check.to)) text += fmt::format(" <= {:g}", check.to);
  } else {
    text = fmt::format("{}", fmt::join(check.figures, check.kind == Check::Kind::rising ? " < " : " > "));
    if (check.by != 0) text += fmt::format(" (each by more than {:g})", check.by);
  }
  return check.turned ? "not: " + text : text;
}

}  // namespace throng::validation
