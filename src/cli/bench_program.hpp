// `throng bench`: benchmarks are the program `throng-bench`, which is built by `make bench` and not installed. It links peers to compare
// with; the program that users install links none.
#pragma once

namespace throng::cli {

/// Runs `throng-bench` from the folder of this program, or from PATH, in place of this process; argv[0] is the word "bench". Returns,
/// with exit code 1, only where there is none; says so on standard error.
[[nodiscard]] int run_bench_program(int argc, char** argv);

}  // namespace throng::cli
