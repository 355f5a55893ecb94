#include "text/text_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "text/nearest_name.hpp"

namespace throng::environment {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_mark(char c) { return c == '(' || c == ')' || c == ',' || c == ';' || c == '='; }

template <class Number>
std::optional<Number> parse(std::string_view text, std::size_t& at) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + at, end, number);
  if (error != std::errc()) return std::nullopt;
  // "12abc" is one bad token, not a number and a word.
  if (stop != end && !is_blank(*stop) && !is_mark(*stop)) return std::nullopt;
  at = std::size_t(stop - text.data());
  return number;
}

}  // namespace

void TextCursor::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

bool TextCursor::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

std::size_t TextCursor::offset() {
  skip_blanks();
  return at_;
}

bool TextCursor::take(char mark) {
  skip_blanks();
  if (at_ == text_.size() || text_[at_] != mark) return false;
  ++at_;
  return true;
}

std::string_view TextCursor::take_word() {
  skip_blanks();
  const std::size_t start = at_;
  while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
  return text_.substr(start, at_ - start);
}

std::optional<double> TextCursor::take_number() {
  skip_blanks();
  // from_chars reads "nan" and "inf" too, and no plus sign.
  std::size_t start = at_;
  if (start + 1 < text_.size() && text_[start] == '+' && text_[start + 1] != '-') ++start;
  const std::size_t first = start + (start < text_.size() && text_[start] == '-' ? 1 : 0);
  if (first >= text_.size() || is_letter(text_[first])) return std::nullopt;
  const std::optional<double> number = parse<double>(text_, start);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  at_ = start;
  return number;
}

std::optional<std::size_t> TextCursor::take_count() {
  skip_blanks();
  std::size_t start = at_;
  const std::optional<std::size_t> number = parse<std::size_t>(text_, start);
  if (!number || *number > (std::size_t{1} << 53)) return std::nullopt;
  at_ = start;
  return number;
}

std::string TextCursor::next_token() {
  if (at_end()) return "the end of the file";
  std::size_t end = at_ + 1;
  if (!is_mark(text_[at_]))
    while (end < text_.size() && !is_blank(text_[end]) && !is_mark(text_[end])) ++end;
  return in_quotes(text_.substr(at_, end - at_));
}

}  // namespace throng::environment
