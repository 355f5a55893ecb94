// `throng view FILE`: a recording, an environment or a scenario that runs, in the browser.
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "cli/live_recorder.hpp"
#include "cli/load_mesh.hpp"
#include "cli/report.hpp"
#include "cli/run_metrics.hpp"
#include "crowd/world.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "server/live_view.hpp"
#include "server/view.hpp"
#include "text/files.hpp"

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace throng::cli {
namespace {

namespace fs = std::filesystem;
using server::Application;
using server::StaticFiles;

/// Waits for Ctrl-C or a request to end. Made before any thread, so that all of them leave these signals to it.
class EndRequest {
 public:
  EndRequest() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  /// Once it came, the next one ends the program at once, whatever hangs.
  void wait() const {
    int which = 0;
    sigwait(&signals_, &which);
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  }

 private:
  sigset_t signals_ = {};
};

/// Where the built client may be: beside the program in the build tree, or where `make install` puts it.
std::vector<fs::path> client_places() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {program / "viewer", program.parent_path() / "viewer", program.parent_path() / "share" / "throng" / "viewer"};
}

Result<StaticFiles> find_client(const std::string& asked) {
  if (!asked.empty()) return StaticFiles::read(asked);
  std::string looked;
  for (const fs::path& place : client_places()) {
    std::error_code error;
    if (fs::exists(place / "index.html", error)) return StaticFiles::read(place.string());
    looked += (looked.empty() ? "" : ", ") + place.string();
  }
  return Problem{Severity::error, ProblemCode::unsupported, "viewer",
                 "the viewer's client was not built (looked in " + looked +
                     "); with Node.js 18 or newer and npm: 'make setup build'"};
}

enum class FileKind { recording, scenario, environment };

FileKind kind_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(16, '\0');
  file.read(head.data(), std::streamsize(head.size()));
  if (head.starts_with("SQLite format 3")) return FileKind::recording;
  if (!path.ends_with(".json")) return FileKind::environment;
  const Result<std::string> text = environment::read_file(path);
  return text && scenario::looks_like_scenario(*text) ? FileKind::scenario : FileKind::environment;
}

Result<std::unique_ptr<Application>> view_environment(StaticFiles client, const Parsed& parsed) {
  const std::string path = parsed.text("FILE");
  Result<LoadedEnvironment> loaded = load_environment(path);
  if (!loaded) return loaded.problems();
  print_problems(loaded.problems());
  Result<crowd::WorldPtr> world = crowd::make_world(std::move(loaded->clean));
  if (!world) return world.problems();
  return std::unique_ptr<Application>(std::make_unique<server::WorldView>(
      std::move(client), fs::path(path).filename().string(), std::move(world).value()));
}

Result<std::unique_ptr<server::LiveView>> view_run(StaticFiles client, const Parsed& parsed) {
  const std::string path = parsed.text("FILE");
  Result<scenario::Scenario> read = scenario::read_scenario(path, scenario::installed_methods());
  if (!read) return read.problems();
  print_problems(read.problems());
  scenario::SimulationOptions options;
  if (const auto seed = parsed.whole_number("seed")) options.seed = std::uint64_t(*seed);
  options.threads = unsigned(parsed.whole_number("threads").value_or(0));
  Result<scenario::Simulation> simulation = scenario::Simulation::make(std::move(read).value(), options);
  if (!simulation) return simulation.problems();
  print_problems(simulation.problems());
  Result<std::unique_ptr<server::RunObserver>> recorder = make_live_recorder(*simulation);
  if (!recorder) return recorder.problems();
  analysis::Metrics metrics = metrics_of(*simulation);
  return std::make_unique<server::LiveView>(
      std::move(client), fs::path(path).filename().string(), std::move(simulation).value(), std::move(metrics),
      std::move(recorder).value(), server::LiveOptions{parsed.number("speed").value_or(1), parsed.flag("paused")});
}

Result<std::unique_ptr<Application>> application_for(StaticFiles client, const Parsed& parsed) {
  const std::string path = parsed.text("FILE");
  return kind_of(path) == FileKind::recording ? server::view_recording(std::move(client), path)
                                              : view_environment(std::move(client), parsed);
}

