#include "environment/formats/json_input.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <utility>

#include "text/utf8.hpp"

namespace throng::environment {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Where the root object ends, or nothing where the text ends first. Only to explain an error: brackets are not matched.
std::optional<std::size_t> end_of_root(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    if (in_string) continue;
    if (c == '{' || c == '[') ++depth;
    if (c != '}' && c != ']') continue;
    if (depth <= 1) return i;
    --depth;
  }
  return std::nullopt;
}

std::string_view explain(simdjson::error_code code) {
  switch (code) {
    case simdjson::STRING_ERROR: return "a string holds a bad escape";
    case simdjson::T_ATOM_ERROR:
    case simdjson::F_ATOM_ERROR:
    case simdjson::N_ATOM_ERROR: return "a word that is neither true, false nor null";
    case simdjson::NUMBER_ERROR: return "this is not a number of JSON's";
    case simdjson::UNESCAPED_CHARS: return "a string holds a raw control character";
    case simdjson::UNCLOSED_STRING: return "the file ends inside a string";
    case simdjson::EMPTY: return "the file is empty";
    default: return "this is not JSON: a comma, colon, bracket or value is missing or one too many";
  }
}

}  // namespace

std::string_view name_of(JsonType type) {
  constexpr std::string_view names[] = {"an object",     "an array", "a string", "a number",
                                        "true or false", "null",     "not JSON"};
  return names[std::size_t(type)];
}

JsonInput::JsonInput(std::string text, std::string source, ProblemList& problems)
    : text_(std::move(text)), source_(std::move(source)), problems_(problems), lines_({}) {
  // Blanks keep every offset, so that columns stay those of the file.
  if (text_.starts_with(byte_order_mark)) text_.replace(0, byte_order_mark.size(), byte_order_mark.size(), ' ');
  size_ = text_.size();
  text_.resize(size_ + simdjson::SIMDJSON_PADDING, '\0');
  lines_ = LineIndex(std::string_view(text_).substr(0, size_));
}

bool JsonInput::open() {
  const std::string_view text = this->text();
  if (const std::optional<std::size_t> bad = find_bad_utf8(text)) {
    error(ProblemCode::syntax, *bad, "the file is not UTF-8: a stray byte");
    return false;
  }
  if (const auto code = parser_.iterate(text_.data(), size_, text_.size()).get(document_)) {
    const bool huge = code == simdjson::CAPACITY || code == simdjson::MEMALLOC;
    error(huge ? ProblemCode::limit : ProblemCode::syntax, size_,
          huge ? "the file is too large: JSON of up to 4 GB can be read" : std::string(explain(code)));
    return false;
  }
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (text[start] == '{') return true;
  error(ProblemCode::schema, start, "a GeoJSON file is an object, between { and }");
  return false;
}

bool JsonInput::close() {
  const char* at = nullptr;
  if (document_.current_location().get(at) != simdjson::SUCCESS) return true;
  error(ProblemCode::syntax, std::size_t(at - text_.data()), "text follows the end of the JSON object");
  return false;
}

JsonType JsonInput::type_of(JsonValue& value) {
  const std::string_view token = value.raw_json_token();
  const char first = token.empty() ? '\0' : token.front();
  switch (first) {
    case '{': return JsonType::object;
    case '[': return JsonType::array;
    case '"': return JsonType::string;
    case 't':
    case 'f': return JsonType::boolean;
    case 'n': return token.starts_with("null") ? JsonType::null : JsonType::broken;
    case '-': return token.starts_with("-I") ? JsonType::broken : JsonType::number;
    default: return first >= '0' && first <= '9' ? JsonType::number : JsonType::broken;
  }
}

std::size_t JsonInput::offset_of(JsonValue& value) const {
  return std::size_t(value.raw_json_token().data() - text_.data());
}

std::string_view JsonInput::token_of(JsonValue& value) {
  const std::string_view token = value.raw_json_token();
  return token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
}

bool JsonInput::get(JsonValue& value, std::string& out) {
  std::string_view text;
  if (const auto code = value.get_string().get(text)) return broken(code);
  out.assign(text);
  return true;
}

bool JsonInput::get(JsonValue& value, bool& out) {
  return value.get_bool().get(out) ? broken(simdjson::T_ATOM_ERROR) : true;
}

std::optional<double> JsonInput::number(JsonValue& value) {
  double number = 0;
  if (value.get_double().get(number) != simdjson::SUCCESS || !std::isfinite(number)) return std::nullopt;
  return number;
}

bool JsonInput::check(JsonValue value, int depth) {
  if (depth > deepest) return too_deep(offset_of(value));
  switch (type_of(value)) {
    case JsonType::object:
      return members(value, [&](std::string_view, JsonValue member) { return check(member, depth + 1); });
    case JsonType::array: return elements(value, [&](JsonValue element) { return check(element, depth + 1); });
    case JsonType::string: {
      std::string_view text;
      const auto code = value.get_string().get(text);
      return code ? broken(code) : true;
    }
    case JsonType::number: return number(value) ? true : broken(simdjson::NUMBER_ERROR);
    case JsonType::boolean: {
      bool flag = false;
      return get(value, flag);
    }
    case JsonType::null: {
      const auto result = value.is_null();
      return !result.error() && result.value_unsafe() ? true : broken(simdjson::N_ATOM_ERROR);
    }
    case JsonType::broken: break;
  }
  const std::string_view token = value.raw_json_token();
  const bool word = !token.empty() && std::isalpha(static_cast<unsigned char>(token.front())) != 0;
  return broken(word ? simdjson::N_ATOM_ERROR : simdjson::TAPE_ERROR);
}

std::string JsonInput::place(std::size_t offset) { return source_ + ":" + lines_.at(offset); }

void JsonInput::error(ProblemCode code, std::size_t offset, std::string message) {
  problems_.error(code, place(offset), std::move(message));
}

std::size_t JsonInput::current_offset() {
  const char* at = nullptr;
  if (document_.current_location().get(at) != simdjson::SUCCESS) return size_;
  return std::min(std::size_t(at - text_.data()), size_);
}

bool JsonInput::broken(simdjson::error_code code) {
  const std::string_view text = this->text();
  const std::optional<std::size_t> end = end_of_root(text);
  const std::size_t behind = end ? text.find_first_not_of(" \t\r\n", *end + 1) : std::string_view::npos;
  if (!end)
    error(ProblemCode::syntax, size_, "the file ends early: a bracket is never closed");
  else if (code == simdjson::INCOMPLETE_ARRAY_OR_OBJECT && behind != std::string_view::npos)
    error(ProblemCode::syntax, behind, "text follows the end of the JSON object");
  else
    syntax_error(current_offset(), explain(code));
  return false;
}

void JsonInput::syntax_error(std::size_t offset, std::string_view message) {
  std::string where = place(offset);
  if (feature_) where += fmt::format(": feature {}", *feature_);
  problems_.error(ProblemCode::syntax, std::move(where), std::string(message));
}

bool JsonInput::too_deep(std::size_t offset) {
  error(ProblemCode::limit, offset, fmt::format("nested deeper than {} levels", deepest));
  return false;
}

}  // namespace throng::environment
