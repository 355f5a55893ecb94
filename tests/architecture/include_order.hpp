// Checks the rules that keep the house in order, on the text of a source tree.
//
// Laws of a tree that is in order
// 1. A file of a layer includes files of its own layer, of layers before it in `layers`, and public headers only.
// 2. A public header (include/throng) includes public headers and the standard library only.
// 3. Every quoted include names an existing file, from src/ or include/; nothing is reached by "../" or by a relative name.
// 4. The library (every layer but cli) never prints, exits or aborts.
// 5. Every folder of src/ is one of `layers`.
// 6. What throng::core is made of includes nothing of the rest, and of others' libraries only those that need no linking, or oneTBB.
// Comments and texts are not code.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace throng::test {

/// The layers in the order of docs/architecture.md: includes point up this list.
inline constexpr std::array<std::string_view, 19> layers = {
    "text",      "geometry", "drawing", "environment", "navmesh",  "ground",    "agents",   "fields", "routes",
    "following", "steering", "goals",   "crowd",       "scenario", "recording", "analysis", "validation", "server", "cli"};

/// What breaks the laws in the tree at `root`, as "src/geometry/a.hpp:3: ..."; sorted by file and line.
[[nodiscard]] std::vector<std::string> check_tree(const std::filesystem::path& root);

/// What breaks law 6, where core is made of the sources in these folders of src/ (not of folders below them).
[[nodiscard]] std::vector<std::string> check_core(const std::filesystem::path& root,
                                                  const std::vector<std::string>& folders);

/// Every header of the tree's include/ and src/, relative to those, sorted.
[[nodiscard]] std::vector<std::string> headers_of(const std::filesystem::path& root);

/// The source with comments, texts and character constants blanked out, line breaks kept. The names of quoted includes stay.
[[nodiscard]] std::string without_comments_and_texts(std::string_view source);

}  // namespace throng::test
