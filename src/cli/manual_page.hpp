// The manual page throng(1), in roff, from the commands that are registered: what --help says, never anything else.
#pragma once

#include <string>

namespace throng::cli {

[[nodiscard]] std::string manual_page();

}  // namespace throng::cli
