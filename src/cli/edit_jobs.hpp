// Runs of the editor in the background: this program, started again for every seed (`throng run`), then once more for the report. So a job's
// figures are those of the command line, and a run that fails takes nothing with it.
#pragma once

#include <memory>

#include "server/studio.hpp"

namespace throng::cli {

/// Jobs one after the other, in a temporary folder that goes with them; those that still run are stopped then.
[[nodiscard]] std::unique_ptr<server::Jobs> make_jobs();

/// A document as a live run, begun when its page is there.
[[nodiscard]] Result<std::unique_ptr<server::LiveView>> make_studio_run(server::StaticFiles client,
                                                                        const std::string& name,
                                                                        scenario::Scenario scenario);

}  // namespace throng::cli
