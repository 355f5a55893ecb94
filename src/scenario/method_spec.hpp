// A method and its numbers as a scenario file names them.
#pragma once

#include <string>
#include <vector>

#include "scenario/number.hpp"

namespace throng::scenario {

/// A method of a level, or of groups, and its numbers, in the order of its MethodInfo. No name: the level is off.
struct MethodSpec {
  std::string name;
  bool as_published = false;  ///< numbers that the file leaves out are those of the paper
  std::vector<Number> parameters;
  std::vector<std::string> names = {};  ///< of the numbers: their draws hang on them
};

}  // namespace throng::scenario
