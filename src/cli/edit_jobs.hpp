// Runs of the editor in the background: this program, started again for every seed (`throng run`), then once more for the report. So a job's
// figures are those of the command line, and a run that fails takes nothing with it.
#pragma once

#include <memory>

#include "cli/serve.hpp"
#include "server/studio.hpp"

namespace throng::cli {

/// Jobs one after the other, in a temporary folder that goes with them; those that still run are stopped then.
[[nodiscard]] std::unique_ptr<server::Jobs> make_jobs();

/// A document as a live run, begun when its page is there.
[[nodiscard]] Result<std::unique_ptr<server::LiveView>> make_studio_run(server::StaticFiles client,
                                                                        const std::string& name,
                                                                        scenario::Scenario scenario);

/// --save FOLDER, where the page may save. Empty words where that is right.
[[nodiscard]] Arguments with_save_argument(Arguments arguments);
[[nodiscard]] std::string save_misuse(const Parsed& parsed);

/// The editor alone, until Ctrl-C.
[[nodiscard]] ExitCode serve_editor(const Parsed& parsed, const EndRequest& end, server::StaticFiles client,
                                    server::PlanDocument document);

}  // namespace throng::cli
