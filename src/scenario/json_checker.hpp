// A scenario's JSON as a tree, and what reading it has in common everywhere: types, members, ranges, places.
//
// A place is "file.json: /populations/0/count", a JSON pointer (RFC 6901); syntax errors have line and column.
//
// Laws
// 1. Comments (// and /* */) are allowed. Members given twice in an object and nesting deeper than `deepest` are refused.
// 2. Nothing stops at the first thing wrong but a syntax error: a reader that got nothing goes on with a default.
#pragma once

#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/number.hpp"
#include "text/problem_list.hpp"
#include "throng/vec2.hpp"

namespace throng::scenario {

/// Members in the order of the file.
using Json = nlohmann::ordered_json;

/// What a number may be.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

/// A value of the tree and where it stands.
struct Node {
  const Json* value = nullptr;
  std::string pointer;

  [[nodiscard]] bool has(std::string_view member) const { return value->is_object() && value->contains(member); }
  /// Requires has(member).
  [[nodiscard]] Node at(std::string_view member) const;
  /// Requires an array that long.
  [[nodiscard]] Node at(std::size_t index) const;
};

/// One member of an object.
struct Member {
  std::string_view name;
  bool available = true;  ///< false: it belongs to something that does not exist yet
};

class JsonChecker {
 public:
  static constexpr int deepest = 64;

  JsonChecker(std::string source, environment::ProblemList& problems)
      : source_(std::move(source)), problems_(problems) {}

  /// The tree of a text; nothing where it is not JSON of that type, which was reported.
  [[nodiscard]] std::optional<Json> parse(std::string_view text, std::string_view what = "a scenario",
                                          Json::value_t type = Json::value_t::object);

  void error(ProblemCode code, const std::string& pointer, std::string message);
  void warning(ProblemCode code, const std::string& pointer, std::string message);
  [[nodiscard]] std::string place(const std::string& pointer) const;
  [[nodiscard]] environment::ProblemList& problems() { return problems_; }

  /// Whether it is an object; its unknown members are reported with the nearest known one, unavailable ones by name.
  bool object(const Node& node, std::string_view what, std::span<const Member> known);
  bool array(const Node& node, std::string_view what);
  /// Which of the members is there: exactly one has to be. Empty: reported.
  std::string_view exactly_one(const Node& node, std::string_view what,
                               std::initializer_list<std::string_view> members);

  std::optional<double> number(const Node& node, Bounds bounds = {});
  /// A constant or a distribution, all of whose draws keep the bounds.
  std::optional<Number> distribution(const Node& node, Bounds bounds);
  /// What numbers may be read off tables by from now on; null: there is nothing drawn for that.
  void set_drawn(const std::vector<std::string>* names) { drawn_ = names; }
  std::optional<std::uint64_t> whole_number(const Node& node, std::uint64_t least, std::uint64_t most);
  /// Not empty.
  std::optional<std::string> text(const Node& node, std::string_view what);
  std::optional<bool> truth(const Node& node);
  std::optional<Vec2> point(const Node& node);
  std::optional<std::vector<Vec2>> points(const Node& node, std::size_t least);
  /// One of the names.
  std::optional<std::size_t> choice(const Node& node, std::string_view what, std::span<const std::string_view> names);
  /// Members as names with weights that are not negative and sum to more than 0, in the order of the file.
  std::optional<std::vector<std::pair<std::string, double>>> weights(const Node& node);

 private:
  bool in_bounds(double value, const std::string& pointer, Bounds bounds);
  /// "min" and "max" of a distribution, which lie within the bounds.
  std::optional<Bounds> ends(const Node& node, Bounds bounds);
  std::optional<Number> normal(const Node& node, Bounds bounds);
  std::optional<Number> skewed(const Node& node, std::string_view kind, Bounds bounds);
  std::optional<Number> uniform(const Node& node, Bounds bounds);
  std::optional<Number> choose(const Node& node, Bounds bounds);
  std::optional<Number> table(const Node& node, Bounds bounds);
  std::optional<std::string> by(const Node& node);
  std::optional<std::vector<Vec2>> rows(const Node& node);

  std::string source_;
  environment::ProblemList& problems_;
  const std::vector<std::string>* drawn_ = nullptr;
};

/// "an object", "a number", ...
[[nodiscard]] std::string_view type_name(const Json& value);

}  // namespace throng::scenario
