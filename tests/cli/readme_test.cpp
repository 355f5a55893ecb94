// What the README tells a new user to do must work, word for word: its commands are taken out of it and run.
#include <doctest/doctest.h>

#include <filesystem>

#include <sstream>
#include <string_view>

#include "support/data.hpp"

namespace throng::test {
namespace {

/// The text of the first fenced block in that language.
std::string block_of(const std::string& text, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = text.find(fence);
  REQUIRE(begin != std::string::npos);
  return text.substr(begin + fence.size(), text.find("```", begin + fence.size()) - begin - fence.size());
}

/// The commands of all blocks that hold some, in order, without what follows a #.
std::vector<std::string> commands_of(const std::string& text) {
  std::vector<std::string> commands;
  std::istringstream lines(text);
  bool in_block = false, holds_commands = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      in_block = !in_block;
      holds_commands = in_block && (line == "```sh" || line == "```");
      continue;
    }
    if (!holds_commands) continue;
    line = line.substr(0, line.find(" #"));
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty() && !line.starts_with("error: ")) commands.push_back(line);
  }
  return commands;
}

/// Commands that are not run here, by how they begin, and why.
struct NotRun {
  std::string_view begins, why;
};
constexpr NotRun not_run[] = {
    {"make ", "builds what runs this test; tests/cli/documented_commands_test.cpp holds that there is such a target"},
    {"throng view ", "serves until it is told to end; tests/cli/view_command_test.cpp does that"},
    {"throng convert town.osm.pbf ", "needs a map that everybody brings; tests/cli/import_test.cpp reads one"},
    {"git clone ", "needs a network"},
    {"cd ", "goes to where this test is"},
    {"sudo ", "changes the machine"},
};

TEST_CASE("the README's commands do what they say, in the order it gives them") {
  const TempDir folder;
  const std::string readme = read_file(THRONG_SOURCE_DIR "/README.md");
  const std::string room = block_of(readme, "json");
  write_file(folder / "room.geojson", room);
  write_file(folder / "meeting.json", block_of(readme.substr(readme.find(room) + room.size()), "json"));
  std::size_t ran = 0;
  for (std::string command : commands_of(readme)) {
    if (const std::string build = "build/release/"; command.starts_with(build)) command = command.substr(build.size());
    CAPTURE(command);
    bool skipped = false;
    for (const NotRun& one : not_run) skipped |= command.starts_with(one.begins);
    if (skipped) continue;
    REQUIRE_MESSAGE(command.starts_with("throng "), "neither run by this test nor named as not run");
    const std::string line = "cd " + folder.path().string() + " && " +
                             std::filesystem::absolute(THRONG_PROGRAM).string() + command.substr(6);
    const ProgramResult result = run_program({"sh", "-c", line});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    ++ran;
  }
  CHECK(ran >= 9);
  for (const char* made : {"room.svg", "mesh.svg", "route.svg", "meeting.svg"})
    CHECK_MESSAGE(read_file(folder / made).find("<svg") != std::string::npos, made);
  CHECK(read_file(folder / "meeting.html").find("<html") != std::string::npos);
  const ProgramResult run = run_throng({"run", folder / "meeting.json", "--json"});
  CHECK(run.out.find("\"arrived\":30") != std::string::npos);
}

TEST_CASE("the README's misspelling is answered as it shows") {
  const TempDir folder;
  const std::string readme = read_file(THRONG_SOURCE_DIR "/README.md");
  std::string room = block_of(readme, "json");
  room.replace(room.find("walkable"), 8, "walkble");
  write_file(folder / "room.geojson", room);
  const ProgramResult wrong = run_throng({"check", folder / "room.geojson"});
  CHECK(wrong.exit_code == 1);
  const std::size_t shown = readme.find("room.geojson:2:46");
  REQUIRE(shown != std::string::npos);
  CHECK(wrong.err.find(readme.substr(shown, readme.find(" ...", shown) - shown)) != std::string::npos);
}

}  // namespace
}  // namespace throng::test
