#include "environment/osm/osm_rules.hpp"

#include <doctest/doctest.h>

#include "environment/clean/clean_support.hpp"
#include "environment/osm/osm_indoor.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

OsmRules table(const std::string& text) {
  const Result<OsmRules> rules = read_osm_rules(text, "t.json");
  INFO(all(rules.problems()));
  REQUIRE(rules.ok());
  return *rules;
}

std::string refusal(const std::string& text) {
  const Result<OsmRules> rules = read_osm_rules(text, "t.json");
  return rules.ok() ? std::string() : all(rules.problems());
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the built-in table can be read, and each of its rules can win") {
  const OsmRules rules = table(std::string(default_osm_table()));
  CHECK(rules.rules.size() > 40);
  for (std::size_t i = 0; i < rules.rules.size(); ++i) {
    const OsmRule& rule = rules.rules[i];
    if (!rule.shape) continue;
    std::vector<OsmTag> tags;
    for (const TagPattern& pattern : rule.match)
      tags.emplace_back(pattern.key, pattern.values.empty() ? std::string_view("yes") : pattern.values[0]);
    const OsmShape shape[] = {*rule.shape};
    CAPTURE(i);
    CHECK(rules.find(tags, shape) == i);
  }
}

TEST_CASE("the first rule that fits wins; any value but no is any value") {
  const OsmRules rules = table(R"({"throng_osm": 1, "rules": [
    {"match": {"a": "x", "b": "*"}, "shape": "area", "kind": "obstacle"},
    {"match": {"a": ["x", "y"]}, "unless": {"c": "*"}, "shape": "area", "kind": "area"},
    {"match": {"a": "*"}, "shape": "line", "kind": "obstacle"}],
    "gaps": [{"match": {"g": "*"}, "width": 2}]})");
  const auto find = [&](std::vector<OsmTag> tags, std::vector<OsmShape> shapes) {
    const auto rule = rules.find(tags, shapes);
    return rule ? int(*rule) : -1;
  };
  using enum OsmShape;
  CHECK(find({{"a", "x"}, {"b", "1"}}, {area, line}) == 0);
  CHECK(find({{"a", "x"}, {"b", "no"}}, {area, line}) == 1);
  CHECK(find({{"a", "y"}, {"c", "1"}}, {area, line}) == 2);
  CHECK(find({{"a", "y"}, {"c", "1"}}, {area}) == -1);
  CHECK(find({{"a", "no"}}, {line}) == -1);
  const std::vector<OsmTag> gap = {{"g", "yes"}}, wide = {{"g", "yes"}, {"width", "3,5"}},
                            odd = {{"g", "yes"}, {"width", "big"}};
  CHECK(rules.gap(gap) == 2);
  CHECK(rules.gap(wide) == 3.5);
  CHECK(rules.gap(odd) == 2);
  CHECK(!rules.gap({}));
}

TEST_CASE("widths are read as mappers write them") {
  CHECK(parse_width("2.5") == 2.5);
  CHECK(parse_width("2,5 m") == 2.5);
  CHECK(parse_width("80 cm") == doctest::Approx(0.8));
  CHECK(parse_width("10'") == doctest::Approx(3.048));
  CHECK(!parse_width("wide"));
  CHECK(!parse_width("-2"));
  CHECK(!parse_width("0"));
  CHECK(!parse_width("0.0001"));
  CHECK(!parse_width("5 miles"));
  CHECK(!parse_width("1e9"));
}

TEST_CASE("levels are lists and ranges") {
  CHECK((parse_levels("0") == std::vector<double>{0}));
  CHECK((parse_levels("1;0") == std::vector<double>{0, 1}));
  CHECK((parse_levels("-2--1") == std::vector<double>{-2, -1}));
  CHECK((parse_levels("-1-2;0.5") == std::vector<double>{-1, 0, 0.5, 1, 2}));
  CHECK((parse_levels("-0") == std::vector<double>{0}));
  CHECK(parse_levels("").empty());
  CHECK(parse_levels("ground").empty());
  CHECK(parse_levels("0-").empty());
  CHECK(parse_levels("0;").empty());
  CHECK(parse_levels("0-900").empty());
  CHECK(parse_levels("nan").empty());
}

TEST_CASE("tables that are wrong are refused with everything wrong in them") {
  CHECK(has(refusal("[]"), "t.json:1:1"));
  CHECK(has(refusal("{}"), "\"throng_osm\": 1"));
  CHECK(has(refusal(R"({"throng_osm": 2})"), "this program reads"));
  CHECK(has(refusal(R"({"throng_osm": 1, "rule": []})"), "did you mean 'rules'"));
  CHECK(has(refusal(R"({"throng_osm": 1, "rules": [{"kind": "obstacle", "shape": "area"}]})"), "wants \"match\""));
  CHECK(has(refusal(R"({"throng_osm": 1, "rules": [{"match": {"a": "b"}, "kind": "wall"}]})"), "unknown kind 'wall'"));
  CHECK(has(refusal(R"({"throng_osm": 1, "rules": [{"match": {"a": "b"}, "kind": "region", "shape": "area"}]})"),
            "type"));
  CHECK(has(refusal(R"({"throng_osm": 1, "rules": [{"match": {"a": "b"}, "kind": "walkable", "shape": "line"}]})"),
            "width"));
  CHECK(has(refusal(R"({"throng_osm": 1, "rules": [{"match": {"a": "b"}, "kind": "area", "shape": "point"}]})"),
            "radius"));
  CHECK(has(refusal(R"({"throng_osm": 1, "rules": [{"match": {"a": 7}, "kind": "ignore"}]})"), "a string is wanted"));
  CHECK(has(refusal(R"({"throng_osm": 1, "rules": [{"match": {"a": []}, "kind": "ignore"}]})"), "at least one value"));
  CHECK(has(refusal(R"({"throng_osm": 1, "gaps": [{"match": {"a": "b"}, "width": -1}]})"), "a length"));
  CHECK(has(refusal(R"({"throng_osm": 1, "rules": [)"), "t.json:1:"));
}
