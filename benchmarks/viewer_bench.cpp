// throng bench viewer: what the viewer's server gives, over the loopback, to a client that only reads.
//
// Seeking: an hour of 10,000 people at ten frames a second, written first; then a second of it at random times, as the browser asks for it
// after a jump, while the figures for the plots are still being gathered in the background.
// Live: 10,000 people who cross a square, as fast as it goes, without anybody looking and with a client that takes every frame; "kept" is
// the part of the speed that is left, "CPU" what all threads of the process took for a step, server and client included: the figure that other
// work on the machine disturbs least.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "benchmarks/bench.hpp"
#include "geometry/random.hpp"
#include "recording/recorder.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "server/live_view.hpp"

namespace throng::bench {
namespace {

namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Clock = std::chrono::steady_clock;
using tcp = asio::ip::tcp;

constexpr double field = 1000;  // metres, of the recording

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Of all threads of this process.
double cpu_ms() { return 1000.0 * double(std::clock()) / CLOCKS_PER_SEC; }

std::string square(double size) {
  return fmt::format(
      R"({{"type":"FeatureCollection","features":[{{"type":"Feature","properties":{{"kind":"walkable"}},"geometry":{{"type":"Polygon",)"
      R"("coordinates":[[[0,0],[{0},0],[{0},{0}],[0,{0}],[0,0]]]}}}}]}})",
      size);
}

/// People who walk straight on, turn a little in every frame, and come back at the edges.
class Walkers {
 public:
  explicit Walkers(std::size_t people) {
    for (std::size_t i = 0; i < people; ++i) {
      geometry::RandomStream random(1, {.number = std::uint32_t(i)});
      serial_.push_back(i + 1);
      position_.push_back({random.uniform(1, field - 1), random.uniform(1, field - 1)});
      velocity_.push_back({random.normal(0, 1), random.normal(0, 1)});
    }
    layer_.assign(people, 0);
  }
  void step(std::uint64_t number) {
    for (std::size_t i = 0; i < position_.size(); ++i) {
      const double turn = 0.02 * (double((number * 7919 + i * 104729) % 1000) / 500 - 1);
      velocity_[i] = velocity_[i] + perpendicular(velocity_[i]) * turn;
      position_[i] = position_[i] + velocity_[i] * 0.1;
      if (position_[i].x < 1 || position_[i].x > field - 1) velocity_[i].x = -velocity_[i].x;
      if (position_[i].y < 1 || position_[i].y > field - 1) velocity_[i].y = -velocity_[i].y;
      position_[i] = {std::clamp(position_[i].x, 1.0, field - 1), std::clamp(position_[i].y, 1.0, field - 1)};
    }
  }
  [[nodiscard]] recording::Frame frame(std::uint64_t number) const {
    return {number, double(number) * 0.1, serial_, position_, layer_};
  }
  [[nodiscard]] const std::vector<std::uint64_t>& serials() const { return serial_; }

 private:
  std::vector<std::uint64_t> serial_;
  std::vector<Vec2> position_, velocity_;
  std::vector<std::uint32_t> layer_;
};

bool write_recording(const fs::path& path, std::size_t people, std::uint64_t frames) {
  recording::Meta meta;
  meta.environment_json = square(field);
  meta.scenario_json = "{}";
  meta.layers = {"ground"};
  meta.populations = meta.profiles = {"all"};
  Result<std::unique_ptr<recording::Recorder>> recorder = recording::create_native(path.string(), meta);
  if (!recorder) return false;
  Walkers walkers(people);
  for (const std::uint64_t serial : walkers.serials()) (*recorder)->agent({.serial = serial, .radius = 0.24});
  for (std::uint64_t i = 0; i < frames; ++i) {
    (*recorder)->frame(walkers.frame(i));
    walkers.step(i);
  }
  return (*recorder)->finish().ok();
}

/// One connection that asks and reads.
class Asker {
 public:
  explicit Asker(std::uint16_t port) : stream_(context_) {
    stream_.connect(tcp::endpoint(asio::ip::make_address("127.0.0.1"), port));
  }
  std::size_t get(const std::string& target) {
    http::request<http::empty_body> request{http::verb::get, target, 11};
    request.set(http::field::host, "localhost");
    http::write(stream_, request);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(std::uint64_t(1) << 30);
    http::read(stream_, buffer, parser);
    return parser.get().body().size();
  }

