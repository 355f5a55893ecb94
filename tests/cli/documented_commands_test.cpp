// docs/formats.md says which commands are available; the program says which it has. They must agree. What else the docs name must be there:
// commands and their options, targets of make, scripts, files that links lead to and headings they point at.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/data.hpp"

namespace throng::test {
namespace {

/// The commands of the table in docs/formats.md whose state is `state`.
std::set<std::string> documented(const std::string& state) {
  static const std::regex row(R"(^\| `throng ([a-z]+)[^|]*(?:\\\|[^|]*)*\| ([a-z]+) \|)");
  std::set<std::string> names;
  std::istringstream lines(read_file(THRONG_SOURCE_DIR "/docs/formats.md"));
  for (std::string line; std::getline(lines, line);)
    if (std::smatch match; std::regex_search(line, match, row) && match[2] == state) names.insert(match[1]);
  return names;
}

TEST_CASE("every command that is documented as available is there, none that is planned") {
  CHECK(documented("available").size() + documented("planned").size() >= 12);
  const std::string help = run_throng({"--help"}).out;
  const auto has = [&](const std::string& name) {
    return std::regex_search(help, std::regex(fmt::format("\n  {} ", name)));
  };
  for (const std::string& name : documented("available")) CHECK_MESSAGE(has(name), name);
  for (const std::string& name : documented("planned")) CHECK_MESSAGE(!has(name), name);
}

TEST_CASE("every command that is there is documented as available") {
  std::istringstream help(run_throng({"--help"}).out);
  const std::set<std::string> available = documented("available");
  bool in_list = false;
  for (std::string line; std::getline(help, line);) {
    std::smatch match;
    if (std::regex_match(line, std::regex("(To start with|Worlds|Recordings|Research|More):")))
      in_list = true;
    else if (in_list && std::regex_search(line, match, std::regex("^  ([a-z]+) ")))
      CHECK_MESSAGE(available.contains(match[1]), match[1].str());
    else if (line.empty())
      in_list = false;
  }
}

namespace fs = std::filesystem;

const fs::path root = THRONG_SOURCE_DIR;

/// README.md, HACKING.md, docs/*.md and the like.
std::vector<fs::path> documents() {
  std::vector<fs::path> files;
  for (const fs::path& folder : {root, root / "docs"})
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Calls see(text, line) for every command in a block of commands and every `piece of code` in the text, continued lines as one.
template <class See>
void for_each_command(const std::string& text, const See& see) {
  static const std::regex code("`([^`]+)`");
  std::istringstream lines(text);
  bool in_block = false, holds_commands = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("```")) {
      in_block = !in_block;
      holds_commands = in_block && line == "```sh";
      continue;
    }
    if (holds_commands) see(line.substr(0, line.find(" #")), number);
    if (in_block) continue;
    for (std::sregex_iterator piece(line.begin(), line.end(), code), end; piece != end; ++piece)
      see((*piece)[1].str(), number);
  }
}

/// What `throng COMMAND --help` prints, asked for once each.
const std::string& help_of(const std::string& command) {
  static std::map<std::string, std::string> known;
  const auto at = known.find(command);
  if (at != known.end()) return at->second;
  const ProgramResult result = run_throng({command, "--help"});
  return known[command] = result.exit_code == 0 ? result.out : std::string();
}

TEST_CASE("every `throng COMMAND --option` in the docs is one that the program has") {
  static const std::regex call(R"(^(?:build/release/|\./)?throng ([a-z]+)( .*)?$)");
  static const std::regex option(R"((?:^|[ \[])(--[a-z][a-z0-9-]*))");
  const std::string all = run_throng({"--help"}).out;
  std::size_t commands = 0, options = 0;
  for (const fs::path& file : documents())
    for_each_command(read_file(file), [&](const std::string& text, int line) {
      std::smatch match;
      if (!std::regex_match(text, match, call)) return;
      const std::string name = match[1], rest = match[2];
      CAPTURE(file.filename().string());
      CAPTURE(line);
      CHECK_MESSAGE(std::regex_search(all, std::regex("\n  " + name + " ")), "no command: ", name);
      ++commands;
      if (name == "bench") return;  // every benchmark has options of its own, and the benchmarks need not be built
      const std::string& help = help_of(name);
      for (std::sregex_iterator one(rest.begin(), rest.end(), option), end; one != end; ++one) {
        const std::string word = (*one)[1];
        CHECK_MESSAGE(std::regex_search(help, std::regex(word + R"(([^a-z0-9-]|$))")), name, " has no ", word);
        ++options;
      }
    });
  CHECK(commands > 50);
  CHECK(options > 20);
}

TEST_CASE("every target of make and every script in the docs is there") {
  const std::string makefile = read_file(root / "Makefile");
  static const std::regex call(R"((?:^|[A-Z]+=\S+ )make ([a-z-]+)((?: [a-z-]+)*)(?: .*)?$)");
  static const std::regex script(R"(^(scripts/[a-z-]+)(?: .*)?$)");
  std::size_t targets = 0, scripts = 0;
  for (const fs::path& file : documents())
    for_each_command(read_file(file), [&](const std::string& text, int line) {
      CAPTURE(file.filename().string());
      CAPTURE(line);
      std::smatch match;
      if (std::regex_search(text, match, call)) {
        std::istringstream words(match[1].str() + match[2].str());
        for (std::string target; words >> target; ++targets)
          CHECK_MESSAGE(std::regex_search(makefile, std::regex("\n" + target + ":")), "no target: ", target);
      }
      if (std::regex_match(text, match, script)) {
        CHECK_MESSAGE(fs::exists(root / match[1].str()), "no script: ", match[1].str());
        ++scripts;
      }
    });
  CHECK(targets > 10);
  CHECK(scripts > 3);
}

/// A heading as links name it: letters and digits in lower case, - for spaces.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || (c & 0x80) != 0)
      anchor += char(std::tolower(static_cast<unsigned char>(c)));
    else if (c == ' ')
      anchor += '-';
  return anchor;
}

