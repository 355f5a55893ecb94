#include "validation/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "validation/validation_report.hpp"

namespace throng::validation {
namespace {

/// How far x is outside of [from, to], as a part of the bound that it breaks.
double beyond(double x, double from, double to) {
  const double off = x < from ? from - x : x > to ? x - to : 0;
  const double bound = std::abs(x < from ? from : to);
  return off > 0 ? std::min(1.0, off / (bound > 0 ? bound : 1)) : 0;
}

/// Halton's sequence: the digits of n in a base, mirrored at the point.
double halton(std::size_t n, std::size_t base) {
  double result = 0, part = 1;
  for (++n; n > 0; n /= base) {
    part /= double(base);
    result += part * double(n % base);
  }
  return result;
}

/// Members of a profile; "avoid.headway" is a member of a block.
Json profile_with(const std::vector<SearchedNumber>& numbers, const std::vector<double>& values,
                  const std::string& method) {
  Json profile = Json::object();
  if (!method.empty()) profile["avoid"]["method"] = method;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t dot = numbers[i].member.find('.');
    if (dot == std::string::npos)
      profile[numbers[i].member] = values[i];
    else
      profile[numbers[i].member.substr(0, dot)][numbers[i].member.substr(dot + 1)] = values[i];
  }
  return profile;
}

double mean_loss(const std::vector<Outcome>& outcomes) {
  double sum = 0;
  for (const Outcome& outcome : outcomes) sum += loss_of(outcome);
  return outcomes.empty() ? 0 : sum / double(outcomes.size());
}

class Search {
 public:
  Search(const CaseFiles& files, const std::vector<const Case*>& seen, const std::vector<SearchedNumber>& numbers,
         const CalibrateOptions& options)
      : files_(files), seen_(seen), numbers_(numbers), options_(options) {}

  Result<std::vector<double>> best() {
    const std::size_t spread = std::max<std::size_t>(1, options_.budget * 2 / 3);
    for (std::size_t i = 0; i < options_.budget; ++i) {
      // Then about the best, in boxes a half, a quarter, ... as wide.
      const double width =
          i < spread ? 1 : std::pow(0.5, 1 + double((i - spread) / std::max<std::size_t>(1, numbers_.size() * 2)));
      if (Problems wrong = attempt(point(i, width)); !wrong.empty()) return wrong;
      if (options_.done) options_.done(i + 1, least_);
    }
    return best_;
  }

 private:
  [[nodiscard]] std::vector<double> point(std::size_t n, double width) const {
    static constexpr std::size_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19};
    std::vector<double> values;
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      const auto [member, from, to] = numbers_[k];
      const double part = halton(n, bases[k % std::size(bases)]);
      const double middle = width < 1 ? best_[k] : (from + to) / 2;
      values.push_back(std::clamp(middle + (part - 0.5) * width * (to - from), from, to));
    }
    return values;
  }
  Problems attempt(const std::vector<double>& values) {
    ValidateOptions options = options_.validate;
    options.cases.profile = profile_with(numbers_, values, options_.method);
    const Result<std::vector<Outcome>> outcomes = validate(files_, seen_, options);
    if (!outcomes) return outcomes.problems();
    const double loss = mean_loss(*outcomes);
    if (best_.empty() || loss < least_) best_ = values, least_ = loss;
    return {};
  }

  const CaseFiles& files_;
  const std::vector<const Case*>& seen_;
  const std::vector<SearchedNumber>& numbers_;
  const CalibrateOptions& options_;
  std::vector<double> best_;
  double least_ = 0;
};

}  // namespace

double loss_of(const Check& check, const Figures& figures) {
  if (!holds(check, figures)) return 1;
  if (holds(check, figures) == true) return 0;
  double most = 0;
  if (check.kind == Check::Kind::within) {
    for (const std::string& name : check.figures)
      most = std::max(most, beyond(figures.find(name)->second, check.from, check.to));
    return most;
  }
  const double sign = check.kind == Check::Kind::rising ? 1 : -1;
  for (std::size_t i = 1; i < check.figures.size(); ++i) {
    const double a = figures.find(check.figures[i - 1])->second, b = figures.find(check.figures[i])->second;
    const double short_by = check.by - sign * (b - a), size = std::max(std::abs(a), std::abs(b));
    most = std::max(most, size > 0 ? std::clamp(short_by / size, 0.01, 1.0) : 1.0);
  }
  return most;
}

double loss_of(const Outcome& outcome) {
  double sum = 0;
  for (const SeedOutcome& seed : outcome.seeds) {
    double of_seed = 0;
    for (const Check& check : outcome.one->checks)
      of_seed += loss_of(check, seed.figures) / double(outcome.one->checks.size());
    sum += seed.is_complete ? of_seed : 1;
  }
  return outcome.seeds.empty() ? 0 : sum / double(outcome.seeds.size());
}

std::vector<const CalibratedCase*> Calibration::worse() const {
  std::vector<const CalibratedCase*> found;
  for (const CalibratedCase& one : cases)
    if (one.loss_after > one.loss_before + 1e-9) found.push_back(&one);
  return found;
}

Result<Calibration> calibrate(const CaseFiles& files, const std::vector<const Case*>& seen,
                              const std::vector<const Case*>& unseen, const std::vector<SearchedNumber>& numbers,
                              const CalibrateOptions& options) {
  std::vector<const Case*> all = seen;
  all.insert(all.end(), unseen.begin(), unseen.end());
  ValidateOptions before = options.validate;
  if (!options.method.empty()) before.cases.profile["avoid"]["method"] = options.method;
  const Result<std::vector<Outcome>> first = validate(files, all, before);
  if (!first) return first.problems();
  const Result<std::vector<double>> best = Search(files, seen, numbers, options).best();
  if (!best) return best.problems();
  ValidateOptions after = options.validate;
  after.cases.profile = profile_with(numbers, *best, options.method);
  const Result<std::vector<Outcome>> second = validate(files, all, after);
  if (!second) return second.problems();
  Calibration result;
  result.numbers = *best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Outcome &a = (*first)[i], &b = (*second)[i];
    result.cases.push_back({all[i], i < seen.size(), a.verdict(), b.verdict(), loss_of(a), loss_of(b), shown_figures(a),
                            shown_figures(b)});
    if (i >= seen.size()) continue;
    result.loss_before += loss_of(a) / double(seen.size());
    result.loss_after += loss_of(b) / double(seen.size());
  }
  return result;
}

}  // namespace throng::validation
