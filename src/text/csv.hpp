// Plain tables of text: what every reader of CSV files shares.
//
// Laws
// 1. Fields are separated by commas; blanks around them, empty lines and a byte order mark do not count. Quotes around a field are
//    allowed, a quote in one is written twice.
// 2. The first line is a heading if its first field is no number.
// 3. Every line has as many fields as the first one; everything wrong is told at once, with file and line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/problem_list.hpp"

namespace throng::environment {

struct CsvRow {
  std::vector<std::string> fields;
  std::size_t line = 0;  ///< counted from 1
};

struct CsvTable {
  std::vector<std::string> heading;  ///< empty: there is none
  std::size_t heading_line = 0;
  std::vector<CsvRow> rows;
};

/// `source` is what problems call the file. Lines that are wrong are reported and left out.
[[nodiscard]] CsvTable parse_csv(std::string_view text, const std::string& source, ProblemList& problems);

/// A text as a field: in quotes where commas, quotes or blanks at its ends need them, or where a spreadsheet would take it for a formula.
/// Control characters become blanks, so that a row stays a line.
[[nodiscard]] std::string csv_field(std::string_view text);

/// Without blanks around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// A whole text as a decimal number; nothing where it is none, or not finite.
[[nodiscard]] std::optional<double> to_number(std::string_view text);

}  // namespace throng::environment
