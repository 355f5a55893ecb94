// `throng edit [PLAN|SCENARIO]`: drawing plans, setting people, running and reporting, in the browser.
#include <fmt/format.h>

#include <filesystem>

#include "cli/edit_jobs.hpp"
#include "cli/import_arguments.hpp"
#include "cli/load_mesh.hpp"
#include "cli/report.hpp"
#include "cli/serve.hpp"
#include "environment/formats/formats.hpp"
#include "text/files.hpp"
#include "text/nearest_name.hpp"

namespace throng::cli {
namespace {

namespace fs = std::filesystem;

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng edit: {}\n", what);
  return ExitCode::misuse;
}

/// By its ending, or as a format that was named.
Result<server::PlanDocument> open(const std::string& path, const std::string& format,
                                  const environment::ImportOptions& import) {
  if (format.empty()) return server::open_document(path, import);
  const environment::Format* const known = environment::find_format(format);
  if (known == nullptr || (known->read == nullptr && known->import == nullptr))
    return Problem{Severity::error, ProblemCode::unsupported, path,
                   "cannot be read as " + environment::in_quotes(format)};
  Result<std::string> bytes = environment::read_file(path);
  if (!bytes) return bytes.problems();
  return server::open_document(fs::path(path).stem().string() + std::string(known->endings[0]),
                               std::move(bytes).value(), import, {});
}

ExitCode run(const Parsed& parsed) {
  if (const std::string wrong = serve_misuse(parsed); !wrong.empty()) return misuse(wrong);
  if (const std::string wrong = save_misuse(parsed); !wrong.empty()) return misuse(wrong);
  const std::string path = parsed.text("PLAN");
  const Result<environment::ImportOptions> import =
      import_options(parsed, path.empty() ? std::vector<std::string>() : std::vector<std::string>{path});
  if (!import) return misuse(to_string(import.problems().front()));
  const EndRequest end;
  Result<server::StaticFiles> client = find_client(parsed.text("client"));
  if (!client) return refused(client.problems());
  Result<server::PlanDocument> document = path.empty() ? Result<server::PlanDocument>(server::empty_document("plan"))
                                                       : open(path, parsed.text("input-format"), *import);
  if (!document) return refused(document.problems());
  print_problems(document.problems());
  return serve_editor(parsed, end, std::move(client).value(), std::move(document).value());
}

const Registration registration({
    .name = "edit",
    .summary = "draws plans and sets people in the browser, runs them and reports",
    .use = Use::start,
    .arguments = with_import_arguments(with_serve_arguments(with_save_argument(
        Arguments()
            .positional(
                "PLAN",
                "a scenario, an environment of any format that convert reads, or a picture of a plan (PNG, JPEG); "
                "without it an empty plan",
                Count::optional)
            .choice("--input-format", "F", "read PLAN as this format, whatever its ending", input_formats())))),
    .run = run,
    .details =
        "Serves on this machine only, unless --listen says otherwise. What is drawn is kept while the program runs, "
        "also if the page\n"
        "is closed. docs/editor.md walks from a drawing to a report. JSON: address, port.",
});

}  // namespace
}  // namespace throng::cli
