// A JSON text read once from front to back with simdjson's on-demand parser, with places for everything that is wrong in it.
//
// Laws
// 1. Memory is the text, a list of its structural characters, and what the caller keeps: no tree is built.
// 2. Everything is checked, also what nobody asks for (check()): a text that passes is JSON.
// 3. A syntax error ends the reading: it is reported once, and every call that meets it returns false.
// 4. Nesting deeper than `deepest` is refused, so that no recursion can be driven to the end of the stack.
// Thread-safety: one thread a JsonInput.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "text/line_index.hpp"
#include "text/problem_list.hpp"

namespace throng::environment {

using JsonValue = simdjson::ondemand::value;

enum class JsonType { object, array, string, number, boolean, null, broken };
/// "an object", "a string", ...
[[nodiscard]] std::string_view name_of(JsonType type);

class JsonInput {
 public:
  static constexpr int deepest = 64;

  JsonInput(std::string text, std::string source, ProblemList& problems);

  /// Finds the root, which has to be an object. False: a problem was reported.
  [[nodiscard]] bool open();
  /// The members of the root, from the first one on; may be called again.
  template <class Visit>
  [[nodiscard]] bool root_members(Visit&& visit);
  /// Whether nothing but blanks follows the root.
  [[nodiscard]] bool close();

  /// Calls visit(key, value) for every member of an object; stops where it returns false.
  template <class Visit>
  [[nodiscard]] bool members(JsonValue value, Visit&& visit);
  /// Calls visit(value) for every element of an array; stops where it returns false.
  template <class Visit>
  [[nodiscard]] bool elements(JsonValue value, Visit&& visit);

  [[nodiscard]] static JsonType type_of(JsonValue& value);
  [[nodiscard]] std::size_t offset_of(JsonValue& value) const;
  /// The token as it stands in the text, for messages.
  [[nodiscard]] static std::string_view token_of(JsonValue& value);
  [[nodiscard]] bool get(JsonValue& value, std::string& out);
  [[nodiscard]] bool get(JsonValue& value, bool& out);
  /// Nothing where the token is no number of JSON's, or not a finite double.
  [[nodiscard]] static std::optional<double> number(JsonValue& value);
  /// Walks a value that is not asked for and checks that it is JSON.
  [[nodiscard]] bool check(JsonValue value, int depth = 0);

  /// The feature that syntax errors from here on are in, so that their place can name it.
  void set_feature(std::optional<std::size_t> number) { feature_ = number; }

  /// "plan.geojson:12:8"
  [[nodiscard]] std::string place(std::size_t offset);
  void error(ProblemCode code, std::size_t offset, std::string message);
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] std::string_view text() const { return std::string_view(text_).substr(0, size_); }

 private:
  bool broken(simdjson::error_code code);
  bool too_deep(std::size_t offset);
  void syntax_error(std::size_t offset, std::string_view message);
  [[nodiscard]] std::size_t current_offset();

  template <class Visit>
  bool visit_fields(simdjson::ondemand::object& object, Visit&& visit);

  std::string text_;  ///< with simdjson's padding behind it
  std::size_t size_ = 0;
  std::string source_;
  ProblemList& problems_;
  LineIndex lines_;
  std::optional<std::size_t> feature_;
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
};

template <class Visit>
bool JsonInput::visit_fields(simdjson::ondemand::object& object, Visit&& visit) {
  for (auto result : object) {
    simdjson::ondemand::field field;
    std::string_view key;
    if (const auto code = std::move(result).get(field)) return broken(code);
    if (const auto code = field.unescaped_key().get(key)) return broken(code);
    if (!visit(key, field.value())) return false;
  }
  return true;
}

template <class Visit>
bool JsonInput::root_members(Visit&& visit) {
  document_.rewind();
  simdjson::ondemand::object object;
  if (const auto code = document_.get_object().get(object)) return broken(code);
  return visit_fields(object, visit);
}

template <class Visit>
bool JsonInput::members(JsonValue value, Visit&& visit) {
  simdjson::ondemand::object object;
  if (const auto code = value.get_object().get(object)) return broken(code);
  return visit_fields(object, visit);
}

template <class Visit>
bool JsonInput::elements(JsonValue value, Visit&& visit) {
  simdjson::ondemand::array array;
  if (const auto code = value.get_array().get(array)) return broken(code);
  for (auto result : array) {
    JsonValue element;
    if (const auto code = std::move(result).get(element)) return broken(code);
    if (!visit(element)) return false;
  }
  return true;
}

}  // namespace throng::environment
