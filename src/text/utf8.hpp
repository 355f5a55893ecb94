// Whether a text is UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace throng::environment {

/// The offset of the first byte that is not part of a well-formed character. Cost: linear, vectorised where all is well.
[[nodiscard]] std::optional<std::size_t> find_bad_utf8(std::string_view text);

}  // namespace throng::environment
