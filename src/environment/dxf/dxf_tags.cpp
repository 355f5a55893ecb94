#include "environment/dxf/dxf_tags.hpp"

#include <fmt/format.h>

#include <charconv>

#include "text/csv.hpp"
#include "text/nearest_name.hpp"

namespace throng::environment {

std::string_view DxfTags::take_line() {
  const std::size_t end = text_.find('\n', at_);
  const std::string_view line = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
  ++line_;
  return trimmed(line);
}

std::optional<DxfTag> DxfTags::next() {
  if (!fault_.empty() || at_ >= text_.size()) return std::nullopt;
  const std::string_view code_text = take_line();
  if (code_text.empty() && text_.find_first_not_of(" \t\r\n", at_) == std::string_view::npos) {
    at_ = text_.size();  // blank lines behind the end
    return std::nullopt;
  }
  DxfTag tag;
  const auto [rest, error] = std::from_chars(code_text.data(), code_text.data() + code_text.size(), tag.code);
  if (error != std::errc() || rest != code_text.data() + code_text.size()) {
    fault_ = fmt::format("a group code (a whole number) is wanted here, not {}", in_quotes(code_text));
    return std::nullopt;
  }
  if (at_ >= text_.size()) {
    fault_ = fmt::format("the file ends after group code {}, without its value", tag.code);
    return std::nullopt;
  }
  tag.value = take_line();
  tag.line = line_;
  return tag;
}

}  // namespace throng::environment
