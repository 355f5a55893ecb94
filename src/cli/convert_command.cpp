// throng convert: from one environment format to another, by file ending; cleaned unless the source features are asked for.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/command.hpp"
#include "cli/import_arguments.hpp"
#include "cli/load_environment.hpp"
#include "cli/outputs.hpp"
#include "cli/report.hpp"
#include "environment/formats/formats.hpp"
#include "text/nearest_name.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

ExitCode misuse(const std::string& message) {
  fmt::print(stderr, "throng convert: {}\n", message);
  return ExitCode::misuse;
}

ExitCode refused(const Problems& problems, bool json) {
  print_problems(problems);
  if (json) print_json({{"converted", false}, {"problems", to_json(problems)}});
  return has_fault(problems) ? ExitCode::fault : ExitCode::refused;
}

/// The output's format, or what is wrong with the command line.
Result<const environment::Format*> output_format(const Parsed& parsed) {
  const std::string name = parsed.text("format");
  const environment::Format* named = environment::find_format(name);
  const auto problem = [](std::string message) {
    return Problem{Severity::error, ProblemCode::unsupported, "", std::move(message)};
  };
  if (!name.empty() && named == nullptr)
    return problem("--format names no known format: " + environment::in_quotes(name));
  Result<const environment::Format*> found =
      named != nullptr ? Result<const environment::Format*>(named) : environment::format_of_path(parsed.text("OUT"));
  if (!found) return found;
  if ((*found)->write_clean == nullptr) return problem(fmt::format("{} can be read, not written", (*found)->name));
  if (parsed.flag("source") && (*found)->write_source == nullptr)
    return problem(fmt::format("--source: {} holds cleaned environments only", (*found)->name));
  return found;
}

/// What was asked for, as text.
Result<std::string> write(const LoadedEnvironment& loaded, const environment::Format& format, const Parsed& parsed) {
  environment::WriteOptions options;
  if (parsed.given("layer")) options.layer = parsed.text("layer");
  options.title = std::filesystem::path(parsed.text("IN")).filename().string();
  if (!parsed.flag("source")) return format.write_clean(loaded.clean, options);
  environment::Environment source = loaded.source;
  if (parsed.given("grid")) source.grid = loaded.clean.grid;
  return format.write_source(source, options);
}

void print_result(const Parsed& parsed, const LoadedEnvironment& loaded, std::string_view format,
                  const Problems& problems, std::size_t bytes) {
  if (parsed.json())
    return print_json({{"converted", true},
                       {"from", loaded.format},
                       {"to", format},
                       {"layers", loaded.clean.layers.size()},
                       {"features", loaded.source.features.size()},
                       {"vertices", vertex_count(loaded.source)},
                       {"clean_vertices", loaded.clean.vertex_count()},
                       {"area", free_area(loaded.clean)},
                       {"unit", loaded.clean.grid.unit()},
                       {"bytes", bytes},
                       {"problems", to_json(problems)}});
  fmt::print(stderr, "{}: {} features, {} vertices, {} after cleaning at {:g} m\n{}: {} bytes\n", parsed.text("IN"),
             grouped(loaded.source.features.size()), grouped(vertex_count(loaded.source)),
             grouped(loaded.clean.vertex_count()), loaded.clean.grid.unit(), parsed.text("OUT"), grouped(bytes));
}

ExitCode print(const std::string& text) {
  const bool fine = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!fine) fmt::print(stderr, "error: standard output cannot be written\n");
  return fine ? ExitCode::done : ExitCode::refused;
}

ExitCode run(const Parsed& parsed) {
  const std::optional<double> unit = parsed.number("grid");
  if (unit && *unit <= 0) return misuse("--grid wants a length above 0");
  const bool to_stdout = parsed.text("OUT") == "-";
  if (to_stdout && parsed.json()) return misuse("--json and an output of - both want standard output");
  const Result<const environment::Format*> format = output_format(parsed);
  if (!format) return misuse(to_string(format.problems().front()));

  const Result<environment::ImportOptions> import = import_options(parsed, {parsed.text("IN")});
  if (!import) return misuse(to_string(import.problems().front()));
  // OUT may be IN: it is replaced once it was read and converted.
  if (const auto code = Outputs("convert")
                            .reads(parsed.text("osm-table"))
                            .writes({parsed.text("open-ends"), parsed.text("OUT")})
                            .refused([&](const Problems& wrong) { return refused(wrong, parsed.json()); }))
    return *code;
  if (const Problems wrong = draw_open_ends(parsed, parsed.text("IN"), parsed.text("input-format"), *import);
      !wrong.empty())
    return refused(wrong, parsed.json());

  const Result<LoadedEnvironment> loaded =
      load_environment(parsed.text("IN"), {parsed.text("input-format"), unit.value_or(0), *import});
  if (!loaded) return refused(loaded.problems(), parsed.json());
  const Result<std::string> text = write(*loaded, **format, parsed);
  if (!text) return refused(text.problems(), parsed.json());
  Problems problems = loaded.problems();
  problems.insert(problems.end(), text.problems().begin(), text.problems().end());
  print_problems(problems);
  if (to_stdout) return print(*text);
  if (const Problems failures = environment::replace_file(parsed.text("OUT"), *text); !failures.empty())
    return refused(failures, parsed.json());
  print_result(parsed, *loaded, (*format)->name, problems, text->size());
  return ExitCode::done;
}

const Registration registration({
    .name = "convert",
    .summary = "converts environments, by file ending; cleans them on the way",
    .use = Use::worlds,
    .arguments = with_drawn_import_arguments(
        Arguments()
            .positional(
                "IN", ".geojson, .json, .wkt, .map, .poly, .dxf, .obj, .gltf, .glb, .osm or .pbf; - is standard input")
            .positional("OUT", ".geojson, .wkt, .poly, .dxf, .svg or .ipe; - is standard output")
            .option("--grid", "UNIT", "snap unit in metres, instead of the recorded or default one", Type::number)
            .option("--layer", "ID", "write this layer only")
            .flag("--source", "write the source features as they are, not the cleaned ones")
            .choice("--input-format", "F", "read IN as this format, whatever its ending", input_formats())
            .choice("--format", "F", "write OUT as this format, whatever its ending", output_formats())
            .renamed("--from", "--input-format")
            .renamed("--to", "--format")),
    .run = run,
    .details =
        "OUT is replaced only once all of IN was accepted, and may be IN itself. .map and .poly keep file coordinates, "
        "not flipped.\n"
        "What a format cannot hold is refused (layers, thin walls), or left out with a warning (regions, areas).\n"
        "docs/imports.md walks from a CAD plan or a 3D model to a running crowd, docs/imports-osm.md from a map.\n"
        "`throng help osm-table` prints the table that says what the tags of OpenStreetMap mean; change it, and give "
        "it\n"
        "back with --osm-table.",
});

}  // namespace
}  // namespace throng::cli
