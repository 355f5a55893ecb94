// The recording of a run that is looked at: in a temporary file, which goes when the run does.
#pragma once

#include <memory>

#include "scenario/simulation.hpp"
#include "server/live_view.hpp"
#include "throng/result.hpp"

namespace throng::cli {

[[nodiscard]] Result<std::unique_ptr<server::RunObserver>> make_live_recorder(const scenario::Simulation& simulation);

}  // namespace throng::cli
