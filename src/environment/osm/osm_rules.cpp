#include "environment/osm/osm_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "environment/formats/json_input.hpp"
#include "text/nearest_name.hpp"

namespace throng::environment {
namespace {

constexpr std::array<std::string_view, 3> top_members = {"throng_osm", "rules", "gaps"};
constexpr std::array<std::string_view, 10> rule_members = {"note", "match", "unless", "shape", "kind",
                                                           "type", "width", "radius", "opens", "named"};
constexpr std::array<std::string_view, 3> gap_members = {"note", "match", "width"};
constexpr std::array<std::string_view, 3> shape_names = {"area", "line", "point"};
constexpr std::array<std::string_view, 6> osm_kind_names = {"ignore",  "walkable", "obstacle",
                                                            "opening", "region",   "area"};
/// Metres; wider is a mistake.
constexpr double widest = 200;
/// Metres; thinner would be gone on the snap grid.
constexpr double thinnest = 0.01;
/// What the reader asks for beside what the table names.
constexpr std::string_view own_keys[] = {"area",   "width",   "name",    "ref",     "level",
                                         "indoor", "highway", "barrier", "incline", "type"};

class RulesReader {
 public:
  RulesReader(std::string text, const std::string& source) : input_(std::move(text), source, problems_) {}

  Result<OsmRules> read() {
    bool versioned = false;
    const bool fine = input_.open() && input_.root_members([&](std::string_view key, JsonValue value) {
      if (key == "throng_osm") return versioned = true, read_version(value);
      if (key == "rules") return elements(value, key, [&](JsonValue rule) { return read_rule(rule); });
      if (key == "gaps") return elements(value, key, [&](JsonValue gap) { return read_gap(gap); });
      return unknown(value, key, "a table of tags", top_members);
    });
    if (fine && input_.close() && !versioned && !problems_.has_errors())
      input_.error(ProblemCode::schema, 0, "a table of tags wants \"throng_osm\": 1");
    collect_keys();
    return std::move(problems_).result(std::move(out_), input_.source());
  }

 private:
  bool complain(JsonValue& value, ProblemCode code, std::string message) {
    input_.error(code, input_.offset_of(value), std::move(message));
    return true;
  }

  bool unknown(JsonValue& value, std::string_view key, std::string_view where,
               std::span<const std::string_view> known) {
    complain(value, ProblemCode::schema, fmt::format("unknown member of {}: {}", where, suggest(key, known)));
    return input_.check(value);
  }

  bool read_version(JsonValue value) {
    const std::optional<double> version = JsonInput::number(value);
    return version && *version == 1 ? true
                                    : complain(value, ProblemCode::unsupported, "this program reads \"throng_osm\": 1");
  }

  template <class Visit>
  bool elements(JsonValue value, std::string_view key, Visit&& visit) {
    if (JsonInput::type_of(value) == JsonType::array) return input_.elements(value, visit);
    complain(value, ProblemCode::schema, fmt::format("\"{}\" wants an array", key));
    return input_.check(value);
  }

  bool is_object(JsonValue& value, std::string_view what) {
    if (JsonInput::type_of(value) == JsonType::object) return true;
    complain(value, ProblemCode::schema, fmt::format("{} is an object", what));
    return false;
  }

  bool read_rule(JsonValue value) {
    if (!is_object(value, "a rule")) return input_.check(value);
    OsmRule rule;
    bool has_kind = false;
    const std::size_t offset = input_.offset_of(value);
    const bool fine = input_.members(value, [&](std::string_view key, JsonValue member) {
      if (key == "note") return input_.check(member);
      if (key == "match") return read_patterns(member, rule.match);
      if (key == "unless") return read_patterns(member, rule.unless);
      if (key == "opens") return read_patterns(member, rule.opens);
      if (key == "shape") return read_shape(member, rule);
      if (key == "kind") return has_kind = true, read_kind(member, rule);
      if (key == "type") return read_text(member, rule.type);
      if (key == "width") return read_length(member, rule.width);
      if (key == "radius") return read_length(member, rule.radius);
      if (key == "named") return read_flag(member, rule.named);
      return unknown(member, key, "a rule", rule_members);
    });
    if (fine) check_rule(rule, has_kind, offset);
    out_.rules.push_back(std::move(rule));
    return fine;
  }