std::set<std::string> anchors_in(const fs::path& file) {
  std::set<std::string> anchors;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t text = line.find_first_not_of('#');
        text != 0 && text != std::string::npos && line[text] == ' ')
      anchors.insert(anchor_of(line.substr(text + 1)));
  return anchors;
}

TEST_CASE("every link and picture in the docs leads to a file, and to a heading where it names one") {
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  std::size_t links = 0;
  for (const fs::path& file : documents()) {
    const std::string text = read_file(file);
    for (std::sregex_iterator one(text.begin(), text.end(), link), end; one != end; ++one) {
      const std::string target = (*one)[1];
      if (target.find("://") != std::string::npos) continue;
      CAPTURE(file.filename().string());
      CAPTURE(target);
      const std::size_t hash = target.find('#');
      const fs::path to = hash == 0 ? file : file.parent_path() / target.substr(0, hash);
      CHECK_MESSAGE(fs::exists(to), "leads nowhere");
      if (hash != std::string::npos && fs::exists(to))
        CHECK_MESSAGE(anchors_in(to).contains(target.substr(hash + 1)), "no such heading");
      ++links;
    }
  }
  CHECK(links > 60);
}

TEST_CASE("the docs name no file of the sources that is not there") {
  static const std::regex name(
      R"(`((?:src|tests|docs|examples|schemas|include|fuzz|benchmarks|cmake|viewer)/[A-Za-z0-9_./-]+\.[a-z]+)`)");
  std::size_t names = 0;
  for (const fs::path& file : documents()) {
    const std::string text = read_file(file);
    for (std::sregex_iterator one(text.begin(), text.end(), name), end; one != end; ++one, ++names) {
      CAPTURE(file.filename().string());
      const std::string named = (*one)[1];
      if (named.find("NAME") == std::string::npos && named.find("LAYER") == std::string::npos)
        CHECK_MESSAGE(fs::exists(root / named), named);
    }
  }
  CHECK(names > 10);
}

}  // namespace
}  // namespace throng::test
