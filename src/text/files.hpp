// Whole files in; output_file.hpp writes them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "throng/result.hpp"

namespace throng::environment {

/// Reads a whole file; "-" is standard input. Room for simdjson's padding is kept behind the text, so that a large file is
/// never copied. A pipe or device gives 1 GB at most.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// The same for a file that another file names: pipes and devices, which may have no end, are refused, and "-" is a name.
[[nodiscard]] Result<std::string> read_named_file(const std::string& path);

/// Bytes of a regular file; 0 where it is none, or not there.
[[nodiscard]] std::size_t file_size(const std::string& path);

/// The first bytes of a file, at most `size`.
[[nodiscard]] Result<std::string> read_start(const std::string& path, std::size_t size);

}  // namespace throng::environment
