// Reads words, numbers and marks from a plain text, and knows the place of each. Used by the readers of small formats.
//
// Laws
// 1. Blanks, tabs and ends of line separate and are skipped in front of everything.
// 2. Numbers are decimal, as C writes them; a text that is none, or too large for a double, is not read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "text/line_index.hpp"

namespace throng::environment {

class TextCursor {
 public:
  TextCursor(std::string_view text, std::string source) : text_(text), source_(std::move(source)), lines_(text) {}

  [[nodiscard]] bool at_end();
  [[nodiscard]] std::size_t offset();
  /// "plan.wkt:3:14" for an offset.
  [[nodiscard]] std::string place(std::size_t offset) { return source_ + ":" + lines_.at(offset); }
  [[nodiscard]] const std::string& source() const { return source_; }

  /// Takes the mark if it is next.
  bool take(char mark);
  /// Letters and underscores; empty where something else is next.
  [[nodiscard]] std::string_view take_word();
  [[nodiscard]] std::optional<double> take_number();
  /// Digits only, up to 2^53.
  [[nodiscard]] std::optional<std::size_t> take_count();
  /// What is next, for messages: a word, a number, one mark; "the end" at the end.
  [[nodiscard]] std::string next_token();

 private:
  void skip_blanks();

  std::string_view text_;
  std::string source_;
  LineIndex lines_;
  std::size_t at_ = 0;
};

}  // namespace throng::environment