  void check_rule(const OsmRule& rule, bool has_kind, std::size_t offset) {
    const auto refuse = [&](std::string message) { input_.error(ProblemCode::schema, offset, std::move(message)); };
    if (rule.match.empty()) refuse("a rule wants \"match\": tags such as {\"building\": \"*\"}");
    if (!has_kind) refuse("a rule wants a \"kind\": ignore, walkable, obstacle, opening, region or area");
    if (!has_kind || rule.kind == OsmKind::ignore) return;
    if (!rule.shape) return refuse("a rule wants a \"shape\": area, line or point");
    if (rule.kind == OsmKind::region && rule.type.empty()) refuse("a region wants a \"type\", such as \"grass\"");
    if (*rule.shape == OsmShape::line && rule.width == 0 && rule.kind != OsmKind::obstacle)
      refuse("lines want a \"width\" in metres; only obstacles may go without, as thin walls");
    if (*rule.shape == OsmShape::point && rule.radius == 0) refuse("points want a \"radius\" in metres");
  }

  bool read_gap(JsonValue value) {
    if (!is_object(value, "a gap")) return input_.check(value);
    OsmGapRule gap;
    const std::size_t offset = input_.offset_of(value);
    const bool fine = input_.members(value, [&](std::string_view key, JsonValue member) {
      if (key == "note") return input_.check(member);
      if (key == "match") return read_patterns(member, gap.match);
      if (key == "width") return read_length(member, gap.width);
      return unknown(member, key, "a gap", gap_members);
    });
    if (fine && (gap.match.empty() || gap.width == 0))
      input_.error(ProblemCode::schema, offset, "a gap wants \"match\" and a \"width\" in metres");
    out_.gaps.push_back(std::move(gap));
    return fine;
  }

  bool read_patterns(JsonValue value, std::vector<TagPattern>& out) {
    if (!is_object(value, "a list of tags")) return input_.check(value);
    return input_.members(value, [&](std::string_view key, JsonValue member) {
      out.push_back({std::string(key), {}});
      return read_values(member, out.back().values);
    });
  }

  bool read_values(JsonValue value, std::vector<std::string>& out) {
    if (JsonInput::type_of(value) == JsonType::array) {
      const std::size_t offset = input_.offset_of(value);
      const bool fine = input_.elements(value, [&](JsonValue one) { return read_text(one, out.emplace_back()); });
      if (fine && out.empty()) input_.error(ProblemCode::schema, offset, "a tag wants at least one value, or \"*\"");
      return fine;
    }
    std::string text;
    if (!read_text(value, text)) return false;
    if (text != "*") out.push_back(std::move(text));
    return true;
  }

  bool read_text(JsonValue value, std::string& out) {
    if (JsonInput::type_of(value) == JsonType::string) return input_.get(value, out);
    complain(value, ProblemCode::schema, "a string is wanted here");
    return input_.check(value);
  }

  bool read_flag(JsonValue value, bool& out) {
    if (JsonInput::type_of(value) == JsonType::boolean) return input_.get(value, out);
    complain(value, ProblemCode::schema, "true or false is wanted here");
    return input_.check(value);
  }

  bool read_length(JsonValue value, double& out) {
    const std::optional<double> number = JsonInput::number(value);
    if (!number || (*number != 0 && !(*number >= thinnest && *number <= widest)))
      return complain(value, ProblemCode::value,
                      fmt::format("a length from {} to {} m is wanted here, or 0", thinnest, widest));
    out = *number;
    return true;
  }

