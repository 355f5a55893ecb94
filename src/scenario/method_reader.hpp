// Blocks that name a method and its numbers: {"method": name, "as": "published", parameter: number or word...}. Profiles have one for each
// level, populations one for their groups.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "agents/method.hpp"
#include "scenario/json_checker.hpp"
#include "scenario/method_spec.hpp"

namespace throng::scenario {

[[nodiscard]] MethodSpec with_defaults(const agents::MethodInfo& info, bool as_published = false);

/// `otherwise` is meant where the block names none; `more` are members that it has besides. What is wrong is reported and left at its default;
/// nothing where the method is not known, without which the members cannot be judged.
[[nodiscard]] std::optional<MethodSpec> read_method_block(JsonChecker& checker, const Node& node, std::string_view key,
                                                          std::span<const agents::MethodInfo> methods,
                                                          const agents::MethodInfo* otherwise,
                                                          std::span<const Member> more = {});

}  // namespace throng::scenario
