#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/bench_program.hpp"
#include "cli/command.hpp"

namespace throng::cli {
namespace {

/// For help and manual; main.cpp hands the command line on before it is read.
ExitCode run(const Parsed&) {
  char name[] = "bench";
  char* arguments[] = {name, nullptr};
  return ExitCode(run_bench_program(1, arguments));
}

const Registration registration({
    .name = "bench",
    .summary = "runs a benchmark, where throng-bench is built (make bench)",
    .use = Use::research,
    .arguments = Arguments()
                     .positional("NAME", "the benchmark, and what `throng bench --help` lists", Count::optional)
                     .flag("--list", "name the benchmarks there are"),
    .run = run,
    .details = "Figures that have a peer are ratios measured in the same run.",
});

}  // namespace

int run_bench_program(int argc, char** argv) {
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  const std::string beside = (here / "throng-bench").string();
  std::vector<char*> arguments(argv, argv + argc);
  std::string name = "throng-bench";
  arguments[0] = name.data();
  arguments.push_back(nullptr);
  if (!unknown) execv(beside.c_str(), arguments.data());
  execvp(name.c_str(), arguments.data());
  fmt::print(stderr,
             "throng bench: there is no throng-bench beside this program or on the PATH; `make bench` in Throng's "
             "sources builds it\n");
  return int(ExitCode::refused);
}

}  // namespace throng::cli
