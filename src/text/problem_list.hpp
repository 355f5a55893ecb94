// Collects what a reader finds wrong: everything, but not more than anyone reads.
//
// Laws
// 1. Problems keep the order they were added in; the first `cap` errors and the first `cap` warnings are kept, the rest counted.
// 2. finish() ends with one line "and N more errors" or "... warnings" for what was counted only.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "throng/result.hpp"

namespace throng::environment {

class ProblemList {
 public:
  static constexpr std::size_t cap = 100;

  void error(ProblemCode code, std::string place, std::string message) {
    add({Severity::error, code, std::move(place), std::move(message)});
  }
  void warning(ProblemCode code, std::string place, std::string message) {
    add({Severity::warning, code, std::move(place), std::move(message)});
  }
  void add(Problem problem);

  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] std::size_t errors() const { return errors_; }

  /// Everything collected; `source` is the place of the closing line.
  [[nodiscard]] Problems finish(const std::string& source) &&;
  /// The value with the warnings, or the problems where there are errors.
  template <class T>
  [[nodiscard]] Result<T> result(T value, const std::string& source) && {
    const bool failed = has_errors();
    Problems problems = std::move(*this).finish(source);
    if (failed) return Result<T>(std::move(problems));
    return Result<T>(std::move(value), std::move(problems));
  }

 private:
  Problems problems_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

}  // namespace throng::environment
