// `throng calibrate CASES --numbers ...`: searches numbers of profiles against named cases.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/report.hpp"
#include "cli/standard_cases.hpp"
#include "text/nearest_name.hpp"
#include "validation/calibrate.hpp"

namespace throng::cli {
namespace {

using validation::CalibratedCase;
using validation::Calibration;
using validation::Case;
using validation::SearchedNumber;

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng calibrate: {}\n", what);
  return ExitCode::misuse;
}

/// "avoid.headway=0:1.2,radius=0.18:0.24"; what is wrong with it is said.
std::vector<SearchedNumber> numbers_of(const std::string& text, std::string& wrong) {
  std::vector<SearchedNumber> numbers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string one = text.substr(at, end - at);
    const std::size_t equals = one.find('='), colon = one.find(':', equals == std::string::npos ? 0 : equals);
    if (equals == std::string::npos || equals == 0 || colon == std::string::npos ||
        !is_number(one.substr(equals + 1, colon - equals - 1), Type::number) ||
        !is_number(one.substr(colon + 1), Type::number)) {
      wrong = fmt::format("--numbers wants MEMBER=FROM:TO, not '{}'", one);
      return {};
    }
    numbers.push_back({one.substr(0, equals), std::stod(one.substr(equals + 1, colon - equals - 1)),
                       std::stod(one.substr(colon + 1))});
    if (numbers.back().from > numbers.back().to) wrong = fmt::format("'{}' goes down", one);
    at = end + 1;
  }
  return numbers;
}

std::vector<const Case*> named(const std::vector<Case>& cases, const std::vector<std::string>& names,
                               std::string& wrong) {
  std::vector<const Case*> found;
  std::vector<std::string_view> known;
  for (const Case& one : cases) known.emplace_back(one.name);
  for (const std::string& name : names) {
    const auto one = std::ranges::find(cases, name, &Case::name);
    if (one == cases.end())
      wrong = fmt::format("there is no case {}; `throng validate --list` has them", environment::suggest(name, known));
    else if (one->checks.empty())
      wrong = fmt::format("the case '{}' has nothing to hold", name);
    else
      found.push_back(&*one);
  }
  return found;
}

void print(const Calibration& result, const std::vector<SearchedNumber>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) fmt::print("{} = {:.4g}\n", numbers[i].member, result.numbers[i]);
  fmt::print("loss {:.4f} before, {:.4f} after\n\n", result.loss_before, result.loss_after);
  for (const bool is_seen : {true, false}) {
    std::vector<std::vector<std::string>> rows{
        {is_seen ? "case" : "case it did not see", "before", "after", "loss", "loss", "figures before", "after"}};
    for (const CalibratedCase& one : result.cases)
      if (one.is_seen == is_seen)
        rows.push_back({one.one->name, std::string(name_of(one.before)), std::string(name_of(one.after)),
                        fmt::format("{:.3f}", one.loss_before), fmt::format("{:.3f}", one.loss_after),
                        one.figures_before, one.figures_after});
    if (rows.size() > 1) fmt::print("{}\n", table(rows));
  }
  const std::vector<const CalibratedCase*> worse = result.worse();
  if (worse.empty()) fmt::print("nothing got worse\n");
  for (const CalibratedCase* one : worse)
    fmt::print("worse: {} ({:.3f} to {:.3f})\n", one->one->name, one->loss_before, one->loss_after);
}

void print_json(const Calibration& result, const std::vector<SearchedNumber>& numbers) {
  Json json;
  json["numbers"] = Json::object();
  for (std::size_t i = 0; i < numbers.size(); ++i) json["numbers"][numbers[i].member] = result.numbers[i];
  json["loss_before"] = result.loss_before;
  json["loss_after"] = result.loss_after;
  json["cases"] = Json::array();
  for (const CalibratedCase& one : result.cases)
    json["cases"].push_back({{"case", one.one->name},
                             {"seen", one.is_seen},
                             {"before", std::string(name_of(one.before))},
                             {"after", std::string(name_of(one.after))},
                             {"loss_before", one.loss_before},
                             {"loss_after", one.loss_after},
                             {"figures_before", one.figures_before},
                             {"figures_after", one.figures_after}});
  cli::print_json(json);
}

ExitCode run(const Parsed& parsed) {
  const Result<std::vector<Case>> cases = validation::read_cases(standard_cases());
  if (!cases) return refused(cases.problems());
  std::string wrong;
  if (!parsed.given("numbers")) return misuse("which numbers? --numbers avoid.headway=0:1.2,...");
  const std::vector<SearchedNumber> numbers = numbers_of(parsed.text("numbers"), wrong);
  const std::vector<const Case*> seen = named(*cases, parsed.list("CASE"), wrong),
                                 unseen = named(*cases, parsed.list("unseen"), wrong);
  if (!wrong.empty()) return misuse(wrong);
  const long long seeds = parsed.whole_number("seeds").value_or(2), budget = parsed.whole_number("budget").value_or(24);
  const long long threads = parsed.whole_number("threads").value_or(std::max(1u, std::thread::hardware_concurrency()));
  if (seeds < 1 || seeds > 1000) return misuse("--seeds wants 1 to 1000");
  if (budget < 1 || budget > 100'000) return misuse("--budget wants 1 to 100000");
  if (threads < 1 || threads > 1024) return misuse("--threads wants 1 to 1024");
  validation::CalibrateOptions options;
  options.validate.cases.quick = parsed.flag("quick");
  options.validate.seeds = std::uint32_t(seeds);
  options.validate.first_seed = std::uint64_t(std::max(0LL, parsed.whole_number("seed").value_or(101)));
  options.validate.threads = unsigned(threads);
  options.budget = std::size_t(budget);
  options.method = parsed.text("method");
  if (isatty(STDERR_FILENO) != 0)
    options.done = [&](std::size_t tried, double loss) {
      fmt::print(stderr, "\r{} of {}: best loss {:.4f}   ", tried, budget, loss), std::fflush(stderr);
    };
  const Result<Calibration> result = validation::calibrate(standard_cases(), seen, unseen, numbers, options);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r{:60}\r", "");
  if (!result) return refused(result.problems());
  if (parsed.json())
    print_json(*result, numbers);
  else
    print(*result, numbers);
  return ExitCode::done;
}

const Registration registration({
    .name = "calibrate",
    .summary = "searches numbers of methods against named cases of `validate`",
    .use = Use::research,
    .arguments =
        Arguments()
            .positional("CASE", "cases to come near to", Count::one_or_more)
            .option("--numbers", "LIST", "members of profiles and their ranges: avoid.headway=0:1.2,radius=0.18:0.24")
            .repeated("--unseen", "CASE", "cases that the search does not see, before and after")
            .option("--method", "M", "everybody avoids others by this method")
            .option("--budget", "N", "points that are tried; 24 without it", Type::whole_number)
            .option("--seeds", "N", "runs of each case and point; 2 without it", Type::whole_number)
            .option("--seed", "N",
                    "the first; 101 without it, so that what is chosen is not judged by the seeds that chose it",
                    Type::whole_number)
            .flag("--quick", "quick forms of the cases")
            .option("--threads", "N", "runs at the same time; all the machine has without it", Type::whole_number),
    .run = run,
    .details = "A case's loss is how far its checks are from holding, 0 to 1. docs/validation-cases.md says more.",
});

}  // namespace
}  // namespace throng::cli
