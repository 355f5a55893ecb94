// What a validation run comes to, for people to read: a table in front, then a section a case.
#pragma once

#include <string>
#include <vector>

#include "drawing/document.hpp"
#include "validation/validate.hpp"

namespace throng::validation {

/// A figure as it is printed: three digits that count.
[[nodiscard]] std::string printed(double value);
/// Mean and deviation of the first figure that a case shows, and of the others: "time 30.6, flow 1.45 +- 0.03".
[[nodiscard]] std::string shown_figures(const Outcome& outcome);

/// Of one suite: how many required and directional parts pass, how many are measured, fail or are not built.
struct Tally {
  std::size_t cases = 0, pass = 0, measured = 0, fail = 0, not_built = 0;
};
[[nodiscard]] Tally tally_of(const std::vector<Outcome>& outcomes, const std::string& suite);
/// "RiMEA 4.1.1: n of 19 parts pass, m measured, k fail".
[[nodiscard]] std::string rimea_line(const std::vector<Outcome>& outcomes);

struct ReportFacts {
  std::string program;  ///< name and version
  std::string method;   ///< what replaced the cases' methods; empty: nothing
  std::uint32_t seeds = 10;
};

[[nodiscard]] analysis::Document report_of(const std::vector<Outcome>& outcomes, const ReportFacts& facts);

}  // namespace throng::validation
