#include "cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace throng::cli {
namespace {

/// Columns a text takes on a terminal, near enough: UTF-8 continuation bytes take none.
std::size_t columns(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

void print_problems(const Problems& problems) {
  for (const Problem& problem : problems)
    fmt::print(stderr, "{}: {}\n", problem.severity == Severity::error ? "error" : "warning",
               printable(to_string(problem)));
}

Json to_json(const Problem& problem) {
  return {{"severity", problem.severity == Severity::error ? "error" : "warning"},
          {"code", name_of(problem.code)},
          {"place", problem.place},
          {"message", problem.message}};
}

Json to_json(const Problems& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems) list.push_back(to_json(problem));
  return list;
}

void print_json(const Json& object) { fmt::print("{}\n", object.dump(-1, ' ', false, Json::error_handler_t::replace)); }

std::string table(const std::vector<std::vector<std::string>>& cells) {
  std::vector<std::vector<std::string>> rows = cells;
  for (auto& row : rows)
    for (std::string& cell : row) cell = printable(cell);
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - columns(row[i]), ' ');
      if (i > 0) out.append("  ").append(padding);
      out += row[i];
      if (i == 0) out += padding;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

std::string grouped(unsigned long long number) {
  const std::string digits = std::to_string(number);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ' ';
    out += digits[i];
  }
  return out;
}

}  // namespace throng::cli
