#include "text/problem_list.hpp"

#include <fmt/format.h>

namespace throng::environment {

void ProblemList::add(Problem problem) {
  std::size_t& count = problem.severity == Severity::error ? errors_ : warnings_;
  if (++count <= cap) problems_.push_back(std::move(problem));
}

Problems ProblemList::finish(const std::string& source) && {
  const auto close = [&](Severity severity, std::size_t count, const char* what) {
    if (count > cap)
      problems_.push_back({severity, ProblemCode::limit, source, fmt::format("and {} more {}", count - cap, what)});
  };
  close(Severity::error, errors_, "errors");
  close(Severity::warning, warnings_, "warnings");
  return std::move(problems_);
}

}  // namespace throng::environment
