// Another program, started beside this one: the runs of the editor, the browser that makes clips.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace throng::cli {

/// Where what it says goes: files, made anew. One name for both is one file.
struct ChildOutputs {
  std::string standard, errors;
};

/// Starts `words`, the first of which is a path, or a name to be looked for; its number, or -1. It reads nothing, takes signals as usual
/// and leads a group of its own, so that it and what it starts can be ended together.
[[nodiscard]] pid_t start_program(std::vector<std::string> words, const ChildOutputs& outputs);

}  // namespace throng::cli
