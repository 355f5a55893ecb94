// What a call gives back: a value, or the reasons why there is none.
//
// Laws
// 1. Nothing in the library prints, exits or aborts across its public interface. Calls that return a Result throw nothing: too little
//    memory, or no thread to be had, is a problem like others (ProblemCode::limit). Calls that return something else (questions, constructors)
//    throw std::bad_alloc where they find no memory, and nothing else.
// 2. A Result without a value holds at least one problem of severity `error`; a Result with a value holds none, but may
//    hold warnings.
// 3. Problems are listed in the order of the input they speak of, all of them, not only the first.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace throng {

/// Whether a problem keeps the input from being used.
enum class Severity { error, warning };

/// What kind of thing is wrong; programs branch on this, people read `Problem::message`.
enum class ProblemCode {
  io,           ///< a file cannot be read or written
  syntax,       ///< not well-formed: broken JSON, broken UTF-8, a truncated file
  schema,       ///< well-formed, but not what the format asks for: wrong type, unknown member, missing member
  value,        ///< a number or name out of its range: NaN, infinite, too large, duplicate, unknown layer
  geometry,     ///< shapes that cannot be made right: bow ties, zero area, misplaced connections
  limit,        ///< larger than this build can hold
  unsupported,  ///< known, but not available (a format, a method)
  internal,     ///< a fault of ours
};

/// "io", "syntax", ... as in JSON output.
[[nodiscard]] std::string_view name_of(ProblemCode code);

/// One thing that is wrong, and where.
struct Problem {
  Severity severity = Severity::error;       ///< errors refuse the input, warnings do not
  ProblemCode code = ProblemCode::internal;  ///< what kind of thing is wrong
  std::string place;    ///< where: "plan.geojson:12:8", "feature 7 (obstacle) at (3.5, 2)"; may be empty
  std::string message;  ///< what is wrong, and what would be right
};

/// "plan.geojson: feature 7 (obstacle) at (3.5, 2): the ring crosses itself"
[[nodiscard]] std::string to_string(const Problem& problem);

/// In the order of the input they speak of.
using Problems = std::vector<Problem>;

/// Whether any of them is an error.
[[nodiscard]] inline bool has_errors(const Problems& problems) {
  for (const Problem& problem : problems)
    if (problem.severity == Severity::error) return true;
  return false;
}

/// A value, perhaps with warnings, or at least one error.
template <class T>
class [[nodiscard]] Result {
 public:
  ///@{ Made from a value, or from what is wrong; implicit, so that functions return either.
  Result(T value, Problems warnings = {}) : value_(std::move(value)), problems_(std::move(warnings)) {
    assert(!has_errors(problems_));
  }
  Result(Problem problem) { problems_.push_back(std::move(problem)); }
  Result(Problems problems) : problems_(std::move(problems)) { assert(has_errors(problems_)); }
  ///@}

  ///@{ Whether there is a value.
  [[nodiscard]] bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  ///@}

  ///@{ The value; requires ok().
  [[nodiscard]] T& value() & { return assert(ok()), *value_; }
  [[nodiscard]] const T& value() const& { return assert(ok()), *value_; }
  [[nodiscard]] T&& value() && { return assert(ok()), *std::move(value_); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  ///@}

  /// Errors where there is no value, warnings where there is one.
  [[nodiscard]] const Problems& problems() const { return problems_; }

 private:
  std::optional<T> value_;
  Problems problems_;
};

}  // namespace throng
