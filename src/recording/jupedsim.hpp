// JuPedSim's trajectory files (create_jupedsim() in recorder.hpp): what callers need beside it.
#pragma once

#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
#include "throng/result.hpp"

namespace throng::recording {

/// The walkable area of each layer as well-known text: what create_jupedsim() asks for.
[[nodiscard]] Result<std::vector<std::string>> layer_wkts(const environment::CleanEnvironment& environment);

/// Where a layer of several goes: "out/run.sqlite" and "upper deck" give "out/run.upper_deck.sqlite". What is neither a letter, a
/// digit, '-', '_' nor beyond ASCII becomes '_'.
[[nodiscard]] std::string layer_path(const std::string& path, const std::string& layer);

}  // namespace throng::recording
