// Cases run over seeds, and what comes of them: figures, verdicts, times.
//
// Laws
// 1. No verdict is written by hand: it follows from the checks, seed by seed. Required: all seeds hold; direction: nine of ten (ours).
// 2. A case fails, whatever its kind, where a run does not end, somebody does not get out, or what it shows was not measured.
// 3. Same case, seeds and options: same figures and hash, whatever the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/trial.hpp"
#include "validation/case.hpp"
#include "validation/measures.hpp"

namespace throng::validation {

enum class Verdict { pass, fail, measured, not_built };
[[nodiscard]] std::string_view name_of(Verdict verdict);

/// Ways of one run, for the report.
struct DrawnRun {
  std::string run;
  std::string svg;
};

struct SeedOutcome {
  std::uint64_t seed = 0;
  Figures figures;
  Curves curves;
  bool is_complete = true;
  std::string incomplete;  ///< why not
  std::uint64_t hash = 0;  ///< the sum of its runs'
  double seconds = 0;      ///< of processor, about: wall time of one thread
  std::vector<DrawnRun> drawn;
};

/// Whether a seed keeps all checks, was complete and measured what it shows.
[[nodiscard]] bool is_kept(const Case& one, const SeedOutcome& outcome);

struct Outcome {
  const Case* one = nullptr;
  bool quick = false;
  std::vector<SeedOutcome> seeds;
  [[nodiscard]] Verdict verdict() const { return verdict_of(*one); }
  /// With other checks than its own: for who turns them round.
  [[nodiscard]] Verdict verdict_of(const Case& judged) const;
  [[nodiscard]] std::size_t kept() const;
  [[nodiscard]] double seconds() const;
  [[nodiscard]] std::uint64_t hash() const;
  /// Of a figure, over the seeds that have it.
  [[nodiscard]] std::vector<double> values(const std::string& figure) const;
};

struct ValidateOptions {
  CaseOptions cases;
  std::uint32_t seeds = 10;
  std::uint64_t first_seed = 1;
  unsigned threads = 1;
  bool draw = false;  ///< ways of the first seed
  /// Called by any thread, when a seed of a case is done.
  std::function<void(const Case&, const SeedOutcome&)> done = {};
};

/// One seed of a case.
[[nodiscard]] Result<SeedOutcome> run_seed(const CaseFiles& files, const Case& one, std::uint64_t seed,
                                           const ValidateOptions& options);

/// All seeds of all cases, in their order.
[[nodiscard]] Result<std::vector<Outcome>> validate(const CaseFiles& files, const std::vector<const Case*>& cases,
                                                    const ValidateOptions& options);

}  // namespace throng::validation
