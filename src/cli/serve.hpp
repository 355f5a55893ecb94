// What `throng view` and `throng edit` share: the client's files, the server, the browser, and waiting for Ctrl-C.
#pragma once

#include <csignal>
#include <functional>
#include <string>

#include "cli/command.hpp"
#include "scenario/scenario.hpp"
#include "server/http_server.hpp"
#include "server/live_view.hpp"
#include "server/static_files.hpp"

namespace throng::cli {

/// Waits for Ctrl-C or a request to end. Made before any thread, so that all of them leave these signals to it.
class EndRequest {
 public:
  EndRequest();
  /// Once it came, the next one ends the program at once, whatever hangs.
  void wait() const;
  /// The signal that came; 0: none yet.
  [[nodiscard]] int came() const;

 private:
  sigset_t signals_ = {};
};

/// The folder `asked` for, or where the built client may be.
[[nodiscard]] Result<server::StaticFiles> find_client(const std::string& asked);

/// --port, --listen, --no-open, --client.
[[nodiscard]] Arguments with_serve_arguments(Arguments arguments);
/// What is wrong with them; empty where nothing is.
[[nodiscard]] std::string serve_misuse(const Parsed& parsed);

/// A scenario as a run to look at, recorded on the way.
[[nodiscard]] Result<std::unique_ptr<server::LiveView>> make_live(server::StaticFiles client, const std::string& name,
                                                                  scenario::Scenario scenario,
                                                                  const scenario::SimulationOptions& options,
                                                                  const server::LiveOptions& live);

struct Serving {
  std::string path = "/";                           ///< of the page to open
  std::function<void(server::Server&)> begin = {};  ///< once it listens
  std::function<void()> end = {};                   ///< before it stops
};
/// Serves until somebody asks to end.
[[nodiscard]] ExitCode serve(const Parsed& parsed, const EndRequest& end, server::Application& application,
                             const Serving& serving);

}  // namespace throng::cli
