// `throng view FILE`: a recording, an environment or a scenario that runs, in the browser.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "cli/edit_jobs.hpp"
#include "cli/import_arguments.hpp"
#include "cli/load_mesh.hpp"
#include "cli/report.hpp"
#include "cli/serve.hpp"
#include "crowd/world.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "server/pair_view.hpp"
#include "server/studio.hpp"
#include "server/view.hpp"
#include "text/files.hpp"

namespace throng::cli {
namespace {

namespace fs = std::filesystem;
using server::Application;
using server::StaticFiles;

/// Bytes of a file that somebody would edit by hand.
constexpr std::uintmax_t largest_drawn = std::uintmax_t(32) << 20;

enum class FileKind { recording, scenario, environment };

/// By its content, unless --input-format says it.
FileKind kind_of(const std::string& path, const Parsed& parsed) {
  if (const std::string given = parsed.text("input-format"); !given.empty())
    return given == "native" ? FileKind::recording : given == "scenario" ? FileKind::scenario : FileKind::environment;
  std::ifstream file(path, std::ios::binary);
  std::string head(16, '\0');
  file.read(head.data(), std::streamsize(head.size()));
  if (head.starts_with("SQLite format 3")) return FileKind::recording;
  if (!path.ends_with(".json")) return FileKind::environment;
  const Result<std::string> text = environment::read_file(path);
  return text && scenario::looks_like_scenario(*text) ? FileKind::scenario : FileKind::environment;
}

Result<std::unique_ptr<Application>> view_environment(StaticFiles client, const Parsed& parsed,
                                                      const environment::ImportOptions& import) {
  const std::string path = parsed.text("FILE");
  Result<LoadedEnvironment> loaded = load_environment(path, {parsed.text("input-format"), 0, import});
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
  server::LiveOptions live{parsed.number("speed").value_or(1), parsed.flag("paused")};
  live.wait_for_page = true;
  Result<std::unique_ptr<server::LiveView>> view =
      make_live(std::move(client), fs::path(path).filename().string(), std::move(read).value(), options, live);
  print_problems(view ? view.problems() : Problems{});
  return view;
}

Result<std::unique_ptr<Application>> application_for(StaticFiles client, const Parsed& parsed,
                                                     const environment::ImportOptions& import) {
  const std::string path = parsed.text("FILE");
  return kind_of(path, parsed) == FileKind::recording ? server::view_recording(std::move(client), path)
                                                      : view_environment(std::move(client), parsed, import);
}

/// What is shown; `live` too where it is a run.
struct Shown {
  std::unique_ptr<Application> application;
  server::LiveView* live = nullptr;
};

Result<Shown> shown_for(StaticFiles client, const Parsed& parsed, const environment::ImportOptions& import) {
  if (kind_of(parsed.text("FILE"), parsed) == FileKind::scenario) {
    Result<std::unique_ptr<server::LiveView>> live = view_run(std::move(client), parsed);
    if (!live) return live.problems();
    server::LiveView* const run = live->get();
    return Shown{std::move(live).value(), run};
  }
  Result<std::unique_ptr<Application>> application = application_for(std::move(client), parsed, import);
  if (!application) return application.problems();
  return Shown{std::move(application).value(), nullptr};
}

std::string misuse_of(const Parsed& parsed) {
  if (const auto seed = parsed.whole_number("seed"); seed && *seed < 0) return "--seed wants a number from 0 on";
  if (const auto threads = parsed.whole_number("threads"); threads && (*threads < 1 || *threads > 1024))
    return "--threads wants 1 to 1024";
  if (const auto speed = parsed.number("speed"); speed && !(*speed >= 0 && *speed <= 1000))
    return "--speed wants 0 to 1000";
  if (const std::string wrong = save_misuse(parsed); !wrong.empty()) return wrong;
  return serve_misuse(parsed);
}

/// What is only of a run; refused with anything else rather than ignored.
std::string does_not_apply(const Parsed& parsed, FileKind kind) {
  if (kind == FileKind::scenario) return {};
  if (kind == FileKind::recording && parsed.given("save"))
    return fmt::format("--save is for what can be edited, and {} is a recording", parsed.text("FILE"));
  for (const char* option : {"speed", "paused", "seed", "threads"})
    if (parsed.given(option))
      return fmt::format("--{} is for scenarios, and {} is {}", option, parsed.text("FILE"),
                         kind == FileKind::recording ? "a recording" : "an environment");
  return {};
}

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng view: {}\n", what);
  return ExitCode::misuse;
}

/// Two recordings beside each other.
ExitCode compare(const Parsed& parsed) {
  const std::vector<std::string>& files = parsed.list("FILE");
  if (files.size() != 2 || kind_of(files[0], parsed) != FileKind::recording ||
      kind_of(files[1], parsed) != FileKind::recording) {
    return misuse("two files are shown beside each other where both are recordings (throng run -o)");
  }
  const EndRequest end;
  const Result<StaticFiles> client = find_client(parsed.text("client"));
  if (!client) return refused(client.problems());
  Result<std::unique_ptr<Application>> a = server::view_recording(*client, files[0]);
  if (!a) return refused(a.problems());
  Result<std::unique_ptr<Application>> b = server::view_recording(*client, files[1]);
  if (!b) return refused(b.problems());
  server::PairView pair(*client, std::move(a).value(), std::move(b).value());
  return serve(parsed, end, pair, {});
}

/// Nothing to show yet: a plan to be drawn.
ExitCode edit_nothing(const Parsed& parsed) {
  for (const char* option : {"speed", "paused", "seed", "threads", "input-format"})
    if (parsed.given(option)) return misuse(fmt::format("--{} is for a FILE, and there is none", option));
  if (const Result<environment::ImportOptions> import = import_options(parsed, {}); !import)
    return misuse(to_string(import.problems().front()));
  const EndRequest end;
  Result<StaticFiles> client = find_client(parsed.text("client"));
  if (!client) return refused(client.problems());
  return serve_editor(parsed, end, std::move(client).value(), server::empty_document("plan"));
}

ExitCode run(const Parsed& parsed) {
  std::string wrong = misuse_of(parsed);
  const std::string path = parsed.text("FILE");
  if (wrong.empty() && path.empty()) return edit_nothing(parsed);
  if (wrong.empty()) {
    // A file that is missing is said to be missing, whatever its ending.
    if (const Result<std::string> start = environment::read_start(path, 16); !start) return refused(start.problems());
    wrong = does_not_apply(parsed, kind_of(path, parsed));
  }
  if (!wrong.empty()) return misuse(wrong);
  const Result<environment::ImportOptions> import = import_options(parsed, parsed.list("FILE"));
  if (!import) return misuse(to_string(import.problems().front()));
  if (parsed.list("FILE").size() > 1) return compare(parsed);
  const EndRequest end;
  const Result<StaticFiles> client = find_client(parsed.text("client"));
  if (!client) return refused(client.problems());
  Result<Shown> shown = shown_for(*client, parsed, *import);
  if (!shown) return refused(shown.problems());
  server::LiveView* const live = shown->live;
  const auto begin = [live](server::Server& server) {
    if (live != nullptr) live->begin(server);
  };
  const auto stop = [live] {
    if (live != nullptr) live->end();
  };
  // What can be drawn has an Edit button; a whole city is not read twice for it.
  std::error_code error;
  if (kind_of(path, parsed) != FileKind::recording && parsed.text("input-format").empty() &&
      fs::file_size(path, error) <= largest_drawn)
    if (Result<server::PlanDocument> document = server::open_document(path, *import)) {
      const std::unique_ptr<server::Jobs> jobs = make_jobs();
      server::Studio studio(*client, std::move(document).value(), std::move(shown->application),
                            {parsed.text("save"), make_studio_run, jobs.get()});
      return serve(parsed, end, studio,
                   {"/", [&](server::Server& server) { begin(server), studio.begin(server); },
                    [&] { jobs->stop_all(), stop(), studio.end(); }});
    }
  return serve(parsed, end, *shown->application, {"/", begin, stop});
}

std::vector<std::string> shown_formats() {
  std::vector<std::string> formats = input_formats();
  formats.insert(formats.end(), {"scenario", "native"});
  return formats;
}

const Registration registration({
    .name = "view",
    .summary = "shows a recording, an environment or a running scenario in the browser",
    .use = Use::start,
    .arguments = with_import_arguments(with_serve_arguments(with_save_argument(
        Arguments()
            .positional(
                "FILE...",
                "a recording (.throng) to play, two of them to compare, a scenario to run, an environment to look at; "
                "without it the editor on an empty plan",
                Count::optional)
            .choice("--input-format", "F", "read FILE as this, whatever it looks like; native: a recording",
                    shown_formats())
            .option("--speed", "X", "of a scenario: simulated seconds a second, 1 without it; 0: as fast as it can",
                    Type::number)
            .flag("--paused", "a scenario waits until it is told to play")
            .option("--seed", "N", "of a scenario, instead of its own", Type::whole_number)
            .option("--threads", "N", "of a scenario; all the machine has without it", Type::whole_number)))),
    .run = run,
    .details = "Serves on this machine only, unless --listen says otherwise: whoever can reach the address can see, "
               "and for a\n"
               "scenario steer, what is shown. JSON: address, port.",
});

}  // namespace
}  // namespace throng::cli
