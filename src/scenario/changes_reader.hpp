// Lists of changes to a world, as JSON (docs/formats.md, changes of a world): a list of objects, each with one of
//   "insert": [{"id": "van", "polygon": [[x, y], ...], "layer": "street"}, {"id": "fence", "wall": [[x, y], ...]}]
//   "remove": ["van"]
//   "replace": [{"id": "van", "polygon": ...}]
// "polygon" is a ring, or a list of rings with the outer one first. A layer may be left out where there is one only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "environment/clean/change.hpp"
#include "throng/result.hpp"

namespace throng::scenario {

/// What is wrong with the text, with its place as a JSON pointer; what is wrong with the changes check_changes() says.
[[nodiscard]] Result<std::vector<environment::Change>> read_changes(std::string_view text, const std::string& source,
                                                                    const std::vector<environment::Layer>& layers);

}  // namespace throng::scenario
