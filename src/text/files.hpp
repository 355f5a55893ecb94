// Whole files in and out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "throng/result.hpp"

namespace throng::environment {

/// Reads a whole file; "-" is standard input. Room for simdjson's padding is kept behind the text, so that a large file is
/// never copied.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// Bytes of a regular file; 0 where it is none, or not there.
[[nodiscard]] std::size_t file_size(const std::string& path);

/// The first bytes of a file, at most `size`.
[[nodiscard]] Result<std::string> read_start(const std::string& path, std::size_t size);

/// Puts `content` at `path`: written beside it first and renamed over it, so that a reader sees the old file or the new one and
/// a failure leaves the old one. Fails with a reason; nothing else is left behind.
[[nodiscard]] Problems replace_file(const std::string& path, std::string_view content);

}  // namespace throng::environment