  template <std::size_t N>
  std::optional<std::size_t> read_name(JsonValue value, std::string_view what,
                                       const std::array<std::string_view, N>& known, bool& fine) {
    const std::size_t offset = input_.offset_of(value);
    std::string name;
    fine = read_text(value, name);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found != known.end()) return std::size_t(found - known.begin());
    if (fine && !name.empty())
      input_.error(ProblemCode::value, offset, fmt::format("unknown {} {}", what, suggest(name, known)));
    return std::nullopt;
  }

  bool read_shape(JsonValue value, OsmRule& rule) {
    bool fine = true;
    if (const auto shape = read_name(value, "shape", shape_names, fine)) rule.shape = OsmShape(*shape);
    return fine;
  }

  bool read_kind(JsonValue value, OsmRule& rule) {
    bool fine = true;
    if (const auto kind = read_name(value, "kind", osm_kind_names, fine)) rule.kind = OsmKind(*kind);
    return fine;
  }

  void collect_keys() {
    std::vector<std::string>& keys = out_.keys;
    keys.assign(std::begin(own_keys), std::end(own_keys));
    const auto add = [&](const std::vector<TagPattern>& patterns) {
      for (const TagPattern& pattern : patterns) keys.push_back(pattern.key);
    };
    for (const OsmRule& rule : out_.rules) add(rule.match), add(rule.unless), add(rule.opens);
    for (const OsmGapRule& gap : out_.gaps) add(gap.match);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }

  ProblemList problems_;
  JsonInput input_;
  OsmRules out_;
};

bool any_of(const std::vector<TagPattern>& patterns, std::span<const OsmTag> tags) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const TagPattern& p) { return p.matches(tags); });
}

bool all_of(const std::vector<TagPattern>& patterns, std::span<const OsmTag> tags) {
  return std::all_of(patterns.begin(), patterns.end(), [&](const TagPattern& p) { return p.matches(tags); });
}

}  // namespace

std::optional<std::string_view> find_tag(std::span<const OsmTag> tags, std::string_view key) {
  for (const OsmTag& tag : tags)
    if (tag.first == key) return tag.second;
  return std::nullopt;
}

bool TagPattern::matches(std::span<const OsmTag> tags) const {
  const std::optional<std::string_view> value = find_tag(tags, key);
  if (!value) return false;
  return values.empty() ? *value != "no" : std::find(values.begin(), values.end(), *value) != values.end();
}

bool OsmRule::applies(std::span<const OsmTag> tags) const { return all_of(match, tags) && !any_of(unless, tags); }

std::optional<std::size_t> OsmRules::find(std::span<const OsmTag> tags, std::span<const OsmShape> shapes) const {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const OsmRule& rule = rules[i];
    const bool fits = !rule.shape || std::find(shapes.begin(), shapes.end(), *rule.shape) != shapes.end();
    if (fits && rule.applies(tags)) return i;
  }
  return std::nullopt;
}

std::optional<double> OsmRules::gap(std::span<const OsmTag> tags) const {
  for (const OsmGapRule& gap : gaps) {
    if (!all_of(gap.match, tags)) continue;
    if (const auto width = find_tag(tags, "width"))
      if (const auto metres = parse_width(*width)) return *metres;
    return gap.width;
  }
  return std::nullopt;
}

std::optional<double> parse_width(std::string_view text) {
  std::string digits(text);
  std::replace(digits.begin(), digits.end(), ',', '.');
  double number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit(stop, std::size_t(end - stop));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  constexpr double foot = 0.3048;
  double metres = 0;
  if (unit.empty() || unit == "m") metres = 1;
  if (unit == "cm") metres = 0.01;
  if (unit == "ft" || unit == "'") metres = foot;
  number *= metres;
  if (!(number >= thinnest) || number > widest) return std::nullopt;
  return number;
}

Result<OsmRules> read_osm_rules(std::string text, const std::string& source) {
  return RulesReader(std::move(text), source).read();
}

}  // namespace throng::environment
