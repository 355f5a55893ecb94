// What a page may say to a run: lines of any bytes, each an order. Whatever they are, the run answers afterwards.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "server/live_view.hpp"

using namespace throng;
using namespace throng::server;

namespace {

void require(bool law) {
  if (!law) std::abort();
}

StaticFiles client() {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("throng-fuzz-client-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "index.html") << "<!doctype html>";
  Result<StaticFiles> files = StaticFiles::read(folder.string());
  std::filesystem::remove_all(folder);
  require(files.ok());
  return std::move(files).value();
}

std::unique_ptr<LiveView> fresh() {
  static const std::string text =
      R"({"throng": 1, "duration": 30, "environment": {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"kind": "walkable"},
       "geometry": {"type": "Polygon", "coordinates": [[[0,0],[20,0],[20,10],[0,10],[0,0]]]}}]},
    "populations": [{"name": "a", "count": 4, "start": {"polygon": [[1, 1], [9, 1], [9, 9], [1, 9]]},
      "goals": [{"point": [15, 5]}]}]})";
  Result<scenario::Scenario> read = scenario::parse_scenario(text, "hall", scenario::installed_methods());
  require(read.ok());
  Result<scenario::Simulation> simulation =
      scenario::Simulation::make(std::move(read).value(), {.seed = {}, .threads = 1, .duration = {}});
  require(simulation.ok());
  return std::make_unique<LiveView>(client(), "fuzz", std::move(simulation).value(), analysis::Metrics({}, {}), nullptr,
                                    LiveOptions{.speed = 0, .paused = true});
}

/// A run and its server; begun again now and then, so that what earlier inputs built does not pile up.
struct Running {
  Running() : view(fresh()) {
    Result<std::unique_ptr<Server>> started = Server::start({}, *view);
    require(started.ok());
    server = std::move(started).value();
    view->begin(*server);
  }
  ~Running() {
    view->end();
    server->stop();
  }
  std::unique_ptr<LiveView> view;
  std::unique_ptr<Server> server;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Once before: the methods, which the library makes when they are first asked for, must outlive the run at the program's end.
  static const bool made_before = (Running(), true);
  require(made_before);
  static std::unique_ptr<Running> running;
  static int used = 0;
  if (!running || ++used % 200 == 0) {
    running.reset();
    running = std::make_unique<Running>();
  }
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (int i = 0; i < 12 && !rest.empty(); ++i) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    running->view->said(ClientId(1 + i), line);
  }
  const Response state = running->view->answer({"/api/state", {}});
  require(state.status == 200);
  require(running->view->answer({"/api/session", {}}).status == 200);
  return 0;
}
