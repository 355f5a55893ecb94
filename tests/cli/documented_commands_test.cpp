// docs/formats.md says which commands are available; the program says which it has. They must agree.
#include <doctest/doctest.h>

#include <fmt/format.h>

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
    if (line == "Subcommands:")
      in_list = true;
    else if (in_list && std::regex_search(line, match, std::regex("^  ([a-z]+) ")))
      CHECK_MESSAGE(available.contains(match[1]), match[1].str());
    else if (line.empty())
      in_list = false;
  }
}

}  // namespace
}  // namespace throng::test
