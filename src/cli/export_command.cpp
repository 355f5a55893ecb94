// `throng export RECORDING OUT`: a recording in other formats, or a picture of one moment.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iterator>
#include <map>

#include "analysis/run_recorder.hpp"
#include "cli/command.hpp"
#include "cli/film.hpp"
#include "cli/load_environment.hpp"
#include "cli/load_mesh.hpp"
#include "cli/outputs.hpp"
#include "cli/report.hpp"
#include "cli/scratch_folder.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/formats/picture.hpp"
#include "environment/sketch.hpp"
#include "recording/jupedsim.hpp"
#include "recording/recording.hpp"
#include "recording/tracks.hpp"
#include "text/files.hpp"
#include "text/output_file.hpp"

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

/// Writes a text file frame by frame.
Problems write_lines(Source& source, const std::string& path, const std::string& head,
                     const std::function<void(std::string&, const Frame&)>& lines) {
  Result<environment::OutputFile> file = environment::OutputFile::open(path);
  if (!file) return file.problems();
  file->write(head);
  std::string text;
  const Problems problems = source.recording.each_frame([&](const Frame& frame) {
    text.clear();
    lines(text, frame);
    return file->write(text);
  });
  return problems.empty() ? file->finish() : problems;
}

recording::TrackRow row_of(const Source& source, const Frame& frame, std::size_t i) {
  const Vec2 p = frame.position[i];
  const double height = source.environment.layers[frame.layer[i]].layer.elevation.at(p);
  return {frame.number, frame.serial[i], p, height, frame.layer[i]};
}

Problems write_csv(Source& source, const std::string& path) {
  return write_lines(source, path, recording::track_csv_head(), [&](std::string& out, const Frame& frame) {
    for (std::size_t i = 0; i < frame.serial.size(); ++i)
      recording::append_track_csv(out, row_of(source, frame, i), frame.time,
                                  source.recording.meta().layers[frame.layer[i]]);
  });
}

Problems write_petrack(Source& source, const std::string& path) {
  const std::string head = recording::petrack_head(source.recording.meta().frame_time());
  return write_lines(source, path, head, [&](std::string& out, const Frame& frame) {
    for (std::size_t i = 0; i < frame.serial.size(); ++i) recording::append_petrack(out, row_of(source, frame, i));
  });
}

/// Its files are known once the layers are.
Problems write_jupedsim(Source& source, const std::string& from, const std::string& path) {
  for (const std::string& file : analysis::recording_files(path, "jupedsim", source.recording.meta().layers))
    if (environment::same_file(file, from)) return {io_problem(file, "is read, and would be overwritten")};
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

/// What a table of tracks is walked in: the environment given, or a box around all positions of each layer.
Result<environment::Environment> surroundings(const recording::Tracks& tracks, const std::string& given) {
  if (!given.empty()) {
    Result<LoadedEnvironment> loaded = load_environment(given);
    if (!loaded) return loaded.problems();
    return std::move(loaded->source);
  }
  constexpr double margin = 1;
  struct Box {
    Vec2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
  };
  std::vector<Box> boxes(tracks.layers.size());
  for (const recording::TrackRow& row : tracks.rows) {
    Box& box = boxes[row.layer];
    box.low = {std::min(box.low.x, row.position.x), std::min(box.low.y, row.position.y)};
    box.high = {std::max(box.high.x, row.position.x), std::max(box.high.y, row.position.y)};
  }
  std::vector<environment::Layer> layers;
  for (const std::string& id : tracks.layers) layers.push_back({id, {}});
  environment::Sketch sketch("tracks", layers);
  const Vec2 around{margin, margin};
  for (std::size_t layer = 0; layer < layers.size(); ++layer)
    sketch.walkable({environment::rectangle(boxes[layer].low - around, boxes[layer].high + around), {}}, layer);
  fmt::print(stderr, "no --environment: a box around everybody stands for it\n");
  return std::move(sketch).take();
}

/// The tracks' layers as the environment numbers them.
Result<std::vector<std::uint32_t>> layers_in(const recording::Tracks& tracks, const environment::Environment& world,
                                             const std::string& path) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& id : tracks.layers) {
    const auto at = std::find_if(world.layers.begin(), world.layers.end(), [&](const auto& l) { return l.id == id; });
    if (at == world.layers.end() && world.layers.size() > 1)
      return Problem{Severity::error, ProblemCode::value, path, fmt::format("the environment has no layer '{}'", id)};
    numbers.push_back(at == world.layers.end() ? 0 : std::uint32_t(at - world.layers.begin()));
  }
  return numbers;
}

