// What every named method of a level says about itself, so that scenario files, schemas, help, draws and snapshots need no list of
// their own: its name, what it is, its numbers with defaults and bounds, and what it remembers of each person (columns.hpp).
//
// A person's numbers are a block of doubles in the order of `parameters`: people of one profile share a block, people whose
// numbers are drawn have their own. A parameter with `choices` is written as one of those words in files, and is its place among them
// here.
//
// As published: every rule of ours is a number that has a value which switches it off, and every number has a default and the value its
// paper gives. `"as": "published"` is the second column of defaults, not a second code path.
//
// Laws
// 1. Names are distinct within a level, and so are the parameters' and columns' within a method.
// 2. Defaults and published values lie within their bounds; those of choices are whole numbers below the number of choices.
// Thread-safety: read-only once registered.
#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "agents/column_info.hpp"

namespace throng::agents {

struct Parameter {
  std::string_view name;
  double value = 0;  ///< default
  double least = 0, most = std::numeric_limits<double>::infinity();
  std::string_view unit;  ///< "m", "s", "m/s", "" for plain numbers
  std::string_view help;  ///< one line
  /// What the paper says, where that is not the default.
  std::optional<double> published = std::nullopt;
  /// Where it says so (docs/references.md), or "ours" for a rule that the paper does not have and that `published` switches off.
  std::string_view source = {};
  std::vector<std::string_view> choices = {};  ///< words for 0, 1, ...; empty: a plain number

  [[nodiscard]] double published_value() const { return published.value_or(value); }
};

struct MethodInfo {
  std::string_view name;
  std::string_view help;  ///< one line, with the paper
  std::vector<Parameter> parameters;
  std::vector<ColumnInfo> columns = {};  ///< what it remembers of each of its people
  /// Whether those of its people who wait or have arrived are steered, too: they prefer to stand, and are coordinated, avoid others and
  /// move like who walks.
  bool steers_standing = false;

  [[nodiscard]] const Parameter* parameter(std::string_view wanted) const {
    for (const Parameter& parameter : parameters)
      if (parameter.name == wanted) return &parameter;
    return nullptr;
  }
};

/// The block of numbers that leaves everything at its default, or at what was published.
[[nodiscard]] inline std::vector<double> default_block(const MethodInfo& info, bool as_published = false) {
  std::vector<double> block;
  for (const Parameter& parameter : info.parameters)
    block.push_back(as_published ? parameter.published_value() : parameter.value);
  return block;
}

}  // namespace throng::agents
