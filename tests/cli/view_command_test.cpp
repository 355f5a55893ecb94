// `throng view`, as far as it goes without a browser.
#include <doctest/doctest.h>

#include "support/data.hpp"

namespace throng::test {
namespace {

const std::string hall = THRONG_SOURCE_DIR "/examples/hall.geojson";

TEST_CASE("view says where it looked for a client that is not there") {
  const TempDir folder;
  const ProgramResult result = run_throng({"view", hall, "--client", folder.path().string(), "--no-open"});
  CHECK(result.exit_code == 1);
  CHECK(result.err.find(folder.path().string()) != std::string::npos);
  CHECK(result.err.find("index.html") != std::string::npos);
}

TEST_CASE("view refuses what cannot be shown, and addresses that are not here") {
  const TempDir folder;
  write_file(folder / "index.html", "<!doctype html>");
  write_file(folder / "broken.json", R"({"throng": 1, "populations": [], "environment": "nowhere.geojson"})");
  write_file(folder / "broken.throng", "SQLite format 3 but not really");
  const std::string client = folder.path().string();
  for (const char* file : {"nothing.geojson", "broken.json", "broken.throng"}) {
    const ProgramResult result = run_throng({"view", folder / file, "--client", client, "--no-open"});
    CHECK_MESSAGE(result.exit_code == 1, file);
    CHECK_MESSAGE(!result.err.empty(), file);
  }
  CHECK(run_throng({"view", hall, "--client", client, "--no-open", "--listen", "203.0.113.1"}).exit_code == 1);
  for (const char* wrong : {"--port=70000", "--port=x", "--speed=-1", "--threads=0", "--seed=-1"})
    CHECK_MESSAGE(run_throng({"view", hall, "--client", client, "--no-open", wrong}).exit_code == 2, wrong);
}

TEST_CASE("view serves until it is told to end, and then ends well") {
  const TempDir folder;
  write_file(folder / "index.html", "<!doctype html>");
  for (const std::string signal : {"INT", "TERM"}) {
    CAPTURE(signal);
    const std::string command = "env --default-signal=INT,TERM timeout --preserve-status --signal=" + signal + " 2 " +
                                THRONG_PROGRAM + " view " + hall + " --client " + folder.path().string() +
                                " --no-open --json; echo ended $?";
    const ProgramResult result = run_program({"sh", "-c", command});
    CHECK(result.out.find("\"address\":\"http://127.0.0.1:") != std::string::npos);
    CHECK(result.out.find("ended 0\n") != std::string::npos);
  }
}

}  // namespace
}  // namespace throng::test
