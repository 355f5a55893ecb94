// `throng export RECORDING OUT`: a recording in other formats, or a picture of one moment.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/report.hpp"
#include "environment/clean.hpp"
#include "environment/files.hpp"
#include "environment/formats.hpp"
#include "environment/picture.hpp"
#include "recording/jupedsim.hpp"
#include "recording/recording.hpp"

namespace throng::cli {
namespace {

using environment::CleanEnvironment;
using recording::AgentRow;
using recording::Frame;
using recording::Recording;

struct Source {
  Recording recording;
  CleanEnvironment environment;
  std::vector<AgentRow> agents;

  [[nodiscard]] const AgentRow* agent(std::uint64_t serial) const {
    const auto found = std::lower_bound(agents.begin(), agents.end(), serial,
                                        [](const AgentRow& row, std::uint64_t s) { return row.serial < s; });
    return found != agents.end() && found->serial == serial ? &*found : nullptr;
  }
};

Result<CleanEnvironment> environment_of(const recording::Meta& meta, const std::string& path) {
  const Result<environment::Environment> source =
      environment::parse_environment("geojson", meta.environment_json, path);
  if (!source) return source.problems();
  return environment::clean(*source);
}

Problem io_problem(const std::string& path, std::string what) {
  return {Severity::error, ProblemCode::io, path, std::move(what)};
}

std::string picture(const Source& source, const Frame& frame, bool ipe, const std::string& title) {
  const environment::Layout layout = environment::lay_out(source.environment);
  const auto canvas = ipe ? environment::make_ipe_canvas(layout.width, layout.height, title)
                          : environment::make_svg_canvas(layout.width, layout.height, title);
  environment::draw_environment(*canvas, source.environment, layout, title);
  for (const environment::Panel& panel : layout.panels) {
    canvas->set_view(panel.view);
    canvas->begin_group("people " + source.environment.layers[panel.layer].layer.id);
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      if (frame.layer[i] != panel.layer) continue;
      const AgentRow* agent = source.agent(frame.serial[i]);
      const double radius = agent != nullptr ? agent->radius : 0.24;
      canvas->circle(frame.position[i], radius,
                     environment::Style::area(environment::palette(agent != nullptr ? agent->population : 0)));
    }
    canvas->end_group();
  }
  return canvas->finish();
}

Problems write_picture(Source& source, const std::string& path, double at, const std::string& name) {
  const double frame_time = source.recording.meta().frame_time();
  const auto last = double(source.recording.frame_count() - 1);
  const auto number = std::uint64_t(std::clamp(std::round(at / frame_time), 0.0, last));
  const Result<Frame> frame = source.recording.frame(number);
  if (!frame) return frame.problems();
  const std::string title = fmt::format("{} after {:.1f} s: {} people", name, frame->time, frame->serial.size());
  return environment::replace_file(path, picture(source, *frame, path.ends_with(".ipe"), title));
}

/// Writes a text file line by line, beside its place first and renamed at the end.
Problems write_lines(Source& source, const std::string& path, const std::string& head,
                     const std::function<void(std::string&, const Frame&)>& lines) {
  const std::string beside = path + ".part";
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  if (file == nullptr) return {io_problem(path, "cannot be written")};
  bool good = std::fwrite(head.data(), 1, head.size(), file) == head.size();
  std::string text;
  Problems problems = source.recording.each_frame([&](const Frame& frame) {
    text.clear();
    lines(text, frame);
    return good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  });
  good = std::fclose(file) == 0 && good;
  if (!good) problems.push_back(io_problem(path, "cannot be written: is the disk full?"));
  if (problems.empty() && std::rename(beside.c_str(), path.c_str()) != 0)
    problems.push_back(io_problem(path, "cannot be replaced"));
  if (!problems.empty()) (void)std::remove(beside.c_str());
  return problems;
}

double height(const Source& source, std::uint32_t layer, Vec2 p) {
  return source.environment.layers[layer].layer.elevation.at(p);
}

Problems write_csv(Source& source, const std::string& path) {
  return write_lines(source, path, "frame,time,id,x,y,z,layer\n", [&](std::string& out, const Frame& frame) {
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      const Vec2 p = frame.position[i];
      fmt::format_to(std::back_inserter(out), "{},{:.10g},{},{:.3f},{:.3f},{:.3f},{}\n", frame.number, frame.time,
                     frame.serial[i], p.x, p.y, height(source, frame.layer[i], p),
                     source.recording.meta().layers[frame.layer[i]]);
    }
  });
}

