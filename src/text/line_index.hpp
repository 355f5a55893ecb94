// Line and column of an offset into a text, counted from 1. Columns count bytes, as compilers and editors' jump-to do.
//
// Cost: one pass over the text for offsets asked in rising order; asking for an earlier one starts again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace throng::environment {

class LineIndex {
 public:
  explicit LineIndex(std::string_view text) : text_(text) {}

  /// "12:8"
  [[nodiscard]] std::string at(std::size_t offset) {
    offset = std::min(offset, text_.size());
    if (offset < line_start_) *this = LineIndex(text_);
    while (newline_ < offset) {
      line_start_ = newline_ + 1;
      newline_ = text_.find('\n', line_start_);
      ++line_;
    }
    return std::to_string(line_) + ":" + std::to_string(offset - line_start_ + 1);
  }

 private:
  std::string_view text_;
  std::size_t newline_ = text_.find('\n');  ///< the end of the line reached so far; npos in the last one
  std::size_t line_start_ = 0;
  std::size_t line_ = 1;
};

}  // namespace throng::environment