 private:
  asio::io_context context_;
  beast::tcp_stream stream_;
};

Result<server::StaticFiles> empty_client(const fs::path& folder) {
  fs::create_directories(folder / "client");
  std::ofstream(folder / "client" / "index.html") << "<!doctype html>";
  return server::StaticFiles::read((folder / "client").string());
}

int measure_seeks(const Options& options, const fs::path& folder) {
  const std::size_t people = options.quick ? 200 : 10000;
  const std::uint64_t frames = options.quick ? 300 : 36000;
  const fs::path path = folder / "hour.throng";
  fmt::print(stderr, "writing {} frames of {} people ...\n", frames, people);
  if (!write_recording(path, people, frames)) return fmt::print(stderr, "{}: cannot be written\n", path.string()), 1;
  Result<server::StaticFiles> client = empty_client(folder);
  if (!client) return 1;
  const Clock::time_point opening = Clock::now();
  const auto view = server::view_recording(std::move(client).value(), path.string());
  if (!view) return fmt::print(stderr, "{}\n", to_string(view.problems().front())), 1;
  const auto server = server::Server::start({}, **view);
  if (!server) return 1;
  const double open_ms = ms_since(opening);
  Asker asker((*server)->port());
  std::vector<double> times;
  geometry::RandomStream random(2, {});
  std::size_t bytes = 0;
  for (int i = 0; i < (options.quick ? 10 : 200); ++i) {
    const auto first = std::uint64_t(random.uniform(0, double(frames - 10)));
    const Clock::time_point start = Clock::now();
    bytes = asker.get(fmt::format("/api/frames?first={}&count=10", first));
    times.push_back(ms_since(start));
  }
  const Clock::time_point asking = Clock::now();
  asker.get("/api/person?serial=7");
  const double way_ms = ms_since(asking);
  (*server)->stop();
  std::sort(times.begin(), times.end());
  Table table({"people", "frames", "file MB", "open ms", "seek ms", "p99 ms", "slowest ms", "kB a second shown",
               "a person's way ms"});
  table.add({(long long)(people), (long long)(frames), Number{double(fs::file_size(path)) / 1e6, 0}, Number{open_ms, 0},
             Number{times[times.size() / 2], 1}, Number{times[times.size() * 99 / 100], 1}, Number{times.back(), 1},
             Number{double(bytes) / 1e3, 0}, Number{way_ms, 0}});
  table.print(options);
  return 0;
}

/// Four crowds that cross a square, one from each side.
std::string crossing(std::size_t people, double size, double duration) {
  nlohmann::json scenario{{"throng", 1}, {"environment", nlohmann::json::parse(square(size))}, {"duration", duration}};
  const double s = size, w = size * 0.35;
  const std::vector<std::vector<std::vector<double>>> sides{{{0, 0}, {w, 0}, {w, s}, {0, s}},
                                                            {{s - w, 0}, {s, 0}, {s, s}, {s - w, s}}};
  for (std::size_t i = 0; i < 2; ++i)
    scenario["populations"].push_back({{"name", fmt::format("side {}", i)},
                                       {"count", people / 2},
                                       {"start", {{"polygon", sides[i]}}},
                                       {"goals", {{{"polygon", sides[1 - i]}}}},
                                       {"at_goal", "stay"}});
  return scenario.dump();
}

Result<scenario::Simulation> simulation_of(const std::string& text) {
  Result<scenario::Scenario> read = scenario::parse_scenario(text, "bench", scenario::installed_methods());
  if (!read) return read.problems();
  return scenario::Simulation::make(std::move(read).value());
}

/// Seconds that the steps take when nobody looks.
double run_alone(scenario::Simulation simulation) {
  analysis::Metrics metrics({}, {});
  const double dt = simulation.scenario().time_step;
  metrics.begin(simulation.crowd());
  const Clock::time_point start = Clock::now();
  while (!simulation.finished()) {
    if (!simulation.step()) break;
    metrics.observe(simulation.crowd(), dt);
  }
  return ms_since(start) / 1000;
}

struct Watched {
  double seconds = 0;
  int frames = 0;
};

/// The same with a client that takes every frame it is sent.
Watched run_watched(scenario::Simulation simulation, const fs::path& folder) {
  Result<server::StaticFiles> client = empty_client(folder);
  if (!client) return {};
  server::LiveView view(std::move(client).value(), "bench", std::move(simulation), analysis::Metrics({}, {}), nullptr,
                        {.speed = 0});
  const auto server = server::Server::start({}, view);
  if (!server) return {};
  asio::io_context context;
  beast::websocket::stream<tcp::socket> socket(context);
  socket.read_message_max(std::size_t(1) << 30);
  socket.next_layer().connect({asio::ip::make_address("127.0.0.1"), (*server)->port()});
  socket.handshake("localhost", "/socket");
  beast::flat_buffer buffer;
  socket.read(buffer);  // the greeting
  Watched watched;
  const Clock::time_point start = Clock::now();
  view.begin(**server);
  for (bool over = false; !over;) {
    buffer.clear();
    socket.read(buffer);
    if (!socket.got_binary()) continue;
    ++watched.frames;
    const auto* bytes = static_cast<const char*>(buffer.data().data());
    over = std::string_view(bytes, std::min<std::size_t>(buffer.size(), 400)).find("\"finished\":true") !=
           std::string_view::npos;
  }
  watched.seconds = ms_since(start) / 1000;
  view.end();
  (*server)->stop();
  return watched;
}

int measure_live(const Options& options, const fs::path& folder) {
  const std::size_t people = options.quick ? 200 : 10000;
  const double duration = options.quick ? 2 : 20;
  const std::string text = crossing(people, options.quick ? 40 : 200, duration);
  std::vector<double> alone, watched, frames, alone_cpu, watched_cpu;
  for (int i = 0; i < (options.quick ? 1 : options.repetitions); ++i) {
    for (const bool look : {false, true}) {
      Result<scenario::Simulation> simulation = simulation_of(text);
      if (!simulation) return fmt::print(stderr, "{}\n", to_string(simulation.problems().front())), 1;
      const double before = cpu_ms();
      if (!look) {
        alone.push_back(1000 * run_alone(std::move(simulation).value()));
        alone_cpu.push_back(cpu_ms() - before);
        continue;
      }
      const Watched seen = run_watched(std::move(simulation).value(), folder);
      watched_cpu.push_back(cpu_ms() - before);
      watched.push_back(1000 * seen.seconds);
      frames.push_back(seen.frames / seen.seconds);
    }
  }
  const Timing a = timing_of(alone), w = timing_of(watched);
  const Timing a_cpu = timing_of(alone_cpu), w_cpu = timing_of(watched_cpu);
  const double steps = duration / 0.1;
  Table table({"people", "steps", "alone ms a step", "watched ms a step", "kept", "alone CPU ms", "watched CPU ms",
               "kept by CPU", "frames a second"});
  table.add({(long long)(people), (long long)(steps), Number{a.median_ms / steps, 2}, Number{w.median_ms / steps, 2},
             Number{a.median_ms / w.median_ms, 3}, Number{a_cpu.median_ms / steps, 2},
             Number{w_cpu.median_ms / steps, 2}, Number{a_cpu.median_ms / w_cpu.median_ms, 3},
             Number{timing_of(frames).median_ms, 1}});
  table.print(options);
  return 0;
}

int run(const Options& options) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("throng-bench-{}", ::getpid());
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return fmt::print(stderr, "{}: {}\n", folder.string(), failed.message()), 1;
  const int live = measure_live(options, folder);
  const int seeks = measure_seeks(options, folder);
  fs::remove_all(folder, failed);
  return std::max(live, seeks);
}

const Registration registration({"viewer", "seeking in long recordings, and what it costs a run to be looked at", run});

}  // namespace
}  // namespace throng::bench