/// Nobody films an empty place for longer: a wrong frame number is likelier, and each frame costs time and room.
constexpr std::uint64_t longest_gap = 90'000;

/// The frame of the tracks that becomes frame 0: the first there is where that comes late.
std::uint64_t first_frame(const recording::Tracks& tracks) {
  const std::uint64_t first = tracks.rows.front().frame;
  return first > longest_gap ? first : 0;
}

std::uint64_t frames_of(const recording::Tracks& tracks) { return tracks.rows.back().frame - first_frame(tracks) + 1; }

/// Whether the film goes on.
Problems check_frames(const recording::Tracks& tracks, const std::string& from) {
  for (std::size_t i = 1; i < tracks.rows.size(); ++i) {
    const std::uint64_t before = tracks.rows[i - 1].frame, frame = tracks.rows[i].frame;
    if (frame - before > longest_gap)
      return {{Severity::error, ProblemCode::value, from,
               fmt::format("nobody is there from frame {} to frame {}: at most {} frames in a row may be empty", before,
                           frame, longest_gap)}};
  }
  if (const std::uint64_t first = first_frame(tracks); first > 0)
    fmt::print(stderr, "the first frame there is, {}, becomes frame 0\n", first);
  return {};
}

/// Writes tracks as a native recording.
Problems record(const recording::Tracks& tracks, const environment::Environment& world, double radius,
                const std::string& from, const std::string& path) {
  const Result<std::vector<std::uint32_t>> layers = layers_in(tracks, world, from);
  if (!layers) return layers.problems();
  if (Problems wrong = check_frames(tracks, from); !wrong.empty()) return wrong;
  const std::uint64_t first = first_frame(tracks);
  const Result<std::string> json = environment::write_environment("geojson", world);
  if (!json) return json.problems();
  recording::Meta meta;
  meta.program = "throng " THRONG_VERSION;
  meta.environment_json = *json;
  meta.scenario_json = meta.parameters_json = "{}";
  meta.time_step = tracks.frame_time;
  for (const environment::Layer& layer : world.layers) meta.layers.push_back(layer.id);
  meta.populations = {from};
  meta.profiles = {"tracked"};
  Result<std::unique_ptr<recording::Recorder>> recorder = recording::create_native(path, meta);
  if (!recorder) return recorder.problems();
  std::map<std::uint64_t, std::pair<double, double>> seen;  // by id: first and last time
  for (const recording::TrackRow& row : tracks.rows) {
    const double time = double(row.frame - first) * tracks.frame_time;
    seen.try_emplace(row.id, time, time).first->second.second = time;
  }
  for (const auto& [id, times] : seen)
    (*recorder)->agent({id, 0, 0, -1, radius, times.first, times.second + tracks.frame_time});
  std::vector<std::uint64_t> ids;
  std::vector<Vec2> positions;
  std::vector<std::uint32_t> at;
  std::size_t next = 0;
  for (std::uint64_t frame = 0; frame < frames_of(tracks) && !(*recorder)->failed(); ++frame) {
    ids.clear(), positions.clear(), at.clear();
    for (; next < tracks.rows.size() && tracks.rows[next].frame == first + frame; ++next) {
      ids.push_back(tracks.rows[next].id);
      positions.push_back(tracks.rows[next].position);
      at.push_back((*layers)[tracks.rows[next].layer]);
    }
    (*recorder)->frame({frame, double(frame) * tracks.frame_time, ids, positions, at});
  }
  const Result<recording::Written> written = (*recorder)->finish();
  return written.problems();
}

