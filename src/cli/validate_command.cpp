// `throng validate [CASE...]`: the guidelines' cases and the laboratory's, run over seeds, each with its verdict.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "cli/command.hpp"
#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "cli/outputs.hpp"
#include "cli/standard_cases.hpp"
#include "cli/validate_against.hpp"
#include "text/nearest_name.hpp"
#include "text/output_file.hpp"
#include "validation/statistics.hpp"
#include "validation/validate.hpp"
#include "validation/validation_report.hpp"

namespace throng::cli {
namespace {

using validation::Case;
using validation::Outcome;

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng validate: {}\n", what);
  return ExitCode::misuse;
}

Json to_json(const Outcome& outcome) {
  const Case& one = *outcome.one;
  Json json;
  json["case"] = one.name;
  json["clause"] = one.clause;
  json["kind"] = std::string(name_of(one.kind));
  json["criterion"] = one.kind == validation::Kind::not_built ? "needs " + one.needs : one.criterion;
  const std::vector<double> values = one.shown.empty() ? std::vector<double>() : outcome.values(one.shown.front());
  json["value"] = values.empty() ? Json() : Json(validation::mean_of(values));
  json["spread"] = values.empty() ? Json() : Json(validation::deviation_of(values));
  json["verdict"] = std::string(name_of(outcome.verdict()));
  json["seeds"] = outcome.seeds.size();
  json["held"] = outcome.kept();
  json["quick"] = outcome.quick;
  json["shown"] = one.shown;
  json["ours"] = one.ours;
  for (const validation::SeedOutcome& seed : outcome.seeds)
    if (!seed.is_complete) json["incomplete"].push_back(fmt::format("seed {}: {}", seed.seed, seed.incomplete));
  json["seconds"] = outcome.seconds();
  json["hash"] = fmt::format("{:016x}", outcome.hash());
  Json figures = Json::object();
  for (const validation::FigureSpec& figure : one.figures) {
    const std::vector<double> all = outcome.values(figure.name);
    figures[figure.name] = all.empty() ? Json()
                                       : Json({{"mean", validation::mean_of(all)},
                                               {"deviation", validation::deviation_of(all)},
                                               {"seeds", all.size()}});
  }
  json["figures"] = std::move(figures);
  return json;
}

void print(const std::vector<Outcome>& outcomes, bool json) {
  if (json) {
    for (const Outcome& outcome : outcomes) print_json(to_json(outcome));
    return;
  }
  std::vector<std::vector<std::string>> rows{{"case", "kind", "verdict", "seeds", "took", "measured"}};
  for (const Outcome& outcome : outcomes)
    rows.push_back({outcome.one->name, std::string(name_of(outcome.one->kind)), std::string(name_of(outcome.verdict())),
                    outcome.seeds.empty() ? "" : fmt::format("{}/{}", outcome.kept(), outcome.seeds.size()),
                    fmt::format("{:.1f} s", outcome.seconds()),
                    outcome.one->kind == validation::Kind::not_built ? "needs " + outcome.one->needs
                                                                     : validation::shown_figures(outcome)});
  fmt::print("{}", table(rows));
  if (std::ranges::any_of(outcomes, [](const Outcome& one) { return one.one->name.starts_with("rimea-"); }))
    fmt::print("{}\n", validation::rimea_line(outcomes));
}

void list(const std::vector<Case>& cases, bool json) {
  ExperimentTable all({"case", "clause", "kind", "about"});
  for (const Case& one : cases) all.add({one.name, one.clause, std::string(name_of(one.kind)), one.about});
  all.print(json);
}

/// Empty: why not is said.
std::vector<const Case*> chosen(const std::vector<Case>& cases, const Parsed& parsed, std::string& wrong) {
  std::vector<const Case*> some;
  const std::string suite = parsed.text("suite");
  std::vector<std::string_view> names;
  for (const Case& one : cases) names.emplace_back(one.name);
  for (const std::string& name : parsed.list("CASE"))
    if (std::ranges::find(names, name) == names.end())
      wrong = fmt::format("there is no case {}; `throng validate --list` has them", environment::suggest(name, names));
  if (!wrong.empty()) return {};
  for (const Case& one : cases) {
    if (!suite.empty() && one.suite != suite) continue;
    const std::vector<std::string>& asked = parsed.list("CASE");
    if (asked.empty() || std::ranges::find(asked, one.name) != asked.end()) some.push_back(&one);
  }
  if (some.empty()) wrong = "none of these cases is of that suite";
  return some;
}

Problems write_report(const std::vector<Outcome>& outcomes, const validation::ReportFacts& facts,
                      const Parsed& parsed) {
  Problems problems;
  const std::string folder = parsed.text("output");
  if (!folder.empty())
    problems = environment::replace_file((std::filesystem::path(folder) / "validation.html").string(),
                                         analysis::to_html(validation::report_of(outcomes, facts)));
  return problems;
}

ExitCode run(const Parsed& parsed) {
  const Result<std::vector<Case>> cases = validation::read_cases(standard_cases());
  if (!cases) return refused(cases.problems());
  if (parsed.flag("list")) {
    list(*cases, parsed.json());
    return ExitCode::done;
  }
  if (parsed.given("against")) return validate_against(parsed);
  for (const char* option : {"fps", "unit", "radius", "line"})
    if (parsed.given(option)) return misuse(fmt::format("--{} goes with --against", option));
  std::string wrong;
  const std::vector<const Case*> some = chosen(*cases, parsed, wrong);
  if (!wrong.empty()) return misuse(wrong);
  const long long seeds = parsed.whole_number("seeds").value_or(10), seed = parsed.whole_number("seed").value_or(1);
  const long long threads = parsed.whole_number("threads").value_or(std::max(1u, std::thread::hardware_concurrency()));
  if (seeds < 1 || seeds > 1000) return misuse("--seeds wants 1 to 1000");
  if (seed < 0) return misuse("--seed wants a number from 0 on");
  if (threads < 1 || threads > 1024) return misuse("--threads wants 1 to 1024");
  const std::string folder = parsed.text("output");
  if (!folder.empty()) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure || !std::filesystem::is_directory(folder))
      return refused({{Severity::error, ProblemCode::io, folder, "is no folder and cannot be made one"}});
  }
  validation::ValidateOptions options;
  options.cases.quick = parsed.flag("quick");
  if (parsed.given("method")) options.cases.profile["avoid"] = {{"method", parsed.text("method")}};
  options.seeds = std::uint32_t(seeds);
  options.first_seed = std::uint64_t(seed);
  options.threads = unsigned(threads);
  options.draw = !folder.empty();
  std::size_t count = 0;
  for (const Case* one : some)
    count += one->kind == validation::Kind::not_built ? 0 : std::min<std::size_t>(options.seeds, one->most_seeds);
  TrialProgress progress(count);
  options.done = [&](const Case& one, const validation::SeedOutcome& outcome) {
    progress.done(fmt::format("{} seed {}", one.name, outcome.seed));
  };
  const Result<std::vector<Outcome>> outcomes = validation::validate(standard_cases(), some, options);
  if (!outcomes) return refused(outcomes.problems());
  print(*outcomes, parsed.json());
  const validation::ReportFacts facts{"throng " THRONG_VERSION, parsed.text("method"), options.seeds};
  if (const Problems problems = write_report(*outcomes, facts, parsed); has_errors(problems)) return refused(problems);
  const bool is_failed = std::ranges::any_of(*outcomes, [](const Outcome& outcome) {
    return outcome.one->kind == validation::Kind::required && outcome.verdict() == validation::Verdict::fail;
  });
  return is_failed ? ExitCode::refused : ExitCode::done;
}

Arguments arguments() {
  Arguments all;
  all.positional("CASE...", "cases by name; all without any", Count::optional)
      .flag("--list", "name the cases there are")
      .choice("--suite", "NAME", "those of one guideline, or of laboratories", {"rimea", "imo", "nist", "iso", "lab"})
      .option("--method", "M", "everybody avoids others by this method")
      .option("--seeds", "N", "runs of each case; 10 without it, fewer where nothing is drawn", Type::whole_number)
      .option("--seed", "N", "the first; 1 without it", Type::whole_number)
      .flag("--quick", "few people, short: a quick form is no test by the guideline")
      .option("-o,--output", "FOLDER", "the report, validation.html, goes here")
      .option("--threads", "N", "runs at the same time; all the machine has without it", Type::whole_number);
  add_against_arguments(all);
  return all;
}

const Registration registration({
    .name = "validate",
    .summary = "runs the cases of guidelines and laboratories, each with a verdict",
    .use = Use::research,
    .arguments = arguments(),
    .run = run,
    .details = "Exit code 1 also where a required case fails. docs/validation-cases.md says what the cases are and how "
               "they are measured, docs/validation.md what came of them.",
});

}  // namespace
}  // namespace throng::cli
