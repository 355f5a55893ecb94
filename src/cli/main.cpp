// The program `throng`: one file a command beside this one.
#include <csignal>
#include <string_view>

#include "cli/bench_program.hpp"
#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  using namespace throng::cli;
  // A file that grows beyond a limit (ulimit -f) is a failed write that is told, like one on a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  // Benchmarks are a program of their own, which gets the rest of the command line as it is.
  if (argc > 1 && std::string_view(argv[1]) == "bench") return run_bench_program(argc - 1, argv + 1);
  return run_program(argc, argv);
}