/// Text to text: heights are kept as they are, and no environment is needed.
std::string text_of(const recording::Tracks& tracks, bool csv) {
  std::string text = csv ? recording::track_csv_head() : recording::petrack_head(tracks.frame_time);
  for (const recording::TrackRow& row : tracks.rows) {
    if (csv)
      recording::append_track_csv(text, row, double(row.frame) * tracks.frame_time, tracks.layers[row.layer]);
    else
      recording::append_petrack(text, row);
  }
  return text;
}

/// By ending.
std::string format_of(const std::string& path) {
  static const std::map<std::string, std::string> formats{
      {".svg", "picture"},     {".ipe", "picture"},   {".csv", "csv"},  {".txt", "petrack"},
      {".sqlite", "jupedsim"}, {".throng", "native"}, {".webm", "clip"}};
  for (const auto& [ending, format] : formats)
    if (path.ends_with(ending)) return format;
  return {};
}

Result<recording::Tracks> read_tracks(const std::string& path, const std::string& format) {
  if (format == "jupedsim") return recording::read_jupedsim(path);
  const Result<std::string> text = environment::read_file(path);
  if (!text) return text.problems();
  return format == "csv" ? recording::parse_track_csv(*text, path) : recording::parse_petrack(*text, path);
}

/// A recording to any format but its own.
Problems export_recording(const Parsed& parsed, const std::string& path, const std::string& format, Json& summary) {
  const std::string out = parsed.text("OUT");
  Result<Recording> recording = Recording::open(path);
  if (!recording) return recording.problems();
  if (recording->frame_count() == 0) return {io_problem(path, "holds no frames")};
  Result<CleanEnvironment> environment = recording->environment();
  if (!environment) return environment.problems();
  Result<std::vector<AgentRow>> agents = recording->agents();
  if (!agents) return agents.problems();
  Source source{std::move(recording).value(), std::move(environment).value(), std::move(agents).value()};
  summary["frames"] = source.recording.frame_count();
  summary["agents"] = source.agents.size();
  const std::string name = parsed.text("RECORDING");
  return format == "picture"   ? write_picture(source, out, parsed.number("at").value_or(0), name)
         : format == "csv"     ? write_csv(source, out)
         : format == "petrack" ? write_petrack(source, out)
                               : write_jupedsim(source, path, out);
}

/// Tracks of others to any format; what needs a recording is made from one in a temporary folder.
Problems export_tracks(const Parsed& parsed, const recording::Tracks& tracks, const std::string& format,
                       Json& summary) {
  const std::string out = parsed.text("OUT"), from = parsed.text("RECORDING");
  if (format == "csv" || format == "petrack") {
    summary["frames"] = frames_of(tracks);
    return environment::replace_file(out, text_of(tracks, format == "csv"));
  }
  const Result<environment::Environment> world = surroundings(tracks, parsed.text("environment"));
  if (!world) return world.problems();
  const double radius = parsed.number("radius").value_or(0.24);
  const ScratchFolder scratch("throng-export");
  if (format != "native" && scratch.path().empty()) return {io_problem("temporary folder", "cannot be made")};
  const std::string path = format == "native" ? out : scratch.file("tracks.throng");
  Problems problems = record(tracks, *world, radius, from, path);
  if (!has_errors(problems) && format != "native") problems = export_recording(parsed, path, format, summary);
  summary["frames"] = frames_of(tracks);
  return problems;
}

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng export: {}\n", what);
  return ExitCode::misuse;
}

ExitCode tell(const Parsed& parsed, const Json& summary) {
  if (parsed.json())
    print_json(summary);
  else
    say_written(parsed.text("OUT"));
  return ExitCode::done;
}

