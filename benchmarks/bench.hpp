// What a benchmark of `throng bench` is, and what all of them measure and print with. One file a benchmark:
//
//   namespace throng::bench {
//   namespace {
//   int run(const Options& options) { ... }
//   const Registration registration({"environment", "reading and cleaning, against the size of the input", run});
//   }  // namespace
//   }  // namespace throng::bench
//
// Laws
// 1. A benchmark file registers itself at program start and is mentioned nowhere else; names are distinct.
// 2. Where THRONG_DATA (`Options::data`) is unset, a benchmark falls back to generated input and says so.
// 3. Figures that have a peer are ratios measured in the same run; a figure in docs/performance.md is one that a benchmark
//    prints.
// 4. With `json` only JSON lines go to standard output (Table does this); talk goes to standard error.
// Thread-safety: registration happens before main; afterwards the registry is read-only.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace throng::bench {

struct Options {
  std::filesystem::path data;  ///< folder of real inputs; empty: generate some
  int repetitions = 5;
  std::size_t people = 0;  ///< of those benchmarks that have a crowd; 0: as they think fit
  double warm_up = 0;      ///< simulated seconds before a crowd is measured; 0: the same
  int steps = 0;           ///< of a crowd that are measured; 0: the same
  int row = 0;             ///< the one to measure, of those benchmarks whose rows take long, from 1; 0: all
  std::string plot;        ///< SVG file for the curves of those benchmarks that draw some; empty: none is written
  bool quick = false;      ///< small inputs: shows that it works, not how fast
  bool json = false;
};

struct Benchmark {
  std::string name;
  std::string description;  ///< one line
  /// Returns the program's exit code: 0 when it ran, whatever the figures say.
  std::function<int(const Options&)> run;
};

/// Adds a benchmark to the program.
class Registration {
 public:
  explicit Registration(Benchmark benchmark);
};

/// Every registered benchmark, by name.
[[nodiscard]] const std::map<std::string, Benchmark>& benchmarks();

struct Timing {
  double min_ms = 0;  ///< the best of all: what the work costs when nothing disturbs it
  double median_ms = 0;
  int repetitions = 0;
};

/// Of these wall-clock times in milliseconds; at least one.
[[nodiscard]] Timing timing_of(std::vector<double> times_ms);

/// Wall-clock times of `work`, after one run that does not count.
template <class Work>
[[nodiscard]] Timing measure(int repetitions, Work&& work) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int i = -1; i < repetitions; ++i) {
    const Clock::time_point start = Clock::now();
    work();
    if (i >= 0) times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return timing_of(std::move(times));
}

/// Keeps the compiler from leaving out the work that made this value.
template <class Value>
void keep(const Value& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// Resident memory of this process, in bytes; 0 where the system does not tell.
[[nodiscard]] std::size_t resident_bytes();
/// The largest it was since the start, or since the last reset_peak_resident() that succeeded.
[[nodiscard]] std::size_t peak_resident_bytes();
/// Starts a new peak at the present size; false where the system does not allow it.
bool reset_peak_resident();

/// A number with the digits after the point that are worth reading, a whole number, or a text.
struct Number {
  double value = 0;
  int digits = 2;
};
using Cell = std::variant<std::string, long long, Number>;

/// Rows under named columns: a text table with right-aligned numbers, or a JSON line a row.
class Table {
 public:
  explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// As many cells as there are columns.
  void add(std::vector<Cell> row);
  [[nodiscard]] std::string text() const;
  /// A line an object, members in the order of the columns; numbers in full precision.
  [[nodiscard]] std::string json_lines() const;
  /// To standard output, as options.json says.
  void print(const Options& options) const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace throng::bench
