// The report of one run, or of several beside each other: what a planner hands on (docs/reports.md).
#pragma once

#include <string>
#include <vector>

#include "analysis/recorded_run.hpp"
#include "drawing/document.hpp"
#include "throng/result.hpp"

namespace throng::analysis {

struct ReportOptions {
  std::string title;    ///< empty: made of the runs' names
  std::string program;  ///< name and version of what makes the report
};

/// At least one run. Runs may be of different environments: figures and curves stand beside each other, maps one below the other.
[[nodiscard]] Result<Document> make_report(const std::vector<RecordedRun>& runs, const ReportOptions& options);

}  // namespace throng::analysis
