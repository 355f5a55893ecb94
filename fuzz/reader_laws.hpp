// What every reader promises of any input at all: an environment that keeps its laws, or problems that say what and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "environment/check.hpp"
#include "environment/formats/formats.hpp"

namespace throng::fuzz {

inline void require(bool law) {
  if (!law) std::abort();
}

/// Reads the bytes and checks the promises; the environment where there is one.
inline std::optional<environment::Environment> read_any(std::string_view format, const std::uint8_t* data,
                                                        std::size_t size) {
  Result<environment::Environment> result =
      environment::parse_environment(format, std::string(reinterpret_cast<const char*>(data), size), "input");
  for (const Problem& problem : result.problems()) {
    require(!problem.message.empty());
    require(problem.place.starts_with("input"));
    require(problem.code != ProblemCode::internal);
  }
  require(result.ok() != has_errors(result.problems()));
  if (!result.ok()) return std::nullopt;
  require(environment::check_environment(*result).empty());
  require(!result->features.empty());
  return std::move(result).value();
}

/// What was read is written and read again: the text stays the same from then on.
inline void require_stable(std::string_view format, const environment::Environment& read) {
  const Result<std::string> first = environment::write_environment(format, read);
  if (!first) return;  // a format may be unable to hold it
  const Result<environment::Environment> again = environment::parse_environment(format, *first, "written");
  require(again.ok() && again.problems().empty());
  const Result<std::string> second = environment::write_environment(format, *again);
  require(second.ok() && *second == *first);
}

}  // namespace throng::fuzz
