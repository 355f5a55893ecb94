// What the README and the docs tell a user to do must work, word for word: their commands are taken out of them and run, in a folder
// that has the examples in it. What is not run is named here, with the reason.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

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

/// The commands of all blocks that begin so, in order, without what follows a #.
std::vector<std::string> commands_of(const std::string& text, const std::set<std::string>& fences) {
  std::vector<std::string> commands;
  std::istringstream lines(text);
  bool in_block = false, holds_commands = false;
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));  // of blocks in lists
    if (line.starts_with("```")) {
      in_block = !in_block;
      holds_commands = in_block && fences.contains(line);
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
    {"throng view", "serves until it is told to end; tests/cli/view_command_test.cpp does that"},
    {"throng edit", "serves until it is told to end; tests/viewer does that in a browser"},
    {"throng convert town.osm.pbf ", "needs a map that everybody brings; tests/cli/import_test.cpp reads one"},
    {"throng convert region.osm.pbf ",
     "needs a map that everybody brings; tests/cli/osm_arguments_test.cpp cuts one to a box"},
    {"throng run examples/station.json ", "takes half a minute, and is what `make run` does"},
    {"throng experiment ", "takes minutes; tests/cli/experiment_command_test.cpp runs small ones"},
    {"throng validate ", "takes minutes; tests/validation runs quick forms, tests/cli/validate_command_test.cpp the command"},
    {"throng calibrate ", "takes minutes; tests/cli/validate_command_test.cpp runs a small one"},
    {"throng bench ", "takes minutes, and its program is not built by default"},
    {"man throng", "needs the program installed; tests/install does that"},
    {"apt ", "changes the machine; tests/install unpacks the packages instead"},
    {"source <(", "completes in a shell; tests/cli/help_command_test.cpp does so in bash"},
    {"throng help man | ", "needs man; tests/cli/help_command_test.cpp does it where there is one"},
    {"scripts/", "takes from minutes to hours; tests/scripts runs what is quick"},
    {"cmake ", "a build of its own"},
    {"ninja ", "a build of its own"},
    {"PRESET=", "a build of its own"},
    {"JOBS=", "a build of its own"},
    {"lcov ", "reads what a build of its own has counted"},
    {"perf ", "measures; needs perf"},
    {"git clone ", "needs a network"},
    {"cd ", "goes to where this test is"},
    {"sudo ", "changes the machine"},
};

/// Runs them one after the other in the folder; how many it ran.
std::size_t run_all(const std::vector<std::string>& commands, const std::filesystem::path& folder) {
  std::size_t ran = 0;
  for (std::string command : commands) {
    if (const std::string build = "build/release/"; command.starts_with(build)) command = command.substr(build.size());
    CAPTURE(command);
    bool skipped = false;
    for (const NotRun& one : not_run) skipped |= command.starts_with(one.begins);
    if (skipped) continue;
    const bool runs = command.starts_with("throng ");
    CHECK_MESSAGE(runs, "neither run by this test nor named as not run");
    if (!runs) continue;
    const std::string program = std::filesystem::absolute(THRONG_PROGRAM).string();
    const std::string line = "throng() { \"" + program + "\" \"$@\"; }; cd \"" + folder.string() + "\" && " + command;
    const ProgramResult result = run_program({"sh", "-c", line});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    ++ran;
  }
  return ran;
}

TEST_CASE("the README's commands do what they say, in the order it gives them") {
  const TempDir folder;
  const std::string readme = read_file(THRONG_SOURCE_DIR "/README.md");
  const std::string room = block_of(readme, "json");
  write_file(folder / "room.geojson", room);
  write_file(folder / "meeting.json", block_of(readme.substr(readme.find(room) + room.size()), "json"));
  CHECK(run_all(commands_of(readme, {"```sh", "```"}), folder.path()) >= 9);
  for (const char* made : {"room.svg", "mesh.svg", "route.svg", "meeting.svg"})
    CHECK_MESSAGE(read_file(folder / made).find("<svg") != std::string::npos, made);
  CHECK(read_file(folder / "meeting.html").find("<html") != std::string::npos);
  const ProgramResult run = run_throng({"run", folder / "meeting.json", "--json"});
  CHECK(run.out.find("\"arrived\":30") != std::string::npos);
}

TEST_CASE("every command of the docs does what it says, or is named as not run") {
  std::vector<std::filesystem::path> files{THRONG_SOURCE_DIR "/HACKING.md", THRONG_SOURCE_DIR "/CONTRIBUTING.md",
                                           THRONG_SOURCE_DIR "/SECURITY.md"};
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::size_t ran = 0;
  for (const std::filesystem::path& file : files) {
    CAPTURE(file.filename().string());
    const std::vector<std::string> commands = commands_of(read_file(file), {"```sh"});
    if (commands.empty()) continue;
    // What the docs take for given: the sources' examples, and files that a user brings.
    const TempDir folder;
    for (const char* name : {"examples", "experiments"})
      std::filesystem::create_directory_symlink(std::filesystem::absolute(THRONG_SOURCE_DIR) / name, folder / name);
    write_file(folder / "pairs.csv", "x0,y0,x1,y1\n2,2,30,8\n");
    if (file.filename() == "reports.md")
      for (const char* name : {"station.throng", "a.throng", "b.throng", "c.throng"})
        REQUIRE(run_throng({"run", THRONG_SOURCE_DIR "/examples/bottleneck.json", "-o", (folder / name).string(),
                            "--seed", std::to_string(1 + ran++), "--until", "20"})
                    .exit_code == 0);
    ran += run_all(commands, folder.path());
  }
  CHECK(ran >= 25);
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
