#include "cli/film.hpp"

#include <fmt/format.h>
#include <signal.h>  // NOLINT: kill is POSIX's
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/child_process.hpp"
#include "cli/scratch_folder.hpp"
#include "cli/serve.hpp"
#include "server/film_view.hpp"
#include "server/http_server.hpp"
#include "server/view.hpp"
#include "text/nearest_name.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 7> cameras = {"plan", "overview", "top", "south", "east", "north", "west"};

/// A page that does nothing for so long has failed.
constexpr seconds patience{120};

Problem io_problem(std::string place, std::string what) {
  return {Severity::error, ProblemCode::io, std::move(place), std::move(what)};
}

/// "1280x720"; nothing where it is none, or too small or large.
std::optional<std::pair<unsigned, unsigned>> size_of(const std::string& text) {
  unsigned width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%5ux%5u%c", &width, &height, &rest) != 2) return std::nullopt;
  const bool fits = width >= 160 && width <= 3840 && height >= 160 && height <= 2160;
  return fits ? std::optional(std::pair(width, height)) : std::nullopt;
}

/// What stands behind # in the viewer's address.
bool is_address(const std::string& camera) { return camera.find('=') != std::string::npos; }

/// For the address of a page.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-_.,=&").find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

std::string page_of(const Parsed& parsed, std::uint16_t port, const std::string& token) {
  const std::string camera = parsed.given("camera") ? parsed.text("camera") : "plan";
  const auto [width, height] = *size_of(parsed.given("size") ? parsed.text("size") : "1280x720");
  const std::string until = parsed.given("until") ? fmt::format("&until={}", *parsed.number("until")) : std::string();
  return fmt::format("http://127.0.0.1:{}/?token={}&film=1&from={}&speed={}&rate={}&width={}&height={}{}{}{}", port,
                     token, parsed.number("at").value_or(0), parsed.number("speed").value_or(1),
                     parsed.number("rate").value_or(25), width, height, until,
                     is_address(camera) ? "#" : "&camera=", is_address(camera) ? escaped(camera) : camera);
}