ExitCode export_clip(const Parsed& parsed, const std::string& path, const std::string& out, const Json& summary) {
  const Result<std::optional<ExitCode>> made = write_film(parsed, path, out);
  if (!made) return refused(made.problems());
  return made->has_value() ? **made : tell(parsed, summary);
}

ExitCode run(const Parsed& parsed) {
  const std::string out = parsed.text("OUT");
  const std::string format = parsed.given("format") ? parsed.text("format") : format_of(out);
  if (format.empty())
    return misuse(fmt::format(
        "'{}' ends in none of .svg .ipe .webm .csv .txt .sqlite .throng; --format says what is meant", out));
  const bool is_clip = format == "clip";
  if (!is_clip && parsed.given("at") != (format == "picture"))
    return misuse("--at T says when, for pictures (.svg, .ipe) and clips (.webm), and for these only");
  if (const std::string wrong = film_misuse(parsed, is_clip); !wrong.empty()) return misuse(wrong);
  const std::string path = parsed.text("RECORDING");
  const std::string from = parsed.given("input-format") ? parsed.text("input-format") : format_of(path);
  const bool is_table = from == "csv" || from == "petrack" || from == "jupedsim";
  if (!is_table && format == "native") return misuse("a recording is exported to another format, not to its own");
  if (!is_table && (parsed.given("environment") || parsed.given("radius")))
    return misuse("--environment and --radius are for tracks that come without (.csv, .txt, .sqlite)");
  if (const auto radius = parsed.number("radius"); radius && !(*radius > 0))
    return misuse("--radius wants a length above 0");
  if (out == "-" && parsed.json()) return misuse("--json and an output of - both want standard output");
  if (out == "-" && (format == "native" || format == "jupedsim" || is_clip))
    return misuse("a database or a clip is written to a file, not to standard output");
  if (is_clip && is_table) return misuse("a clip is made of a recording (.throng): export the tracks to one first");
  if (const auto code = Outputs("export").reads({path, parsed.text("environment")}).writes(out).refused()) return *code;
  Json summary{{"output", out}, {"format", format}};
  if (is_clip) return export_clip(parsed, path, out, summary);
  Problems problems;
  if (is_table) {
    const Result<recording::Tracks> tracks = read_tracks(path, from);
    if (!tracks) return refused(tracks.problems());
    problems = export_tracks(parsed, *tracks, format, summary);
  } else {
    problems = export_recording(parsed, path, format, summary);
  }
  if (has_errors(problems)) return refused(problems);
  return tell(parsed, summary);
}

const Registration registration({
    .name = "export",
    .summary = "a recording in another format, a picture of one moment, or a clip",
    .use = Use::recordings,
    .arguments = with_film_arguments(
        Arguments()
            .positional("RECORDING", "a .throng file; or tracks: .csv, .txt (PeTrack), .sqlite (JuPedSim)")
            .positional("OUT",
                        ".csv, .txt (PeTrack), .sqlite (JuPedSim, PedPy), .throng, .svg or .ipe (with --at), .webm; - "
                        "is standard output")
            .choice("--format", "F", "of OUT, where its ending does not say it",
                    {"csv", "petrack", "jupedsim", "picture", "clip", "native"})
            .choice("--input-format", "F", "of RECORDING, where its ending does not say it",
                    {"native", "csv", "petrack", "jupedsim"})
            .renamed("--from", "--input-format")
            .option("--environment", "ENV", "what tracks were walked in; without it a box around them")
            .option("--radius", "R", "of tracked bodies; 0.24 m without it", Type::number)
            .option("--at", "T", "for pictures: the time, in seconds; of clips the beginning", Type::number)),
    .run = run,
    .details =
        "People are drawn in the colour of their population. Positions are whole millimetres, as recorded. Clips are "
        "made by chromium\nwithout a window, picture by picture, as the viewer shows the run: with title, clock, scale "
        "and legend.",
});

}  // namespace
}  // namespace throng::cli
