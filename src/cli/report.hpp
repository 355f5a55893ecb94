// What commands say: problems on standard error, results on standard output.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "text/nearest_name.hpp"
#include "throng/result.hpp"

namespace throng::cli {

/// Members keep the order they were added in.
using Json = nlohmann::ordered_json;

/// "error: plan.geojson:3:1: feature 2 (obstacle): the ring ...", a line each, on standard error.
void print_problems(const Problems& problems);

/// {"severity", "code", "place", "message"}
[[nodiscard]] Json to_json(const Problem& problem);
[[nodiscard]] Json to_json(const Problems& problems);

/// One object on one line of standard output. Text that is not UTF-8 (file names may be anything) is mended.
void print_json(const Json& object);

using environment::printable;

/// Rows of equal length below a heading, columns aligned: the first to the left, the others to the right. Names come from files: every cell
/// is made printable.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows);

/// 1234567 as "1 234 567".
[[nodiscard]] std::string grouped(unsigned long long number);

}  // namespace throng::cli
