#include "cli/serve.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "analysis/run_metrics.hpp"
#include "cli/live_recorder.hpp"
#include "cli/load_mesh.hpp"
#include "cli/report.hpp"
#include "cli/scratch_folder.hpp"

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace throng::cli {

namespace fs = std::filesystem;
using server::StaticFiles;

EndRequest::EndRequest() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

void EndRequest::wait() const {
  int which = 0;
  sigwait(&signals_, &which);
  // Who tells a whole group of processes, as timeout(1) does, may tell one of them twice; a second wish of somebody's comes later.
  const timespec moment{0, 100'000'000};
  while (sigtimedwait(&signals_, nullptr, &moment) > 0) {
  }
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
}

int EndRequest::came() const {
  const timespec now{0, 0};
  return std::max(0, sigtimedwait(&signals_, nullptr, &now));
}

namespace {

/// Ends the program if it has not come to an end by itself in time: a step of a large crowd, a mesh that is being built, a job cannot be
/// interrupted, and who asked does not wait for them. What is lost is temporary.
void end_in_time(ExitCode code) {
  std::thread([code] {
    constexpr std::chrono::milliseconds time_to_end{800};
    std::this_thread::sleep_for(time_to_end);
    ScratchFolder::remove_all();
    std::fflush(nullptr);
    std::_Exit(int(code));
  }).detach();
}

/// Where the built client may be: beside the program in the build tree, or where `make install` puts it.
std::vector<fs::path> client_places() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {program / "viewer", program.parent_path() / "viewer", program.parent_path() / "share" / "throng" / "viewer"};
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

}  // namespace

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

Arguments with_serve_arguments(Arguments arguments) {
  arguments.option("--port", "N", "instead of any that is free", Type::whole_number)
      .option("--listen", "ADDRESS",
              "instead of 127.0.0.1: 0.0.0.0 lets every machine in reach look, with the printed token")
      .flag("--no-open", "only print the address, open no browser")
      .option("--client", "DIR", "the built client, where it is not beside the program");
  return arguments;
}

std::string serve_misuse(const Parsed& parsed) {
  if (const auto port = parsed.whole_number("port"); port && (*port < 0 || *port > 65535))
    return "--port wants 0 to 65535";
  return {};
}

Result<std::unique_ptr<server::LiveView>> make_live(StaticFiles client, const std::string& name,
                                                    scenario::Scenario scenario,
                                                    const scenario::SimulationOptions& options,
                                                    const server::LiveOptions& live) {
  Result<scenario::Simulation> simulation = scenario::Simulation::make(std::move(scenario), options);
  if (!simulation) return simulation.problems();
  Problems warnings = simulation.problems();
  Result<std::unique_ptr<server::RunObserver>> recorder = make_live_recorder(*simulation);
  if (!recorder) return recorder.problems();
  if (*recorder) fmt::print(stderr, "recorded in {} until it ends\n", (*recorder)->path());
  analysis::Metrics metrics = analysis::metrics_of(*simulation);
  return {std::make_unique<server::LiveView>(std::move(client), name, std::move(simulation).value(), std::move(metrics),
                                             std::move(recorder).value(), live),
          std::move(warnings)};
}

ExitCode serve(const Parsed& parsed, const EndRequest& end, server::Application& application, const Serving& serving) {
  server::ServerOptions options;
  if (parsed.given("listen")) options.address = parsed.text("listen");
  options.port = std::uint16_t(parsed.whole_number("port").value_or(0));
  if (!server::is_loopback(options.address)) {
    options.token = server::make_token();
    if (options.token.empty())
      return refused({{Severity::error, ProblemCode::io, options.address, "no random numbers can be had for a token"}});
  }
  const Result<std::unique_ptr<server::Server>> server = server::Server::start(options, application);
  if (!server) return refused(server.problems());
  if (serving.begin) serving.begin(**server);
  const bool bracketed = options.address.find(':') != std::string::npos;
  const std::string address = fmt::format("http://{}{}{}:{}{}", bracketed ? "[" : "", options.address,
                                          bracketed ? "]" : "", (*server)->port(), serving.path) +
                              (options.token.empty() ? "" : "?token=" + options.token);
  if (parsed.json())
    print_json({{"address", address}, {"port", (*server)->port()}, {"token", options.token}});
  else
    fmt::print("{}  (Ctrl-C ends)\n", address);
  std::fflush(stdout);
  if (!parsed.flag("no-open")) open_browser(address);
  end.wait();
  end_in_time(ExitCode::done);
  if (serving.end) serving.end();
  (*server)->stop();
  return ExitCode::done;
}

}  // namespace throng::cli
