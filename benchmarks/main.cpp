// The program `throng-bench`, which `throng bench NAME` runs: one registered benchmark (bench.hpp).
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "benchmarks/bench.hpp"
#include "cli/command_line.hpp"

namespace throng::bench {
namespace {

using cli::Arguments;
using cli::Count;
using cli::ExitCode;
using cli::Parsed;
using cli::Type;

constexpr long long most_repetitions = 1'000'000;
constexpr long long most_people = 10'000'000;
constexpr double most_warm_up = 86400;

void list_benchmarks(bool json) {
  Table table({"name", "description"});
  for (const auto& [name, benchmark] : benchmarks()) table.add({name, benchmark.description});
  table.print({.data = {}, .json = json});
}

Options options_of(const Parsed& parsed) {
  const char* data = std::getenv("THRONG_DATA");
  Options options;
  if (data != nullptr) options.data = data;
  if (parsed.given("data")) options.data = parsed.text("data");
  options.quick = parsed.flag("quick");
  options.json = parsed.json();
  options.warm_up = parsed.number("warm-up").value_or(0);
  options.steps = int(parsed.whole_number("steps").value_or(0));
  if (parsed.given("plot")) options.plot = parsed.text("plot");
  options.row = int(parsed.whole_number("row").value_or(0));
  options.people = std::size_t(parsed.whole_number("people").value_or(0));
  options.repetitions = int(parsed.whole_number("repetitions").value_or(options.quick ? 1 : options.repetitions));
  return options;
}

/// What is wrong with the arguments; empty where nothing is.
std::string misuse_of(const Parsed& parsed) {
  const long long repetitions = parsed.whole_number("repetitions").value_or(1);
  if (repetitions < 1 || repetitions > most_repetitions)
    return fmt::format("--repetitions must be 1 to {}, not {}", most_repetitions, repetitions);
  if (const long long people = parsed.whole_number("people").value_or(1); people < 1 || people > most_people)
    return fmt::format("--people must be 1 to {}, not {}", most_people, people);
  if (const double seconds = parsed.number("warm-up").value_or(1); !(seconds > 0 && seconds <= most_warm_up))
    return fmt::format("--warm-up must be more than 0 and at most {} s, not {}", most_warm_up, seconds);
  if (const long long steps = parsed.whole_number("steps").value_or(1); steps < 1 || steps > most_repetitions)
    return fmt::format("--steps must be 1 to {}, not {}", most_repetitions, steps);
  if (const long long row = parsed.whole_number("row").value_or(1); row < 1 || row > most_repetitions)
    return fmt::format("--row must be 1 to {}, not {}", most_repetitions, row);
  if (parsed.given("data") && !std::filesystem::is_directory(parsed.text("data")))
    return fmt::format("--data names no folder: '{}'", parsed.text("data"));
  if (parsed.given("plot") && (parsed.text("NAME") != "crowd-scaling" || parsed.given("row")))
    return "--plot goes with the whole of crowd-scaling: other benchmarks, and single rows, have no curves";
  if (!parsed.given("NAME")) return "which benchmark? `throng bench --list` names them";
  if (!benchmarks().contains(parsed.text("NAME")))
    return fmt::format("there is no benchmark '{}'; `throng bench --list` names those there are", parsed.text("NAME"));
  return {};
}

ExitCode run(const Parsed& parsed) {
  if (parsed.flag("list")) {
    list_benchmarks(parsed.json());
    return ExitCode::done;
  }
  if (const std::string misuse = misuse_of(parsed); !misuse.empty()) {
    fmt::print(stderr, "throng bench: {}\n", misuse);
    return ExitCode::misuse;
  }
  return ExitCode(benchmarks().at(parsed.text("NAME")).run(options_of(parsed)));
}

cli::Command command() {
  return {
      .name = "throng-bench",
      .summary = "runs a benchmark and prints its table",
      .arguments =
          Arguments()
              .positional("NAME", "the benchmark", Count::optional)
              .flag("--list", "name the benchmarks there are")
              .option("--data", "FOLDER", "real inputs to use (default: THRONG_DATA; without either, generated ones)")
              .option("--repetitions", "N", "how often to measure (default: 5, with --quick 1)", Type::whole_number)
              .option("--people", "N", "how many people, where there is a crowd (default: as the benchmark thinks fit)",
                      Type::whole_number)
              .option("--warm-up", "SECONDS", "how long a crowd walks before it is measured (default: 60, mostly)",
                      Type::number)
              .option("--steps", "N", "how many steps of a crowd are measured (default: 300, mostly)",
                      Type::whole_number)
              .option("--row", "N", "only the Nth row, where rows take long (default: all of them)", Type::whole_number)
              .option("--plot", "FILE.svg", "where crowd-scaling draws its curves (default: nowhere)")
              .flag("--quick", "small inputs: shows that it works, not how fast"),
      .run = run,
      .details = "Figures that have a peer are ratios measured in the same run. Build with optimisation (make build)."};
}

}  // namespace
}  // namespace throng::bench

int main(int argc, char** argv) { return throng::cli::run_program(argc, argv, throng::bench::command()); }
