#include "text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace throng::environment {
namespace {

/// Takes a field in quotes and what follows up to the next comma; nothing where the quote is not closed or text follows it.
std::optional<std::string> take_quoted(std::string_view& line) {
  std::string field;
  line.remove_prefix(1);
  for (;;) {
    const std::size_t quote = line.find('"');
    if (quote == std::string_view::npos) return std::nullopt;
    field += line.substr(0, quote);
    line.remove_prefix(quote + 1);
    if (!line.starts_with('"')) break;
    field += '"';
    line.remove_prefix(1);
  }
  const std::size_t comma = std::min(line.find(','), line.size());
  if (!trimmed(line.substr(0, comma)).empty()) return std::nullopt;
  line.remove_prefix(comma);
  return field;
}

std::optional<std::vector<std::string>> split(std::string_view line) {
  std::vector<std::string> fields;
  for (bool more = true; more;) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (line.starts_with('"')) {
      std::optional<std::string> field = take_quoted(line);
      if (!field) return std::nullopt;
      fields.push_back(*std::move(field));
    } else {
      const std::size_t comma = std::min(line.find(','), line.size());
      fields.emplace_back(trimmed(line.substr(0, comma)));
      line.remove_prefix(comma);
    }
    more = !line.empty();
    if (more) line.remove_prefix(1);
  }
  return fields;
}

class Reader {
 public:
  Reader(const std::string& source, ProblemList& problems) : source_(source), problems_(problems) {}

  CsvTable read(std::string_view text) && {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    for (std::size_t line = 1; !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (const std::string_view content = trimmed(text.substr(0, end)); !content.empty()) read_line(content, line);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(table_);
  }

 private:
  void read_line(std::string_view content, std::size_t line) {
    const std::string place = fmt::format("{}:{}", source_, line);
    auto fields = split(content);
    if (!fields) return problems_.error(ProblemCode::syntax, place, "a quote is not closed, or text follows it");
    if (count_ == 0) {
      count_ = fields->size();
      if (!to_number(fields->front())) {
        table_.heading = *std::move(fields);
        table_.heading_line = line;
        return;
      }
    }
    if (fields->size() != count_)
      return problems_.error(ProblemCode::schema, place,
                             fmt::format("{} fields, where the lines before have {}", fields->size(), count_));
    table_.rows.push_back({*std::move(fields), line});
  }

  const std::string& source_;
  CsvTable table_;
  ProblemList& problems_;
  std::size_t count_ = 0;  ///< of fields a line; 0: no line was read yet
};

}  // namespace

std::string csv_field(std::string_view text) {
  std::string field;
  for (const char c : text) field += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  const bool is_formula = !field.empty() && std::string_view("=+-@").find(field.front()) != std::string_view::npos;
  if (!is_formula && field.find_first_of(",\"") == std::string::npos && trimmed(field).size() == field.size())
    return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<double> to_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

CsvTable parse_csv(std::string_view text, const std::string& source, ProblemList& problems) {
  return Reader(source, problems).read(text);
}

}  // namespace throng::environment
