// What every named method of a level says about itself, so that scenario files, schemas, help and snapshots need no list of their
// own: its name, what it is, and its numbers with defaults and bounds.
//
// A person's numbers are a block of doubles in the order of `parameters`: people of one profile share a block, people whose
// numbers are drawn have their own.
//
// Laws
// 1. Names are distinct within a level, and so are the parameters' within a method.
// 2. Defaults lie within their bounds.
// Thread-safety: registered before main, read-only afterwards.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

namespace throng::following {

struct Parameter {
  std::string_view name;
  double value = 0;  ///< default
  double least = 0, most = std::numeric_limits<double>::infinity();
  std::string_view unit;  ///< "m", "s", "m/s", "" for plain numbers
  std::string_view help;  ///< one line
};

struct MethodInfo {
  std::string_view name;
  std::string_view help;  ///< one line, with the paper
  std::vector<Parameter> parameters;
};

/// The block of numbers that leaves everything at its default.
[[nodiscard]] inline std::vector<double> default_block(const MethodInfo& info) {
  std::vector<double> block;
  for (const Parameter& parameter : info.parameters) block.push_back(parameter.value);
  return block;
}

}  // namespace throng::following
