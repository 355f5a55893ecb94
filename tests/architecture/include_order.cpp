#include "architecture/include_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace throng::test {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string name;
  bool quoted = false;
};

struct Source {
  std::string path;   ///< relative to the tree's root
  std::string layer;  ///< "public" for include/throng
  std::vector<std::string> lines;
};

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_source(const fs::path& file) { return file.extension() == ".hpp" || file.extension() == ".cpp"; }

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!fs::exists(folder)) return found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && is_source(entry.path())) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::optional<Include> include_in(const std::string& line) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  std::smatch match;
  if (!std::regex_search(line, match, pattern)) return std::nullopt;
  return Include{match[2], match[1] == "\""};
}

std::string first_folder(const std::string& name) { return name.substr(0, name.find('/')); }

std::ptrdiff_t rank_of(std::string_view layer) {
  return std::find(layers.begin(), layers.end(), layer) - layers.begin();
}

/// Law by law: what is wrong with one include, or an empty text.
std::string complaint_about(const fs::path& root, const Source& source, const Include& include) {
  const std::string& name = include.name;
  if (source.layer == "public") {
    if (name.starts_with("throng/") && fs::exists(root / "include" / name)) return {};
    if (!include.quoted && name.find('/') == std::string::npos && !name.ends_with(".h")) return {};
    return fmt::format("a public header includes '{}', which is neither public nor of the standard library", name);
  }
  if (!include.quoted) return {};
  if (fs::exists(root / "include" / name)) return {};
  if (name.find('/') == std::string::npos || name.starts_with(".") || !fs::exists(root / "src" / name))
    return fmt::format("'{}' is no file below src/ or include/", name);
  if (rank_of(first_folder(name)) > rank_of(source.layer))
    return fmt::format("layer '{}' includes '{}' of a layer above it", source.layer, name);
  return {};
}

std::string complaint_about_output(const Source& source, const std::string& line) {
  static const std::regex forbidden(
      R"(\bstd::(cout|cerr|clog|exit|quick_exit|_Exit|abort|terminate)\b|\b(printf|fprintf|puts|fputs|putchar|perror|abort|exit)\s*\(|\bfmt::print\b)");
  std::smatch match;
  if (source.layer == "cli" || !std::regex_search(line, match, forbidden)) return {};
  return fmt::format("the library prints or ends the program ('{}')", match.str());
}

void check_source(const fs::path& root, const Source& source, std::vector<std::string>& complaints) {
  if (source.layer != "public" && rank_of(source.layer) == std::ssize(layers))
    complaints.push_back(fmt::format("{}:1: '{}' is no layer", source.path, source.layer));
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    const std::optional<Include> include = include_in(source.lines[i]);
    const std::string complaint =
        include ? complaint_about(root, source, *include) : complaint_about_output(source, source.lines[i]);
    if (!complaint.empty()) complaints.push_back(fmt::format("{}:{}: {}", source.path, i + 1, complaint));
  }
}

/// The end of the comment, text or character constant that starts at `at`; `at` itself where none does.
std::size_t end_of_non_code(std::string_view source, std::size_t at) {
  const auto after = [&](std::string_view closing, std::size_t from) {
    const std::size_t found = source.find(closing, from);
    return found == source.npos ? source.size() : found + closing.size();
  };
  const std::string_view rest = source.substr(at);
  if (rest.starts_with("//")) return std::min(source.find('\n', at), source.size());
  if (rest.starts_with("/*")) return after("*/", at + 2);
  if (rest.starts_with("R\"")) {
    const std::string delimiter(rest.substr(2, rest.find('(') - 2));
    return after(")" + delimiter + "\"", at);
  }
  if (rest[0] != '"' && rest[0] != '\'') return at;
  // In 1'000 the quote separates digits.
  if (rest[0] == '\'' && at > 0 && std::isxdigit(static_cast<unsigned char>(source[at - 1]))) return at;
  std::size_t end = at + 1;
  while (end < source.size() && source[end] != rest[0] && source[end] != '\n') end += source[end] == '\\' ? 2 : 1;
  return std::min(end + 1, source.size());
}

/// The end of the `#include "..."` that starts at `at`, whose quoted name is no text; `at` itself where none does.
std::size_t end_of_include(std::string_view source, std::size_t at) {
  const std::string_view line = source.substr(at, source.find('\n', at) - at);
  return line[0] == '#' && include_in(std::string(line)) ? at + line.size() : at;
}

}  // namespace

std::string without_comments_and_texts(std::string_view source) {
  std::string result(source);
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = end_of_non_code(source, at);
    for (std::size_t i = at; i < end; ++i)
      if (result[i] != '\n') result[i] = ' ';
    at = std::max({end, end_of_include(source, at), at + 1});
  }
  return result;
}

std::vector<std::string> check_core(const fs::path& root, const std::vector<std::string>& folders) {
  const std::set<std::string> core(folders.begin(), folders.end());
  const auto is_allowed = [&](const Include& include) {
    if (include.quoted)
      return core.contains(fs::path(include.name).parent_path().generic_string()) ||
             fs::exists(root / "include" / include.name);
    if (include.name.find('/') == std::string::npos) return true;  // the standard library, the compiler's intrinsics
    for (const char* library : {"boost/", "fmt/", "tbb/", "oneapi/tbb/", "sys/"})
      if (include.name.starts_with(library)) return true;
    return false;
  };
  static const std::set<std::string> linked = {"sqlite3.h", "png.h",   "zstd.h",    "expat.h",
                                               "zlib.h",    "bzlib.h", "simdjson.h"};
  std::vector<std::string> complaints;
  for (const fs::path& file : sources_below(root / "src")) {
    const std::string name = fs::relative(file, root / "src").generic_string();
    if (!core.contains(fs::path(name).parent_path().generic_string())) continue;
    const std::vector<std::string> lines = lines_of(without_comments_and_texts(read(file)));
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (const std::optional<Include> include = include_in(lines[i]);
          include && (!is_allowed(*include) || linked.contains(include->name)))
        complaints.push_back(fmt::format("src/{}:{}: core includes '{}'", name, i + 1, include->name));
  }
  return complaints;
}

std::vector<std::string> check_tree(const fs::path& root) {
  std::vector<std::string> complaints;
  const auto check = [&](const fs::path& file, std::string layer) {
    const std::string code = without_comments_and_texts(read(file));
    check_source(root, {fs::relative(file, root).generic_string(), std::move(layer), lines_of(code)}, complaints);
  };
  for (const fs::path& file : sources_below(root / "include")) check(file, "public");
  for (const fs::path& file : sources_below(root / "src"))
    check(file, first_folder(fs::relative(file, root / "src").generic_string()));
  return complaints;
}

std::vector<std::string> headers_of(const fs::path& root) {
  std::set<std::string> headers;
  for (const fs::path& base : {root / "include", root / "src"})
    for (const fs::path& file : sources_below(base))
      if (file.extension() == ".hpp") headers.insert(fs::relative(file, base).generic_string());
  return {headers.begin(), headers.end()};
}

}  // namespace throng::test
