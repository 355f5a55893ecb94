// The pairs of lines an ASCII DXF file is made of: a group code, and a value whose type the code tells.
//
// Laws
// 1. Lines end in LF or CR LF. Comments (code 999) are pairs like others.
// 2. Reading ends at the end of the text, or at the first line that should be a code and is none, which fault() then names.
// Thread-safety: one reader belongs to one thread; it refers to the text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace throng::environment {

struct DxfTag {
  int code = 0;
  std::string_view value;  ///< without blanks around it
  std::size_t line = 0;    ///< of the value, counted from 1

  [[nodiscard]] bool is(int other, std::string_view text) const { return code == other && value == text; }
};

class DxfTags {
 public:
  explicit DxfTags(std::string_view text) : text_(text) {}

  /// The next pair; nothing at the end, or where the text is broken.
  [[nodiscard]] std::optional<DxfTag> next();
  /// What is broken, empty where nothing is.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  /// The line last read, counted from 1.
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  [[nodiscard]] std::string_view take_line();

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  std::string fault_;
};

}  // namespace throng::environment
