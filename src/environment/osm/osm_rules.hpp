// The table that says what of OpenStreetMap is a wall, a path or a lawn: a JSON file of the user's, or the built-in one.
//
//   {"throng_osm": 1,
//    "rules": [{"match": {"building": "*"}, "unless": {"building": ["roof"]}, "shape": "area", "kind": "obstacle"},
//              {"match": {"highway": ["footway", "path"]}, "shape": "line", "kind": "region", "type": "footway", "width": 2}],
//    "gaps":  [{"match": {"barrier": "gate"}, "width": 3}]}
//
// Laws
// 1. An element is what the first rule says whose shape it can have, all of whose `match` it has and none of whose `unless`.
// 2. "*" is any value but "no".
// 3. Earlier rules win over later ones where their regions overlap, too.
// Thread-safety: values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "throng/result.hpp"

namespace throng::environment {

/// Key and value. Keys are those that the table names (OsmRules::keys); others are not kept.
using OsmTag = std::pair<std::string_view, std::string_view>;
/// The value of a key, or nothing.
[[nodiscard]] std::optional<std::string_view> find_tag(std::span<const OsmTag> tags, std::string_view key);

struct TagPattern {
  std::string key;
  std::vector<std::string> values;  ///< any of them; empty: any but "no"

  [[nodiscard]] bool matches(std::span<const OsmTag> tags) const;
};

enum class OsmShape { area, line, point };
enum class OsmKind { ignore, walkable, obstacle, opening, region, area };

struct OsmRule {
  std::vector<TagPattern> match, unless;
  std::optional<OsmShape> shape;  ///< none: all, only for `ignore`
  OsmKind kind = OsmKind::ignore;
  std::string type;               ///< of a region
  double width = 0;               ///< of lines; 0: a thin wall. The tag `width` goes first
  double radius = 0;              ///< of points
  std::vector<TagPattern> opens;  ///< with any of these tags it also opens obstacles that it crosses: bridges, passages
  bool named = false;             ///< with a name it is a named area, too

  [[nodiscard]] bool applies(std::span<const OsmTag> tags) const;
};

/// A node that opens the barrier or room it lies on.
struct OsmGapRule {
  std::vector<TagPattern> match;
  double width = 0;
};

struct OsmRules {
  std::vector<OsmRule> rules;
  std::vector<OsmGapRule> gaps;
  std::vector<std::string> keys;  ///< every key that matters, sorted

  /// The rule of an element that can have these shapes, by law 1.
  [[nodiscard]] std::optional<std::size_t> find(std::span<const OsmTag> tags, std::span<const OsmShape> shapes) const;
  /// Metres that a node opens, or nothing; the tag `width` goes first.
  [[nodiscard]] std::optional<double> gap(std::span<const OsmTag> tags) const;
};

/// "2.5", "2,5 m", "80 cm", "8'", as mappers write widths: metres; nothing where it is no length from 1 cm to 200 m.
[[nodiscard]] std::optional<double> parse_width(std::string_view text);

/// The built-in table, as JSON that a user can start from.
[[nodiscard]] std::string_view default_osm_table();
/// Reads a table; everything wrong with it at once, with its place.
[[nodiscard]] Result<OsmRules> read_osm_rules(std::string text, const std::string& source);

}  // namespace throng::environment
