// The methods there are, level by level, as those see them who only need to know what they are called and which numbers they take: readers,
// schemas, help.
#pragma once

#include <string_view>
#include <vector>

#include "agents/levels.hpp"
#include "agents/method.hpp"

namespace throng::agents {

using Catalogue = PerLevel<std::vector<MethodInfo>>;

/// By name; null where there is none.
[[nodiscard]] inline const MethodInfo* find_method(const std::vector<MethodInfo>& methods, std::string_view name) {
  for (const MethodInfo& info : methods)
    if (info.name == name) return &info;
  return nullptr;
}

/// The method that is meant where none is named: the level's default, or its first. Null where there is none at all.
[[nodiscard]] inline const MethodInfo* default_method(const Catalogue& catalogue, Level level) {
  const std::vector<MethodInfo>& methods = catalogue[level];
  if (const MethodInfo* info = find_method(methods, info_of(level).otherwise)) return info;
  return methods.empty() ? nullptr : &methods.front();
}

}  // namespace throng::agents
