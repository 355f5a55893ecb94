// `throng report RECORDING... -o out.html`: plots, maps and tables of one run, or of several beside each other.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "analysis/report.hpp"
#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/outputs.hpp"
#include "cli/report.hpp"
#include "cli/scratch_folder.hpp"
#include "text/files.hpp"
#include "text/output_file.hpp"

extern char** environ;  // NOLINT: POSIX names it so and declares it nowhere

namespace throng::cli {
namespace {

namespace fs = std::filesystem;
using analysis::Document;
using analysis::RecordedRun;

/// Pixels a point: sharp in print at the size of a page.
constexpr const char* png_zoom = "2";

Problem io_problem(const std::string& path, std::string what) {
  return {Severity::error, ProblemCode::io, path, std::move(what)};
}

/// Its exit code; -1 where it could not be started.
int run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  if (::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// An SVG text as a PNG file, by librsvg's program.
Result<std::string> png_of_svg(const std::string& svg) {
  const ScratchFolder scratch("throng-report");
  if (scratch.path().empty()) return io_problem("temporary folder", "cannot be made");
  const std::string in = scratch.path() + "/figure.svg", out = scratch.path() + "/figure.png";
  if (Problems wrong = environment::replace_file(in, svg); !wrong.empty()) return wrong;
  const int code =
      run_program({"rsvg-convert", "--unlimited", "--background-color", "white", "--zoom", png_zoom, "-o", out, in});
  if (code < 0)
    return Problem{Severity::error, ProblemCode::unsupported, "rsvg-convert",
                   "is needed for PNG files and not installed (Debian: librsvg2-bin)"};
  if (code != 0) return io_problem("rsvg-convert", fmt::format("could not draw a figure (exit code {})", code));
  return environment::read_file(out);
}

struct OutputFile {
  std::string path, content;
};

/// The Markdown text, and every figure as SVG and PNG in a folder beside it.
Result<std::vector<OutputFile>> markdown_files(const Document& document, const std::string& path) {
  const std::string folder = fs::path(path).stem().string() + "-figures";
  const std::string beside = (fs::path(path).parent_path() / folder).string();
  std::vector<OutputFile> files;
  for (const analysis::Figure* figure : analysis::figures_of(document)) {
    Result<std::string> png = png_of_svg(figure->svg);
    if (!png) return png.problems();
    files.push_back({beside + "/" + figure->id + ".svg", figure->svg + "\n"});
    files.push_back({beside + "/" + figure->id + ".png", std::move(png).value()});
  }
  std::error_code error;
  // A folder of that name that no report made may hold somebody's work.
  if (fs::exists(beside, error) && !fs::exists(path, error))
    return io_problem(beside,
                      "is there already, and no report beside it that it would belong to; move it away, or choose "
                      "another name for the report");
  fs::create_directory(beside, error);
  if (error) return io_problem(beside, "cannot be made: " + error.message());
  files.push_back({path, analysis::to_markdown(document, folder)});
  return files;
}

std::string format_of(const std::string& path, const std::string& given) {
  if (!given.empty()) return given;
  if (path.ends_with(".html") || path.ends_with(".htm")) return "html";
  return path.ends_with(".md") ? "md" : "";
}

Json to_json(const RecordedRun& run) {
  Json json{{"recording", run.path}, {"finished", run.finished}};
  json.update(run.figures);
  json["highest_density"] = run.maps.highest_density;
  for (std::size_t level = 0; level < analysis::level_count; ++level)
    json["person_seconds"][std::string(1, analysis::level_names[level])] = run.maps.person_seconds[level];
  json["tight"] = Json::array();
  for (const analysis::TightPlace& place : run.maps.tight.worst(5))
    json["tight"].push_back({{"x", place.at.x},
                             {"y", place.at.y},
                             {"layer", run.meta.layers[place.layer]},
                             {"person_seconds", place.person_seconds},
                             {"from", place.from},
                             {"until", place.until},
                             {"highest", place.highest},
                             {"highest_time", place.highest_time}});
  for (const analysis::LineResult& line : run.lines)
    json["lines"].push_back(
        {{"name", line.line.name}, {"crossings", line.crossings.size()}, {"net", line.net()}, {"flow", line.flow()}});
  for (const analysis::AreaResult& area : run.areas)
    json["areas"].push_back({{"name", area.name}, {"mean", area.mean_density()}, {"most", area.most()}});
  if (!run.groups.empty()) json["groups"] = analysis::to_json(run.groups);
  return json;
}

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng report: {}\n", what);
  return ExitCode::misuse;
}

ExitCode run(const Parsed& parsed) {
  const std::string output = parsed.text("output");
  if (output.empty()) return misuse("-o FILE says where the report goes: report.html, or report.md");
  const std::string format = format_of(output, parsed.text("format"));
  if (format.empty())
    return misuse(fmt::format("'{}' ends neither in .html nor in .md; --format says which is meant", output));
  if (const auto code = Outputs("report").reads(parsed.list("RECORDING")).writes(output).refused()) return *code;
  std::vector<RecordedRun> runs;
  Problems problems;
  for (const std::string& path : parsed.list("RECORDING")) {
    Result<RecordedRun> run = analysis::read_run(path);
    if (run)
      runs.push_back(std::move(run).value());
    else
      problems.insert(problems.end(), run.problems().begin(), run.problems().end());
  }
  if (!problems.empty()) return refused(problems);
  const Result<Document> document = analysis::make_report(runs, {parsed.text("title"), "throng " THRONG_VERSION});
  if (!document) return refused(document.problems());
  std::vector<OutputFile> files;
  if (format == "html") {
    files.push_back({output, analysis::to_html(*document)});
  } else {
    Result<std::vector<OutputFile>> made = markdown_files(*document, output);
    if (!made) return refused(made.problems());
    files = std::move(made).value();
  }
  for (const OutputFile& file : files)
    if (const Problems wrong = environment::replace_file(file.path, file.content); !wrong.empty())
      return refused(wrong);
  if (parsed.json()) {
    Json json{{"output", output},
              {"format", format},
              {"figures", analysis::figures_of(*document).size()},
              {"runs", Json::array()}};
    for (const RecordedRun& run : runs) json["runs"].push_back(to_json(run));
    print_json(json);
  } else {
    say_written(output);
    for (const RecordedRun& run : runs)
      if (!run.finished) fmt::print(stderr, "warning: {}: the run is unfinished; the report says so\n", run.path);
  }
  return ExitCode::done;
}

const Registration registration({
    .name = "report",
    .summary = "plots, maps and tables of recordings in one file that opens anywhere",
    .use = Use::start,
    .arguments = Arguments()
                     .positional("RECORDING", "one .throng file, or several to compare", Count::one_or_more)
                     .option("-o,--output", "FILE", "report.html, or report.md with figures as SVG and PNG beside it")
                     .choice("--format", "F", "of the report, where its ending does not say it", {"html", "md"})
                     .option("--title", "TEXT", "what the report is called"),
    .run = run,
    .details = "The HTML is one file: no network, no scripts; light and dark on screen, and made for print. "
               "docs/reports.md defines every figure.\n"
               "JSON: output, format, figures, runs; each run: recording, finished, the members of `throng run "
               "--json`, highest_density,\n"
               "person_seconds (by level of service), lines, areas, groups (by size).",
});

}  // namespace
}  // namespace throng::cli
