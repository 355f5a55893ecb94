// What the README tells a new user to do must work, word for word.
#include <doctest/doctest.h>

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

TEST_CASE("the README's first input is accepted and drawn, and its misspelling is answered as shown") {
  const TempDir folder;
  const std::string readme = read_file(THRONG_SOURCE_DIR "/README.md");
  std::string room = block_of(readme, "json");
  write_file(folder / "room.geojson", room);
  CHECK(run_throng({"check", folder / "room.geojson"}).exit_code == 0);
  CHECK(run_throng({"convert", folder / "room.geojson", folder / "room.svg"}).exit_code == 0);
  CHECK(read_file(folder / "room.svg").find("<svg") != std::string::npos);

  const std::string after_room = readme.substr(readme.find(room) + room.size());
  write_file(folder / "meeting.json", block_of(after_room, "json"));
  CHECK(run_throng({"check", folder / "meeting.json"}).exit_code == 0);
  const ProgramResult run = run_throng({"run", folder / "meeting.json", "-o", folder / "meeting.throng", "--json"});
  CHECK(run.exit_code == 0);
  CHECK(run.out.find("\"arrived\":30") != std::string::npos);
  CHECK(run_throng({"export", folder / "meeting.throng", folder / "meeting.svg", "--at", "6"}).exit_code == 0);
  CHECK(run_throng({"report", folder / "meeting.throng", "-o", folder / "meeting.html"}).exit_code == 0);

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