/// A browser without a window, ended at the end of its life.
class Browser {
 public:
  Browser(const std::string& page, const ScratchFolder& scratch) {
    std::vector<std::string> words{"",
                                   "--headless=new",
                                   "--use-gl=angle",
                                   "--use-angle=swiftshader",
                                   "--enable-unsafe-swiftshader",
                                   "--ignore-gpu-blocklist",
                                   "--disable-background-networking",
                                   "--disable-component-update",
                                   "--disable-sync",
                                   "--disable-quic",
                                   "--no-first-run",
                                   "--hide-scrollbars",
                                   "--mute-audio",
                                   "--window-size=1400,900",
                                   "--user-data-dir=" + scratch.path() + "/profile"};
    // Its sandbox wants a user of its own; what is opened is our page alone.
    if (geteuid() == 0) words.emplace_back("--no-sandbox");
    words.push_back(page);
    const char* const own = std::getenv("CHROMIUM");
    for (const char* name :
         {own != nullptr ? own : "", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"})
      if (child_ < 0 && *name != '\0') start(name, words, scratch.path() + "/browser.log");
  }
  ~Browser() {
    if (child_ < 0 || ended()) return;
    ::kill(-child_, SIGTERM);
    for (int i = 0; i < 40 && !ended(); ++i) ::usleep(50'000);
    if (ended()) return;
    ::kill(-child_, SIGKILL);
    (void)::waitpid(child_, nullptr, 0);
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  [[nodiscard]] bool started() const { return child_ >= 0; }
  [[nodiscard]] bool ended() {
    if (!ended_) ended_ = ::waitpid(child_, nullptr, WNOHANG) != 0;
    return ended_;
  }

 private:
  void start(const std::string& name, std::vector<std::string> words, const std::string& log) {
    words[0] = name;
    child_ = start_program(std::move(words), {log, log});
  }

  pid_t child_ = -1;
  bool ended_ = false;
};

void show(double part) {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r{:3.0f} % of the clip ", 100 * part);
}

}  // namespace

Arguments with_film_arguments(Arguments arguments) {
  arguments.group("Clips (.webm)")
      .option(
          "--camera", "NAME",
          "plan (default), overview, top, south, east, north, west; or what stands behind # in the viewer's address")
      .option("--until", "T", "its end, in seconds of the run; --at T is its beginning", Type::number)
      .option("--speed", "X", "seconds of the run a second of the clip; 1 without it", Type::number)
      .option("--rate", "N", "pictures a second; 25 without it", Type::number)
      .option("--size", "WxH", "in pixels; 1280x720 without it")
      .option("--client", "DIR", "the viewer's built client, where it is not beside the program");
  arguments.group("");
  return arguments;
}

std::string film_misuse(const Parsed& parsed, bool is_clip) {
  if (!is_clip) {
    for (const char* option : {"camera", "until", "speed", "rate", "size", "client"})
      if (parsed.given(option)) return fmt::format("--{} is for clips (.webm)", option);
    return {};
  }
  const std::string camera = parsed.text("camera");
  if (parsed.given("camera") && !is_address(camera) &&
      std::find(cameras.begin(), cameras.end(), camera) == cameras.end())
    return "there is no camera " + environment::suggest(camera, cameras);
  if (parsed.given("size") && !size_of(parsed.text("size"))) return "--size wants WIDTHxHEIGHT, 160x160 to 3840x2160";
  if (const auto speed = parsed.number("speed"); speed && !(*speed >= 0.01 && *speed <= 1000))
    return "--speed wants 0.01 to 1000";
  if (const auto rate = parsed.number("rate"); rate && !(*rate >= 1 && *rate <= 60)) return "--rate wants 1 to 60";
  const double at = parsed.number("at").value_or(0);
  if (!(at >= 0)) return "--at wants a time from 0 on";
  if (const auto until = parsed.number("until"); until && !(*until > at)) return "--until wants a time after --at";
  return {};
}

Result<std::optional<ExitCode>> write_film(const Parsed& parsed, const std::string& recording, const std::string& out) {
  const EndRequest end;
  Result<server::StaticFiles> client = find_client(parsed.text("client"));
  if (!client) return client.problems();
  Result<std::unique_ptr<server::Application>> view = server::view_recording(std::move(client).value(), recording);
  if (!view) return view.problems();
  server::FilmView film(std::move(view).value());
  server::ServerOptions options;
  options.token = server::make_token();
  options.patience = std::chrono::minutes(10);  // a long clip comes in one piece
  if (options.token.empty()) return io_problem("token", "no random numbers can be had");
  const Result<std::unique_ptr<server::Server>> server = server::Server::start(options, film);
  if (!server) return server.problems();
  const ScratchFolder scratch("throng-clip");
  if (scratch.path().empty()) return io_problem("temporary folder", "cannot be made");
  Browser browser(page_of(parsed, (*server)->port(), options.token), scratch);
  if (!browser.started())
    return Problem{Severity::error, ProblemCode::unsupported, "chromium",
                   "is needed for clips and not installed (Debian: chromium); CHROMIUM=FILE says where it is"};
  Clock::time_point last = Clock::now();
  double part = -1;
  for (;;) {
    if (const auto made = film.wait(milliseconds(200))) {
      show(1);
      (*server)->stop();
      if (made->bytes.empty()) return io_problem(out, "no clip could be made: " + environment::printable(made->reason));
      if (const Problems wrong = environment::replace_file(out, made->bytes); !wrong.empty()) return wrong;
      return std::optional<ExitCode>();
    }
    if (const int signal = end.came(); signal != 0) {
      (*server)->stop();
      return std::optional(signal == SIGINT ? ExitCode::interrupted : ExitCode::terminated);
    }
    if (film.progress() > part) part = film.progress(), last = Clock::now(), show(part);
    if (browser.ended() || Clock::now() - last > patience) {
      (*server)->stop();
      return io_problem("chromium",
                        browser.ended() ? "ended before the clip was made" : "makes no progress with the clip");
    }
  }
}

}  // namespace throng::cli
