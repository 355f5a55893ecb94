// What an experiment of `throng experiment` is, and what all of them share. One file an experiment:
//
//   namespace {
//   ExitCode run(const ExperimentOptions& options) { ... }
//   const ExperimentRegistration registration({"pairs", "every follower with every avoidance method", run});
//   }  // namespace
//
// Laws
// 1. An experiment file registers itself at program start and is mentioned nowhere else; names are distinct.
// 2. With `json` a line for each row, then a line of totals; otherwise a table. Talk goes to standard error.
// 3. Figures but wall times depend on the seed only, whatever `threads` is.
// 4. An option that an experiment does not take is refused.
// 5. Files go into `folder` only, which is made if it is not there; files of the same names are replaced.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "throng/result.hpp"

namespace throng::cli {

struct ExperimentOptions {
  bool quick = false;  ///< few people, short: shows that it works
  bool json = false;
  std::string folder;  ///< for tables and pictures; empty: none
  std::uint64_t seed = 1;
  std::uint64_t runs = 0;  ///< 0: as many as the experiment takes by itself
  unsigned threads = 1;    ///< trials at the same time
  std::string only;        ///< the scene to take, of those experiments that have several; empty: all
  unsigned tiles = 16;     ///< of experiments on a tiled scene: tiles a side
  std::string avoid;       ///< of experiments with several avoidance methods: the one to take; empty: all
  std::string stream;      ///< of experiments that compare with streams and without: the method; empty: without
};

struct Experiment {
  std::string name;
  std::string description;  ///< one line
  ExitCode (*run)(const ExperimentOptions&) = nullptr;
  std::vector<std::string_view> takes =
      {};  ///< of the options that not all take: "only", "runs", "tiles", "stream", "avoid"
};

class ExperimentRegistration {
 public:
  explicit ExperimentRegistration(Experiment experiment);
};

/// Every registered experiment, by name.
[[nodiscard]] const std::map<std::string, Experiment>& experiments();

/// What the columns of a table are where it is printed as figures, a line each (ExperimentFigures): those that name a case, and the published
/// figure beside a measure. All others are measures.
struct FigureColumns {
  std::vector<std::string_view> scene = {}, method = {}, variant = {};  ///< their texts, joined by blanks
  std::string_view runs = {};
  std::vector<std::pair<std::string_view, std::string_view>> published =
      {};  ///< a measure's column, and that beside it
};

/// Rows of an experiment: printed as a table or as JSON lines, and written as CSV.
class ExperimentTable {
 public:
  explicit ExperimentTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// One value a column: numbers, texts or null.
  void add(std::vector<Json> row) { rows_.push_back(std::move(row)); }
  /// Numbers with three digits behind the point where they have any.
  void print(bool json) const;
  /// The same, but as JSON a line a figure: experiment, scene, method, variant, measure, value, deviation, runs, published.
  void print(bool json, std::string_view experiment, const FigureColumns& columns) const;
  [[nodiscard]] std::string csv() const;

 private:
  [[nodiscard]] std::optional<std::size_t> place_of(std::string_view column) const;
  void print_figures(std::string_view experiment, const FigureColumns& columns, const std::vector<Json>& row) const;

  std::vector<std::string> columns_;
  std::vector<std::vector<Json>> rows_;
};

/// Figures beside the published ones, one a line: what is measured of which scene by which method. Lost or unpublished ones are null, "-" in
/// the table.
class ExperimentFigures {
 public:
  explicit ExperimentFigures(std::string experiment) : experiment_(std::move(experiment)) {}

  struct Figure {
    std::string scene, method, variant, measure;
    double value = 0;
    std::optional<double> deviation = {};
    std::size_t runs = 1;
    std::optional<double> published = {};
  };
  void add(Figure figure) { figures_.push_back(std::move(figure)); }
  /// A table, or a JSON line a figure; and EXPERIMENT.csv in the experiment's folder.
  [[nodiscard]] Problems finish(const ExperimentOptions& options) const;

 private:
  std::string experiment_;
  std::vector<Figure> figures_;
};

/// Writes a file into the experiment's folder; nothing without one.
[[nodiscard]] Problems write_into(const ExperimentOptions& options, const std::string& name,
                                  const std::string& content);

/// A line on the terminal that is written over: "12 of 225". Any thread may call it.
class TrialProgress {
 public:
  explicit TrialProgress(std::size_t count);
  ~TrialProgress();
  TrialProgress(const TrialProgress&) = delete;
  TrialProgress& operator=(const TrialProgress&) = delete;
  void done(const std::string& what);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng::cli
