#include <doctest/doctest.h>

#include <set>
#include <sstream>

#include "support/data.hpp"

using namespace throng::test;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool is_heading(const std::string& line) {
  return line == "To start with:" || line == "Worlds:" || line == "Recordings:" || line == "Research:" ||
         line == "More:";
}

/// The commands that --help lists.
std::set<std::string> commands() {
  std::set<std::string> names;
  std::istringstream help(run_throng({"--help"}).out);
  bool in_list = false;
  for (std::string line; std::getline(help, line);) {
    if (in_list && line.starts_with("  ")) names.insert(line.substr(2, line.find(' ', 2) - 2));
    in_list = is_heading(line) || (in_list && line.starts_with("  "));
  }
  return names;
}

}  // namespace

TEST_CASE("help without a topic says which there are; an unknown one is wrong use") {
  const ProgramResult list = run_throng({"help"});
  CHECK(list.exit_code == 0);
  for (const char* topic : {"osm-table", "man", "bash", "zsh", "fish"}) CHECK(contains(list.out, topic));
  const ProgramResult wrong = run_throng({"help", "bosh"});
  CHECK(wrong.exit_code == 2);
  CHECK(contains(wrong.err, "did you mean 'bash'"));
}

TEST_CASE("the manual page and every completion know every command") {
  const std::set<std::string> names = commands();
  CHECK(names.size() > 12);
  for (const char* topic : {"man", "bash", "zsh", "fish"}) {
    const std::string text = run_throng({"help", topic}).out;
    for (const std::string& name : names) {
      CAPTURE(topic);
      CAPTURE(name);
      CHECK(contains(text, name));
    }
  }
}

TEST_CASE("man can show the manual page without a complaint") {
  const TempDir folder;
  if (run_program({"man", "--version"}).exit_code != 0) return;
  write_file(folder / "throng.1", run_throng({"help", "man"}).out);
  const ProgramResult shown = run_program({"man", "--warnings", "-E", "UTF-8", "-l", "-P", "cat", folder / "throng.1"});
  CHECK(shown.exit_code == 0);
  CHECK(shown.err == "");
  CHECK(contains(shown.out, "--bbox"));
}

TEST_CASE("bash completes commands, options and the values of options") {
  const TempDir folder;
  write_file(folder / "throng.bash", run_throng({"help", "bash"}).out);
  const auto complete = [&](const std::string& words, int at) {
    return run_program({"bash", "-c",
                        "source " + (folder / "throng.bash").string() + "; COMP_WORDS=(" + words +
                            "); COMP_CWORD=" + std::to_string(at) + "; _throng; echo \"${COMPREPLY[*]}\""})
        .out;
  };
  CHECK(complete("throng con", 1) == "convert\n");
  CHECK(complete("throng convert --bb", 2) == "--bbox\n");
  CHECK(contains(complete("throng run --format ''", 3), "native"));
}