/// What is shown; `live` too where it is a run.
struct Shown {
  std::unique_ptr<Application> application;
  server::LiveView* live = nullptr;
};

Result<Shown> shown_for(StaticFiles client, const Parsed& parsed) {
  if (kind_of(parsed.text("FILE")) == FileKind::scenario) {
    Result<std::unique_ptr<server::LiveView>> live = view_run(std::move(client), parsed);
    if (!live) return live.problems();
    server::LiveView* const run = live->get();
    return Shown{std::move(live).value(), run};
  }
  Result<std::unique_ptr<Application>> application = application_for(std::move(client), parsed);
  if (!application) return application.problems();
  return Shown{std::move(application).value(), nullptr};
}

/// Where there is a desktop, and somebody sits before it.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::string program = "xdg-open", url = address;
  char* words[] = {program.data(), url.data(), nullptr};
  // The browser takes signals as usual.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  (void)posix_spawnp(&child, program.c_str(), nullptr, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
}

std::string misuse_of(const Parsed& parsed) {
  if (const auto port = parsed.whole_number("port"); port && (*port < 0 || *port > 65535))
    return "--port wants 0 to 65535";
  if (const auto seed = parsed.whole_number("seed"); seed && *seed < 0) return "--seed wants a number from 0 on";
  if (const auto threads = parsed.whole_number("threads"); threads && (*threads < 1 || *threads > 1024))
    return "--threads wants 1 to 1024";
  if (const auto speed = parsed.number("speed"); speed && !(*speed >= 0 && *speed <= 1000))
    return "--speed wants 0 to 1000";
  return {};
}

ExitCode run(const Parsed& parsed) {
  if (const std::string wrong = misuse_of(parsed); !wrong.empty()) {
    fmt::print(stderr, "throng view: {}\n", wrong);
    return ExitCode::misuse;
  }
  const EndRequest end;
  Result<StaticFiles> client = find_client(parsed.text("client"));
  if (!client) return refused(client.problems());
  const Result<Shown> shown = shown_for(std::move(client).value(), parsed);
  if (!shown) return refused(shown.problems());
  server::ServerOptions options;
  if (parsed.given("listen")) options.address = parsed.text("listen");
  options.port = std::uint16_t(parsed.whole_number("port").value_or(0));
  const Result<std::unique_ptr<server::Server>> server = server::Server::start(options, *shown->application);
  if (!server) return refused(server.problems());
  if (shown->live != nullptr) shown->live->begin(**server);
  const bool bracketed = options.address.find(':') != std::string::npos;
  const std::string address =
      fmt::format("http://{}{}{}:{}/", bracketed ? "[" : "", options.address, bracketed ? "]" : "", (*server)->port());
  if (parsed.json())
    print_json({{"address", address}, {"port", (*server)->port()}});
  else
    fmt::print("{}  (Ctrl-C ends)\n", address);
  std::fflush(stdout);
  if (!parsed.flag("no-open")) open_browser(address);
  end.wait();
  if (shown->live != nullptr) shown->live->end();
  (*server)->stop();
  return ExitCode::done;
}

const Registration registration({
    .name = "view",
    .summary = "shows a recording, an environment or a running scenario in the browser",
    .arguments = Arguments()
                     .positional("FILE", "a recording (.throng) to play, a scenario to run, an environment to look at")
                     .option("--port", "N", "instead of any that is free", Type::whole_number)
                     .option("--listen", "ADDRESS", "instead of 127.0.0.1: 0.0.0.0 lets every machine in reach look")
                     .option("--speed", "X",
                             "of a scenario: simulated seconds a second, 1 without it; 0: as fast as it can",
                             Type::number)
                     .flag("--paused", "a scenario waits until it is told to play")
                     .option("--seed", "N", "of a scenario, instead of its own", Type::whole_number)
                     .option("--threads", "N", "of a scenario; all the machine has without it", Type::whole_number)
                     .flag("--no-open", "only print the address, open no browser")
                     .option("--client", "DIR", "the built client, where it is not beside the program"),
    .run = run,
    .details = "Serves on this machine only, unless --listen says otherwise: whoever can reach the address can see, "
               "and for a\n"
               "scenario steer, what is shown. JSON: address, port.",
});

}  // namespace
}  // namespace throng::cli
