#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "cli/report.hpp"
#include "text/output_file.hpp"

namespace throng::cli {

Outputs& Outputs::reads(const std::string& path) {
  if (!path.empty()) inputs_.push_back(path);
  return *this;
}

Outputs& Outputs::reads(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) reads(path);
  return *this;
}

Outputs& Outputs::writes(const std::string& path) {
  if (!path.empty()) outputs_.push_back(path);
  return *this;
}

Outputs& Outputs::writes(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) writes(path);
  return *this;
}

std::string Outputs::misuse() const {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    for (const std::string& input : inputs_)
      if (environment::same_file(outputs_[i], input))
        return input == outputs_[i]
                   ? fmt::format("'{}' is read, and would be overwritten", input)
                   : fmt::format("'{}' is read, and '{}' is another name of it: it would be overwritten", input,
                                 outputs_[i]);
    for (std::size_t j = 0; j < i; ++j)
      if (outputs_[i] == outputs_[j] || environment::same_file(outputs_[i], outputs_[j]))
        return fmt::format("two outputs would go to one file: '{}' and '{}'", outputs_[j], outputs_[i]);
  }
  return {};
}

std::optional<ExitCode> Outputs::refused(const std::function<ExitCode(const Problems&)>& tell) const {
  if (const std::string wrong = misuse(); !wrong.empty()) {
    fmt::print(stderr, "throng {}: {}\n", command_, printable(wrong));
    return ExitCode::misuse;
  }
  Problems problems;
  for (const std::string& output : outputs_)
    for (const Problem& problem : environment::check_output(output)) problems.push_back(problem);
  if (problems.empty()) return std::nullopt;
  return tell(problems);
}

void say_written(const std::string& path) {
  if (path == "-") return;
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (!error) fmt::print(stderr, "{}: {} bytes\n", printable(path), grouped(bytes));
}

}  // namespace throng::cli