Problems write_petrack(Source& source, const std::string& path) {
  const std::string head =
      fmt::format("# framerate: {:.6g}\n# id frame x y z (metres)\n", 1 / source.recording.meta().frame_time());
  return write_lines(source, path, head, [&](std::string& out, const Frame& frame) {
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      const Vec2 p = frame.position[i];
      fmt::format_to(std::back_inserter(out), "{} {} {:.3f} {:.3f} {:.3f}\n", frame.serial[i], frame.number, p.x, p.y,
                     height(source, frame.layer[i], p));
    }
  });
}

Problems write_jupedsim(Source& source, const std::string& path) {
  const Result<std::vector<std::string>> wkt = recording::layer_wkts(source.environment);
  if (!wkt) return wkt.problems();
  Result<std::unique_ptr<recording::Recorder>> recorder =
      recording::create_jupedsim(path, source.recording.meta(), *wkt);
  if (!recorder) return recorder.problems();
  Problems problems = source.recording.each_frame([&](const Frame& frame) {
    (*recorder)->frame(frame);
    return !(*recorder)->failed();
  });
  const Result<recording::Written> written = (*recorder)->finish();
  problems.insert(problems.end(), written.problems().begin(), written.problems().end());
  return problems;
}

/// By ending.
std::string format_of(const std::string& path) {
  static const std::map<std::string, std::string> formats{
      {".svg", "picture"}, {".ipe", "picture"}, {".csv", "csv"}, {".txt", "petrack"}, {".sqlite", "jupedsim"}};
  for (const auto& [ending, format] : formats)
    if (path.ends_with(ending)) return format;
  return {};
}

ExitCode run(const Parsed& parsed) {
  const std::string out = parsed.text("OUT");
  const std::string format = parsed.given("format") ? parsed.text("format") : format_of(out);
  if (format.empty()) {
    fmt::print(stderr, "throng export: '{}' ends in none of .svg .ipe .csv .txt .sqlite; --format says what is meant\n",
               out);
    return ExitCode::misuse;
  }
  if (parsed.given("at") != (format == "picture")) {
    fmt::print(stderr, "throng export: --at T says when, for pictures (.svg, .ipe) and for these only\n");
    return ExitCode::misuse;
  }
  const std::string path = parsed.text("RECORDING");
  Result<Recording> recording = Recording::open(path);
  if (!recording) return refused(recording.problems());
  if (recording->frame_count() == 0) return refused({io_problem(path, "holds no frames")});
  Result<CleanEnvironment> environment = environment_of(recording->meta(), path);
  if (!environment) return refused(environment.problems());
  Result<std::vector<AgentRow>> agents = recording->agents();
  if (!agents) return refused(agents.problems());
  Source source{std::move(recording).value(), std::move(environment).value(), std::move(agents).value()};
  const Problems problems = format == "picture"   ? write_picture(source, out, parsed.number("at").value_or(0), path)
                            : format == "csv"     ? write_csv(source, out)
                            : format == "petrack" ? write_petrack(source, out)
                                                  : write_jupedsim(source, out);
  if (has_errors(problems)) return refused(problems);
  if (parsed.json())
    print_json({{"output", out},
                {"format", format},
                {"frames", source.recording.frame_count()},
                {"agents", source.agents.size()}});
  return ExitCode::done;
}

const Registration registration({
    .name = "export",
    .summary = "a recording in another format, or a picture of one moment",
    .arguments = Arguments()
                     .positional("RECORDING", "a .throng file")
                     .positional("OUT", ".csv, .txt (PeTrack), .sqlite (JuPedSim, PedPy), .svg or .ipe (with --at)")
                     .choice("--format", "F", "where the ending does not say it",
                             {"csv", "petrack", "jupedsim", "picture"})
                     .option("--at", "T", "for pictures: the time, in seconds", Type::number),
    .run = run,
    .details = "People are drawn in the colour of their population. Positions are whole millimetres, as recorded.",
});

}  // namespace
}  // namespace throng::cli
