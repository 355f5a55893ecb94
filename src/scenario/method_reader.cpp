#include "scenario/method_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/nearest_name.hpp"

namespace throng::scenario {
namespace {

using agents::MethodInfo;
using environment::in_quotes;

const MethodInfo* method_named(JsonChecker& checker, const Node& node, std::span<const MethodInfo> methods,
                               const MethodInfo* otherwise) {
  if (!node.has("method")) return otherwise;
  const Node member = node.at("method");
  const std::optional<std::string> name = checker.text(member, "\"method\"");
  if (!name) return nullptr;
  const auto found = std::ranges::find(methods, *name, &MethodInfo::name);
  if (found != methods.end()) return &*found;
  std::vector<std::string_view> names;
  for (const MethodInfo& info : methods) names.push_back(info.name);
  checker.error(ProblemCode::value, member.pointer, "unknown method: " + environment::suggest(*name, names));
  return nullptr;
}

bool is_as_published(JsonChecker& checker, const Node& node) {
  if (!node.has("as")) return false;
  const Node member = node.at("as");
  const std::optional<std::string> word = checker.text(member, "\"as\"");
  if (word && *word != "published")
    checker.error(ProblemCode::value, member.pointer, fmt::format("\"as\" is \"published\", not {}", in_quotes(*word)));
  return word == "published";
}

void read_choice(JsonChecker& checker, const Node& member, const agents::Parameter& parameter, Number& out) {
  const std::optional<std::string> word = checker.text(member, in_quotes(std::string(parameter.name)));
  if (!word) return;
  const auto at = std::ranges::find(parameter.choices, *word);
  if (at == parameter.choices.end())
    return checker.error(ProblemCode::value, member.pointer,
                         "unknown choice: " + environment::suggest(*word, parameter.choices));
  out = double(at - parameter.choices.begin());
}

}  // namespace

MethodSpec with_defaults(const MethodInfo& info, bool as_published) {
  MethodSpec spec{std::string(info.name), as_published, {}};
  for (const agents::Parameter& parameter : info.parameters) {
    spec.parameters.emplace_back(as_published ? parameter.published_value() : parameter.value);
    spec.names.emplace_back(parameter.name);
  }
  return spec;
}

std::optional<MethodSpec> read_method_block(JsonChecker& checker, const Node& node, std::string_view key,
                                            std::span<const MethodInfo> methods, const MethodInfo* otherwise,
                                            std::span<const Member> more) {
  if (!node.value->is_object()) {
    checker.error(ProblemCode::schema, node.pointer,
                  fmt::format("\"{}\" is an object, not {}", key, type_name(*node.value)));
    return std::nullopt;
  }
  const MethodInfo* info = method_named(checker, node, methods, otherwise);
  if (info == nullptr) return std::nullopt;
  std::vector<Member> members = {{"method"}, {"as"}};
  members.insert(members.end(), more.begin(), more.end());
  for (const agents::Parameter& parameter : info->parameters) members.push_back({parameter.name});
  checker.object(node, fmt::format("\"{}\" with method '{}'", key, info->name), members);
  MethodSpec spec = with_defaults(*info, is_as_published(checker, node));
  for (std::size_t i = 0; i < info->parameters.size(); ++i) {
    const agents::Parameter& parameter = info->parameters[i];
    if (!node.has(parameter.name)) continue;
    const Node member = node.at(parameter.name);
    if (!parameter.choices.empty())
      read_choice(checker, member, parameter, spec.parameters[i]);
    else if (auto number = checker.distribution(member, {parameter.least, parameter.most}))
      spec.parameters[i] = std::move(*number);
  }
  return spec;
}

}  // namespace throng::scenario
