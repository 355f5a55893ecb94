// `throng view`, as far as it goes without a browser.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

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

/// Orders that take a large city's mesh apart again and again, and then a signal: prints the seconds until the end.
constexpr const char* ordering = R"(
import base64, json, os, signal, socket, struct, subprocess, sys, time
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
port = json.loads(p.stdout.readline())["port"]
s = socket.create_connection(("127.0.0.1", port))
key = base64.b64encode(os.urandom(16)).decode()
s.sendall(f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
s.recv(4096)
for i in range(300):
    text = json.dumps({"do": "add_obstacle", "x": i % 20 * 3, "y": i // 20 * 3, "layer": 0, "size": 0.1}).encode()
    s.sendall(b"\x81" + bytes([0x80 | len(text)]) + bytes(4) + text)
time.sleep(1)
begin = time.time()
p.send_signal(signal.SIGTERM)
try:
    print(p.wait(50), time.time() - begin)
except subprocess.TimeoutExpired:
    p.kill()
    print("never", 50)
)";

TEST_CASE("view: a signal is obeyed soon, whatever is being computed, and temporary files are removed") {
  const TempDir folder;
  write_file(folder / "index.html", "<!doctype html>");
  REQUIRE(run_throng({"generate", "city", folder / "city.geojson", "--vertices", "20000"}).exit_code == 0);
  write_file(folder / "s.json", R"({"throng":1,"environment":"city.geojson","populations":[{"count":10,
    "start":{"polygon":[[-50,-50],[50,-50],[50,50],[-50,50]]},"goals":[{"point":[1,1]}]}]})");
  std::filesystem::create_directory(folder / "tmp");
  const ProgramResult result =
      run_program({"env", "TMPDIR=" + (folder / "tmp").string(), "python3", "-c", ordering, THRONG_PROGRAM, "view",
                   folder / "s.json", "--client", folder.path().string(), "--no-open", "--json", "--paused"});
  std::istringstream words(result.out);
  std::string code;
  double seconds = 1000;
  words >> code >> seconds;
  CHECK_MESSAGE(code == "0", (result.out + result.err));
  // A second is what is promised; a busy machine may need some more, and was sixty once.
  CHECK(seconds < 10);
  CHECK(std::filesystem::is_empty(folder / "tmp"));
}

}  // namespace
}  // namespace throng::test
