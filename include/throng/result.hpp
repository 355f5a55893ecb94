// What a call gives back: a value, or the reasons why there is none.
//
// Laws
// 1. Nothing in the library throws, prints, exits or aborts across its public interface.
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

[[nodiscard]] std::string_view name_of(ProblemCode code);

struct Problem {
  Severity severity = Severity::error;
  ProblemCode code = ProblemCode::internal;
  std::string place;    ///< where: "plan.geojson:12:8", "feature 7 (obstacle) at (3.5, 2)"; may be empty
  std::string message;  ///< what is wrong, and what would be right
};

/// "plan.geojson: feature 7 (obstacle) at (3.5, 2): the ring crosses itself"
[[nodiscard]] std::string to_string(const Problem& problem);

using Problems = std::vector<Problem>;

[[nodiscard]] inline bool has_errors(const Problems& problems) {
  for (const Problem& problem : problems)
    if (problem.severity == Severity::error) return true;
  return false;
}

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value, Problems warnings = {}) : value_(std::move(value)), problems_(std::move(warnings)) {
    assert(!has_errors(problems_));
  }
  Result(Problem problem) { problems_.push_back(std::move(problem)); }
  Result(Problems problems) : problems_(std::move(problems)) { assert(has_errors(problems_)); }

  [[nodiscard]] bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & { return assert(ok()), *value_; }
  [[nodiscard]] const T& value() const& { return assert(ok()), *value_; }
  [[nodiscard]] T&& value() && { return assert(ok()), *std::move(value_); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }

  /// Errors where there is no value, warnings where there is one.
  [[nodiscard]] const Problems& problems() const { return problems_; }

 private:
  std::optional<T> value_;
  Problems problems_;
};

}  // namespace throng
