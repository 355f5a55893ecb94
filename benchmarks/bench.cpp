#include "benchmarks/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace throng::bench {
namespace {

std::map<std::string, Benchmark>& registry() {
  static std::map<std::string, Benchmark> all;
  return all;
}

std::string text_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<long long>(&cell)) return fmt::format("{}", *whole);
  const Number& number = std::get<Number>(cell);
  return fmt::format("{:.{}f}", number.value, number.digits);
}

nlohmann::ordered_json json_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<long long>(&cell)) return *whole;
  return std::get<Number>(cell).value;
}

bool is_text(const Cell& cell) { return std::holds_alternative<std::string>(cell); }

/// The number of kibibytes after a name in /proc/self/status.
std::size_t status_kib(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) {
      std::size_t kib = 0;
      std::istringstream(line.substr(name.size() + 1)) >> kib;
      return kib;
    }
  return 0;
}

}  // namespace

Registration::Registration(Benchmark benchmark) {
  std::string name = benchmark.name;
  [[maybe_unused]] const bool fresh = registry().emplace(std::move(name), std::move(benchmark)).second;
  assert(fresh);
}

const std::map<std::string, Benchmark>& benchmarks() { return registry(); }

Timing timing_of(std::vector<double> times_ms) {
  assert(!times_ms.empty());
  std::sort(times_ms.begin(), times_ms.end());
  const std::size_t count = times_ms.size();
  const double median = (times_ms[(count - 1) / 2] + times_ms[count / 2]) / 2;
  return {times_ms.front(), median, int(count)};
}

std::size_t resident_bytes() { return status_kib("VmRSS") * 1024; }

std::size_t peak_resident_bytes() { return status_kib("VmHWM") * 1024; }

bool reset_peak_resident() {
  std::ofstream reset("/proc/self/clear_refs");
  reset << '5';  // proc(5): resets VmHWM to the present size
  return bool(reset.flush());
}

void Table::add(std::vector<Cell> row) {
  assert(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  std::vector<bool> left;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = columns_[c].size();
    for (const auto& row : rows_) width = std::max(width, text_of(row[c]).size());
    widths.push_back(width);
    left.push_back(!rows_.empty() && is_text(rows_.front()[c]));
  }
  std::string result;
  const auto line = [&](auto&& cell_text) {
    std::string out;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      out +=
          left[c] ? fmt::format("{:<{}}  ", cell_text(c), widths[c]) : fmt::format("{:>{}}  ", cell_text(c), widths[c]);
    out.erase(out.find_last_not_of(' ') + 1);
    result += out + '\n';
  };
  line([&](std::size_t c) { return columns_[c]; });
  line([&](std::size_t c) { return std::string(widths[c], '-'); });
  for (const auto& row : rows_) line([&](std::size_t c) { return text_of(row[c]); });
  return result;
}

std::string Table::json_lines() const {
  std::string result;
  for (const auto& row : rows_) {
    nlohmann::ordered_json object;
    for (std::size_t c = 0; c < columns_.size(); ++c) object[columns_[c]] = json_of(row[c]);
    result += object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  }
  return result;
}

void Table::print(const Options& options) const {
  const std::string out = options.json ? json_lines() : text();
  std::fwrite(out.data(), 1, out.size(), stdout);
  std::fflush(stdout);
}

}  // namespace throng::bench
